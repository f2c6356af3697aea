//! Programs, blocks and statements; assignments and relationships, which have the lowest precedence.

use super::calls::STATEMENT_FUNCTIONS;
use super::epp::rendered;
use super::errors::{Expected, SyntaxError};
use super::input::{Input, MAX_NESTING_LEVELS, Parsed, refuse};
use super::lexical::{optional_symbol, space, symbol, symbol_follows, token};
use super::precedence::{RELATIONSHIP_POWER, operator};
use super::resources::resource;
use super::tree::{AssignmentOperator, Expression, Id, Ids};

/// ```ebnf
/// program ::= space statements? end
/// ```
pub(super) fn program(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = space(input)?;
    let (here, body) = statements(here, Expected::End, Ids::new())?;
    if here.rest().is_empty() { Ok((here, body)) } else { here.expected(Expected::End) }
}

/// ```ebnf
/// block ::= "{" statements? "}"
/// ```
pub(super) fn block(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = symbol(Expected::OpenBrace)(input)?;
    let (here, body) = statements(here, Expected::CloseBrace, Ids::new())?;
    let (here, ()) = symbol(Expected::CloseBrace)(here)?;
    Ok((here, body))
}

/// ```ebnf
/// statements ::= statement (";"? statement)*
/// statement ::= rendered | statement_call | assignment
/// statement_call ::= statement_function !(infix | postfix_start | "{") ";"? assignment ("," assignment)*
/// ```
///
/// Reads up to `close`, which is left. One statement is itself, several are a Block, none is Nop. `list` holds
/// statements that were read before. In a template, texts and expression tags are statements, too.
pub(super) fn statements(input: Input<'_>, close: Expected, mut list: Ids) -> Parsed<'_, Id> {
    // A text of a template is a statement, too.
    let (mut here, mut after_semicolon) =
        if list.is_empty() { (input, false) } else { optional_symbol(Expected::Semicolon, input)? };
    while after_semicolon || !at_end(here, close) {
        let (after, is_rendered) = rendered(here, &mut list)?;
        if is_rendered {
            (here, after_semicolon) = optional_symbol(Expected::Semicolon, after)?;
            continue;
        }
        let start = here;
        let (comma, first) = assignment(here)?;
        let (after, arguments) = further_arguments(comma, first)?;
        here = after;
        match list.last_mut().filter(|last| is_statement_function(here, **last)) {
            Some(last) => {
                let functor = *last;
                let arguments = if arguments.is_empty() { Ids::one(first) } else { arguments };
                let span = here.span_of(functor).to(start.span_to_last_token());
                let call = Expression::Call { functor, arguments, lambda: None, statement: true };
                *last = here.node(span, call);
            }
            None if !arguments.is_empty() => {
                return refuse(SyntaxError::CommaSeparated, comma.span_until(comma.skip(1)));
            }
            None => list.push(first),
        }
        (here, after_semicolon) = optional_symbol(Expected::Semicolon, here)?;
    }
    for &id in &list {
        here.look(id, |node| {
            if let Expression::Call { statement, .. } = &mut node.expression {
                *statement = true;
            }
        });
    }
    let body = match list[..] {
        [] => here.node(input.span_until(input), Expression::Nop),
        [only] => only,
        [first, .., last] => here.node(here.span_of(first).to(here.span_of(last)), Expression::Block(list)),
    };
    Ok((here, body))
}

fn at_end(input: Input<'_>, close: Expected) -> bool {
    if close == Expected::End {
        return input.rest().is_empty();
    }
    symbol_follows(close, input)
}

/// The arguments of a call without parentheses when there are several.
fn further_arguments(input: Input<'_>, first: Id) -> Parsed<'_, Ids> {
    let mut arguments = Ids::new();
    let mut here = input;
    loop {
        let (after, follows) = optional_symbol(Expected::Comma, here)?;
        if !follows {
            return Ok((here, arguments));
        }
        let (after, argument) = assignment(after)?;
        if arguments.is_empty() {
            arguments.push(first);
        }
        arguments.push(argument);
        here = after;
    }
}

/// Whether a node is the name of a function that takes arguments without parentheses.
pub(super) fn is_statement_function(input: Input<'_>, id: Id) -> bool {
    input.look(id, |node| match &node.expression {
        Expression::Name(name) => STATEMENT_FUNCTIONS.contains(&&**name),
        _ => false,
    })
}

/// ```ebnf
/// assignment ::= relationship (("=" | "+=" | "-=") relationship)*
/// ```
///
/// Assignments group to the right.
pub(super) fn assignment(input: Input<'_>) -> Parsed<'_, Id> {
    input.nested(|input| {
        let (here, first) = relationship(input)?;
        match assignment_operator(here) {
            None => Ok((here, first)),
            Some(operator) => assigned(here, first, operator),
        }
    })
}

/// Parses the rest of an assignment to `target`, starting with its `operator`.
fn assigned(input: Input<'_>, mut target: Id, mut operator: AssignmentOperator) -> Parsed<'_, Id> {
    let (mut here, mut value);
    let mut place = input;
    // The assignments around the innermost one.
    let mut outer = Vec::new();
    loop {
        let (after, ()) = token(place.skip(operator.symbol().len()), ())?;
        (here, value) = relationship(after)?;
        let Some(next) = assignment_operator(here) else { break };
        if outer.len() + 1 >= MAX_NESTING_LEVELS as usize {
            return refuse(SyntaxError::Nesting, here.span_until(here));
        }
        outer.push((target, operator, place));
        (target, operator, place) = (value, next, here);
    }
    for (target, operator, place) in std::iter::once((target, operator, place)).chain(outer.into_iter().rev()) {
        let span = here.span_of(target).to(here.span_of(value));
        value = here.node_at(span, place.offset, Expression::Assignment(operator, target, value));
    }
    Ok((here, value))
}

fn assignment_operator(input: Input<'_>) -> Option<AssignmentOperator> {
    match (input.byte(), input.byte_at(1)) {
        (b'=', b'=' | b'>' | b'~') => None,
        (b'=', _) => Some(AssignmentOperator::Assign),
        (b'+', b'=') => Some(AssignmentOperator::Append),
        (b'-', b'=') => Some(AssignmentOperator::Delete),
        _ => None,
    }
}

/// ```ebnf
/// relationship ::= resource (("->" | "<-" | "~>" | "<~") resource)*
/// ```
#[inline]
fn relationship(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, left) = resource(input)?;
    if matches!(here.byte(), b'-' | b'<' | b'~') { related(here, left) } else { Ok((here, left)) }
}

/// Parses the rest of a chain of relationships that starts with `left`.
fn related(input: Input<'_>, mut left: Id) -> Parsed<'_, Id> {
    let mut here = input;
    while let Some(row) = operator(here).filter(|row| row.power == RELATIONSHIP_POWER) {
        let place = here.offset;
        let (after, ()) = token(here.skip(row.text.len()), ())?;
        let (after, right) = resource(after)?;
        let span = here.span_of(left).to(here.span_of(right));
        left = here.node_at(span, place, Expression::Binary(row.operator, left, right));
        here = after;
    }
    Ok((here, left))
}
