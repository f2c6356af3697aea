//! The types expected at a cursor, and the keys and strings that are valid there.

use indexmap::IndexSet;

use super::{cursor_context::CursorContext, symbols::SymbolIndex};
use crate::syntax::tokens::{Kind, scan};
use crate::types::{HashType, StringType, Type};
use crate::value::{EcoString, Value};

/// The types, keys and strings expected at a cursor; all are empty if nothing is known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expectation {
    /// The types that a value at the cursor may have.
    pub types: Vec<Type>,
    /// The keys that the hash at the cursor may have and does not have yet.
    pub keys: Vec<String>,
    /// The strings that are values of the expected types.
    pub strings: Vec<String>,
}

/// Returns what is expected at the byte offset `cursor` of a text: by the parameter of the call around the cursor, by
/// the hash that is indexed there, or by the type with which the value is compared.
pub fn expectation_at_cursor(text: &str, cursor: usize, symbols: &SymbolIndex) -> Expectation {
    let (before, after) = text.split_at(cursor);
    let (tokens, is_inside) = scan(before);
    // A string or a word at the cursor is the value that is being written.
    let current = tokens.last().filter(|last| is_inside || last.span.range().end == before.len());
    let is_value = |kind| matches!(kind, Kind::String | Kind::Number | Kind::Name | Kind::Reference | Kind::Keyword);
    let is_written = current.is_some_and(|token| is_value(token.kind));
    let rest = match &*tokens {
        [rest @ .., _] if is_written => rest,
        all => all,
    };
    CursorContext::new(before, rest, after, symbols).expectation()
}

#[derive(Clone, Debug)]
pub(super) enum PathStep {
    Key,
    Value(String),
    Element(usize),
}

impl Expectation {
    /// Returns what is expected in a value of `types` at the path `steps` (innermost first), but not `present` keys.
    pub(super) fn after_steps(types: &[Type], steps: &[PathStep], present: &[String]) -> Expectation {
        let alternatives = |types: &[Type]| -> Vec<Type> { types.iter().flat_map(Type::alternatives).collect() };
        let (mut types, mut keys) = (alternatives(types), Vec::new());
        for step in steps.iter().rev() {
            if let PathStep::Key = step {
                let names = types.iter().flat_map(member_names_and_types).map(|(name, _)| name);
                keys = unique_strings(names.filter(|name| !present.contains(name)));
            }
            let inner: Vec<Type> = types.iter().filter_map(|type_| type_after_step(type_, step)).collect();
            types = alternatives(&inner);
        }
        let strings = unique_strings(types.iter().flat_map(accepted_strings).map(ToString::to_string));
        Expectation { types, keys, strings }
    }

    pub(super) fn of_keys<'v>(keys: impl Iterator<Item = &'v Value>) -> Expectation {
        let keys = keys.filter_map(Value::as_str).map(str::to_owned);
        Expectation { keys: keys.collect(), ..Expectation::default() }
    }
}

fn unique_strings(texts: impl Iterator<Item = String>) -> Vec<String> {
    texts.collect::<IndexSet<_>>().into_iter().collect()
}

fn member_names_and_types(type_: &Type) -> Vec<(String, Type)> {
    match type_ {
        Type::Object(object) => {
            object.fields().iter().map(|field| (field.name.to_string(), field.type_().clone())).collect()
        }
        Type::Struct(struct_) => {
            struct_.members().iter().map(|member| (member.name().to_owned(), member.type_().clone())).collect()
        }
        _ => Vec::new(),
    }
}

fn type_after_step(type_: &Type, step: &PathStep) -> Option<Type> {
    match (type_, step) {
        (_, PathStep::Key) => HashType::of_type(type_).map(|hash| hash.key().clone()),
        (Type::Hash(hash), PathStep::Value(_)) => Some(hash.value().clone()),
        (_, PathStep::Value(key)) => {
            member_names_and_types(type_).into_iter().find(|(name, _)| name == key).map(|(_, type_)| type_)
        }
        (Type::Array(array), PathStep::Element(_)) => Some(array.element().clone()),
        (Type::Tuple(tuple), PathStep::Element(at)) => tuple.type_at(*at).cloned(),
        (_, PathStep::Element(_)) => None,
    }
}

fn accepted_strings(type_: &Type) -> &[EcoString] {
    match type_ {
        Type::Enum(enum_) => enum_.values(),
        Type::String(string) if let StringType::Text(text) = &**string => std::slice::from_ref(text),
        _ => &[],
    }
}
