//! `Array.new` and `Hash.new`, which are also the constructors of Tuple and Struct.

use super::{ConstructError, wrong_parameter_error, wrong_value_error};
use crate::error::Result;
use crate::limits::{self, Limit};
use crate::value::{Array, Hash, Iterator, Value};
use crate::{interrupt, stack};

/// Implements `Array.new(from, wrap)`: returns the elements of `from` or, with `wrap`, an Array that contains `from`.
pub(in crate::types) fn construct_array(arguments: &[Value]) -> Result<Value> {
    match arguments {
        [from @ Value::Array(_)] | [from @ Value::Array(_), Value::Boolean(_)] => Ok(from.clone()),
        [from, Value::Boolean(true)] => Ok(Value::from(vec![from.clone()])),
        [Value::Binary(binary)] | [Value::Binary(binary), Value::Boolean(false)] => {
            limits::check_element_count(binary.bytes().len())?;
            let elements = interrupt::step_through(binary.bytes()).map(|byte| Value::Integer(i64::from(*byte)));
            Ok(elements.collect::<Vec<_>>().into())
        }
        [from] | [from, Value::Boolean(false)] => Ok(Value::from(elements_of_iterable("Array", from)?)),
        [_, wrap] => Err(wrong_parameter_error("Array", "wrap", "true or false", wrap)),
        _ => Err(ConstructError::Arity { type_: "Array", most: 2, got: arguments.len() }.into()),
    }
}

/// Implements `Hash.new(from)`, from an Array of pairs or of alternating keys and values, and `Hash.new(from, 'tree')`
/// and `Hash.new(from, 'hash_tree')`, from an Array of paths and values.
///
/// Observed: Puppet 8.11 takes a list as pairs only when it is an Array and each element is an Array of two.
pub(in crate::types) fn construct_hash(arguments: &[Value]) -> Result<Value> {
    match arguments {
        [from @ Value::Hash(_)] => Ok(from.clone()),
        [from] => {
            let list = elements_of_iterable("Hash", from)?;
            let pair = |element: &Value| {
                let [key, value] = <[Value; 2]>::try_from(element.as_array()?.to_vec()).ok()?;
                Some((key, value))
            };
            let pairs = from.as_array().and_then(|_| list.iter().map(pair).collect::<Option<Hash>>());
            if pairs.is_none() && list.len() % 2 == 1 {
                return Err(ConstructError::OddList { count: list.len() }.into());
            }
            let flat = || list.as_chunks().0.iter().cloned().map(|[key, value]| (key, value)).collect();
            Ok(Value::Hash(pairs.unwrap_or_else(flat)))
        }
        [Value::Array(paths), Value::String(build)] if matches!(&**build, "tree" | "hash_tree") => {
            hash_of_paths(paths, &**build == "hash_tree")
        }
        [_, build] => {
            Err(wrong_parameter_error("Hash", "build", "'tree' or 'hash_tree' for an Array of paths and values", build))
        }
        _ => Err(ConstructError::Arity { type_: "Hash", most: 2, got: arguments.len() }.into()),
    }
}

fn elements_of_iterable(type_: &'static str, from: &Value) -> Result<Array> {
    let expected = match type_ {
        "Hash" => "an Array of pairs, or of alternating keys and values",
        _ => "an Array, a Hash, a String, a Binary, a count or a range of Integers",
    };
    Iterator::from_iterable(from).ok_or_else(|| wrong_value_error(type_, from, expected))?.to_array()
}

/// Builds a Hash from `[[path, value], …]`. Missing containers on a path become Hashes; a path may also lead into
/// Arrays that were inserted as values. With `all_hashes`, these become Hashes with the positions as keys.
fn hash_of_paths(paths: &[Value], all_hashes: bool) -> Result<Value> {
    let mut root = Hash::default();
    for entry in paths {
        let Some([Value::Array(path), value]) = entry.as_array().map(|parts| &**parts) else {
            return Err(wrong_value_error("Hash", entry, "an Array of a path (an Array) and a value"));
        };
        let value = if all_hashes { arrays_to_hashes(value) } else { value.clone() };
        match (value, &path[..]) {
            (Value::Hash(added), []) => root.extend(added.iter().map(|(key, value)| (key.clone(), value.clone()))),
            (Value::Array(added), []) => root.extend((0..).map(Value::Integer).zip(added.iter().cloned())),
            (value, way) => match insert_at_path(Value::Hash(root), way, value) {
                Some(Value::Hash(grown)) if !way.is_empty() => root = grown,
                _ => return Err(ConstructError::Tree { path: Value::Array(path.clone()) }.into()),
            },
        }
    }
    Ok(Value::Hash(root))
}

/// Returns `container` with `value` inserted at `path`; `None` if the path enters a scalar, or an Array out of range.
fn insert_at_path(container: Value, path: &[Value], value: Value) -> Option<Value> {
    let [key, further @ ..] = path else { return Some(value) };
    stack::with_room(|| match (container, key) {
        (Value::Undef, _) => insert_at_path(Value::Hash(Hash::default()), path, value),
        (Value::Hash(mut entries), key) => {
            let inner = entries.get(key).cloned().unwrap_or_default();
            // Without another place that holds it, it grows in place.
            entries.insert(key.clone(), Value::Undef);
            entries.insert(key.clone(), insert_at_path(inner, further, value)?);
            Some(Value::Hash(entries))
        }
        (Value::Array(elements), Value::Integer(at)) => {
            let mut elements = interrupt::concatenate_slices(&[&elements]);
            let count = i64::try_from(elements.len()).ok()?;
            let at = usize::try_from(if *at < 0 { *at + count } else { *at }).ok()?;
            if at >= limits::current_limit_as_usize(Limit::Elements) {
                return None;
            }
            elements.resize(elements.len().max(at + 1), Value::Undef);
            let element = elements.get_mut(at)?;
            *element = insert_at_path(std::mem::take(element), further, value)?;
            Some(Value::from(elements))
        }
        _ => None,
    })
}

fn arrays_to_hashes(value: &Value) -> Value {
    match value {
        Value::Array(elements) => stack::with_room(|| {
            let elements = elements.iter().map(arrays_to_hashes);
            Value::Hash((0..).map(Value::Integer).zip(elements).collect())
        }),
        other => other.clone(),
    }
}
