//! Highlighting: the kind of each token, unknown names, and the pair of brackets at the cursor.

#![expect(clippy::indexing_slicing, reason = "the numbers are those of tokens of the same text")]

use std::ops::Range;

use super::brackets::{Brackets, variable_name_at};
use super::symbols::{SymbolIndex, bound_variables};
use crate::session::commands::{CommandLine, Kind as Wanted};
use crate::syntax::tokens::{Kind, Token, tokens};

/// A token with its highlighting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HighlightedToken {
    /// The bytes of the token in the text.
    pub range: Range<usize>,
    /// The kind of the token. A name in `${name}` is a variable, the name of a command is a keyword.
    pub kind: Kind,
    /// Whether the token names a type or variable that does not exist.
    pub is_unknown: bool,
    /// Whether the token is one of the two brackets of the pair at the cursor.
    pub is_pair_at_cursor: bool,
}

/// Returns the tokens of `text`, which is Puppet code or an entry of the prompt, in order. There are no tokens for the
/// arguments of commands that are not code. Only white space separates tokens.
///
/// The beginning of a known name is not marked as unknown if it ends at `cursor`, because it may be unfinished. Pass
/// `None` for finished text.
pub fn highlight(text: &str, cursor: Option<usize>, symbols: &SymbolIndex) -> Vec<HighlightedToken> {
    let (command, start) = command_and_non_code_lengths(text);
    let code = &text[start..];
    let cursor = cursor.and_then(|cursor| cursor.checked_sub(start));
    let tokens = tokens(code);
    let pair = cursor.and_then(|cursor| bracket_pair_at(code, &tokens, cursor));
    let bound = bound_variables(code, &tokens);
    let command =
        HighlightedToken { range: 0..command, kind: Kind::Keyword, is_unknown: false, is_pair_at_cursor: false };
    let highlighted = tokens.iter().enumerate().map(|(at, token)| {
        let range = token.span.range();
        let is_at_cursor = cursor == Some(range.end);
        let variable = variable_name_at(code, &tokens, at);
        let is_unknown = match (token.kind, variable) {
            (_, Some(name)) => !bound.contains(name) && is_unknown_variable(name, is_at_cursor, symbols),
            (Kind::Reference, _) => {
                let name = &code[range.clone()];
                let is_declared = at > 0 && &code[tokens[at - 1].span.range()] == "type";
                let may_grow = is_at_cursor && any_name_begins_with(name, symbols.types.keys());
                !(is_declared || may_grow || symbols.may_be_type(name))
            }
            _ => false,
        };
        HighlightedToken {
            range: start + range.start..start + range.end,
            kind: if variable.is_some() { Kind::Variable } else { token.kind },
            is_unknown,
            is_pair_at_cursor: pair.is_some_and(|(one, other)| at == one || at == other),
        }
    });
    (!command.range.is_empty()).then_some(command).into_iter().chain(highlighted).collect()
}

/// Returns the lengths of the command and of all that is not code: 5 and 5 for `:type 80`, 5 and 10 for `:load a.pp`.
fn command_and_non_code_lengths(line: &str) -> (usize, usize) {
    let Some(command) = CommandLine::parse(line) else { return (0, 0) };
    let end = command.start.map_or(line.len(), |start| line[..start].trim_end().len());
    let is_word = |kind| matches!(kind, Wanted::Word | Wanted::Name | Wanted::Bound);
    let is_code = command.argument_kind().is_some_and(|kind| is_word(kind) || kind.is_code());
    (end, if is_code { end } else { line.len() })
}

/// Whether no variable is called `name` (without `$`) or, at the cursor, begins with it. `$0`, `$1` … are known.
fn is_unknown_variable(name: &str, is_at_cursor: bool, symbols: &SymbolIndex) -> bool {
    let name = name.trim_start_matches("::");
    // `$0`, `$1` … are set by matches.
    let is_known = name.bytes().all(|byte| byte.is_ascii_digit()) || symbols.variable_value(name).is_some();
    !is_known && (!is_at_cursor || !any_name_begins_with(name, symbols.variables.keys()))
}

/// Whether one of `names` begins with `typed`, ignoring case.
fn any_name_begins_with<'n>(typed: &str, mut names: impl Iterator<Item = &'n String>) -> bool {
    let typed = typed.trim_start_matches("::");
    names.any(|name| name.get(..typed.len()).is_some_and(|start| start.eq_ignore_ascii_case(typed)))
}

/// Returns the token indices of the bracket pair of which one is at or right before the cursor. `None` after `(]`.
fn bracket_pair_at(code: &str, tokens: &[Token], cursor: usize) -> Option<(usize, usize)> {
    let span = |at: usize| tokens[at].span.range();
    let mut pairs = Brackets::from_tokens(code, tokens).pairs;
    let is_matching = |(open, close): &&(usize, usize)| {
        matches!((&code[span(*open)], &code[span(*close)]), ("(", ")") | ("[", "]") | ("{" | "${", "}"))
    };
    let matching = pairs.iter().take_while(is_matching).count();
    pairs.truncate(matching);
    let pair = |is_there: fn(Range<usize>, usize) -> bool| {
        pairs.iter().find(|(one, other)| is_there(span(*one), cursor) || is_there(span(*other), cursor)).copied()
    };
    pair(|bracket, cursor| bracket.contains(&cursor)).or_else(|| pair(|bracket, cursor| bracket.end == cursor))
}
