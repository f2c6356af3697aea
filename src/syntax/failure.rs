//! From the furthest place where something was expected in vain to the error that a person reads.

use nom::Parser;
use nom::branch::alt;

use super::errors::{Alternatives, Expected, Found, SyntaxError};
use super::grammar::{numbers, strings, words};
use super::input::{Input, Stop};
use super::state::State;
use super::suggestions;
use super::tokens::{Kind, Scanner, Token};
use crate::error::Error;
use crate::text::Span;

/// The error that a parser stopped with.
pub(super) fn error_of<'a>(stop: Stop, state: &'a State<'a>) -> Error {
    match stop {
        Stop::REFUSED => state.take_refusal().unwrap_or_else(|| furthest(state)),
        _ => furthest(state),
    }
}

/// The error at the furthest place that something was looked for.
pub(super) fn furthest<'a>(state: &'a State<'a>) -> Error {
    let text = state.source();
    let (place, expected) = state.furthest();
    let rest = &text[place..];
    if rest.is_empty() && state.is_template && !state.in_text.get() {
        return SyntaxError::UnclosedTag.at(Span::new(place, place));
    }
    let expected = Expected::worth_naming(expected);
    if let Some(start) = state.open_interpolation()
        && !closes_interpolation(rest)
    {
        let error = SyntaxError::UnclosedInterpolation.at(Span::new(text.len(), text.len()));
        let error = error.with_label(Span::new(start, start + 2), "the interpolation starts here");
        let reason = format!("expected {} here", Alternatives(&expected));
        return if rest.is_empty() { error } else { error.with_label(Span::new(place, place), reason) };
    }
    if let Some(error) = malformed_token(state, place) {
        return error;
    }
    let failure = suggestions::Failure::at(place, &expected, state);
    let (found, length) = (failure.found, failure.found.len());
    if let Some(string) = string_before(Input::new(state), Span::new(place, place).start) {
        let help = "close the string in the line where it starts, if it was to end there".to_owned();
        let found = Found::Text(found.to_owned());
        let error = SyntaxError::Unexpected { expected, found, help: Some(help) }.at(Span::new(place, place + length));
        return error.with_label(Span { end: string.start + 1, ..string }, "this string ends in another line");
    }
    let advice = suggestions::advice(&failure);
    let misses_end = expected.iter().any(|one| one.closes());
    let found = if rest.is_empty() { Found::End } else { Found::Text(found.to_owned()) };
    let is_final = advice.as_ref().is_some_and(|advice| advice.is_final);
    let (help, mark) = advice.map_or((None, None), |advice| (Some(advice.hint.to_owned()), advice.mark));
    let error = SyntaxError::Unexpected { expected, found, help }.at(Span::new(place, place + length));
    if is_final {
        return error.finished();
    }
    match state.open_bracket() {
        _ if mark.is_some() => mark.into_iter().fold(error, |error, (span, text)| error.with_label(span, text)),
        Some(open) if misses_end => {
            let error = error.with_label(Span::new(open, open + 1), "opened here");
            let closing = match text.get(open..).and_then(|rest| rest.chars().next()).unwrap_or_default() {
                '(' => ')',
                '[' => ']',
                '{' => '}',
                same => same,
            };
            if rest.is_empty() { error.with_help(format!("close the bracket with `{closing}`")) } else { error }
        }
        _ => error,
    }
}

/// The quoted string of several lines that ends right before `place`, in its line: a mistake there is likely to be that
/// the string was to end in the line where it starts.
pub(super) fn string_before(start: Input<'_>, place: u32) -> Option<Span> {
    let source = start.state.source();
    let (_, line) = source.get(start.start() as usize..place as usize)?.rsplit_once('\n')?;
    if !line.contains(['\'', '"']) {
        return None;
    }
    let is_before = |token: &Token| token.span.start < place;
    let last = Scanner::new(start).take_while(is_before).filter(|token| token.kind == Kind::String).last()?;
    let text = &source[last.span.range()];
    let behind = source.get(last.span.end as usize..place as usize)?;
    (text.starts_with(['\'', '"']) && text.contains('\n') && !behind.contains('\n')).then_some(last.span)
}

/// The error of the token at `place`, where it is none: that explains more than what else could stand there.
fn malformed_token<'a>(state: &'a State<'a>, place: usize) -> Option<Error> {
    let input = Input::new(state).moved_to(Span::new(place, place).start);
    let number = |input| numbers::number(input).map(|(rest, _)| (rest, ()));
    let quoted = |input| strings::single_quoted(input).map(|(rest, _)| (rest, ()));
    let word = |input| words::word(input).map(|(rest, _)| (rest, ()));
    match alt((number, quoted, word)).parse(input) {
        Err(nom::Err::Failure(Stop::REFUSED)) => state.take_refusal(),
        _ => None,
    }
}

/// Whether the text after a mistake inside `${` still closes the interpolation: otherwise the whole string is open.
fn closes_interpolation(rest: &str) -> bool {
    let mut depth = 0_usize;
    let mut quote = None;
    let mut characters = rest.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (_, '\\') => {
                characters.next();
            }
            (Some(open), _) if character == open => quote = None,
            (None, '\'' | '"') => quote = Some(character),
            (None, '{') => depth += 1,
            (None, '}') if depth == 0 => return true,
            (None, '}') => depth -= 1,
            _ => {}
        }
    }
    false
}
