//! `+`, `-` and `<<` on Arrays and Hashes.
//!
//! The left operand is passed by value: if it is not shared, it grows in place.

use std::borrow::Cow;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::equality::equals_in_ruby;
use super::error::{OperandError, OperatorError};
use crate::limits::check_element_count;
use crate::value::{Array, Hash, Value};
use crate::{interrupt, stack};

/// The number of values up to which comparing with each of them is faster than the set that is used for more.
const MAX_LINEARLY_COMPARED: usize = 8;

pub(super) fn concatenate_arrays(array: Array, right: &Value) -> Result<Value, OperandError> {
    match right {
        Value::Array(more) => append_elements(array, more),
        Value::Hash(hash) => append_elements(array, &hash_entries(hash).collect::<Vec<_>>()),
        other => append_elements(array, std::slice::from_ref(other)),
    }
}

pub(super) fn append_elements(array: Array, more: &[Value]) -> Result<Value, OperandError> {
    check_element_count(array.len() + more.len()).map_err(OperandError::at_whole)?;
    Ok(array.with_appended(more).into())
}

/// Adds entries to `merged`: those of a Hash, or of an Array of `[key, value]` pairs or of alternating keys and values.
pub(super) fn merge_into_hash(mut merged: Hash, right: &Value) -> Result<Value, OperandError> {
    match right {
        Value::Hash(more) => merged.extend(more.iter().map(|(key, value)| (key.clone(), value.clone()))),
        Value::Array(more) if more.iter().all(|element| matches!(element, Value::Array(_))) => {
            let entry = |element: &Value| match element {
                Value::Array(entry) if let [key] = &**entry => Ok((key.clone(), Value::Undef)),
                Value::Array(entry) if let [key, value] = &**entry => Ok((key.clone(), value.clone())),
                _ => Err(OperandError::at_whole(OperatorError::NotAnEntry(element.clone()))),
            };
            merged.extend(interrupt::step_through(more.iter()).map(entry).collect::<Result<Vec<_>, _>>()?);
        }
        Value::Array(more) => {
            if more.len() % 2 != 0 {
                return Err(OperandError::at_whole(OperatorError::OddNumberOfEntries(more.len())));
            }
            merged.extend(more.as_chunks().0.iter().map(|[key, value]| (key.clone(), value.clone())));
        }
        other => return Err(OperandError::at_whole(OperatorError::NotMergeable(other.clone()))),
    }
    check_element_count(merged.len()).map_err(OperandError::at_whole)?;
    Ok(Value::Hash(merged))
}

pub(super) fn without_elements(array: &Array, right: &Value) -> Value {
    let unwanted: Cow<'_, [Value]> = match right {
        Value::Array(elements) => Cow::Borrowed(elements),
        Value::Hash(hash) => hash_entries(hash).collect(),
        other => Cow::Borrowed(std::slice::from_ref(other)),
    };
    let key_of: fn(&Value) -> Option<Cow<'_, Value>> =
        if unwanted.len().min(array.len()) <= MAX_LINEARLY_COMPARED { |_| None } else { equality_key };
    let keys: IndexSet<Cow<'_, Value>, FxBuildHasher> =
        interrupt::step_through(unwanted.iter()).filter_map(key_of).collect();
    let others: Vec<&Value> = unwanted.iter().filter(|value| key_of(value).is_none()).collect();
    let is_wanted = |element: &&Value| match key_of(element) {
        Some(key) => !keys.contains(&key) && !others.iter().any(|other| equals_in_ruby(other, element)),
        None => !unwanted.iter().any(|other| equals_in_ruby(other, element)),
    };
    interrupt::step_through(array.iter()).filter(is_wanted).cloned().collect::<Array>().into()
}

/// Returns a key for sets, the same for equal values; `None` for times and URIs, which can equal other kinds of values.
fn equality_key(value: &Value) -> Option<Cow<'_, Value>> {
    let owned_key = |value: &Value| equality_key(value).map(Cow::into_owned);
    Some(Cow::Owned(match value {
        #[expect(clippy::cast_possible_truncation, reason = "the result is compared with the Float")]
        Value::Float(number) => match *number as i64 {
            whole if (whole as f64).to_bits() == (number + 0.0).to_bits() => Value::Integer(whole),
            _ => return Some(Cow::Borrowed(value)),
        },
        Value::Timespan(_) | Value::Timestamp(_) | Value::Uri(_) => return None,
        Value::Array(elements) => {
            stack::with_room(|| elements.iter().map(owned_key).collect::<Option<Array>>())?.into()
        }
        Value::Hash(hash) => {
            let entry = |(key, value): (&Value, &Value)| Some((key.clone(), owned_key(value)?));
            Value::Hash(stack::with_room(|| hash.iter().map(entry).collect::<Option<_>>())?)
        }
        other => return Some(Cow::Borrowed(other)),
    }))
}

pub(super) fn without_keys(hash: &Hash, right: &Value) -> Value {
    let remaining = match right {
        Value::Array(keys) if keys.len() <= MAX_LINEARLY_COMPARED => hash.without_keys(|key| keys.contains(key)),
        Value::Array(keys) => {
            let unwanted: IndexSet<&Value, FxBuildHasher> = interrupt::step_through(keys.iter()).collect();
            hash.without_keys(|key| unwanted.contains(key))
        }
        Value::Hash(other) => hash.without_keys(|key| other.get(key).is_some()),
        unwanted => hash.without_keys(|key| key == unwanted),
    };
    Value::Hash(remaining)
}

fn hash_entries(hash: &Hash) -> impl Iterator<Item = Value> {
    hash.iter().map(|(key, value)| Value::from([key.clone(), value.clone()]))
}
