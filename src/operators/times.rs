//! `+ - * / % << >>` if one operand is a Timespan or a Timestamp (or a version, which is always rejected).
//!
//! A number is a count of seconds. The difference of two stamps is a span, a stamp and a span make a stamp, a span
//! divided by a span is a number; everything else is rejected.
//!
//! Observed: Puppet 8.11 and 7.23, every operator between spans, stamps, numbers and versions.

use super::arithmetic::finite;
use super::error::{OperandError, OperatorError};
use crate::error::{self, RUNTIME_ERROR};
use crate::time::Timespan;
use crate::value::Value;

pub(super) fn plus(left: &Value, right: &Value) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Timestamp(stamp), other) | (other, Value::Timestamp(stamp)) if let Some(span) = as_span(other) => {
            time_or_fault(span.and_then(|span| stamp.plus(span)))
        }
        _ if let (Some(left), Some(right)) = (as_span(left), as_span(right)) => {
            time_or_fault(left.and_then(|left| left.plus(right?)))
        }
        _ => Err(refused("+", left, right)),
    }
}

pub(super) fn minus(left: &Value, right: &Value) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Timestamp(later), Value::Timestamp(earlier)) => time_or_fault(later.since(*earlier)),
        (Value::Timestamp(stamp), other) if let Some(span) = as_span(other) => {
            time_or_fault(span.and_then(|span| stamp.minus(span)))
        }
        _ if let (Some(left), Some(right)) = (as_span(left), as_span(right)) => {
            time_or_fault(left.and_then(|left| left.minus(right?)))
        }
        _ => Err(refused("-", left, right)),
    }
}

pub(super) fn multiply(left: &Value, right: &Value) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Timespan(span), Value::Integer(factor)) | (Value::Integer(factor), Value::Timespan(span)) => {
            time_or_fault(span.times_integer(*factor))
        }
        (Value::Timespan(span), Value::Float(factor)) | (Value::Float(factor), Value::Timespan(span)) => {
            time_or_fault(span.times_float(*factor))
        }
        _ => Err(refused("*", left, right)),
    }
}

pub(super) fn divide(left: &Value, right: &Value) -> Result<Value, OperandError> {
    let by_zero = || OperandError::right(OperatorError::DivisionByZero);
    match (left, right) {
        (Value::Timespan(span), Value::Integer(divisor)) => {
            time_or_fault(span.divided_by_integer(*divisor).ok_or_else(by_zero)?)
        }
        (Value::Timespan(span), Value::Float(divisor)) => {
            time_or_fault(span.divided_by_float(*divisor).ok_or_else(by_zero)?)
        }
        (Value::Timespan(span), Value::Timespan(other)) => finite("/", span.ratio(*other)),
        _ => Err(refused("/", left, right)),
    }
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

fn time_or_fault(time: error::Result<impl Into<Value>>) -> Result<Value, OperandError> {
    time.map(Into::into).map_err(OperandError::whole)
}

/// The error for two operands that cannot be combined.
pub(super) fn refused(symbol: &'static str, left: &Value, right: &Value) -> OperandError {
    let is = |symbols: &[&str]| symbols.contains(&symbol);
    let both = |code| OperatorError::NotBetween { code, symbol, left: left.clone(), right: right.clone() };
    // The operator accepts the left operand, but not together with the right one.
    let between = || OperandError::right(both(RUNTIME_ERROR));
    // The operator does not accept the left operand together with the right one.
    let when = || OperandError::left(both("OPERATOR_NOT_APPLICABLE_WHEN"));
    match (left, right) {
        (_, Value::Float(_)) if symbol == "%" && !matches!(left, Value::Float(_)) => when(),
        // A number, or a version: what it stands beside decides.
        (Value::Integer(_) | Value::Float(_), Value::SemVer(_)) if !is(&["%", "<<", ">>"]) => between(),
        (Value::Float(_), _) if symbol == "%" => {
            OperandError::left(OperatorError::NotApplicable { symbol, operand: left.clone() })
        }
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_))
        | (Value::SemVer(_), Value::Timestamp(_)) => when(),
        (Value::SemVer(_), Value::Timespan(_)) if symbol == "+" => between(),
        (Value::SemVer(_), Value::Timespan(_)) if !is(&["-", "*"]) => when(),
        (Value::Timestamp(_), _) if is(&["+", "-"]) => between(),
        (Value::Timespan(_), _) if !is(&["<<", ">>"]) => between(),
        _ => OperandError::left(OperatorError::NotApplicable { symbol, operand: left.clone() }),
    }
}
