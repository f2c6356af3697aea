//! What the parsers of the small languages inside strings share: formats, times, zones, numbers.

use nom::bytes::complete::take_while_m_n;
use nom::character::complete::digit1;
use nom::combinator::all_consuming;
use nom::{AsChar, IResult, Parser};

/// What a parser of a string returns. Its error says nothing: the caller knows what was expected.
pub(crate) type Parsed<'t, T> = IResult<&'t str, T, ()>;

pub(crate) trait Rule<'t, T>: Parser<&'t str, Output = T, Error = ()> {}

impl<'t, T, R: Parser<&'t str, Output = T, Error = ()>> Rule<'t, T> for R {}

/// What `rule` makes of all of `text`.
pub(crate) fn whole<'t, T>(text: &'t str, rule: impl Rule<'t, T>) -> Option<T> {
    all_consuming(rule).parse(text).ok().map(|(_, value)| value)
}

/// The number of a width or a precision; the largest there is for one that is even larger.
pub(crate) fn count(text: &str) -> Parsed<'_, usize> {
    digit1.map(|digits: &str| digits.parse().unwrap_or(usize::MAX)).parse(text)
}

pub(crate) fn digits<'t>(most: usize) -> impl Rule<'t, &'t str> {
    take_while_m_n(1, most, AsChar::is_dec_digit)
}
