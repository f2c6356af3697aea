//! `[]`: characters of a String, elements of an Array, values of a Hash, parameters of a type.
//!
//! Negative positions count from the end. Two numbers are a position and a length; a negative length is the position of
//! the last element to include.

use std::borrow::Cow;

use super::{OperandError, Warn, arithmetic::convert_to_number, describe};
use crate::error::{Result, errors};
use crate::types::Type;
use crate::value::{Array, Hash, Value, array, number};

errors! {
    #[derive(Debug)]
    enum AccessError {
        /// `5[0]`
        NotApplicable(value: Value) => "OPERATOR_NOT_APPLICABLE",
            message("expected a String, an Array, a Hash or a type before [], got {}", describe(value)),
            help {
                matches!(value, Value::Undef)
                    .then(|| "`get` and `dig` give undef for what is missing: `$value.get('a.b')`".to_owned())
            };
        /// `[1, 2][0, 1, 2]`, `'abc'[0, 1, 2]`
        Arity { code: &'static str, count: usize } => code,
            message("expected one key (a position) or two (a position and a length), got {count}"),
            help("write [position] or [position, length]");
        /// A position that is not an Integer: `[1, 2][1.5]`, `'abc'['a']`
        Key { code: &'static str, key: Value } => code,
            message("expected an Integer as the position, got {}", describe(key));
    }
}

pub(crate) fn access_by_keys(target: &Value, keys: &[Value], warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    match target {
        Value::Array(array) => access_array(array, &flatten_keys(keys)?, warn),
        Value::Hash(hash) => Ok(access_hash(hash, keys)),
        Value::String(text) => access_string(text, &flatten_keys(keys)?),
        Value::Binary(binary) => {
            let bytes = binary.bytes();
            let range = substring_range(&flatten_keys(keys)?, bytes.len())?;
            Ok(Value::Binary(bytes.get(range).unwrap_or_default().to_vec().into()))
        }
        Value::Type(type_) => {
            type_.access(keys).map_err(|error| match Type::position_of_wrong_argument(keys, &error) {
                Some(at) => OperandError::at_key(at, error),
                None => OperandError::at_left(error),
            })
        }
        other => Err(OperandError::at_left(AccessError::NotApplicable(other.clone()))),
    }
}

/// Returns the element for a single key without a copy; `None` if none exists or only [`access_by_keys`] finds it.
#[inline]
pub(crate) fn borrow_element<'v>(target: &'v Value, key: &Value) -> Option<&'v Value> {
    match (target, key) {
        (Value::Array(array), Value::Integer(position)) => array.get(position_from_front(*position, array.len())?),
        (Value::Hash(hash), key) => hash.get(key),
        _ => None,
    }
}

/// Replaces Arrays among the keys by their elements: `$list[[0, 2]]` is `$list[0, 2]`.
fn flatten_keys(keys: &[Value]) -> Result<Cow<'_, [Value]>, OperandError> {
    array::flatten(keys).map_err(OperandError::at_left)
}

fn access_array(array: &Array, keys: &[Value], warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    let at = |position: i64| {
        let found = position_from_front(position, array.len()).and_then(|at| array.get(at));
        found.cloned().unwrap_or(Value::Undef)
    };
    if let [Value::Integer(position)] = keys {
        return Ok(at(*position));
    }
    if !matches!(keys.len(), 1 | 2) {
        return Err(OperandError::at_left(AccessError::Arity { code: "BAD_ARRAY_SLICE_ARITY", count: keys.len() }));
    }
    // All of them have to be numbers before any of them has to be an Integer.
    let number = |(at, key)| convert_to_number(key, warn).map_err(|error| OperandError::at_key(at, error));
    let numbers = keys.iter().enumerate().map(number).collect::<Result<Vec<Value>, OperandError>>()?;
    let position = |(at, (number, key)): (usize, (&Value, &Value))| {
        let wrong = || AccessError::Key { code: "BAD_SLICE_KEY_TYPE", key: key.clone() };
        number.as_integer().ok_or_else(|| OperandError::at_key(at, wrong()))
    };
    let positions = numbers.iter().zip(keys).enumerate().map(position).collect::<Result<Vec<i64>, OperandError>>()?;
    if let [from, count] = positions[..] {
        let elements = array.get(slice_range(from, count, array.len())).unwrap_or_default();
        return Ok(elements.iter().cloned().collect::<Array>().into());
    }
    Ok(positions.first().map_or(Value::Undef, |position| at(*position)))
}

/// Returns the value for a single key, or undef; for several keys, an Array of the values that are not undef.
fn access_hash(hash: &Hash, keys: &[Value]) -> Value {
    match keys {
        [key] => hash.get(key).cloned().unwrap_or(Value::Undef),
        // Observed: Puppet 8.11 leaves out what is undef as well.
        keys => {
            let values = keys.iter().filter_map(|key| hash.get(key)).filter(|value| !matches!(value, Value::Undef));
            values.cloned().collect::<Array>().into()
        }
    }
}

fn access_string(text: &str, keys: &[Value]) -> Result<Value, OperandError> {
    let range = substring_range(keys, text.chars().count()).map_err(|fault| match Type::named(text) {
        Some(type_) => {
            OperandError { error: fault.error.with_help(format!("did you mean the type {type_}?")), ..fault }
        }
        None => fault,
    })?;
    Ok(text.chars().skip(range.start).take(range.len()).collect::<String>().into())
}

/// Returns the range of the `count` characters or bytes that `keys` select; an empty range if they are out of bounds.
fn substring_range(keys: &[Value], count: usize) -> Result<std::ops::Range<usize>, OperandError> {
    // Observed: Puppet 7.23 takes a String that is an Integer without a word, unlike for an Array.
    let number = |at: usize, key: &Value| {
        let number = match key {
            Value::String(text) => number::number_from_text(text),
            other => Some(other.clone()),
        };
        let number = number.and_then(|number| number.as_integer());
        let wrong = || AccessError::Key { code: "BAD_STRING_SLICE_KEY_TYPE", key: key.clone() };
        number.ok_or_else(|| OperandError::at_key(at, wrong()))
    };
    Ok(match keys {
        [key] => match position_from_front(number(0, key)?, count) {
            Some(at) if at < count => at..at + 1,
            _ => 0..0,
        },
        [from, length] => slice_range(number(0, from)?, number(1, length)?, count),
        other => {
            let (code, count) = ("BAD_STRING_SLICE_ARITY", other.len());
            return Err(OperandError::at_left(AccessError::Arity { code, count }));
        }
    })
}

/// Returns `position`, which counts from the end if negative, as an index; `None` if it is before the first element.
fn position_from_front(position: i64, count: usize) -> Option<usize> {
    let from_front = if position < 0 { position.checked_add(i64::try_from(count).ok()?)? } else { position };
    usize::try_from(from_front).ok()
}

/// Returns the range of `length` elements from `position`, within `count`; a negative `length` is its last position.
///
/// Observed: Puppet 8.11. A negative position before the first element selects from the first one on, but the length
/// still counts from the position itself.
fn slice_range(position: i64, length: i64, count: usize) -> std::ops::Range<usize> {
    let size = i128::try_from(count).unwrap_or(i128::MAX);
    let (position, length) = (i128::from(position), i128::from(length));
    let start = if position < 0 { position + size } else { position };
    let end = if length < 0 { length + size + 1 } else { start + length };
    let within = |at: i128| usize::try_from(at.clamp(0, size)).unwrap_or(count);
    within(start)..within(end).max(within(start))
}
