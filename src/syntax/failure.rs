//! From the furthest place where something was expected in vain to the error that a person reads.

use nom::{Parser, branch::alt, combinator::value};

use super::errors::{Expected, SyntaxError, alternatives};
use super::grammar::{numbers, strings, words};
use super::input::{Input, Stop};
use super::state::State;
use super::suggestions::{self, Advice};
use super::tokens::{Kind, Scanner, Token};
use crate::error::Error;
use crate::text::Span;

/// The error that a parser stopped with.
pub(super) fn error_of<'a>(stop: Stop, state: &'a State<'a>) -> Error {
    match stop {
        Stop::Refused => state.refusal.take().unwrap_or_else(|| furthest(state)),
        _ => furthest(state),
    }
}

/// The error at the furthest place that something was looked for.
pub(super) fn furthest<'a>(state: &'a State<'a>) -> Error {
    let text = state.source;
    let (place, expected) = state.furthest();
    let input = Input::new(state).moved_to(Span::new(place, place).start);
    let rest = input.text();
    if rest.is_empty() && state.is_template && !state.in_text.get() {
        return SyntaxError::UnclosedTag.at(input.span());
    }
    let expected = Expected::worth_naming(expected);
    if let Some(start) = state.open_interpolation()
        && !closes_interpolation(input)
    {
        let error = SyntaxError::UnclosedInterpolation.at(Span::new(text.len(), text.len()));
        let error = error.with_label(Span::new(start, start + 2), "the interpolation starts here");
        let reason = format!("expected {} here", alternatives(&expected));
        return if rest.is_empty() { error } else { error.with_label(input.place().span(), reason) };
    }
    if let Some(error) = malformed_token(input) {
        return error;
    }
    let failure = suggestions::Failure::at(place, &expected, state);
    let found = failure.found;
    let unexpected = |help| {
        let error = SyntaxError::Unexpected { expected: expected.clone(), found: found.to_owned(), help };
        error.at(Span::new(place, place + found.len()))
    };
    if let Some(string) = string_before(Input::new(state), input.start()) {
        let error = unexpected(Some("close the string in the line where it starts, if it was to end there".into()));
        return error.with_label(Span { end: string.start + 1, ..string }, "this string ends in another line");
    }
    let advice = suggestions::advice(&failure, &suggestions::Mistake::furthest(state));
    let error = unexpected(advice.as_ref().map(|advice| advice.hint.clone()));
    match advice {
        Some(Advice { is_final: true, .. }) => return error.finished(),
        Some(Advice { mark: Some(span), .. }) => return error.with_label(span, ""),
        _ => {}
    }
    let Some(open) = state.open_bracket().filter(|_| failure.expects_close()) else { return error };
    let error = error.with_label(Span::new(open, open + 1), "opened here");
    if rest.is_empty() { error.with_help(format!("close the bracket with {}", state.closing())) } else { error }
}

/// The quoted string of several lines that ends right before `place`, in its line: a mistake there is likely to be that
/// the string was to end in the line where it starts.
pub(super) fn string_before(start: Input<'_>, place: u32) -> Option<Span> {
    let source = start.state.source;
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

/// The error of the token here, where it is none: that explains more than what else could stand here.
fn malformed_token(input: Input<'_>) -> Option<Error> {
    let token = alt((value((), numbers::number), value((), strings::single_quoted), value((), words::word)));
    match { token }.parse(input) {
        Err(nom::Err::Failure(Stop::Refused)) => input.state.refusal.take(),
        _ => None,
    }
}

/// Whether the text after a mistake inside `${` still closes the interpolation: otherwise the whole string is open.
fn closes_interpolation(rest: Input<'_>) -> bool {
    let mut depth = 0;
    Scanner::new(rest).any(|token| {
        match &rest.state.source[token.span.range()] {
            "{" | "${" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        depth < 0
    })
}
