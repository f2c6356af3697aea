//! What can be written inside of a value of a known type: keys of a Struct, members of an Enum.

use std::collections::HashSet;

use crate::types::Type;
use crate::value::Value;

use super::static_eval;

/// What can be written at the cursor.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Hand {
    /// Keys of the hash that is being written or asked.
    pub keys: Vec<String>,
    /// Strings, whole ones.
    pub strings: Vec<String>,
}

/// From a value to one inside of it.
#[derive(Clone, Debug)]
pub enum Step {
    /// To a key of a hash.
    Key,
    /// To what a hash has under a key.
    Under(String),
    /// To an element of an array.
    Element(usize),
}

/// What can be written inside of a value of one of `types`, at the end of `steps`, of which the innermost comes first.
/// Keys that are `taken` are there already.
pub fn written(types: &[Type], steps: &[Step], taken: &[String]) -> Hand {
    let mut types = types.to_vec();
    let mut steps = steps.iter().rev();
    let mut hand = Hand::default();
    loop {
        types = types.iter().flat_map(alternatives).collect();
        match steps.next() {
            None => break,
            Some(Step::Key) => {
                let mut keys: Vec<String> = types.iter().flat_map(members).map(|(key, _)| key).collect();
                keys.retain(|key| !taken.contains(key));
                hand.keys = unique(keys);
                types = types.iter().filter_map(key_type).collect();
            }
            Some(Step::Under(key)) => types = types.iter().flat_map(|type_| under(type_, key)).collect(),
            Some(Step::Element(at)) => types = types.iter().flat_map(|type_| element(type_, *at)).collect(),
        }
    }
    hand.strings = unique(types.iter().flat_map(texts).collect());
    hand
}

/// The texts among some values.
pub fn strings<'v>(values: impl Iterator<Item = &'v Value>) -> Vec<String> {
    values.filter_map(string).collect()
}

/// A text, also one of which a type says whether it may be missing: `Optional['a']`.
fn string(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.to_string()),
        Value::Type(type_ @ (Type::Optional(_) | Type::NotUndef(_))) => strings(type_.arguments().iter()).pop(),
        _ => None,
    }
}

fn unique(mut texts: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    texts.retain(|text| seen.insert(text.clone()));
    texts
}

/// The types of which a value of `type_` may be, without Variant, Optional and NotUndef.
fn alternatives(type_: &Type) -> Vec<Type> {
    let mut open = vec![type_.clone()];
    let mut found = Vec::new();
    let mut steps_left = 256;
    while let Some(type_) = open.pop() {
        steps_left -= 1;
        if steps_left == 0 {
            break;
        }
        let type_ = static_eval::behind_aliases(&type_).clone();
        match type_ {
            Type::Variant(_) | Type::Optional(_) | Type::NotUndef(_) => {
                open.extend(type_.arguments().into_iter().rev().filter_map(|argument| match argument {
                    Value::Type(type_) => Some(type_),
                    // `Optional['a']`
                    Value::String(text) => Type::named("Enum")?.with_arguments(&[Value::String(text)]).ok(),
                    _ => None,
                }));
            }
            other => found.push(other),
        }
    }
    found
}

/// The members of a Struct, the attributes of an Object: keys with the types of their values.
fn members(type_: &Type) -> Vec<(String, Type)> {
    if let Type::Object(object) = type_ {
        return object.fields().into_iter().map(|field| (field.name.to_string(), field.type_().clone())).collect();
    }
    if !matches!(type_, Type::Struct(_)) {
        return Vec::new();
    }
    let arguments = type_.arguments();
    let [Value::Hash(members)] = arguments.as_slice() else { return Vec::new() };
    members
        .iter()
        .filter_map(|(key, value)| match value {
            Value::Type(type_) => Some((string(key)?, type_.clone())),
            _ => None,
        })
        .collect()
}

fn key_type(type_: &Type) -> Option<Type> {
    types_in(type_, matches!(type_, Type::Hash(_))).into_iter().next()
}

/// The types of what a value of `type_` has under `key`.
fn under(type_: &Type, key: &str) -> Vec<Type> {
    let of_hash = types_in(type_, matches!(type_, Type::Hash(_))).into_iter().nth(1);
    let member = members(type_).into_iter().find(|(name, _)| name == key).map(|(_, type_)| type_);
    of_hash.into_iter().chain(member).collect()
}

/// The types of the element number `at`.
fn element(type_: &Type, at: usize) -> Vec<Type> {
    let types = types_in(type_, matches!(type_, Type::Array(_) | Type::Tuple(_)));
    types.get(at).or(types.last()).cloned().into_iter().collect()
}

/// The types between the brackets of a type that `counts`.
fn types_in(type_: &Type, counts: bool) -> Vec<Type> {
    let arguments = if counts { type_.arguments() } else { Vec::new() };
    arguments
        .into_iter()
        .filter_map(|argument| match argument {
            Value::Type(type_) => Some(type_),
            _ => None,
        })
        .collect()
}

/// The strings that are values of a type.
fn texts(type_: &Type) -> Vec<String> {
    match type_ {
        Type::Enum(_) | Type::String(_) => strings(type_.arguments().iter()),
        _ => Vec::new(),
    }
}
