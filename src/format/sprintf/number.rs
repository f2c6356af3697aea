//! How the number letters of `sprintf` convert a value: numbers, and strings that Ruby parses as numbers.

use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize};

use super::super::integer::Whole;
use crate::microsyntax::whole;
use crate::value::Value;
use crate::value::number::integer_of_digits;

/// The whole number for `d`, `x` and the like, without fraction; strings may have prefixes and underscores.
pub(super) fn integer(value: &Value) -> Option<Whole> {
    match value {
        Value::Integer(number) => Some((*number).into()),
        Value::Float(number) => Some(Whole::truncated(*number)),
        Value::String(text) => integer_text(text).map(Whole::from),
        _ => None,
    }
}

/// The number for `f`, `e` and their like. A string may have the prefix `0x`; a zero before other digits means nothing.
pub(super) fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::String(text) => float_text(text),
        _ => None,
    }
}

fn integer_text(text: &str) -> Option<i64> {
    let (negative, unsigned) = unsigned(text)?;
    let (radix, digits) = match (unsigned.get(..2), unsigned.strip_prefix('0')) {
        (Some("0x"), _) => (16, &unsigned[2..]),
        (Some("0b"), _) => (2, &unsigned[2..]),
        (Some("0o"), _) => (8, &unsigned[2..]),
        (_, Some(digits)) if !digits.is_empty() => (8, digits),
        _ => (10, &*unsigned),
    };
    integer_of_digits(negative, digits, radix)
}

fn float_text(text: &str) -> Option<f64> {
    let (negative, unsigned) = unsigned(text)?;
    if let Some(digits) = unsigned.strip_prefix("0x") {
        return integer_of_digits(negative, digits, 16).map(|number| number as f64);
    }
    let exponent = (char('e'), opt(one_of("+-")), digit1);
    let decimal = recognize((digit1, opt((char('.'), digit1)), opt(exponent)));
    let magnitude: f64 = whole(&unsigned, decimal)?.parse().ok()?;
    Some(if negative { -magnitude } else { magnitude })
}

/// Whether there is a minus, and the rest in lower case; `None` if an underscore is not between two digits.
fn unsigned(text: &str) -> Option<(bool, String)> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let digit_at = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_hexdigit);
    if text.match_indices('_').any(|(at, _)| at == 0 || !digit_at(at - 1) || !digit_at(at + 1)) {
        return None;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    Some((text.starts_with('-'), unsigned.replace('_', "").to_ascii_lowercase()))
}
