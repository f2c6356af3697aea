//! The format of `String.new`: `%[flags][width][.precision]letter`.

use nom::character::complete::{char, satisfy};
use nom::{bytes::complete::take_while, combinator::opt, sequence::preceded};

use super::error::FormatError;
use super::field::{Field, limited};
use crate::microsyntax::{count, whole};

/// A parsed format such as `%-8d`.
///
/// Source: language specification, "String.new": `/^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$/`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directive {
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
    /// `directive ::= "%" [ +\-#0\[{<(|]* [0-9]* ("." [0-9]+)? [a-zA-Z]`
    pub(super) fn parse(format: &str) -> Result<Directive, FormatError> {
        let flags = take_while(|c| " +-#0[{<(|".contains(c));
        let letter = satisfy(|c| c.is_ascii_alphabetic());
        let parts = (preceded(char('%'), flags), opt(count), opt(preceded(char('.'), count)), letter);
        let (flags, width, precision, letter) =
            whole(format, parts).ok_or_else(|| FormatError::NoDirective(format.to_owned()))?;
        let mut field = Field::default();
        let mut delimiters = None;
        for (at, flag) in flags.char_indices() {
            if flags[..at].contains(flag) {
                return Err(FormatError::RepeatedFlag { flag, format: format.to_owned() });
            }
            match Delimiters::of(flag) {
                None => field.set(flag),
                Some(_) if delimiters.is_some() => return Err(FormatError::TwoDelimiters(format.to_owned())),
                pair => delimiters = pair,
            }
        }
        let limited = |count| limited(count, || format.to_owned());
        field.width = limited(width.unwrap_or(0))?;
        field.precision = precision.map(limited).transpose()?;
        Ok(Directive { field, delimiters, letter })
    }

    pub(super) fn plain(letter: char) -> Directive {
        Directive { field: Field::default(), delimiters: None, letter }
    }
}
