//! The brackets of a text that may be unfinished: which are open, and which belong together.

use crate::syntax::tokens::{Kind, Token};

/// The brackets of a text, including `${` in a string. Each is named by the index of its token.
#[derive(Debug, Default)]
pub struct Brackets {
    /// The open brackets, the outermost first.
    pub open: Vec<OpenBracket>,
    /// The closed brackets as (opening, closing), in the order in which they close. The two may differ in shape.
    pub pairs: Vec<(usize, usize)>,
}

/// An open bracket, with the separators in it but not in deeper brackets.
#[derive(Debug, PartialEq, Eq)]
pub struct OpenBracket {
    /// The index of the token of the bracket.
    pub at: usize,
    /// The indices of the commas.
    pub commas: Vec<usize>,
    /// The indices of the arrows `=>`.
    pub arrows: Vec<usize>,
}

impl OpenBracket {
    /// The index of the first token after the last comma.
    pub(crate) fn item(&self) -> usize {
        self.commas.last().unwrap_or(&self.at) + 1
    }
}

impl Brackets {
    /// Finds the brackets among the tokens of `text`. A closing bracket that closes nothing is ignored.
    pub fn of(text: &str, tokens: &[Token]) -> Brackets {
        let Brackets { mut open, mut pairs } = Brackets::default();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Open => open.push(OpenBracket { at, commas: Vec::new(), arrows: Vec::new() }),
                Kind::Close => pairs.extend(open.pop().map(|opening| (opening.at, at))),
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

    pub(crate) fn opening(&self, closing: usize) -> Option<usize> {
        let found = self.pairs.binary_search_by_key(&closing, |(_, closing)| *closing).ok()?;
        self.pairs.get(found).map(|(opening, _)| *opening)
    }
}

/// The name of the variable at a token: `$name`, and in a string `name` in `${name}`, `${name[0]}`, `${name.size}`.
pub(super) fn variable_at<'t>(text: &'t str, tokens: &[Token], at: usize) -> Option<&'t str> {
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
