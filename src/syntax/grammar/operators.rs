//! Operators between two operands: one table, and one combinator for all of them.

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::one_of;
use nom::combinator::{cut, fail, not, recognize, value};
use nom::sequence::{preceded, terminated};
use nom::{Input as _, Parser};
use smallvec::SmallVec;

use super::catalog::{braces, resource_start};
use super::operands::{operand, postfixes};
use super::{choices::selector, regexps::regexp_follows, text::tag_end, words::word_end};
use crate::syntax::combinators::{MAX_NESTING_LEVELS, Rule, by_first_char, nested, token};
use crate::syntax::errors::{Expected, SyntaxError};
use crate::syntax::input::{Input, Parsed, refuse};
use crate::syntax::tree::{AssignmentOperator, Expression, Id, UnaryOperator};

pub(crate) struct Row {
    /// As written.
    pub(crate) text: &'static str,
    /// What it makes.
    pub(crate) operator: BinaryOperator,
    /// A higher power binds tighter.
    pub(crate) power: u8,
    /// The production of its power.
    #[cfg(test)]
    pub(crate) level: &'static str,
}

/// The operators between two operands and the table of their texts and powers, both from the same rows.
macro_rules! binary_operators {
    ($(#[$doc:meta])* $($level:ident $power:literal: $($operator:ident $text:literal),*;)*) => {
        /// The operators between two expressions.
        ///
        /// ```
        /// use pcore::syntax::{parse, tree::{BinaryOperator, Expression}};
        /// let tree = parse(&pcore::text::Source::new("site.pp", "1 + 2 * 3"))?;
        /// let Expression::Binary(operator, ..) = &tree[tree.body].expression else { panic!("an operation") };
        /// assert_eq!(*operator, BinaryOperator::Plus);
        /// # Ok::<(), pcore::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum BinaryOperator {
            $($(#[doc = concat!("`", $text, "`")] $operator,)*)*
        }

        $(#[$doc])*
        pub(crate) const TABLE: &[Row] = &[
            $($(Row { text: $text, operator: BinaryOperator::$operator, power: $power, #[cfg(test)] level: stringify!($level) },)*)*
        ];
    };
}

impl BinaryOperator {
    /// Whether it changes the catalog: `->` and its like.
    pub(in crate::syntax) fn is_relationship(self) -> bool {
        matches!(self, Self::Before | Self::After | Self::Notifies | Self::NotifiedBy)
    }
}

/// The operators before an operand, with their texts; they bind tighter than those between two.
pub(crate) const PREFIXES: &[(&str, UnaryOperator)] =
    &[("-", UnaryOperator::Minus), ("!", UnaryOperator::Not), ("*", UnaryOperator::Unfold)];

/// The power of the selector's `?`: looser than comparisons, tighter than `and`.
///
/// Observed: Puppet 8.11 reads `$a == $b ? { … }` as `($a == $b) ? { … }`, and `$a and $b ? { … }` as
/// `$a and ($b ? { … })`.
pub(crate) const SELECTOR_POWER: u8 = 6;

/// The power of what expressions are made of: the loosest below a resource.
const DISJUNCTION_POWER: u8 = 4;

/// The power of the braces of a resource, behind its type.
pub(super) const RESOURCE_POWER: u8 = 3;

/// The power of `->` and its like, which stand between whole resources.
pub(super) const RELATIONSHIP_POWER: u8 = 2;

pub(super) const ASSIGNMENT_POWER: u8 = 1;

/// The power that no operator has: everything may follow.
pub(super) const TIGHTEST_POWER: u8 = u8::MAX;

binary_operators! {
    /// ```ebnf
    /// relationship ::= resource (("->" | "<-" | "~>" | "<~") resource)*
    /// disjunction ::= conjunction ("or" conjunction)*
    /// conjunction ::= selection ("and" selection)*
    /// selection ::= comparison (selector postfixes)*
    /// comparison ::= equality ((">=" | "<=" | ">" | "<") equality)*
    /// equality ::= shift (("==" | "!=") shift)*
    /// shift ::= sum (("<<" | ">>") sum)*
    /// sum ::= product (("+" | "-") product)*
    /// product ::= match (("*" | !regexp_follows "/" | "%") match)*
    /// match ::= membership (("=~" | "!~") membership)*
    /// membership ::= operand ("in" operand)*
    /// ```
    ///
    /// Every operator between two operands, all of them grouping to the left, tightest first. The row of an operator is
    /// at its number.
    ///
    /// Observed: Puppet 8.11, whose `in`, `=~` and `!~` bind tighter than arithmetic, and `==` tighter than `<`.
    membership 13: In "in";
    match 12: Match "=~", NoMatch "!~";
    product 11: Multiply "*", Divide "/", Modulo "%";
    sum 10: Plus "+", Minus "-";
    shift 9: ShiftLeft "<<", ShiftRight ">>";
    equality 8: Equal "==", NotEqual "!=";
    comparison 7: GreaterOrEqual ">=", LessOrEqual "<=", Greater ">", Less "<";
    selection 6: ;
    conjunction 5: And "and";
    disjunction 4: Or "or";
    relationship 2: Before "->", After "<-", Notifies "~>", NotifiedBy "<~";
}

/// `expression ::= disjunction !infix`
///
/// Everything that binds tighter than a relationship: what conditions, titles, cases and attribute values are made of.
pub(super) fn expression(input: Input<'_>) -> Parsed<'_, Id> {
    nested(operations(DISJUNCTION_POWER)).parse(input)
}

/// Whether it can stand where the grammar has an `expression`, and not only as an assignment or a statement.
pub(in crate::syntax) fn is_expression(assignment: &Expression) -> bool {
    match assignment {
        Expression::Binary(operator, ..) => !operator.is_relationship(),
        Expression::Call { statement, .. } => !statement,
        Expression::Block(_) | Expression::Assignment(..) | Expression::Resource { .. } => false,
        _ => true,
    }
}

/// `infix ::= "-" | "*" | !regexp_follows "/"`
///
/// The operators between two operands that may also start an operand.
pub(super) fn infix(input: Input<'_>) -> Parsed<'_, ()> {
    alt((recognize(tag("-")), tag("*"), preceded(not(regexp_follows), tag("/")))).map(drop).parse(input)
}

/// Operands, and what stands between and behind them, as far as it binds at least as tightly as `loosest`.
///
/// Every operator waits for its right operand until one follows that binds no tighter: then it takes the two operands
/// beside it. So each operator is read once, however many levels there are.
pub(super) fn operations<'a>(loosest: u8) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let mut waiting = Waiting::new();
        let (mut here, (mut value, mut tightest)) = first_operand(input, loosest)?;
        loop {
            let next = here.first();
            if next == Some('?') && tightest > SELECTOR_POWER {
                let (after, selected) = selector(joined(&mut waiting, SELECTOR_POWER, value)).parse(here)?;
                (here, value) = postfixes(selected).parse(after)?;
                continue;
            }
            if next == Some('{') && (loosest..=tightest).contains(&RESOURCE_POWER) {
                (here, value) = braces(joined(&mut waiting, RESOURCE_POWER, value)).parse(here)?;
                tightest = RESOURCE_POWER;
                continue;
            }
            let found =
                if rows_by_start(next) != 0 { token(infix_operator(loosest)).parse(here) } else { here.mismatch() };
            let (after, infix) = match found {
                Err(nom::Err::Failure(stop)) => return Err(nom::Err::Failure(stop)),
                Ok((after, infix)) if (loosest..=tightest).contains(&infix.power()) => (after, infix),
                other => {
                    if other.is_err() && tightest == TIGHTEST_POWER {
                        here.note(Expected::Operator);
                    }
                    return Ok((here, joined(&mut waiting, 0, value)));
                }
            };
            // Assignments group to the right.
            let is_assignment = infix.power() == ASSIGNMENT_POWER;
            let left = joined(&mut waiting, infix.power() + u8::from(is_assignment), value);
            if waiting.len() >= MAX_NESTING_LEVELS as usize {
                return refuse(SyntaxError::Nesting, here.place());
            }
            waiting.push((left, infix, here));
            (here, (value, tightest)) = match infix.power() {
                ..RESOURCE_POWER => cut(resource_start).parse(after)?,
                _ => first_operand(after, TIGHTEST_POWER)?,
            };
        }
    }
}

/// The operand at the start of what binds at least as tightly as `loosest`, and how tightly at most binds what follows.
fn first_operand(input: Input<'_>, loosest: u8) -> Parsed<'_, (Id, u8)> {
    if loosest <= RESOURCE_POWER {
        return resource_start(input);
    }
    let (here, value) = operand(input)?;
    Ok((here, (value, TIGHTEST_POWER)))
}

/// Left operands, with their operators and where those stand, each of which binds tighter than the one before.
type Waiting<'a> = SmallVec<[(Id, Infix, Input<'a>); 4]>;

/// `value` as the right operand of all that wait and bind at least as tightly as `power`.
fn joined(waiting: &mut Waiting<'_>, power: u8, mut value: Id) -> Id {
    while let Some((left, infix, place)) = waiting.last().copied().filter(|(_, infix, _)| infix.power() >= power) {
        waiting.pop();
        value = infix.node(left, place, value);
    }
    value
}

#[derive(Clone, Copy)]
enum Infix {
    Operator(&'static Row),
    Assignment(AssignmentOperator),
}

impl Infix {
    fn power(self) -> u8 {
        match self {
            Infix::Operator(row) => row.power,
            Infix::Assignment(_) => ASSIGNMENT_POWER,
        }
    }

    fn node(self, left: Id, place: Input<'_>, right: Id) -> Id {
        let expression = match self {
            Infix::Operator(row) => Expression::Binary(row.operator, left, right),
            Infix::Assignment(operator) => Expression::Assignment(operator, left, right),
        };
        place.node_at(place.span_of(left).to(place.span_of(right)), place.start(), expression)
    }
}

fn infix_operator<'a>(loosest: u8) -> impl Rule<'a, Infix> {
    move |input: Input<'a>| {
        let assignment = assignment_operator.map(Infix::Assignment);
        let operator = operator.map(Infix::Operator);
        by_first_char!(input, {
            '=' | '+' | '-' if loosest == ASSIGNMENT_POWER => alt((assignment, operator)),
            _ => operator,
        })
    }
}

fn assignment_operator(input: Input<'_>) -> Parsed<'_, AssignmentOperator> {
    by_first_char!(input, {
        '=' => value(AssignmentOperator::Assign, terminated(tag("="), not(one_of("=>~")))),
        '+' => value(AssignmentOperator::Append, tag("+=")),
        '-' => value(AssignmentOperator::Delete, tag("-=")),
        _ => fail(),
    })
}

/// The rows of the operators that start with a character, as bits.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const ROWS_BY_START: [u32; 128] = {
    let (mut rows, mut row) = ([0; 128], 0);
    while row < TABLE.len() {
        rows[TABLE[row].text.as_bytes()[0] as usize] |= 1 << row;
        row += 1;
    }
    rows
};

/// The rows of the operators that start like this: none at most places.
fn rows_by_start(first: Option<char>) -> u32 {
    ROWS_BY_START.get(first.unwrap_or_default() as usize).copied().unwrap_or_default()
}

fn rows(mut bits: u32) -> impl Iterator<Item = &'static Row> {
    std::iter::from_fn(move || {
        let row = TABLE.get(bits.trailing_zeros() as usize)?;
        bits &= bits - 1;
        Some(row)
    })
}

/// The operator of the table that stands here: the longest, if nothing makes it something else.
pub(super) fn operator(input: Input<'_>) -> Parsed<'_, &'static Row> {
    let rows = rows(rows_by_start(input.first())).filter(|row| input.starts_with(row.text));
    let Some(row) = rows.max_by_key(|row| row.text.len()) else { return input.mismatch() };
    if longer_symbol.parse(input).is_ok() {
        return input.mismatch();
    }
    let after = input.take_from(row.text.len());
    if row.text.starts_with(char::is_alphabetic) { word_end.map(|()| row).parse(after) } else { Ok((after, row)) }
}

/// A symbol that starts like an operator and is none: `+>` is not `+`.
fn longer_symbol(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    by_first_char!(input, {
        '+' => alt((tag("+="), tag("+>"))),
        '-' => alt((tag("-="), recognize(tag_end))),
        '<' => alt((tag("<|"), tag("<<|"))),
        '%' => recognize(tag_end),
        '/' => recognize(regexp_follows),
        _ => fail(),
    })
}

#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) const fn text_of(operator: BinaryOperator) -> &'static str {
    TABLE[operator as usize].text
}

#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) const fn text_of_prefix(operator: UnaryOperator) -> &'static str {
    PREFIXES[operator as usize].0
}

#[cfg(test)]
#[path = "../../../tests/unit/syntax/operators.rs"]
mod tests;
