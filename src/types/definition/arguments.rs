//! Reads the parameters in the brackets of a type: checks their number and kinds, and reads sizes.

use std::ops::RangeInclusive;

use crate::error::Result;
use crate::types::{Type, TypeError, describe};
use crate::value::Value;

/// Returns an error unless the number of arguments is in `range`, which `expected` describes in words: `1 or 2`.
pub(in crate::types) fn check_arity(
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

pub(in crate::types) fn single_argument<'a>(type_: &'static str, arguments: &'a [Value]) -> Result<&'a Value> {
    let [argument] = arguments else {
        return Err(TypeError::Arity { type_, expected: "1", got: arguments.len() }.into());
    };
    Ok(argument)
}

pub(in crate::types) fn single_type_argument(type_: &'static str, arguments: &[Value]) -> Result<Type> {
    expect_type_argument(type_, single_argument(type_, arguments)?)
}

pub(in crate::types) fn expect_type_argument(type_: &'static str, value: &Value) -> Result<Type> {
    value.as_type().cloned().ok_or_else(|| TypeError::not_a_type(type_, value).into())
}

/// Returns the range of sizes written as `[2]`, `[2, 5]`, `[default, 5]` or `[Integer[2, 5]]`. Negative bounds mean 0.
pub(in crate::types) fn size_from_arguments(arguments: &[Value]) -> Result<Size> {
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

/// Splits `[Integer, String, 1, 2]` into the types and the size at the end, which is `None` if it is missing.
pub(in crate::types) fn split_off_size(arguments: &[Value]) -> Result<(&[Value], Option<Size>)> {
    let is_end = |value: &&Value| matches!(value, Value::Integer(_) | Value::Default);
    let ends = arguments.iter().rev().take(2).take_while(is_end).count();
    let (before, ends) = arguments.split_at(arguments.len() - ends);
    Ok((before, if ends.is_empty() { None } else { Some(size_from_arguments(ends)?) }))
}

/// A range of sizes, with inclusive bounds from 0 to 2^63 - 1; the highest upper bound means *no limit*.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    from: i64,
    to: i64,
}

impl Size {
    /// The range of all sizes.
    pub const ANY: Size = Size { from: 0, to: i64::MAX };

    /// Returns the range `from ..= to`; negative bounds mean 0.
    ///
    /// # Errors
    /// If `from` is greater than `to`.
    pub fn new(from: i64, to: i64) -> Result<Size> {
        let (from, to) = (from.max(0), to.max(0));
        if from > to {
            return Err(TypeError::Descending { from: from.to_string(), to: to.to_string() }.into());
        }
        Ok(Size { from, to })
    }

    /// Returns the range that contains only `count`.
    pub fn exactly(count: usize) -> Size {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        Size { from: count, to: count }
    }

    /// Returns the lower bound.
    pub fn from(self) -> i64 {
        self.from
    }

    /// Returns the upper bound; `i64::MAX` means unlimited.
    pub fn to(self) -> i64 {
        self.to
    }

    /// Whether `count` is in this range.
    pub fn contains(self, count: usize) -> bool {
        i64::try_from(count).is_ok_and(|count| (self.from..=self.to).contains(&count))
    }

    /// Whether every size in the range `other` is also in this range.
    pub fn accepts(self, other: Size) -> bool {
        self.from <= other.from && other.to <= self.to
    }

    /// Returns the smallest range that contains both ranges.
    #[must_use]
    pub fn merged_size(self, other: Size) -> Size {
        Size { from: self.from.min(other.from), to: self.to.max(other.to) }
    }

    /// Returns the bounds as type parameters: `[2]` without an upper limit, otherwise `[2, 5]`.
    pub(in crate::types) fn to_type_arguments(self) -> impl Iterator<Item = Value> {
        std::iter::once(self.from).chain((self.to != i64::MAX).then_some(self.to)).map(Value::Integer)
    }
}
