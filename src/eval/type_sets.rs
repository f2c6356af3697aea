//! `type Shapes = TypeSet[{…, types => {Side => Integer[1], Box => {attributes => {a => Side}}}}]`: the definition of a set
//! defines its types as well. They can name each other, and programs name them `Shapes::Side`.
//!
//! Observed: Puppet 7.23 completes the set with its name and name authority, and takes a hash in the place of a type for
//! the description of an Object.
//! Deviation: Puppet finds `Shapes::Side` only when the set is that of a module.

use super::code::{Code, Step};
use super::compile::Compiler;
use super::world::World;
use crate::syntax::tree::{Expression, Id, Literal, ResourceKind, Tree};
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
    /// The names of other sets, and what they are called here.
    references: Vec<(&'a str, &'a str)>,
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
        let types = types.unwrap_or_default();
        let references = entries.iter().find(|(key, _)| word(tree, *key) == Some("references"));
        let references = references.and_then(|(_, references)| entries_of(tree, *references));
        let reference = |(alias, set): &'a (Id, Id)| {
            let name = entries_of(tree, *set)?.iter().find(|(key, _)| word(tree, *key) == Some("name"))?;
            Some((word(tree, *alias)?, word(tree, name.1)?))
        };
        let references = references.unwrap_or_default().iter().filter_map(reference).collect();
        Some(Definition { name, span: tree[type_].span, entries, types, references })
    }

    /// `Shapes::Side`
    pub(super) fn full_name(&self, type_: &str) -> String {
        format!("{}::{type_}", self.name)
    }

    /// What stands for the type of that name.
    pub(super) fn type_code(&self, tree: &Tree, world: &mut World, type_: Id) -> Code {
        match &tree[type_].expression {
            Expression::Hash(_) => self.access("Object", self.compiler(tree, world).expression(type_)),
            // `Square => Box { … }`, which elsewhere would be defaults of a resource type.
            Expression::Resource { kind: ResourceKind::Defaults, type_name, bodies, .. } => {
                let mut compiler = self.compiler(tree, world);
                let attributes = bodies.iter().flat_map(|body| &body.attributes);
                let mut entries: Vec<(Code, Code)> = attributes
                    .map(|attribute| {
                        (self.constant(Value::from(&*attribute.name)), compiler.expression(attribute.value))
                    })
                    .collect();
                if !matches!(&tree[*type_name].expression, Expression::Reference(name) if &**name == "Object") {
                    let parent = self.constant(Value::from("parent"));
                    entries.push((parent, compiler.expression(*type_name)));
                }
                self.access("Object", self.step(Step::Hash(entries.into())))
            }
            _ => self.compiler(tree, world).expression(type_),
        }
    }

    /// What makes the set.
    pub(super) fn code(&self, tree: &Tree, world: &mut World) -> Code {
        let mut entries = Vec::new();
        for (key, value) in self.entries {
            let mut compiler = self.compiler(tree, world);
            let value = match word(tree, *key) {
                Some("types") if !self.types.is_empty() => {
                    let type_ = |(name, _): &(&str, Id)| {
                        (self.constant(Value::from(*name)), self.step(Step::TypeName(self.full_name(name).into())))
                    };
                    self.step(Step::Hash(self.types.iter().map(type_).collect()))
                }
                Some("references") => match &tree[*value].expression {
                    Expression::Hash(references) => {
                        let mut reference = |(name, set): &(Id, Id)| {
                            let name = word(tree, *name).map(|word| self.constant(Value::from(word)));
                            Some((name?, compiler.expression(*set)))
                        };
                        match references.iter().map(&mut reference).collect::<Option<Vec<_>>>() {
                            Some(references) => self.step(Step::Hash(references.into())),
                            None => compiler.expression(*value),
                        }
                    }
                    _ => compiler.expression(*value),
                },
                _ => compiler.expression(*value),
            };
            entries.push((compiler.expression(*key), value));
        }
        // Whatever stands there: the last of two entries counts.
        let definition = TypeSetType::definition(self.name);
        entries.extend(definition.map(|(key, value)| (self.constant(key), self.constant(value))));
        self.access("TypeSet", self.step(Step::Hash(entries.into())))
    }

    fn compiler<'b>(&self, tree: &'b Tree, world: &'b mut World) -> Compiler<'b> {
        let names = self.types.iter().map(|(name, _)| ((*name).to_owned(), self.full_name(name).into()));
        // `Other::Side` is a type of the set that the reference names.
        let references = self.references.iter().map(|(alias, set)| (format!("{alias}::"), format!("{set}::").into()));
        Compiler::new(tree, world).with_names(names.chain(references).collect())
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

fn entries_of(tree: &Tree, hash: Id) -> Option<&[(Id, Id)]> {
    match &tree[hash].expression {
        Expression::Hash(entries) => Some(entries),
        _ => None,
    }
}

/// A key that is a word: `types`, `'types'`, `Side`.
fn word(tree: &Tree, key: Id) -> Option<&str> {
    match &tree[key].expression {
        Expression::Name(word) | Expression::Literal(Literal::String(word)) | Expression::Reference(word) => Some(word),
        _ => None,
    }
}
