//! `< <= > >=`: compares numbers, strings, times and versions by order, and types by subtyping.

use std::cmp::Ordering;

use super::error::{OperandError, OperatorError};
use crate::error::{Error, Result as Tested};
use crate::types::Type;
use crate::value::{Value, number::truncate_to_integer};

pub(super) fn is_strict_supertype(one: &Type, other: &Type) -> Tested<bool> {
    Ok(one.try_accepts(other)? && !one.try_equals(other)?)
}

pub(super) fn compare_operands(
    symbol: &'static str,
    left: &Value,
    right: &Value,
    holds: fn(Ordering) -> bool,
    holds_for_types: fn(&Type, &Type) -> Tested<bool>,
) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Type(a), Value::Type(b)) => Ok(holds_for_types(a, b).map_err(into_comparison_error)?.into()),
        (Value::Type(_), _) => Ok(false.into()),
        _ => {
            let not_comparable = || OperatorError::NotComparable { symbol, left: left.clone(), right: right.clone() };
            let order = compare_values(left, right).ok_or_else(|| OperandError::at_whole(not_comparable()))?;
            Ok(holds(order).into())
        }
    }
}

pub(super) fn into_comparison_error(error: Error) -> OperandError {
    OperandError::at_whole(error.with_code("COMPARISON_NOT_POSSIBLE"))
}

/// Compares exactly: beyond 2^53 there are Integers that equal no Float. Returns `None` only for NaN.
///
/// Observed: Puppet 7.23, where `9007199254740993 > 9007199254740992.0`.
fn compare_with_float(integer: i64, float: f64) -> Option<Ordering> {
    match truncate_to_integer(float) {
        Some(whole) => Some(integer.cmp(&whole).then(0.0.partial_cmp(&float.fract())?)),
        None => 0.0.partial_cmp(&float),
    }
}

/// Returns the order of two values; `None` if they have none. Observed: Puppet 7.23 compares a time with an Integer to
/// its right by whole seconds, to its left exactly: `Timespan(2.5) > 2` is false, `2 < Timespan(2.5)` true.
pub(crate) fn compare_values(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
        (Value::Integer(a), Value::Float(b)) => compare_with_float(*a, *b),
        (Value::Float(a), Value::Integer(b)) => compare_with_float(*b, *a).map(Ordering::reverse),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Timespan(a), Value::Timespan(b)) => Some(a.cmp(b)),
        (Value::Timespan(a), Value::Integer(b)) => Some(a.compare_with_integer(*b)),
        (Value::Timespan(a), Value::Float(b)) => a.to_float().partial_cmp(b),
        (Value::Timestamp(a), Value::Timestamp(b)) => Some(a.cmp(b)),
        (Value::Timestamp(a), Value::Integer(b)) => Some(a.compare_with_integer(*b)),
        (Value::Timestamp(a), Value::Float(b)) => a.to_float().partial_cmp(b),
        (Value::Integer(a), Value::Timespan(b)) => (*a as f64).partial_cmp(&b.to_float()),
        (Value::Integer(a), Value::Timestamp(b)) => (*a as f64).partial_cmp(&b.to_float()),
        (Value::Float(_), Value::Timespan(_) | Value::Timestamp(_)) => {
            compare_values(right, left).map(Ordering::reverse)
        }
        (Value::String(a), Value::String(b)) => {
            let small = |byte: u8| byte.to_ascii_lowercase();
            Some(a.bytes().map(small).cmp(b.bytes().map(small)))
        }
        (Value::SemVer(a), Value::SemVer(b)) => Some(a.cmp_precedence(b)),
        (Value::Default, Value::Default) => Some(Ordering::Equal),
        _ => None,
    }
}
