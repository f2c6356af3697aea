//! Translates calls of functions of other languages to Puppet: `[1, 2].include?(1)` becomes `1 in [1, 2]`.
//!
//! The result contains the receiver, arguments and block of the entry itself, so that it is code that runs.

use std::collections::HashSet;

use super::foreign_types::{MAX_LENGTH, puppet_type_name};
use crate::dictionary::{self, CallForm, Kind};
use crate::syntax::tokens::{Token, tokens};
use crate::syntax::tree::{Expression, Id, Literal, Node, Tree};
use crate::text::{Source, Span};
use crate::types::Type;
use crate::{functions, syntax};

/// The functions that other languages call with the receiver as the first argument, as in `sum(x)`. Names have no
/// underscores, as in the dictionary.
const RECEIVER_FIRST_FUNCTIONS: [&str; 10] =
    ["compact", "endswith", "haskey", "isa", "isinstance", "isset", "range", "startswith", "sum", "tofixed"];

/// Makes the names of methods valid in Puppet: replaces the `?` or `!` at the end of `include?` and `sort!` by `_`, and
/// writes names such as `Sprintf` in lower case.
fn make_method_names_valid(entry: &str) -> String {
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

struct ForeignCall<'t> {
    call_node: Id,
    name_node: Id,
    /// The source of the receiver, if it is a value, and of each argument.
    operands: Vec<&'t str>,
    arguments: &'t [Id],
    /// The source of the block's parameters and of its body.
    block: Option<(&'t str, &'t str)>,
    /// Whether the receiver is the name of a class, as in `JSON.parse('1')`.
    is_class_method: bool,
    is_method: bool,
}

impl<'t> ForeignCall<'t> {
    fn from_node(tree: &'t Tree, call_node: Id) -> Option<ForeignCall<'t>> {
        let call = &tree[call_node];
        let Expression::Call { receiver, functor, arguments, lambda, .. } = &call.expression else { return None };
        let (receiver, name_node, is_method) = (*receiver, *functor, receiver.is_some());
        let class = |id: &Id| match &tree[*id].expression {
            Expression::Name(word) => dictionary::find_word(word, &[Kind::Value]).is_none(),
            Expression::Reference(name) => Type::named(name).is_none() || &**name == "Object",
            _ => false,
        };
        let is_class_method = receiver.as_ref().is_some_and(class);
        // With its parentheses.
        let before = &tree.source.text()[call.span.range().start..tree[name_node].span.range().start];
        let before = before.trim_end().trim_end_matches('.').trim_end();
        // In a string, `${x.to_s}` has no sign.
        let is_variable = |id: Id| matches!(tree[id].expression, Expression::Variable(_));
        if receiver.is_some_and(is_variable) && !before.starts_with('$') {
            return None;
        }
        let operands = receiver.filter(|_| !is_class_method).map(|_| before);
        let block = lambda.as_ref().and_then(|lambda| {
            let (parameters, body) = tree.text_of(*lambda).strip_prefix('|')?.split_once('|')?;
            Some((parameters, body.trim_start().strip_prefix('{')?.strip_suffix('}')?))
        });
        let operands = operands.into_iter().chain(arguments.iter().map(|id| tree.text_of(*id))).collect();
        Some(ForeignCall { call_node, name_node, operands, arguments, block, is_class_method, is_method })
    }

    fn to_puppet(&self, tree: &Tree) -> Option<String> {
        let written = tree.text_of(self.name_node).to_ascii_lowercase();
        let name = written.trim_end_matches('_');
        let renamed = |other: &str| {
            let (span, name) = (tree[self.call_node].span, tree[self.name_node].span);
            let text = tree.source.text();
            [&text[span.range().start..name.range().start], other, &text[name.range().end..span.range().end]].concat()
        };
        let is_marked = name != written && dictionary::find_word(&format!("{name}?"), &[Kind::Function]).is_some();
        if name == "new" || functions::named(name).is_some() && !self.is_class_method && !is_marked {
            return (written != name).then(|| renamed(name));
        }
        let count = self.operands.len().checked_sub(1)?;
        let with = if self.block.is_some() { CallForm::Block(count) } else { CallForm::Arguments(count) };
        let word = dictionary::find_foreign_function(name);
        if let Some((_, template)) = word.and_then(|word| word.call_templates.iter().find(|(call, _)| *call == with))
            && (self.is_method || RECEIVER_FIRST_FUNCTIONS.contains(&&*name.replace('_', "")))
        {
            return self.expand_template(template, tree);
        }
        let operands = self.operands.join(", ");
        if self.is_class_method && functions::named(name).is_some() {
            return Some(format!("{name}({operands})"));
        }
        // A function that only has another name.
        let other = word?.puppet;
        let is_function = functions::named(other).is_some();
        let is_type = Type::named(other).is_some() && with == CallForm::Arguments(0) && !operands.contains("=>");
        if is_type || self.is_class_method && other == "notice" {
            return Some(format!("{other}({operands})"));
        }
        (is_function && !self.is_class_method && with == CallForm::Arguments(0)).then(|| renamed(other))
    }

    fn expand_template(&self, template: &str, tree: &Tree) -> Option<String> {
        let mut parts = template.split('@');
        let mut text = parts.next()?.to_owned();
        let operand = |at: usize| self.operands.get(at).copied();
        for part in parts {
            let value = match part.chars().next() {
                Some('1') => operand(1)?.to_owned(),
                Some('t') => puppet_type_name(operand(1)?)?.to_owned(),
                Some('2') => operand(2)?.to_owned(),
                Some('r') => regexp_of_literal(tree, *self.arguments.iter().rev().nth(self.operands.len() - 2)?)?,
                Some('p') => self.block?.0.to_owned(),
                Some('s') => self.block?.0.split(',').map(str::trim).rev().collect::<Vec<_>>().join(", "),
                Some('b') => self.block?.1.trim().to_owned(),
                _ => {
                    text.extend([operand(0)?, part]);
                    continue;
                }
            };
            text.extend([&*value, &part[1..]]);
        }
        Some(text)
    }
}

/// Returns the source of a regular expression, without slashes, that matches a literal: a string itself, or a Regexp.
fn regexp_of_literal(tree: &Tree, id: Id) -> Option<String> {
    match &tree[id].expression {
        Expression::Literal(Literal::String(text)) => Some(regex::escape(text).replace('/', "\\/")),
        Expression::Literal(Literal::Regexp(_)) => {
            Some(tree.text_of(id).strip_prefix('/')?.strip_suffix('/')?.to_owned())
        }
        _ => None,
    }
}

/// Returns the children of `node` that may be replaced by any code without parentheses: assigned values and arguments.
fn unparenthesized_children(node: &Node) -> Vec<Id> {
    match &node.expression {
        Expression::Assignment(_, _, value) => vec![*value],
        Expression::Call { arguments, .. } => arguments.to_vec(),
        _ => Vec::new(),
    }
}

/// Returns the span of the first foreign function name in `entry`, and the translated entry if all calls are known.
pub(super) fn translate_calls(entry: &str) -> Option<(Span, Option<String>)> {
    if entry.len() > MAX_LENGTH {
        return None;
    }
    let mut text = make_method_names_valid(entry);
    let mut place = None;
    loop {
        let tree = syntax::parse(&Source::new("entry", &*text)).ok()?;
        let whole: HashSet<_> =
            tree.statements().iter().copied().chain(tree.nodes.iter().flat_map(unparenthesized_children)).collect();
        let calls = || (0..tree.nodes.len()).filter_map(|at| ForeignCall::from_node(&tree, Id::from_index(at)));
        let translated = calls().filter_map(|call| {
            let (code, span) = (call.to_puppet(&tree)?, tree[call.call_node].span);
            let is_operation = || {
                let parsed = syntax::parse(&Source::new("entry", &*code)).ok()?;
                Some(matches!(parsed[*parsed.statements().first()?].expression, Expression::Binary(..)))
            };
            let code = if !whole.contains(&call.call_node) && is_operation()? { format!("({code})") } else { code };
            (code != tree.source.slice(span)).then_some((code, span, tree[call.name_node].span))
        });
        let Some((code, span, name)) = translated.min_by_key(|(_, span, _)| span.range().len()) else {
            let mut names = calls().map(|call| tree[call.name_node].span);
            if let Some(marked) = names.find(|name| tree.source.slice(*name).ends_with('_')) {
                let is_foreign = || entry.get(marked.range())?.ends_with(['?', '!']).then_some(marked);
                return Some((place.or_else(is_foreign)?, None));
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
