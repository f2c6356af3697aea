//! `+`, `-`, `*` and `/` for Timespans and Timestamps, and the errors of all operators for other combinations.
//!
//! A number counts as seconds. Two Timestamps have a Timespan as their difference, a Timestamp and a Timespan have a
//! Timestamp as their sum, and the quotient of two Timespans is a Float.
//!
//! Observed: Puppet 8.11 and 7.23, every operator between spans, stamps, numbers and versions.

use super::arithmetic::finite_float_or_error;
use super::error::{OperandError, OperatorError};
use crate::error::{self, RUNTIME_ERROR};
use crate::time::Timespan;
use crate::value::Value;

pub(super) fn add_times(left: &Value, right: &Value) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Timestamp(stamp), other) | (other, Value::Timestamp(stamp)) if let Some(span) = as_timespan(other) => {
            time_value_or_error(span.and_then(|span| stamp.plus(span)))
        }
        _ if let (Some(left), Some(right)) = (as_timespan(left), as_timespan(right)) => {
            time_value_or_error(left.and_then(|left| left.plus(right?)))
        }
        _ => Err(rejected_operands_error("+", left, right)),
    }
}

pub(super) fn subtract_times(left: &Value, right: &Value) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Timestamp(later), Value::Timestamp(earlier)) => time_value_or_error(later.since(*earlier)),
        (Value::Timestamp(stamp), other) if let Some(span) = as_timespan(other) => {
            time_value_or_error(span.and_then(|span| stamp.minus(span)))
        }
        _ if let (Some(left), Some(right)) = (as_timespan(left), as_timespan(right)) => {
            time_value_or_error(left.and_then(|left| left.minus(right?)))
        }
        _ => Err(rejected_operands_error("-", left, right)),
    }
}

pub(super) fn multiply_timespan(left: &Value, right: &Value) -> Result<Value, OperandError> {
    match (left, right) {
        (Value::Timespan(span), Value::Integer(factor)) | (Value::Integer(factor), Value::Timespan(span)) => {
            time_value_or_error(span.times_integer(*factor))
        }
        (Value::Timespan(span), Value::Float(factor)) | (Value::Float(factor), Value::Timespan(span)) => {
            time_value_or_error(span.times_float(*factor))
        }
        _ => Err(rejected_operands_error("*", left, right)),
    }
}

pub(super) fn divide_timespan(left: &Value, right: &Value) -> Result<Value, OperandError> {
    let by_zero = || OperandError::at_right(OperatorError::DivisionByZero);
    match (left, right) {
        (Value::Timespan(span), Value::Integer(divisor)) => {
            time_value_or_error(span.divided_by_integer(*divisor).ok_or_else(by_zero)?)
        }
        (Value::Timespan(span), Value::Float(divisor)) => {
            time_value_or_error(span.divided_by_float(*divisor).ok_or_else(by_zero)?)
        }
        (Value::Timespan(span), Value::Timespan(other)) => finite_float_or_error("/", span.ratio_to(*other)),
        _ => Err(rejected_operands_error("/", left, right)),
    }
}

fn as_timespan(value: &Value) -> Option<error::Result<Timespan>> {
    match value {
        Value::Timespan(span) => Some(Ok(*span)),
        Value::Integer(seconds) => Some(Ok(Timespan::from_seconds(*seconds))),
        Value::Float(seconds) => Some(Timespan::from_float(*seconds)),
        _ => None,
    }
}

fn time_value_or_error(time: error::Result<impl Into<Value>>) -> Result<Value, OperandError> {
    time.map(Into::into).map_err(OperandError::at_whole)
}

pub(super) fn rejected_operands_error(symbol: &'static str, left: &Value, right: &Value) -> OperandError {
    let is = |symbols: &[&str]| symbols.contains(&symbol);
    let both = |code| OperatorError::NotBetween { code, symbol, left: left.clone(), right: right.clone() };
    // The operator accepts the left operand, but not together with the right one.
    let between = || OperandError::at_right(both(RUNTIME_ERROR));
    // The operator does not accept the left operand together with the right one.
    let when = || OperandError::at_left(both("OPERATOR_NOT_APPLICABLE_WHEN"));
    match (left, right) {
        (_, Value::Float(_)) if symbol == "%" && !matches!(left, Value::Float(_)) => when(),
        // A number, or a version: what it stands beside decides.
        (Value::Integer(_) | Value::Float(_), Value::SemVer(_)) if !is(&["%", "<<", ">>"]) => between(),
        (Value::Float(_), _) if symbol == "%" => {
            OperandError::at_left(OperatorError::NotApplicable { symbol, operand: left.clone() })
        }
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_))
        | (Value::SemVer(_), Value::Timestamp(_)) => when(),
        (Value::SemVer(_), Value::Timespan(_)) if symbol == "+" => between(),
        (Value::SemVer(_), Value::Timespan(_)) if !is(&["-", "*"]) => when(),
        (Value::Timestamp(_), _) if is(&["+", "-"]) => between(),
        (Value::Timespan(_), _) if !is(&["<<", ">>"]) => between(),
        _ => OperandError::at_left(OperatorError::NotApplicable { symbol, operand: left.clone() }),
    }
}
