//! Calls in their three forms, and lambdas.

use super::definitions::{parameters, return_type};
use super::errors::Expected;
use super::expressions::{Elements, arguments};
use super::input::{Input, Parsed};
use super::lexical::{Word, is_blank, symbol, symbol_follows, token, word};
use super::statements::block;
use super::tree::{Expression, Id, Ids};
use crate::text::Span;

/// ```ebnf
/// statement_function ::= "break" | "contain" | "debug" | "err" | "fail" | "import" | "include" | "info" | "next"
///                      | "notice" | "realize" | "require" | "return" | "tag" | "warning"
/// ```
///
/// The functions that can be called without parentheses, as statements.
///
/// Observed: Puppet 8.11; `alert`, `crit` and `emerg` are not among them.
pub(crate) const STATEMENT_FUNCTIONS: [&str; 15] = [
    "break", "contain", "debug", "err", "fail", "import", "include", "info", "next", "notice", "realize", "require",
    "return", "tag", "warning",
];

/// Whether the parenthesis at `input` belongs to what stands before it: it is not the first thing on its line.
pub(super) fn call_follows(input: Input<'_>) -> bool {
    input.byte() == b'(' && !input.before().trim_end_matches(|last| is_blank(last) || last == '\r').ends_with('\n')
}

/// ```ebnf
/// call ::= <!line_start "(" arguments? ")" (lambda | !"|")
/// ```
///
/// The parenthesis stands on the line of what it belongs to.
pub(super) fn call(input: Input<'_>, functor: Id) -> Parsed<'_, Id> {
    let (here, arguments) = parenthesized_arguments(input)?;
    let (here, lambda) = optional_lambda(here)?;
    let span = Span { start: here.span_of(functor).start, ..input.span_to_last_token() };
    let expression = Expression::Call { functor, arguments, lambda, statement: false };
    Ok((here, here.node(span, expression)))
}

/// ```ebnf
/// method_call ::= "." (name | "type") (<!line_start "(" arguments? ")")? (lambda | !"|")
/// ```
pub(super) fn method_call(input: Input<'_>, receiver: Id) -> Parsed<'_, Id> {
    let (start, ()) = symbol(Expected::Dot)(input)?;
    let (here, name) = match word(start)? {
        (after, Some(found @ (Word::Name(name) | Word::Keyword(name @ "type")))) => {
            if matches!(found, Word::Keyword(_)) {
                after.ends_reserved_word();
            }
            token(after, start.node(start.span_until(after), Expression::Name(name.into())))?
        }
        _ => return start.expected(Expected::MethodName),
    };
    let (place, (here, arguments)) = match here.byte() {
        b'(' if call_follows(here) => (here.offset, parenthesized_arguments(here)?),
        _ => (input.offset, (here, Ids::new())),
    };
    let (here, lambda) = optional_lambda(here)?;
    let span = Span { start: here.span_of(receiver).start, ..input.span_to_last_token() };
    let expression = Expression::MethodCall { receiver, name, arguments, lambda };
    Ok((here, here.node_at(span, place, expression)))
}

fn parenthesized_arguments(input: Input<'_>) -> Parsed<'_, Ids> {
    let (here, ()) = symbol(Expected::OpenParenthesis)(input)?;
    let (here, arguments) = arguments(here, Expected::CloseParenthesis, Elements::Arguments)?;
    let (here, ()) = symbol(Expected::CloseParenthesis)(here)?;
    Ok((here, arguments))
}

fn optional_lambda(input: Input<'_>) -> Parsed<'_, Option<Id>> {
    if symbol_follows(Expected::Bar, input) {
        let (here, lambda) = lambda(input)?;
        return Ok((here, Some(lambda)));
    }
    Ok((input, None))
}

/// ```ebnf
/// lambda ::= "|" parameters? "|" return_type? block
/// ```
fn lambda(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = symbol(Expected::Bar)(input)?;
    let (here, parameters) = parameters(here, Expected::Bar)?;
    let parameters = parameters.into();
    let (here, ()) = symbol(Expected::Bar)(here)?;
    let (here, return_type) = return_type(here)?;
    let (here, body) = block(here)?;
    Ok((here, input.node(input.span_to_last_token(), Expression::Lambda { parameters, return_type, body })))
}
