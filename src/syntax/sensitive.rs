//! Finds the literals that a program makes Sensitive. It uses only tokens, because programs that cannot be parsed or
//! that misspell the type contain secrets as well.

use std::ops::Range;

use super::tokens::{Kind, Token, tokens};
use crate::text::Span;

/// Returns the spans of the strings and numbers that a program makes Sensitive with `Sensitive('x')`,
/// `Sensitive.new('x')`, `Sensitive[String]('x')`, `new(Sensitive, 'x')` or `'x'.convert_to(Sensitive)`, in any case.
pub fn sensitive_literals(text: &str) -> Vec<Span> {
    let is_name =
        |at: usize| text.get(at..at + TYPE_NAME.len()).is_some_and(|word| word.eq_ignore_ascii_case(TYPE_NAME));
    if !text.match_indices(['S', 's']).any(|(at, _)| is_name(at)) {
        return Vec::new();
    }
    let tokens = tokens(text);
    let calls = SensitiveCalls { text, tokens: &tokens, bracket_partners: match_brackets(&tokens) };
    // Calls may be nested as deeply as the text is long: how many of them begin at each token, less those that end.
    let mut begun = vec![0_i64; tokens.len() + 1];
    for range in (0..tokens.len()).flat_map(|at| calls.sensitive_token_ranges(at)) {
        begun.get_mut(range.start).into_iter().for_each(|count| *count += 1);
        begun.get_mut(range.end).into_iter().for_each(|count| *count -= 1);
    }
    let mut depth = 0;
    let hidden = tokens.iter().zip(begun).filter(|(token, begun)| {
        depth += begun;
        depth > 0 && matches!(token.kind, Kind::String | Kind::Number)
    });
    hidden.map(|(token, _)| token.span).collect()
}

const TYPE_NAME: &str = "sensitive";

/// Returns for each token the index of the bracket that matches it; `None` for other tokens and unmatched brackets.
fn match_brackets(tokens: &[Token]) -> Vec<Option<usize>> {
    let (mut partners, mut open) = (vec![None; tokens.len()], Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Open => open.push(at),
            Kind::Close => {
                let Some(opening) = open.pop() else { continue };
                partners.get_mut(opening).into_iter().for_each(|partner| *partner = Some(at));
                partners.get_mut(at).into_iter().for_each(|partner| *partner = Some(opening));
            }
            _ => {}
        }
    }
    partners
}

struct SensitiveCalls<'t> {
    text: &'t str,
    tokens: &'t [Token],
    bracket_partners: Vec<Option<usize>>,
}

impl SensitiveCalls<'_> {
    fn text_of_token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.span.range()])
    }

    fn index_of_closing_bracket(&self, opening: usize) -> usize {
        self.bracket_partners.get(opening).copied().flatten().unwrap_or(self.tokens.len())
    }

    /// Returns the token ranges that become Sensitive (arguments, receiver) if token `at` is `Sensitive`; else empty.
    fn sensitive_token_ranges(&self, at: usize) -> [Range<usize>; 2] {
        let is_name = self.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Reference | Kind::Name));
        if !is_name || !self.text_of_token(at).trim_start_matches("::").eq_ignore_ascii_case(TYPE_NAME) {
            return [0..0, 0..0];
        }
        let mut next = at + 1;
        if self.text_of_token(next) == "[" {
            next = self.index_of_closing_bracket(next) + 1;
        }
        if self.text_of_token(next) == "." && self.text_of_token(next + 1) == "new" {
            next += 2;
        }
        if self.text_of_token(next) == "(" {
            return [next..self.index_of_closing_bracket(next), 0..0];
        }
        let opening = at.wrapping_sub(1);
        if self.text_of_token(opening) != "(" || !matches!(self.text_of_token(next), ")" | ",") {
            // `Sensitive 'x'` is a mistake with a secret.
            return [next..next + 1, 0..0];
        }
        let receiver = match opening.checked_sub(3).filter(|_| self.text_of_token(opening - 2) == ".") {
            Some(end) => self.bracket_partners.get(end).copied().flatten().unwrap_or(end)..end + 1,
            None => 0..0,
        };
        [opening..self.index_of_closing_bracket(opening), receiver]
    }
}
