//! Writes a [`Tree`] in the engines' syntax.
//!
//! The engines agree on the meaning of the output, because only plain forms are used: groups by number, classes as
//! ranges, options around single pieces. Two things depend on whether the subject ends in a newline, because the linear
//! engine cannot look ahead: Ruby's `^` does not match after that newline, and `\Z` matches before it. [`Subjects`]
//! says which subjects the output is for.
//!
//! The backtracking engine calls groups but does not recurse deeply enough, and does not report when it stops. A
//! recursive call is therefore written as a copy of the called group, a number of levels deep; below the last level is
//! a piece that runs into the backtracking limit.

use std::fmt::{self, Write};

use super::check;
use super::set::{Set, write_character};
use super::tree::{Anchor, Greed, Node, Tree};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subjects {
    Plain,
    EndingInNewline,
}

/// An expression that exceeds every backtracking limit, with 2^64 steps.
const ENDLESS: &str = "(?:(?:(?=)|(?=)){64}(?!))";

/// One character as people see it: a grapheme cluster.
///
/// Source: Unicode Standard Annex 29, the table of extended grapheme clusters.
const GRAPHEME: &str = concat!(
    r"(?>\r\n|\p{gcb=Prepend}*(?:\p{gcb=L}*(?:\p{gcb=V}+|\p{gcb=LV}\p{gcb=V}*|\p{gcb=LVT})\p{gcb=T}*|\p{gcb=L}+|",
    r"\p{gcb=T}+|\p{gcb=RI}\p{gcb=RI}|\p{ExtPict}(?:\p{gcb=EX}*\p{gcb=ZWJ}\p{ExtPict})*|",
    r"[^\p{gcb=CN}\r\n])[\p{gcb=EX}\p{gcb=ZWJ}\p{gcb=SM}]*|(?s:.))"
);

/// The maximum length of a text to try to compile.
const LONGEST_TEXT_BYTES: usize = 200_000;

/// The whole of `tree`, with recursive calls `levels` deep; `None` if their copies grow too large.
pub(super) fn write(tree: &Tree, subjects: Subjects, levels: usize) -> Option<String> {
    let mut writer = ForEngine { out: String::new(), tree, subjects, levels, open: vec![0], copies: 0 };
    writer.node(&tree.root).ok()?;
    Some(writer.out)
}

pub(super) fn needs_backtracking(tree: &Tree, subjects: Subjects) -> bool {
    let ends = subjects == Subjects::EndingInNewline;
    tree.root.pieces().any(|node| match node {
        Node::Repeat { greed: Greed::Possessive, .. }
        | Node::Atomic(_)
        | Node::Look { .. }
        | Node::Reference { .. }
        | Node::Call(_)
        | Node::Conditional { .. }
        | Node::Keep
        | Node::LineBreak
        | Node::Grapheme
        | Node::Anchor(Anchor::SearchStart) => true,
        Node::Anchor(Anchor::LineStart | Anchor::TextEndOrNewline) => ends,
        _ => false,
    })
}

/// Writes pieces; what the syntax of the engines has in common with that of ECMA-262.
pub(super) trait Writer {
    fn out(&mut self) -> &mut String;

    /// Writes a piece that is neither a sequence nor alternatives.
    fn piece(&mut self, node: &Node) -> fmt::Result;

    fn node(&mut self, node: &Node) -> fmt::Result {
        match node {
            Node::Sequence(nodes) => nodes.iter().try_for_each(|node| self.operand(node)),
            Node::Alternatives(nodes) => nodes.iter().enumerate().try_for_each(|(at, node)| {
                self.out().push_str(if at > 0 { "|" } else { "" });
                self.operand(node)
            }),
            other => self.piece(other),
        }
    }

    fn enclosed(&mut self, opening: &str, node: &Node) -> fmt::Result {
        self.out().push_str(opening);
        self.node(node)?;
        self.out().write_char(')')
    }

    /// Writes an operand of a postfix operator, in a group if needed.
    fn operand(&mut self, node: &Node) -> fmt::Result {
        if matches!(node, Node::Alternatives(_)) { self.enclosed("(?:", node) } else { self.node(node) }
    }

    fn quantified(&mut self, node: &Node, least: u32, most: Option<u32>, greed: Greed) -> fmt::Result {
        match node {
            Node::Character { .. } | Node::Set(_) | Node::Group { .. } => self.node(node)?,
            other => self.enclosed("(?:", other)?,
        }
        match (least, most) {
            (0, None) => self.out().push('*'),
            (1, None) => self.out().push('+'),
            (0, Some(1)) => self.out().push('?'),
            (least, None) => write!(self.out(), "{{{least},}}")?,
            (least, Some(most)) if least == most => write!(self.out(), "{{{least}}}")?,
            (least, Some(most)) => write!(self.out(), "{{{least},{most}}}")?,
        }
        self.out().write_str(if greed == Greed::Lazy { "?" } else { "" })
    }
}

struct ForEngine<'a> {
    out: String,
    tree: &'a Tree,
    subjects: Subjects,
    levels: usize,
    /// The groups that are being written, including the whole expression as group 0.
    open: Vec<usize>,
    /// The number of open groups that are copies.
    copies: usize,
}

impl Writer for ForEngine<'_> {
    fn out(&mut self) -> &mut String {
        &mut self.out
    }

    fn piece(&mut self, node: &Node) -> fmt::Result {
        match node {
            Node::Empty => self.out.write_str("(?:)"),
            Node::Character { character, fold } => self.character(*character, *fold),
            Node::Set(set) => write!(self.out, "{set}"),
            Node::Anchor(anchor) => self.anchor(*anchor),
            Node::Sequence(_) | Node::Alternatives(_) => self.node(node),
            Node::Repeat { node, least, most, greed } => self.repeat(node, *least, *most, *greed),
            Node::Group { number, node } => {
                let opening = if self.copies == 0 { "(" } else { "(?:" };
                self.open.push(*number);
                self.enclosed(opening, node)?;
                self.open.pop();
                Ok(())
            }
            Node::Atomic(node) => self.enclosed("(?>", node),
            Node::Look { behind, negative, node } => {
                self.out.write_str(if *behind { "(?<" } else { "(?" })?;
                self.enclosed(if *negative { "!" } else { "=" }, node)
            }
            Node::Reference { groups, fold } => self.reference(groups, *fold),
            Node::Call(call) => self.call(*call),
            Node::Conditional { groups, then, otherwise } => self.conditional(groups, then, otherwise),
            Node::Keep => self.out.write_str(r"\K"),
            Node::LineBreak => self.out.write_str(r"(?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}])"),
            Node::Grapheme => self.out.write_str(GRAPHEME),
        }
    }
}

impl ForEngine<'_> {
    fn character(&mut self, character: char, fold: bool) -> fmt::Result {
        if !fold || !character.is_alphabetic() {
            return write_character(&mut self.out, character);
        }
        self.out.write_str("(?i:")?;
        write_character(&mut self.out, character)?;
        self.out.write_char(')')
    }

    fn anchor(&mut self, anchor: Anchor) -> fmt::Result {
        let ends = self.subjects == Subjects::EndingInNewline;
        self.out.write_str(match anchor {
            Anchor::LineStart if ends => r"(?:(?m:^)(?!\z))",
            Anchor::LineStart => "(?m:^)",
            Anchor::LineEnd => "(?m:$)",
            Anchor::TextStart => r"\A",
            Anchor::TextEndOrNewline if ends => r"(?=\n?\z)",
            Anchor::TextEnd | Anchor::TextEndOrNewline => r"\z",
            Anchor::SearchStart => r"\G",
            Anchor::WordBoundary { ascii: false } => r"\b",
            Anchor::NotWordBoundary { ascii: false } => r"\B",
            Anchor::WordBoundary { ascii: true } => r"(?-u:\b)",
            Anchor::NotWordBoundary { ascii: true } => r"(?-u:\B)",
        })
    }

    fn repeat(&mut self, node: &Node, least: u32, most: Option<u32>, greed: Greed) -> fmt::Result {
        let has_groups = node.pieces().any(|node| matches!(node, Node::Group { .. }));
        if most == Some(0) {
            // Its groups still count, and can be called.
            if has_groups {
                self.enclosed("(?:|", node)?;
                self.out.write_str("{0}")?;
            }
            return Ok(());
        }
        if check::is_zero_width(node) {
            // Once is as good as many times, and not every engine repeats them.
            return match (least, greed) {
                (1.., _) => self.operand(node),
                (0, Greed::Lazy) if has_groups => self.enclosed("(?:|", node),
                (0, Greed::Lazy) => self.out.write_str("(?:)"),
                (0, Greed::Greedy | Greed::Possessive) => {
                    self.enclosed("(?:", node)?;
                    self.out.truncate(self.out.len() - 1);
                    self.out.write_str("|)")
                }
            };
        }
        if greed != Greed::Possessive {
            return self.quantified(node, least, most, greed);
        }
        self.out.write_str("(?>")?;
        self.quantified(node, least, most, greed)?;
        self.out.write_char(')')
    }

    /// Writes a back-reference; of several groups with one name, the last that took part counts.
    ///
    /// Observed: Ruby 3.1 lets a reference inside its own group fail, whatever the group matched before.
    fn reference(&mut self, groups: &[usize], fold: bool) -> fmt::Result {
        if groups.iter().all(|group| self.open.contains(group)) {
            return write!(self.out, "{}", Set::empty());
        }
        self.out.write_str(if fold { "(?i:" } else { "(?:" })?;
        for (index, group) in groups.iter().rev().enumerate() {
            write!(self.out, "{}\\{group}", if index > 0 { "|" } else { "" })?;
        }
        self.out.write_char(')')
    }

    fn conditional(&mut self, groups: &[usize], then: &Node, otherwise: &Node) -> fmt::Result {
        if (then, otherwise) == (&Node::Empty, &Node::Empty) {
            return Ok(());
        }
        for group in groups {
            write!(self.out, "(?({group})")?;
            self.operand(then)?;
            self.out.write_char('|')?;
        }
        self.operand(otherwise)?;
        groups.iter().try_for_each(|_| self.out.write_char(')'))
    }

    fn call(&mut self, call: usize) -> fmt::Result {
        let group = self.tree.group_of(call);
        if self.copies == 0 && !self.open.iter().any(|&open| reaches(self.tree, group, open)) {
            return write!(self.out, "\\g<{group}>");
        }
        if self.copies == self.levels {
            return self.out.write_str(ENDLESS);
        }
        if self.out.len() > LONGEST_TEXT_BYTES {
            return Err(fmt::Error);
        }
        self.copies += 1;
        self.open.push(group);
        self.enclosed("(?:", self.tree.called(call))?;
        self.open.pop();
        self.copies -= 1;
        Ok(())
    }
}

/// Whether `group` is `wanted`, or calls it directly or indirectly.
fn reaches(tree: &Tree, group: usize, wanted: usize) -> bool {
    let mut seen = vec![group];
    let mut next = 0;
    while let Some(&group) = seen.get(next) {
        for node in tree.inside(group).pieces() {
            if let Node::Call(call) = node
                && !seen.contains(&tree.group_of(*call))
            {
                seen.push(tree.group_of(*call));
            }
        }
        next += 1;
    }
    seen.contains(&wanted)
}
