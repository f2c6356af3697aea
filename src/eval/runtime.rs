//! Implements [`Runtime`] for the evaluator: the services that built-in functions use.

use std::path::{Path, PathBuf};
use std::{borrow::Cow, sync::Arc};

use super::block::{Closure, PreparedBlock, expect_closure};
use super::reserved::reserved_variable_value;
use super::type_text::find_non_type_part;
use super::{Event, Strictness, arguments::Arguments, compile::Compiler, define::flow_into_error, run::Evaluator};
use crate::error::{Error, RUNTIME_ERROR, Result};
use crate::functions::{Flow, Level, ReusableBlock, Runtime, RuntimeState, TemplateVisibility};
use crate::operators::describe;
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::{Callable, Hash, Value};
use crate::{limits, syntax};

impl Evaluator<'_> {
    /// Reports `error` as a warning at `span` or, under strictness `error`, returns it without a location.
    pub(super) fn warn_at(&mut self, error: Error, span: Span) -> Result<()> {
        if self.environment.strictness == Strictness::Error { Err(error) } else { self.warn(error.at(span)) }
    }
}

impl Runtime for Evaluator<'_> {
    fn call(&mut self, callable: &Arc<dyn Callable>, arguments: &[Value]) -> Result<Value, Flow> {
        let Closure { code, frame, found } = expect_closure(callable)?;
        self.call_lambda(code, *frame, found.as_ref(), Arguments::without_locations(arguments, None))
    }

    fn with_prepared_block(
        &mut self,
        block: &Arc<dyn Callable>,
        work: &mut dyn FnMut(&mut dyn ReusableBlock) -> Result<(), Flow>,
    ) -> Result<(), Flow> {
        let Closure { code, frame, found } = expect_closure(block)?;
        let (code, found) = (&**code, found.as_ref());
        let frame = self.frames.push_frame(Cow::Owned(code.slot_names.clone()), *frame, []);
        let outcome = self.run_in_frame(frame, code, found, |evaluator| {
            work(&mut PreparedBlock { evaluator, code, frame, match_variables: found })
        });
        self.frames.pop_frame();
        outcome
    }

    fn call_function(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&Arc<dyn Callable>>,
    ) -> Result<Value, Flow> {
        self.call_by_name(name, Arguments::without_locations(arguments, block), true)
    }

    /// Evaluates `text` as a type. Observed: Puppet 7.23 and 8.11 give an issue code only to the error that a word in
    /// `text` is misplaced; all other errors are runtime errors.
    fn parse_type(&mut self, text: &str) -> Result<Type> {
        let source = Source::new("type", text);
        let tree = syntax::parse(&source).map_err(|error| match error.code() {
            "SYNTAX_ERROR" if error.is_unfinished() => error.with_code(RUNTIME_ERROR),
            _ => error,
        })?;
        let not_a_type = |got: &str| Error::runtime(format!("expected a type as a string, got {got}"));
        if let Some(part) = find_non_type_part(&tree, tree.body) {
            return Err(not_a_type(&format!("`{}`", tree.text_of(part))));
        }
        let code = Compiler::new(&tree, self.environment).compile_expression(tree.body);
        // As in an alias, an unknown type may still be named.
        let outcome = self.run_as_alias(|this| this.run_at_top_level(&source, |this| this.run_code(&code)));
        match outcome.map_err(|flow| flow_into_error(flow).in_source(&source).with_code(RUNTIME_ERROR))? {
            Value::Type(type_) => Ok(type_),
            other => Err(not_a_type(&describe(&other))),
        }
    }

    fn variable(&mut self, name: &str) -> Option<Value> {
        if !name.starts_with("::")
            && let Some(value) = self.frames.find_variable(self.frame, name)
        {
            return Some(value.clone());
        }
        let plain = name.strip_prefix("::").unwrap_or(name);
        self.environment.program.globals.get(plain).cloned().or_else(|| reserved_variable_value(name))
    }

    fn render_template(
        &mut self,
        template: &Arc<Source>,
        visibility: TemplateVisibility,
        parameters: Option<&Hash>,
    ) -> Result<Value, Flow> {
        self.render_template(template, visibility, parameters)
    }

    fn module_directory(&self, module: &str) -> Option<PathBuf> {
        self.environment.program.modules.module_directory(module)
    }

    fn find_file(&self, path: &Path) -> Result<Option<PathBuf>> {
        self.environment.find_readable_file(path)
    }

    fn runtime_state(&mut self) -> &mut RuntimeState {
        &mut self.environment.state
    }

    fn warn(&mut self, error: Error) -> Result<()> {
        match self.environment.strictness {
            Strictness::Off => {}
            Strictness::Warning => (self.listener)(Event::Warning(error.at(self.call_span).in_source(&self.source))),
            Strictness::Error => return Err(error),
        }
        Ok(())
    }

    fn construct(&mut self, type_: &Type, arguments: &[Value]) -> Result<Value, Flow> {
        self.construct_value(type_, Arguments::without_locations(arguments, None))
    }

    fn log(&mut self, level: Level, message: &str) {
        limits::count_output_bytes(message.len());
        let event =
            Event::Log { level, message: message.to_owned(), source: self.source.clone(), span: self.call_span };
        (self.listener)(event);
    }
}
