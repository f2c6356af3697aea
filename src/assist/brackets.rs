//! The brackets of a text that may be unfinished: which are open, and which belong together.

use crate::syntax::tokens::{Kind, Token};

/// The brackets of a text, including `${` in a string. Each is named by the index of its token.
///
/// ```
/// use pcore::assist::brackets::Brackets;
/// use pcore::syntax::tokens::tokens;
///
/// let text = "f([1, 2], ";
/// let brackets = Brackets::of(text, &tokens(text));
/// assert_eq!(brackets.pairs, [(2, 6)]);
/// assert_eq!((brackets.open[0].at, brackets.open[0].commas.len()), (1, 1));
/// ```
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
    /// The bracket.
    pub at: usize,
    /// The commas.
    pub commas: Vec<usize>,
    /// The arrows `=>`.
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

    /// Returns the bracket that the one at `closing` closes.
    pub(crate) fn opening(&self, closing: usize) -> Option<usize> {
        let found = self.pairs.binary_search_by_key(&closing, |(_, closing)| *closing).ok()?;
        self.pairs.get(found).map(|(opening, _)| *opening)
    }
}

/// Returns the name of the variable at a token, without its dollar sign: `$name`, and in a string `name` in `${name}`,
/// `${name[0]}` and `${name.size}`.
pub(super) fn variable_at<'t>(text: &'t str, tokens: &[Token], at: usize) -> Option<&'t str> {
    let written = |at: usize| tokens.get(at).map_or("", |token| &text[token.span.range()]);
    match tokens.get(at)?.kind {
        Kind::Variable => Some(&written(at)[1..]),
        Kind::Name if at > 0 && written(at - 1) == "${" && written(at + 1) != "(" => Some(written(at)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::tokens::tokens;

    #[test]
    fn open_brackets_know_their_commas_and_arrows() {
        let text = "f([1, 2], {a => {b => 1}, c => [";
        let brackets = Brackets::of(text, &tokens(text));
        let open: Vec<(usize, usize, usize)> =
            brackets.open.iter().map(|open| (open.at, open.commas.len(), open.arrows.len())).collect();
        assert_eq!(open, [(1, 1, 0), (8, 1, 2), (19, 0, 0)]);
        assert_eq!(brackets.pairs, [(2, 6), (11, 15)]);
        assert_eq!(brackets.open[1].item(), 17);
        assert_eq!((brackets.opening(6), brackets.opening(7)), (Some(2), None));
    }

    #[test]
    fn a_bracket_that_closes_nothing_does_not_count() {
        let text = ")[]]";
        let brackets = Brackets::of(text, &tokens(text));
        assert_eq!((brackets.open, brackets.pairs), (Vec::new(), vec![(1, 2)]));
    }

    #[test]
    fn variables_are_known_with_and_without_a_dollar_sign() {
        let named = |text: &str| {
            let tokens = tokens(text);
            let names = (0..tokens.len()).filter_map(|at| variable_at(text, &tokens, at));
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(named("\"$a ${b} ${c[d]} ${e.size} ${$f}\""), ["a", "b", "c", "e", "f"]);
        assert_eq!(named("\"${size($a)} ${"), ["a"]);
    }
}
