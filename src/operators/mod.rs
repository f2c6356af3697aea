//! The operators on values: one file per family, one row per operator.
//!
//! An operator maps two values to one. It does not know the location of its operands: an [`OperandError`] says which
//! side is to blame, and the evaluator turns that into a location. `and`, `or` and `=~` are implemented by the
//! evaluator, because they decide whether the right side is evaluated at all, or set match variables.

pub(crate) mod access;
mod arithmetic;
mod collections;
mod comparison;
pub(crate) mod equality;
mod error;
pub(crate) mod matching;
mod membership;
mod times;

use crate::error::{Error, Result};
use crate::types::Example;
pub(crate) use crate::types::relation::mismatch::describe;
use crate::value::Value;
pub(crate) use arithmetic::negated;
pub(crate) use error::{OperandError, Side};
pub(crate) use matching::{matches, option_matches};
pub(crate) use membership::is_in;

/// What an operator may ask of the evaluator.
pub(crate) trait Host {
    /// What is not wrong enough to stop at, or is, by the strictness: under `error` the `Err` ends the evaluation.
    fn warn_or_fail(&mut self, error: Error) -> Result<()>;
}

/// A row of the table.
#[derive(Debug)]
pub struct Operator {
    /// `+`
    pub symbol: &'static str,
    /// One line, lower case, no full stop.
    pub summary: &'static str,
    /// Run by the tests, shown by `:doc`.
    pub examples: &'static [Example],
    pub(crate) apply: Apply,
    /// What it does with two Integers, which is most of what programs calculate.
    pub(crate) of_integers: Option<OfIntegers>,
}

/// An operator on two Integers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OfIntegers {
    Multiply,
    Divide,
    Modulo,
    Plus,
    Minus,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Operator {
    /// The value of the operator where that needs nobody to be asked and nothing goes wrong: [`Operator::apply`] gives the
    /// same.
    #[inline]
    pub(crate) fn quick(&self, left: &Value, right: &Value) -> Option<Value> {
        match (left, right) {
            (Value::Integer(left), Value::Integer(right)) => self.of_integers?.apply(*left, *right),
            _ => None,
        }
    }

    /// As [`Operator::quick`], also for values that take longer.
    pub(crate) fn easy(&self, left: &Value, right: &Value) -> Option<Value> {
        match self.of_integers {
            // A type may be one that cannot be used, which is an error.
            _ if matches!(left, Value::Type(_)) => None,
            Some(OfIntegers::Equal) => Some(equality::equals(left, right).into()),
            Some(OfIntegers::NotEqual) => Some((!equality::equals(left, right)).into()),
            _ => self.quick(left, right),
        }
    }
}

impl OfIntegers {
    /// Whether the result is an Integer, if there is one.
    pub(crate) fn calculates(self) -> bool {
        use OfIntegers as Of;
        matches!(self, Of::Multiply | Of::Divide | Of::Modulo | Of::Plus | Of::Minus)
    }

    /// The result that is an Integer; `None` if it is not, or there is none.
    #[inline]
    pub(crate) fn calculate(self, left: i64, right: i64) -> Option<i64> {
        match self {
            OfIntegers::Multiply => left.checked_mul(right),
            OfIntegers::Divide => arithmetic::floor_quotient(left, right),
            OfIntegers::Modulo => arithmetic::floor_remainder(left, right),
            OfIntegers::Plus => left.checked_add(right),
            OfIntegers::Minus => left.checked_sub(right),
            OfIntegers::Equal
            | OfIntegers::NotEqual
            | OfIntegers::Less
            | OfIntegers::LessOrEqual
            | OfIntegers::Greater
            | OfIntegers::GreaterOrEqual => None,
        }
    }

    /// The result; `None` if there is none.
    #[inline]
    pub(crate) fn apply(self, left: i64, right: i64) -> Option<Value> {
        Some(Value::Boolean(match self {
            OfIntegers::Equal => left == right,
            OfIntegers::NotEqual => left != right,
            OfIntegers::Less => left < right,
            OfIntegers::LessOrEqual => left <= right,
            OfIntegers::Greater => left > right,
            OfIntegers::GreaterOrEqual => left >= right,
            calculating => return calculating.calculate(left, right).map(Value::Integer),
        }))
    }
}

/// The behaviour of an operator.
pub(crate) type Apply = fn(&Value, &Value, &mut dyn Host) -> Result<Value, OperandError>;

/// The row of the operator written as `symbol`.
pub fn named(symbol: &str) -> Option<&'static Operator> {
    TABLE.iter().find(|operator| operator.symbol == symbol)
}

const fn example(code: &'static str, answer: &'static str) -> Example {
    Example { code, answer }
}

/// `left == right`; of types, one may be of no use.
fn equal(left: &Value, right: &Value) -> Result<bool, OperandError> {
    match (left, right) {
        (Value::Type(left), Value::Type(right)) => left.test_equals(right).map_err(comparison::not_comparable),
        _ => Ok(equality::equals(left, right)),
    }
}

/// Every operator with two operands that are both evaluated, in the order of the language specification.
pub static TABLE: &[Operator] = &[
    Operator {
        symbol: "in",
        summary: "whether the right value contains the left one; ignores case in strings",
        examples: &[
            example("'eat' in 'BEATEN'", "true"),
            example("/^b/ in ['abc', 'bcd']", "true"),
            example("Integer in [1, 'a']", "true"),
            example("5 in {5 => 'a'}", "true"),
        ],
        apply: |left, right, _| membership::is_in(left, right).map(|(found, _)| found.into()),
        of_integers: None,
    },
    Operator {
        symbol: "*",
        summary: "product of two numbers; a Timespan times a number",
        examples: &[example("6 * 7", "42"), example("'a' * 2", "error NOT_NUMERIC")],
        apply: arithmetic::multiply,
        of_integers: Some(OfIntegers::Multiply),
    },
    Operator {
        symbol: "/",
        summary: "quotient; of two Integers rounded down",
        examples: &[example("-7 / 2", "-4"), example("7 / 2.0", "3.5"), example("1 / 0", "error DIV_BY_ZERO")],
        apply: arithmetic::divide,
        of_integers: Some(OfIntegers::Divide),
    },
    Operator {
        symbol: "%",
        summary: "remainder of two Integers, with the sign of the right one",
        examples: &[example("-7 % 3", "2"), example("5.5 % 2", "error OPERATOR_NOT_APPLICABLE")],
        apply: arithmetic::modulo,
        of_integers: Some(OfIntegers::Modulo),
    },
    Operator {
        symbol: "+",
        summary: "sum of numbers or times, concatenation of Arrays, merge of Hashes, resolution of URIs",
        examples: &[
            example("1 + 2.5", "3.5"),
            example("[1] + [2]", "[1, 2]"),
            example("{a => 1} + {a => 2}", "{'a' => 2}"),
            example("9223372036854775807 + 1", "error NUMERIC_OVERFLOW"),
        ],
        apply: arithmetic::plus,
        of_integers: Some(OfIntegers::Plus),
    },
    Operator {
        symbol: "-",
        summary: "difference of numbers or times; removes elements from an Array or keys from a Hash",
        examples: &[
            example("5 - 7", "-2"),
            example("[1, 2, 3] - [2]", "[1, 3]"),
            example("{a => 1, b => 2} - 'a'", "{'b' => 2}"),
            example("'a' - 'b'", "error NOT_NUMERIC"),
        ],
        apply: arithmetic::minus,
        of_integers: Some(OfIntegers::Minus),
    },
    Operator {
        symbol: "<<",
        summary: "an Array with one more element; an Integer shifted left",
        examples: &[
            example("[1] << [2]", "[1, [2]]"),
            example("1 << 4", "16"),
            example("1.5 << 1", "error OPERATOR_NOT_APPLICABLE"),
        ],
        apply: arithmetic::shift_left,
        of_integers: None,
    },
    Operator {
        symbol: ">>",
        summary: "an Integer shifted right",
        examples: &[example("16 >> 2", "4"), example("2.5 >> 1", "error OPERATOR_NOT_APPLICABLE")],
        apply: arithmetic::shift_right,
        of_integers: None,
    },
    Operator {
        symbol: "==",
        summary: "equality; ignores case in strings, compares numbers by value",
        examples: &[example("'A' == 'a'", "true"), example("1 == 1.0", "true"), example("1 == '1'", "false")],
        apply: |left, right, _| Ok(equal(left, right)?.into()),
        of_integers: Some(OfIntegers::Equal),
    },
    Operator {
        symbol: "!=",
        summary: "inequality",
        examples: &[example("'A' != 'a'", "false")],
        apply: |left, right, _| Ok((!equal(left, right)?).into()),
        of_integers: Some(OfIntegers::NotEqual),
    },
    Operator {
        symbol: "<",
        summary: "order of numbers, strings, times and versions; a narrower type",
        examples: &[
            example("'a' < 'B'", "true"),
            example("Integer < Numeric", "true"),
            example("1 < 'a'", "error COMPARISON_NOT_POSSIBLE"),
        ],
        apply: comparison::less,
        of_integers: Some(OfIntegers::Less),
    },
    Operator {
        symbol: "<=",
        summary: "order or equality; a narrower or equal type",
        examples: &[
            example("1 <= 1.0", "true"),
            example("Integer <= Integer", "true"),
            example("'10' <= 9", "error COMPARISON_NOT_POSSIBLE"),
        ],
        apply: comparison::less_or_equal,
        of_integers: Some(OfIntegers::LessOrEqual),
    },
    Operator {
        symbol: ">",
        summary: "order of numbers, strings, times and versions; a wider type",
        examples: &[
            example("Integer[1, 10] > Integer[2, 3]", "true"),
            example("'a' > 1", "error COMPARISON_NOT_POSSIBLE"),
        ],
        apply: comparison::greater,
        of_integers: Some(OfIntegers::Greater),
    },
    Operator {
        symbol: ">=",
        summary: "order or equality; a wider or equal type",
        examples: &[example("2.5 >= 2", "true"), example("[2] >= [1]", "error COMPARISON_NOT_POSSIBLE")],
        apply: comparison::greater_or_equal,
        of_integers: Some(OfIntegers::GreaterOrEqual),
    },
];
