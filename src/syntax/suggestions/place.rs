//! The place where reading stopped, and questions about what is around it.

use crate::dictionary::{self, Kind};
use crate::syntax::grammar::words::{is_keyword, is_word_character, token_length};
use crate::syntax::{errors::Expected, state::State};

pub(in crate::syntax) struct Failure<'a> {
    /// The text before it, without white space at the end.
    pub(in crate::syntax) before: &'a str,
    /// The word or symbol at the place; empty at the end of the text.
    pub(in crate::syntax) found: &'a str,
    pub(in crate::syntax) rest: &'a str,
    /// Everything that could have stood there.
    pub(in crate::syntax) expected: &'a [Expected],
}

impl<'a> Failure<'a> {
    /// The place where the reader of `text` stopped, by what could have stood there.
    pub(in crate::syntax) fn at(place: usize, expected: &'a [Expected], state: &State<'a>) -> Failure<'a> {
        let (before, rest) = state.source.split_at(place);
        let found = &rest[..token_length(rest)];
        Failure { before: before.trim_end(), found, rest, expected }
    }
}

impl Failure<'_> {
    pub(super) fn expects(&self, what: Expected) -> bool {
        self.expected.contains(&what)
    }

    pub(in crate::syntax) fn expects_close(&self) -> bool {
        self.expected.iter().any(|one| one.closes())
    }

    pub(super) fn is_after(&self, text: &str) -> bool {
        self.before.ends_with(text)
    }

    /// Whether one of the words starts what stands after the last closing brace, or after the last but one.
    pub(super) fn follows_word(&self, candidates: &[&str]) -> bool {
        let mut parts = self.before.rsplit('}').take(2).map(str::trim_start);
        parts.any(|text| candidates.iter().any(|word| text.starts_with(word)))
            || (self.found == "if" && self.is_after("else"))
    }

    pub(super) fn next_is_digit(&self) -> bool {
        self.rest.chars().nth(1).is_some_and(|next| next.is_ascii_digit())
    }

    /// Whether an operator, or the beginning of one, is the last thing before.
    pub(super) fn follows_operator(&self) -> bool {
        self.before.ends_with(['+', '-', '*', '/', '%', '<', '>', '=', '~', '!'])
            || matches!(last_name(self.before), "and" | "or" | "in")
    }

    /// Whether a value may start with what was found.
    pub(super) fn starts_expression(&self) -> bool {
        self.found.starts_with(|first: char| first.is_ascii_alphanumeric() || "$'\"[{(".contains(first))
    }

    /// Whether the last thing before is a number with a decimal point, and another point.
    pub(super) fn follows_decimal(&self) -> bool {
        let is_of_number = |letter: char| letter.is_ascii_digit() || letter == '.';
        let number = self.before.rsplit(|letter: char| !is_of_number(letter)).next().unwrap_or_default();
        self.is_after(".") && !number.contains("..") && number.matches('.').count() > 1
    }

    /// Whether the last thing before is the bracket behind a type.
    pub(super) fn is_after_type_bracket(&self) -> bool {
        self.before.strip_suffix('[').is_some_and(|before| is_type(last_name(before)))
    }

    /// The name right before the innermost open bracket of this kind: `Enum` in `Enum['a'`.
    pub(super) fn name_before(&self, open: char, close: char) -> &str {
        self.before_bracket(open, close).map_or("", last_name)
    }

    /// What stands before the innermost open bracket of this kind.
    pub(super) fn before_bracket(&self, open: char, close: char) -> Option<&str> {
        let mut depth = 0;
        let at = self.before.rfind(|letter| {
            depth += i32::from(letter == open) - i32::from(letter == close);
            depth > 0
        });
        Some(&self.before[..at?])
    }

    /// Whether what stands before is the name of a type, or its parameters in brackets.
    pub(super) fn follows_type(&self) -> bool {
        let name = self.before.strip_suffix(']').and_then(|text| text.rfind('[')).map(|at| &self.before[..at]);
        is_type(last_name(name.unwrap_or(self.before)))
    }

    /// The word before, with the `?` or `!` at its end: `is_a?` in `5.is_a?(Integer`.
    pub(super) fn marked_word(&self, mark: char) -> Option<&str> {
        let end = self.before.rfind(mark)?;
        let word = last_name(&self.before[..end]);
        let after = &self.before[end + 1..];
        let is_call = after.is_empty() || (after.starts_with('(') && !after.contains(')')) || after.ends_with(')');
        (is_call && !word.is_empty()).then(|| &self.before[end - word.len()..=end])
    }

    /// The beginning of the line, up to the place.
    pub(super) fn line_before(&self) -> &str {
        self.before.rsplit('\n').next().unwrap_or_default().trim_start()
    }

    /// What to write instead of a function whose name has a mark: `println!`, `nil?`.
    pub(super) fn advice_on_marked_word(&self) -> Option<&'static str> {
        let word = self.marked_word('!').map(|word| word.trim_end_matches('!')).or_else(|| self.marked_word('?'))?;
        Some(dictionary::word(word, &[Kind::Function])?.advice)
    }

    /// What to write instead of a word of another language: a function after a dot, or the first word of the line.
    pub(super) fn advice_on_word(&self) -> Option<&'static str> {
        if self.expects(Expected::MethodName) {
            return Some(dictionary::word(self.found, &[Kind::Function])?.advice);
        }
        let line = self.line_before();
        let (word, rest) = line.split_at(line.find(|letter| !is_word_character(letter)).unwrap_or(line.len()));
        // `match { 'title': }` is a resource, `alias => 'a'` an attribute, `check('a')` a call.
        let next = if rest.trim().is_empty() { self.rest } else { rest.trim_start() };
        let is_puppet = is_keyword(word) || next.starts_with(['{', '=', '(', ',', '+']);
        let first = dictionary::word(word, &[Kind::Keyword]).filter(|row| !is_puppet && row.others.contains(word));
        // `'abc' match /a/`: between two values.
        let second = || dictionary::word(rest.split_whitespace().next()?, &[Kind::Keyword]).filter(|_| word.is_empty());
        Some(first.or_else(second)?.advice)
    }

    pub(super) fn found_is_word(&self) -> bool {
        self.found.starts_with(|letter: char| letter.is_ascii_lowercase())
    }
}

/// The name or variable at the end of a text; empty where something else is.
pub(super) fn last_name(text: &str) -> &str {
    let start = text.rfind(|letter: char| !is_word_character(letter) && !":$".contains(letter));
    &text[start.map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))..]
}

pub(super) fn is_foreign_keyword(word: &str) -> bool {
    dictionary::word(word, &[Kind::Keyword]).is_some()
}

pub(super) fn is_type(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}
