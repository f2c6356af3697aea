//! The format of `String.new`: `%[flags][width][.precision]letter`.

use super::error::FormatError;
use super::field::Field;
use crate::limits::{self, Limit};

/// A format, read.
///
/// Source: language specification, "String.new": `/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    /// Flags, width and precision.
    pub(super) field: Field,
    /// The brackets around the elements of a container, if the directive names some.
    pub(super) delimiters: Option<Delimiters>,
    pub(super) letter: char,
}

/// The brackets around the elements of a container: `[`, `{`, `(`, `<`, `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delimiters {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
}

impl Delimiters {
    pub(super) const BRACKETS: Delimiters = Delimiters { open: "[", close: "]" };
    pub(super) const BRACES: Delimiters = Delimiters { open: "{", close: "}" };
    pub(super) const NONE: Delimiters = Delimiters { open: "", close: "" };

    fn of(flag: char) -> Option<Delimiters> {
        Some(match flag {
            '[' => Delimiters::BRACKETS,
            '{' => Delimiters::BRACES,
            '(' => Delimiters { open: "(", close: ")" },
            '<' => Delimiters { open: "<", close: ">" },
            '|' => Delimiters { open: "|", close: "|" },
            _ => return None,
        })
    }
}

impl Directive {
    pub(super) fn parse(format: &str) -> Result<Directive, FormatError> {
        let malformed = || FormatError::NoDirective(format.to_owned());
        let rest = format.strip_prefix('%').ok_or_else(malformed)?;
        let flags = rest.find(|c| !matches!(c, ' ' | '+' | '-' | '#' | '0' | '[' | '{' | '<' | '(' | '|'));
        let (flags, rest) = rest.split_at(flags.ok_or_else(malformed)?);
        let (width, rest) = digits(rest);
        let (precision, rest) = match rest.strip_prefix('.').map(digits) {
            Some(("", _)) => return Err(malformed()),
            Some((precision, rest)) => (Some(precision), rest),
            None => (None, rest),
        };
        let mut letters = rest.chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else { return Err(malformed()) };
        if !letter.is_ascii_alphabetic() {
            return Err(malformed());
        }
        let number = |digits: &str| match digits.parse() {
            Ok(number) if number <= limits::length_of(Limit::String) => Ok(number),
            Ok(_) | Err(_) => Err(FormatError::TooWide(format.to_owned())),
        };
        let (mut field, delimiters) = read_flags(flags, format)?;
        field.width = if width.is_empty() { 0 } else { number(width)? };
        field.precision = precision.map(number).transpose()?;
        Ok(Directive { field, delimiters, letter })
    }

    pub(super) fn plain(letter: char) -> Directive {
        Directive { field: Field::default(), delimiters: None, letter }
    }
}

fn read_flags(flags: &str, format: &str) -> Result<(Field, Option<Delimiters>), FormatError> {
    let mut field = Field::default();
    let mut delimiters = None;
    for (at, flag) in flags.char_indices() {
        if flags[..at].contains(flag) {
            return Err(FormatError::RepeatedFlag { flag, format: format.to_owned() });
        }
        match flag {
            ' ' => field.blank = true,
            '+' => field.plus = true,
            '-' => field.left = true,
            '#' => field.alternate = true,
            '0' => field.zero = true,
            _ if delimiters.is_some() => return Err(FormatError::TwoDelimiters(format.to_owned())),
            _ => delimiters = Delimiters::of(flag),
        }
    }
    Ok((field, delimiters))
}

fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len())
}
