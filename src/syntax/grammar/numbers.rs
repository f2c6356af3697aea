//! Parses numbers. Text that starts with a digit is a number, or an error that names the kind of number it resembles.

use super::prelude::*;
use super::words::{is_word_character, word_characters};

/// 2^63, the absolute value of the lowest Integer: only valid after a minus sign.
const LOWEST_MAGNITUDE: u64 = i64::MIN.unsigned_abs();

/// `number ::= (hexadecimal | float | octal | decimal) number_end <in_range>`
///
/// # Errors
/// Fails at a malformed number. One that is out of range is only reported if the program has no other error.
///
/// Observed: Puppet 8.11 reads `01.5` and `0e1` as wrong octal numbers and takes no `+` in exponents.
pub(in crate::syntax) fn number<'a>(input: Input<'a>) -> Parsed<'a, Id> {
    let literal = |input: Input<'a>| {
        let (here, value) = number_value(input)?;
        let in_range = value.unwrap_or_else(|error| {
            input
                .state
                .out_of_range_error
                .borrow_mut()
                .get_or_insert(error.into_error_at(input.until_start_of(here).span()));
            Literal::Integer(i64::MAX, 10)
        });
        Ok((here, Expression::Literal(in_range)))
    };
    parse_node(token(literal)).parse(input)
}

pub(super) fn number_value<'a>(input: Input<'a>) -> Parsed<'a, Result<Literal, SyntaxError>> {
    let numeral = |input: Input<'a>| {
        let float = float.map(|text| parse_finite_float(text.text()));
        let integer = |text: Input<'_>| parse_integer(text.text());
        by_first_char!(input, {
            '0' => alt((hexadecimal.map(integer), float, alt((octal, decimal)).map(integer))),
            _ => alt((terminated(decimal, not(one_of(".eE"))).map(integer), float, decimal.map(integer))),
        })
    };
    let well_formed = terminated(numeral, number_end);
    let malformed = map_or_refuse(number_like_text, |text, _| Err(malformed_number_error(text.text())));
    alt((well_formed, malformed)).parse(input)
}

fn parse_integer(text: &str) -> Result<Literal, SyntaxError> {
    let (magnitude, radix) = parse_unsigned(text);
    let integer = magnitude.and_then(|magnitude| i64::try_from(magnitude).ok());
    integer.map(|integer| Literal::Integer(integer, radix)).ok_or_else(|| SyntaxError::IntegerOverflow(text.to_owned()))
}

fn parse_finite_float(text: &str) -> Result<Literal, SyntaxError> {
    match text.parse::<f64>() {
        Ok(float) if float.is_finite() => Ok(Literal::Float(float)),
        _ => Err(SyntaxError::FloatOverflow(text.to_owned())),
    }
}

/// Returns the value of an integer without sign (`None` if it exceeds 64 bits), and its radix: `0x` is 16, `0` is 8.
fn parse_unsigned(text: &str) -> (Option<u64>, u32) {
    let (digits, radix) = match text.strip_prefix('0') {
        Some(rest) if rest.starts_with(['x', 'X']) => (&rest[1..], 16),
        Some(rest) if !rest.is_empty() => (rest, 8),
        _ => (text, 10),
    };
    (u64::from_str_radix(digits, radix).ok(), radix)
}

/// `lowest_magnitude ::= (hexadecimal | octal | decimal) number_end <lowest>`
pub(super) fn lowest_magnitude(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let is_lowest = |text: &Input<'_>| parse_unsigned(text.text()).0 == Some(LOWEST_MAGNITUDE);
    verify(terminated(alt((hexadecimal, octal, decimal)), number_end), is_lowest).parse(input)
}

/// `hexadecimal ::= "0" [xX] [0-9a-fA-F]+`
fn hexadecimal(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize((tag_no_case("0x"), hex_digit1)).parse(input)
}

/// `octal ::= "0" [0-7]+ !("." [0-9])`
fn octal(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize((char('0'), oct_digit1, not((char('.'), decimal_digit)))).parse(input)
}

/// `decimal ::= "0" | [1-9] [0-9]*`
pub(super) fn decimal(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize(alt((recognize(char('0')), recognize((nonzero_digit, digit0))))).parse(input)
}

/// `float ::= ("0" | [1-9] [0-9]*) "." [0-9]+ exponent? | [1-9] [0-9]* exponent`
fn float(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let whole = (nonzero_digit, digit0, exponent);
    recognize(alt((recognize((decimal, char('.'), digit1, opt(exponent))), recognize(whole)))).parse(input)
}

/// `exponent ::= [eE] "-"? [0-9]+`
fn exponent(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    recognize((one_of("eE"), opt(char('-')), digit1)).parse(input)
}

/// `number_end ::= ![a-zA-Z0-9_]`
pub(super) fn number_end(input: Input<'_>) -> Parsed<'_, ()> {
    not(satisfy(is_word_character)).parse(input)
}

fn nonzero_digit(input: Input<'_>) -> Parsed<'_, char> {
    satisfy(|digit| matches!(digit, '1'..='9')).parse(input)
}

fn decimal_digit(input: Input<'_>) -> Parsed<'_, char> {
    satisfy(AsChar::is_dec_digit).parse(input)
}

/// Parses everything that looks like part of a number, valid or not, including letters, fraction and negative exponent.
pub(in crate::syntax) fn number_like_text(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let hexadecimal = recognize((tag_no_case("0x"), word_characters));
    let mantissa = || {
        alt((
            recognize((digit1, char('.'), peek(decimal_digit), word_characters)),
            recognize((decimal_digit, word_characters)),
        ))
    };
    let before_exponent = verify(mantissa(), |text: &Input<'_>| text.text().ends_with(['e', 'E']));
    let with_exponent = recognize((before_exponent, char('-'), peek(decimal_digit), word_characters));
    alt((hexadecimal, with_exponent, mantissa())).parse(input)
}

fn malformed_number_error(text: &str) -> SyntaxError {
    let after_digits = text.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if text.starts_with("0x") || text.starts_with("0X") {
        SyntaxError::InvalidHexNumber(text.to_owned())
    } else if text.len() > 1 && text.starts_with('0') && !text.starts_with("0.") {
        SyntaxError::InvalidOctalNumber(text.to_owned())
    } else if after_digits.starts_with(['.', 'e', 'E']) {
        SyntaxError::InvalidDecimalNumber(text.to_owned())
    } else {
        SyntaxError::IllegalNumber(text.to_owned())
    }
}
