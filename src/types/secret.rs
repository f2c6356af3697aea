//! Hides secrets in messages: parts of values whose expected type is Sensitive, even if the value is not.

use std::{borrow::Cow, sync::Arc};

use rustc_hash::FxHashSet;

use super::describe::{describe, describe_redacted};
use crate::secrets::Secrets;
use crate::types::{ArrayType, HashType, Member, Type, unfolding::TypeWalkState};
use crate::value::{Hash, Value};
use crate::{interrupt, stack};

/// The maximum number of types and parameters searched for Sensitive; a larger type is assumed to contain one.
const MAX_SEARCHED_TYPES: usize = 1 << 12;

/// Describes `value` in a message like [`describe`], but redacts the parts that are Sensitive in `type_`.
pub(crate) fn describe_safely(type_: &Type, value: &Value) -> String {
    match wrap_secrets(type_, value) {
        Value::Sensitive(content) if !matches!(value, Value::Sensitive(_)) => describe_redacted(&content),
        shown => describe(&shown),
    }
}

/// Returns `value` with each nested value for which `type_` requires a Sensitive wrapped in one, to hide it from users.
pub(crate) fn wrap_secrets(type_: &Type, value: &Value) -> Value {
    if may_be_sensitive(type_) { wrap_secrets_of_types(std::slice::from_ref(type_), value) } else { value.clone() }
}

pub(crate) fn register_secrets(value: &Value, secrets: &Secrets) {
    // A value may have the same part in many places.
    let mut seen = FxHashSet::default();
    let mut pending = vec![value];
    while let Some(part) = pending.pop() {
        interrupt::take_step();
        match part {
            Value::Sensitive(content) => content.register_secrets(secrets),
            Value::Array(elements) if seen.insert(elements.address()) => pending.extend(elements.iter()),
            Value::Hash(entries) if seen.insert(entries.address()) => {
                pending.extend(entries.iter().flat_map(|(key, value)| [key, value]));
            }
            _ => {}
        }
    }
}

/// Whether a type contains Sensitive, or may contain it because it is too large to search.
pub(crate) fn may_be_sensitive(type_: &Type) -> bool {
    let mut unfolding = TypeWalkState::default();
    let mut pending = vec![Value::Type(type_.clone())];
    for _ in 0..MAX_SEARCHED_TYPES {
        let Some(part) = pending.pop() else { return false };
        match part {
            Value::Type(Type::Sensitive(_)) => return true,
            Value::Type(Type::Alias(alias)) => {
                let meaning = unfolding.enter_alias(&alias).ok().map(Cow::into_owned);
                pending.extend(meaning.map(Value::Type));
            }
            Value::Type(Type::Object(object)) => {
                pending.extend(object.fields().iter().map(|field| Value::Type(field.type_().clone())));
            }
            part => pending.extend(child_values(&part)),
        }
    }
    true
}

pub(super) fn child_values(value: &Value) -> Vec<Value> {
    match value {
        Value::Type(type_) => type_.arguments(),
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(entries) => entries.iter().flat_map(|(key, value)| [key.clone(), value.clone()]).collect(),
        _ => Vec::new(),
    }
}

/// Returns `value` with each nested value for which one of `types` requires a Sensitive wrapped in one.
fn wrap_secrets_of_types(types: &[Type], value: &Value) -> Value {
    interrupt::take_step();
    let made_from = |type_: Type| match &type_ {
        Type::Init(init) => init.type_().map(Type::alternatives).unwrap_or_default(),
        _ => vec![type_],
    };
    let types: Vec<Type> = types.iter().flat_map(Type::alternatives).flat_map(made_from).collect();
    if matches!(value, Value::Sensitive(_)) || types.is_empty() {
        return value.clone();
    }
    if types.iter().any(|type_| matches!(type_, Type::Sensitive(_))) {
        return Value::Sensitive(Arc::new(value.clone()));
    }
    let inner = |types: Vec<Type>, value: &Value| stack::with_room(|| wrap_secrets_of_types(&types, value));
    match value {
        Value::Array(elements) => {
            let element_type = |type_: &Type, at: usize| match type_ {
                Type::Array(array) => Some(ArrayType::element(array).clone()),
                Type::Tuple(tuple) => tuple.type_at(at).cloned(),
                Type::Iterable(iterable) => iterable.element().cloned(),
                // The elements may be its attributes in their order.
                Type::Object(object) => Some(object.fields().get(at)?.type_().clone()),
                _ => None,
            };
            let type_at = |at| types.iter().filter_map(|type_| element_type(type_, at)).collect();
            elements.iter().enumerate().map(|(at, element)| inner(type_at(at), element)).collect()
        }
        Value::Hash(entries) => {
            let hash = |part: fn(&HashType) -> &Type| types.iter().filter_map(HashType::of_type).map(part).cloned();
            let entry = |(key, value): (&Value, &Value)| {
                let members = types.iter().flat_map(|type_| possible_member_types(type_, key, entries));
                let of_value = hash(HashType::value).chain(members).collect();
                (inner(hash(HashType::key).collect(), key), inner(of_value, value))
            };
            Value::Hash(entries.iter().map(entry).collect())
        }
        other => other.clone(),
    }
}

/// Returns the types in `type_` for the value at `key`; a key that is unknown may be a misspelling of any missing key.
fn possible_member_types(type_: &Type, key: &Value, entries: &Hash) -> Vec<Type> {
    let record = match type_ {
        Type::Struct(record) => record.clone(),
        Type::Object(object) => object.struct_of_fields(),
        _ => return Vec::new(),
    };
    let member = key.as_str().and_then(|key| record.member(key));
    let is_meant = |one: &&Member| member.map_or_else(|| entries.get(one.key()).is_none(), |member| member == *one);
    record.members().iter().filter(is_meant).map(|member| member.type_().clone()).collect()
}
