//! Builds the syntax error shown to the user from what was expected at the furthest offset that parsing reached.

use nom::{Parser, branch::alt, combinator::value};

use super::errors::{Expected, SyntaxError, join_alternatives};
use super::grammar::{numbers, strings, words};
use super::input::{Input, StopReason};
use super::state::State;
use super::suggestions::{self, ParseFailure};
use super::tokens::{Kind, Scanner, Token};
use crate::error::Error;
use crate::text::Span;

/// Returns the error for which parsing stopped; `None` if that is recorded already.
pub(super) fn error_for_stop<'a>(stop: &nom::Err<StopReason>, state: &'a State<'a>) -> Option<Error> {
    match stop {
        // No parser asks for more.
        nom::Err::Failure(StopReason::Recorded) | nom::Err::Incomplete(_) => None,
        nom::Err::Failure(StopReason::Refused) if let Some(error) = state.refusal_error.take() => Some(error),
        _ => Some(error_at_furthest_offset(state)),
    }
}

pub(super) fn error_at_furthest_offset<'a>(state: &'a State<'a>) -> Error {
    let text = state.source;
    let (place, expected) = state.furthest_expected();
    let input = Input::new(state).with_start(Span::new(place, place).start);
    let rest = input.text();
    if rest.is_empty() && state.is_template && !state.is_in_final_text.get() {
        return SyntaxError::UnclosedTag.into_error_at(input.span());
    }
    let expected = Expected::filter_for_message(expected);
    if let Some(start) = state.find_innermost_opening(|at| text[at..].starts_with('$'))
        && !closes_interpolation(input)
    {
        let error = SyntaxError::UnclosedInterpolation.into_error_at(Span::new(text.len(), text.len()));
        let error = error.with_label(Span::new(start, start + 2), "the interpolation starts here");
        let reason = format!("expected {} here", join_alternatives(&expected));
        return if rest.is_empty() { error } else { error.with_label(input.empty_at_start().span(), reason) };
    }
    if let Some(error) = malformed_token_error(input) {
        return error;
    }
    let found = &rest[..words::token_length(rest)];
    let failure = ParseFailure { before: input.before().trim_end(), found, rest, expected: &expected };
    let error = SyntaxError::Unexpected { expected: expected.clone(), found: found.to_owned() };
    let error = error.into_error_at(Span::new(place, place + found.len()));
    if let Some(string) = multiline_string_before(Input::new(state), input.start()) {
        let error = error.with_help("close the string in the line where it starts, if it was to end there");
        return error.with_label(Span { end: string.start + 1, ..string }, "this string ends in another line");
    }
    if let Some(hint) = failure.advice_on_bang_or_question() {
        return error.with_help(hint).with_unfinished(false);
    }
    let error = match suggestions::find_advice(&failure, &suggestions::Mistake::furthest_mistake(state)) {
        Some((hint, Some(wrong))) => return error.with_help(hint).with_label(wrong, ""),
        Some((hint, None)) => error.with_help(hint),
        None => error,
    };
    let Some(open) = state.innermost_open_bracket().filter(|_| failure.expects_closing_bracket()) else { return error };
    let error = error.with_label(Span::new(open, open + 1), "opened here");
    if rest.is_empty() { error.with_help(format!("close the bracket with {}", state.closing_bracket())) } else { error }
}

/// Returns the span of the last quoted string between `start` and `place`, if it has several lines and ends on the line
/// of `place`: its closing quote was probably forgotten on its first line, which causes the error at `place`.
pub(super) fn multiline_string_before(start: Input<'_>, place: u32) -> Option<Span> {
    let source = start.state.source;
    let (_, line) = source.get(start.start() as usize..place as usize)?.rsplit_once('\n')?;
    if !line.contains(['\'', '"']) {
        return None;
    }
    let is_before = |token: &Token| token.span.start < place;
    let last = Scanner::new_scanner(start).take_while(is_before).filter(|token| token.kind == Kind::String).last()?;
    let text = &source[last.span.range()];
    let behind = source.get(last.span.end as usize..place as usize)?;
    (text.starts_with(['\'', '"']) && text.contains('\n') && !behind.contains('\n')).then_some(last.span)
}

/// Returns the error of the malformed number, string or word at `input`; `None` for any other token.
fn malformed_token_error(input: Input<'_>) -> Option<Error> {
    let token = alt((value((), numbers::number), value((), strings::single_quoted), value((), words::word_with_kind)));
    match { token }.parse(input) {
        Err(nom::Err::Failure(StopReason::Refused)) => input.state.refusal_error.take(),
        _ => None,
    }
}

/// Whether `rest`, the text after a mistake inside `${…`, has the `}` that closes this interpolation.
fn closes_interpolation(rest: Input<'_>) -> bool {
    let mut depth = 0;
    Scanner::new_scanner(rest).any(|token| {
        match &rest.state.source[token.span.range()] {
            "{" | "${" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        depth < 0
    })
}
