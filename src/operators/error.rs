//! Errors of operators, and which operand is to blame.

use std::fmt;

use crate::error::{Error, Kind};
use crate::format;
use crate::types::Type;
use crate::types::relation::mismatch::describe;
use crate::value::Value;

/// Where in `left OPERATOR right` the fault lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
    Whole,
}

/// An error and the side it is on.
#[derive(Debug)]
pub(crate) struct OperandError {
    pub(crate) error: Error,
    pub(crate) side: Side,
}

impl OperandError {
    pub(crate) fn left(error: impl Into<Error>) -> OperandError {
        OperandError { error: error.into(), side: Side::Left }
    }

    pub(crate) fn right(error: impl Into<Error>) -> OperandError {
        OperandError { error: error.into(), side: Side::Right }
    }

    pub(crate) fn whole(error: impl Into<Error>) -> OperandError {
        OperandError { error: error.into(), side: Side::Whole }
    }
}

/// What can be wrong with the operands of an operator.
#[derive(Debug)]
pub(super) enum OperatorError {
    /// `'a' * 2`
    NotNumeric(Value),
    /// `'10' + 1`
    Coerced { text: String, number: Value },
    /// `1.5 << 1`
    NotApplicable { symbol: &'static str, operand: Value },
    /// `5 % 2.0`
    NotApplicableWhen { symbol: &'static str, left: Value, right: Value },
    /// `Timestamp(1) + Timestamp(1)`
    NotBetween { symbol: &'static str, left: Value, right: Value },
    /// `1 / 0`
    DivisionByZero,
    /// `9223372036854775807 + 1`
    Overflow { symbol: &'static str, left: i64, right: i64 },
    /// `1e308 * 10`
    NotFinite { symbol: &'static str, result: f64 },
    /// `1 < 'a'`
    NotComparable { symbol: &'static str, left: Value, right: Value },
    /// `1 =~ /1/`
    MatchNotString { left: Value, right: Value },
    /// `'a' =~ 5`
    MatchNotPattern(Value),
    /// `'a' =~ '['`
    MatchBadPattern { text: String, reason: String },
    /// `URI('http://h') + 1`
    NotAddable { left: Value, right: Value },
    /// `{a => 1} + 1`
    NotMergeable(Value),
    /// `{a => 1} + [b]`
    OddNumberOfEntries(usize),
    /// `{a => 1} + [[b, 2, 3]]`
    NotAnEntry(Value),
}

impl Kind for OperatorError {
    fn code(&self) -> &'static str {
        match self {
            OperatorError::NotNumeric(_) => "NOT_NUMERIC",
            OperatorError::Coerced { .. } => "NUMERIC_COERCION",
            OperatorError::NotApplicable { .. } => "OPERATOR_NOT_APPLICABLE",
            OperatorError::NotApplicableWhen { .. } => "OPERATOR_NOT_APPLICABLE_WHEN",
            OperatorError::DivisionByZero => "DIV_BY_ZERO",
            OperatorError::Overflow { .. } => "NUMERIC_OVERFLOW",
            OperatorError::NotFinite { .. } => "RESULT_IS_INFINITY",
            OperatorError::NotComparable { .. } => "COMPARISON_NOT_POSSIBLE",
            OperatorError::MatchNotString { .. } => "MATCH_NOT_STRING",
            OperatorError::MatchNotPattern(_) | OperatorError::MatchBadPattern { .. } => "MATCH_NOT_REGEXP",
            OperatorError::NotBetween { .. }
            | OperatorError::NotAddable { .. }
            | OperatorError::NotMergeable(_)
            | OperatorError::OddNumberOfEntries(_)
            | OperatorError::NotAnEntry(_) => crate::error::RUNTIME_ERROR,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            OperatorError::NotNumeric(Value::String(text)) if text.trim().parse::<f64>().is_ok() => {
                Some(format!("write Numeric({text:?}) to convert it"))
            }
            OperatorError::Coerced { text, number } => {
                Some(format!("write {} instead, or Numeric('{text}')", format::program_text(number)))
            }
            OperatorError::NotComparable {
                left: Value::String(_), right: Value::Integer(_) | Value::Float(_), ..
            }
            | OperatorError::NotComparable {
                left: Value::Integer(_) | Value::Float(_), right: Value::String(_), ..
            } => Some("convert one side first: Numeric('…') or String(…)".to_owned()),
            OperatorError::MatchNotString { right, .. } => {
                let lower_case = match right {
                    Value::String(name) => Type::named(name).map(|type_| format!("did you mean the type {type_}?")),
                    _ => None,
                };
                Some(
                    lower_case
                        .unwrap_or_else(|| "convert the left side with String(…), or match against a type".into()),
                )
            }
            OperatorError::NotNumeric(Value::Sensitive(_)) => {
                Some("`unwrap` gives the value inside: `$secret.unwrap`".to_owned())
            }
            OperatorError::MatchNotPattern(_) => {
                Some("write a pattern between slashes, as in `/abc/`; compare values with `==`".to_owned())
            }
            OperatorError::NotApplicableWhen { symbol: "%", .. } => {
                Some("`%` needs Integers: Integer(…) cuts off the fraction".into())
            }
            OperatorError::DivisionByZero => Some("test the divisor first: `if $divisor != 0 { … }`".into()),
            _ => None,
        }
    }
}

impl fmt::Display for OperatorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OperatorError::NotNumeric(value) => write!(f, "expected a number, got {}", describe(value)),
            OperatorError::Coerced { text, number } => {
                write!(f, "the String '{text}' was implicitly converted to the number {}", format::program_text(number))
            }
            OperatorError::NotApplicable { symbol, operand } => {
                write!(f, "operator {symbol} is not defined for {}", describe(operand))
            }
            OperatorError::NotApplicableWhen { symbol, left, right }
            | OperatorError::NotBetween { symbol, left, right } => {
                write!(f, "operator {symbol} is not defined for {} and {}", describe(left), describe(right))
            }
            OperatorError::DivisionByZero => f.write_str("division by zero"),
            OperatorError::Overflow { symbol, left, right } => {
                write!(f, "{left} {symbol} {right} does not fit into a 64-bit Integer")
            }
            OperatorError::NotFinite { symbol, result } if result.is_nan() => {
                write!(f, "the result of {symbol} is not a number")
            }
            OperatorError::NotFinite { symbol, .. } => write!(f, "the result of {symbol} is too large for a Float"),
            OperatorError::NotComparable { symbol, left, right } => {
                write!(f, "cannot compare {} {symbol} {}", describe(left), describe(right))
            }
            OperatorError::MatchNotString { left, .. } => {
                write!(f, "expected a String on the left, got {}", describe(left))
            }
            OperatorError::MatchNotPattern(value) => {
                write!(f, "expected a Regexp, a String, a type or a SemVerRange on the right, got {}", describe(value))
            }
            OperatorError::MatchBadPattern { text, reason } => {
                write!(f, "'{text}' is not a regular expression: {reason}")
            }
            OperatorError::NotAddable { left, right } => {
                let expected = if matches!(left, Value::Uri(_)) { "a URI or a String" } else { "another Binary" };
                write!(f, "expected {expected} to add to {}, got {}", describe(left), describe(right))
            }
            OperatorError::NotMergeable(value) => {
                write!(f, "expected a Hash or an Array of entries to add to a Hash, got {}", describe(value))
            }
            OperatorError::OddNumberOfEntries(count) => {
                write!(f, "expected alternating keys and values, got an odd number of elements ({count})")
            }
            OperatorError::NotAnEntry(value) => {
                write!(f, "expected an entry [key, value], got {}", describe(value))
            }
        }
    }
}
