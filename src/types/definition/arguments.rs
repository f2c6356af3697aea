//! Reads the type parameters in brackets: their number and kinds, and sizes.

use std::ops::RangeInclusive;

use crate::error::Result;
use crate::types::{Type, TypeError, describe};
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
    value.as_type().cloned().ok_or_else(|| TypeError::not_a_type(type_, value).into())
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

/// Two inclusive ends, 0 ..= 2^63 - 1; the highest means *no limit*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    from: i64,
    to: i64,
}

impl Size {
    /// Every size.
    pub const ANY: Size = Size { from: 0, to: i64::MAX };

    /// `from ..= to`; negative ends mean 0.
    ///
    /// # Errors
    /// `from` above `to`.
    pub fn new(from: i64, to: i64) -> Result<Size> {
        let (from, to) = (from.max(0), to.max(0));
        if from > to {
            return Err(TypeError::Descending { from: from.to_string(), to: to.to_string() }.into());
        }
        Ok(Size { from, to })
    }

    /// Exactly `count`.
    pub fn exactly(count: usize) -> Size {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        Size { from: count, to: count }
    }

    /// The smallest size.
    pub fn from(self) -> i64 {
        self.from
    }

    /// The largest size.
    pub fn to(self) -> i64 {
        self.to
    }

    /// Whether `count` is such a size.
    pub fn contains(self, count: usize) -> bool {
        i64::try_from(count).is_ok_and(|count| (self.from..=self.to).contains(&count))
    }

    /// Whether every size of `other` is one of this.
    pub fn accepts(self, other: Size) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// The smallest size that holds both.
    #[must_use]
    pub fn merged(self, other: Size) -> Size {
        Size { from: self.from.min(other.from), to: self.to.max(other.to) }
    }

    /// As written between brackets: `2`, `2, 5`, `0`.
    pub(in crate::types) fn arguments(self) -> impl Iterator<Item = Value> {
        std::iter::once(self.from).chain((self.to != i64::MAX).then_some(self.to)).map(Value::Integer)
    }
}
