//! Calls of functions that other languages have, and the same in Puppet: `[1, 2].include?(1)` is `1 in [1, 2]`.
//!
//! The receiver, the arguments and the block of the entry itself go into the answer, which is code that can be typed.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::foreign_types::type_name;
use crate::dictionary::{self, Kind};
use crate::functions;
use crate::regexp::constant;
use crate::syntax;
use crate::syntax::tree::{Expression, Id, Literal, Node, Tree};
use crate::text::{Source, Span};
use crate::types::Type;

/// What a call has besides its receiver.
#[derive(Clone, Copy, PartialEq)]
enum With {
    Arguments(usize),
    /// A block behind so many arguments.
    Block(usize),
}

use With::{Arguments, Block};

/// Longer entries are programs.
const MAX_LENGTH: usize = 300;

const IS_A: &str = "@ =~ @1";

/// The names of functions, what they are called with, and the same in Puppet: `@` is the receiver or the first argument, `@1`
/// the argument behind it, `@r` its text in a regular expression, `@p` the parameters of the block, `@s` the same the other way
/// round, `@b` its body, `@n` the name.
#[rustfmt::skip]
const CALLS: &[(&str, With, &str)] = &[
    ("gsub replace_all replaceall replace str_replace", Arguments(2), "regsubst(@, /@r/, @2, 'G')"),
    ("sub replacefirst", Arguments(2), "regsubst(@, /@r/, @2)"),
    ("include contains has member in_array includes has_value", Arguments(1), "@1 in @"),
    ("key has_key haskey containskey contains_key key_exists", Arguments(1), "@1 in @"),
    ("is_a isa kind_of instance_of isinstance instanceof", Arguments(1), IS_A),
    ("start_with startswith starts_with beginswith hasprefix", Arguments(1), "@ =~ /\\A@r/"),
    ("end_with endswith ends_with hassuffix", Arguments(1), "@ =~ /@r\\z/"),
    ("match matches test", Arguments(1), "@ =~ /@r/"),
    ("between", Arguments(2), "@ =~ Integer[@1, @2]"),
    ("nil is_null isnull is_none undef", Arguments(0), "@ =~ Undef"),
    ("zero", Arguments(0), "@ == 0"),
    ("even", Arguments(0), "@ % 2 == 0"),
    ("odd", Arguments(0), "@ % 2 == 1"),
    ("positive", Arguments(0), "@ > 0"),
    ("negative", Arguments(0), "@ < 0"),
    ("first head", Arguments(0), "@[0]"),
    ("last", Arguments(0), "@[-1]"),
    ("first take head", Arguments(1), "@[0, @1]"),
    ("last tail takelast", Arguments(1), "@[-@1, @1]"),
    ("drop skip", Arguments(1), "@[@1, -1]"),
    ("pop", Arguments(0), "@[0, -2]"),
    ("shift tail rest", Arguments(0), "@[1, -1]"),
    ("substr mid", Arguments(2), "@[@1, @2]"),
    ("fetch at nth charat", Arguments(1), "@[@1]"),
    ("push append add", Arguments(1), "@ << @1"),
    ("concat extend update merge", Arguments(1), "@ + @1"),
    ("remove delete", Arguments(1), "@ - @1"),
    ("compact", Arguments(0), "@.filter |$x| { $x =~ NotUndef }"),
    ("sum", Arguments(0), "@.reduce(0) |$sum, $x| { $sum + $x }"),
    ("chars", Arguments(0), "Array(@)"),
    ("items entries pairs", Arguments(0), "Array(@)"),
    ("toprecision tofixed", Arguments(1), "sprintf('%.@1f', @)"),
    ("count", Arguments(1), "@.filter |$x| { $x == @1 }.length"),
    ("clamp", Arguments(2), "[@1, @, @2].sort[1]"),
    ("indexof", Arguments(1), "@.index |$x| { $x == @1 }"),
    ("parse loads fromjson json_decode jsondecode", Arguments(0), "parsejson(@)"),
    ("stringify dumps tojson json_encode jsonencode", Arguments(0), "to_json(@)"),
    ("safe_load", Arguments(0), "parseyaml(@)"),
    ("exist exists isfile file_exists", Arguments(0), "find_file(@)"),
    ("some", Block(0), "@.any |@p| { @b }"),
    ("every", Block(0), "@.all |@p| { @b }"),
    ("any all", Block(0), "@.@n |@p| { @b }"),
    ("reject", Block(0), "@.filter |@p| { !(@b) }"),
    ("find", Arguments(1), "@1 in @"),
    ("find detect", Block(0), "@.filter |@p| { @b }[0]"),
    ("select find_all where", Block(0), "@.filter |@p| { @b }"),
    ("collect", Block(0), "@.map |@p| { @b }"),
    ("foreach for_each each_pair", Block(0), "@.each |@p| { @b }"),
    ("flat_map flatmap collect_concat", Block(0), "@.map |@p| { @b }.flatten"),
    ("count", Block(0), "@.filter |@p| { @b }.length"),
    ("each_with_index", Block(0), "@.each |@s| { @b }"),
    ("inject fold", Block(0), "@.reduce |@p| { @b }"),
    ("inject fold", Block(1), "@.reduce(@1) |@p| { @b }"),
    ("upto", Block(1), "Integer[@, @1].each |@p| { @b }"),
    ("times", Block(0), "Integer[0, @ - 1].each |@p| { @b }"),
];

/// The functions whose first argument is what others have before the dot, wherever they are called without one.
const RECEIVER_FIRST: [&str; 8] =
    ["compact", "endswith", "has_key", "is_a", "isinstance", "startswith", "sum", "tofixed"];

/// The text of a program as Puppet can read it: with `_` for the marks of names such as `include?` and `sort!`, and with names of
/// methods such as `Sprintf` in lower case.
fn without_marks(entry: &str) -> String {
    static METHOD: LazyLock<Regex> = LazyLock::new(|| constant(r"([\w\])}'\x22])\.([A-Za-z])(\w*)([?!]?)"));
    let replaced = METHOD.replace_all(entry, |found: &Captures<'_>| {
        let mark = if found[4].is_empty() { "" } else { "_" };
        [&found[1], ".", &found[2].to_ascii_lowercase(), &found[3], mark].concat()
    });
    replaced.into_owned()
}

/// A call in a tree.
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
        let operands =
            receiver.filter(|_| !is_of_class).map(|_| before).into_iter().chain(arguments.iter().map(written));
        let block = lambda.as_ref().and_then(|lambda| {
            let (parameters, body) = written(lambda).strip_prefix('|')?.split_once('|')?;
            Some((parameters, body.trim_start().strip_prefix('{')?.strip_suffix('}')?))
        });
        Some(Call {
            id,
            name,
            operands: operands.collect(),
            arguments,
            block,
            is_of_class,
            is_method: receiver.is_some(),
        })
    }

    fn in_puppet(&self, tree: &Tree) -> Option<String> {
        let written = tree.source.slice(tree[self.name].span).to_ascii_lowercase();
        let name = written.trim_end_matches('_');
        let renamed = |other: &str| {
            let (span, name) = (tree[self.id].span, tree[self.name].span);
            let text = tree.source.text();
            [&text[span.range().start..name.range().start], other, &text[name.range().end..span.range().end]].concat()
        };
        if name == "new" || functions::named(name).is_some() && !self.is_of_class {
            return (written != name).then(|| renamed(name));
        }
        let count = self.operands.len().checked_sub(1)?;
        let with = if self.block.is_some() { Block(count) } else { Arguments(count) };
        let is_meant = |names: &str| names.split(' ').any(|one| one == name);
        let is_in_order = self.is_method || self.is_of_class || RECEIVER_FIRST.contains(&name);
        let row = CALLS.iter().filter(|_| is_in_order).find(|(names, call, _)| *call == with && is_meant(names));
        if let Some((_, _, template)) = row {
            return self.filled(template, name, tree);
        }
        let operands = self.operands.join(", ");
        if self.is_of_class && functions::named(name).is_some() {
            return Some(format!("{name}({operands})"));
        }
        // A function that only has another name.
        let other = dictionary::word(name, &[Kind::Function])?.puppet;
        let is_function = functions::named(other).is_some();
        if Type::named(other).is_some() && with == Arguments(0) {
            return Some(format!("{other}({operands})"));
        }
        (is_function && !self.is_of_class && with == Arguments(0)).then(|| renamed(other))
    }

    fn filled(&self, template: &str, name: &str, tree: &Tree) -> Option<String> {
        let mut parts = template.split('@');
        let mut text = parts.next()?.to_owned();
        for part in parts {
            let rest = part.get(1..).unwrap_or_default();
            let (value, rest) = match part.chars().next() {
                Some('1') => {
                    let operand = *self.operands.get(1)?;
                    (type_name(operand).filter(|_| template == IS_A).unwrap_or(operand).to_owned(), rest)
                }
                Some('2') => ((*self.operands.get(2)?).to_owned(), rest),
                Some('r') => (pattern(tree, *self.arguments.iter().rev().nth(self.operands.len() - 2)?)?, rest),
                Some('p') => (self.block?.0.to_owned(), rest),
                Some('s') => (self.block?.0.split(',').map(str::trim).rev().collect::<Vec<_>>().join(", "), rest),
                Some('b') => (self.block?.1.trim().to_owned(), rest),
                Some('n') => (name.to_owned(), rest),
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

fn ids(tree: &Tree) -> impl Iterator<Item = Id> {
    (0..tree.nodes.len()).map(Id::at)
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
        let whole: HashSet<Id> =
            tree.statements().iter().copied().chain(tree.nodes.iter().flat_map(enclosed)).collect();
        let calls = || ids(&tree).filter_map(|id| Call::of(&tree, id));
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
            let names = || calls().map(|call| tree[call.name].span);
            if let Some(marked) = names().find(|name| tree.source.slice(*name).ends_with('_')) {
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
