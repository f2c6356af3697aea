//! The combinators that nom does not have, which the productions in `grammar` are made of.
//!
//! A token includes the white space and comments after it, so that no production has to mention them. Whatever is
//! expected in vain is noted in the state; the furthest note is the error.

use nom::combinator::{cut, opt};
use nom::{Parser, bytes::complete::tag, sequence::terminated};
use smallvec::SmallVec;

use super::errors::{Expected, SyntaxError};
use super::grammar::words::{space, word_end};
use super::input::{Input, Stop, refuse};
use super::recovery;
use super::tree::{Expression, Id};
use crate::stack;

/// How deep brackets, blocks, operators in front and interpolations may be nested.
pub(crate) const MAX_NESTING_LEVELS: u32 = 2_000;

/// A parser of [`Input`] that makes a `T`.
pub(super) trait Rule<'a, T>: Parser<Input<'a>, Output = T, Error = Stop> {}

impl<'a, T, R: Parser<Input<'a>, Output = T, Error = Stop>> Rule<'a, T> for R {}

/// The parser for the first character, which decides what follows; the last one, after `_`, for every other text.
///
/// ```ignore
/// by_first_char!(input, { '[' => array, '{' => hash, _ => missing(Expected::Expression) })
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

/// What `rule` reads, with the white space and comments after it. A mismatch is at its start: tokens are whole.
pub(super) fn token<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |input: Input<'a>| match rule.parse(input) {
        Ok((here, value)) => {
            let (here, ()) = space(here.ends_token())?;
            Ok((here, value))
        }
        Err(nom::Err::Error(_)) => input.mismatch(),
        Err(failure) => Err(failure),
    }
}

/// Notes `what` as expected if `rule` does not match at all. That it went wrong later, it has noted itself.
pub(super) fn expected<'a, T>(what: Expected, mut rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |input: Input<'a>| {
        let result = rule.parse(input);
        if matches!(result, Err(nom::Err::Error(stop)) if stop == Stop::Expected(input.start())) {
            input.note(what);
        }
        result
    }
}

/// Nothing: notes `what` as expected.
pub(super) fn missing<'a, T>(what: Expected) -> impl Rule<'a, T> {
    move |input: Input<'a>| input.expected(what)
}

/// The symbol `what`, with the white space after it, unless the next character makes it a longer one: `=` does not read `==`.
pub(super) fn symbol<'a>(what: Expected) -> impl Rule<'a, ()> + Copy {
    move |input: Input<'a>| match behind(what, input) {
        Some(after) => space(after.ends_token()),
        None => input.expected(what),
    }
}

pub(super) fn at<'a>(what: Expected) -> impl Rule<'a, ()> + Copy {
    move |input: Input<'a>| match behind(what, input) {
        Some(_) => Ok((input, ())),
        None => input.expected(what),
    }
}

fn behind(what: Expected, input: Input<'_>) -> Option<Input<'_>> {
    input.behind(what.text()).filter(|after| !what.goes_on_with(after.first()))
}

pub(super) fn keyword<'a>(word: &'static str) -> impl Rule<'a, Input<'a>> {
    token(terminated(tag(word), word_end))
}

/// A node of the tree, from the first to the last token of what `rule` reads.
pub(super) fn node<'a>(mut rule: impl Rule<'a, Expression>) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let (here, expression) = rule.parse(input)?;
        Ok((here, input.node(input.span_to_last_token(), expression)))
    }
}

/// What `rule` reads one level deeper.
pub(super) fn nested<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |input: Input<'a>| {
        let level = input.state.nesting.get() + 1;
        let is_out_of_room = !stack::has_room();
        if level > MAX_NESTING_LEVELS || is_out_of_room {
            input.state.is_out_of_room.set(is_out_of_room);
            return refuse(SyntaxError::Nesting, input.place());
        }
        input.state.nesting.set(level);
        let result = rule.parse(input);
        input.state.nesting.set(level - 1);
        result
    }
}

/// Makes a mismatch final once `rule` has read a token: no other alternative starts like it.
pub(super) fn committed<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, T> {
    move |input: Input<'a>| match rule.parse(input) {
        Err(nom::Err::Error(stop @ Stop::Expected(place))) if place > input.start() => Err(nom::Err::Failure(stop)),
        result => result,
    }
}

/// What `check` makes of a text and of what `rule` read in it; its error refuses the text.
pub(super) fn checked<'a, T, U>(
    mut rule: impl Rule<'a, T>,
    check: impl Fn(Input<'a>, T) -> Result<U, SyntaxError>,
) -> impl Rule<'a, U> {
    move |input: Input<'a>| {
        let (here, value) = rule.parse(input)?;
        let text = input.until(here);
        match check(text, value) {
            Ok(value) => Ok((here, value)),
            Err(error) => refuse(error, text),
        }
    }
}

/// Whether `rule` matches. What it made and noted is taken back.
pub(super) fn ahead<'a, T>(mut rule: impl Rule<'a, T>) -> impl Rule<'a, ()> {
    move |input: Input<'a>| {
        let (mark, furthest) = (input.state.mark(), input.state.furthest.get());
        let result = rule.parse(input);
        input.state.go_back_to(&mark);
        if result.is_ok() {
            input.state.furthest.set(furthest);
            return Ok((input, ()));
        }
        input.mismatch()
    }
}

/// What `inner` reads between two brackets.
pub(super) fn bracketed<'a, T>(open: Expected, inner: impl Rule<'a, T>, close: Expected) -> impl Rule<'a, T> {
    between(symbol(open), inner, symbol(close))
}

/// What `inner` reads behind an opening and in front of what closes it.
pub(super) fn between<'a, T>(
    mut opening: impl Rule<'a, ()>,
    inner: impl Rule<'a, T>,
    closing: impl Rule<'a, ()>,
) -> impl Rule<'a, T> {
    let mut inside = cut(terminated(inner, closing));
    move |input: Input<'a>| {
        let (here, ()) = opening.parse(input)?;
        input.state.open.borrow_mut().push(input.start());
        let (here, value) = inside.parse(here)?;
        input.state.open.borrow_mut().pop();
        Ok((here, value))
    }
}

/// Any number of items up to what `end` finds, with a separator between them, and perhaps behind the last.
pub(super) fn items<'a, T, L: FromIterator<T>>(
    item: impl Rule<'a, T>,
    separator: Expected,
    mut end: impl Rule<'a, ()> + Copy,
) -> impl Rule<'a, L> {
    let mut all = items1(item, separator, end);
    move |input: Input<'a>| {
        if end.parse(input).is_ok() { Ok((input, std::iter::empty().collect())) } else { all.parse(input) }
    }
}

/// As [`items`], but not none.
///
/// After a mistake in an item, reading goes on with the next one, if it is clear where that starts.
pub(super) fn items1<'a, T, L: FromIterator<T>>(
    item: impl Rule<'a, T>,
    between: Expected,
    mut end: impl Rule<'a, ()>,
) -> impl Rule<'a, L> {
    let mut item = recovery::item(committed(item), between);
    let separator = move |input| opt(symbol(between)).parse(input);
    move |input: Input<'a>| {
        // The list is allocated once, with its final length.
        let mut items = SmallVec::<[T; 4]>::new();
        let mut here = input;
        loop {
            let (after, found) = item.parse(recovery::in_list(here)?.0)?;
            let (after, follows) = match separator(after)? {
                (after, None) if after.state.recovery.goes_on.get() && end.parse(after).is_err() => {
                    let place =
                        if found.is_some() { recovery::missing_separator(here, after, between)?.0 } else { after };
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
