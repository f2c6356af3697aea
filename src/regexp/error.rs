//! What can be wrong with a regular expression, in our words.

use std::fmt;

use crate::error::{Error, Kind, RUNTIME_ERROR};

/// Something wrong at a place in the text of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rejection {
    pub(super) fault: Fault,
    /// Byte offset in the text.
    pub(super) at: usize,
}

impl Rejection {
    /// The error of the expression with this `text`.
    pub(super) fn of(self, text: &str) -> Error {
        // People count characters.
        let at = text.get(..self.at).map_or(0, |before| before.chars().count()) + 1;
        Misread { text, at, fault: &self.fault }.into()
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// `(a`
    UnclosedGroup,
    /// `a)`
    StrayParenthesis,
    /// `(?`, `(?i`
    UnfinishedGroup,
    /// `(?P<n>a)`
    UnknownOption(char),
    /// `(?<n`, `(?<1>a)`
    BadName(Box<str>),
    /// `[a`
    UnclosedClass,
    /// `[]`
    EmptyClass,
    /// `[z-a]`
    DescendingRange(char, char),
    /// `[a-\d]`, `[\d-z]`
    RangeOfSet,
    /// `[[:foo:]]`
    UnknownBracket(Box<str>),
    /// `\p{Foo}`
    UnknownProperty(Box<str>),
    /// `*a`
    NothingToRepeat,
    /// `a{100001}`
    TooManyRepeats,
    /// `a{2,1}`
    DescendingRepeat(u32, u32),
    /// `a\`
    TrailingBackslash,
    /// `\x`, `\u12`
    BadEscape { wanted: &'static str },
    /// `\xff`
    NotText,
    /// `\1`, `\k<n>`, `\g<n>`
    UnknownGroup(Box<str>),
    /// `(?<n>a)\1`
    NumberBesideNames,
    /// `(?<n>a)(?<n>b)\g<n>`
    AmbiguousCall(Box<str>),
    /// `(?<n>a\g<n>)`
    EndlessRecursion,
    /// `(?<=a+)`
    LookBehind,
    /// `(?(1)a|b|c)`
    ThirdBranch,
    /// `(?(a)b)`
    BadCondition,
    /// `((((…`
    TooDeep(usize),
    /// what Ruby takes and no engine here does
    Unsupported(&'static str),
}

struct Misread<'a> {
    text: &'a str,
    at: usize,
    fault: &'a Fault,
}

impl Kind for Misread<'_> {
    fn issue(&self) -> &'static str {
        RUNTIME_ERROR
    }

    fn help(&self) -> Option<String> {
        let help = match self.fault {
            Fault::UnclosedGroup => r"close it with `)`, or write `\(` for the character",
            Fault::StrayParenthesis => r"write `\)` for the character",
            Fault::UnclosedClass | Fault::EmptyClass => r"close the class with `]`, or write `\[` for the character",
            Fault::NothingToRepeat => r"write a backslash before it for the character",
            Fault::UnknownOption('P') => "Ruby names a group with `(?<name>…)`",
            Fault::UnknownOption('s') => "in Ruby `(?m)` lets `.` match newlines",
            Fault::UnknownOption(_) => "the options are i, m, x, a, d and u; only i, m and x can be switched off",
            Fault::RangeOfSet => r"write `\-` for the character, or put it last",
            Fault::NumberBesideNames => r"use `\k<name>` or `\g<name>`, or name no group at all",
            Fault::LookBehind => "only alternatives at its top may differ in length",
            Fault::TrailingBackslash => r"write `\\` for a backslash",
            Fault::UnfinishedGroup
            | Fault::BadName(_)
            | Fault::DescendingRange(..)
            | Fault::UnknownBracket(_)
            | Fault::UnknownProperty(_)
            | Fault::TooManyRepeats
            | Fault::DescendingRepeat(..)
            | Fault::BadEscape { .. }
            | Fault::NotText
            | Fault::UnknownGroup(_)
            | Fault::AmbiguousCall(_)
            | Fault::EndlessRecursion
            | Fault::ThirdBranch
            | Fault::BadCondition
            | Fault::TooDeep(_)
            | Fault::Unsupported(_) => return None,
        };
        Some(help.to_string())
    }
}

impl fmt::Display for Misread<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the regular expression /{}/ cannot be read at character {}: {}", self.text, self.at, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::UnclosedGroup => write!(f, "this `(` is never closed"),
            Fault::StrayParenthesis => write!(f, "this `)` closes nothing"),
            Fault::UnfinishedGroup => write!(f, "the text ends inside `(?`"),
            Fault::UnknownOption(letter) => write!(f, "`(?` is not followed by `{letter}` in Ruby"),
            Fault::BadName(name) if name.is_empty() => write!(f, "expected the name of a group"),
            Fault::BadName(name) => write!(f, "`{name}` is no name of a group"),
            Fault::UnclosedClass => write!(f, "this `[` is never closed"),
            Fault::EmptyClass => write!(f, "this class holds no character"),
            Fault::DescendingRange(from, to) => write!(f, "the range `{from}-{to}` descends"),
            Fault::RangeOfSet => write!(f, "a range goes from one character to another, not to or from a set"),
            Fault::UnknownBracket(name) => write!(f, "there is no bracket `[:{name}:]`"),
            Fault::UnknownProperty(name) => write!(f, r"there is no property `\p{{{name}}}`"),
            Fault::NothingToRepeat => write!(f, "there is nothing to repeat before this"),
            Fault::TooManyRepeats => write!(f, "a repetition counts to {} at most", super::parse::MAX_REPEATS),
            Fault::DescendingRepeat(least, most) => write!(f, "at least {least} but at most {most} turns"),
            Fault::TrailingBackslash => write!(f, "expected a character after the backslash"),
            Fault::BadEscape { wanted } => write!(f, "expected {wanted}"),
            Fault::NotText => write!(f, "these bytes are not UTF-8"),
            Fault::UnknownGroup(name) => write!(f, "there is no group `{name}`"),
            Fault::NumberBesideNames => write!(f, "groups have no numbers where others have names"),
            Fault::AmbiguousCall(name) => write!(f, "several groups are called `{name}`"),
            Fault::EndlessRecursion => write!(f, "this call would call itself for ever"),
            Fault::LookBehind => write!(f, "a look-behind must know how far to look"),
            Fault::ThirdBranch => write!(f, "a condition chooses between two branches at most"),
            Fault::BadCondition => write!(f, "expected the number or the name of a group as condition"),
            Fault::TooDeep(limit) => write!(f, "groups are nested more than {limit} levels deep"),
            Fault::Unsupported(what) => write!(f, "{what} is not supported"),
        }
    }
}
