//! Shared parts of the parsers of small languages inside strings: formats, times, zones, numbers.

use nom::bytes::complete::take_while_m_n;
use nom::character::complete::digit1;
use nom::combinator::all_consuming;
use nom::{AsChar, IResult, Parser};

/// The result of a parser of a string. The error has no content, because the caller knows what was expected.
pub(crate) type Parsed<'t, T> = IResult<&'t str, T, ()>;

pub(crate) trait StringParser<'t, T>: Parser<&'t str, Output = T, Error = ()> {}

impl<'t, T, R: Parser<&'t str, Output = T, Error = ()>> StringParser<'t, T> for R {}

pub(crate) fn parse_whole_string<'t, T>(text: &'t str, rule: impl StringParser<'t, T>) -> Option<T> {
    all_consuming(rule).parse(text).ok().map(|(_, value)| value)
}

/// Parses an unsigned decimal number, such as the width in a format; returns `usize::MAX` if it is larger than that.
pub(crate) fn parse_count(text: &str) -> Parsed<'_, usize> {
    digit1.map(|digits: &str| digits.parse().unwrap_or(usize::MAX)).parse(text)
}

pub(crate) fn digits_at_most<'t>(most: usize) -> impl StringParser<'t, &'t str> {
    take_while_m_n(1, most, AsChar::is_dec_digit)
}
