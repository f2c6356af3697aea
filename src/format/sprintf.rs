//! `sprintf`: a string with directives, and a value for each, by the rules of Ruby.
//!
//! A directive is a percent sign, then flags, a width, a precision and a letter. Width and precision may be `*` (taken
//! from the arguments), and the value may be chosen by number (`%2$s`) or by name (`%<name>d`, `%{name}`).

mod number;

use nom::bytes::complete::{tag, take_until};
use nom::character::complete::{anychar, char, one_of};
use nom::combinator::{cut, opt, value};
use nom::sequence::{preceded, terminated};
use nom::{Parser, branch::alt};

use super::field::{Field, limited};
use super::{error::FormatError, float::write_float, inspected, letters::capitalized_segments, program_text, try_text};
use crate::error::Result;
use crate::limits::BoundedString;
use crate::microsyntax::{Parsed, count};
use crate::types::Type;
use crate::value::{Hash, Value};
pub(crate) use number::float_of_text;

/// `format` with the directives replaced by `arguments`.
///
/// ```
/// use pcore::format::sprintf;
/// use pcore::value::Value;
/// assert_eq!(sprintf("%05d|%-5s|%#x", &[42.into(), "ab".into(), 255.into()]).unwrap(), "00042|ab   |0xff");
/// ```
///
/// # Errors
/// If a directive is invalid, arguments are missing, a value does not fit its letter, or the string is too long.
pub fn sprintf(format: &str, arguments: &[Value]) -> Result<String> {
    let mut out = BoundedString::default();
    let mut arguments = Arguments { values: arguments, taken: 0, way: None, format };
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at])?;
        rest = write_directive(&mut out, &rest[at + 1..], &mut arguments)?;
    }
    out.push_str(rest)?;
    Ok(out.into_string())
}

/// Writes the directive in `text`, which starts after its percent sign; returns the text after the directive.
fn write_directive<'f>(out: &mut BoundedString, text: &'f str, arguments: &mut Arguments<'_>) -> Result<&'f str> {
    // A percent sign is literal when it is doubled or ends a line.
    if let Some(after) = text.strip_prefix('%') {
        return out.push_str("%").map(|()| after);
    }
    if text.starts_with(['\n', '\0']) {
        return out.push_str("%").map(|()| text);
    }
    let limited = |count| limited(count, || format!("%{text}"));
    let mut field = Field::default();
    let mut chosen = None;
    let mut rest = text;
    loop {
        let (after, part) = part(rest).map_err(|_| no_directive(text))?;
        match part {
            Part::Flag(flag) => field.set(flag),
            Part::ArgumentNumber(number) => chosen = Some(arguments.numbered(limited(number)?)?),
            Part::Width(width) => field.width = limited(width)?,
            Part::WidthFromArgument => {
                let width = arguments.next_number()?;
                field.left |= width < 0;
                field.width = limited(as_count(width.unsigned_abs()))?;
            }
            Part::Precision(precision) => field.precision = Some(limited(precision)?),
            Part::PrecisionFromArgument => {
                let precision = u64::try_from(arguments.next_number()?);
                field.precision = precision.ok().map(|precision| limited(as_count(precision))).transpose()?;
            }
            Part::ArgumentName(name) => chosen = Some(arguments.named(name)?),
            Part::NamedText(name) => {
                field.write_text(out, &text_of(arguments.named(name)?)?)?;
                return Ok(after);
            }
            Part::Letter(letter) if LETTERS.contains(letter) => {
                let value = chosen.map_or_else(|| arguments.next(), Ok)?;
                write_value_by(out, &field, letter, value)?;
                return Ok(after);
            }
            Part::Letter(_) => return Err(no_directive(&text[..text.len() - after.len()])),
        }
        rest = after;
    }
}

fn as_count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[derive(Clone, Copy)]
enum Part<'f> {
    /// `-`
    Flag(char),
    /// `2$`
    ArgumentNumber(usize),
    /// `10`
    Width(usize),
    /// `*`
    WidthFromArgument,
    /// `.3`, `.`
    Precision(usize),
    /// `.*`
    PrecisionFromArgument,
    /// `<name>`
    ArgumentName(&'f str),
    /// `{name}`, which ends the directive
    NamedText(&'f str),
    Letter(char),
}

/// `part ::= [ +\-#0] | [0-9]+ "$"? | "*" | "." ("*" | [0-9]*) | "<" [^>]* ">" | "{" [^}]* "}" | <any character>`
fn part(text: &str) -> Parsed<'_, Part<'_>> {
    alt((
        one_of(" +-#0").map(Part::Flag),
        terminated(count, char('$')).map(Part::ArgumentNumber),
        count.map(Part::Width),
        value(Part::WidthFromArgument, char('*')),
        value(Part::PrecisionFromArgument, tag(".*")),
        preceded(char('.'), opt(count)).map(|precision| Part::Precision(precision.unwrap_or(0))),
        preceded(char('<'), cut(terminated(take_until(">"), char('>')))).map(Part::ArgumentName),
        preceded(char('{'), cut(terminated(take_until("}"), char('}')))).map(Part::NamedText),
        anychar.map(Part::Letter),
    ))
    .parse(text)
}

const LETTERS: &str = "diuxXobBeEfgGaAcsp";

fn write_value_by(out: &mut BoundedString, field: &Field, letter: char, value: &Value) -> Result<()> {
    let no_number = || FormatError::NoNumber { directive: letter, got: program_text(value) };
    match letter {
        's' => field.write_text(out, &text_of(value)?),
        'p' => field.write_text(out, &inspected(value)?),
        'c' => Field { precision: None, ..*field }.write_text(out, &character_of(value)?),
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B' => {
            number::integer(value).ok_or_else(no_number)?.write(out, field, letter)
        }
        'f' if matches!(value, Value::Integer(_)) => {
            // Beyond 2^53 a Float would not have all digits.
            number::integer(value).ok_or_else(no_number)?.write_fixed(out, field)
        }
        _ => write_float(out, field, number::float(value).ok_or_else(no_number)?, letter),
    }
}

/// The text of a value for `%s`. A resource reference shows its title without quotes.
///
/// Observed: Puppet 8.11.
fn text_of(value: &Value) -> Result<String> {
    match value {
        Value::Array(_) | Value::Hash(_) => inspected(value),
        Value::Type(Type::Resource(resource)) if let (Some(name), title) = (resource.type_name(), resource.title()) => {
            Ok(format!("{name}[{}]", title.unwrap_or_default()))
        }
        Value::Type(Type::Class(class)) if let Some(name) = class.class_name() => {
            Ok(format!("Class[{}]", capitalized_segments(name)))
        }
        other => try_text(other),
    }
}

fn character_of(value: &Value) -> Result<String> {
    match value {
        Value::Integer(number) => Ok(character(*number)?.to_string()),
        Value::String(text) if !text.is_empty() => Ok(text.chars().take(1).collect()),
        other => Err(FormatError::NoCharacter(program_text(other)).into()),
    }
}

pub(super) fn character(number: i64) -> Result<char, FormatError> {
    let character = u32::try_from(number).ok().and_then(char::from_u32);
    character.ok_or_else(|| FormatError::NoCharacter(number.to_string()))
}

struct Arguments<'a> {
    values: &'a [Value],
    taken: usize,
    way: Option<Way>,
    format: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    InOrder,
    ByNumber,
    ByName,
}

impl<'a> Arguments<'a> {
    fn go(&mut self, way: Way) -> Result<()> {
        if *self.way.get_or_insert(way) == way {
            Ok(())
        } else {
            Err(FormatError::MixedArguments(self.format.into()).into())
        }
    }

    fn get(&self, at: usize) -> Result<&'a Value> {
        let missing = || FormatError::TooFewArguments { needed: at + 1, given: self.values.len() };
        Ok(self.values.get(at).ok_or_else(missing)?)
    }

    fn next(&mut self) -> Result<&'a Value> {
        self.go(Way::InOrder)?;
        self.taken += 1;
        self.get(self.taken - 1)
    }

    fn next_number(&mut self) -> Result<i64> {
        match self.next()? {
            Value::Integer(number) => Ok(*number),
            // Observed: Puppet 7.23 cuts the fraction off.
            #[expect(clippy::cast_possible_truncation, reason = "the fraction of a width is ignored")]
            Value::Float(number) if number.is_finite() => Ok(*number as i64),
            other => Err(FormatError::NoNumber { directive: '*', got: program_text(other) }.into()),
        }
    }

    fn numbered(&mut self, number: usize) -> Result<&'a Value> {
        self.go(Way::ByNumber)?;
        self.get(number - 1)
    }

    fn named(&mut self, name: &str) -> Result<&'a Value> {
        self.go(Way::ByName)?;
        let [Value::Hash(hash)] = self.values else { return Err(FormatError::NoHash { name: name.into() }.into()) };
        let hash: &'a Hash = hash;
        Ok(hash.get_str(name).ok_or_else(|| FormatError::UnknownName { name: name.into() })?)
    }
}

fn no_directive(text: &str) -> crate::error::Error {
    FormatError::NoSuchDirective(format!("%{text}")).into()
}
