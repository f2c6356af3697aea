//! The syntax tree of a regular expression. The options `(?i)`, `(?m)` and `(?x)` are already applied to the nodes.

use super::set::CharSet;
use crate::interrupt;

#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) root: Node,
    /// The name of each group, starting with group 1; `None` if the group is not named.
    pub(super) group_names: Vec<Option<Box<str>>>,
    /// The number of the called group for each [`Node::Call`]; 0 is the whole expression.
    pub(super) called_groups: Vec<usize>,
    /// Whether the expression has a non-ASCII character, an escape for one, or `\p{…}`; it then prints as a group.
    pub(super) has_non_ascii: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// The empty expression, such as the middle alternative of `a||b`
    Empty,
    /// `a`; with `fold` it matches either case
    Character { character: char, fold: bool },
    /// `[a-z]`, `\d`, `.`
    Set(Box<CharSet>),
    /// `^`
    Anchor(Anchor),
    /// `ab`
    Sequence(Vec<Node>),
    /// `a|b`
    Alternatives(Vec<Node>),
    /// `a{2,4}`
    Repeat { node: Box<Node>, least: u32, most: Option<u32>, greed: Greed },
    /// `(a)`, `(?<n>a)`
    Group { number: usize, node: Box<Node> },
    /// `(?>a)`: `a` without backtracking into it
    Atomic(Box<Node>),
    /// Look-ahead `(?=a)`, `(?!a)` (`negative`), and look-behind `(?<=a)`, `(?<!a)`
    Look { behind: bool, negative: bool, node: Box<Node> },
    /// `\1`; of several groups with the same name, the last one that took part in the match counts
    Reference { groups: Vec<usize>, fold: bool },
    /// `\g<n>`, a call of group `n`: an index into [`Tree::called_groups`]
    Call(usize),
    /// `(?(1)a|b)`: `a` if group 1 (one of `groups`) took part in the match so far, otherwise `b`
    Conditional { groups: Vec<usize>, then: Box<Node>, otherwise: Box<Node> },
    /// `\K`: leaves out of the match what was matched before
    Keep,
    /// `\R`: any line break
    LineBreak,
    /// `\X`: a character as users see it, with its combining marks
    Grapheme,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    /// `^`
    LineStart,
    /// `$`
    LineEnd,
    /// `\A`
    TextStart,
    /// `\z`
    TextEnd,
    /// `\Z`
    TextEndOrNewline,
    /// `\G`: the position where the search started
    SearchStart,
    /// `\b`
    WordBoundary { ascii: bool },
    /// `\B`
    NotWordBoundary { ascii: bool },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Greed {
    /// `a*`
    Greedy,
    /// `a*?`
    Lazy,
    /// `a*+`
    Possessive,
}

impl Node {
    pub(super) fn children(&self) -> Vec<&Node> {
        match self {
            Node::Sequence(nodes) | Node::Alternatives(nodes) => nodes.iter().collect(),
            Node::Repeat { node, .. } | Node::Group { node, .. } | Node::Atomic(node) | Node::Look { node, .. } => {
                vec![node]
            }
            Node::Conditional { then, otherwise, .. } => vec![then, otherwise],
            _ => Vec::new(),
        }
    }

    /// Iterates over this node and all its descendants, in the order of the source.
    pub(super) fn self_and_descendants(&self) -> impl Iterator<Item = &Node> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            interrupt::take_step();
            let node = open.pop()?;
            open.extend(node.children().into_iter().rev());
            Some(node)
        })
    }
}

impl Tree {
    pub(super) fn called_node(&self, call: usize) -> &Node {
        self.group_content(self.called_group(call))
    }

    #[expect(clippy::indexing_slicing, reason = "calls are numbered by this list")]
    pub(super) fn called_group(&self, call: usize) -> usize {
        self.called_groups[call]
    }

    #[expect(clippy::expect_used, reason = "the reader has looked up the groups of all calls")]
    pub(super) fn group_content(&self, group: usize) -> &Node {
        let mut found = self.root.self_and_descendants().filter_map(|node| match node {
            Node::Group { number, node } if *number == group => Some(&**node),
            _ => None,
        });
        if group == 0 { &self.root } else { found.next().expect("a group of the expression") }
    }
}
