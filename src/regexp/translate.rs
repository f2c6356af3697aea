//! Writes a [`Tree`] in the engines' syntax.
//!
//! The output uses only simple forms whose meaning is the same in all engines: groups by number, classes as ranges,
//! options around single pieces. Two anchors depend on whether the subject ends in a newline, because the linear
//! engine cannot look ahead: Ruby's `^` does not match after that newline, and `\Z` matches before it. [`SubjectKind`]
//! selects the subjects for which the output is correct.
//!
//! The backtracking engine can call groups, but does not recurse deeply enough and does not report when it stops. So a
//! recursive call is written as a copy of the called group, up to a number of levels; the innermost copy contains
//! a piece that exceeds the backtracking limit.

use std::fmt::{self, Write};

use super::check;
use super::set::{CharSet, write_literal};
use super::tree::{Anchor, Greed, Node, Tree};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SubjectKind {
    Plain,
    EndingInNewline,
}

/// An expression of 2^64 steps: makes a match that recurses too deeply fail with the error for the backtracking limit.
const ENDLESS_PATTERN: &str = "(?:(?:(?=)|(?=)){64}(?!))";

/// The expression for `\X`: an extended grapheme cluster, that is one character as users see it.
///
/// Source: Unicode Standard Annex 29, the table of extended grapheme clusters.
const GRAPHEME_PATTERN: &str = concat!(
    r"(?>\r\n|\p{gcb=Prepend}*(?:\p{gcb=L}*(?:\p{gcb=V}+|\p{gcb=LV}\p{gcb=V}*|\p{gcb=LVT})\p{gcb=T}*|\p{gcb=L}+|",
    r"\p{gcb=T}+|\p{gcb=RI}\p{gcb=RI}|\p{ExtPict}(?:\p{gcb=EX}*\p{gcb=ZWJ}\p{ExtPict})*|",
    r"[^\p{gcb=CN}\r\n])[\p{gcb=EX}\p{gcb=ZWJ}\p{gcb=SM}]*|(?s:.))"
);

/// The maximum length of the output; a longer one is given up, so that fewer levels of recursion are tried.
const MAX_EXPANSION_BYTES: usize = 200_000;

/// Translates `tree`, expanding recursive calls to `levels` levels; returns `None` if the result is too long.
pub(super) fn engine_pattern(tree: &Tree, subjects: SubjectKind, levels: usize) -> Option<String> {
    let mut writer = EngineWriter {
        out: String::new(),
        tree,
        subject_kind: subjects,
        recursion_levels: levels,
        open_groups: vec![0],
        open_copy_count: 0,
    };
    writer.write_node(&tree.root).ok()?;
    Some(writer.out)
}

pub(super) fn needs_backtracking(tree: &Tree, subjects: SubjectKind) -> bool {
    let ends = subjects == SubjectKind::EndingInNewline;
    tree.root.self_and_descendants().any(|node| match node {
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

/// Writes a tree as a regular expression. The provided methods write what is the same for the engines and ECMA-262.
pub(super) trait PatternWriter {
    fn output_mut(&mut self) -> &mut String;

    /// Writes a node that is neither a sequence nor alternatives.
    fn write_piece(&mut self, node: &Node) -> fmt::Result;

    fn write_node(&mut self, node: &Node) -> fmt::Result {
        match node {
            Node::Sequence(nodes) => nodes.iter().try_for_each(|node| self.write_group_if_needed(node)),
            Node::Alternatives(nodes) => nodes.iter().enumerate().try_for_each(|(at, node)| {
                self.output_mut().push_str(if at > 0 { "|" } else { "" });
                self.write_group_if_needed(node)
            }),
            other => self.write_piece(other),
        }
    }

    fn write_group(&mut self, opening: &str, node: &Node) -> fmt::Result {
        self.output_mut().push_str(opening);
        self.write_node(node)?;
        self.output_mut().write_char(')')
    }

    fn write_group_if_needed(&mut self, node: &Node) -> fmt::Result {
        if matches!(node, Node::Alternatives(_)) { self.write_group("(?:", node) } else { self.write_node(node) }
    }

    fn write_quantified(&mut self, node: &Node, least: u32, most: Option<u32>, greed: Greed) -> fmt::Result {
        match node {
            Node::Character { .. } | Node::Set(_) | Node::Group { .. } => self.write_node(node)?,
            other => self.write_group("(?:", other)?,
        }
        match (least, most) {
            (0, None) => self.output_mut().push('*'),
            (1, None) => self.output_mut().push('+'),
            (0, Some(1)) => self.output_mut().push('?'),
            (least, None) => write!(self.output_mut(), "{{{least},}}")?,
            (least, Some(most)) if least == most => write!(self.output_mut(), "{{{least}}}")?,
            (least, Some(most)) => write!(self.output_mut(), "{{{least},{most}}}")?,
        }
        self.output_mut().write_str(if greed == Greed::Lazy { "?" } else { "" })
    }
}

struct EngineWriter<'a> {
    out: String,
    tree: &'a Tree,
    subject_kind: SubjectKind,
    recursion_levels: usize,
    /// The numbers of the groups being written, from the outermost to the innermost; 0 is the whole expression.
    open_groups: Vec<usize>,
    /// The number of groups in `open_groups` that are copies of a called group; groups in copies do not capture.
    open_copy_count: usize,
}

impl PatternWriter for EngineWriter<'_> {
    fn output_mut(&mut self) -> &mut String {
        &mut self.out
    }

    fn write_piece(&mut self, node: &Node) -> fmt::Result {
        match node {
            Node::Empty => self.out.write_str("(?:)"),
            Node::Character { character, fold: true } if character.is_alphabetic() => {
                self.out.write_str("(?i:")?;
                write_literal(&mut self.out, *character)?;
                self.out.write_char(')')
            }
            Node::Character { character, .. } => write_literal(&mut self.out, *character),
            Node::Set(set) => write!(self.out, "{set}"),
            Node::Anchor(anchor) => self.write_anchor(*anchor),
            Node::Sequence(_) | Node::Alternatives(_) => self.write_node(node),
            Node::Repeat { node, least, most, greed } => self.write_repeat(node, *least, *most, *greed),
            Node::Group { number, node } => {
                let opening = if self.open_copy_count == 0 { "(" } else { "(?:" };
                self.open_groups.push(*number);
                self.write_group(opening, node)?;
                self.open_groups.pop();
                Ok(())
            }
            Node::Atomic(node) => self.write_group("(?>", node),
            Node::Look { behind, negative, node } => {
                self.out.write_str(if *behind { "(?<" } else { "(?" })?;
                self.write_group(if *negative { "!" } else { "=" }, node)
            }
            Node::Reference { groups, fold } => self.write_reference(groups, *fold),
            Node::Call(call) => self.write_call(*call),
            Node::Conditional { groups, then, otherwise } => self.write_conditional(groups, then, otherwise),
            Node::Keep => self.out.write_str(r"\K"),
            Node::LineBreak => self.out.write_str(r"(?>\r\n|[\n-\r\x{85}\x{2028}\x{2029}])"),
            Node::Grapheme => self.out.write_str(GRAPHEME_PATTERN),
        }
    }
}

impl EngineWriter<'_> {
    fn write_anchor(&mut self, anchor: Anchor) -> fmt::Result {
        let ends = self.subject_kind == SubjectKind::EndingInNewline;
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

    fn write_repeat(&mut self, node: &Node, least: u32, most: Option<u32>, greed: Greed) -> fmt::Result {
        let has_groups = node.self_and_descendants().any(|node| matches!(node, Node::Group { .. }));
        if most == Some(0) {
            // Its groups still count, and can be called.
            if has_groups {
                self.write_group("(?:|", node)?;
                self.out.write_str("{0}")?;
            }
            return Ok(());
        }
        if check::is_zero_width(node) {
            // Once is as good as many times, and not every engine repeats them.
            return match (least, greed) {
                (1.., _) => self.write_group_if_needed(node),
                (0, Greed::Lazy) if has_groups => self.write_group("(?:|", node),
                (0, Greed::Lazy) => self.out.write_str("(?:)"),
                (0, Greed::Greedy | Greed::Possessive) => {
                    self.write_group("(?:", node)?;
                    self.out.truncate(self.out.len() - 1);
                    self.out.write_str("|)")
                }
            };
        }
        if greed != Greed::Possessive {
            return self.write_quantified(node, least, most, greed);
        }
        self.out.write_str("(?>")?;
        self.write_quantified(node, least, most, greed)?;
        self.out.write_char(')')
    }

    /// Writes a reference to `groups`. Observed: Ruby 3.1 lets a reference inside its own group fail in every case.
    fn write_reference(&mut self, groups: &[usize], fold: bool) -> fmt::Result {
        if groups.iter().all(|group| self.open_groups.contains(group)) {
            return write!(self.out, "{}", CharSet::empty());
        }
        self.out.write_str(if fold { "(?i:" } else { "(?:" })?;
        for (index, group) in groups.iter().rev().enumerate() {
            write!(self.out, "{}\\{group}", if index > 0 { "|" } else { "" })?;
        }
        self.out.write_char(')')
    }

    fn write_conditional(&mut self, groups: &[usize], then: &Node, otherwise: &Node) -> fmt::Result {
        if (then, otherwise) == (&Node::Empty, &Node::Empty) {
            return Ok(());
        }
        for group in groups {
            write!(self.out, "(?({group})")?;
            self.write_group_if_needed(then)?;
            self.out.write_char('|')?;
        }
        self.write_group_if_needed(otherwise)?;
        groups.iter().try_for_each(|_| self.out.write_char(')'))
    }

    fn write_call(&mut self, call: usize) -> fmt::Result {
        let group = self.tree.called_group(call);
        if self.open_copy_count == 0 && !self.open_groups.iter().any(|&open| reaches_group(self.tree, group, open)) {
            return write!(self.out, "\\g<{group}>");
        }
        if self.open_copy_count == self.recursion_levels {
            return self.out.write_str(ENDLESS_PATTERN);
        }
        if self.out.len() > MAX_EXPANSION_BYTES {
            return Err(fmt::Error);
        }
        self.open_copy_count += 1;
        self.open_groups.push(group);
        self.write_group("(?:", self.tree.called_node(call))?;
        self.open_groups.pop();
        self.open_copy_count -= 1;
        Ok(())
    }
}

/// Whether `group` is the group `wanted`, or calls that group directly or indirectly.
fn reaches_group(tree: &Tree, group: usize, wanted: usize) -> bool {
    let mut seen = vec![group];
    let mut next = 0;
    while let Some(&group) = seen.get(next) {
        for node in tree.group_content(group).self_and_descendants() {
            if let Node::Call(call) = node
                && !seen.contains(&tree.called_group(*call))
            {
                seen.push(tree.called_group(*call));
            }
        }
        next += 1;
    }
    seen.contains(&wanted)
}
