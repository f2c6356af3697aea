//! Parser combinators that nom lacks, from which the productions in `grammar` are built.
//!
//! A token includes the white space and comments after it, so that productions need not mention them. What a parser
//! expects but does not find is recorded in the state; the error lists what was expected at the furthest offset.

use nom::combinator::{cut, opt};
use nom::{Parser, bytes::complete::tag, sequence::terminated};
use smallvec::SmallVec;

use super::errors::{Expected, SyntaxError};
use super::grammar::words::{space, word_end};
use super::input::{Input, StopReason, fail_with};
use super::recovery;
use super::tree::{Expression, Id};
use crate::stack;

/// The maximum nesting depth of brackets, blocks, prefix operators and interpolations; deeper is a syntax error.
pub(crate) const MAX_NESTING_LEVELS: u32 = 2_000;

/// A nom parser that reads [`Input`] and returns a `T`: an abbreviation of the trait bounds.
pub(super) trait Rule<'a, T>: Parser<Input<'a>, Output = T, Error = StopReason> {}

impl<'a, T, R: Parser<Input<'a>, Output = T, Error = StopReason>> Rule<'a, T> for R {}

/// Runs the parser listed for the first character of the input; the one of `_` for other characters and at the end.
///
/// ```ignore
/// by_first_char!(input, { '[' => array, '{' => hash, _ => fail_expecting(Expected::Expression) })
/// ```
macro_rules! by_first_char {
    ($input:expr, { $($first:pat $(if $guard:expr)? => $rule:expr),+ $(,)? }) => {
        // The end of the text is like a character that nothing starts with.
        match $input.first().unwrap_or('\0') {
            $($first $(if $guard)? => nom::Parser::parse(&mut { $rule }, $input),)+
        }
    };
}
pub(super) use by_first_char;

/// Runs `rule` and skips the white space and comments after it. If `rule` fails midway, the mismatch is at its start.
pub(super) fn token<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |input: Input<'a>| match rule.parse(input) {
        Ok((here, value)) => {
            let (here, ()) = space(here.mark_token_end())?;
            Ok((here, value))
        }
        Err(nom::Err::Error(_)) => input.fail_here(),
        Err(failure) => Err(failure),
    }
}

/// Runs `rule`; if it fails without consuming a character, records that `what` was expected there.
pub(super) fn or_record_expected<'a, T>(what: Expected, mut rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |input: Input<'a>| {
        let result = rule.parse(input);
        if matches!(result, Err(nom::Err::Error(stop)) if stop == StopReason::Expected(input.start())) {
            input.record_expected(what);
        }
        result
    }
}

/// Parses the symbol `what` and the white space after it, unless it is part of a longer one: `=` does not match `==`.
pub(super) fn symbol<'a>(what: Expected) -> impl Rule<'a, ()> + Copy {
    move |input: Input<'a>| match strip_symbol(what, input) {
        Some(after) => space(after.mark_token_end()),
        None => input.fail_expecting(what),
    }
}

pub(super) fn peek_symbol<'a>(what: Expected) -> impl Rule<'a, ()> + Copy {
    move |input: Input<'a>| match strip_symbol(what, input) {
        Some(_) => Ok((input, ())),
        None => input.fail_expecting(what),
    }
}

fn strip_symbol(what: Expected, input: Input<'_>) -> Option<Input<'_>> {
    input.strip_prefix(what.text()).filter(|after| !what.is_extended_by(after.first()))
}

pub(super) fn keyword<'a>(word: &'static str) -> impl Rule<'a, Input<'a>> {
    token(terminated(tag(word), word_end))
}

pub(super) fn parse_node<'a>(mut rule: impl Rule<'a, Expression>) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let (here, expression) = rule.parse(input)?;
        Ok((here, input.add_node(input.span_to_last_token(), expression)))
    }
}

/// Runs `rule` one nesting level deeper. Fails beyond [`MAX_NESTING_LEVELS`], or if the stack has no room.
pub(super) fn nested_one_level<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |input: Input<'a>| {
        let level = input.state.nesting.get() + 1;
        let is_out_of_room = !stack::has_enough_stack();
        if level > MAX_NESTING_LEVELS || is_out_of_room {
            input.state.is_out_of_stack.set(is_out_of_room);
            return fail_with(SyntaxError::Nesting, input.empty_at_start());
        }
        input.state.nesting.set(level);
        let result = rule.parse(input);
        input.state.nesting.set(level - 1);
        result
    }
}

/// Runs `rule`, and turns a mismatch after its first token into a failure, so that no other alternative is tried.
pub(super) fn commit_after_token<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |input: Input<'a>| match rule.parse(input) {
        Err(nom::Err::Error(stop @ StopReason::Expected(place))) if place > input.start() => {
            Err(nom::Err::Failure(stop))
        }
        result => result,
    }
}

/// Passes the text that `rule` matches and its value to `try_map`; an error of that is final: no alternative is tried.
pub(super) fn map_or_refuse<'a, T, U>(
    mut rule: impl Rule<'a, T>,
    try_map: impl Fn(Input<'a>, T) -> Result<U, SyntaxError>,
) -> impl Rule<'a, U> {
    move |input: Input<'a>| {
        let (here, value) = rule.parse(input)?;
        let text = input.until_start_of(here);
        match try_map(text, value) {
            Ok(value) => Ok((here, value)),
            Err(error) => fail_with(error, text),
        }
    }
}

/// Succeeds without consuming input if `rule` matches. The nodes that `rule` added are removed.
pub(super) fn look_ahead<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, ()> {
    move |input: Input<'a>| {
        let (mark, furthest) = (input.state.checkpoint(), input.state.furthest_mismatch.get());
        let result = rule.parse(input);
        input.state.restore_checkpoint(&mark);
        if result.is_ok() {
            input.state.furthest_mismatch.set(furthest);
            return Ok((input, ()));
        }
        input.fail_here()
    }
}

/// Parses `inner` between the symbols `open` and `close`. After `open`, no other alternative is tried.
pub(super) fn in_brackets<'a, T>(open: Expected, inner: impl Rule<'a, T>, close: Expected) -> impl Rule<'a, T> {
    in_delimiters(symbol(open), inner, symbol(close))
}

/// Parses `inner` between `opening` and `closing`. After `opening`, no other alternative is tried.
pub(super) fn in_delimiters<'a, T>(
    mut opening: impl Rule<'a, ()>,
    inner: impl Rule<'a, T>,
    closing: impl Rule<'a, ()>,
) -> impl Rule<'a, T> {
    let mut inside = cut(terminated(inner, closing));
    move |input: Input<'a>| {
        let (here, ()) = opening.parse(input)?;
        input.state.open_offsets.borrow_mut().push(input.start());
        let (here, value) = inside.parse(here)?;
        input.state.open_offsets.borrow_mut().pop();
        Ok((here, value))
    }
}

/// Parses any number of items up to `end`, with `separator` between them and optionally after the last.
pub(super) fn separated_items<'a, T, L: FromIterator<T>>(
    item: impl Rule<'a, T>,
    separator: Expected,
    mut end: impl Rule<'a, ()> + Copy,
) -> impl Rule<'a, L> {
    let mut all = separated_items1(item, separator, end);
    move |input: Input<'a>| {
        if end.parse(input).is_ok() { Ok((input, std::iter::empty().collect())) } else { all.parse(input) }
    }
}

/// Like [`separated_items`], but requires at least one item.
///
/// After a mistake in an item, parsing continues with the next one, if it is clear where that starts.
pub(super) fn separated_items1<'a, T, L: FromIterator<T>>(
    item: impl Rule<'a, T>,
    separator_symbol: Expected,
    mut end: impl Rule<'a, ()>,
) -> impl Rule<'a, L> {
    let mut item = recovery::item_or_recover(commit_after_token(item), separator_symbol);
    let separator = move |input| opt(symbol(separator_symbol)).parse(input);
    move |input: Input<'a>| {
        // The list is allocated once, with its final length.
        let mut items = SmallVec::<[T; 4]>::new();
        let mut here = input;
        loop {
            let (after, found) = item.parse(recovery::check_still_in_list(here)?.0)?;
            let (after, follows) = match separator(after)? {
                (after, None) if after.state.recovery.is_enabled.get() && end.parse(after).is_err() => {
                    let place = if found.is_some() {
                        recovery::recover_missing_separator(here, after, separator_symbol)?.0
                    } else {
                        after
                    };
                    (separator(place)?.0, Some(()))
                }
                read => read,
            };
            if let Some(item) = found {
                items.push(item);
            }
            here = after;
            if follows.is_none() || end.parse(here).is_ok() {
                break;
            }
        }
        Ok((here, items.into_iter().collect()))
    }
}
