//! The value of a plain YAML 1.1 scalar, as Ruby's parser, and so Hiera, understands it.
//!
//! Much that looks like a string is not: `yes`, `0644`, `1_000`, `12:30`, `1.10`. Quotes make it a string.
//!
//! Source: YAML 1.1, "Language-Independent Types"; where Ruby differs, Ruby.
//! Observed: Psych 4.0.3 of Ruby 3.1, over the table of the tests.

use std::sync::LazyLock;

use regex::Regex;

use crate::regexp::constant;
use crate::value::Value;
use crate::value::number::is_digits;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Scalar {
    Value(Value),
    /// `:name`, a Symbol of Ruby, without the colon
    Symbol(String),
    /// `2001-01-01`, with or without a time
    Date,
    TooLarge,
}

pub(super) fn resolve(text: &str) -> Scalar {
    let text = text.trim_end();
    word(text)
        .map(Scalar::Value)
        .or_else(|| symbol(text))
        .or_else(|| date(text))
        .or_else(|| number(text))
        .unwrap_or_else(|| Scalar::Value(Value::from(text)))
}

fn word(text: &str) -> Option<Value> {
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

fn symbol(text: &str) -> Option<Scalar> {
    let name = text.strip_prefix(':').filter(|name| !name.is_empty())?;
    let quoted = ['"', '\''].iter().find_map(|&quote| name.strip_prefix(quote)?.strip_suffix(quote));
    Some(Scalar::Symbol(quoted.unwrap_or(name).to_owned()))
}

/// Source: YAML 1.1, `timestamp`.
/// Observed: Psych 4.0.3 takes month 13 and day 32 where there is a time, and a space before any zone.
fn date(text: &str) -> Option<Scalar> {
    static DATE: LazyLock<Regex> = LazyLock::new(|| {
        constant(
            r"(?x) ^ [0-9]{4} - (?: (?: 0?[0-9] | 1[0-2] ) - (?: [0-2]?[0-9] | 3[01] )
            | [0-9]{1,2} - [0-9]{1,2} (?: [Tt] | \x20+ ) [0-9]{1,2} : [0-9]{2} : [0-9]{2} (?: \. [0-9]* )?
              (?: \x20* (?: Z | [-+] [0-9]{1,2} :? (?: [0-9]{2} )? ) )? ) $",
        )
    });
    // Few texts are so like a date that the expression is needed.
    (text.as_bytes().get(4) == Some(&b'-') && DATE.is_match(text)).then_some(Scalar::Date)
}

fn number(text: &str) -> Option<Scalar> {
    // A URL is no reason to make the expression.
    if text.contains(':') && !text.starts_with(char::is_alphabetic) {
        return sexagesimal(text).map(Scalar::Value);
    }
    let (is_negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if let Some((radix, digits)) = integer_digits(digits) {
        let sign = if is_negative { "-" } else { "" };
        let value = i64::from_str_radix(&format!("{sign}{digits}"), radix);
        return Some(value.map_or(Scalar::TooLarge, |value| Scalar::Value(value.into())));
    }
    let value = float(digits)?;
    Some(Scalar::Value(Value::Float(if is_negative { -value } else { value })))
}

/// The radix and the digits, without what separates them, of an integer.
fn integer_digits(text: &str) -> Option<(u32, String)> {
    let of_radix = |digits: &str, radix: u32| {
        let all = digits.chars().all(|c| c.is_digit(radix) || is_separator(c));
        let digits: String = digits.chars().filter(|c| !is_separator(*c)).collect();
        (all && !digits.is_empty()).then_some((radix, digits))
    };
    if let Some(digits) = text.strip_prefix("0b") {
        return of_radix(digits, 2);
    }
    if let Some(digits) = text.strip_prefix("0x") {
        return of_radix(digits, 16);
    }
    if text.starts_with('0') {
        return of_radix(text, 8);
    }
    // In front of a digit that is not a zero, each separator stands alone, and none at the end.
    let is_decimal = text.split(is_separator).all(is_digits);
    if is_decimal { of_radix(text, 10) } else { None }
}

fn is_separator(c: char) -> bool {
    matches!(c, '_' | ',')
}

/// `1.5`, `.5`, `5.`, `1.5e+3`: there is a point, and the exponent has a sign.
fn float(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        None => (text, None),
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
    };
    let (whole, fraction) = mantissa.split_once('.')?;
    let is_whole = whole.is_empty()
        || whole.starts_with(|c: char| c.is_ascii_digit())
            && whole.chars().all(|c| c.is_ascii_digit() || is_separator(c));
    let is_fraction = fraction.bytes().all(|byte| byte.is_ascii_digit()) && !(whole.is_empty() && fraction.is_empty());
    let is_exponent = exponent.is_none_or(|exponent| exponent.strip_prefix(['+', '-']).is_some_and(is_digits));
    let plain: String = text.chars().filter(|c| !is_separator(*c)).collect();
    if is_whole && is_fraction && is_exponent { plain.parse().ok() } else { None }
}

/// `12:30`, `1:02:03`, `1:02:03.5`: hours, minutes, seconds, as a number of seconds.
///
/// Source: YAML 1.1, `int` and `float`, base 60.
/// Observed: Psych 4.0.3 takes `1:30` as hours and minutes; the sign belongs to the first part alone.
fn sexagesimal(text: &str) -> Option<Value> {
    static SEXAGESIMAL: LazyLock<Regex> = LazyLock::new(|| {
        constant(
            r"(?x) ^ (?<hours> [-+]? [0-9] [0-9_]* ) : (?<minutes> [0-5]? [0-9] ) (?: : (?<seconds> [0-5]? [0-9] ) )?
            (?: \. (?<fraction> [0-9_]* ) )? $",
        )
    });
    let parts = SEXAGESIMAL.captures(text)?;
    let digits = |name: &str| parts.name(name).map(|digits| digits.as_str().replace('_', ""));
    let number = |name: &str| digits(name).map_or(Ok(0), |digits| digits.parse::<i64>()).ok();
    let total = number("hours")?.checked_mul(3600)?.checked_add(number("minutes")? * 60 + number("seconds")?)?;
    let Some(fraction) = digits("fraction") else { return Some(total.into()) };
    let unit = if parts.name("seconds").is_some() { 1.0 } else { 60.0 };
    Some(Value::Float(total as f64 + format!("0.{fraction}0").parse::<f64>().ok()? * unit))
}
