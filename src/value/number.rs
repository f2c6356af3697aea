//! Numbers in strings: which strings are numbers, and their values.
//!
//! A number is an optional sign, spaces, and digits in one of five forms ([`NumberDigits`]). The caller decides
//! which forms are allowed: arithmetic and the conversions to `Integer`, `Float` and `Numeric` differ.

use nom::character::complete::{bin_digit1, char, digit1, hex_digit1, one_of};
use nom::combinator::{all_consuming, opt, recognize};
use nom::{Parser, branch::alt, bytes::complete::tag_no_case, sequence::preceded};

use super::Value;
use crate::microsyntax::parse_whole_string;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NumberDigits<'a> {
    /// `0b101`, without the prefix
    Binary(&'a str),
    /// `0x1F`, without the prefix
    Hexadecimal(&'a str),
    /// `017`: digits after a zero, which may include the invalid digits 8 and 9
    Octal(&'a str),
    /// `17`, `0`
    Decimal(&'a str),
    /// `1.5`, `1e3`, `1.5e-3`
    Float(&'a str),
}

impl<'a> NumberDigits<'a> {
    /// Returns the form of an unsigned number, or `None` if `text` is not a number.
    ///
    /// ```ebnf
    /// binary ::= "0" [bB] [01]+
    /// hexadecimal ::= "0" [xX] [0-9a-fA-F]+
    /// integer ::= [0-9]+
    /// float ::= [0-9]+ ("." [0-9]+)? ([eE] "-"? [0-9]+)?
    /// ```
    pub(crate) fn classify_number(text: &'a str) -> Option<NumberDigits<'a>> {
        let binary = preceded(tag_no_case("0b"), bin_digit1).map(NumberDigits::Binary);
        let hexadecimal = preceded(tag_no_case("0x"), hex_digit1).map(NumberDigits::Hexadecimal);
        let is_octal = |digits: &str| digits.len() > 1 && digits.starts_with('0');
        let integer = digit1
            .map(|digits| if is_octal(digits) { NumberDigits::Octal(digits) } else { NumberDigits::Decimal(digits) });
        let exponent = (one_of("eE"), opt(char('-')), digit1);
        let float = recognize((digit1, opt((char('.'), digit1)), opt(exponent))).map(NumberDigits::Float);
        let rules = (all_consuming(binary), all_consuming(hexadecimal), all_consuming(integer), float);
        parse_whole_string(text, alt(rules))
    }
}

/// Returns whether `text` starts with `-`, and the rest of it after the sign and spaces.
pub(crate) fn split_sign(text: &str) -> (bool, &str) {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    (text.starts_with('-'), unsigned.trim_start_matches(|c: char| c.is_ascii_whitespace()))
}

pub(crate) fn parse_integer(negative: bool, digits: &str, radix: u32) -> Option<i64> {
    // Rust would read the sign of the digits themselves, which is a second one.
    let magnitude = i128::from(u64::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))?);
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

/// Converts a string to an Integer or a Float as arithmetic does. Returns `None` if it is not a number or too large.
///
/// Observed: Puppet 8.11 accepts spaces at both ends and after the sign, reads `017` as octal, and rejects `0b1`.
pub fn number_from_text(text: &str) -> Option<Value> {
    if text.contains('\n') {
        return None;
    }
    let (negative, body) = split_sign(text.trim_matches([' ', '\t']));
    let integer = |digits, radix| parse_integer(negative, digits, radix).map(Value::Integer);
    match NumberDigits::classify_number(body)? {
        NumberDigits::Binary(_) => None,
        NumberDigits::Hexadecimal(digits) => integer(digits, 16),
        NumberDigits::Octal(digits) => integer(digits, 8),
        NumberDigits::Decimal(digits) => integer(digits, 10),
        NumberDigits::Float(text) => {
            let whole = text.split(['.', 'e', 'E']).next().unwrap_or_default();
            let octal = whole.len() == 1 || !whole.starts_with('0') || !whole.contains(['8', '9']);
            parse_float(negative, text).filter(|_| octal).map(Value::Float)
        }
    }
}

pub(crate) fn parse_float(negative: bool, text: &str) -> Option<f64> {
    let magnitude: f64 = text.parse().ok()?;
    magnitude.is_finite().then_some(if negative { -magnitude } else { magnitude })
}

#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
pub(crate) fn truncate_to_integer(number: f64) -> Option<i64> {
    // 2^63 itself is too large, and -2^63 is not.
    let limit = 2f64.powi(63);
    (-limit..limit).contains(&number).then_some(number as i64)
}
