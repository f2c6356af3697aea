//! Type sets: `type Shapes = TypeSet[{…, types => {Side => Integer[1], Box => {attributes => {a => Side}}}}]` also
//! defines the types `Shapes::Side` and `Shapes::Box`. They can refer to each other and can be type sets themselves.
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

pub(super) struct TypeSetDefinition<'a> {
    /// `Shapes`, or `Shapes::Solid` inside of a set
    pub(super) name: String,
    span: Span,
    entries: &'a [(Id, Id)],
    pub(super) types: Vec<(&'a str, Id)>,
    /// Full names of types and type sets by the short names that can be used in this set.
    full_names: FxHashMap<String, Arc<str>>,
    /// Full names of other type sets that this set refers to, by the names that it uses for them.
    pub(super) referenced_sets: FxHashMap<String, Arc<str>>,
}

impl<'a> TypeSetDefinition<'a> {
    /// Returns the type set that `type name = type_` defines, then its nested ones; empty if `type_` is not a type set.
    pub(super) fn parse_nested_type_sets(tree: &'a Tree, name: &str, type_: Id) -> Vec<TypeSetDefinition<'a>> {
        let mut sets: Vec<_> = TypeSetDefinition::parse_type_set(tree, name.to_owned(), type_, &FxHashMap::default())
            .into_iter()
            .collect();
        let mut at = 0;
        while let Some(set) = sets.get(at) {
            let inner = |(name, type_): &(&str, Id)| {
                TypeSetDefinition::parse_type_set(tree, set.full_name(name), *type_, &set.full_names)
            };
            let inner: Vec<_> = set.types.iter().filter_map(inner).collect();
            sets.extend(inner);
            at += 1;
        }
        sets
    }

    fn parse_type_set(
        tree: &'a Tree,
        name: String,
        type_: Id,
        outer_full_names: &FxHashMap<String, Arc<str>>,
    ) -> Option<TypeSetDefinition<'a>> {
        let Expression::Access(target, keys) = &tree[type_].expression else { return None };
        let (Expression::Reference(target), [key]) = (&tree[*target].expression, &**keys) else { return None };
        let (true, Expression::Hash(entries)) = (&**target == "TypeSet", &tree[*key].expression) else { return None };
        let types = entry_value(tree, entries, "types").and_then(|types| hash_entries(tree, types));
        let types = types.map(|types| types.iter().map(|(name, type_)| Some((word_in_key(tree, *name)?, *type_))));
        let mut set = TypeSetDefinition {
            name,
            span: tree[type_].span,
            entries,
            types: types.and_then(Iterator::collect).unwrap_or_default(),
            full_names: outer_full_names.clone(),
            referenced_sets: FxHashMap::default(),
        };
        for (type_, _) in &set.types {
            let full = set.full_name(type_);
            // Observed: Puppet 7.23. A name of the set around wins.
            set.full_names.entry((*type_).to_owned()).or_insert_with(|| full.into());
        }
        let references = entry_value(tree, entries, "references").and_then(|references| hash_entries(tree, references));
        for (alias, other) in references.into_iter().flatten() {
            let name =
                hash_entries(tree, *other).and_then(|entries| word_in_key(tree, entry_value(tree, entries, "name")?));
            // `Other::Side` is a type of the set that the reference names.
            if let (Some(alias), Some(name)) = (word_in_key(tree, *alias), name) {
                set.referenced_sets.insert(alias.to_owned(), name.into());
            }
        }
        set.full_names.extend(set.referenced_sets.clone());
        Some(set)
    }

    pub(super) fn full_name(&self, type_: &str) -> String {
        format!("{}::{type_}", self.name)
    }

    pub(super) fn compile_type(&self, tree: &Tree, environment: &mut Environment, type_: Id) -> Code {
        match &tree[type_].expression {
            Expression::Hash(_) => {
                self.compile_type_access("Object", self.new_compiler(tree, environment).compile_expression(type_))
            }
            // `Square => Box { … }`, which elsewhere would be defaults of a resource type.
            Expression::Resource { kind: ResourceKind::Defaults, type_name, bodies, .. } => {
                let is_strict = environment.strictness == Strictness::Error;
                let mut compiler = self.new_compiler(tree, environment);
                let attributes = || bodies.iter().flat_map(|body| &body.attributes);
                let is_kind =
                    matches!(&tree[*type_name].expression, Expression::Reference(name) if &**name == "Object");
                let again = attributes().find(|attribute| !is_kind && &*attribute.name == "parent");
                if let Some(again) = again.filter(|_| is_strict) {
                    let error = Error::new("DUPLICATE_KEY", "the type before the braces is the parent already");
                    return self.code_for_op(Op::Fail(error.at(again.span)));
                }
                let parent = (!is_kind)
                    .then(|| (self.constant_code(Value::from("parent")), compiler.compile_expression(*type_name)));
                let entry = |attribute: &Attribute| {
                    (self.constant_code(Value::from(&*attribute.name)), compiler.compile_expression(attribute.value))
                };
                let entries = parent.into_iter().chain(attributes().map(entry)).collect();
                self.compile_type_access("Object", self.code_for_op(Op::Hash(entries)))
            }
            _ => self.new_compiler(tree, environment).compile_expression(type_),
        }
    }

    pub(super) fn compile_type_set(&self, tree: &Tree, environment: &mut Environment) -> Code {
        let mut entries = Vec::new();
        for (key, value) in self.entries {
            let mut compiler = self.new_compiler(tree, environment);
            let value = match word_in_key(tree, *key) {
                Some("types") if !self.types.is_empty() => {
                    let type_ = |(name, _): &(&str, Id)| {
                        let full = self.code_for_op(Code::type_name_op(self.full_name(name)));
                        (self.constant_code(Value::from(*name)), full)
                    };
                    self.code_for_op(Op::Hash(self.types.iter().map(type_).collect()))
                }
                Some("references") => {
                    let reference = |(name, set): &(Id, Id)| {
                        let name = word_in_key(tree, *name).map(|word| self.constant_code(Value::from(word)));
                        Some((name?, compiler.compile_expression(*set)))
                    };
                    let references = hash_entries(tree, *value).map(|references| references.iter().map(reference));
                    match references.and_then(Iterator::collect) {
                        Some(references) => self.code_for_op(Op::Hash(references)),
                        None => compiler.compile_expression(*value),
                    }
                }
                _ => compiler.compile_expression(*value),
            };
            entries.push((compiler.compile_expression(*key), value));
        }
        // These entries override what was written, except for an invalid authority, which the type rejects later.
        let said = entry_value(tree, self.entries, "name_authority");
        let is_refused = said.is_some_and(|authority| !word_in_key(tree, authority).is_some_and(TypeSetType::is_uri));
        let definition = TypeSetType::naming_entries(&self.name).into_iter().skip(usize::from(is_refused));
        entries.extend(definition.map(|(key, value)| (self.constant_code(key), self.constant_code(value))));
        self.compile_type_access("TypeSet", self.code_for_op(Op::Hash(entries.into())))
    }

    fn new_compiler<'b>(&self, tree: &'b Tree, environment: &'b mut Environment) -> Compiler<'b> {
        let mut compiler = Compiler::new(tree, environment);
        compiler.full_type_names.clone_from(&self.full_names);
        compiler
    }

    fn compile_type_access(&self, name: &str, key: Code) -> Code {
        let target = Type::named(name).map_or(Value::Undef, Value::Type);
        self.code_for_op(Op::Access(Box::new(self.constant_code(target)), Box::new([key])))
    }

    fn constant_code(&self, value: Value) -> Code {
        self.code_for_op(Op::Constant(value))
    }

    fn code_for_op(&self, op: Op) -> Code {
        Code { span: self.span, op }
    }
}

fn hash_entries(tree: &Tree, hash: Id) -> Option<&[(Id, Id)]> {
    match &tree[hash].expression {
        Expression::Hash(entries) => Some(entries),
        _ => None,
    }
}

fn entry_value(tree: &Tree, entries: &[(Id, Id)], key: &str) -> Option<Id> {
    entries.iter().find(|(word_of_key, _)| word_in_key(tree, *word_of_key) == Some(key)).map(|(_, value)| *value)
}

/// Returns the word of a key such as `types`, `'types'` or `Side`; `None` for other expressions.
fn word_in_key(tree: &Tree, key: Id) -> Option<&str> {
    match &tree[key].expression {
        Expression::Name(word) | Expression::Literal(Literal::String(word)) | Expression::Reference(word) => Some(word),
        _ => None,
    }
}
