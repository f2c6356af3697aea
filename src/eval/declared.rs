//! What classes, defined types and functions declare: their parameters, the types of these, and the values that they
//! have by default.
//!
//! Nothing is declared by this, and no body runs.

use std::sync::Arc;

use super::compile::Compiler;
use super::define::stray;
use super::modules;
use super::run::Evaluator;
use super::world::World;
use super::{Event, Strictness};
use crate::error::Error;
use crate::operators::described;
use crate::syntax::tree::{Definition, Expression, Id, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::Value;

/// A class, defined type or function.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    /// As written.
    pub(crate) name: String,
    /// The text it is in.
    pub(crate) source: Arc<Source>,
    pub(crate) parameters: Vec<Declared>,
}

/// A parameter.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub(crate) name: String,
    /// From the type to the default.
    pub(crate) span: Span,
    /// `Any` where none is written; an error where what is written cannot be a type.
    pub(crate) type_: Result<Type, Error>,
    pub(crate) default: Option<DefaultValue>,
}

/// What stands after `=`.
#[derive(Clone, Debug)]
pub(crate) struct DefaultValue {
    pub(crate) id: Id,
    /// Nothing where it depends on what only a catalog knows: other parameters, variables of other classes, facts.
    pub(crate) value: Option<Value>,
}

impl World {
    /// The class of that name, read from its module; nothing when there is none.
    ///
    /// # Errors
    /// The file cannot be read, is no program, or does not define what its place promises.
    pub(crate) fn class(&mut self, name: &str) -> Result<Option<Declaration>, Error> {
        let Some(file) = self.modules.file(modules::Kind::Manifest, name) else { return Ok(None) };
        let (tree, id) = modules::read(modules::Kind::Manifest, name, &file)?;
        match &tree[id].expression {
            Expression::Class { definition, .. } => Ok(Some(self.declaration(&tree, definition))),
            _ => Ok(None),
        }
    }

    /// Makes the definitions of a program known and finds out what its type aliases stand for: how many there are, and
    /// what is wrong with them.
    pub(crate) fn check_aliases(&mut self, tree: &Tree) -> (usize, Vec<Error>) {
        if let Err(error) = self.define(tree, tree.statements()) {
            return (0, vec![error.in_source(&tree.source)]);
        }
        // A name that means nothing is no error in an alias: the warning is what there is to hear of it.
        let strictness = std::mem::replace(&mut self.strictness, Strictness::Warning);
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
            let outcome = Evaluator::new(self, &mut listen, tree.source.clone()).alias(name);
            faults.extend(outcome.err().map(|exit| stray(exit).in_source(&tree.source)));
        }
        self.strictness = strictness;
        (count, faults)
    }

    /// All that a text declares, also inside of other declarations.
    pub(crate) fn declarations(&mut self, tree: &Tree) -> Vec<Declaration> {
        let mut declared = Vec::new();
        let mut pending = vec![tree.body];
        while let Some(id) = pending.pop() {
            match &tree[id].expression {
                Expression::Class { definition, .. }
                | Expression::Define(definition)
                | Expression::Function(definition) => declared.push(self.declaration(tree, definition)),
                _ => {}
            }
            tree[id].expression.each_child(&mut |child| pending.push(child));
        }
        declared
    }

    fn declaration(&mut self, tree: &Tree, definition: &Definition) -> Declaration {
        let parameters = definition.parameters.iter().map(|parameter| {
            let default = parameter.default.map(|id| DefaultValue { id, value: self.value_of(tree, id).ok() });
            let type_ = match parameter.type_ {
                None => Ok(Type::any()),
                Some(id) => self.type_at(tree, id),
            };
            Declared { name: parameter.name.to_string(), span: parameter.span, type_, default }
        });
        Declaration { name: definition.name.to_string(), parameters: parameters.collect(), source: tree.source.clone() }
    }

    fn type_at(&mut self, tree: &Tree, id: Id) -> Result<Type, Error> {
        match self.value_of(tree, id)? {
            Value::Type(type_) => Ok(type_),
            other => {
                let error = Error::runtime(format!("expected a type, got {}", described(&other)));
                Err(error.at(tree[id].span).in_source(&tree.source))
            }
        }
    }

    /// The value of an expression on its own. A name that means nothing is an error.
    fn value_of(&mut self, tree: &Tree, id: Id) -> Result<Value, Error> {
        let strictness = std::mem::replace(&mut self.strictness, Strictness::Error);
        let code = Compiler::new(tree, self).expression(id);
        let mut nobody = |_| {};
        let value = Evaluator::new(self, &mut nobody, tree.source.clone()).run(&code);
        self.strictness = strictness;
        value.map_err(|exit| stray(exit).at(code.span).in_source(&tree.source))
    }
}
