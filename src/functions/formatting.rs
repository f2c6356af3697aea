//! `scanf` and `sprintf`: values from a string, and a string from values, by a format.
//!
//! In a format of `scanf`, white space matches any white space, including none; a conversion (`%d`, `%5s`, `%*x`, `%[a-z]`
//! …) reads a value; everything else matches itself. Reading ends at the first mismatch. The directives of `sprintf` are in
//! [`format::sprintf()`].
//!
//! Source: Puppet function reference, "scanf", which uses the format of Ruby's library of that name.

use nom::character::complete::{anychar, char, digit0};
use nom::combinator::{opt, recognize};
use nom::{Parser, branch::alt, bytes::complete::take_till, error::Error, sequence::delimited};

use super::legacy_arguments::{text_like, to_legacy_argument};
use super::{Call, Flow};
use crate::error::Result;
use crate::limits::BoundedVec;
use crate::value::Value;
use crate::{format, interrupt};

functions! {
    /// returns an array of the values that the format reads from the start of a string, until it fails
    "scanf" ["(String $text, String $format, Optional[Callable[1, 1]] &$block)"] {
        "scanf('12 abc', '%d %s')" => "[12, 'abc']",
        "'0x1f:7'.scanf('%i:%d')" => "[31, 7]",
        "scanf('abc', '%d')" => "[]",
        "scanf(12, '%d')" => "error RUNTIME_ERROR",
    } => |call| {
        let [Value::String(text), Value::String(format)] = call.arguments else { return Ok(Value::Undef) };
        call.pass_to_optional_block(scan_values(text, format)?.into())
    };
    /// formats the arguments: each directive (%d, %-10s, %.2f, %<name>x) is replaced by one
    "sprintf" [concat!("(Variant[", text_like!(), "] $format, Any *$arguments) >> String")] {
        "sprintf('%05d|%-5s|%#x', 42, 'ab', 255)" => "'00042|ab   |0xff'",
        "sprintf('%<port>d', {'port' => 80})" => "'80'",
        "sprintf('%s', File['/x'])" => "'File[/x]'",
        "sprintf('%d', 'ten')" => "error RUNTIME_ERROR",
    } => sprintf;
}

fn sprintf(call: &mut Call<'_>) -> Result<Value, Flow> {
    let arguments = call.arguments.iter().map(to_legacy_argument).collect::<Result<Vec<Value>>>()?;
    // The signature lets nothing else through.
    let [Value::String(format), arguments @ ..] = &arguments[..] else { return Ok(Value::Undef) };
    Ok(format::sprintf(format, arguments)?.into())
}

struct ScanConversion<'a> {
    keeps_value: bool,
    max_width: usize,
    letter: char,
    /// The characters between the brackets of `%[…]`, including a `^` at the start; empty for other conversions.
    character_set: &'a str,
}

impl<'a> ScanConversion<'a> {
    /// Parses the conversion that follows a `%`; returns the conversion and the rest of the format.
    fn parse(format: &'a str) -> Option<(ScanConversion<'a>, &'a str)> {
        // A closing bracket in front, or behind `^`, belongs to the set.
        let set = recognize((opt(char('^')), anychar, take_till(|letter| letter == ']')));
        let set = delimited(char('['), set, char(']')).map(|set| ('[', set));
        let what = alt((set, anychar.map(|letter| (letter, ""))));
        let (rest, (star, width, (letter, set))) = (opt(char('*')), digit0::<_, Error<_>>, what).parse(format).ok()?;
        let width = width.parse().unwrap_or(if letter == 'c' { 1 } else { usize::MAX });
        Some((ScanConversion { keeps_value: star.is_none(), max_width: width, letter, character_set: set }, rest))
    }

    fn scan_value<'t>(&self, text: &'t str) -> Option<(Value, &'t str)> {
        let text = if matches!(self.letter, 'c' | '[') { text } else { text.trim_start() };
        let end = if self.max_width < text.len() { text.char_indices().nth(self.max_width) } else { None };
        let end = end.map_or(text.len(), |(at, _)| at);
        interrupt::take_steps_for_bytes(self.max_width.min(end));
        let field = &text[..end];
        let (value, length) = match self.letter {
            'd' | 'u' => scan_integer(field, Some(10))?,
            'i' => scan_integer(field, None)?,
            'x' | 'X' => scan_integer(field, Some(16))?,
            'o' => scan_integer(field, Some(8))?,
            'a' | 'e' | 'f' | 'g' | 'A' | 'E' | 'F' | 'G' => scan_float(field)?,
            's' => scan_string_while(field, |c| !c.is_whitespace())?,
            '[' => scan_string_while(field, |c| self.is_in_set(c))?,
            'c' => (Value::from(field), field.len()),
            _ => return None,
        };
        (length > 0).then(|| (value, &text[length..]))
    }

    fn is_in_set(&self, character: char) -> bool {
        let negated = self.character_set.strip_prefix('^');
        let mut members = negated.unwrap_or(self.character_set).chars();
        let mut is_member = false;
        while let Some(first) = members.next().filter(|_| !is_member) {
            interrupt::take_step();
            let mut ahead = members.clone();
            is_member = match (ahead.next(), ahead.next()) {
                (Some('-'), Some(last)) => {
                    members = ahead;
                    (first..=last).contains(&character)
                }
                _ => first == character,
            };
        }
        is_member != negated.is_some()
    }
}

fn scan_values(text: &str, format: &str) -> Result<BoundedVec<Value>> {
    let mut values = BoundedVec::default();
    let (mut text, mut format) = (text, format);
    while let Some(character) = format.chars().next() {
        interrupt::take_step();
        let after = &format[character.len_utf8()..];
        let advanced = match character {
            '%' if after.starts_with('%') => text.trim_start().strip_prefix('%').map(|text| (text, &after[1..])),
            '%' => {
                let Some((conversion, after)) = ScanConversion::parse(after) else { break };
                let Some((value, rest)) = conversion.scan_value(text) else { break };
                if conversion.keeps_value {
                    values.push(value)?;
                }
                Some((rest, after))
            }
            blank if blank.is_whitespace() => Some((text.trim_start(), after)),
            literal => text.strip_prefix(literal).map(|text| (text, after)),
        };
        let Some(rest) = advanced else { break };
        (text, format) = rest;
    }
    Ok(values)
}

/// Parses an integer at the start of `field`; returns it and its length in bytes. Without `base`, `0` or `0x` sets it.
fn scan_integer(field: &str, base: Option<u32>) -> Option<(Value, usize)> {
    let sign = usize::from(field.starts_with(['+', '-']));
    let unsigned = &field[sign..];
    let has_hexadecimal_prefix = unsigned.starts_with("0x") || unsigned.starts_with("0X");
    let (base, prefix) = match base {
        None | Some(16) if has_hexadecimal_prefix => (16, 2),
        None if unsigned.starts_with('0') => (8, 0),
        base => (base.unwrap_or(10), 0),
    };
    let digits = &unsigned[prefix..];
    let length = digits.find(|c: char| !c.is_digit(base)).unwrap_or(digits.len());
    let text = format!("{}{}", &field[..sign], &digits[..length]);
    let number = i64::from_str_radix(&text, base).ok()?;
    Some((Value::Integer(number), sign + prefix + length))
}

fn scan_float(field: &str) -> Option<(Value, usize)> {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let longest = field.find(|c: char| !is_part(c)).unwrap_or(field.len());
    // The longest beginning that is a number.
    (1..=longest).rev().find_map(|length| {
        interrupt::take_steps_for_bytes(length);
        let number: f64 = field[..length].parse().ok()?;
        Some((Value::Float(number), length))
    })
}

fn scan_string_while(field: &str, belongs: impl Fn(char) -> bool) -> Option<(Value, usize)> {
    let length = field.find(|c| !belongs(c)).unwrap_or(field.len());
    (length > 0).then(|| (Value::from(&field[..length]), length))
}
