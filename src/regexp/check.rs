//! Checks after parsing: the length of look-behinds, and whether recursive calls end.

use std::collections::HashMap;

use super::tree::{Anchor, Node, Tree};

/// Whether a look-behind may contain `node`: fixed width except for top-level alternatives; no groups if negative.
pub(super) fn can_look_behind(node: &Node, negative: bool) -> bool {
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
    if node.pieces().any(unfit) {
        return false;
    }
    match node {
        Node::Alternatives(branches) => branches.iter().all(|branch| can_look_behind(branch, negative)),
        other => width(other).is_some(),
    }
}

/// The number of characters that `node` matches, if it is fixed.
fn width(node: &Node) -> Option<u32> {
    match node {
        Node::Empty | Node::Anchor(_) | Node::Look { .. } | Node::Keep => Some(0),
        Node::Character { .. } | Node::Set(_) => Some(1),
        Node::Sequence(nodes) => nodes.iter().try_fold(0_u32, |sum, node| sum.checked_add(width(node)?)),
        Node::Alternatives(nodes) => {
            let mut widths = nodes.iter().map(width);
            let first = widths.next()??;
            widths.all(|width| width == Some(first)).then_some(first)
        }
        Node::Repeat { node, least, most: Some(most), .. } if least == most => width(node)?.checked_mul(*least),
        Node::Group { node, .. } => width(node),
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

/// Finds a subexpression call that recurses before anything was matched, or on every path.
pub(super) fn endless_call(tree: &Tree) -> Option<usize> {
    (0..tree.calls.len()).find(|&call| {
        let mut walk = Walk { tree, wanted: tree.group_of(call), known: HashMap::new() };
        walk.node(tree.called(call), true).0 != Return::Avoidable
    })
}

/// Whether the paths through a piece return to the group at which the walk started.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Return {
    /// Some path does not lead back.
    Avoidable,
    /// Every path leads back, after something was matched.
    Always,
    /// Every path returns before anything was matched.
    AtOnce,
}

struct Walk<'a> {
    tree: &'a Tree,
    wanted: usize,
    /// The result for each group, by whether it is called before anything was matched, so that each is visited once.
    known: HashMap<(usize, bool), (Return, bool)>,
}

impl Walk<'_> {
    /// Walks `node`; `at_once` if nothing has been matched before it. Also returns whether `node` can match nothing; a
    /// call of a group that is being walked cannot.
    fn node(&mut self, node: &Node, mut at_once: bool) -> (Return, bool) {
        match node {
            Node::Alternatives(_) | Node::Conditional { .. } => {
                let ways: Vec<_> = node.children().into_iter().map(|node| self.node(node, at_once)).collect();
                let decides = |way: &Return| (*way == Return::AtOnce, *way == Return::Avoidable);
                let way = ways.iter().map(|(way, _)| *way).max_by_key(decides);
                (way.unwrap_or(Return::Always), ways.iter().any(|(_, can_be_empty)| *can_be_empty))
            }
            Node::Repeat { node, least: 0, .. } => match self.node(node, at_once).0 {
                Return::Always => (Return::Avoidable, true),
                other => (other, true),
            },
            Node::Call(call) => {
                let group = self.tree.group_of(*call);
                if group == self.wanted {
                    return (if at_once { Return::AtOnce } else { Return::Always }, false);
                }
                if let Some(known) = self.known.get(&(group, at_once)) {
                    return *known;
                }
                self.known.insert((group, at_once), (Return::Avoidable, false));
                let result = self.node(self.tree.called(*call), at_once);
                self.known.insert((group, at_once), result);
                result
            }
            Node::Character { .. } | Node::Set(_) | Node::LineBreak | Node::Grapheme => (Return::Avoidable, false),
            others => {
                let (mut result, mut all_can_be_empty) = (Return::Avoidable, true);
                for node in others.children() {
                    let (way, can_be_empty) = self.node(node, at_once);
                    result = result.max(way);
                    at_once &= can_be_empty;
                    all_can_be_empty &= can_be_empty;
                }
                (result, all_can_be_empty || matches!(others, Node::Look { .. }))
            }
        }
    }
}
