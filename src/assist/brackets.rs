//! Finds the open brackets and the pairs of brackets in code that may be unfinished.

use crate::syntax::tokens::{Kind, Token};

/// The brackets of a text, including `${` in a string. Each is identified by the index of its token.
#[derive(Debug, Default)]
pub struct Brackets {
    /// The brackets that are not closed, the outermost first.
    pub open: Vec<OpenBracket>,
    /// The pairs of token indices (opening, closing), in closing order. Mismatched pairs are included: `(]`.
    pub pairs: Vec<(usize, usize)>,
}

/// An open bracket, with the commas and arrows in it that are not in a deeper bracket.
#[derive(Debug, PartialEq, Eq)]
pub struct OpenBracket {
    /// The index of the token of the bracket.
    pub token_index: usize,
    /// The token indices of the commas directly inside the bracket.
    pub commas: Vec<usize>,
    /// The token indices of the arrows `=>` directly inside the bracket.
    pub arrows: Vec<usize>,
}

impl OpenBracket {
    pub(crate) fn last_item_start_index(&self) -> usize {
        self.commas.last().unwrap_or(&self.token_index) + 1
    }
}

impl Brackets {
    /// Finds the brackets among `tokens`, which are those of `text`. Ignores a closing bracket if none is open.
    pub fn from_tokens(text: &str, tokens: &[Token]) -> Brackets {
        let Brackets { mut open, mut pairs } = Brackets::default();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Open => open.push(OpenBracket { token_index: at, commas: Vec::new(), arrows: Vec::new() }),
                Kind::Close => pairs.extend(open.pop().map(|opening| (opening.token_index, at))),
                Kind::Symbol => match (&text[token.span.range()], open.last_mut()) {
                    (",", Some(innermost)) => innermost.commas.push(at),
                    ("=>", Some(innermost)) => innermost.arrows.push(at),
                    _ => {}
                },
                _ => {}
            }
        }
        Brackets { open, pairs }
    }

    pub(crate) fn index_of_opening(&self, closing: usize) -> Option<usize> {
        let found = self.pairs.binary_search_by_key(&closing, |(_, closing)| *closing).ok()?;
        self.pairs.get(found).map(|(opening, _)| *opening)
    }
}

/// Returns the name of the variable at a token: of `$name` or, in a string, of `${name}`, `${name[0]}`, `${name.size}`.
pub(super) fn variable_name_at<'t>(text: &'t str, tokens: &[Token], at: usize) -> Option<&'t str> {
    let written = |at: usize| tokens.get(at).map_or("", |token| &text[token.span.range()]);
    match tokens.get(at)?.kind {
        Kind::Variable => Some(&written(at)[1..]),
        Kind::Name if at > 0 && written(at - 1) == "${" && written(at + 1) != "(" => Some(written(at)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "../../tests/unit/assist/brackets.rs"]
mod tests;
