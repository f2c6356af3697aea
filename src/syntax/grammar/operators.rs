//! Binary operators: a table with their binding powers, and one combinator that parses all of them.

use super::catalog::{braces_after_type, resource_operand};
use super::operands::{operand, postfixes};
use super::prelude::*;
use super::{choices::selector, regexps::regexp_follows, text::tag_end, words::word_end};
use crate::syntax::tree::UnaryOperator;

pub(crate) struct Row {
    pub(crate) text: &'static str,
    pub(crate) operator: BinaryOperator,
    /// The binding power: operators with a higher power bind tighter.
    pub(crate) binding_power: u8,
    /// The production of the grammar for the operators of this power.
    #[cfg(test)]
    pub(crate) production: &'static str,
}

/// Defines the enum `BinaryOperator` and the operator table from the same rows.
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
            $($(Row { text: $text, operator: BinaryOperator::$operator, binding_power: $power, #[cfg(test)] production: stringify!($level) },)*)*
        ];
    };
}

impl BinaryOperator {
    pub(crate) fn is_relationship(self) -> bool {
        matches!(self, Self::Before | Self::After | Self::Notifies | Self::NotifiedBy)
    }
}

/// The prefix operators, which bind tighter than all binary operators.
pub(crate) const PREFIX_OPERATORS: &[(&str, UnaryOperator)] =
    &[("-", UnaryOperator::Minus), ("!", UnaryOperator::Not), ("*", UnaryOperator::Unfold)];

/// The binding power of the selector's `?`: looser than comparisons, tighter than `and`.
///
/// Observed: Puppet 8.11 reads `$a == $b ? { … }` as `($a == $b) ? { … }`, and `$a and $b ? { … }` as
/// `$a and ($b ? { … })`.
pub(crate) const SELECTOR_POWER: u8 = 6;

/// The binding power of `or`, the loosest operator in the production `expression`.
const DISJUNCTION_POWER: u8 = 4;

/// The binding power of the braces after a resource type.
pub(super) const RESOURCE_POWER: u8 = 3;

/// The binding power of the relationship operators such as `->`, whose operands are whole resources.
pub(super) const RELATIONSHIP_POWER: u8 = 2;

pub(super) const ASSIGNMENT_POWER: u8 = 1;

/// A binding power above that of all operators. Any operator may follow an operand of this power.
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
    /// The table of all binary operators, tightest first. All of them are left-associative. The index of a row is the
    /// discriminant of its operator.
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
/// An expression without relationships and assignments, as in conditions, titles, `case` options and attribute values.
pub(super) fn expression(input: Input<'_>) -> Parsed<'_, Id> {
    nested_one_level(operator_expression(DISJUNCTION_POWER)).parse(input)
}

/// Whether a node is an `expression` of the grammar; `false` for assignments, relationships, resources and statements.
pub(in crate::syntax) fn is_plain_expression(assignment: &Expression) -> bool {
    match assignment {
        Expression::Binary(operator, ..) => !operator.is_relationship(),
        Expression::Call { statement, .. } => !statement,
        Expression::Block(_) | Expression::Assignment(..) | Expression::Resource { .. } => false,
        _ => true,
    }
}

/// `infix ::= "-" | "*" | !regexp_follows "/"`
///
/// A binary operator that may also start an operand.
pub(super) fn infix(input: Input<'_>) -> Parsed<'_, ()> {
    alt((recognize(tag("-")), tag("*"), preceded(not(regexp_follows), tag("/")))).map(drop).parse(input)
}

/// Returns a parser of operands with the operators between them that bind at least as tightly as `loosest`.
///
/// An operator waits for its right operand until one follows that binds no tighter; then it and its two operands become
/// a node. So each operator is read only once, however many levels of precedence there are.
pub(super) fn operator_expression<'a>(loosest: u8) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let mut waiting = Waiting::new();
        let (mut here, (mut value, mut tightest)) = operand_with_power(input, loosest)?;
        loop {
            let next = here.first();
            if next == Some('?') && tightest > SELECTOR_POWER {
                let (after, selected) =
                    selector(join_waiting_operators(&mut waiting, SELECTOR_POWER, value)).parse(here)?;
                (here, value) = postfixes(selected).parse(after)?;
                continue;
            }
            if next == Some('{') && (loosest..=tightest).contains(&RESOURCE_POWER) {
                (here, value) =
                    braces_after_type(join_waiting_operators(&mut waiting, RESOURCE_POWER, value)).parse(here)?;
                tightest = RESOURCE_POWER;
                continue;
            }
            let found =
                if starts_operator(next) { token(infix_operator(loosest)).parse(here) } else { here.fail_here() };
            let (after, (power, operator)) = match found {
                Err(nom::Err::Failure(stop)) => return Err(nom::Err::Failure(stop)),
                Ok(read @ (_, (power, _))) if (loosest..=tightest).contains(&power) => read,
                other => {
                    if other.is_err() && tightest == TIGHTEST_POWER {
                        here.record_expected(Expected::Operator);
                    }
                    return Ok((here, join_waiting_operators(&mut waiting, 0, value)));
                }
            };
            // Assignments group to the right.
            let is_assignment = power == ASSIGNMENT_POWER;
            let left = join_waiting_operators(&mut waiting, power + u8::from(is_assignment), value);
            if waiting.len() >= MAX_NESTING_LEVELS as usize {
                return fail_with(SyntaxError::Nesting, here.empty_at_start());
            }
            waiting.push((left, power, operator, here));
            (here, (value, tightest)) = match power {
                ..RESOURCE_POWER => cut(resource_operand).parse(after)?,
                _ => operand_with_power(after, TIGHTEST_POWER)?,
            };
        }
    }
}

/// Parses an operand (or resource, if `loosest` allows), and returns the maximum binding power of an operator after it.
fn operand_with_power(input: Input<'_>, loosest: u8) -> Parsed<'_, (Id, u8)> {
    if loosest <= RESOURCE_POWER {
        return resource_operand(input);
    }
    let (here, value) = operand(input)?;
    Ok((here, (value, TIGHTEST_POWER)))
}

/// Operators that wait for their right operand, the tightest last: left operand, power, operator, and its place.
type Waiting<'a> = SmallVec<[(Id, u8, Option<BinaryOperator>, Input<'a>); 4]>;

/// Turns the waiting operators of binding power `power` or higher into nodes; `value` is the last right operand.
fn join_waiting_operators(waiting: &mut Waiting<'_>, power: u8, mut value: Id) -> Id {
    while let Some((left, own_power, operator, place)) = waiting.last().copied().filter(|(_, own, ..)| *own >= power) {
        waiting.pop();
        let expression = match operator {
            Some(operator) if own_power > ASSIGNMENT_POWER => Expression::Binary(operator, left, value),
            operator => Expression::Assignment(operator, left, value),
        };
        let span = place.span_of_node(left).union(place.span_of_node(value));
        value = place.add_node_with_error_offset(span, place.start(), expression);
    }
    value
}

/// The binding power of a binary operator, and the operator; for an assignment, the one before `=`: `+` in `+=`.
type Infix = (u8, Option<BinaryOperator>);

fn infix_operator<'a>(loosest: u8) -> impl Rule<'a, Infix> {
    move |input: Input<'a>| {
        let assignment = assignment_operator.map(|operator| (ASSIGNMENT_POWER, operator));
        let operator = binary_operator.map(|row| (row.binding_power, Some(row.operator)));
        by_first_char!(input, {
            '=' | '+' | '-' if loosest == ASSIGNMENT_POWER => alt((assignment, operator)),
            _ => operator,
        })
    }
}

/// Parses `=`, or `+=` or `-=` and returns the operator before the `=`.
fn assignment_operator(input: Input<'_>) -> Parsed<'_, Option<BinaryOperator>> {
    by_first_char!(input, {
        '=' => value(None, terminated(tag("="), not(one_of("=>~")))),
        '+' => value(Some(BinaryOperator::Plus), tag("+=")),
        '-' => value(Some(BinaryOperator::Minus), tag("-=")),
        _ => fail(),
    })
}

/// The ASCII characters that binary operators start with, as a set of bits: bit 43 is `+`.
#[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
const STARTS: u128 = {
    let (mut starts, mut row) = (0, 0);
    while row < TABLE.len() {
        starts |= 1 << TABLE[row].text.as_bytes()[0];
        row += 1;
    }
    starts
};

fn starts_operator(first: Option<char>) -> bool {
    first.is_some_and(|first| first.is_ascii() && STARTS >> u32::from(first) & 1 == 1)
}

/// Parses the longest binary operator at `input`. Fails if a longer symbol such as `+>` starts here.
pub(super) fn binary_operator(input: Input<'_>) -> Parsed<'_, &'static Row> {
    if non_operator_symbol.parse(input).is_ok() {
        return input.fail_here();
    }
    let rows = TABLE.iter().filter(|row| input.starts_with(row.text));
    let Some(row) = rows.max_by_key(|row| row.text.len()) else { return input.fail_here() };
    let after = input.take_from(row.text.len());
    if row.text.starts_with(char::is_alphabetic) { word_end.map(|()| row).parse(after) } else { Ok((after, row)) }
}

/// Parses a symbol that starts like an operator but is not one, such as `+>`.
fn non_operator_symbol(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    by_first_char!(input, {
        '=' => tag("=>"),
        '+' => alt((tag("+="), tag("+>"))),
        '-' => alt((tag("-="), recognize(tag_end))),
        '<' => alt((tag("<|"), tag("<<|"))),
        '%' => recognize(tag_end),
        '/' => recognize(regexp_follows),
        _ => fail(),
    })
}

#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) const fn binary_operator_text(operator: BinaryOperator) -> &'static str {
    TABLE[operator as usize].text
}

#[expect(clippy::indexing_slicing, reason = "the table has a row for each operator, in their order")]
pub(crate) const fn unary_operator_text(operator: UnaryOperator) -> &'static str {
    PREFIX_OPERATORS[operator as usize].0
}

#[cfg(test)]
#[path = "../../../tests/unit/syntax/operators.rs"]
mod tests;
