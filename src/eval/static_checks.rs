//! What a check asks of programs: whether their type aliases are types, and the types and default values of the
//! parameters that they declare, each evaluated on its own.

use std::sync::Arc;

use super::code::Code;
use super::compile::Compiler;
use super::declared::{Declaration, Declared, Kind};
use super::define::stray;
use super::environment::Environment;
use super::run::Evaluator;
use super::{Event, Strictness};
use crate::error::{Error, LIMIT};
use crate::functions::Flow;
use crate::interrupt::INTERRUPTED;
use crate::syntax::tree::{Definition, Expression, Id, Tree};
use crate::types::Type;
use crate::value::Value;

impl Environment {
    /// Defines what a program defines and resolves its type aliases: how many there are, and what is wrong with them.
    pub(crate) fn check_aliases(&mut self, tree: &Tree) -> (usize, Vec<Error>) {
        // What an earlier file matched is nothing to this one.
        self.found = None;
        if let Err(error) = self.define(tree, tree.statements()) {
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
            let outcome = self.under(Strictness::Warning, |environment| {
                Evaluator::new(environment, &mut listen, tree.source.clone()).alias(name)
            });
            faults.extend(outcome.err().map(|error| error.in_source(&tree.source)));
        }
        (count, faults)
    }

    /// All that a text declares, also inside of other declarations.
    pub(crate) fn declarations(&mut self, tree: &Tree) -> Vec<Arc<Declaration>> {
        let declaration = |(kind, definition): (Kind, &Definition)| {
            let known = self.program.resource_definitions.get(&*definition.name.to_lowercase()).cloned();
            let is_of_definition = |known: &Arc<Declaration>| {
                Arc::ptr_eq(&known.source, &tree.source) && known.name_span == definition.name_span
            };
            let known = known.filter(is_of_definition);
            known.unwrap_or_else(|| Arc::new(Declaration::new(kind, definition, tree, self)))
        };
        tree.nodes.iter().filter_map(|node| definition_in(&node.expression)).map(declaration).collect()
    }

    /// The type that an expression is, if that can be told without a run.
    pub(crate) fn written_type(&mut self, tree: &Tree, id: Id) -> Option<Type> {
        match self.value_of(tree, id) {
            Ok(Some(Value::Type(type_))) => Some(type_),
            _ => None,
        }
    }

    /// The type of a parameter; `Any` where none is written. A name that means nothing is an error.
    pub(crate) fn type_of(&mut self, declaration: &Declaration, parameter: &Declared) -> Result<Type, Error> {
        let type_ = self.declared_type(declaration, parameter.type_.as_ref());
        type_.map_err(|error| error.at(parameter.span).in_source(&declaration.source))
    }

    /// The return type of a function; `Any` where none is written.
    pub(crate) fn return_type_of(&mut self, declaration: &Declaration) -> Result<Type, Error> {
        self.declared_type(declaration, declaration.return_type.as_ref())
    }

    fn declared_type(&mut self, declaration: &Declaration, code: Option<&Code>) -> Result<Type, Error> {
        self.under(Strictness::Error, |environment| {
            let mut nobody = |_| {};
            Evaluator::new(environment, &mut nobody, declaration.source.clone()).declared_type(declaration, code)
        })
    }

    /// The value of an expression on its own; `None` if it depends on what only a catalog knows: other parameters,
    /// variables of other classes, facts.
    pub(crate) fn value_of(&mut self, tree: &Tree, id: Id) -> Result<Option<Value>, Error> {
        let code = Compiler::new(tree, self).expression(id);
        self.is_unheard = true;
        let outcome = self.under(Strictness::Error, |environment| {
            let mut nobody = |_| {};
            Evaluator::new(environment, &mut nobody, tree.source.clone()).run(&code)
        });
        self.is_unheard = false;
        match outcome {
            Err(error) if matches!(error.code(), LIMIT | INTERRUPTED) => {
                Err(error.at(code.span).in_source(&tree.source))
            }
            other => Ok(other.ok()),
        }
    }

    /// Evaluates as if the environment were as strict as that.
    fn under<T>(
        &mut self,
        strictness: Strictness,
        work: impl FnOnce(&mut Environment) -> Result<T, Flow>,
    ) -> Result<T, Error> {
        let own = std::mem::replace(&mut self.strictness, strictness);
        let outcome = self.interrupt.clone().guard(|| work(self));
        self.strictness = own;
        outcome?.map_err(stray)
    }
}

pub(crate) fn definition_in(expression: &Expression) -> Option<(Kind, &Definition)> {
    match expression {
        Expression::Class { definition, .. } => Some((Kind::Class, definition)),
        Expression::Define(definition) => Some((Kind::DefinedType, definition)),
        Expression::Function(definition) => Some((Kind::Function, definition)),
        _ => None,
    }
}
