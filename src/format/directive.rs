//! The format of `String.new`: `%[flags][width][.precision]letter`.

use nom::character::complete::{char, satisfy};
use nom::{bytes::complete::take_while, combinator::opt, sequence::preceded};

use super::error::FormatError;
use super::field::{FieldOptions, check_width_or_precision};
use crate::microsyntax::{parse_count, parse_whole_string};

/// A format such as `%-10.3f` or `%#[a`. Source: language specification, "String.new".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directive {
    pub(super) options: FieldOptions,
    pub(super) delimiters: Option<Delimiters>,
    pub(super) letter: char,
}

/// The brackets around the elements of a container, selected by one of the flags `[`, `{`, `(`, `<` and `|`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Delimiters {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
}

impl Delimiters {
    pub(super) const BRACKETS: Delimiters = Delimiters { open: "[", close: "]" };
    pub(super) const BRACES: Delimiters = Delimiters { open: "{", close: "}" };
    pub(super) const NO_DELIMITERS: Delimiters = Delimiters { open: "", close: "" };

    fn delimiters_of_flag(flag: char) -> Option<Delimiters> {
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
    /// `directive ::= "%" [ +\-#0\[{<(|]* [0-9]* ("." [0-9]+)? [a-zA-Z]`
    pub(super) fn parse(format: &str) -> Result<Directive, FormatError> {
        let flags = take_while(|c| " +-#0[{<(|".contains(c));
        let letter = satisfy(|c| c.is_ascii_alphabetic());
        let parts = (preceded(char('%'), flags), opt(parse_count), opt(preceded(char('.'), parse_count)), letter);
        let (flags, width, precision, letter) =
            parse_whole_string(format, parts).ok_or_else(|| FormatError::NoDirective(format.to_owned()))?;
        let mut field = FieldOptions::default();
        let mut delimiters = None;
        for (at, flag) in flags.char_indices() {
            if flags[..at].contains(flag) {
                return Err(FormatError::RepeatedFlag { flag, format: format.to_owned() });
            }
            match Delimiters::delimiters_of_flag(flag) {
                None => field.set_flag(flag),
                Some(_) if delimiters.is_some() => return Err(FormatError::TwoDelimiters(format.to_owned())),
                pair => delimiters = pair,
            }
        }
        let limited = |count| check_width_or_precision(count, || format.to_owned());
        field.width = limited(width.unwrap_or(0))?;
        field.precision = precision.map(limited).transpose()?;
        Ok(Directive { options: field, delimiters, letter })
    }

    pub(super) fn from_letter(letter: char) -> Directive {
        Directive { options: FieldOptions::default(), delimiters: None, letter }
    }
}
