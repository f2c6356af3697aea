//! Operators between two operands: one table, and one parser for all that bind tighter than a relationship.

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{not, recognize};
use nom::sequence::preceded;
use nom::{Input as _, Parser};
use smallvec::SmallVec;

use super::choices::selector;
use super::operands::{operand, postfixes};
use super::regexps::regexp_follows;
use super::text::tag_end;
use super::words::word_end;
use crate::syntax::combinators::{expected, nested, token};
use crate::syntax::errors::Expected;
use crate::syntax::input::{Input, Parsed};
use crate::syntax::tree::{Expression, Id, UnaryOperator};

/// An operator between two operands.
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

/// The operators before an operand, with their texts; they bind tighter than those between two.
pub(crate) const PREFIXES: &[(&str, UnaryOperator)] =
    &[("-", UnaryOperator::Minus), ("!", UnaryOperator::Not), ("*", UnaryOperator::Unfold)];

/// The power of the selector's `?`: looser than comparisons, tighter than `and`.
///
/// Observed: Puppet 8.11 reads `$a == $b ? { … }` as `($a == $b) ? { … }`, and `$a and $b ? { … }` as
/// `$a and ($b ? { … })`.
pub(crate) const SELECTOR_POWER: u8 = 5;

/// The power of `->` and its like, which stand between whole resources; assignments bind even looser.
pub(crate) const RELATIONSHIP_POWER: u8 = 2;

binary_operators! {
    /// ```ebnf
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
    membership 12: In "in";
    match 11: Match "=~", NoMatch "!~";
    product 10: Multiply "*", Divide "/", Modulo "%";
    sum 9: Plus "+", Minus "-";
    shift 8: ShiftLeft "<<", ShiftRight ">>";
    equality 7: Equal "==", NotEqual "!=";
    comparison 6: GreaterOrEqual ">=", LessOrEqual "<=", Greater ">", Less "<";
    selection 5: ;
    conjunction 4: And "and";
    disjunction 3: Or "or";
    relationship 2: Before "->", After "<-", Notifies "~>", NotifiedBy "<~";
}

/// ```ebnf
/// expression ::= disjunction !infix
/// ```
///
/// Everything that binds tighter than a relationship: what conditions, titles, cases and attribute values are made of.
pub(super) fn expression(input: Input<'_>) -> Parsed<'_, Id> {
    nested(disjunction).parse(input)
}

/// ```ebnf
/// infix ::= "-" | "*" | !regexp_follows "/"
/// ```
///
/// The operators between two operands that may also start an operand.
pub(super) fn infix(input: Input<'_>) -> Parsed<'_, ()> {
    alt((recognize(tag("-")), tag("*"), preceded(not(regexp_follows), tag("/")))).map(drop).parse(input)
}

/// Operands, and the operators between them from `or` up.
///
/// Every operator waits for its right operand until one follows that binds no tighter: then it takes the two operands
/// beside it. So each operator is read once, however many levels there are.
pub(super) fn disjunction(input: Input<'_>) -> Parsed<'_, Id> {
    let mut waiting = Waiting::new();
    let (mut here, mut value) = operand(input)?;
    loop {
        while here.first() == Some('?') {
            value = joined(&mut waiting, SELECTOR_POWER, value);
            let (after, selected) = selector(value).parse(here)?;
            (here, value) = postfixes(selected).parse(after)?;
        }
        match expected(Expected::Operator, token(operator)).parse(here) {
            Ok((after, row)) if row.power > RELATIONSHIP_POWER => {
                let left = joined(&mut waiting, row.power, value);
                waiting.push((left, row, here));
                (here, value) = operand(after)?;
            }
            Ok(_) | Err(nom::Err::Error(_)) => return Ok((here, joined(&mut waiting, 0, value))),
            Err(failure) => return Err(failure),
        }
    }
}

/// Left operands, with their operators and where those stand, each of which binds tighter than the one before.
type Waiting<'a> = SmallVec<[(Id, &'static Row, Input<'a>); 4]>;

/// `value` as the right operand of all that wait and bind at least as tightly as `power`.
fn joined(waiting: &mut Waiting<'_>, power: u8, mut value: Id) -> Id {
    while let Some((left, row, place)) = waiting.last().copied().filter(|(_, row, _)| row.power >= power) {
        waiting.pop();
        value = binary(left, row, place, value);
    }
    value
}

/// The node of an operator that stands at `place` between two operands.
pub(super) fn binary(left: Id, row: &'static Row, place: Input<'_>, right: Id) -> Id {
    let span = place.span_of(left).to(place.span_of(right));
    place.node_at(span, place.start, Expression::Binary(row.operator, left, right))
}

/// The characters that an operator of the table starts with, as bits: most places have no operator.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const STARTS: u128 = {
    let (mut starts, mut row) = (0, 0);
    while row < TABLE.len() {
        starts |= 1 << TABLE[row].text.as_bytes()[0];
        row += 1;
    }
    starts
};

/// The operator of the table that stands here: the longest, if nothing makes it something else.
pub(super) fn operator(input: Input<'_>) -> Parsed<'_, &'static Row> {
    let first = u32::from(input.first().unwrap_or_default());
    if STARTS.checked_shr(first).is_none_or(|starts| starts & 1 == 0) {
        return input.mismatch();
    }
    let rows = TABLE.iter().filter(|row| input.starts_with(row.text));
    let Some(row) = rows.max_by_key(|row| row.text.len()) else { return input.mismatch() };
    let others =
        alt((tag("+="), tag("-="), tag("+>"), tag("<|"), tag("<<|"), recognize(tag_end), recognize(regexp_follows)));
    let (input, ()) = not(others).parse(input)?;
    let after = input.take_from(row.text.len());
    if row.text.starts_with(char::is_alphabetic) { word_end.map(|()| row).parse(after) } else { Ok((after, row)) }
}

/// The operator as it is written.
#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) fn text_of(operator: BinaryOperator) -> &'static str {
    TABLE[operator as usize].text
}

/// The operator as it is written.
#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) fn text_of_prefix(operator: UnaryOperator) -> &'static str {
    PREFIXES[operator as usize].0
}

#[cfg(test)]
mod tests {
    use super::{PREFIXES, RELATIONSHIP_POWER, SELECTOR_POWER, TABLE, text_of, text_of_prefix};

    /// The lines of the written grammar that list operators between two operands, loosest first: their production, and
    /// the operators.
    fn written() -> Vec<(String, Vec<String>)> {
        let grammar = include_str!("../../../grammar/puppet.ebnf");
        let (_, block) = grammar.split_once("\nrelationship ").expect("the grammar has relationships");
        let (block, _) = block.split_once("\nexpression ::= ").expect("the block ends with expression");
        let block = format!("relationship {block}");
        let productions = block.lines().filter_map(|line| line.split_once(" ::= "));
        let literals = |line: &str| line.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        let is_level = |level: &str| level == "selection" || TABLE.iter().any(|row| row.level == level);
        let levels = productions.filter(|(level, _)| is_level(level));
        levels.map(|(level, line)| (level.to_owned(), literals(line))).collect()
    }

    #[test]
    fn the_table_is_the_written_one() {
        for (power, (level, texts)) in (RELATIONSHIP_POWER..).zip(written()) {
            let rows: Vec<_> = TABLE.iter().filter(|row| row.power == power).collect();
            assert_eq!(rows.iter().map(|row| row.text.to_owned()).collect::<Vec<_>>(), texts, "{level}");
            assert!(rows.iter().all(|row| row.level == level), "{level}");
            assert_eq!(power == SELECTOR_POWER, level == "selection");
        }
        assert_eq!(written().len(), 11);
    }

    #[test]
    fn the_row_of_an_operator_is_at_its_number() {
        for row in TABLE {
            assert_eq!(text_of(row.operator), row.text);
        }
        for (text, operator) in PREFIXES {
            assert_eq!(text_of_prefix(*operator), *text);
        }
    }
}
