//! `type Shapes = TypeSet[{…, types => {Side => Integer[1], Box => {attributes => {a => Side}}}}]`: the definition of a set
//! defines its types as well. They can name each other, and programs name them `Shapes::Side`.
//!
//! Observed: Puppet 7.23 completes the set with its name and name authority, and takes a hash in the place of a type for
//! the description of an Object.
//! Deviation: Puppet finds `Shapes::Side` only when the set is that of a module.

use super::code::{Code, Step};
use super::compile::Compiler;
use super::world::World;
use crate::syntax::tree::{Expression, Id, Literal, Tree};
use crate::text::Span;
use crate::types::{Type, TypeSetType};
use crate::value::Value;

/// What stands between the brackets of the definition of a set.
pub(super) struct Definition<'a> {
    /// `Shapes`
    name: &'a str,
    span: Span,
    entries: &'a [(Id, Id)],
    /// The types by their names.
    pub(super) types: Vec<(&'a str, Id)>,
}

impl<'a> Definition<'a> {
    /// Of `type name = type_`; none when `type_` is no description of a set.
    pub(super) fn of(tree: &'a Tree, name: &'a str, type_: Id) -> Option<Definition<'a>> {
        let Expression::Access(target, keys) = &tree[type_].expression else { return None };
        let (Expression::Reference(target), [key]) = (&tree[*target].expression, keys.as_slice()) else { return None };
        let (true, Expression::Hash(entries)) = (&**target == "TypeSet", &tree[*key].expression) else { return None };
        let types = entries.iter().find(|(key, _)| word(tree, *key) == Some("types"));
        let types = types.and_then(|(_, types)| match &tree[*types].expression {
            Expression::Hash(types) => types.iter().map(|(name, type_)| Some((word(tree, *name)?, *type_))).collect(),
            _ => None,
        });
        Some(Definition { name, span: tree[type_].span, entries, types: types? })
    }

    /// `Shapes::Side`
    pub(super) fn full_name(&self, type_: &str) -> String {
        format!("{}::{type_}", self.name)
    }

    /// What stands for the type of that name.
    pub(super) fn type_code(&self, tree: &Tree, world: &mut World, type_: Id) -> Code {
        let code = self.compiler(tree, world).expression(type_);
        match &tree[type_].expression {
            Expression::Hash(_) => self.access("Object", code),
            _ => code,
        }
    }

    /// What makes the set.
    pub(super) fn code(&self, tree: &Tree, world: &mut World) -> Code {
        let mut entries = Vec::new();
        for (key, value) in self.entries {
            let mut compiler = self.compiler(tree, world);
            let value = match word(tree, *key) {
                Some("types") => {
                    let type_ = |(name, _): &(&str, Id)| {
                        (self.constant(Value::from(*name)), self.step(Step::TypeName(self.full_name(name).into())))
                    };
                    self.step(Step::Hash(self.types.iter().map(type_).collect()))
                }
                _ => compiler.expression(*value),
            };
            entries.push((compiler.expression(*key), value));
        }
        for (key, value) in TypeSetType::definition(self.name) {
            let is_given =
                |(written, _): &(Id, Id)| matches!(&key, Value::String(key) if word(tree, *written) == Some(key));
            if !self.entries.iter().any(is_given) {
                entries.push((self.constant(key), self.constant(value)));
            }
        }
        self.access("TypeSet", self.step(Step::Hash(entries.into())))
    }

    fn compiler<'b>(&self, tree: &'b Tree, world: &'b mut World) -> Compiler<'b> {
        let names = self.types.iter().map(|(name, _)| ((*name).to_owned(), self.full_name(name).into()));
        Compiler::new(tree, world).with_names(names.collect())
    }

    fn access(&self, name: &str, key: Code) -> Code {
        let target = Type::named(name).map_or(Value::Undef, Value::Type);
        self.step(Code::access(self.constant(target), Box::new([key])))
    }

    fn constant(&self, value: Value) -> Code {
        self.step(Step::Constant(value))
    }

    fn step(&self, step: Step) -> Code {
        Code { span: self.span, step }
    }
}

/// A key that is a word: `types`, `'types'`, `Side`.
fn word(tree: &Tree, key: Id) -> Option<&str> {
    match &tree[key].expression {
        Expression::Name(word) | Expression::Literal(Literal::String(word)) | Expression::Reference(word) => Some(word),
        _ => None,
    }
}
