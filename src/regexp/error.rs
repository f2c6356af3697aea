//! Errors in regular expressions.

use super::MAX_REPEATS;
use crate::error::{Error, Kind, RUNTIME_ERROR, errors, shorten_user_text};

#[derive(Debug)]
pub(super) struct RegexpError {
    pub(super) problem: Problem,
    /// The byte offset of the problem in the expression.
    pub(super) offset: usize,
}

impl RegexpError {
    pub(super) fn into_error(self, text: &str) -> Error {
        // People count characters.
        let at = text.get(..self.offset).map_or(0, |before| before.chars().count()) + 1;
        let (text, problem) = (shorten_user_text(text), &self.problem);
        let error = Error::runtime(format!("invalid regular expression /{text}/ at character {at}: {problem}"));
        problem.help().into_iter().fold(error, Error::with_help)
    }
}

impl Problem {
    pub(super) fn error_at_offset(self, at: usize) -> RegexpError {
        RegexpError { problem: self, offset: at }
    }
}

errors! {
    #[derive(Clone, Debug)]
    pub(super) enum Problem {
        /// `(a`
        UnclosedGroup => RUNTIME_ERROR,
            message("this `(` is never closed"), help(r"close it with `)`, or write `\(` for the character");
        /// `a)`
        StrayParenthesis => RUNTIME_ERROR, message("unmatched `)`"), help(r"write `\)` for the character");
        /// `(?`, `(?i`
        UnfinishedGroup => RUNTIME_ERROR, message("the pattern ends inside `(?`");
        /// `(?P<n>a)`
        UnknownOption(letter: char) => RUNTIME_ERROR,
            message("Ruby does not support `{letter}` after `(?`"),
            help("{}", match letter {
                'P' => "Ruby writes a named group as `(?<name>…)`",
                's' => "in Ruby, `(?m)` makes `.` match newlines",
                _ => "the options are i, m, x, a, d and u; only i, m and x can be switched off",
            });
        /// `(?<n`
        MissingName => RUNTIME_ERROR, message("expected the name of a group");
        /// `(?<1>a)`
        BadName(name: Box<str>) => RUNTIME_ERROR, message("`{name}` is not a valid group name");
        /// `[a`
        UnclosedClass => RUNTIME_ERROR,
            message("this `[` is never closed"), help(r"close the class with `]`, or write `\[` for the character");
        /// `[]`
        EmptyClass => RUNTIME_ERROR,
            message("this character class is empty"),
            help(r"close the class with `]`, or write `\[` for the character");
        /// `[z-a]`
        DescendingRange(from: char, to: char) => RUNTIME_ERROR, message("the range `{from}-{to}` is descending");
        /// `[a-\d]`, `[\d-z]`
        RangeOfSet => RUNTIME_ERROR,
            message("a range needs single characters as its ends, not a set"),
            help(r"write `\-` for the character, or put it last");
        /// `[[:foo:]]`
        UnknownBracket(name: Box<str>) => RUNTIME_ERROR, message("unknown POSIX class `[:{name}:]`");
        /// `\p{Foo}`
        UnknownProperty(name: Box<str>) => RUNTIME_ERROR, message(r"unknown property `\p{{{name}}}`");
        /// `*a`
        NothingToRepeat => RUNTIME_ERROR,
            message("nothing to repeat before this"), help("write a backslash before it for the character");
        /// `a{100001}`
        TooManyRepeats => RUNTIME_ERROR, message("a repetition count is at most {MAX_REPEATS}");
        /// `a{2,1}`
        DescendingRepeat(least: u32, most: u32) => RUNTIME_ERROR,
            message("the minimum {least} of the repetition is greater than its maximum {most}");
        /// `a\`
        TrailingBackslash => RUNTIME_ERROR,
            message("expected a character after the backslash"), help(r"write `\\` for a backslash");
        /// `\x`, `\u12`
        BadEscape { wanted: &'static str } => RUNTIME_ERROR, message("expected {wanted}");
        /// `\xff`
        NotText => RUNTIME_ERROR, message("these bytes are not UTF-8");
        /// `\1`, `\k<n>`, `\g<n>`
        UnknownGroup(name: Box<str>) => RUNTIME_ERROR, message("unknown group `{name}`");
        /// `(?<n>a)\1`
        NumberBesideNames => RUNTIME_ERROR,
            message("numbered references cannot be used with named groups"),
            help(r"use `\k<name>` or `\g<name>`, or name no groups at all");
        /// `(?<n>a)(?<n>b)\g<n>`
        AmbiguousCall(name: Box<str>) => RUNTIME_ERROR, message("several groups are named `{name}`");
        /// `(?<n>a\g<n>)`
        EndlessRecursion => RUNTIME_ERROR,
            message("this call never ends: the group calls itself without condition");
        /// `(?<=a+)`
        LookBehind => RUNTIME_ERROR,
            message("a look-behind must have a fixed length"), help("only top-level alternatives may differ in length");
        /// `(?(1)a|b|c)`
        ThirdBranch => RUNTIME_ERROR, message("a condition has at most two branches");
        /// `(?(a)b)`
        BadCondition => RUNTIME_ERROR, message("expected the number or name of a group as the condition");
        /// `((((…`
        TooDeep(limit: u8) => RUNTIME_ERROR, message("groups are nested more than {limit} levels deep");
        /// A construct that is valid in Ruby but not supported here, such as `(?~a)`.
        Unsupported(what: &'static str) => RUNTIME_ERROR, message("{what} is not supported");
    }
}
