//! Reads the type parameters in brackets: their number and kinds.

use std::ops::RangeInclusive;

use super::error::TypeError;
use super::size::Size;
use crate::error::Result;
use crate::types::Type;
use crate::types::describe::describe;
use crate::value::Value;

/// Checks the number of arguments against `range`, which `expected` describes (`1 or 2`).
pub(in crate::types) fn arity(
    type_: &'static str,
    arguments: &[Value],
    range: RangeInclusive<usize>,
    expected: &'static str,
) -> Result<()> {
    if range.contains(&arguments.len()) {
        return Ok(());
    }
    Err(TypeError::Arity { type_, expected, got: arguments.len() }.into())
}

pub(in crate::types) fn only<'a>(type_: &'static str, arguments: &'a [Value]) -> Result<&'a Value> {
    let [argument] = arguments else {
        return Err(TypeError::Arity { type_, expected: "1", got: arguments.len() }.into());
    };
    Ok(argument)
}

pub(in crate::types) fn only_type(type_: &'static str, arguments: &[Value]) -> Result<Type> {
    expect_type(type_, only(type_, arguments)?)
}

pub(in crate::types) fn expect_type(type_: &'static str, value: &Value) -> Result<Type> {
    match value {
        Value::Type(inner) => Ok(inner.clone()),
        other => Err(TypeError::not_a_type(type_, other).into()),
    }
}

/// `[2]`, `[2, 5]`, `[default, 5]`, `[Integer[2, 5]]`: a size. Negative ends mean 0.
pub(in crate::types) fn size(arguments: &[Value]) -> Result<Size> {
    let not_a_size = |value: &Value| TypeError::NotASize { got: describe(value) };
    let end = |value: Option<&Value>, open: i64| match value {
        None | Some(Value::Default) => Ok(open),
        Some(Value::Integer(end)) => Ok(*end),
        Some(other) => Err(not_a_size(other)),
    };
    if let [Value::Type(Type::Integer(range))] = arguments {
        return Size::new(range.from(), range.to());
    }
    Size::new(end(arguments.first(), 0)?, end(arguments.get(1), i64::MAX)?)
}

/// `[Integer, String, 1, 2]`: the arguments before a size, and the size if one is written.
pub(in crate::types) fn before_size(arguments: &[Value]) -> Result<(&[Value], Option<Size>)> {
    let is_end = |value: &&Value| matches!(value, Value::Integer(_) | Value::Default);
    let ends = arguments.iter().rev().take(2).take_while(is_end).count();
    let (before, ends) = arguments.split_at(arguments.len() - ends);
    Ok((before, if ends.is_empty() { None } else { Some(size(ends)?) }))
}
