//! Errors in regular expressions.

use std::fmt;

use crate::error::{Error, Kind, RUNTIME_ERROR, quoted};

/// Something wrong at a place in the text of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RegexpError {
    pub(super) problem: Problem,
    /// Byte offset in the text.
    pub(super) at: usize,
}

impl RegexpError {
    /// The error of the expression with this `text`.
    pub(super) fn of(self, text: &str) -> Error {
        // People count characters.
        let at = text.get(..self.at).map_or(0, |before| before.chars().count()) + 1;
        Report { text, at, problem: &self.problem }.into()
    }
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
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

struct Report<'a> {
    text: &'a str,
    at: usize,
    problem: &'a Problem,
}

impl Kind for Report<'_> {
    fn code(&self) -> &'static str {
        RUNTIME_ERROR
    }

    fn help(&self) -> Option<String> {
        let help = match self.problem {
            Problem::UnclosedGroup => r"close it with `)`, or write `\(` for the character",
            Problem::StrayParenthesis => r"write `\)` for the character",
            Problem::UnclosedClass | Problem::EmptyClass => {
                r"close the class with `]`, or write `\[` for the character"
            }
            Problem::NothingToRepeat => r"write a backslash before it for the character",
            Problem::UnknownOption('P') => "Ruby writes a named group as `(?<name>…)`",
            Problem::UnknownOption('s') => "in Ruby, `(?m)` makes `.` match newlines",
            Problem::UnknownOption(_) => "the options are i, m, x, a, d and u; only i, m and x can be switched off",
            Problem::RangeOfSet => r"write `\-` for the character, or put it last",
            Problem::NumberBesideNames => r"use `\k<name>` or `\g<name>`, or name no groups at all",
            Problem::LookBehind => "only top-level alternatives may differ in length",
            Problem::TrailingBackslash => r"write `\\` for a backslash",
            Problem::UnfinishedGroup
            | Problem::BadName(_)
            | Problem::DescendingRange(..)
            | Problem::UnknownBracket(_)
            | Problem::UnknownProperty(_)
            | Problem::TooManyRepeats
            | Problem::DescendingRepeat(..)
            | Problem::BadEscape { .. }
            | Problem::NotText
            | Problem::UnknownGroup(_)
            | Problem::AmbiguousCall(_)
            | Problem::EndlessRecursion
            | Problem::ThirdBranch
            | Problem::BadCondition
            | Problem::TooDeep(_)
            | Problem::Unsupported(_) => return None,
        };
        Some(help.to_string())
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid regular expression /{}/ at character {}: {}", quoted(self.text), self.at, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::UnclosedGroup => write!(f, "this `(` is never closed"),
            Problem::StrayParenthesis => write!(f, "unmatched `)`"),
            Problem::UnfinishedGroup => write!(f, "the pattern ends inside `(?`"),
            Problem::UnknownOption(letter) => write!(f, "Ruby does not support `{letter}` after `(?`"),
            Problem::BadName(name) if name.is_empty() => write!(f, "expected the name of a group"),
            Problem::BadName(name) => write!(f, "`{name}` is not a valid group name"),
            Problem::UnclosedClass => write!(f, "this `[` is never closed"),
            Problem::EmptyClass => write!(f, "this character class is empty"),
            Problem::DescendingRange(from, to) => write!(f, "the range `{from}-{to}` is descending"),
            Problem::RangeOfSet => write!(f, "a range needs single characters as its ends, not a set"),
            Problem::UnknownBracket(name) => write!(f, "unknown POSIX class `[:{name}:]`"),
            Problem::UnknownProperty(name) => write!(f, r"unknown property `\p{{{name}}}`"),
            Problem::NothingToRepeat => write!(f, "nothing to repeat before this"),
            Problem::TooManyRepeats => write!(f, "a repetition count is at most {}", super::MAX_REPEATS),
            Problem::DescendingRepeat(least, most) => {
                write!(f, "the minimum {least} of the repetition is greater than its maximum {most}")
            }
            Problem::TrailingBackslash => write!(f, "expected a character after the backslash"),
            Problem::BadEscape { wanted } => write!(f, "expected {wanted}"),
            Problem::NotText => write!(f, "these bytes are not UTF-8"),
            Problem::UnknownGroup(name) => write!(f, "unknown group `{name}`"),
            Problem::NumberBesideNames => write!(f, "numbered references cannot be used with named groups"),
            Problem::AmbiguousCall(name) => write!(f, "several groups are named `{name}`"),
            Problem::EndlessRecursion => write!(f, "this call never ends: the group calls itself without condition"),
            Problem::LookBehind => write!(f, "a look-behind must have a fixed length"),
            Problem::ThirdBranch => write!(f, "a condition has at most two branches"),
            Problem::BadCondition => write!(f, "expected the number or name of a group as the condition"),
            Problem::TooDeep(limit) => write!(f, "groups are nested more than {limit} levels deep"),
            Problem::Unsupported(what) => write!(f, "{what} is not supported"),
        }
    }
}
