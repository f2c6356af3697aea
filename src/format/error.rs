//! Errors in formats.

use std::fmt;

use crate::error::{Kind, LIMIT, RUNTIME_ERROR};
use crate::limits::{self, Limit};

/// What is wrong with a format, or why a value cannot be formatted by it.
#[derive(Debug)]
pub(super) enum FormatError {
    /// `String(1, 'd')`
    NoDirective(String),
    /// `String(1, '%++d')`
    RepeatedFlag { flag: char, format: String },
    /// `String([1], '%[<a')`
    TwoDelimiters(String),
    /// `String(1, '%99999999999d')`
    TooWide(String),
    /// `String(1, '%q')`
    UnknownLetter { letter: char, type_name: &'static str, letters: String },
    /// `String(1, '%(d')`
    Delimiters { letter: char, type_name: &'static str },
    /// `String(Binary([200]), '%s')`
    NotUtf8,
    /// `String(-1, '%c')`
    NoCharacter(String),
    /// `String(1, 5)`
    NoFormats { got: String },
    /// `String(1, {'x' => '%d'})`
    NoTypeOfFormat { got: String },
    /// `String([1], {Array => {'separator' => ';'}})`
    MissingFormat,
    /// `String([1], {Array => {'format' => '%a', 'seperator' => ';'}})`
    UnknownKey { key: String },
    /// `String([1], {Array => {'format' => '%a', 'separator' => 1}})`
    WrongValue { key: &'static str, expected: &'static str, got: String },
    /// `sprintf('%s %s', 1)`
    TooFewArguments { needed: usize, given: usize },
    /// `sprintf('%z', 1)`, `sprintf('%')`
    NoSuchDirective(String),
    /// `sprintf('%1$s %s', 1)`
    MixedArguments(String),
    /// `sprintf('%<a>d', 1)`
    NoHash { name: String },
    /// `sprintf('%<a>d', {'b' => 1})`
    UnknownName { name: String },
    /// `sprintf('%d', 'x')`
    NoNumber { directive: char, got: String },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use FormatError as E;
        match self {
            E::NoDirective(format) => write!(
                f,
                "'{format}' is not a format: expected a percent sign, flags, width, precision after a point, and one letter"
            ),
            E::RepeatedFlag { flag, format } => write!(f, "duplicate flag '{flag}' in the format '{format}'"),
            E::TwoDelimiters(format) => write!(f, "the format '{format}' has more than one pair of delimiters"),
            E::TooWide(format) => {
                let most = limits::of(Limit::String);
                write!(f, "the width or precision of '{format}' is greater than {most}")
            }
            E::UnknownLetter { letter, type_name, letters } => {
                write!(f, "{type_name} has no format %{letter}: expected one of the letters {letters}")
            }
            E::Delimiters { letter, type_name } => {
                write!(f, "only arrays and hashes have delimiters: the format %{letter} of {type_name} accepts none")
            }
            E::NotUtf8 => f.write_str("the bytes are not valid UTF-8"),
            E::NoCharacter(number) => write!(f, "{number} is not the code point of a character"),
            E::NoFormats { got } => {
                write!(f, "expected a format such as '%x', default, or a hash from types to formats, got {got}")
            }
            E::NoTypeOfFormat { got } => write!(f, "expected a type as the key of a format, got {got}"),
            E::MissingFormat => f.write_str("the format hash needs the key 'format'"),
            E::UnknownKey { key } => {
                write!(
                    f,
                    "unknown key {key} in a format: expected 'format', 'separator', 'separator2' or 'string_formats'"
                )
            }
            E::WrongValue { key, expected, got } => write!(f, "expected {expected} for '{key}', got {got}"),
            E::TooFewArguments { needed, given } => {
                write!(f, "the format needs at least {needed} arguments, got {given}")
            }
            E::NoSuchDirective(directive) => write!(f, "'{directive}' is not a directive of sprintf"),
            E::MixedArguments(format) => {
                write!(f, "'{format}' mixes arguments in order, by number and by name: use only one of these")
            }
            E::NoHash { name } => write!(f, "the directive refers to '{name}': expected one hash as the only argument"),
            E::UnknownName { name } => write!(f, "the hash has no key '{name}'"),
            E::NoNumber { directive, got } => write!(f, "%{directive} expects a number, got {got}"),
        }
    }
}

impl Kind for FormatError {
    fn code(&self) -> &'static str {
        match self {
            FormatError::TooWide(_) => LIMIT,
            _ => RUNTIME_ERROR,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            FormatError::NoDirective(_) => Some("for instance '%d', '%-10s', '%#x', '%.2f', '%(a'".into()),
            FormatError::UnknownLetter { letter, type_name: type_name @ ("Array" | "Hash"), .. } => Some(format!(
                "set formats of elements by type: {{{type_name} => {{format => '%s', \
                 string_formats => {{Integer => '%{letter}'}}}}}}"
            )),
            FormatError::NotUtf8 => Some("'%#s' writes such bytes as \\xHH, '%B' as base64".into()),
            FormatError::NoTypeOfFormat { .. } => Some("write types without quotes: {Integer => '%x'}".into()),
            FormatError::MissingFormat => Some("add 'format' => '%a', or '%h' for a hash".into()),
            _ => None,
        }
    }
}
