//! The operators on values: one file per family, one row per operator.
//!
//! `syntax::operators` says how an operator is written and how tightly it binds; the row here with the same number says
//! what it does. The compiler demands the second row for each of the first. An operator does not know the location of its
//! operands: an [`OperandError`] says which side is to blame, and the evaluator turns that into a location.

pub(crate) mod access;
mod arithmetic;
mod collections;
mod comparison;
pub(crate) mod equality;
mod error;
pub(crate) mod matching;
mod membership;
mod numeric;
mod times;

use crate::error::{Error, Result};
use crate::syntax::operators as precedence;
use crate::syntax::tree::{BinaryOperator, UnaryOperator};
pub(crate) use crate::types::describe::describe;
use crate::types::{Example, example};
use crate::value::Value;
pub(crate) use comparison::order;
pub(crate) use equality::equals_exactly;
pub(crate) use error::{OperandError, Side};
pub(crate) use matching::{Matched, option_matches};

/// What an operator may ask of the evaluator.
pub(crate) trait Host {
    /// What is not wrong enough to stop at, or is, by the strictness: under `error` the `Err` ends the evaluation.
    fn warn_or_fail(&mut self, error: Error) -> Result<()>;
}

/// A row of the table.
///
/// ```
/// let [row] = pcore::operators::named("=~").collect::<Vec<_>>()[..] else { panic!("one row") };
/// assert_eq!(row.signatures[0], "Any =~ Type >> Boolean");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Operator {
    /// `+`
    pub symbol: &'static str,
    /// One line, lower case, no full stop.
    pub summary: &'static str,
    /// The types of the operands and of the result: `Numeric + Numeric >> Numeric`.
    pub signatures: &'static [&'static str],
    /// Run by the tests, shown by `:doc`.
    pub examples: &'static [Example],
    pub(crate) body: Body,
}

/// Which operands are evaluated, and what is made of them.
#[derive(Debug)]
pub(crate) enum Body {
    /// Both.
    Strict {
        apply: Apply,
        /// What it does with two Integers, which is most of what programs calculate.
        of_integers: Option<OfIntegers>,
        /// What it does with an Array or a Hash on the left, if it makes a longer one of it.
        grow: Option<Grow>,
    },
    /// Both; a regular expression sets the match variables.
    Matching { find: Find, is_negated: bool },
    /// The right one only if the left one is not already `decided_by`.
    Lazy { decided_by: bool },
    /// Both, which have to be references to resources or classes.
    Relationship,
    /// The only one.
    Prefix(ApplyPrefix),
    /// The only one, whose elements take its place in a list.
    Unfold,
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
    /// What it does with two Integers, if that is all it needs to know.
    #[inline]
    pub(crate) fn of_integers(&self) -> Option<OfIntegers> {
        if let Body::Strict { of_integers, .. } = self.body { of_integers } else { None }
    }

    /// The value of the operator where that needs no host and nothing goes wrong: [`Body::Strict`] gives the same.
    #[inline]
    pub(crate) fn quick(&self, left: &Value, right: &Value) -> Option<Value> {
        match (left, right) {
            (Value::Integer(left), Value::Integer(right)) => self.of_integers()?.apply(*left, *right),
            _ => None,
        }
    }

    /// What the operator makes of the operands. An Array or Hash on the left grows in place if nobody else holds it.
    pub(crate) fn apply(
        &self,
        apply: Apply,
        left: Value,
        right: &Value,
        host: &mut dyn Host,
    ) -> Result<Value, OperandError> {
        match (&self.body, left) {
            (Body::Strict { grow: Some(grow), .. }, left @ (Value::Array(_) | Value::Hash(_))) => grow(left, right),
            (_, left) => apply(&left, right, host),
        }
    }

    /// As [`Operator::quick`], also for values that take longer.
    pub(crate) fn easy(&self, left: &Value, right: &Value) -> Option<Value> {
        match self.of_integers() {
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
            OfIntegers::Divide => numeric::floor_quotient(left, right),
            OfIntegers::Modulo => numeric::floor_remainder(left, right),
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

    /// The result that is a Boolean; `None` if it is not.
    #[inline]
    pub(crate) fn compare(self, left: i64, right: i64) -> Option<bool> {
        Some(match self {
            OfIntegers::Equal => left == right,
            OfIntegers::NotEqual => left != right,
            OfIntegers::Less => left < right,
            OfIntegers::LessOrEqual => left <= right,
            OfIntegers::Greater => left > right,
            OfIntegers::GreaterOrEqual => left >= right,
            OfIntegers::Multiply | OfIntegers::Divide | OfIntegers::Modulo | OfIntegers::Plus | OfIntegers::Minus => {
                return None;
            }
        })
    }

    /// The result; `None` if there is none.
    #[inline]
    pub(crate) fn apply(self, left: i64, right: i64) -> Option<Value> {
        match self.compare(left, right) {
            Some(holds) => Some(Value::Boolean(holds)),
            None => self.calculate(left, right).map(Value::Integer),
        }
    }
}

/// Makes an Array or a Hash longer.
type Grow = fn(Value, &Value) -> Result<Value, OperandError>;

/// The behaviour of an operator that wants the values of both operands.
pub(crate) type Apply = fn(&Value, &Value, &mut dyn Host) -> Result<Value, OperandError>;

/// The behaviour of an operator before its operand.
pub(crate) type ApplyPrefix = fn(&Value, &mut dyn Host) -> Result<Value, OperandError>;

/// Whether two values match, and the match of a regular expression.
pub(crate) type Find = fn(&Value, &Value) -> Result<(bool, Matched), OperandError>;

/// The rows of the operators written as `symbol`: `-` stands between two operands or before one.
///
/// ```
/// assert_eq!(pcore::operators::named("-").count(), 2);
/// assert_eq!(pcore::operators::named("plus").count(), 0);
/// ```
pub fn named(symbol: &str) -> impl Iterator<Item = &'static Operator> {
    TABLE.iter().filter(move |operator| operator.symbol == symbol)
}

/// The row of an operator between two operands.
#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) fn binary(operator: BinaryOperator) -> &'static Operator {
    &TABLE[operator as usize]
}

/// The row of an operator before its operand.
#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) fn prefix(operator: UnaryOperator) -> &'static Operator {
    &TABLE[precedence::TABLE.len() + operator as usize]
}

/// `left == right`; of types, one may be of no use.
fn equal(left: &Value, right: &Value) -> Result<bool, OperandError> {
    match (left, right) {
        (Value::Type(left), Value::Type(right)) => left.test_equals(right).map_err(comparison::not_comparable),
        _ => Ok(equality::equals(left, right)),
    }
}

/// How many rows there are.
const ROWS: usize = precedence::TABLE.len() + precedence::PREFIXES.len();

/// Every operator, in the order of `syntax::operators`: those between two operands, then those before one.
pub static TABLE: [Operator; ROWS] = [
    Operator {
        symbol: "in",
        summary: "whether the right value contains the left one; ignores case in strings",
        signatures: &[
            "Any in Collection >> Boolean",
            "Any in Variant[String, Binary] >> Boolean",
            "Variant[SemVer, String] in SemVerRange >> Boolean",
        ],
        examples: &[
            example("'eat' in 'BEATEN'", "true"),
            example("/^b/ in ['abc', 'bcd']", "true"),
            example("Integer in [1, 'a']", "true"),
            example("5 in {5 => 'a'}", "true"),
        ],
        body: Body::Matching { find: membership::is_in, is_negated: false },
    },
    Operator {
        symbol: "=~",
        summary: "whether a value is an instance of a type, or a String or version matches; sets `$0`, `$1`, …",
        signatures: &[
            "Any =~ Type >> Boolean",
            "String =~ Variant[Regexp, String] >> Boolean",
            "Any =~ SemVerRange >> Boolean",
        ],
        examples: &[
            example("5 =~ Integer[1, 10]", "true"),
            example("['abc-12' =~ /(\\w+)-(\\d+)/, $2]", "[true, '12']"),
            example("SemVer('1.2.3') =~ SemVerRange('1.x')", "true"),
            example("1 =~ 2", "error MATCH_NOT_REGEXP"),
        ],
        body: Body::Matching { find: matching::matches, is_negated: false },
    },
    Operator {
        symbol: "!~",
        summary: "the opposite of `=~`",
        signatures: &[
            "Any !~ Type >> Boolean",
            "String !~ Variant[Regexp, String] >> Boolean",
            "Any !~ SemVerRange >> Boolean",
        ],
        examples: &[
            example("5 !~ String", "true"),
            example("'abc' !~ /b/", "false"),
            example("1 !~ /a/", "error MATCH_NOT_STRING"),
        ],
        body: Body::Matching { find: matching::matches, is_negated: true },
    },
    Operator {
        symbol: "*",
        summary: "product of two numbers; a Timespan times a number",
        signatures: &[
            "Numeric * Numeric >> Numeric",
            "Timespan * Numeric >> Timespan",
            "Numeric * Timespan >> Timespan",
        ],
        examples: &[example("6 * 7", "42"), example("'a' * 2", "error NOT_NUMERIC")],
        body: Body::Strict { apply: arithmetic::multiply, of_integers: Some(OfIntegers::Multiply), grow: None },
    },
    Operator {
        symbol: "/",
        summary: "quotient; of two Integers rounded down",
        signatures: &[
            "Integer / Integer >> Integer",
            "Numeric / Numeric >> Float",
            "Timespan / Numeric >> Timespan",
            "Timespan / Timespan >> Float",
        ],
        examples: &[example("-7 / 2", "-4"), example("7 / 2.0", "3.5"), example("1 / 0", "error DIV_BY_ZERO")],
        body: Body::Strict { apply: arithmetic::divide, of_integers: Some(OfIntegers::Divide), grow: None },
    },
    Operator {
        symbol: "%",
        summary: "remainder of two Integers, with the sign of the right one",
        signatures: &["Integer % Integer >> Integer", "Timespan % Integer >> Integer"],
        examples: &[example("-7 % 3", "2"), example("5.5 % 2", "error OPERATOR_NOT_APPLICABLE")],
        body: Body::Strict { apply: arithmetic::modulo, of_integers: Some(OfIntegers::Modulo), grow: None },
    },
    Operator {
        symbol: "+",
        summary: "sum of numbers or times, concatenation of Arrays, merge of Hashes, resolution of URIs",
        signatures: &[
            "Numeric + Numeric >> Numeric",
            "Array + Any >> Array",
            "Hash + Collection >> Hash",
            "Variant[Numeric, Timespan] + Timespan >> Timespan",
            "Timespan + Numeric >> Timespan",
            "Timestamp + Variant[Numeric, Timespan] >> Timestamp",
            "Variant[Numeric, Timespan] + Timestamp >> Timestamp",
            "URI + Variant[URI, String] >> URI",
            "Binary + Binary >> Binary",
        ],
        examples: &[
            example("1 + 2.5", "3.5"),
            example("[1] + [2]", "[1, 2]"),
            example("{a => 1} + {a => 2}", "{'a' => 2}"),
            example("9223372036854775807 + 1", "error NUMERIC_OVERFLOW"),
        ],
        body: Body::Strict {
            apply: arithmetic::plus,
            of_integers: Some(OfIntegers::Plus),
            grow: Some(collections::sum),
        },
    },
    Operator {
        symbol: "-",
        summary: "difference of numbers or times; removes elements from an Array or keys from a Hash",
        signatures: &[
            "Numeric - Numeric >> Numeric",
            "Array - Any >> Array",
            "Hash - Any >> Hash",
            "Variant[Numeric, Timespan] - Timespan >> Timespan",
            "Timespan - Numeric >> Timespan",
            "Timestamp - Timestamp >> Timespan",
            "Timestamp - Variant[Numeric, Timespan] >> Timestamp",
        ],
        examples: &[
            example("5 - 7", "-2"),
            example("[1, 2, 3] - [2]", "[1, 3]"),
            example("{a => 1, b => 2} - 'a'", "{'b' => 2}"),
            example("'a' - 'b'", "error NOT_NUMERIC"),
        ],
        body: Body::Strict { apply: arithmetic::minus, of_integers: Some(OfIntegers::Minus), grow: None },
    },
    Operator {
        symbol: "<<",
        summary: "an Array with one more element; an Integer shifted left",
        signatures: &["Array << Any >> Array", "Integer << Numeric >> Integer"],
        examples: &[
            example("[1] << [2]", "[1, [2]]"),
            example("1 << 4", "16"),
            example("1.5 << 1", "error OPERATOR_NOT_APPLICABLE"),
        ],
        body: Body::Strict { apply: arithmetic::shift_left, of_integers: None, grow: Some(collections::appended) },
    },
    Operator {
        symbol: ">>",
        summary: "an Integer shifted right",
        signatures: &["Integer >> Numeric >> Integer"],
        examples: &[example("16 >> 2", "4"), example("2.5 >> 1", "error OPERATOR_NOT_APPLICABLE")],
        body: Body::Strict { apply: arithmetic::shift_right, of_integers: None, grow: None },
    },
    Operator {
        symbol: "==",
        summary: "equality; ignores case in strings, compares numbers by value",
        signatures: &["Any == Any >> Boolean"],
        examples: &[example("'A' == 'a'", "true"), example("1 == 1.0", "true"), example("1 == '1'", "false")],
        body: Body::Strict {
            apply: |left, right, _| Ok(equal(left, right)?.into()),
            of_integers: Some(OfIntegers::Equal),
            grow: None,
        },
    },
    Operator {
        symbol: "!=",
        summary: "inequality",
        signatures: &["Any != Any >> Boolean"],
        examples: &[example("'A' != 'a'", "false")],
        body: Body::Strict {
            apply: |left, right, _| Ok((!equal(left, right)?).into()),
            of_integers: Some(OfIntegers::NotEqual),
            grow: None,
        },
    },
    Operator {
        symbol: ">=",
        summary: "order or equality; a wider or equal type",
        signatures: &[
            "Variant[Numeric, Timespan, Timestamp] >= Variant[Numeric, Timespan, Timestamp] >> Boolean",
            "String >= String >> Boolean",
            "SemVer >= SemVer >> Boolean",
            "Type >= Any >> Boolean",
        ],
        examples: &[example("2.5 >= 2", "true"), example("[2] >= [1]", "error COMPARISON_NOT_POSSIBLE")],
        body: Body::Strict {
            apply: comparison::greater_or_equal,
            of_integers: Some(OfIntegers::GreaterOrEqual),
            grow: None,
        },
    },
    Operator {
        symbol: "<=",
        summary: "order or equality; a narrower or equal type",
        signatures: &[
            "Variant[Numeric, Timespan, Timestamp] <= Variant[Numeric, Timespan, Timestamp] >> Boolean",
            "String <= String >> Boolean",
            "SemVer <= SemVer >> Boolean",
            "Type <= Any >> Boolean",
        ],
        examples: &[
            example("1 <= 1.0", "true"),
            example("Integer <= Integer", "true"),
            example("'10' <= 9", "error COMPARISON_NOT_POSSIBLE"),
        ],
        body: Body::Strict { apply: comparison::less_or_equal, of_integers: Some(OfIntegers::LessOrEqual), grow: None },
    },
    Operator {
        symbol: ">",
        summary: "order of numbers, strings, times and versions; a wider type",
        signatures: &[
            "Variant[Numeric, Timespan, Timestamp] > Variant[Numeric, Timespan, Timestamp] >> Boolean",
            "String > String >> Boolean",
            "SemVer > SemVer >> Boolean",
            "Type > Any >> Boolean",
        ],
        examples: &[
            example("Integer[1, 10] > Integer[2, 3]", "true"),
            example("'a' > 1", "error COMPARISON_NOT_POSSIBLE"),
        ],
        body: Body::Strict { apply: comparison::greater, of_integers: Some(OfIntegers::Greater), grow: None },
    },
    Operator {
        symbol: "<",
        summary: "order of numbers, strings, times and versions; a narrower type",
        signatures: &[
            "Variant[Numeric, Timespan, Timestamp] < Variant[Numeric, Timespan, Timestamp] >> Boolean",
            "String < String >> Boolean",
            "SemVer < SemVer >> Boolean",
            "Type < Any >> Boolean",
        ],
        examples: &[
            example("'a' < 'B'", "true"),
            example("Integer < Numeric", "true"),
            example("1 < 'a'", "error COMPARISON_NOT_POSSIBLE"),
        ],
        body: Body::Strict { apply: comparison::less, of_integers: Some(OfIntegers::Less), grow: None },
    },
    Operator {
        symbol: "and",
        summary: "whether both are true; only `undef` and `false` are not. Evaluates the right side only if the left one is true",
        signatures: &["Any and Any >> Boolean"],
        examples: &[example("true and ''", "true"), example("undef and fail('never evaluated')", "false")],
        body: Body::Lazy { decided_by: false },
    },
    Operator {
        symbol: "or",
        summary: "whether one is true; evaluates the right side only if the left one is not",
        signatures: &["Any or Any >> Boolean"],
        examples: &[example("false or 0", "true"), example("true or fail('never evaluated')", "true")],
        body: Body::Lazy { decided_by: true },
    },
    Operator {
        symbol: "->",
        summary: "orders resources: the left one is applied before the right one; the value is the right side as an Array",
        signatures: &["Any -> Any >> Array[Type]"],
        examples: &[
            example("File['/a'] -> File['/b']", "[File['/b']]"),
            example("File['/a'] -> 3", "error ILLEGAL_RELATIONSHIP_OPERAND_TYPE"),
        ],
        body: Body::Relationship,
    },
    Operator {
        symbol: "<-",
        summary: "orders resources: the left one is applied after the right one; the value is the right side as an Array",
        signatures: &["Any <- Any >> Array[Type]"],
        examples: &[
            example("File['/a'] <- File['/b']", "[File['/b']]"),
            example("File['/a'] <- 3", "error ILLEGAL_RELATIONSHIP_OPERAND_TYPE"),
        ],
        body: Body::Relationship,
    },
    Operator {
        symbol: "~>",
        summary: "orders resources as `->` does, and refreshes the right one when the left one changes; the value is the right side as an Array",
        signatures: &["Any ~> Any >> Array[Type]"],
        examples: &[
            example("File['/a'] ~> File['/b']", "[File['/b']]"),
            example("File['/a'] ~> 3", "error ILLEGAL_RELATIONSHIP_OPERAND_TYPE"),
        ],
        body: Body::Relationship,
    },
    Operator {
        symbol: "<~",
        summary: "orders resources as `<-` does, and refreshes the left one when the right one changes; the value is the right side as an Array",
        signatures: &["Any <~ Any >> Array[Type]"],
        examples: &[
            example("File['/a'] <~ File['/b']", "[File['/b']]"),
            example("File['/a'] <~ 3", "error ILLEGAL_RELATIONSHIP_OPERAND_TYPE"),
        ],
        body: Body::Relationship,
    },
    Operator {
        symbol: "-",
        summary: "the negative of a number or Timespan",
        signatures: &["- Numeric >> Numeric", "- Timespan >> Timespan"],
        examples: &[example("-(2 + 3)", "-5"), example("-'a'", "error NOT_NUMERIC")],
        body: Body::Prefix(arithmetic::negated),
    },
    Operator {
        symbol: "!",
        summary: "true for `undef` and `false`, otherwise false",
        signatures: &["! Any >> Boolean"],
        examples: &[example("!undef", "true"), example("!0", "false")],
        body: Body::Prefix(|value, _| Ok((!value.is_true()).into())),
    },
    Operator {
        symbol: "*",
        summary: "the elements of an Array or the entries of a Hash as separate values, in a list or in arguments",
        signatures: &["* Any >> Array"],
        examples: &[example("[0, *[1, 2]]", "[0, 1, 2]"), example("[*{a => 1}]", "[['a', 1]]")],
        body: Body::Unfold,
    },
];

/// The rows are in the order of `syntax::operators`, or nothing is compiled.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const _: () = {
    let mut row = 0;
    while row < ROWS {
        let of_infix = precedence::TABLE.len();
        let written = if row < of_infix { precedence::TABLE[row].text } else { precedence::PREFIXES[row - of_infix].0 };
        assert!(is_same(TABLE[row].symbol, written), "operators::TABLE has another order than syntax::operators");
        row += 1;
    }
};

/// `==`, at compile time.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}
