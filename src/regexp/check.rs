//! Checks of a parsed expression: whether look-behinds have a fixed length, and whether recursive calls end.

use std::collections::HashMap;

use super::tree::{Anchor, Node, Tree};

/// Whether Ruby allows `node` in a look-behind: each top-level alternative has a fixed width; no group if `negative`.
pub(super) fn is_valid_look_behind(node: &Node, negative: bool) -> bool {
    let unfit = |node: &Node| match node {
        Node::Atomic(_)
        | Node::Look { behind: false, .. }
        | Node::Reference { .. }
        | Node::Call(_)
        | Node::Conditional { .. }
        | Node::LineBreak
        | Node::Grapheme
        | Node::Anchor(Anchor::TextEnd | Anchor::TextEndOrNewline) => true,
        Node::Group { .. } => negative,
        _ => false,
    };
    if node.self_and_descendants().any(unfit) {
        return false;
    }
    match node {
        Node::Alternatives(branches) => branches.iter().all(|branch| is_valid_look_behind(branch, negative)),
        other => fixed_width(other).is_some(),
    }
}

fn fixed_width(node: &Node) -> Option<u32> {
    match node {
        Node::Empty | Node::Anchor(_) | Node::Look { .. } | Node::Keep => Some(0),
        Node::Character { .. } | Node::Set(_) => Some(1),
        Node::Sequence(nodes) => nodes.iter().try_fold(0_u32, |sum, node| sum.checked_add(fixed_width(node)?)),
        Node::Alternatives(nodes) => {
            let mut widths = nodes.iter().map(fixed_width);
            let first = widths.next()??;
            widths.all(|width| width == Some(first)).then_some(first)
        }
        Node::Repeat { node, least, most: Some(most), .. } if least == most => fixed_width(node)?.checked_mul(*least),
        Node::Group { node, .. } => fixed_width(node),
        _ => None,
    }
}

pub(super) fn is_zero_width(node: &Node) -> bool {
    match node {
        Node::Empty | Node::Anchor(_) | Node::Look { .. } | Node::Keep | Node::Repeat { most: Some(0), .. } => true,
        other => {
            let children = other.children();
            !children.is_empty() && children.into_iter().all(is_zero_width)
        }
    }
}

/// Returns the index in `called_groups` of the first call that recurses on every path, or before any character.
pub(super) fn find_endless_call(tree: &Tree) -> Option<usize> {
    (0..tree.called_groups.len()).find(|&call| {
        let mut walk = RecursionWalk { tree, start_group: tree.called_group(call), group_results: HashMap::new() };
        walk.recursion_of_node(tree.called_node(call), true).0 != RecursionKind::Avoidable
    })
}

/// How the paths through a node recurse, that is, call the group in which the walk started.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum RecursionKind {
    /// At least one path does not recurse.
    Avoidable,
    /// Every path recurses, but only after it has matched a character.
    Always,
    /// A path recurses before it has matched a character.
    AtOnce,
}

struct RecursionWalk<'a> {
    tree: &'a Tree,
    start_group: usize,
    /// The cached results of `recursion_of_node`, by group number and `at_once` (see there).
    group_results: HashMap<(usize, bool), (RecursionKind, bool)>,
}

impl RecursionWalk<'_> {
    /// Returns how `node` recurses, and whether it can match `''`. `at_once`: no character has been matched before it.
    fn recursion_of_node(&mut self, node: &Node, mut at_once: bool) -> (RecursionKind, bool) {
        match node {
            Node::Alternatives(_) | Node::Conditional { .. } => {
                let ways: Vec<_> =
                    node.children().into_iter().map(|node| self.recursion_of_node(node, at_once)).collect();
                let decides = |way: &RecursionKind| (*way == RecursionKind::AtOnce, *way == RecursionKind::Avoidable);
                let way = ways.iter().map(|(way, _)| *way).max_by_key(decides);
                (way.unwrap_or(RecursionKind::Always), ways.iter().any(|(_, can_be_empty)| *can_be_empty))
            }
            Node::Repeat { node, least: 0, .. } => match self.recursion_of_node(node, at_once).0 {
                RecursionKind::Always => (RecursionKind::Avoidable, true),
                other => (other, true),
            },
            Node::Call(call) => {
                let group = self.tree.called_group(*call);
                if group == self.start_group {
                    return (if at_once { RecursionKind::AtOnce } else { RecursionKind::Always }, false);
                }
                if let Some(known) = self.group_results.get(&(group, at_once)) {
                    return *known;
                }
                self.group_results.insert((group, at_once), (RecursionKind::Avoidable, false));
                let result = self.recursion_of_node(self.tree.called_node(*call), at_once);
                self.group_results.insert((group, at_once), result);
                result
            }
            Node::Character { .. } | Node::Set(_) | Node::LineBreak | Node::Grapheme => {
                (RecursionKind::Avoidable, false)
            }
            others => {
                let (mut result, mut all_can_be_empty) = (RecursionKind::Avoidable, true);
                for node in others.children() {
                    let (way, can_be_empty) = self.recursion_of_node(node, at_once);
                    result = result.max(way);
                    at_once &= can_be_empty;
                    all_can_be_empty &= can_be_empty;
                }
                (result, all_can_be_empty || matches!(others, Node::Look { .. }))
            }
        }
    }
}
