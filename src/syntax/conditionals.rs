//! `if`, `unless`, `case` and selectors.

use super::errors::Expected;
use super::input::{Input, Parsed};
use super::lexical::{after_keyword, keyword, keyword_follows, list, symbol, symbol_follows};
use super::precedence::expression;
use super::statements::block;
use super::tree::{CaseOption, Expression, Id};
use crate::text::Span;

/// ```ebnf
/// if ::= "if" condition
/// condition ::= expression block ("elsif" condition | "else" block)?
/// ```
pub(super) fn if_(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = keyword("if", Expected::Expression)(input)?;
    condition(here, input)
}

/// The rest of an `if` or `elsif` that starts at `start`.
fn condition<'a>(input: Input<'a>, start: Input<'a>) -> Parsed<'a, Id> {
    let (here, condition) = expression(input)?;
    let (here, then) = block(here)?;
    let (here, otherwise) = if keyword_follows("elsif", here) {
        let (after, ()) = keyword("elsif", Expected::Else)(here)?;
        let (after, elsif) = after.nested(|after| self::condition(after, here))?;
        (after, Some(elsif))
    } else {
        otherwise(here)?
    };
    Ok((here, start.node(start.span_to_last_token(), Expression::If { condition, then, otherwise })))
}

fn otherwise(input: Input<'_>) -> Parsed<'_, Option<Id>> {
    after_keyword("else", Expected::Else, input, block)
}

/// ```ebnf
/// unless ::= "unless" expression block ("else" block)?
/// ```
pub(super) fn unless(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = keyword("unless", Expected::Expression)(input)?;
    let (here, condition) = expression(here)?;
    let (here, then) = block(here)?;
    let (here, otherwise) = otherwise(here)?;
    Ok((here, input.node(input.span_to_last_token(), Expression::Unless { condition, then, otherwise })))
}

/// ```ebnf
/// case ::= "case" expression "{" case_option+ "}"
/// case_option ::= expression ("," expression)* ":" block
/// ```
pub(super) fn case(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = keyword("case", Expected::Expression)(input)?;
    let (here, control) = expression(here)?;
    let (mut here, ()) = symbol(Expected::OpenBrace)(here)?;
    let mut options = Vec::new();
    while options.is_empty() || !symbol_follows(Expected::CloseBrace, here) {
        let (after, option) = case_option(here)?;
        options.push(option);
        here = after;
    }
    let (here, ()) = symbol(Expected::CloseBrace)(here)?;
    Ok((here, input.node(input.span_to_last_token(), Expression::Case(control, options))))
}

fn case_option(input: Input<'_>) -> Parsed<'_, CaseOption> {
    let (here, values) = list(Expected::Comma, input, expression, |_| false)?;
    let (here, ()) = symbol(Expected::Colon)(here)?;
    let (here, then) = block(here)?;
    Ok((here, CaseOption { values, then }))
}

/// ```ebnf
/// selector ::= "?" ("{" selector_entry ("," selector_entry)* ","? "}" | !"{" selector_entry)
/// selector_entry ::= expression "=>" expression
/// ```
///
/// Reads what follows `control`.
pub(super) fn selector(input: Input<'_>, control: Id) -> Parsed<'_, Id> {
    let (here, ()) = symbol(Expected::Question)(input)?;
    let (here, entries) = if here.byte() == b'{' {
        let (here, ()) = symbol(Expected::OpenBrace)(here)?;
        let ends = |here| symbol_follows(Expected::CloseBrace, here);
        let (here, entries) = list(Expected::Comma, here, selector_entry, ends)?;
        let (here, ()) = symbol(Expected::CloseBrace)(here)?;
        (here, entries)
    } else {
        let (here, entry) = selector_entry(here)?;
        (here, vec![entry])
    };
    let span = Span { start: here.span_of(control).start, ..input.span_to_last_token() };
    Ok((here, here.node(span, Expression::Selector(control, entries))))
}

fn selector_entry(input: Input<'_>) -> Parsed<'_, (Id, Id)> {
    let (here, key) = expression(input)?;
    let (here, ()) = symbol(Expected::Arrow)(here)?;
    let (here, value) = expression(here)?;
    Ok((here, (key, value)))
}
