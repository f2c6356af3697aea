//! Static checks of programs: resolves type aliases, and evaluates types and default values in isolation.

use std::sync::Arc;

use super::declared::{Declaration, DeclaredParameter};
use super::environment::Environment;
use super::{Event, Listener, Strictness, code::Code, compile::Compiler, define::flow_into_error, run::Evaluator};
use crate::error::{Error, LIMIT};
use crate::functions::Flow;
use crate::interrupt::INTERRUPTED;
use crate::syntax::tree::{Expression, Id, Node, Tree};
use crate::text::Source;
use crate::types::Type;
use crate::value::Value;

impl Environment {
    /// Adds the definitions in `tree` and resolves its type aliases; returns their number, and all errors and warnings.
    pub(crate) fn check_aliases(&mut self, tree: &Tree) -> (usize, Vec<Error>) {
        // What an earlier file matched is nothing to this one.
        self.last_match_variables = None;
        if let Err(error) = self.add_definitions(tree) {
            return (0, vec![error.in_source(&tree.source)]);
        }
        let names = tree.statements().iter().filter_map(|id| match &tree[*id].expression {
            Expression::TypeAlias { name, .. } => Some(name),
            _ => None,
        });
        let (mut count, mut faults) = (0, Vec::new());
        for name in names {
            count += 1;
            let mut listen = |event| {
                if let Event::Warning(warning) = event {
                    faults.push(warning);
                }
            };
            // An unknown name in an alias is only a warning.
            let outcome =
                self.evaluate_alone(Strictness::Warning, &tree.source, &mut listen, |this| this.find_alias_type(name));
            faults.extend(outcome.err().map(|error| error.in_source(&tree.source)));
        }
        (count, faults)
    }

    /// Returns the declarations of all classes, defined types and functions in `tree`, including nested ones.
    pub(crate) fn declarations_in_tree(&mut self, tree: &Tree) -> Vec<Arc<Declaration>> {
        let declaration = |node: &Node| {
            let Expression::Definition(definition) = &node.expression else { return None };
            let known = self.program.classes_and_defines.get(&*definition.name.to_lowercase()).cloned();
            let is_of_definition = |known: &Arc<Declaration>| {
                Arc::ptr_eq(&known.source, &tree.source) && known.name_span == definition.name_span
            };
            let known = known.filter(is_of_definition);
            Some(known.unwrap_or_else(|| Arc::new(Declaration::from_definition(definition, tree, self))))
        };
        tree.nodes.iter().filter_map(declaration).collect()
    }

    /// Returns the type that the expression `id` results in when evaluated alone; `None` if it fails or is not a type.
    pub(crate) fn static_type(&mut self, tree: &Tree, id: Id) -> Option<Type> {
        match self.static_value(tree, id) {
            Ok(Some(Value::Type(type_))) => Some(type_),
            _ => None,
        }
    }

    /// Returns the declared type of a parameter, or `Any` if it has none; an unknown type name is an error.
    pub(crate) fn parameter_type(
        &mut self,
        declaration: &Declaration,
        parameter: &DeclaredParameter,
    ) -> Result<Type, Error> {
        let type_ = self.strict_declared_type(declaration, parameter.type_code.as_ref());
        type_.map_err(|error| error.at(parameter.span).in_source(&declaration.source))
    }

    pub(crate) fn declared_return_type(&mut self, declaration: &Declaration) -> Result<Type, Error> {
        self.strict_declared_type(declaration, declaration.return_type.as_ref())
    }

    fn strict_declared_type(&mut self, declaration: &Declaration, code: Option<&Code>) -> Result<Type, Error> {
        let source = &declaration.source;
        self.evaluate_alone(Strictness::Error, source, &mut |_| {}, |this| this.declared_type(declaration, code))
    }

    /// Returns the value of the expression `id` when evaluated alone; `None` if that fails, for example because a
    /// variable is unknown. Only an exceeded limit or an interrupt is an error.
    pub(crate) fn static_value(&mut self, tree: &Tree, id: Id) -> Result<Option<Value>, Error> {
        let code = Compiler::new(tree, self).compile_expression(id);
        self.discards_errors = true;
        let outcome = self.evaluate_alone(Strictness::Error, &tree.source, &mut |_| {}, |this| this.run_code(&code));
        self.discards_errors = false;
        match outcome {
            Err(error) if matches!(error.code(), LIMIT | INTERRUPTED) => {
                Err(error.at(code.span).in_source(&tree.source))
            }
            other => Ok(other.ok()),
        }
    }

    /// Runs `work` under `strictness`, then restores the strictness; returns an error if an interrupt ends it.
    fn evaluate_alone<T>(
        &mut self,
        strictness: Strictness,
        source: &Arc<Source>,
        listen: &mut Listener<'_>,
        work: impl FnOnce(&mut Evaluator<'_>) -> Result<T, Flow>,
    ) -> Result<T, Error> {
        let own = std::mem::replace(&mut self.strictness, strictness);
        let outcome = self
            .interrupt
            .clone()
            .run_interruptible(|| work(&mut Evaluator::evaluator_for_source(self, listen, source.clone())));
        self.strictness = own;
        outcome?.map_err(flow_into_error)
    }
}
