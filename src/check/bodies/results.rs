//! What calls give: the types of the elements that a block gets, and of results that follow from the arguments.

use super::known::Inferred;
use crate::explain::meet::overlap;
use crate::types::{ArrayType, HashType, IntegerType, Lattice, TupleType, Type};
use crate::value::Value;

/// The types of the parts of what a function iterates over: elements, or entries with a key.
pub(super) struct Iterated {
    key: Option<Type>,
    value: Type,
}

impl Iterated {
    pub(super) fn of(found: &Inferred) -> Option<Iterated> {
        let (key, value) = match &not_undef(&found.type_()).behind_aliases().generalized() {
            Type::Array(array) => (None, array.element().clone()),
            Type::Tuple(tuple) => (None, Type::one_of(tuple.types().iter().map(|type_| (**type_).clone()))),
            Type::Hash(hash) => (Some(hash.key().clone()), hash.value().clone()),
            Type::Struct(parts) if !parts.members().is_empty() => {
                let values = parts.members().iter().map(|member| member.type_().clone());
                (Some(Type::built_in("String")), Type::one_of(values))
            }
            _ => return None,
        };
        Some(Iterated { key, value })
    }

    /// An element, or a key with its value.
    fn part(&self) -> Type {
        let pair = |key: &Type| TupleType::new([key.clone(), self.value.clone()], None).into();
        self.key.as_ref().map_or_else(|| self.value.clone(), pair)
    }

    /// The types of what a lambda with so many parameters is given in each turn.
    pub(super) fn given(&self, function: &str, count: usize) -> Vec<Type> {
        match (function, count) {
            ("each" | "map" | "filter" | "any" | "all" | "group_by", 1) => vec![self.part()],
            ("each" | "map" | "filter" | "any" | "all", 2) => {
                let index = || Type::built_in("Integer");
                vec![self.key.clone().unwrap_or_else(index), self.value.clone()]
            }
            // What the turn before returned may be anything.
            ("reduce", 2) => vec![Type::any(), self.part()],
            _ => Vec::new(),
        }
    }

    /// The type of what the function returns, if its lambda returns `result`; `start` is the type of a second argument.
    pub(super) fn collected(self, function: &str, start: Option<Type>, result: Option<Type>) -> Option<Type> {
        let array = |element: Type| Some(Type::from(ArrayType::new(element, None)));
        match (function, self.key) {
            ("map", _) => array(result?),
            // Without a turn it is the start or the only element, or there is none.
            ("reduce", None) => {
                let without_turn = start.unwrap_or_else(|| Type::one_of([self.value, Type::of(&Value::Undef)]));
                Some(Type::one_of([without_turn, result?]))
            }
            ("filter" | "sort" | "unique", None) | ("values", Some(_)) => array(self.value),
            ("keys", Some(key)) => array(key),
            ("filter", Some(key)) => Some(HashType::new(key, self.value, None).into()),
            _ => None,
        }
    }
}

pub(super) fn not_undef(type_: &Type) -> Type {
    let undef = Type::of(&Value::Undef);
    Type::one_of(type_.alternatives().into_iter().filter(|one| *one != undef))
}

/// The type of what a function returns, where it follows from its arguments, or from what its block returns.
pub(super) fn returned_for(name: &str, found: &[Inferred], has_block: bool, block: Option<&Type>) -> Option<Type> {
    let (first, keys) = found.split_first()?;
    let (type_, undef) = (first.type_(), Type::of(&Value::Undef));
    Some(match (name, has_block) {
        ("unwrap" | "with", true) => block?.clone(),
        ("then", true) => Type::one_of([block?.clone(), undef]),
        ("lest", true) => Type::one_of([not_undef(&type_), block?.clone()]),
        ("assert_type", false) => first.as_type()?.clone(),
        ("unwrap", false) => revealed(&type_),
        ("dig", false) => keys.iter().try_fold(type_.into_owned(), |type_, key| part_of(&type_, key.value()))?,
        ("versioncmp", false) => IntegerType::new(-1, 1)?.into(),
        ("regsubst", false) if Type::built_in("String").accepts(&type_) => Type::built_in("String"),
        _ => return None,
    })
}

/// The type of what is inside of a Sensitive; other values are what they are.
pub(super) fn revealed(type_: &Type) -> Type {
    let content = |one: Type| match &*one.behind_aliases() {
        Type::Sensitive(sensitive) => sensitive.content().clone(),
        other => other.clone(),
    };
    let undef = Some(Type::of(&Value::Undef)).filter(|undef| overlap(type_, undef));
    Type::one_of(type_.alternatives().into_iter().map(content).chain(undef))
}

/// The type of an element, or of the value of a key. `None` if it is not known.
pub(super) fn part_of(type_: &Type, key: Option<&Value>) -> Option<Type> {
    let optional = |type_: &Type| optional(type_).type_().into_owned();
    let part = |one: Type| match (&*one.behind_aliases(), key) {
        (Type::Struct(known), Some(Value::String(name))) => Some(match known.member(name) {
            Some(member) if !member.may_be_missing(&mut Lattice::default()) => member.type_().clone(),
            Some(member) => optional(member.type_()),
            None => Type::of(&Value::Undef),
        }),
        (Type::Array(array), Some(Value::Integer(_))) => Some(optional(array.element())),
        (Type::Hash(hash), _) => Some(optional(hash.value())),
        _ => None,
    };
    let parts: Vec<Type> = type_.alternatives().into_iter().map(part).collect::<Option<_>>()?;
    parts.iter().all(|part| !matches!(part, Type::Any(_))).then(|| Type::one_of(parts))
}

/// The type or undef; Any stays.
pub(super) fn optional(type_: &Type) -> Inferred {
    if matches!(type_, Type::Any(_)) {
        return Inferred::any();
    }
    Inferred::Type(Type::one_of([type_.clone(), Type::of(&Value::Undef)]))
}
