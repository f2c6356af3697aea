//! The literals that a program makes a Sensitive of, found by its tokens: a program that cannot be parsed, or that
//! misspells the type, has secrets as well.

use std::ops::Range;

use super::tokens::{Kind, Token, tokens};
use crate::text::Span;

/// The places of the strings and numbers that are made Sensitive: by `Sensitive('x')`, `Sensitive.new('x')`,
/// `Sensitive[String]('x')`, `new(Sensitive, 'x')`, `'x'.convert_to(Sensitive)`, in upper or lower case.
pub fn sensitive_literals(text: &str) -> Vec<Span> {
    if !text.as_bytes().windows(NAME.len()).any(|word| word.eq_ignore_ascii_case(NAME.as_bytes())) {
        return Vec::new();
    }
    let tokens = tokens(text);
    let calls = Calls { text, tokens: &tokens, other: partners(&tokens) };
    // Calls may be nested as deeply as the text is long: how many of them begin at each token, less those that end.
    let mut begun = vec![0_i64; tokens.len() + 1];
    for range in (0..tokens.len()).flat_map(|at| calls.arguments(at)) {
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

const NAME: &str = "sensitive";

/// For each bracket the token that closes or opens it, where there is one.
fn partners(tokens: &[Token]) -> Vec<Option<usize>> {
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

struct Calls<'t> {
    text: &'t str,
    tokens: &'t [Token],
    other: Vec<Option<usize>>,
}

impl Calls<'_> {
    fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| &self.text[token.span.range()])
    }

    /// The last token of the brackets that open at a token; the last of all where nothing closes them.
    fn end(&self, opening: usize) -> usize {
        self.other.get(opening).copied().flatten().unwrap_or(self.tokens.len())
    }

    /// The tokens that are, or are in, what the name at a token makes a Sensitive of: up to two ranges.
    fn arguments(&self, at: usize) -> [Range<usize>; 2] {
        let is_name = self.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Reference | Kind::Name));
        if !is_name || !self.word(at).trim_start_matches("::").eq_ignore_ascii_case(NAME) {
            return [0..0, 0..0];
        }
        let mut next = at + 1;
        if self.word(next) == "[" {
            next = self.end(next) + 1;
        }
        if self.word(next) == "." && self.word(next + 1) == "new" {
            next += 2;
        }
        if self.word(next) == "(" {
            return [next..self.end(next), 0..0];
        }
        let opening = at.wrapping_sub(1);
        if self.word(opening) != "(" || !matches!(self.word(next), ")" | ",") {
            // `Sensitive 'x'` is a mistake with a secret.
            return [next..next + 1, 0..0];
        }
        let receiver = match opening.checked_sub(3).filter(|_| self.word(opening - 2) == ".") {
            Some(end) => self.other.get(end).copied().flatten().unwrap_or(end)..end + 1,
            None => 0..0,
        };
        [opening..self.end(opening), receiver]
    }
}
