//! `Boolean.new` and `Regexp.new`.

use std::sync::Arc;

use super::ConstructError;
use crate::error::Result;
use crate::regexp::{Regexp, escape};
use crate::value::Value;

/// `Boolean.new(from)`: zero is false, every other number true; of strings `true`, `yes`, `y` and `false`, `no`, `n`, in
/// any case.
pub(in crate::types) fn boolean(arguments: &[Value]) -> Result<Value> {
    let [from] = arguments else {
        return Err(ConstructError::Arity { type_: "Boolean", most: 1, got: arguments.len() }.into());
    };
    let truth = match from {
        Value::Boolean(value) => Some(*value),
        Value::Integer(number) => Some(*number != 0),
        Value::Float(number) => Some(*number != 0.0),
        Value::String(text) => match &*text.to_ascii_lowercase() {
            "true" | "yes" | "y" => Some(true),
            "false" | "no" | "n" => Some(false),
            _ => None,
        },
        _ => None,
    };
    let expected = "a number or a word for true or false, such as 'true', 'yes', 'y', 'false', 'no' or 'n'";
    let refused = || ConstructError::Value { type_: "Boolean", value: from.clone(), expected };
    Ok(Value::Boolean(truth.ok_or_else(refused)?))
}

/// `Regexp.new(pattern, escape)`; with `escape`, every character stands for itself.
pub(in crate::types) fn regexp(arguments: &[Value]) -> Result<Value> {
    let text = match arguments {
        [Value::String(text)] | [Value::String(text), Value::Boolean(false)] => text.to_string(),
        [Value::String(text), Value::Boolean(true)] => escape(text),
        [other, ..] => {
            let expected = "a String, and whether to escape it";
            return Err(ConstructError::Value { type_: "Regexp", value: other.clone(), expected }.into());
        }
        [] => return Err(ConstructError::Arity { type_: "Regexp", most: 2, got: 0 }.into()),
    };
    Ok(Value::Regexp(Arc::new(Regexp::new(&text)?)))
}
