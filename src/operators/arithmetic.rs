//! `+ - * / % << >>`: numbers first, then times, URIs and collections.
//!
//! Source: language specification, "Numeric Conversions", "String to Numeric Conversion".
//! Observed: Puppet 8.11 converts a String operand under strictness `warning` and refuses it under `error`.

use std::sync::Arc;

use super::fault::{Fault, Wrong};
use super::{Host, collections, times};
use crate::format;
use crate::value::{Uri, Value, number};

/// Two numbers of the same kind.
enum Pair {
    Integers(i64, i64),
    Floats(f64, f64),
}

pub(super) fn plus(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, Fault> {
    match left {
        Value::Array(array) => collections::concatenated(array, right),
        Value::Hash(hash) => collections::merged(hash, right),
        Value::Uri(base) => merged_uri(base, right),
        Value::Binary(binary) => match right {
            Value::Binary(more) => {
                format::check_length(binary.bytes().len() + more.bytes().len()).map_err(Fault::whole)?;
                Ok(Value::Binary(binary.concatenated(more)))
            }
            _ => Err(not_addable(left, right)),
        },
        _ => match times::operands(left, right, host)? {
            Some((left, right)) => times::plus(&left, &right),
            None => calculate("+", left, right, host, i64::checked_add, |a, b| a + b),
        },
    }
}

/// `URI('http://h/a/b') + 'c'`
fn merged_uri(base: &Arc<Uri>, right: &Value) -> Result<Value, Fault> {
    let merged = match right {
        Value::Uri(reference) => base.merged(reference),
        Value::String(text) => Uri::parse(text).and_then(|reference| base.merged(&reference)),
        _ => return Err(not_addable(&Value::Uri(base.clone()), right)),
    };
    Ok(Value::Uri(Arc::new(merged.map_err(Fault::whole)?)))
}

fn not_addable(left: &Value, right: &Value) -> Fault {
    Fault::whole(Wrong::NotAddable { left: left.clone(), right: right.clone() })
}

pub(super) fn minus(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, Fault> {
    match left {
        Value::Array(array) => Ok(collections::without_elements(array, right)),
        Value::Hash(hash) => Ok(collections::without_keys(hash, right)),
        _ => match times::operands(left, right, host)? {
            Some((left, right)) => times::minus(&left, &right),
            None => calculate("-", left, right, host, i64::checked_sub, |a, b| a - b),
        },
    }
}

pub(super) fn multiply(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, Fault> {
    match times::operands(left, right, host)? {
        Some((left, right)) => times::multiply(&left, &right),
        None => calculate("*", left, right, host, i64::checked_mul, |a, b| a * b),
    }
}

pub(super) fn divide(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, Fault> {
    if let Some((left, right)) = times::operands(left, right, host)? {
        return times::divide(&left, &right);
    }
    match numbers(left, right, host)? {
        Pair::Integers(_, 0) => Err(Fault::right(Wrong::DivisionByZero)),
        Pair::Integers(a, b) => within_64_bits("/", a, b, floor_quotient(a, b)),
        Pair::Floats(a, b) => finite("/", a / b),
    }
}

pub(super) fn modulo(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, Fault> {
    if let Some((left, right)) = times::operands(left, right, host)? {
        return times::modulo(&left, &right);
    }
    let (a, b) = integers("%", left, right, host)?;
    remainder(a, b)
}

/// The remainder that has the sign of the divisor.
pub(super) fn remainder(a: i64, b: i64) -> Result<Value, Fault> {
    floor_remainder(a, b).map(Value::Integer).ok_or_else(|| Fault::right(Wrong::DivisionByZero))
}

/// Nothing where `b` is 0.
#[inline]
pub(super) fn floor_remainder(a: i64, b: i64) -> Option<i64> {
    // The remainder of the lowest Integer by -1 is 0, which a plain division would not reach.
    if b == -1 {
        return Some(0);
    }
    let remainder = a.checked_rem(b)?;
    Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
}

pub(super) fn shift_left(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, Fault> {
    match left {
        Value::Array(array) => return collections::appended(array, right),
        Value::Hash(_) => return Err(Fault::left(Wrong::NotApplicable { symbol: "<<", operand: left.clone() })),
        _ => {}
    }
    if let Value::Hash(_) = left {
        return Err(Fault::left(Wrong::NotApplicable { symbol: "<<", operand: left.clone() }));
    }
    if let Some((left, right)) = times::operands(left, right, host)? {
        return Err(times::shift("<<", &left, &right));
    }
    let (number, bits) = shift_operands("<<", left, right, host)?;
    shifted(number, bits).ok_or_else(|| Fault::whole(Wrong::Overflow { symbol: "<<", left: number, right: bits }))
}

pub(super) fn shift_right(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Value, Fault> {
    if let Some((left, right)) = times::operands(left, right, host)? {
        return Err(times::shift(">>", &left, &right));
    }
    let (number, bits) = shift_operands(">>", left, right, host)?;
    bits.checked_neg()
        .and_then(|bits| shifted(number, bits))
        .ok_or_else(|| Fault::whole(Wrong::Overflow { symbol: ">>", left: number, right: bits }))
}

/// `-value`
pub(crate) fn negated(value: &Value, host: &mut dyn Host) -> Result<Value, Fault> {
    match coerced(value, host).map_err(Fault::left)? {
        Value::Integer(number) => number
            .checked_neg()
            .map(Value::Integer)
            .ok_or_else(|| Fault::whole(Wrong::Overflow { symbol: "-", left: 0, right: number })),
        Value::Float(number) => Ok(Value::Float(-number)),
        Value::Timespan(span) => span.negated().map(Value::Timespan).map_err(Fault::left),
        other => Err(Fault::left(Wrong::NotNumeric(other))),
    }
}

/// `left` shifted left by `bits`, right when they are negative; nothing when bits are lost at the upper end.
fn shifted(number: i64, bits: i64) -> Option<Value> {
    if bits < 0 {
        let bits = u32::try_from(bits.unsigned_abs()).unwrap_or(u32::MAX).min(63);
        return Some(Value::Integer(number >> bits));
    }
    if number == 0 {
        return Some(Value::Integer(0));
    }
    let bits = u32::try_from(bits).ok().filter(|&bits| bits < 64)?;
    let wide = i128::from(number) << bits;
    i64::try_from(wide).ok().map(Value::Integer)
}

/// Nothing where `b` is 0, or the quotient is too large.
#[inline]
pub(super) fn floor_quotient(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

fn calculate(
    symbol: &'static str,
    left: &Value,
    right: &Value,
    host: &mut dyn Host,
    of_integers: fn(i64, i64) -> Option<i64>,
    of_floats: fn(f64, f64) -> f64,
) -> Result<Value, Fault> {
    match numbers(left, right, host)? {
        Pair::Integers(a, b) => within_64_bits(symbol, a, b, of_integers(a, b)),
        Pair::Floats(a, b) => finite(symbol, of_floats(a, b)),
    }
}

fn within_64_bits(symbol: &'static str, left: i64, right: i64, result: Option<i64>) -> Result<Value, Fault> {
    result.map(Value::Integer).ok_or_else(|| Fault::whole(Wrong::Overflow { symbol, left, right }))
}

fn finite(symbol: &'static str, result: f64) -> Result<Value, Fault> {
    if result.is_finite() { Ok(Value::Float(result)) } else { Err(Fault::whole(Wrong::NotFinite { symbol, result })) }
}

fn numbers(left: &Value, right: &Value, host: &mut dyn Host) -> Result<Pair, Fault> {
    if let (Value::Integer(a), Value::Integer(b)) = (left, right) {
        return Ok(Pair::Integers(*a, *b));
    }
    let left = coerced(left, host).map_err(Fault::left)?;
    if !matches!(left, Value::Integer(_) | Value::Float(_)) {
        return Err(Fault::left(Wrong::NotNumeric(left)));
    }
    let right = coerced(right, host).map_err(Fault::right)?;
    match (&left, &right) {
        (Value::Integer(a), Value::Integer(b)) => Ok(Pair::Integers(*a, *b)),
        (Value::Integer(a), Value::Float(b)) => Ok(Pair::Floats(*a as f64, *b)),
        (Value::Float(a), Value::Integer(b)) => Ok(Pair::Floats(*a, *b as f64)),
        (Value::Float(a), Value::Float(b)) => Ok(Pair::Floats(*a, *b)),
        _ => Err(Fault::right(Wrong::NotNumeric(right))),
    }
}

fn integers(symbol: &'static str, left: &Value, right: &Value, host: &mut dyn Host) -> Result<(i64, i64), Fault> {
    match numbers(left, right, host)? {
        Pair::Integers(a, b) => Ok((a, b)),
        Pair::Floats(..) if matches!(left, Value::Float(_)) => {
            Err(Fault::left(Wrong::NotApplicable { symbol, operand: left.clone() }))
        }
        Pair::Floats(..) => {
            Err(Fault::left(Wrong::NotApplicableWhen { symbol, left: left.clone(), right: right.clone() }))
        }
    }
}

/// Observed: Puppet 8.11 cuts the fraction off a number of bits.
fn shift_operands(symbol: &'static str, left: &Value, right: &Value, host: &mut dyn Host) -> Result<(i64, i64), Fault> {
    let left = coerced(left, host).map_err(Fault::left)?;
    match (numbers(&left, right, host)?, left) {
        (Pair::Integers(number, bits), _) => Ok((number, bits)),
        #[expect(clippy::cast_possible_truncation, reason = "beyond 64 bits every shift ends in the same answer")]
        (Pair::Floats(_, bits), Value::Integer(number)) => Ok((number, bits as i64)),
        (Pair::Floats(..), operand) => Err(Fault::left(Wrong::NotApplicable { symbol, operand })),
    }
}

/// The value, or the number that a String stands for, by the strictness.
pub(super) fn coerced(value: &Value, host: &mut dyn Host) -> crate::error::Result<Value> {
    let Value::String(text) = value else { return Ok(value.clone()) };
    let Some(number) = number::from_text(text) else { return Err(Wrong::NotNumeric(value.clone()).into()) };
    host.warn_or_fail(Wrong::Coerced { text: text.to_string(), number: number.clone() }.into())?;
    Ok(number)
}
