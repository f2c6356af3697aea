//! `+ - * / % << >>`: numbers first, then times, URIs and collections.
//!
//! Source: language specification, "Numeric Conversions", "String to Numeric Conversion".
//! Observed: Puppet 8.11 converts a String operand under strictness `warning` and rejects it under `error`.

#![expect(clippy::needless_pass_by_value, reason = "an operator may let its left operand grow in place")]

use std::sync::Arc;

use super::error::{OperandError, OperatorError};
use super::{Warn, collections, times};
use crate::value::{Uri, Value, number};
use crate::{error, limits};

pub(super) fn plus(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    let uri = |merged: error::Result<Uri>| Ok(Value::Uri(Arc::new(merged.map_err(OperandError::whole)?)));
    match (left, right) {
        (Value::Array(array), _) => collections::concatenated(array, right),
        (Value::Hash(hash), _) => collections::merged(hash, right),
        (Value::Uri(base), Value::Uri(reference)) => uri(base.merged(reference)),
        (Value::Uri(base), Value::String(text)) => uri(Uri::parse(text).and_then(|reference| base.merged(&reference))),
        (Value::Binary(binary), Value::Binary(more)) => {
            limits::check_string_bytes(binary.bytes().len() + more.bytes().len()).map_err(OperandError::whole)?;
            Ok(Value::Binary(binary.concatenated(more)))
        }
        (left @ (Value::Uri(_) | Value::Binary(_)), _) => {
            Err(OperandError::whole(OperatorError::NotAddable { left, right: right.clone() }))
        }
        (left, _) => calculate("+", &left, right, warn, (i64::checked_add, |a, b| a + b, times::plus)),
    }
}

pub(super) fn minus(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    match &left {
        Value::Array(array) => Ok(collections::without_elements(array, right)),
        Value::Hash(hash) => Ok(collections::without_keys(hash, right)),
        left => calculate("-", left, right, warn, (i64::checked_sub, |a, b| a - b, times::minus)),
    }
}

pub(super) fn multiply(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    calculate("*", &left, right, warn, (i64::checked_mul, |a, b| a * b, times::multiply))
}

pub(super) fn divide(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    calculate("/", &left, right, warn, (floor_quotient, |a, b| a / b, times::divide))
}

pub(super) fn modulo(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    of_integers("%", &left, right, warn, floor_remainder)
}

pub(super) fn shift_left(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    match left {
        Value::Array(array) => collections::joined(array, std::slice::from_ref(right)),
        operand @ Value::Hash(_) => Err(OperandError::left(OperatorError::NotApplicable { symbol: "<<", operand })),
        left => of_integers("<<", &left, right, warn, shifted),
    }
}

pub(super) fn shift_right(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    of_integers(">>", &left, right, warn, |number, bits| shifted(number, bits.checked_neg()?))
}

/// `-value`
pub(crate) fn negated(value: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    match operand(value, warn).map_err(OperandError::left)? {
        Value::Integer(number) => number
            .checked_neg()
            .map(Value::Integer)
            .ok_or_else(|| OperandError::whole(OperatorError::Overflow { symbol: "-", left: 0, right: number })),
        Value::Float(number) => Ok(Value::Float(-number)),
        Value::Timespan(span) => span.negated().map(Value::Timespan).map_err(OperandError::left),
        other => Err(OperandError::left(OperatorError::NotNumeric(other))),
    }
}

/// `left` shifted left by `bits`, right when they are negative; `None` if bits are lost at the upper end.
fn shifted(number: i64, bits: i64) -> Option<i64> {
    if bits < 0 {
        let bits = u32::try_from(bits.unsigned_abs()).unwrap_or(u32::MAX).min(63);
        return Some(number >> bits);
    }
    if number == 0 {
        return Some(0);
    }
    let bits = u32::try_from(bits).ok().filter(|&bits| bits < 64)?;
    i64::try_from(i128::from(number) << bits).ok()
}

/// The implementations of an operator for Integers, for Floats and for times.
type Calculations =
    (fn(i64, i64) -> Option<i64>, fn(f64, f64) -> f64, fn(&Value, &Value) -> Result<Value, OperandError>);

fn calculate(
    symbol: &'static str,
    left: &Value,
    right: &Value,
    warn: &mut Warn<'_>,
    (of_integers, of_floats, of_times): Calculations,
) -> Result<Value, OperandError> {
    let (left, right) = operands(left, right, warn)?;
    if let (Value::Integer(a), Value::Integer(b)) = (&left, &right) {
        return within_64_bits(symbol, *a, *b, of_integers(*a, *b));
    }
    let (Some(a), Some(b)) = (left.as_float(), right.as_float()) else { return of_times(&left, &right) };
    finite(symbol, of_floats(a, b))
}

/// An operator for Integers alone, and `%` for a Timespan.
#[expect(clippy::cast_possible_truncation, reason = "beyond 64 bits every shift has the same result")]
fn of_integers(
    symbol: &'static str,
    left: &Value,
    right: &Value,
    warn: &mut Warn<'_>,
    calculate: fn(i64, i64) -> Option<i64>,
) -> Result<Value, OperandError> {
    let (left, right) = operands(left, right, warn)?;
    let (a, b) = match (&left, &right) {
        (Value::Integer(a), Value::Integer(b)) => (*a, *b),
        // Observed: Puppet 8.11 cuts the fraction off a number of bits.
        (Value::Integer(a), Value::Float(bits)) if symbol != "%" => (*a, *bits as i64),
        (Value::Timespan(a), Value::Integer(b)) if symbol == "%" => (a.integer().map_err(OperandError::left)?, *b),
        _ => return Err(times::refused(symbol, &left, &right)),
    };
    within_64_bits(symbol, a, b, calculate(a, b))
}

fn within_64_bits(symbol: &'static str, left: i64, right: i64, result: Option<i64>) -> Result<Value, OperandError> {
    result.map(Value::Integer).ok_or_else(|| match (symbol, right) {
        ("/" | "%", 0) => OperandError::right(OperatorError::DivisionByZero),
        _ => OperandError::whole(OperatorError::Overflow { symbol, left, right }),
    })
}

pub(super) fn finite(symbol: &'static str, result: f64) -> Result<Value, OperandError> {
    if result.is_finite() {
        Ok(Value::Float(result))
    } else {
        Err(OperandError::whole(OperatorError::NotFinite { symbol, result }))
    }
}

fn operands(left: &Value, right: &Value, warn: &mut Warn<'_>) -> Result<(Value, Value), OperandError> {
    let left = operand(left, warn).map_err(OperandError::left)?;
    Ok((left, operand(right, warn).map_err(OperandError::right)?))
}

/// A number, a time or a version, which operators refuse later; the number in a String, by the strictness.
pub(super) fn operand(value: &Value, warn: &mut Warn<'_>) -> error::Result<Value> {
    match value {
        Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_) => {
            Ok(value.clone())
        }
        Value::String(text) if let Some(number) = number::from_text(text) => {
            warn(OperatorError::Coerced { text: text.to_string(), number: number.clone() }.into())?;
            Ok(number)
        }
        _ => Err(OperatorError::NotNumeric(value.clone()).into()),
    }
}

/// The remainder that has the sign of the divisor; `None` if that is 0.
pub(super) fn floor_remainder(a: i64, b: i64) -> Option<i64> {
    // The remainder of the lowest Integer by -1 is 0, which a plain division would not reach.
    if b == -1 {
        return Some(0);
    }
    let remainder = a.checked_rem(b)?;
    Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
}

/// `None` if `b` is 0, or the quotient is too large.
pub(super) fn floor_quotient(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}
