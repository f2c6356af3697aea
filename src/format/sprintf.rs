//! `sprintf`: a string with directives, and a value for each, by the rules of Ruby.
//!
//! A directive is a percent sign, then flags, a width, a precision and a letter. Width and precision may be `*` (taken
//! from the arguments), and the value may be chosen by number (`%2$s`) or by name (`%<name>d`, `%{name}`).

mod number;

use std::iter::Peekable;
use std::str::CharIndices;

use super::error::FormatError;
use super::field::Field;
use super::float::write_float;
use super::letters::capitalized_segments;
use super::ruby_inspect::inspected;
use super::{program_text, try_text};
use crate::error::Result;
use crate::limits::{self, BoundedString, Limit, too_long};
use crate::types::Type;
use crate::value::{Hash, Value};

/// `format` with the directives replaced by `arguments`.
///
/// ```
/// use pcore::format::sprintf;
/// use pcore::value::Value;
/// assert_eq!(sprintf("%05d|%-5s|%#x", &[42.into(), "ab".into(), 255.into()]).unwrap(), "00042|ab   |0xff");
/// ```
///
/// # Errors
/// What is not a directive, too few arguments, a value that does not fit its letter, a string that is too long.
pub fn sprintf(format: &str, arguments: &[Value]) -> Result<String> {
    let mut out = BoundedString::default();
    let mut arguments = Arguments { values: arguments, taken: 0, way: None, format };
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at])?;
        rest = &rest[at + 1..];
        let length = write_directive(&mut out, rest, &mut arguments)?;
        rest = &rest[length..];
    }
    out.push_str(rest)?;
    Ok(out.into_string())
}

/// Writes the value of the directive at the start of `text`, which begins after the percent sign; returns the
/// directive's length.
fn write_directive(out: &mut BoundedString, text: &str, arguments: &mut Arguments<'_>) -> Result<usize> {
    // A percent sign is literal when it is doubled or ends a line.
    match text.chars().next() {
        Some('%') => return out.push_str("%").map(|()| 1),
        Some('\n' | '\0') => return out.push_str("%").map(|()| 0),
        _ => {}
    }
    let mut reader = Reader { text, chars: text.char_indices().peekable() };
    let mut field = Field::default();
    let mut chosen = None;
    loop {
        let (at, c) = reader.next()?;
        match c {
            ' ' => field.blank = true,
            '+' => field.plus = true,
            '-' => field.left = true,
            '#' => field.alternate = true,
            '0' => field.zero = true,
            '1'..='9' => {
                let number = reader.number(at)?;
                if reader.skip('$') {
                    chosen = Some(arguments.numbered(number)?);
                } else {
                    field.width = number;
                }
            }
            '*' => match arguments.next_number()? {
                width if width < 0 => {
                    field.left = true;
                    field.width = limited(width.unsigned_abs(), text)?;
                }
                width => field.width = limited(width.unsigned_abs(), text)?,
            },
            '.' if reader.skip('*') => {
                let precision = arguments.next_number()?;
                field.precision = u64::try_from(precision).ok().map(|digits| limited(digits, text)).transpose()?;
            }
            '.' => field.precision = Some(reader.number(at + 1)?),
            '<' => chosen = Some(arguments.named(reader.name('>')?)?),
            '{' => {
                let value = arguments.named(reader.name('}')?)?;
                field.write_text(out, &text_of(value)?).map_err(too_long)?;
                return Ok(reader.position());
            }
            letter => {
                if !LETTERS.contains(letter) {
                    return Err(no_directive(&text[..at + letter.len_utf8()]));
                }
                let value = match chosen {
                    Some(value) => value,
                    None => arguments.next()?,
                };
                write_value_by(out, &field, letter, value)?;
                return Ok(reader.position());
            }
        }
    }
}

const LETTERS: &str = "diuxXobBeEfgGaAcsp";

fn write_value_by(out: &mut BoundedString, field: &Field, letter: char, value: &Value) -> Result<()> {
    let no_number = || FormatError::NoNumber { directive: letter, got: program_text(value) };
    let written = match letter {
        's' => field.write_text(out, &text_of(value)?),
        'p' => field.write_text(out, &inspected(value)?),
        'c' => field.write_padded(out, &character_of(value)?),
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B' => {
            number::whole(value).ok_or_else(no_number)?.write(out, field, letter)
        }
        'f' if matches!(value, Value::Integer(_)) => {
            // Beyond 2^53 a Float would not have all digits.
            number::whole(value).ok_or_else(no_number)?.write_fixed(out, field)
        }
        _ => write_float(out, field, number::float(value).ok_or_else(no_number)?, letter),
    };
    written.map_err(too_long)
}

/// The text of a value by itself. A reference shows its title without quotes.
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

struct Reader<'a> {
    text: &'a str,
    chars: Peekable<CharIndices<'a>>,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(usize, char)> {
        self.chars.next().ok_or_else(|| no_directive(self.text))
    }

    fn position(&mut self) -> usize {
        self.chars.peek().map_or(self.text.len(), |(at, _)| *at)
    }

    fn skip(&mut self, wanted: char) -> bool {
        self.chars.next_if(|&(_, c)| c == wanted).is_some()
    }

    /// The number whose digits begin at `start`; 0 when there are none.
    fn number(&mut self, start: usize) -> Result<usize> {
        while self.chars.next_if(|(_, c)| c.is_ascii_digit()).is_some() {}
        let digits = &self.text[start..self.position()];
        if digits.is_empty() {
            return Ok(0);
        }
        limited(digits.parse().unwrap_or(u64::MAX), self.text)
    }

    /// The text before `end`; moves past `end`.
    fn name(&mut self, end: char) -> Result<&'a str> {
        let start = self.position();
        loop {
            let (at, c) = self.next()?;
            if c == end {
                return Ok(&self.text[start..at]);
            }
        }
    }
}

fn limited(number: u64, text: &str) -> Result<usize> {
    match usize::try_from(number) {
        Ok(number) if number <= limits::length_of(Limit::String) => Ok(number),
        Ok(_) | Err(_) => Err(FormatError::TooWide(format!("%{text}")).into()),
    }
}

fn no_directive(text: &str) -> crate::error::Error {
    FormatError::NoSuchDirective(format!("%{text}")).into()
}
