//! The operators on values: a table with a row for each operator, and a file for each family of operators.
//!
//! `syntax::operators` defines how each operator is written and how tightly it binds; the row with the same index in
//! this table defines what it does. The compiler checks that every operator has a row. An [`OperandError`] says which
//! operand caused it; only the evaluator knows its location.

pub(crate) mod access;
mod arithmetic;
mod collections;
mod comparison;
pub(crate) mod equality;
mod error;
pub(crate) mod matching;
mod membership;
mod times;

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Sub};

use crate::error::{Error, Result};
use crate::syntax::operators as precedence;
use crate::syntax::tree::{BinaryOperator, UnaryOperator};
pub(crate) use crate::types::describe::describe;
use crate::types::{Example, Type, new_example};
use crate::value::Value;
use comparison::compare_operands;
pub(crate) use comparison::compare_values;
pub(crate) use equality::equals_in_ruby;
pub(crate) use error::{OperandError, OperandSide};
pub(crate) use matching::{Matched, option_matches};

/// Reports an error of Puppet 8's strict mode: as a warning or, under the strictness `error`, as an `Err`.
pub(crate) type Warn<'w> = dyn FnMut(Error) -> Result<()> + 'w;

/// An operator: a row of the table.
///
/// ```
/// let [row] = pcore::operators::named("=~").collect::<Vec<_>>()[..] else { panic!("one row") };
/// assert_eq!(row.signatures[0], "Any =~ Type >> Boolean");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Operator {
    /// The symbol, such as `+`.
    pub symbol: &'static str,
    /// A description in one line, in lower case and without a full stop.
    pub summary: &'static str,
    /// The types of the operands and of the result: `Numeric + Numeric >> Numeric`.
    pub signatures: &'static [&'static str],
    /// Examples, which the tests run and `:doc` shows.
    pub examples: &'static [Example],
    pub(crate) body: OperatorBody,
}

#[derive(Debug)]
pub(crate) enum OperatorBody {
    /// Evaluates both operands; an Array or Hash on the left may grow in place if it is not shared.
    Strict(Apply, FastPath),
    /// Evaluates both operands; a matching regular expression sets the match variables.
    Matching { find: Find, is_negated: bool },
    /// Evaluates the right operand unless the left one, as a Boolean, is `decided_by`, which is then the result.
    Lazy { decided_by: bool },
    /// Evaluates both operands, which have to be references to resources or classes.
    Relationship,
    /// A prefix operator with a value.
    Prefix(ApplyPrefix),
    /// A prefix operator, `*`, that inserts the elements of its operand into the list around it.
    Unfold,
}

type Apply = fn(Value, &Value, &mut Warn<'_>) -> Result<Value, OperandError>;
pub(crate) type ApplyPrefix = fn(&Value, &mut Warn<'_>) -> Result<Value, OperandError>;

type Find = fn(&Value, &Value) -> Result<(bool, Matched), OperandError>;

/// Returns the rows of the operators written as `symbol`: `-` is both an infix and a prefix operator.
pub fn named(symbol: &str) -> impl Iterator<Item = &'static Operator> {
    TABLE.iter().filter(move |operator| operator.symbol == symbol)
}

#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) fn binary_operator_row(operator: BinaryOperator) -> &'static Operator {
    &TABLE[operator as usize]
}

#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) fn prefix_operator_row(operator: UnaryOperator) -> &'static Operator {
    &TABLE[precedence::TABLE.len() + operator as usize]
}

/// Returns whether `left == right`; an error if one of them is an invalid type.
fn test_equality(left: &Value, right: &Value) -> Result<bool, OperandError> {
    match (left, right) {
        (Value::Type(left), Value::Type(right)) => left.try_equals(right).map_err(comparison::into_comparison_error),
        _ => Ok(equality::equals(left, right)),
    }
}

/// A fast path of an operator for operands that need no copy, no conversion and no warning.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FastPath {
    /// For two Integers (`None`: the slow path reports why there is no result) and, if any, for numbers with a Float.
    Calculation(fn(i64, i64) -> Option<i64>, Option<fn(f64, f64) -> f64>),
    /// For two Integers or two Floats.
    Comparison(fn(Ordering) -> bool),
    /// For all values except types, whose comparison may fail.
    Equality {
        is_negated: bool,
    },
    Nothing,
}

impl FastPath {
    #[inline]
    pub(crate) fn try_fast_path(self, left: &Value, right: &Value) -> Option<Value> {
        match (self, left, right) {
            (FastPath::Calculation(calculate, _), Value::Integer(left), Value::Integer(right)) => {
                calculate(*left, *right).map(Value::Integer)
            }
            (FastPath::Calculation(_, Some(calculate)), left, right) => {
                Some(calculate(left.as_float()?, right.as_float()?))
                    .filter(|result| result.is_finite())
                    .map(Value::Float)
            }
            (FastPath::Comparison(holds), Value::Integer(left), Value::Integer(right)) => {
                Some(Value::Boolean(holds(left.cmp(right))))
            }
            (FastPath::Comparison(holds), Value::Float(left), Value::Float(right)) => {
                left.partial_cmp(right).map(|order| Value::Boolean(holds(order)))
            }
            (FastPath::Equality { is_negated }, left, right) if !matches!(left, Value::Type(_)) => {
                Some(Value::Boolean(equality::equals(left, right) != is_negated))
            }
            _ => None,
        }
    }
}

/// Generates `TABLE` from a summary, a name, signatures, examples with their results, and a body for each operator.
macro_rules! operators {
    (@row $symbol:expr, $summary:literal, $signatures:tt, { $($code:literal => $answer:literal,)+ }, $body:expr) => {
        Operator {
            symbol: $symbol,
            summary: $summary.trim_ascii_start(),
            signatures: &$signatures,
            examples: &[$(new_example($code, $answer)),+],
            body: $body,
        }
    };
    (
        binary: $(#[doc = $summary:literal] $operator:ident $signatures:tt $examples:tt => $body:expr;)+
        unary: $(#[doc = $of_prefix:literal] $prefix:ident $accepted:tt $shown:tt => $apply:expr;)+
    ) => {
        /// All operators in the order of `syntax::operators`: infix operators, then prefix operators.
        pub static TABLE: [Operator; precedence::TABLE.len() + precedence::PREFIX_OPERATORS.len()] = [
            $(operators!(@row
                precedence::binary_operator_text(BinaryOperator::$operator), $summary, $signatures, $examples, $body
            ),)+
            $(operators!(@row
                precedence::unary_operator_text(UnaryOperator::$prefix), $of_prefix, $accepted, $shown, $apply
            ),)+
        ];

        /// Checks at compile time that the rows are in the order of `syntax::operators`.
        const _: () = {
            let mut row = 0;
            $(assert!(BinaryOperator::$operator as usize == row); row += 1;)+
            $(assert!(precedence::TABLE.len() + UnaryOperator::$prefix as usize == row); row += 1;)+
            assert!(row == TABLE.len());
        };
    };
}

macro_rules! comparisons {
    ($symbol:literal) => {
        [
            concat!(
                "Variant[Numeric, Timespan, Timestamp] ",
                $symbol,
                " Variant[Numeric, Timespan, Timestamp] >> Boolean"
            ),
            concat!("String ", $symbol, " String >> Boolean"),
            concat!("SemVer ", $symbol, " SemVer >> Boolean"),
            concat!("Type ", $symbol, " Any >> Boolean"),
        ]
    };
}

operators! {
    binary:
    /// whether the right value contains the left one; ignores case in strings
    In [
        "Any in Collection >> Boolean",
        "Any in Variant[String, Binary] >> Boolean",
        "Variant[SemVer, String] in SemVerRange >> Boolean",
    ] {
        "'eat' in 'BEATEN'" => "true",
        "/^b/ in ['abc', 'bcd']" => "true",
        "Integer in [1, 'a']" => "true",
        "5 in {5 => 'a'}" => "true",
    } => OperatorBody::Matching { find: membership::is_in, is_negated: false };
    /// whether a value is an instance of a type, or a String or version matches; sets `$0`, `$1`, …
    Match [
        "Any =~ Type >> Boolean",
        "String =~ Variant[Regexp, String] >> Boolean",
        "Any =~ SemVerRange >> Boolean",
    ] {
        "5 =~ Integer[1, 10]" => "true",
        "['abc-12' =~ /(\\w+)-(\\d+)/, $2]" => "[true, '12']",
        "SemVer('1.2.3') =~ SemVerRange('1.x')" => "true",
        "1 =~ 2" => "error MATCH_NOT_REGEXP",
    } => OperatorBody::Matching { find: matching::matches, is_negated: false };
    /// the opposite of `=~`
    NoMatch [
        "Any !~ Type >> Boolean",
        "String !~ Variant[Regexp, String] >> Boolean",
        "Any !~ SemVerRange >> Boolean",
    ] {
        "5 !~ String" => "true",
        "'abc' !~ /b/" => "false",
        "1 !~ /a/" => "error MATCH_NOT_STRING",
    } => OperatorBody::Matching { find: matching::matches, is_negated: true };
    /// product of two numbers; a Timespan times a number
    Multiply [
        "Numeric * Numeric >> Numeric",
        "Timespan * Numeric >> Timespan",
        "Numeric * Timespan >> Timespan",
    ] {
        "6 * 7" => "42",
        "'a' * 2" => "error NOT_NUMERIC",
    } => OperatorBody::Strict(arithmetic::multiply, FastPath::Calculation(i64::checked_mul, Some(f64::mul)));
    /// quotient; of two Integers rounded down
    Divide [
        "Integer / Integer >> Integer",
        "Numeric / Numeric >> Float",
        "Timespan / Numeric >> Timespan",
        "Timespan / Timespan >> Float",
    ] {
        "-7 / 2" => "-4",
        "7 / 2.0" => "3.5",
        "1 / 0" => "error DIV_BY_ZERO",
    } => OperatorBody::Strict(arithmetic::divide, FastPath::Calculation(arithmetic::floor_quotient, Some(f64::div)));
    /// remainder of two Integers, with the sign of the right one
    Modulo ["Integer % Integer >> Integer", "Timespan % Integer >> Integer"] {
        "-7 % 3" => "2",
        "5.5 % 2" => "error OPERATOR_NOT_APPLICABLE",
    } => OperatorBody::Strict(arithmetic::modulo, FastPath::Calculation(arithmetic::floor_remainder, None));
    /// sum of numbers or times, concatenation of Arrays, merge of Hashes, resolution of URIs
    Plus [
        "Numeric + Numeric >> Numeric",
        "Array + Any >> Array",
        "Hash + Collection >> Hash",
        "Variant[Numeric, Timespan] + Timespan >> Timespan",
        "Timespan + Numeric >> Timespan",
        "Timestamp + Variant[Numeric, Timespan] >> Timestamp",
        "Variant[Numeric, Timespan] + Timestamp >> Timestamp",
        "URI + Variant[URI, String] >> URI",
        "Binary + Binary >> Binary",
    ] {
        "1 + 2.5" => "3.5",
        "[1] + [2]" => "[1, 2]",
        "{a => 1} + {a => 2}" => "{'a' => 2}",
        "9223372036854775807 + 1" => "error NUMERIC_OVERFLOW",
    } => OperatorBody::Strict(arithmetic::add_or_combine, FastPath::Calculation(i64::checked_add, Some(f64::add)));
    /// difference of numbers or times; removes elements from an Array or keys from a Hash
    Minus [
        "Numeric - Numeric >> Numeric",
        "Array - Any >> Array",
        "Hash - Any >> Hash",
        "Variant[Numeric, Timespan] - Timespan >> Timespan",
        "Timespan - Numeric >> Timespan",
        "Timestamp - Timestamp >> Timespan",
        "Timestamp - Variant[Numeric, Timespan] >> Timestamp",
    ] {
        "5 - 7" => "-2",
        "[1, 2, 3] - [2]" => "[1, 3]",
        "{a => 1, b => 2} - 'a'" => "{'b' => 2}",
        "'a' - 'b'" => "error NOT_NUMERIC",
    } => OperatorBody::Strict(arithmetic::subtract_or_remove, FastPath::Calculation(i64::checked_sub, Some(f64::sub)));
    /// an Array with one more element; an Integer shifted left
    ShiftLeft ["Array << Any >> Array", "Integer << Numeric >> Integer"] {
        "[1] << [2]" => "[1, [2]]",
        "1 << 4" => "16",
        "1.5 << 1" => "error OPERATOR_NOT_APPLICABLE",
    } => OperatorBody::Strict(arithmetic::shift_left_or_append, FastPath::Nothing);
    /// an Integer shifted right
    ShiftRight ["Integer >> Numeric >> Integer"] {
        "16 >> 2" => "4",
        "2.5 >> 1" => "error OPERATOR_NOT_APPLICABLE",
    } => OperatorBody::Strict(arithmetic::shift_right, FastPath::Nothing);
    /// equality; ignores case in strings, compares numbers by value
    Equal ["Any == Any >> Boolean"] {
        "'A' == 'a'" => "true",
        "1 == 1.0" => "true",
        "1 == '1'" => "false",
    } => OperatorBody::Strict(|a, b, _| Ok(test_equality(&a, b)?.into()), FastPath::Equality { is_negated: false });
    /// inequality
    NotEqual ["Any != Any >> Boolean"] {
        "'A' != 'a'" => "false",
    } => OperatorBody::Strict(|a, b, _| Ok((!test_equality(&a, b)?).into()), FastPath::Equality { is_negated: true });
    /// order or equality; a wider or equal type
    GreaterOrEqual (comparisons!(">=")) {
        "2.5 >= 2" => "true",
        "[2] >= [1]" => "error COMPARISON_NOT_POSSIBLE",
    } => OperatorBody::Strict(|a, b, _| compare_operands(">=", &a, b, Ordering::is_ge, Type::try_accepts), FastPath::Comparison(Ordering::is_ge));
    /// order or equality; a narrower or equal type
    LessOrEqual (comparisons!("<=")) {
        "1 <= 1.0" => "true",
        "Integer <= Integer" => "true",
        "'10' <= 9" => "error COMPARISON_NOT_POSSIBLE",
    } => OperatorBody::Strict(|a, b, _| compare_operands("<=", &a, b, Ordering::is_le, |a, b| b.try_accepts(a)), FastPath::Comparison(Ordering::is_le));
    /// order of numbers, strings, times and versions; a wider type
    Greater (comparisons!(">")) {
        "Integer[1, 10] > Integer[2, 3]" => "true",
        "'a' > 1" => "error COMPARISON_NOT_POSSIBLE",
    } => OperatorBody::Strict(|a, b, _| compare_operands(">", &a, b, Ordering::is_gt, comparison::is_strict_supertype), FastPath::Comparison(Ordering::is_gt));
    /// order of numbers, strings, times and versions; a narrower type
    Less (comparisons!("<")) {
        "'a' < 'B'" => "true",
        "Integer < Numeric" => "true",
        "1 < 'a'" => "error COMPARISON_NOT_POSSIBLE",
    } => OperatorBody::Strict(|a, b, _| compare_operands("<", &a, b, Ordering::is_lt, |a, b| comparison::is_strict_supertype(b, a)), FastPath::Comparison(Ordering::is_lt));
    /// whether both are true; only `undef` and `false` are not. Evaluates the right side only if the left one is true
    And ["Any and Any >> Boolean"] {
        "true and ''" => "true",
        "undef and fail('never evaluated')" => "false",
    } => OperatorBody::Lazy { decided_by: false };
    /// whether one is true; evaluates the right side only if the left one is not
    Or ["Any or Any >> Boolean"] {
        "false or 0" => "true",
        "true or fail('never evaluated')" => "true",
    } => OperatorBody::Lazy { decided_by: true };
    /// orders resources: the left one is applied before the right one; the value is the right side as an Array
    Before ["Any -> Any >> Array[Type]"] {
        "File['/a'] -> File['/b']" => "[File['/b']]",
        "File['/a'] -> 3" => "error ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
    } => OperatorBody::Relationship;
    /// orders resources: the left one is applied after the right one; the value is the right side as an Array
    After ["Any <- Any >> Array[Type]"] {
        "File['/a'] <- File['/b']" => "[File['/b']]",
        "File['/a'] <- 3" => "error ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
    } => OperatorBody::Relationship;
    /// orders resources as `->` does, and refreshes the right one when the left one changes; the value is the right side as an Array
    Notifies ["Any ~> Any >> Array[Type]"] {
        "File['/a'] ~> File['/b']" => "[File['/b']]",
        "File['/a'] ~> 3" => "error ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
    } => OperatorBody::Relationship;
    /// orders resources as `<-` does, and refreshes the left one when the right one changes; the value is the right side as an Array
    NotifiedBy ["Any <~ Any >> Array[Type]"] {
        "File['/a'] <~ File['/b']" => "[File['/b']]",
        "File['/a'] <~ 3" => "error ILLEGAL_RELATIONSHIP_OPERAND_TYPE",
    } => OperatorBody::Relationship;
    unary:
    /// the negative of a number or Timespan
    Minus ["- Numeric >> Numeric", "- Timespan >> Timespan"] {
        "-(2 + 3)" => "-5",
        "-'a'" => "error NOT_NUMERIC",
    } => OperatorBody::Prefix(arithmetic::negate);
    /// true for `undef` and `false`, otherwise false
    Not ["! Any >> Boolean"] {
        "!undef" => "true",
        "!0" => "false",
    } => OperatorBody::Prefix(|value, _| Ok((!value.is_true()).into()));
    /// the elements of an Array or the entries of a Hash as separate values, in a list or in arguments
    Unfold ["* Any >> Array"] {
        "[0, *[1, 2]]" => "[0, 1, 2]",
        "[*{a => 1}]" => "[['a', 1]]",
    } => OperatorBody::Unfold;
}
