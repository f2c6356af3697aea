//! The errors of operators, with the operand that caused each.

use crate::dictionary::{self, Kind};
use crate::error::{Error, RUNTIME_ERROR, errors};
use crate::format;
use crate::types::{Type, describe::describe};
use crate::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperandSide {
    Left,
    Right,
    Whole,
    /// In `target[keys…]`, the key with this index; the target is the left operand.
    Key(usize),
}

#[derive(Debug)]
pub(crate) struct OperandError {
    pub(crate) error: Error,
    pub(crate) side: OperandSide,
}

impl OperandError {
    pub(crate) fn at_left(error: impl Into<Error>) -> OperandError {
        OperandError { error: error.into(), side: OperandSide::Left }
    }

    pub(crate) fn at_right(error: impl Into<Error>) -> OperandError {
        OperandError { error: error.into(), side: OperandSide::Right }
    }

    pub(crate) fn at_whole(error: impl Into<Error>) -> OperandError {
        OperandError { error: error.into(), side: OperandSide::Whole }
    }

    pub(crate) fn at_key(at: usize, error: impl Into<Error>) -> OperandError {
        OperandError { error: error.into(), side: OperandSide::Key(at) }
    }
}

errors! {
    #[derive(Debug)]
    pub(super) enum OperatorError {
        /// `'a' * 2`
        NotNumeric(value: Value) => "NOT_NUMERIC",
            message("expected a number, got {}", describe(value)),
            help {
                match value {
                    Value::String(text) if text.trim().parse::<f64>().is_ok() => {
                        Some(format!("write Numeric({text:?}) to convert it"))
                    }
                    Value::Sensitive(_) => Some("`unwrap` gives the value inside: `$x.unwrap`".to_owned()),
                    _ => None,
                }
            };
        /// `'10' + 1`
        Coerced { text: String, number: Value } => "NUMERIC_COERCION",
            message("the String '{text}' was implicitly converted to the number {}", format::program_text(number)),
            help("write {} instead, or Numeric('{text}')", format::program_text(number));
        /// `1.5 << 1`
        NotApplicable { symbol: &'static str, operand: Value } => "OPERATOR_NOT_APPLICABLE",
            message("operator {symbol} is not defined for {}", describe(operand));
        /// `5 % 2.0`, `Timestamp(1) + Timestamp(1)`
        NotBetween { code: &'static str, symbol: &'static str, left: Value, right: Value } => code,
            message("operator {symbol} is not defined for {} and {}", describe(left), describe(right)),
            help {
                let is_remainder = *symbol == "%" && *code != RUNTIME_ERROR;
                is_remainder.then(|| "`%` needs Integers: Integer(…) cuts off the fraction".to_owned())
            };
        /// `1 / 0`
        DivisionByZero => "DIV_BY_ZERO",
            message("division by zero"), help("test the divisor first: `if $divisor != 0 {{ … }}`");
        /// `9223372036854775807 + 1`
        Overflow { symbol: &'static str, left: i64, right: i64 } => "NUMERIC_OVERFLOW",
            message("{left} {symbol} {right} does not fit into a 64-bit Integer");
        /// `1e308 * 10`
        NotFinite { symbol: &'static str, result: f64 } => "RESULT_IS_INFINITY",
            message("the result of {symbol} is {}", {
                if result.is_nan() { "not a number" } else { "too large for a Float" }
            });
        /// `1 < 'a'`
        NotComparable { symbol: &'static str, left: Value, right: Value } => "COMPARISON_NOT_POSSIBLE",
            message("cannot compare {} {symbol} {}", describe(left), describe(right)),
            help {
                let number = |value: &Value| match value {
                    Value::Integer(_) | Value::Float(_) => Some(format::program_text(value)),
                    Value::String(text) if text.parse::<f64>().is_ok() => Some(format!("Numeric('{text}')")),
                    _ => None,
                };
                Some(match (number(left), number(right), left, right) {
                    (Some(left), Some(right), ..) => return Some(format!("convert the string: `{left} {symbol} {right}`")),
                    (_, _, Value::Boolean(_), _) | (Some(_), _, _, Value::Type(_)) => {
                        "compare twice, `1 <= $x and $x <= 10`, or test the type: `$x =~ Integer[1, 10]`"
                    }
                    (Some(_), _, _, Value::String(_)) | (_, Some(_), Value::String(_), _) => "a String is only compared with another String",
                    _ => return None,
                }.to_owned())
            };
        /// `1 =~ /1/`
        MatchNotString { left: Value, right: Value } => "MATCH_NOT_STRING",
            message("expected a String on the left, got {}", describe(left)),
            help {
                let name = if let Value::String(name) = right { name } else { "" };
                Some(match (Type::named(name), dictionary::find_word(name, &[Kind::Type])) {
                    (Some(type_), _) => format!("did you mean the type {type_}?"),
                    (None, Some(word)) => word.advice.to_owned(),
                    (None, None) if matches!(left, Value::Regexp(_)) => {
                        "write the string on the left and the pattern on the right: `'abc' =~ /b/`".to_owned()
                    }
                    (None, None) if matches!(left, Value::Type(_)) => {
                        "write the value on the left and the type on the right".to_owned()
                    }
                    (None, None) => "convert the left side with String(…), or match against a type".to_owned(),
                })
            };
        /// `'a' =~ 5`
        MatchNotPattern(value: Value) => "MATCH_NOT_REGEXP",
            message("expected a Regexp, a String, a type or a SemVerRange on the right, got {}", describe(value)),
            help("{}", if matches!(value, Value::Array(_)) {
                "an element of an Array is found by `in`: `'a' in ['a', 'b']`; a type is on the right: `5 =~ Integer`"
            } else {
                "the value is on the left and the type or pattern on the right: `5 =~ Integer`; compare values with `==`"
            });
        /// `'a' =~ '['`
        MatchBadPattern { text: String, reason: String } => "MATCH_NOT_REGEXP",
            message("'{text}' is not a regular expression: {reason}");
        /// `URI('http://h') + 1`
        NotAddable { left: Value, right: Value } => RUNTIME_ERROR,
            message("expected {} to add to {}, got {}", {
                if matches!(left, Value::Uri(_)) { "a URI or a String" } else { "another Binary" }
            }, describe(left), describe(right));
        /// `{a => 1} + 1`
        NotMergeable(value: Value) => RUNTIME_ERROR,
            message("expected a Hash or an Array of entries to add to a Hash, got {}", describe(value));
        /// `{a => 1} + [b]`
        OddNumberOfEntries(count: usize) => RUNTIME_ERROR,
            message("expected alternating keys and values, got an odd number of elements ({count})");
        /// `{a => 1} + [[b, 2, 3]]`
        NotAnEntry(value: Value) => RUNTIME_ERROR,
            message("expected an entry [key, value], got {}", describe(value));
    }
}
