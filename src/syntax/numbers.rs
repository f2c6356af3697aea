//! Number literals. Everything that starts with a digit is one, or an error that says which kind it resembles.

use super::errors::SyntaxError;
use super::input::{Input, Parsed, refuse};
use super::lexical::{token, word_length};
use super::tree::{Expression, Id, Literal, Radix};

/// 2^63, which only a minus in front makes an Integer.
const LOWEST_MAGNITUDE: u64 = i64::MIN.unsigned_abs();

/// ```ebnf
/// number ::= (hexadecimal | float | octal | decimal) number_end <in_range>
/// lowest_number ::= (hexadecimal | octal | decimal) number_end <lowest>
/// hexadecimal ::= "0" [xX] [0-9a-fA-F]+
/// octal ::= "0" [0-7]+
/// decimal ::= "0" | [1-9] [0-9]*
/// float ::= ("0" | [1-9] [0-9]*) "." [0-9]+ exponent? | [1-9] [0-9]* exponent
/// exponent ::= [eE] "-"? [0-9]+
/// number_end ::= !([a-zA-Z0-9_] | "." [0-9])
/// ```
///
/// # Errors
/// Letters that do not belong to the number, and numbers beyond 64 bits.
///
/// Observed: Puppet 8.11 reads `01.5` and `0e1` as wrong octal numbers and takes no `+` in exponents.
pub(super) fn number(input: Input<'_>) -> Parsed<'_, Id> {
    let text = &input.rest()[..number_length(input.rest())];
    let after = input.skip(text.len());
    let span = input.span_until(after);
    let id = match value(text) {
        Ok(Number::Float(value)) => input.node(span, Expression::Literal(Literal::Float(value))),
        Ok(Number::Integer(magnitude, radix)) => match i64::try_from(magnitude) {
            Ok(value) => input.node(span, Expression::Literal(Literal::Integer(value, radix))),
            Err(_) if magnitude == LOWEST_MAGNITUDE => {
                let id = input.node(span, Expression::Literal(Literal::Integer(i64::MIN, radix)));
                input.state.overflows().push(id);
                id
            }
            Err(_) => return refuse(SyntaxError::IntegerOverflow(text.to_owned()), span),
        },
        Err(error) => return refuse(error, span),
    };
    token(after, id)
}

/// How far the number at the start of `text` reaches: fraction and negative exponent belong to it.
pub(super) fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut end = word_length(bytes);
    if bytes.get(1).is_some_and(|byte| matches!(byte, b'x' | b'X')) {
        return end;
    }
    let only_digits = bytes.iter().take(end).all(u8::is_ascii_digit);
    if only_digits && bytes.get(end) == Some(&b'.') && is_digit(end + 1) {
        end += 1 + bytes.get(end + 1..).map_or(0, word_length);
    }
    if text[..end].ends_with(['e', 'E']) && bytes.get(end) == Some(&b'-') && is_digit(end + 1) {
        end += 1 + bytes.get(end + 1..).map_or(0, word_length);
    }
    end
}

enum Number {
    Integer(u64, Radix),
    Float(f64),
}

/// The value of a number of any kind.
fn value(text: &str) -> Result<Number, SyntaxError> {
    let integer = |digits: &str, radix: u32, form: Radix| match u64::from_str_radix(digits, radix) {
        Ok(value) => Ok(Number::Integer(value, form)),
        Err(_) => Err(SyntaxError::IntegerOverflow(text.to_owned())),
    };
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(SyntaxError::InvalidHexNumber(text.to_owned()));
        }
        return integer(digits, 16, Radix::Hexadecimal);
    }
    if text.len() > 1 && text.starts_with('0') && !text.starts_with("0.") {
        if !text.bytes().all(|byte| matches!(byte, b'0'..=b'7')) {
            return Err(SyntaxError::InvalidOctalNumber(text.to_owned()));
        }
        return integer(text, 8, Radix::Octal);
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return integer(text, 10, Radix::Decimal);
    }
    let after_digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if !after_digits.starts_with(['.', 'e', 'E']) {
        return Err(SyntaxError::IllegalNumber(text.to_owned()));
    }
    if !is_float(after_digits) {
        return Err(SyntaxError::InvalidDecimalNumber(text.to_owned()));
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Number::Float(value)),
        Ok(_) => Err(SyntaxError::FloatOverflow(text.to_owned())),
        Err(_) => Err(SyntaxError::InvalidDecimalNumber(text.to_owned())),
    }
}

/// Whether fraction and exponent are well formed; what stands before them is known to be digits.
fn is_float(after_digits: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (fraction, exponent) = match after_digits.split_once(['e', 'E']) {
        Some((fraction, exponent)) => (fraction, Some(exponent)),
        None => (after_digits, None),
    };
    let fraction_fits = fraction.is_empty() || fraction.strip_prefix('.').is_some_and(digits);
    fraction_fits && exponent.is_none_or(|exponent| digits(exponent.strip_prefix('-').unwrap_or(exponent)))
}
