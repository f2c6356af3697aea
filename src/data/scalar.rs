//! Parses plain YAML 1.1 scalars to values, as Ruby's parser does, and so Hiera.
//!
//! Many scalars that look like strings are not: `yes`, `0644`, `1_000`, `12:30`, `1.10`. In quotes, they are strings.
//!
//! Source: YAML 1.1, "Language-Independent Types"; where Ruby differs, Ruby.
//! Observed: Psych 4.0.3 of Ruby 3.1, over the table of the tests.

use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::{char, digit1, one_of, satisfy};
use nom::combinator::{map_res, opt, peek, recognize, verify};
use nom::{AsChar, Parser, branch::alt, multi::many0_count, sequence::preceded};

use super::DataError;
use crate::microsyntax::{Parsed, digits_at_most, parse_whole_string};
use crate::regexp::ConstantRegex;
use crate::value::Value;

pub(super) fn parse_plain_scalar(text: &str) -> Result<Value, DataError> {
    let text = text.trim_end();
    if let Some(word) = parse_keyword(text) {
        return Ok(word);
    }
    // A Ruby symbol
    if let Some(name) = text.strip_prefix(':').filter(|name| !name.is_empty()) {
        let quoted = ['"', '\''].iter().find_map(|&quote| name.strip_prefix(quote)?.strip_suffix(quote));
        return Err(DataError::Symbol(quoted.unwrap_or(name).to_owned()));
    }
    if is_date(text) { Err(DataError::Date) } else { parse_number(text).unwrap_or_else(|| Ok(Value::from(text))) }
}

fn parse_keyword(text: &str) -> Option<Value> {
    match &*text.to_ascii_lowercase() {
        "" | "~" | "null" => Some(Value::Undef),
        "true" | "yes" | "on" => Some(Value::Boolean(true)),
        "false" | "no" | "off" => Some(Value::Boolean(false)),
        ".inf" | "+.inf" => Some(Value::Float(f64::INFINITY)),
        "-.inf" => Some(Value::Float(f64::NEG_INFINITY)),
        ".nan" => Some(Value::Float(f64::NAN)),
        _ => None,
    }
}

/// Whether `text` is a date such as `2001-01-01`, with or without a time.
///
/// Source: YAML 1.1, `timestamp`.
/// Observed: Psych 4.0.3 takes month 13 and day 32 where there is a time, and a space before any zone.
fn is_date(text: &str) -> bool {
    static DATE: ConstantRegex = ConstantRegex::new(
        r"(?x) ^ [0-9]{4} - (?: (?: 0?[0-9] | 1[0-2] ) - (?: [0-2]?[0-9] | 3[01] )
            | [0-9]{1,2} - [0-9]{1,2} (?: [Tt] | \x20+ ) [0-9]{1,2} : [0-9]{2} : [0-9]{2} (?: \. [0-9]* )?
              (?: \x20* (?: Z | [-+] [0-9]{1,2} :? (?: [0-9]{2} )? ) )? ) $",
    );
    // Few texts are so like a date that the expression is needed.
    text.as_bytes().get(4) == Some(&b'-') && DATE.is_match(text)
}

fn parse_number(text: &str) -> Option<Result<Value, DataError>> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { "-" } else { "" };
    if let Some((radix, digits)) = parse_whole_string(unsigned, recognize_integer) {
        let value = i64::from_str_radix(&format!("{sign}{}", remove_separators(digits)), radix);
        return Some(value.map(Value::from).map_err(|_| DataError::TooLarge));
    }
    let float = parse_whole_string(unsigned, recognize_float)
        .and_then(|float| format!("{sign}{}", remove_separators(float)).parse().ok());
    float.map(Value::Float).or_else(|| parse_sexagesimal(text)).map(Ok)
}

/// Recognizes an unsigned integer; returns the radix and the digits with their separators.
///
/// `integer ::= "0b" [01_,]+ | "0x" [0-9a-fA-F_,]+ | "0" [0-7_,]* | [0-9]+ ([_,] [0-9]+)*`
fn recognize_integer(text: &str) -> Parsed<'_, (u32, &str)> {
    let of_radix = |radix| {
        let digits = take_while1(move |c: char| c.is_digit(radix) || is_digit_separator(c));
        verify(digits, |digits: &str| !digits.chars().all(is_digit_separator)).map(move |digits| (radix, digits))
    };
    let groups = recognize((digit1, many0_count((satisfy(is_digit_separator), digit1))));
    alt((
        preceded(tag("0b"), of_radix(2)),
        preceded(tag("0x"), of_radix(16)),
        preceded(peek(char('0')), of_radix(8)),
        groups.map(|digits| (10, digits)),
    ))
    .parse(text)
}

/// Recognizes an unsigned float such as `1.5`, `.5`, `5.` or `1.5e+3`; returns its text.
///
/// `float ::= ([0-9] [0-9_,]* "." [0-9]* | "." [0-9]+) ([eE] [+-] [0-9]+)?`
fn recognize_float(text: &str) -> Parsed<'_, &str> {
    let start = (peek(digit1), take_while1(|c: char| c.is_dec_digit() || is_digit_separator(c)));
    let mantissa = alt((recognize((start, char('.'), opt(digit1))), recognize((char('.'), digit1))));
    recognize((mantissa, opt((one_of("eE"), one_of("+-"), digit1)))).parse(text)
}

fn is_digit_separator(c: char) -> bool {
    matches!(c, '_' | ',')
}

fn remove_separators(digits: &str) -> String {
    digits.replace(is_digit_separator, "")
}

/// Parses `12:30`, `1:02:03` or `1:02:03.5` (hours, minutes, seconds) and returns the number of seconds.
///
/// ```ebnf
/// sexagesimal ::= [+-]? [0-9] [0-9_]* ":" sixty (":" sixty)? ("." [0-9_]*)?
/// sixty ::= [0-5]? [0-9]
/// ```
///
/// Source: YAML 1.1, `int` and `float`, base 60.
/// Observed: Psych 4.0.3 takes `1:30` as hours and minutes; the sign belongs to the first part alone.
fn parse_sexagesimal(text: &str) -> Option<Value> {
    let long = || take_while(|c: char| c.is_dec_digit() || c == '_');
    let hours = recognize((opt(one_of("+-")), peek(digit1), long()));
    let sixty = || preceded(char(':'), verify(map_res(digits_at_most(2), str::parse::<i64>), |part| *part < 60));
    let (hours, minutes, seconds, fraction) =
        parse_whole_string(text, (hours, sixty(), opt(sixty()), opt(preceded(char('.'), long()))))?;
    let hours: i64 = remove_separators(hours).parse().ok()?;
    let total = hours.checked_mul(3600)?.checked_add(minutes * 60 + seconds.unwrap_or(0))?;
    let Some(fraction) = fraction else { return Some(total.into()) };
    let unit = if seconds.is_some() { 1.0 } else { 60.0 };
    Some(Value::Float(total as f64 + format!("0.{}0", remove_separators(fraction)).parse::<f64>().ok()? * unit))
}
