//! Numbers as text: what a string has to look like to be a number, and which one it then is.
//!
//! A number is an optional sign, blanks, and a body of one of five shapes ([`Body`]). Who reads a text decides which
//! shapes it takes: arithmetic, and each of the conversions of `Integer`, `Float` and `Numeric`, take others.

use nom::character::complete::{bin_digit1, char, digit1, hex_digit1, one_of};
use nom::combinator::{all_consuming, opt, recognize};
use nom::{Parser, branch::alt, bytes::complete::tag_no_case, sequence::preceded};

use super::Value;
use crate::microsyntax::whole;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body<'a> {
    /// `0b101`, without the prefix
    Binary(&'a str),
    /// `0x1F`, without the prefix
    Hexadecimal(&'a str),
    /// `017`: digits after a zero; not all need to be octal
    Octal(&'a str),
    /// `17`, `0`
    Decimal(&'a str),
    /// `1.5`, `1e3`, `1.5e-3`
    Float(&'a str),
}

impl<'a> Body<'a> {
    /// Classifies `text` as one of the shapes; `None` if it has none of them.
    ///
    /// ```ebnf
    /// binary ::= "0" [bB] [01]+
    /// hexadecimal ::= "0" [xX] [0-9a-fA-F]+
    /// integer ::= [0-9]+
    /// float ::= [0-9]+ ("." [0-9]+)? ([eE] "-"? [0-9]+)?
    /// ```
    pub(crate) fn of(text: &'a str) -> Option<Body<'a>> {
        let binary = preceded(tag_no_case("0b"), bin_digit1).map(Body::Binary);
        let hexadecimal = preceded(tag_no_case("0x"), hex_digit1).map(Body::Hexadecimal);
        let is_octal = |digits: &str| digits.len() > 1 && digits.starts_with('0');
        let integer = digit1.map(|digits| if is_octal(digits) { Body::Octal(digits) } else { Body::Decimal(digits) });
        let exponent = (one_of("eE"), opt(char('-')), digit1);
        let float = recognize((digit1, opt((char('.'), digit1)), opt(exponent))).map(Body::Float);
        let rules = (all_consuming(binary), all_consuming(hexadecimal), all_consuming(integer), float);
        whole(text, alt(rules))
    }
}

/// Splits a number into whether it starts with `-`, and the rest after the sign and spaces.
pub(crate) fn split_sign(text: &str) -> (bool, &str) {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    (text.starts_with('-'), unsigned.trim_start_matches(|c: char| c.is_ascii_whitespace()))
}

/// The integer of `digits`; `None` if one is not a digit of the radix, or the integer does not fit into 64 bits.
pub(crate) fn integer_of_digits(negative: bool, digits: &str, radix: u32) -> Option<i64> {
    // Rust would read the sign of the digits themselves, which is a second one.
    let magnitude = i128::from(u64::from_str_radix(digits, radix).ok().filter(|_| !digits.starts_with('+'))?);
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}

/// Converts a string to an Integer or a Float as arithmetic does; `None` if it is not a number or exceeds 64 bits.
///
/// Observed: Puppet 8.11 takes blanks at both ends and after the sign, a leading zero for octal, and no `0b`.
pub fn from_text(text: &str) -> Option<Value> {
    if text.contains('\n') {
        return None;
    }
    let (negative, body) = split_sign(text.trim_matches([' ', '\t']));
    let integer = |digits, radix| integer_of_digits(negative, digits, radix).map(Value::Integer);
    match Body::of(body)? {
        Body::Binary(_) => None,
        Body::Hexadecimal(digits) => integer(digits, 16),
        Body::Octal(digits) => integer(digits, 8),
        Body::Decimal(digits) => integer(digits, 10),
        Body::Float(text) => {
            let whole = text.split(['.', 'e', 'E']).next().unwrap_or_default();
            let octal = whole.len() == 1 || !whole.starts_with('0') || !whole.contains(['8', '9']);
            float_of_text(negative, text).filter(|_| octal).map(Value::Float)
        }
    }
}

/// Parses a decimal float, and negates it if `negative`; `None` if it is infinite.
pub(crate) fn float_of_text(negative: bool, text: &str) -> Option<f64> {
    let magnitude: f64 = text.parse().ok()?;
    magnitude.is_finite().then_some(if negative { -magnitude } else { magnitude })
}

/// Truncates a float to an integer; `None` if the integer does not fit into 64 bits.
#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
pub(crate) fn truncated(number: f64) -> Option<i64> {
    // 2^63 itself is too large, and -2^63 is not.
    let limit = 2f64.powi(63);
    (-limit..limit).contains(&number).then_some(number as i64)
}
