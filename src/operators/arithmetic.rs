//! `+ - * / % << >>`: implements them for numbers and URIs; other modules implement them for times and collections.
//!
//! Source: language specification, "Numeric Conversions", "String to Numeric Conversion".
//! Observed: Puppet 8.11 converts a String operand under strictness `warning` and rejects it under `error`.

#![expect(clippy::needless_pass_by_value, reason = "an operator may let its left operand grow in place")]

use std::sync::Arc;

use super::error::{OperandError, OperatorError};
use super::{Warn, collections, times};
use crate::value::{Uri, Value, number};
use crate::{error, limits};

pub(super) fn add_or_combine(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    let uri = |merged: error::Result<Uri>| Ok(Value::Uri(Arc::new(merged.map_err(OperandError::at_whole)?)));
    match (left, right) {
        (Value::Array(array), _) => collections::concatenate_arrays(array, right),
        (Value::Hash(hash), _) => collections::merge_into_hash(hash, right),
        (Value::Uri(base), Value::Uri(reference)) => uri(base.resolve_reference(reference)),
        (Value::Uri(base), Value::String(text)) => {
            uri(Uri::parse(text).and_then(|reference| base.resolve_reference(&reference)))
        }
        (Value::Binary(binary), Value::Binary(more)) => {
            limits::check_string_bytes(binary.bytes().len() + more.bytes().len()).map_err(OperandError::at_whole)?;
            Ok(Value::Binary([binary.bytes(), more.bytes()].concat().into()))
        }
        (left @ (Value::Uri(_) | Value::Binary(_)), _) => {
            Err(OperandError::at_whole(OperatorError::NotAddable { left, right: right.clone() }))
        }
        (left, _) => calculate_by_type("+", &left, right, warn, (i64::checked_add, |a, b| a + b, times::add_times)),
    }
}

pub(super) fn subtract_or_remove(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    match &left {
        Value::Array(array) => Ok(collections::without_elements(array, right)),
        Value::Hash(hash) => Ok(collections::without_keys(hash, right)),
        left => calculate_by_type("-", left, right, warn, (i64::checked_sub, |a, b| a - b, times::subtract_times)),
    }
}

pub(super) fn multiply(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    calculate_by_type("*", &left, right, warn, (i64::checked_mul, |a, b| a * b, times::multiply_timespan))
}

pub(super) fn divide(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    calculate_by_type("/", &left, right, warn, (floor_quotient, |a, b| a / b, times::divide_timespan))
}

pub(super) fn modulo(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    calculate_integers("%", &left, right, warn, floor_remainder)
}

pub(super) fn shift_left_or_append(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    match left {
        Value::Array(array) => collections::append_elements(array, std::slice::from_ref(right)),
        operand @ Value::Hash(_) => Err(OperandError::at_left(OperatorError::NotApplicable { symbol: "<<", operand })),
        left => calculate_integers("<<", &left, right, warn, shift_integer),
    }
}

pub(super) fn shift_right(left: Value, right: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    calculate_integers(">>", &left, right, warn, |number, bits| shift_integer(number, bits.checked_neg()?))
}

pub(crate) fn negate(value: &Value, warn: &mut Warn<'_>) -> Result<Value, OperandError> {
    match convert_to_number(value, warn).map_err(OperandError::at_left)? {
        Value::Integer(number) => number
            .checked_neg()
            .map(Value::Integer)
            .ok_or_else(|| OperandError::at_whole(OperatorError::Overflow { symbol: "-", left: 0, right: number })),
        Value::Float(number) => Ok(Value::Float(-number)),
        Value::Timespan(span) => span.negated().map(Value::Timespan).map_err(OperandError::at_left),
        other => Err(OperandError::at_left(OperatorError::NotNumeric(other))),
    }
}

/// Returns `number` shifted left by `bits`, or right if `bits` is negative; `None` if the result does not fit.
fn shift_integer(number: i64, bits: i64) -> Option<i64> {
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

type Calculations =
    (fn(i64, i64) -> Option<i64>, fn(f64, f64) -> f64, fn(&Value, &Value) -> Result<Value, OperandError>);

fn calculate_by_type(
    symbol: &'static str,
    left: &Value,
    right: &Value,
    warn: &mut Warn<'_>,
    (of_integers, of_floats, of_times): Calculations,
) -> Result<Value, OperandError> {
    let (left, right) = convert_operands(left, right, warn)?;
    if let (Value::Integer(a), Value::Integer(b)) = (&left, &right) {
        return integer_or_error(symbol, *a, *b, of_integers(*a, *b));
    }
    let (Some(a), Some(b)) = (left.as_float(), right.as_float()) else { return of_times(&left, &right) };
    finite_float_or_error(symbol, of_floats(a, b))
}

/// Applies an operator for Integers; `%` also accepts a Timespan on its left, the shifts a Float on their right.
#[expect(clippy::cast_possible_truncation, reason = "beyond 64 bits every shift has the same result")]
fn calculate_integers(
    symbol: &'static str,
    left: &Value,
    right: &Value,
    warn: &mut Warn<'_>,
    calculate: fn(i64, i64) -> Option<i64>,
) -> Result<Value, OperandError> {
    let (left, right) = convert_operands(left, right, warn)?;
    let (a, b) = match (&left, &right) {
        (Value::Integer(a), Value::Integer(b)) => (*a, *b),
        // Observed: Puppet 8.11 cuts the fraction off a number of bits.
        (Value::Integer(a), Value::Float(bits)) if symbol != "%" => (*a, *bits as i64),
        (Value::Timespan(a), Value::Integer(b)) if symbol == "%" => {
            (a.to_integer().map_err(OperandError::at_left)?, *b)
        }
        _ => return Err(times::rejected_operands_error(symbol, &left, &right)),
    };
    integer_or_error(symbol, a, b, calculate(a, b))
}

fn integer_or_error(symbol: &'static str, left: i64, right: i64, result: Option<i64>) -> Result<Value, OperandError> {
    result.map(Value::Integer).ok_or_else(|| match (symbol, right) {
        ("/" | "%", 0) => OperandError::at_right(OperatorError::DivisionByZero),
        _ => OperandError::at_whole(OperatorError::Overflow { symbol, left, right }),
    })
}

pub(super) fn finite_float_or_error(symbol: &'static str, result: f64) -> Result<Value, OperandError> {
    if result.is_finite() {
        Ok(Value::Float(result))
    } else {
        Err(OperandError::at_whole(OperatorError::NotFinite { symbol, result }))
    }
}

fn convert_operands(left: &Value, right: &Value, warn: &mut Warn<'_>) -> Result<(Value, Value), OperandError> {
    let left = convert_to_number(left, warn).map_err(OperandError::at_left)?;
    Ok((left, convert_to_number(right, warn).map_err(OperandError::at_right)?))
}

/// Returns numbers, times and versions unchanged, and numeric Strings as numbers, with a warning; others are errors.
pub(super) fn convert_to_number(value: &Value, warn: &mut Warn<'_>) -> error::Result<Value> {
    match value {
        Value::Integer(_) | Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_) => {
            Ok(value.clone())
        }
        Value::String(text) if let Some(number) = number::number_from_text(text) => {
            warn(OperatorError::Coerced { text: text.to_string(), number: number.clone() }.into())?;
            Ok(number)
        }
        _ => Err(OperatorError::NotNumeric(value.clone()).into()),
    }
}

/// Returns the remainder of `a / b` with the sign of `b`; `None` if `b` is 0.
pub(super) fn floor_remainder(a: i64, b: i64) -> Option<i64> {
    // The remainder of the lowest Integer by -1 is 0, which a plain division would not reach.
    if b == -1 {
        return Some(0);
    }
    let remainder = a.checked_rem(b)?;
    Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
}

/// Returns the quotient of `a / b` rounded down; `None` if `b` is 0, or if the quotient does not fit.
pub(super) fn floor_quotient(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}
