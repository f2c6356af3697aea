//! Shared parts of the parsers of small languages inside strings (formats, times, zones, numbers), and the text of some literals.

use nom::IResult;
use prelude::*;

/// nom's combinators, for files that are made of many of them.
pub(crate) mod prelude {
    pub(crate) use nom::branch::alt;
    pub(crate) use nom::bytes::complete::{is_a, is_not, tag, tag_no_case, take_till, take_till1};
    pub(crate) use nom::bytes::complete::{take_while, take_while_m_n, take_while1};
    pub(crate) use nom::character::complete::{anychar, char, digit0, digit1, hex_digit1, line_ending, none_of};
    pub(crate) use nom::character::complete::{oct_digit1, one_of, satisfy, space0};
    pub(crate) use nom::combinator::{all_consuming, cut, eof, fail, not, opt, peek, recognize, rest};
    pub(crate) use nom::combinator::{success, value, verify};
    pub(crate) use nom::multi::{fold_many0, many0, many0_count, many1, many1_count, separated_list1};
    pub(crate) use nom::sequence::{delimited, preceded, separated_pair, terminated};
    pub(crate) use nom::{AsChar, Input as _, Parser};
}

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

/// Returns a Float as Ruby prints it: `1.0`, `100000.0`, `1.0e+20`, `1.0e-07`.
///
/// The string has the fewest digits that parse to the same number. Numbers from 0.0001 to below 10¹⁵, and larger ones
/// with a fraction, have no exponent; others have an exponent of at least two digits.
///
/// Observed: Puppet 8.11 writes `1.0e+15` and `1000000000000000.5`.
pub(crate) fn float_text(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let (mantissa, exponent) = split_exponent(&scientific);
    if (-4..15).contains(&exponent) || exponent > 0 && value.fract() != 0.0 {
        return format!("{value:?}");
    }
    let point = if mantissa.contains('.') { "" } else { ".0" };
    format!("{mantissa}{point}e{exponent:+03}")
}

#[expect(clippy::expect_used, reason = "Rust promises this form")]
pub(crate) fn split_exponent(scientific: &str) -> (&str, i32) {
    let (mantissa, exponent) = scientific.split_once('e').expect("an `e`");
    (mantissa, exponent.parse().expect("a small whole exponent"))
}

/// Returns the regular expression `text` with a backslash before each slash that is not escaped yet.
pub(crate) fn escape_slashes(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 1);
    let mut after_backslash = false;
    for character in text.chars() {
        if character == '/' && !after_backslash {
            escaped.push('\\');
        }
        after_backslash = character == '\\' && !after_backslash;
        escaped.push(character);
    }
    escaped
}
