//! What goes wrong between two operands, and which of them is to blame.

use std::fmt;

use crate::error::{Error, Kind};
use crate::format;
use crate::types::Type;
use crate::types::relation::mismatch::described;
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
pub(crate) struct Fault {
    pub(crate) error: Error,
    pub(crate) side: Side,
}

impl Fault {
    pub(crate) fn left(error: impl Into<Error>) -> Fault {
        Fault { error: error.into(), side: Side::Left }
    }

    pub(crate) fn right(error: impl Into<Error>) -> Fault {
        Fault { error: error.into(), side: Side::Right }
    }

    pub(crate) fn whole(error: impl Into<Error>) -> Fault {
        Fault { error: error.into(), side: Side::Whole }
    }
}

/// What can be wrong with the operands of an operator.
#[derive(Debug)]
pub(super) enum Wrong {
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

impl Kind for Wrong {
    fn issue(&self) -> &'static str {
        match self {
            Wrong::NotNumeric(_) => "NOT_NUMERIC",
            Wrong::Coerced { .. } => "NUMERIC_COERCION",
            Wrong::NotApplicable { .. } => "OPERATOR_NOT_APPLICABLE",
            Wrong::NotApplicableWhen { .. } => "OPERATOR_NOT_APPLICABLE_WHEN",
            Wrong::DivisionByZero => "DIV_BY_ZERO",
            Wrong::Overflow { .. } => "NUMERIC_OVERFLOW",
            Wrong::NotFinite { .. } => "RESULT_IS_INFINITY",
            Wrong::NotComparable { .. } => "COMPARISON_NOT_POSSIBLE",
            Wrong::MatchNotString { .. } => "MATCH_NOT_STRING",
            Wrong::MatchNotPattern(_) | Wrong::MatchBadPattern { .. } => "MATCH_NOT_REGEXP",
            Wrong::NotBetween { .. }
            | Wrong::NotAddable { .. }
            | Wrong::NotMergeable(_)
            | Wrong::OddNumberOfEntries(_)
            | Wrong::NotAnEntry(_) => crate::error::RUNTIME_ERROR,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Wrong::NotNumeric(Value::String(text)) if text.trim().parse::<f64>().is_ok() => {
                Some(format!("write Numeric({text:?}) to convert it"))
            }
            Wrong::Coerced { text, number } => {
                Some(format!("write {} instead, or Numeric('{text}')", format::program_text(number)))
            }
            Wrong::NotComparable { left: Value::String(_), right: Value::Integer(_) | Value::Float(_), .. }
            | Wrong::NotComparable { left: Value::Integer(_) | Value::Float(_), right: Value::String(_), .. } => {
                Some("convert one side first: Numeric('…') or String(…)".to_owned())
            }
            Wrong::MatchNotString { right, .. } => {
                let lower_case = match right {
                    Value::String(name) => Type::named(name).map(|type_| format!("did you mean the type {type_}?")),
                    _ => None,
                };
                Some(
                    lower_case
                        .unwrap_or_else(|| "convert the left side with String(…), or match against a type".into()),
                )
            }
            Wrong::NotApplicableWhen { symbol: "%", .. } => {
                Some("`%` needs Integers: Integer(…) cuts off the fraction".into())
            }
            _ => None,
        }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wrong::NotNumeric(value) => write!(f, "expected a number, got {}", described(value)),
            Wrong::Coerced { text, number } => {
                write!(f, "the String '{text}' was implicitly converted to the number {}", format::program_text(number))
            }
            Wrong::NotApplicable { symbol, operand } => {
                write!(f, "operator {symbol} is not defined for {}", described(operand))
            }
            Wrong::NotApplicableWhen { symbol, left, right } | Wrong::NotBetween { symbol, left, right } => {
                write!(f, "operator {symbol} is not defined for {} and {}", described(left), described(right))
            }
            Wrong::DivisionByZero => f.write_str("division by zero"),
            Wrong::Overflow { symbol, left, right } => {
                write!(f, "{left} {symbol} {right} does not fit into a 64-bit Integer")
            }
            Wrong::NotFinite { symbol, result } if result.is_nan() => {
                write!(f, "the result of {symbol} is not a number")
            }
            Wrong::NotFinite { symbol, .. } => write!(f, "the result of {symbol} is too large for a Float"),
            Wrong::NotComparable { symbol, left, right } => {
                write!(f, "cannot compare {} {symbol} {}", described(left), described(right))
            }
            Wrong::MatchNotString { left, .. } => write!(f, "expected a String on the left, got {}", described(left)),
            Wrong::MatchNotPattern(value) => {
                write!(f, "expected a Regexp, a String, a type or a SemVerRange on the right, got {}", described(value))
            }
            Wrong::MatchBadPattern { text, reason } => write!(f, "'{text}' is not a regular expression: {reason}"),
            Wrong::NotAddable { left, right } => {
                let expected = if matches!(left, Value::Uri(_)) { "a URI or a String" } else { "another Binary" };
                write!(f, "expected {expected} to add to {}, got {}", described(left), described(right))
            }
            Wrong::NotMergeable(value) => {
                write!(f, "expected a Hash or an Array of entries to add to a Hash, got {}", described(value))
            }
            Wrong::OddNumberOfEntries(count) => {
                write!(f, "expected alternating keys and values, got an odd number of elements ({count})")
            }
            Wrong::NotAnEntry(value) => {
                write!(f, "expected an entry [key, value], got {}", described(value))
            }
        }
    }
}
