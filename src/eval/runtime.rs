//! What the evaluator offers to operators and to the bodies of built-in functions.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arguments::Arguments;
use super::block::arity_of;
use super::compile::Compiler;
use super::define::stray;
use super::run::Evaluator;
use super::{Event, Strictness};
use crate::error::{Error, RUNTIME_ERROR, Result};
use crate::functions::{Annotations, BoundBlock, ContextCache, Flow, Level, Runtime, Visibility};
use crate::limits;
use crate::operators::{self, describe};
use crate::syntax;
use crate::syntax::type_text::foreign_part;
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::{Callable, Hash, Value};

/// The evaluator as an operator sees it: warnings get the place of the operator.
pub(super) struct Host<'e, 'w> {
    evaluator: &'e mut Evaluator<'w>,
    span: Span,
}

impl<'w> Evaluator<'w> {
    /// The type that a text names.
    ///
    /// Observed: Puppet 7.23 and 8.11 have an issue code for words that cannot stand where they do, but for nothing else
    /// that is wrong with the text.
    pub(super) fn named_type(&mut self, text: &str) -> Result<Type> {
        let source = Source::new("type", text);
        let tree = syntax::parse(&source).map_err(|error| match error.code() {
            "SYNTAX_ERROR" if error.is_unfinished() => error.with_code(RUNTIME_ERROR),
            _ => error,
        })?;
        if let Some(part) = foreign_part(&tree, tree.body) {
            let part = source.slice(tree[part].span);
            return Err(Error::runtime(format!("expected a type as a string, got `{part}`")));
        }
        let code = Compiler::new(&tree, self.environment).expression(tree.body);
        let outer = std::mem::replace(&mut self.source, source.clone());
        // As in an alias, an unknown type may still be named.
        let in_alias = std::mem::replace(&mut self.in_alias, true);
        let outcome = self.run(&code);
        self.in_alias = in_alias;
        self.source = outer;
        match outcome.map_err(|flow| stray(flow).in_source(&source).with_code(RUNTIME_ERROR))? {
            Value::Type(type_) => Ok(type_),
            other => Err(Error::runtime(format!("expected a type as a string, got {}", describe(&other)))),
        }
    }

    pub(super) fn host(&mut self, span: Span) -> Host<'_, 'w> {
        Host { evaluator: self, span }
    }

    /// Under `error` the warning is the error; under `off` nobody hears of it.
    pub(super) fn warn(&mut self, error: Error) -> Result<()> {
        match self.environment.strictness {
            Strictness::Off => {}
            Strictness::Warning => (self.listen)(Event::Warning(error.at(self.call_span).in_source(&self.source))),
            Strictness::Error => return Err(error),
        }
        Ok(())
    }
}

impl operators::Host for Host<'_, '_> {
    fn warn_or_fail(&mut self, error: Error) -> Result<()> {
        // The error gets a better place on its way out.
        if self.evaluator.environment.strictness == Strictness::Error {
            return Err(error);
        }
        self.evaluator.warn(error.at(self.span))
    }
}

impl Runtime for Evaluator<'_> {
    fn call(&mut self, callable: &Arc<dyn Callable>, arguments: &[Value]) -> Result<Value, Flow> {
        self.call_value(callable, arguments)
    }

    fn with_block(
        &mut self,
        block: &Arc<dyn Callable>,
        work: &mut dyn FnMut(&mut dyn BoundBlock) -> Result<(), Flow>,
    ) -> Result<(), Flow> {
        self.call_in_one_frame(block, work)
    }

    fn arity(&self, callable: &Arc<dyn Callable>) -> (usize, Option<usize>) {
        arity_of(callable)
    }

    fn call_function(
        &mut self,
        name: &str,
        arguments: &[Value],
        block: Option<&Arc<dyn Callable>>,
    ) -> Result<Value, Flow> {
        let given = Arguments::unplaced(arguments, block);
        match self.function_named(name)? {
            Some(found) => self.call_found(&found, given),
            None => Err(self.unknown_function(name, true).into()),
        }
    }

    fn type_of_text(&mut self, text: &str) -> Result<Type> {
        self.named_type(text)
    }

    fn variable(&mut self, name: &str) -> Option<Value> {
        if !name.starts_with("::")
            && let Some(value) = self.frames.named(self.frame, name)
        {
            return Some(value.clone());
        }
        self.environment.top_variable(name)
    }

    fn fill_in(&mut self, template: &Arc<Source>, sees: Visibility, parameters: Option<&Hash>) -> Result<Value, Flow> {
        self.rendered(template, sees, parameters)
    }

    fn module_directory(&self, module: &str) -> Option<PathBuf> {
        self.environment.program.modules.directory(module)
    }

    fn find_file(&self, path: &Path) -> Result<Option<PathBuf>> {
        self.environment.find_file(path)
    }

    fn annotations(&mut self) -> &mut Annotations {
        &mut self.environment.annotations
    }

    fn memories(&mut self) -> &mut ContextCache {
        &mut self.environment.memories
    }

    fn warn(&mut self, error: Error) -> Result<()> {
        Evaluator::warn(self, error)
    }

    fn data(&self) -> Arc<Vec<Hash>> {
        self.environment.data.clone()
    }

    fn environment_directory(&self) -> Option<PathBuf> {
        self.environment.directory.clone()
    }

    fn construct(&mut self, type_: &Type, arguments: &[Value]) -> Result<Value, Flow> {
        self.construct_value(type_, Arguments::unplaced(arguments, None))
    }

    fn by_specification(&mut self, refused: Error) -> Result<()> {
        self.warn(refused.with_help("the specification allows this, but Puppet 8 rejects it"))
    }

    fn log(&mut self, level: Level, message: &str) {
        limits::count_output(message.len());
        let event =
            Event::Log { level, message: message.to_owned(), source: self.source.clone(), span: self.call_span };
        (self.listen)(event);
    }
}
