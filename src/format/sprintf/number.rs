//! Converts the arguments of `sprintf` to numbers: numbers, and strings that Ruby parses as numbers.

use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, recognize};
use nom::multi::separated_list1;

use super::super::integer::WholeNumber;
use crate::microsyntax::parse_whole_string;
use crate::value::{Value, number::parse_integer};

/// Converts a number (truncated) or numeric string (also `0x…`, `1_000`) for `d`, `x` etc.; `None` for other values.
pub(super) fn whole_number_of_value(value: &Value) -> Option<WholeNumber> {
    match value {
        Value::Integer(number) => Some((*number).into()),
        Value::Float(number) => Some(WholeNumber::from_truncated_float(*number)),
        Value::String(text) => {
            let (negative, unsigned) = parse_sign_and_digits(text)?;
            let prefixes = [("0x", 16), ("0b", 2), ("0o", 8), ("0", 8)];
            let prefixed = prefixes.iter().find_map(|(prefix, radix)| Some((unsigned.strip_prefix(prefix)?, *radix)));
            let (digits, radix) = prefixed.filter(|(digits, _)| !digits.is_empty()).unwrap_or((&*unsigned, 10));
            parse_integer(negative, digits, radix).map(WholeNumber::from)
        }
        _ => None,
    }
}

pub(super) fn float_of_value(value: &Value) -> Option<f64> {
    match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::String(text) => parse_ruby_float(text),
        _ => None,
    }
}

/// Parses a number as Ruby's `Float()`: allows surrounding spaces, single underscores, and `0x`; `None` if invalid.
pub(crate) fn parse_ruby_float(text: &str) -> Option<f64> {
    let text = text.trim().to_ascii_lowercase();
    let digits = || separated_list1(char('_'), digit1);
    let decimal = recognize((opt(digits()), opt((char('.'), digits())), opt((char('e'), opt(one_of("+-")), digits()))));
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(&text);
    let magnitude = match unsigned.strip_prefix("0x") {
        Some(digits) => parse_hexadecimal_float(digits)?,
        None => parse_whole_string(unsigned, decimal)?.replace('_', "").parse().ok()?,
    };
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// Parses a hexadecimal float without `0x`: `1.8p1` is 1.5 times 2. A fraction requires an exponent.
///
/// Observed: Ruby 3.1 allows single underscores between decimal digits; in the fraction only if the whole part has one.
fn parse_hexadecimal_float(text: &str) -> Option<f64> {
    let is_digit = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    let is_between = |(at, _): (usize, &str)| at > 0 && is_digit(at - 1) && is_digit(at + 1);
    let (mantissa, exponent) = text.split_once('p').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let is_late = fraction.contains('_') && !whole.contains('_');
    let is_cut = text.contains('.') && !text.contains('p');
    if whole.is_empty() || fraction.is_empty() || is_late || is_cut || !text.match_indices('_').all(is_between) {
        return None;
    }
    let (whole, fraction) = (whole.replace('_', ""), fraction.replace('_', ""));
    let digit = |number: f64, digit: char| Some(number * 16.0 + f64::from(digit.to_digit(16)?));
    let mantissa = whole.chars().chain(fraction.chars()).try_fold(0.0, digit)?;
    let exponent: i32 = exponent.replace('_', "").parse().ok()?;
    let places = i32::try_from(4 * fraction.len()).ok()?;
    Some(mantissa * 2_f64.powi(exponent.checked_sub(places)?))
}

/// Returns whether `text` starts with `-`, and its digits in lower case without `_`; `None` if an `_` is misplaced.
fn parse_sign_and_digits(text: &str) -> Option<(bool, String)> {
    let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
    let digit_at = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_hexdigit);
    if text.match_indices('_').any(|(at, _)| at == 0 || !digit_at(at - 1) || !digit_at(at + 1)) {
        return None;
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    Some((text.starts_with('-'), unsigned.replace('_', "").to_ascii_lowercase()))
}
