//! `sprintf`: formats values by the directives in a format string, by the rules of Ruby.
//!
//! A directive is a percent sign, then flags, a width, a precision and a letter. Width and precision may be `*` (taken
//! from the arguments), and the value may be chosen by number (`%2$s`) or by name (`%<name>d`, `%{name}`).

mod number;

use nom::bytes::complete::{tag, take_until};
use nom::character::complete::{anychar, char, one_of};
use nom::combinator::{cut, opt, value};
use nom::sequence::{preceded, terminated};
use nom::{Parser, branch::alt};

use super::field::{FieldOptions, check_width_or_precision};
use super::{
    error::FormatError, float::write_float, letters::capitalize_segments, program_text, ruby_inspect,
    try_interpolated_text,
};
use crate::error::Result;
use crate::limits::BoundedString;
use crate::microsyntax::{Parsed, parse_count};
use crate::types::Type;
use crate::value::{Hash, Value};
pub(crate) use number::parse_ruby_float;

/// Returns `format` with its directives replaced by the formatted `arguments`, as Ruby's `sprintf`.
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
    let mut arguments = SprintfArguments { values: arguments, taken_count: 0, argument_mode: None, format };
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at])?;
        rest = write_directive(&mut out, &rest[at + 1..], &mut arguments)?;
    }
    out.push_str(rest)?;
    Ok(out.into_string())
}

/// Formats the directive at the start of `text`, which lacks the percent sign; returns `text` after the directive.
fn write_directive<'f>(
    out: &mut BoundedString,
    text: &'f str,
    arguments: &mut SprintfArguments<'_>,
) -> Result<&'f str> {
    // A percent sign is literal when it is doubled or ends a line.
    if let Some(after) = text.strip_prefix('%') {
        return out.push_str("%").map(|()| after);
    }
    if text.starts_with(['\n', '\0']) {
        return out.push_str("%").map(|()| text);
    }
    let limited = |count| check_width_or_precision(count, || format!("%{text}"));
    let mut field = FieldOptions::default();
    let mut chosen = None;
    let mut rest = text;
    loop {
        let (after, part) = parse_directive_part(rest).map_err(|_| unknown_directive_error(text))?;
        match part {
            DirectivePart::Flag(flag) => field.set_flag(flag),
            DirectivePart::ArgumentNumber(number) => chosen = Some(arguments.argument_by_number(limited(number)?)?),
            DirectivePart::Width(width) => field.width = limited(width)?,
            DirectivePart::WidthFromArgument => {
                let width = arguments.next_integer_argument()?;
                field.left |= width < 0;
                field.width = limited(usize_or_max(width.unsigned_abs()))?;
            }
            DirectivePart::Precision(precision) => field.precision = Some(limited(precision)?),
            DirectivePart::PrecisionFromArgument => {
                let precision = u64::try_from(arguments.next_integer_argument()?);
                field.precision = precision.ok().map(|precision| limited(usize_or_max(precision))).transpose()?;
            }
            DirectivePart::ArgumentName(name) => chosen = Some(arguments.argument_by_name(name)?),
            DirectivePart::NamedText(name) => {
                field.write_text(out, &text_for_letter_s(arguments.argument_by_name(name)?)?)?;
                return Ok(after);
            }
            DirectivePart::Letter(letter) if LETTERS.contains(letter) => {
                let value = chosen.map_or_else(|| arguments.next_argument(), Ok)?;
                write_by_letter(out, &field, letter, value)?;
                return Ok(after);
            }
            DirectivePart::Letter(_) => return Err(unknown_directive_error(&text[..text.len() - after.len()])),
        }
        rest = after;
    }
}

fn usize_or_max(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

#[derive(Clone, Copy)]
enum DirectivePart<'f> {
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
fn parse_directive_part(text: &str) -> Parsed<'_, DirectivePart<'_>> {
    alt((
        one_of(" +-#0").map(DirectivePart::Flag),
        terminated(parse_count, char('$')).map(DirectivePart::ArgumentNumber),
        parse_count.map(DirectivePart::Width),
        value(DirectivePart::WidthFromArgument, char('*')),
        value(DirectivePart::PrecisionFromArgument, tag(".*")),
        preceded(char('.'), opt(parse_count)).map(|precision| DirectivePart::Precision(precision.unwrap_or(0))),
        preceded(char('<'), cut(terminated(take_until(">"), char('>')))).map(DirectivePart::ArgumentName),
        preceded(char('{'), cut(terminated(take_until("}"), char('}')))).map(DirectivePart::NamedText),
        anychar.map(DirectivePart::Letter),
    ))
    .parse(text)
}

const LETTERS: &str = "diuxXobBeEfgGaAcsp";

fn write_by_letter(out: &mut BoundedString, field: &FieldOptions, letter: char, value: &Value) -> Result<()> {
    let no_number = || FormatError::NoNumber { directive: letter, got: program_text(value) };
    match letter {
        's' => field.write_text(out, &text_for_letter_s(value)?),
        'p' => field.write_text(out, &ruby_inspect(value)?),
        'c' => FieldOptions { precision: None, ..*field }.write_text(out, &text_for_letter_c(value)?),
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B' => {
            number::whole_number_of_value(value).ok_or_else(no_number)?.write_by_letter(out, field, letter)
        }
        'f' if matches!(value, Value::Integer(_)) => {
            // Beyond 2^53 a Float would not have all digits.
            number::whole_number_of_value(value).ok_or_else(no_number)?.write_fixed_point(out, field)
        }
        _ => write_float(out, field, number::float_of_value(value).ok_or_else(no_number)?, letter),
    }
}

/// Returns `value` as `%s` writes it: arrays and hashes as Ruby's `inspect`, other values as in interpolation, except
/// that the title of a resource reference has no quotes. Observed: Puppet 8.11.
fn text_for_letter_s(value: &Value) -> Result<String> {
    match value {
        Value::Array(_) | Value::Hash(_) => ruby_inspect(value),
        Value::Type(Type::Resource(resource)) if let (Some(name), title) = (resource.type_name(), resource.title()) => {
            Ok(format!("{name}[{}]", title.unwrap_or_default()))
        }
        Value::Type(Type::Class(class)) if let Some(name) = class.class_name() => {
            Ok(format!("Class[{}]", capitalize_segments(name)))
        }
        other => try_interpolated_text(other),
    }
}

fn text_for_letter_c(value: &Value) -> Result<String> {
    match value {
        Value::Integer(number) => Ok(character_of_code_point(*number)?.to_string()),
        Value::String(text) if !text.is_empty() => Ok(text.chars().take(1).collect()),
        other => Err(FormatError::NoCharacter(program_text(other)).into()),
    }
}

pub(super) fn character_of_code_point(number: i64) -> Result<char, FormatError> {
    let character = u32::try_from(number).ok().and_then(char::from_u32);
    character.ok_or_else(|| FormatError::NoCharacter(number.to_string()))
}

struct SprintfArguments<'a> {
    values: &'a [Value],
    taken_count: usize,
    argument_mode: Option<ArgumentMode>,
    format: &'a str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentMode {
    InOrder,
    ByNumber,
    ByName,
}

impl<'a> SprintfArguments<'a> {
    fn check_argument_mode(&mut self, way: ArgumentMode) -> Result<()> {
        if *self.argument_mode.get_or_insert(way) == way {
            Ok(())
        } else {
            Err(FormatError::MixedArguments(self.format.into()).into())
        }
    }

    fn argument_at(&self, at: usize) -> Result<&'a Value> {
        let missing = || FormatError::TooFewArguments { needed: at + 1, given: self.values.len() };
        Ok(self.values.get(at).ok_or_else(missing)?)
    }

    fn next_argument(&mut self) -> Result<&'a Value> {
        self.check_argument_mode(ArgumentMode::InOrder)?;
        self.taken_count += 1;
        self.argument_at(self.taken_count - 1)
    }

    fn next_integer_argument(&mut self) -> Result<i64> {
        match self.next_argument()? {
            Value::Integer(number) => Ok(*number),
            // Observed: Puppet 7.23 cuts the fraction off.
            #[expect(clippy::cast_possible_truncation, reason = "the fraction of a width is ignored")]
            Value::Float(number) if number.is_finite() => Ok(*number as i64),
            other => Err(FormatError::NoNumber { directive: '*', got: program_text(other) }.into()),
        }
    }

    fn argument_by_number(&mut self, number: usize) -> Result<&'a Value> {
        self.check_argument_mode(ArgumentMode::ByNumber)?;
        self.argument_at(number - 1)
    }

    fn argument_by_name(&mut self, name: &str) -> Result<&'a Value> {
        self.check_argument_mode(ArgumentMode::ByName)?;
        let [Value::Hash(hash)] = self.values else { return Err(FormatError::NoHash { name: name.into() }.into()) };
        let hash: &'a Hash = hash;
        Ok(hash.get_str(name).ok_or_else(|| FormatError::UnknownName { name: name.into() })?)
    }
}

fn unknown_directive_error(text: &str) -> crate::error::Error {
    FormatError::NoSuchDirective(format!("%{text}")).into()
}
