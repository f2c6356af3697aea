//! Programs, blocks and statements; assignments and relationships, which bind loosest.

use super::operators::{ASSIGNMENT_POWER, infix, operator_expression};
use super::prelude::*;
use super::words::end_of_input;
use super::{calls::statement_function, operands::postfix_start, templates::rendered_statement};
use crate::syntax::{recovery, suggestions::hint_for_comma_list};

/// `program ::= space statements? end`
pub(in crate::syntax) fn program(input: Input<'_>) -> Parsed<'_, Id> {
    preceded(space, |input| statements(input, Vec::new(), end_of_input)).parse(input)
}

/// `block ::= "{" statements? "}"`
pub(super) fn block(input: Input<'_>) -> Parsed<'_, Id> {
    let closing_brace = |input| peek_symbol(Expected::CloseBrace).parse(input);
    let body = |input| statements(input, Vec::new(), closing_brace);
    in_brackets(Expected::OpenBrace, body, Expected::CloseBrace).parse(input)
}

/// `statements ::= statement (";"? statement)*`
///
/// Parses statements until `end` matches, without consuming that, and continues after mistakes. `list` contains earlier
/// statements. Returns the node of a single statement, a Block of several, or a Nop if there are none.
pub(super) fn statements<'a>(
    input: Input<'a>,
    mut list: Vec<Id>,
    end: impl Fn(Input<'a>) -> Parsed<'a, ()>,
) -> Parsed<'a, Id> {
    let mut here = input;
    let mut is_first = list.is_empty();
    let outer = input.state.recovery.braces_to_ignore.replace(0);
    while end(here).is_err() || recovery::is_closing_brace_to_ignore(here) {
        let separator =
            |input| if is_first { Ok((input, None)) } else { opt(symbol(Expected::Semicolon)).parse(input) };
        let (after, made) = recovery::statement_or_recover(preceded(separator, statement)).parse(here)?;
        list.extend(made.flatten());
        (here, is_first) = (after, false);
    }
    recovery::finish_block_recovery(here, outer);
    for &id in &list {
        here.access_node(id, |node| {
            if let Expression::Call { receiver: None, statement, .. } = &mut node.expression {
                *statement = true;
            }
        });
    }
    let body = match list[..] {
        [] => here.add_node(input.until_start_of(input).span(), Expression::Nop),
        [only] => only,
        [first, .., last] => {
            here.add_node(here.span_of_node(first).union(here.span_of_node(last)), Expression::Block(list.into()))
        }
    };
    Ok((here, body))
}

/// `statement ::= rendered_statement | statement_call | assignment`
///
/// Returns `None` for a template text that renders nothing.
fn statement(input: Input<'_>) -> Parsed<'_, Option<Id>> {
    alt((rendered_statement, statement_call.map(Some), terminated(assignment, reject_comma_list).map(Some)))
        .parse(input)
}

/// Rejects values after a comma, which are only allowed as arguments of a statement function such as `include`.
fn reject_comma_list(input: Input<'_>) -> Parsed<'_, ()> {
    let mut further = many0_count(preceded(symbol(Expected::Comma), cut(assignment)));
    match further.parse(input)? {
        (here, 0) => Ok((here, ())),
        _ => fail_with(SyntaxError::CommaSeparated { help: hint_for_comma_list(input.before()) }, input.take(1)),
    }
}

/// `statement_call ::= statement_function !(infix | postfix_start | "{") ";"? assignment ("," assignment)*`
fn statement_call(input: Input<'_>) -> Parsed<'_, Id> {
    let functor = terminated(token(statement_function), not(alt((infix, postfix_start, tag("{").map(drop)))));
    let first = preceded(opt(symbol(Expected::Semicolon)), commit_after_token(assignment));
    let further = many0(preceded(symbol(Expected::Comma), cut(assignment)));
    parse_node((functor, first, further).map(|(name, first, further)| {
        let functor = name.add_node(name.span(), Expression::Name(name.text().into()));
        let arguments = std::iter::once(first).chain(further).collect();
        Expression::Call { receiver: None, functor, arguments, lambda: None, statement: true }
    }))
    .parse(input)
}

/// `assignment ::= relationship (("=" | "+=" | "-=") relationship)*`
///
/// Assignments are right-associative.
pub(super) fn assignment(input: Input<'_>) -> Parsed<'_, Id> {
    nested_one_level(operator_expression(ASSIGNMENT_POWER)).parse(input)
}
