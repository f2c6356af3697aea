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
            Fault::UnknownOption('P') => "Ruby writes a named group as `(?<name>…)`",
            Fault::UnknownOption('s') => "in Ruby, `(?m)` makes `.` match newlines",
            Fault::UnknownOption(_) => "the options are i, m, x, a, d and u; only i, m and x can be switched off",
            Fault::RangeOfSet => r"write `\-` for the character, or put it last",
            Fault::NumberBesideNames => r"use `\k<name>` or `\g<name>`, or name no groups at all",
            Fault::LookBehind => "only top-level alternatives may differ in length",
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
        write!(f, "invalid regular expression /{}/ at character {}: {}", self.text, self.at, self.fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::UnclosedGroup => write!(f, "this `(` is never closed"),
            Fault::StrayParenthesis => write!(f, "unmatched `)`"),
            Fault::UnfinishedGroup => write!(f, "the pattern ends inside `(?`"),
            Fault::UnknownOption(letter) => write!(f, "Ruby does not support `{letter}` after `(?`"),
            Fault::BadName(name) if name.is_empty() => write!(f, "expected the name of a group"),
            Fault::BadName(name) => write!(f, "`{name}` is not a valid group name"),
            Fault::UnclosedClass => write!(f, "this `[` is never closed"),
            Fault::EmptyClass => write!(f, "this character class is empty"),
            Fault::DescendingRange(from, to) => write!(f, "the range `{from}-{to}` is descending"),
            Fault::RangeOfSet => write!(f, "a range needs single characters as its ends, not a set"),
            Fault::UnknownBracket(name) => write!(f, "unknown POSIX class `[:{name}:]`"),
            Fault::UnknownProperty(name) => write!(f, r"unknown property `\p{{{name}}}`"),
            Fault::NothingToRepeat => write!(f, "nothing to repeat before this"),
            Fault::TooManyRepeats => write!(f, "a repetition count is at most {}", super::parse::MAX_REPEATS),
            Fault::DescendingRepeat(least, most) => {
                write!(f, "the minimum {least} of the repetition is greater than its maximum {most}")
            }
            Fault::TrailingBackslash => write!(f, "expected a character after the backslash"),
            Fault::BadEscape { wanted } => write!(f, "expected {wanted}"),
            Fault::NotText => write!(f, "these bytes are not UTF-8"),
            Fault::UnknownGroup(name) => write!(f, "unknown group `{name}`"),
            Fault::NumberBesideNames => write!(f, "numbered references cannot be used with named groups"),
            Fault::AmbiguousCall(name) => write!(f, "several groups are named `{name}`"),
            Fault::EndlessRecursion => write!(f, "this call never ends: the group calls itself without condition"),
            Fault::LookBehind => write!(f, "a look-behind must have a fixed length"),
            Fault::ThirdBranch => write!(f, "a condition has at most two branches"),
            Fault::BadCondition => write!(f, "expected the number or name of a group as the condition"),
            Fault::TooDeep(limit) => write!(f, "groups are nested more than {limit} levels deep"),
            Fault::Unsupported(what) => write!(f, "{what} is not supported"),
        }
    }
}
