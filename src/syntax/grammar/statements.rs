//! Programs, blocks and statements; assignments and relationships, which bind loosest.

use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{cut, not, opt};
use nom::multi::{many0, many0_count};
use nom::sequence::{preceded, terminated};
use nom::{Input as _, Parser};

use super::operators::{ASSIGNMENT_POWER, infix, operations};
use super::words::{end, space};
use super::{calls::statement_function, operands::postfix_start, templates::rendered};
use crate::syntax::combinators::{at, bracketed, committed, nested, node, symbol, token};
use crate::syntax::errors::{Expected, SyntaxError};
use crate::syntax::input::{Input, Parsed, refuse};
use crate::syntax::tree::{Expression, Id};
use crate::syntax::{recovery, suggestions::instead_of_list};

/// `program ::= space statements? end`
pub(in crate::syntax) fn program(input: Input<'_>) -> Parsed<'_, Id> {
    preceded(space, |input| statements(input, Vec::new(), end)).parse(input)
}

/// `block ::= "{" statements? "}"`
pub(super) fn block(input: Input<'_>) -> Parsed<'_, Id> {
    let closing_brace = |input| at(Expected::CloseBrace).parse(input);
    let body = |input| statements(input, Vec::new(), closing_brace);
    bracketed(Expected::OpenBrace, body, Expected::CloseBrace).parse(input)
}

/// `statements ::= statement (";"? statement)*`
///
/// Reads up to `end`, which is left, and goes on after a mistake. `list` holds statements that were read before. One
/// statement is itself, several are a Block, none is Nop.
pub(super) fn statements<'a>(
    input: Input<'a>,
    mut list: Vec<Id>,
    end: impl Fn(Input<'a>) -> Parsed<'a, ()>,
) -> Parsed<'a, Id> {
    let mut here = input;
    let mut is_first = list.is_empty();
    let outer = input.state.recovery.owed_braces.replace(0);
    while end(here).is_err() || recovery::owes_brace(here) {
        let separator =
            |input| if is_first { Ok((input, None)) } else { opt(symbol(Expected::Semicolon)).parse(input) };
        let (after, made) = recovery::statement(preceded(separator, statement)).parse(here)?;
        list.extend(made.flatten());
        (here, is_first) = (after, false);
    }
    recovery::end_statements(here, outer);
    for &id in &list {
        here.look(id, |node| {
            if let Expression::Call { statement, .. } = &mut node.expression {
                *statement = true;
            }
        });
    }
    let body = match list[..] {
        [] => here.node(input.until(input).span(), Expression::Nop),
        [only] => only,
        [first, .., last] => here.node(here.span_of(first).to(here.span_of(last)), Expression::Block(list.into())),
    };
    Ok((here, body))
}

/// `statement ::= rendered | statement_call | assignment`
///
/// A text of a template may render nothing.
fn statement(input: Input<'_>) -> Parsed<'_, Option<Id>> {
    alt((rendered, statement_call.map(Some), terminated(assignment, no_list).map(Some))).parse(input)
}

/// Refuses further values behind a comma, which only a function takes.
fn no_list(input: Input<'_>) -> Parsed<'_, ()> {
    let mut further = many0_count(preceded(symbol(Expected::Comma), cut(assignment)));
    match further.parse(input)? {
        (here, 0) => Ok((here, ())),
        _ => refuse(SyntaxError::CommaSeparated { help: instead_of_list(input.before()) }, input.take(1)),
    }
}

/// `statement_call ::= statement_function !(infix | postfix_start | "{") ";"? assignment ("," assignment)*`
fn statement_call(input: Input<'_>) -> Parsed<'_, Id> {
    let functor = terminated(token(statement_function), not(alt((infix, postfix_start, tag("{").map(drop)))));
    let first = preceded(opt(symbol(Expected::Semicolon)), committed(assignment));
    let further = many0(preceded(symbol(Expected::Comma), cut(assignment)));
    node((functor, first, further).map(|(name, first, further)| {
        let functor = name.node(name.span(), Expression::Name(name.text().into()));
        let arguments = std::iter::once(first).chain(further).collect();
        Expression::Call { functor, arguments, lambda: None, statement: true }
    }))
    .parse(input)
}

/// `assignment ::= relationship (("=" | "+=" | "-=") relationship)*`
///
/// Assignments group to the right.
pub(super) fn assignment(input: Input<'_>) -> Parsed<'_, Id> {
    nested(operations(ASSIGNMENT_POWER)).parse(input)
}
