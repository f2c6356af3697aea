//! `ParseFailure`, the offset where parsing stopped, with predicates about the source around it.

use crate::dictionary::{self, Kind};
use crate::syntax::errors::Expected;
use crate::syntax::grammar::words::{is_keyword, is_word_character};

pub(in crate::syntax) struct ParseFailure<'a> {
    /// The source before the offset where parsing stopped, without trailing white space.
    pub(in crate::syntax) before: &'a str,
    /// The word or symbol at which parsing stopped; empty at the end of the source.
    pub(in crate::syntax) found: &'a str,
    pub(in crate::syntax) rest: &'a str,
    pub(in crate::syntax) expected: &'a [Expected],
}

impl ParseFailure<'_> {
    pub(super) fn expects(&self, what: Expected) -> bool {
        self.expected.contains(&what)
    }

    pub(in crate::syntax) fn expects_closing_bracket(&self) -> bool {
        self.expected.iter().any(|one| one.is_closing_bracket())
    }

    pub(super) fn follows_text(&self, text: &str) -> bool {
        self.before.ends_with(text)
    }

    /// Whether a word follows the last or last but one `}` before the failure, or that is at the `if` of `else if`.
    pub(super) fn follows_brace_and_word(&self, candidates: &[&str]) -> bool {
        let mut parts = self.before.rsplit('}').take(2).map(str::trim_start);
        parts.any(|text| candidates.iter().any(|word| text.starts_with(word)))
            || (self.found == "if" && self.follows_text("else"))
    }

    pub(super) fn follows_operator(&self) -> bool {
        self.before.ends_with(['+', '-', '*', '/', '%', '<', '>', '=', '~', '!'])
            || matches!(trailing_name(self.before), "and" | "or" | "in")
    }

    /// Whether the source before the failure ends with a decimal number and another point, as in `1.2.`.
    pub(super) fn follows_decimal_and_dot(&self) -> bool {
        let is_of_number = |letter: char| letter.is_ascii_digit() || letter == '.';
        let number = self.before.rsplit(|letter: char| !is_of_number(letter)).next().unwrap_or_default();
        self.follows_text(".") && !number.contains("..") && number.matches('.').count() > 1
    }

    pub(super) fn follows_type_bracket(&self) -> bool {
        self.before.strip_suffix('[').is_some_and(|before| looks_like_type_name(trailing_name(before)))
    }

    /// Returns the name right before the innermost bracket `open`: `Enum` in `Enum['a'`. Empty if there is none.
    pub(super) fn name_before_bracket(&self, open: char, close: char) -> &str {
        self.source_before_bracket(open, close).map_or("", trailing_name)
    }

    pub(super) fn source_before_bracket(&self, open: char, close: char) -> Option<&str> {
        let mut depth = 0;
        let at = self.before.rfind(|letter| {
            depth += i32::from(letter == open) - i32::from(letter == close);
            depth > 0
        });
        Some(&self.before[..at?])
    }

    /// Whether the source before the failure ends with a type, with or without parameters: `Enum`, `Enum['a']`.
    pub(super) fn follows_type(&self) -> bool {
        let name = self.before.strip_suffix(']').and_then(|text| text.rfind('[')).map(|at| &self.before[..at]);
        looks_like_type_name(trailing_name(name.unwrap_or(self.before)))
    }

    /// Returns the last called name that ends with `mark` (`?` or `!`): `is_a?` in `5.is_a?(Integer`.
    pub(super) fn called_name_ending_with(&self, mark: char) -> Option<&str> {
        let end = self.before.rfind(mark)?;
        let word = trailing_name(&self.before[..end]);
        let after = &self.before[end + 1..];
        let is_call = after.is_empty() || (after.starts_with('(') && !after.contains(')')) || after.ends_with(')');
        (is_call && !word.is_empty()).then(|| &self.before[end - word.len()..=end])
    }

    pub(super) fn line_before(&self) -> &str {
        self.before.rsplit('\n').next().unwrap_or_default().trim_start()
    }

    /// Returns the hint for a function of another language whose name ends with `!` or `?`, such as `println!`.
    pub(in crate::syntax) fn advice_on_bang_or_question(&self) -> Option<&'static str> {
        let word = self
            .called_name_ending_with('!')
            .map(|word| word.trim_end_matches('!'))
            .or_else(|| self.called_name_ending_with('?'))?;
        Some(dictionary::find_word(word, &[Kind::Function])?.advice)
    }

    /// Returns the hint for a word of another language: a function name after a dot, or the first word of the line.
    pub(super) fn advice_on_foreign_word(&self) -> Option<&'static str> {
        if self.expects(Expected::MethodName) {
            return Some(dictionary::find_word(self.found, &[Kind::Function])?.advice);
        }
        let line = self.line_before();
        let (word, rest) = line.split_at(line.find(|letter| !is_word_character(letter)).unwrap_or(line.len()));
        // `match { 'title': }` is a resource, `alias => 'a'` an attribute, `check('a')` a call.
        let next = if rest.trim().is_empty() { self.rest } else { rest.trim_start() };
        let is_puppet = is_keyword(word) || next.starts_with(['{', '=', '(', ',', '+']);
        let first = dictionary::find_word(word, &[Kind::Keyword]).filter(|row| !is_puppet && row.others.contains(word));
        // `'abc' match /a/`: between two values.
        let second =
            || dictionary::find_word(rest.split_whitespace().next()?, &[Kind::Keyword]).filter(|_| word.is_empty());
        Some(first.or_else(second)?.advice)
    }
}

/// Returns the name or variable at the end of `text`, or an empty string if the text ends with something else.
pub(super) fn trailing_name(text: &str) -> &str {
    text.rsplit(|letter: char| !is_word_character(letter) && !":$".contains(letter)).next().unwrap_or_default()
}

pub(super) fn is_foreign_keyword(word: &str) -> bool {
    dictionary::find_word(word, &[Kind::Keyword]).is_some()
}

pub(super) fn looks_like_type_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_uppercase())
}
