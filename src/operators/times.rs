//! `+ - * / % << >>` if one operand is a Timespan or a Timestamp (or a version, which is always rejected).
//!
//! A number is a count of seconds. The difference of two stamps is a span, a stamp and a span make a stamp, a span
//! divided by a span is a number; everything else is rejected.
//!
//! Observed: Puppet 8.11 and 7.23, every operator between spans, stamps, numbers and versions.

use super::Host;
use super::error::{OperandError, OperatorError};
use super::numeric::{coerced, remainder};
use crate::error;
use crate::time::{Timespan, Timestamp};
use crate::value::Value;

/// The operands, Strings made numbers by the strictness; `None` if none is a time or a version.
pub(super) fn operands(
    left: &Value,
    right: &Value,
    host: &mut dyn Host,
) -> Result<Option<(Value, Value)>, OperandError> {
    let is_number = |value: &Value| matches!(value, Value::Integer(_) | Value::Float(_));
    let is_ours = |value: &Value| matches!(value, Value::Timespan(_) | Value::Timestamp(_) | Value::SemVer(_));
    if !is_ours(left) && !is_ours(right) {
        return Ok(None);
    }
    let mut operand = |value: &Value| -> error::Result<Value> {
        match coerced(value, host)? {
            operand if is_number(&operand) || is_ours(&operand) => Ok(operand),
            other => Err(OperatorError::NotNumeric(other).into()),
        }
    };
    let left = operand(left).map_err(OperandError::left)?;
    let right = operand(right).map_err(OperandError::right)?;
    Ok(Some((left, right)))
}

pub(super) fn plus(left: &Value, right: &Value) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Timestamp(stamp), other) | (other, Value::Timestamp(stamp)) if let Some(span) = as_span(other) => {
            stamp_or_fault(span.and_then(|span| stamp.plus(span)))
        }
        _ if let (Some(left), Some(right)) = (as_span(left), as_span(right)) => {
            span_or_fault(left.and_then(|left| left.plus(right?)))
        }
        _ => Err(refused("+", left, right)),
    }
}

pub(super) fn minus(left: &Value, right: &Value) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Timestamp(later), Value::Timestamp(earlier)) => span_or_fault(later.since(*earlier)),
        (Value::Timestamp(stamp), other) if let Some(span) = as_span(other) => {
            stamp_or_fault(span.and_then(|span| stamp.minus(span)))
        }
        _ if let (Some(left), Some(right)) = (as_span(left), as_span(right)) => {
            span_or_fault(left.and_then(|left| left.minus(right?)))
        }
        _ => Err(refused("-", left, right)),
    }
}

pub(super) fn multiply(left: &Value, right: &Value) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Timespan(span), Value::Integer(factor)) | (Value::Integer(factor), Value::Timespan(span)) => {
            span_or_fault(span.times_integer(*factor))
        }
        (Value::Timespan(span), Value::Float(factor)) | (Value::Float(factor), Value::Timespan(span)) => {
            span_or_fault(span.times_float(*factor))
        }
        _ => Err(refused("*", left, right)),
    }
}

pub(super) fn divide(left: &Value, right: &Value) -> Result<Value, OperandError> {
    let by_zero = || OperandError::right(OperatorError::DivisionByZero);
    match (left, right) {
        (Value::Timespan(span), Value::Integer(divisor)) => {
            span_or_fault(span.divided_by_integer(*divisor).ok_or_else(by_zero)?)
        }
        (Value::Timespan(span), Value::Float(divisor)) => {
            span_or_fault(span.divided_by_float(*divisor).ok_or_else(by_zero)?)
        }
        (Value::Timespan(span), Value::Timespan(other)) => {
            let ratio = span.ratio(*other);
            let not_finite = OperatorError::NotFinite { symbol: "/", result: ratio };
            if ratio.is_finite() { Ok(Value::Float(ratio)) } else { Err(OperandError::whole(not_finite)) }
        }
        _ => Err(refused("/", left, right)),
    }
}

pub(super) fn modulo(left: &Value, right: &Value) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Timespan(span), Value::Integer(divisor)) => {
            remainder(span.integer().map_err(OperandError::left)?, *divisor)
        }
        _ => Err(refused("%", left, right)),
    }
}

/// `<<` and `>>`, which are not defined for times and versions.
pub(super) fn shift(symbol: &'static str, left: &Value, right: &Value) -> OperandError {
    refused(symbol, left, right)
}

/// The Timespan of a value: a Timespan, or a number of seconds; `None` for other values.
fn as_span(value: &Value) -> Option<error::Result<Timespan>> {
    match value {
        Value::Timespan(span) => Some(Ok(*span)),
        Value::Integer(seconds) => Some(Ok(Timespan::from_seconds(*seconds))),
        Value::Float(seconds) => Some(Timespan::from_float(*seconds)),
        _ => None,
    }
}

fn span_or_fault(span: error::Result<Timespan>) -> Result<Value, OperandError> {
    span.map(Value::Timespan).map_err(OperandError::whole)
}

fn stamp_or_fault(stamp: error::Result<Timestamp>) -> Result<Value, OperandError> {
    stamp.map(Value::Timestamp).map_err(OperandError::whole)
}

/// The error for two operands that cannot be combined.
fn refused(symbol: &'static str, left: &Value, right: &Value) -> OperandError {
    let knows = |known: &[&str]| known.contains(&symbol);
    let operand = || left.clone();
    match (left, right) {
        (Value::Float(_), _) if symbol == "%" => {
            OperandError::left(OperatorError::NotApplicable { symbol, operand: operand() })
        }
        (_, Value::Float(_)) if symbol == "%" => when(symbol, left, right),
        // A number, or a version: what it stands beside decides.
        (Value::Integer(_) | Value::Float(_), Value::SemVer(_)) if !knows(&["%", "<<", ">>"]) => {
            between(symbol, left, right)
        }
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_))
        | (Value::SemVer(_), Value::Timestamp(_)) => when(symbol, left, right),
        (Value::SemVer(_), Value::Timespan(_)) if symbol == "+" => between(symbol, left, right),
        (Value::SemVer(_), Value::Timespan(_)) if !knows(&["-", "*"]) => when(symbol, left, right),
        (Value::Timestamp(_), _) if knows(&["+", "-"]) => between(symbol, left, right),
        (Value::Timespan(_), _) if !knows(&["<<", ">>"]) => between(symbol, left, right),
        _ => OperandError::left(OperatorError::NotApplicable { symbol, operand: operand() }),
    }
}

/// The error if the operator accepts the left operand, but not together with the right one.
fn between(symbol: &'static str, left: &Value, right: &Value) -> OperandError {
    OperandError::right(OperatorError::NotBetween { symbol, left: left.clone(), right: right.clone() })
}

/// The error if the operator does not accept the left operand together with the right one.
fn when(symbol: &'static str, left: &Value, right: &Value) -> OperandError {
    OperandError::left(OperatorError::NotApplicableWhen { symbol, left: left.clone(), right: right.clone() })
}
