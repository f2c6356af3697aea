//! The brackets in what is typed: which are still open, which belong together. One walk over the tokens for all who ask:
//! indentation, colours, hints, completion.

use crate::syntax::tokens::{Kind, Token};

/// The brackets of a text, `${` in a string among them. A place is always the number of a token.
#[derive(Debug, Default)]
pub struct Brackets {
    /// Those that are not closed, the outermost first.
    pub open: Vec<Open>,
    /// Those that are, as (opening, closing), in the order in which they close. The two need not be of the same shape.
    pub pairs: Vec<(usize, usize)>,
}

/// A bracket that is open, and what stands in it, deeper brackets left out.
#[derive(Debug, PartialEq, Eq)]
pub struct Open {
    pub at: usize,
    pub commas: Vec<usize>,
    pub arrows: Vec<usize>,
}

impl Open {
    /// Where what stands behind the last comma starts.
    pub fn item(&self) -> usize {
        self.commas.last().unwrap_or(&self.at) + 1
    }
}

impl Brackets {
    /// The brackets among the tokens of `text`. One that closes nothing does not count.
    pub fn of(text: &str, tokens: &[Token]) -> Brackets {
        let Brackets { mut open, mut pairs } = Brackets::default();
        for (at, token) in tokens.iter().enumerate() {
            match token.kind {
                Kind::Open => open.push(Open { at, commas: Vec::new(), arrows: Vec::new() }),
                Kind::Close => pairs.extend(open.pop().map(|opening| (opening.at, at))),
                Kind::Symbol => match (&text[token.span.range()], open.last_mut()) {
                    (",", Some(innermost)) => innermost.commas.push(at),
                    ("=>", Some(innermost)) => innermost.arrows.push(at),
                    _ => {}
                },
                Kind::Comment
                | Kind::Keyword
                | Kind::Name
                | Kind::Reference
                | Kind::Variable
                | Kind::Number
                | Kind::String
                | Kind::Regexp => {}
            }
        }
        Brackets { open, pairs }
    }

    /// The bracket that the one at `closing` closes.
    pub fn opening(&self, closing: usize) -> Option<usize> {
        let found = self.pairs.binary_search_by_key(&closing, |(_, closing)| *closing).ok()?;
        Some(self.pairs[found].0)
    }
}

/// The variable that a token names, without its dollar sign: `$name`, and in a string `name` in `${name}`, `${name[0]}`,
/// `${name.size}`.
pub fn variable<'t>(text: &'t str, tokens: &[Token], at: usize) -> Option<&'t str> {
    let written = |at: usize| tokens.get(at).map_or("", |token| &text[token.span.range()]);
    match tokens[at].kind {
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
            let names = (0..tokens.len()).filter_map(|at| variable(text, &tokens, at));
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(named("\"$a ${b} ${c[d]} ${e.size} ${$f}\""), ["a", "b", "c", "e", "f"]);
        assert_eq!(named("\"${size($a)} ${"), ["a"]);
    }
}
