//! `+ - * / % << >>`: numbers first, then times, URIs and collections.
//!
//! Source: language specification, "Numeric Conversions", "String to Numeric Conversion".
//! Observed: Puppet 8.11 converts a String operand under strictness `warning` and rejects it under `error`.

use std::sync::Arc;

use super::error::{OperandError, OperatorError};
use super::numeric::{coerced, floor_quotient, remainder};
use super::{Host, collections, times};
use crate::limits;
use crate::value::{Uri, Value};

enum Pair {
    Integers(i64, i64),
    Floats(f64, f64),
}

pub(super) fn plus(left: Value, right: &Value, host: &mut dyn Host) -> Result<Value, OperandError> {
    match &left {
        Value::Array(_) | Value::Hash(_) => collections::sum(left, right),
        Value::Uri(base) => merged_uri(base, right),
        Value::Binary(binary) => match right {
            Value::Binary(more) => {
                limits::check_string_bytes(binary.bytes().len() + more.bytes().len()).map_err(OperandError::whole)?;
                Ok(Value::Binary(binary.concatenated(more)))
            }
            _ => Err(not_addable(&left, right)),
        },
        _ => calculate("+", &left, right, host, (i64::checked_add, |a, b| a + b, times::plus)),
    }
}

/// `URI('http://h/a/b') + 'c'`
fn merged_uri(base: &Arc<Uri>, right: &Value) -> Result<Value, OperandError> {
    let merged = match right {
        Value::Uri(reference) => base.merged(reference),
        Value::String(text) => Uri::parse(text).and_then(|reference| base.merged(&reference)),
        _ => return Err(not_addable(&Value::Uri(base.clone()), right)),
    };
    Ok(Value::Uri(Arc::new(merged.map_err(OperandError::whole)?)))
}

fn not_addable(left: &Value, right: &Value) -> OperandError {
    OperandError::whole(OperatorError::NotAddable { left: left.clone(), right: right.clone() })
}

pub(super) fn minus(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, OperandError> {
    match left {
        Value::Array(array) => Ok(collections::without_elements(array, right)),
        Value::Hash(hash) => Ok(collections::without_keys(hash, right)),
        _ => calculate("-", left, right, host, (i64::checked_sub, |a, b| a - b, times::minus)),
    }
}

pub(super) fn multiply(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, OperandError> {
    calculate("*", left, right, host, (i64::checked_mul, |a, b| a * b, times::multiply))
}

pub(super) fn divide(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, OperandError> {
    if let Some((left, right)) = times::operands(left, right, host)? {
        return times::divide(&left, &right);
    }
    match numbers(left, right, host)? {
        Pair::Integers(_, 0) => Err(OperandError::right(OperatorError::DivisionByZero)),
        Pair::Integers(a, b) => within_64_bits("/", a, b, floor_quotient(a, b)),
        Pair::Floats(a, b) => finite("/", a / b),
    }
}

pub(super) fn modulo(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, OperandError> {
    if let Some((left, right)) = times::operands(left, right, host)? {
        return times::modulo(&left, &right);
    }
    let (a, b) = integers("%", left, right, host)?;
    remainder(a, b)
}

pub(super) fn shift_left(left: Value, right: &Value, host: &mut dyn Host) -> Result<Value, OperandError> {
    match left {
        Value::Array(_) | Value::Hash(_) => collections::appended(left, right),
        left => shift("<<", &left, right, host, shifted),
    }
}

pub(super) fn shift_right(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, OperandError> {
    shift(">>", left, right, host, |number, bits| shifted(number, bits.checked_neg()?))
}

fn shift(
    symbol: &'static str,
    left: &Value,
    right: &Value,
    host: &mut dyn Host,
    shifted: fn(i64, i64) -> Option<i64>,
) -> Result<Value, OperandError> {
    if let Some((left, right)) = times::operands(left, right, host)? {
        return Err(times::shift(symbol, &left, &right));
    }
    let (number, bits) = integers(symbol, left, right, host)?;
    within_64_bits(symbol, number, bits, shifted(number, bits))
}

/// `-value`
pub(crate) fn negated(value: &Value, host: &mut dyn Host) -> Result<Value, OperandError> {
    match coerced(value, host).map_err(OperandError::left)? {
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
    host: &mut dyn Host,
    (of_integers, of_floats, of_times): Calculations,
) -> Result<Value, OperandError> {
    if let (Value::Integer(a), Value::Integer(b)) = (left, right) {
        return within_64_bits(symbol, *a, *b, of_integers(*a, *b));
    }
    if let Some((left, right)) = times::operands(left, right, host)? {
        return of_times(&left, &right);
    }
    match numbers(left, right, host)? {
        Pair::Integers(a, b) => within_64_bits(symbol, a, b, of_integers(a, b)),
        Pair::Floats(a, b) => finite(symbol, of_floats(a, b)),
    }
}

fn within_64_bits(symbol: &'static str, left: i64, right: i64, result: Option<i64>) -> Result<Value, OperandError> {
    result.map(Value::Integer).ok_or_else(|| OperandError::whole(OperatorError::Overflow { symbol, left, right }))
}

fn finite(symbol: &'static str, result: f64) -> Result<Value, OperandError> {
    if result.is_finite() {
        Ok(Value::Float(result))
    } else {
        Err(OperandError::whole(OperatorError::NotFinite { symbol, result }))
    }
}

fn numbers(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Pair, OperandError> {
    if let (Value::Integer(a), Value::Integer(b)) = (left, right) {
        return Ok(Pair::Integers(*a, *b));
    }
    let left = coerced(left, host).map_err(OperandError::left)?;
    if !matches!(left, Value::Integer(_) | Value::Float(_)) {
        return Err(OperandError::left(OperatorError::NotNumeric(left)));
    }
    let right = coerced(right, host).map_err(OperandError::right)?;
    match (&left, &right) {
        (Value::Integer(a), Value::Integer(b)) => Ok(Pair::Integers(*a, *b)),
        (Value::Integer(a), Value::Float(b)) => Ok(Pair::Floats(*a as f64, *b)),
        (Value::Float(a), Value::Integer(b)) => Ok(Pair::Floats(*a, *b as f64)),
        (Value::Float(a), Value::Float(b)) => Ok(Pair::Floats(*a, *b)),
        _ => Err(OperandError::right(OperatorError::NotNumeric(right))),
    }
}

fn integers(
    symbol: &'static str,
    left: &Value,
    right: &Value,
    host: &mut dyn Host,
) -> Result<(i64, i64), OperandError> {
    let left = coerced(left, host).map_err(OperandError::left)?;
    match (numbers(&left, right, host)?, left) {
        (Pair::Integers(a, b), _) => Ok((a, b)),
        // Observed: Puppet 8.11 cuts the fraction off a number of bits.
        #[expect(clippy::cast_possible_truncation, reason = "beyond 64 bits every shift has the same result")]
        (Pair::Floats(_, bits), Value::Integer(number)) if matches!(symbol, "<<" | ">>") => Ok((number, bits as i64)),
        (Pair::Floats(..), operand @ Value::Float(_)) => {
            Err(OperandError::left(OperatorError::NotApplicable { symbol, operand }))
        }
        (Pair::Floats(..), left) => {
            Err(OperandError::left(OperatorError::NotApplicableWhen { symbol, left, right: right.clone() }))
        }
    }
}
