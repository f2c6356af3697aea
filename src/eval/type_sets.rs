//! `type Shapes = TypeSet[{…, types => {Side => Integer[1], Box => {attributes => {a => Side}}}}]`: the definition of a set
//! defines its types as well. They can name each other, and programs name them `Shapes::Side`. Types can be sets again.
//!
//! Observed: Puppet 7.23 completes the set with its name and name authority, and takes a hash in the place of a type for
//! the description of an Object.
//! Deviation: Puppet finds `Shapes::Side` only after the set was named.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::code::{Code, Op};
use super::{Strictness, compile::Compiler, environment::Environment};
use crate::error::Error;
use crate::syntax::tree::{Attribute, Expression, Id, Literal, ResourceKind, Tree};
use crate::text::Span;
use crate::types::{Type, TypeSetType};
use crate::value::Value;

/// What stands between the brackets of the definition of a set.
pub(super) struct Definition<'a> {
    /// `Shapes`, or `Shapes::Solid` inside of a set
    pub(super) name: String,
    span: Span,
    entries: &'a [(Id, Id)],
    pub(super) types: Vec<(&'a str, Id)>,
    /// Full names of types and sets by those that are used here.
    names: FxHashMap<String, Arc<str>>,
    /// The names of other sets, by those that they have here.
    pub(super) references: FxHashMap<String, Arc<str>>,
}

impl<'a> Definition<'a> {
    /// The set that `type name = type_` defines, then those inside of it; none if `type_` does not describe a set.
    pub(super) fn all(tree: &'a Tree, name: &str, type_: Id) -> Vec<Definition<'a>> {
        let mut sets: Vec<_> =
            Definition::of(tree, name.to_owned(), type_, &FxHashMap::default()).into_iter().collect();
        let mut at = 0;
        while let Some(set) = sets.get(at) {
            let inner = |(name, type_): &(&str, Id)| Definition::of(tree, set.full_name(name), *type_, &set.names);
            let inner: Vec<_> = set.types.iter().filter_map(inner).collect();
            sets.extend(inner);
            at += 1;
        }
        sets
    }

    fn of(tree: &'a Tree, name: String, type_: Id, outer: &FxHashMap<String, Arc<str>>) -> Option<Definition<'a>> {
        let Expression::Access(target, keys) = &tree[type_].expression else { return None };
        let (Expression::Reference(target), [key]) = (&tree[*target].expression, &**keys) else { return None };
        let (true, Expression::Hash(entries)) = (&**target == "TypeSet", &tree[*key].expression) else { return None };
        let types = entry_of(tree, entries, "types").and_then(|types| entries_of(tree, types));
        let types = types.map(|types| types.iter().map(|(name, type_)| Some((word(tree, *name)?, *type_))));
        let mut set = Definition {
            name,
            span: tree[type_].span,
            entries,
            types: types.and_then(Iterator::collect).unwrap_or_default(),
            names: outer.clone(),
            references: FxHashMap::default(),
        };
        for (type_, _) in &set.types {
            let full = set.full_name(type_);
            // Observed: Puppet 7.23. A name of the set around wins.
            set.names.entry((*type_).to_owned()).or_insert_with(|| full.into());
        }
        let references = entry_of(tree, entries, "references").and_then(|references| entries_of(tree, references));
        for (alias, other) in references.into_iter().flatten() {
            let name = entries_of(tree, *other).and_then(|entries| word(tree, entry_of(tree, entries, "name")?));
            // `Other::Side` is a type of the set that the reference names.
            if let (Some(alias), Some(name)) = (word(tree, *alias), name) {
                set.references.insert(alias.to_owned(), name.into());
            }
        }
        set.names.extend(set.references.clone());
        Some(set)
    }

    /// `Shapes::Side`
    pub(super) fn full_name(&self, type_: &str) -> String {
        format!("{}::{type_}", self.name)
    }

    pub(super) fn type_code(&self, tree: &Tree, environment: &mut Environment, type_: Id) -> Code {
        match &tree[type_].expression {
            Expression::Hash(_) => self.access("Object", self.compiler(tree, environment).expression(type_)),
            // `Square => Box { … }`, which elsewhere would be defaults of a resource type.
            Expression::Resource { kind: ResourceKind::Defaults, type_name, bodies, .. } => {
                let is_strict = environment.strictness == Strictness::Error;
                let mut compiler = self.compiler(tree, environment);
                let attributes = || bodies.iter().flat_map(|body| &body.attributes);
                let is_kind =
                    matches!(&tree[*type_name].expression, Expression::Reference(name) if &**name == "Object");
                let again = attributes().find(|attribute| !is_kind && &*attribute.name == "parent");
                if let Some(again) = again.filter(|_| is_strict) {
                    let error = Error::new("DUPLICATE_KEY", "the type before the braces is the parent already");
                    return self.op(Op::Fail(error.at(again.span)));
                }
                let parent =
                    (!is_kind).then(|| (self.constant(Value::from("parent")), compiler.expression(*type_name)));
                let entry = |attribute: &Attribute| {
                    (self.constant(Value::from(&*attribute.name)), compiler.expression(attribute.value))
                };
                let entries = parent.into_iter().chain(attributes().map(entry)).collect();
                self.access("Object", self.op(Op::Hash(entries)))
            }
            _ => self.compiler(tree, environment).expression(type_),
        }
    }

    pub(super) fn compile(&self, tree: &Tree, environment: &mut Environment) -> Code {
        let mut entries = Vec::new();
        for (key, value) in self.entries {
            let mut compiler = self.compiler(tree, environment);
            let value = match word(tree, *key) {
                Some("types") if !self.types.is_empty() => {
                    let type_ = |(name, _): &(&str, Id)| {
                        (self.constant(Value::from(*name)), self.op(Code::type_name(self.full_name(name))))
                    };
                    self.op(Op::Hash(self.types.iter().map(type_).collect()))
                }
                Some("references") => {
                    let reference = |(name, set): &(Id, Id)| {
                        let name = word(tree, *name).map(|word| self.constant(Value::from(word)));
                        Some((name?, compiler.expression(*set)))
                    };
                    let references = entries_of(tree, *value).map(|references| references.iter().map(reference));
                    match references.and_then(Iterator::collect) {
                        Some(references) => self.op(Op::Hash(references)),
                        None => compiler.expression(*value),
                    }
                }
                _ => compiler.expression(*value),
            };
            entries.push((compiler.expression(*key), value));
        }
        // These entries override what was written, except for an invalid authority, which the type rejects later.
        let said = entry_of(tree, self.entries, "name_authority");
        let is_refused = said.is_some_and(|authority| !word(tree, authority).is_some_and(TypeSetType::is_uri));
        let definition = TypeSetType::definition(&self.name).into_iter().skip(usize::from(is_refused));
        entries.extend(definition.map(|(key, value)| (self.constant(key), self.constant(value))));
        self.access("TypeSet", self.op(Op::Hash(entries.into())))
    }

    fn compiler<'b>(&self, tree: &'b Tree, environment: &'b mut Environment) -> Compiler<'b> {
        let mut compiler = Compiler::new(tree, environment);
        compiler.names.clone_from(&self.names);
        compiler
    }

    fn access(&self, name: &str, key: Code) -> Code {
        let target = Type::named(name).map_or(Value::Undef, Value::Type);
        self.op(Op::Access(Box::new(self.constant(target)), Box::new([key])))
    }

    fn constant(&self, value: Value) -> Code {
        self.op(Op::Constant(value))
    }

    fn op(&self, op: Op) -> Code {
        Code { span: self.span, op }
    }
}

fn entries_of(tree: &Tree, hash: Id) -> Option<&[(Id, Id)]> {
    match &tree[hash].expression {
        Expression::Hash(entries) => Some(entries),
        _ => None,
    }
}

fn entry_of(tree: &Tree, entries: &[(Id, Id)], key: &str) -> Option<Id> {
    entries.iter().find(|(word_of_key, _)| word(tree, *word_of_key) == Some(key)).map(|(_, value)| *value)
}

/// A key that is a word: `types`, `'types'`, `Side`.
fn word(tree: &Tree, key: Id) -> Option<&str> {
    match &tree[key].expression {
        Expression::Name(word) | Expression::Literal(Literal::String(word)) | Expression::Reference(word) => Some(word),
        _ => None,
    }
}
