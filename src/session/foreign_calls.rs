//! Calls of functions that other languages have, and the same in Puppet: `[1, 2].include?(1)` is `1 in [1, 2]`.
//!
//! The receiver, the arguments and the block of the entry itself go into the answer, which is code that can be typed.

use std::collections::HashSet;

use super::foreign_types::{MAX_LENGTH, type_name};
use crate::dictionary::{self, Kind, With};
use crate::syntax::tokens::{Token, tokens};
use crate::syntax::tree::{Expression, Id, Literal, Node, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::{functions, syntax};

/// The functions whose first argument is what others have before the dot, wherever they are called without one. Their names
/// are without underscores, as in the dictionary.
const RECEIVER_FIRST: [&str; 10] =
    ["compact", "endswith", "haskey", "isa", "isinstance", "isset", "range", "startswith", "sum", "tofixed"];

/// The text of a program as Puppet can read it: with `_` for the marks of names such as `include?` and `sort!`, and with names of
/// methods such as `Sprintf` in lower case.
fn without_marks(entry: &str) -> String {
    let mut text = entry.to_owned();
    for name in tokens(entry).iter().map(|token: &Token| token.span.range()) {
        if entry[..name.start].ends_with('.') {
            let mark = name.end..name.end + 1;
            if entry.get(mark.clone()).is_some_and(|mark| ["?", "!"].contains(&mark)) {
                text.replace_range(mark, "_");
            }
            text.replace_range(name.clone(), &entry[name].to_ascii_lowercase());
        }
    }
    text
}

struct Call<'t> {
    id: Id,
    name: Id,
    /// The texts of the receiver, if it is a value, and of the arguments.
    operands: Vec<&'t str>,
    arguments: &'t [Id],
    /// The parameters and the body of the block.
    block: Option<(&'t str, &'t str)>,
    /// Whether a name stands before the dot, as in `JSON.parse('1')`.
    is_of_class: bool,
    is_method: bool,
}

impl<'t> Call<'t> {
    fn of(tree: &'t Tree, id: Id) -> Option<Call<'t>> {
        let written = |id: &Id| tree.source.slice(tree[*id].span);
        let (receiver, name, arguments, lambda) = match &tree[id].expression {
            Expression::MethodCall { receiver, name, arguments, lambda } => (Some(*receiver), *name, arguments, lambda),
            Expression::Call { functor, arguments, lambda, .. } => (None, *functor, arguments, lambda),
            _ => return None,
        };
        let class = |id: &Id| match &tree[*id].expression {
            Expression::Name(word) => dictionary::word(word, &[Kind::Value]).is_none(),
            Expression::Reference(name) => Type::named(name).is_none() || &**name == "Object",
            _ => false,
        };
        let is_of_class = receiver.as_ref().is_some_and(class);
        // With its parentheses.
        let before = &tree.source.text()[tree[id].span.range().start..tree[name].span.range().start];
        let before = before.trim_end().trim_end_matches('.').trim_end();
        // In a string, `${x.to_s}` has no sign.
        let is_variable = |id: Id| matches!(tree[id].expression, Expression::Variable(_));
        if receiver.is_some_and(is_variable) && !before.starts_with('$') {
            return None;
        }
        let operands = receiver.filter(|_| !is_of_class).map(|_| before);
        let block = lambda.as_ref().and_then(|lambda| {
            let (parameters, body) = written(lambda).strip_prefix('|')?.split_once('|')?;
            Some((parameters, body.trim_start().strip_prefix('{')?.strip_suffix('}')?))
        });
        let operands = operands.into_iter().chain(arguments.iter().map(written)).collect();
        Some(Call { id, name, operands, arguments, block, is_of_class, is_method: receiver.is_some() })
    }

    fn in_puppet(&self, tree: &Tree) -> Option<String> {
        let written = tree.source.slice(tree[self.name].span).to_ascii_lowercase();
        let name = written.trim_end_matches('_');
        let renamed = |other: &str| {
            let (span, name) = (tree[self.id].span, tree[self.name].span);
            let text = tree.source.text();
            [&text[span.range().start..name.range().start], other, &text[name.range().end..span.range().end]].concat()
        };
        let is_marked = name != written && dictionary::word(&format!("{name}?"), &[Kind::Function]).is_some();
        if name == "new" || functions::named(name).is_some() && !self.is_of_class && !is_marked {
            return (written != name).then(|| renamed(name));
        }
        let count = self.operands.len().checked_sub(1)?;
        let with = if self.block.is_some() { With::Block(count) } else { With::Arguments(count) };
        let word = dictionary::function(name);
        if let Some((_, template)) = word.and_then(|word| word.calls.iter().find(|(call, _)| *call == with))
            && (self.is_method || RECEIVER_FIRST.contains(&&*name.replace('_', "")))
        {
            return self.filled(template, tree);
        }
        let operands = self.operands.join(", ");
        if self.is_of_class && functions::named(name).is_some() {
            return Some(format!("{name}({operands})"));
        }
        // A function that only has another name.
        let other = word?.puppet;
        let is_function = functions::named(other).is_some();
        if Type::named(other).is_some() && with == With::Arguments(0) && !operands.contains("=>") {
            return Some(format!("{other}({operands})"));
        }
        (is_function && !self.is_of_class && with == With::Arguments(0)).then(|| renamed(other))
    }

    fn filled(&self, template: &str, tree: &Tree) -> Option<String> {
        let mut parts = template.split('@');
        let mut text = parts.next()?.to_owned();
        for part in parts {
            let rest = part.get(1..).unwrap_or_default();
            let (value, rest) = match part.chars().next() {
                Some('1') => ((*self.operands.get(1)?).to_owned(), rest),
                Some('t') => (type_name(self.operands.get(1)?)?.to_owned(), rest),
                Some('2') => ((*self.operands.get(2)?).to_owned(), rest),
                Some('r') => (pattern(tree, *self.arguments.iter().rev().nth(self.operands.len() - 2)?)?, rest),
                Some('p') => (self.block?.0.to_owned(), rest),
                Some('s') => (self.block?.0.split(',').map(str::trim).rev().collect::<Vec<_>>().join(", "), rest),
                Some('b') => (self.block?.1.trim().to_owned(), rest),
                _ => ((*self.operands.first()?).to_owned(), part),
            };
            text.push_str(&value);
            text.push_str(rest);
        }
        Some(text)
    }
}

/// What is between the slashes of a regular expression for this literal.
fn pattern(tree: &Tree, id: Id) -> Option<String> {
    match &tree[id].expression {
        Expression::Literal(Literal::String(text)) => Some(regex::escape(text).replace('/', "\\/")),
        Expression::Literal(Literal::Regexp(_)) => {
            Some(tree.source.slice(tree[id].span).strip_prefix('/')?.strip_suffix('/')?.to_owned())
        }
        _ => None,
    }
}

/// The calls that need no parentheses around what they become: values of assignments and arguments.
fn enclosed(node: &Node) -> Vec<Id> {
    match &node.expression {
        Expression::Assignment(_, _, value) => vec![*value],
        Expression::Call { arguments, .. } | Expression::MethodCall { arguments, .. } => arguments.to_vec(),
        _ => Vec::new(),
    }
}

/// Where the first call is that Puppet does not have, and the same entry in Puppet as far as it is known.
pub(super) fn in_puppet(entry: &str) -> Option<(Span, Option<String>)> {
    if entry.len() > MAX_LENGTH {
        return None;
    }
    let mut text = without_marks(entry);
    let mut place = None;
    loop {
        let tree = syntax::parse(&Source::new("entry", &*text)).ok()?;
        let whole: HashSet<_> = tree.statements().iter().copied().chain(tree.nodes.iter().flat_map(enclosed)).collect();
        let calls = || (0..tree.nodes.len()).filter_map(|at| Call::of(&tree, Id::at(at)));
        let translated = calls().filter_map(|call| {
            let (code, span) = (call.in_puppet(&tree)?, tree[call.id].span);
            let is_operation = || {
                let parsed = syntax::parse(&Source::new("entry", &*code)).ok()?;
                Some(matches!(parsed[*parsed.statements().first()?].expression, Expression::Binary(..)))
            };
            let code = if !whole.contains(&call.id) && is_operation()? { format!("({code})") } else { code };
            (code != tree.source.slice(span)).then_some((code, span, tree[call.name].span))
        });
        let Some((code, span, name)) = translated.min_by_key(|(_, span, _)| span.range().len()) else {
            let mut names = calls().map(|call| tree[call.name].span);
            if let Some(marked) = names.find(|name| tree.source.slice(*name).ends_with('_')) {
                return place
                    .or_else(|| entry.get(marked.range())?.ends_with(['?', '!']).then_some(marked))
                    .map(|place| (place, None));
            }
            return Some((place?, Some(text)));
        };
        place.get_or_insert(name);
        text.replace_range(span.range(), &code);
    }
}

#[cfg(test)]
#[path = "../../tests/unit/session/foreign_calls.rs"]
mod tests;
