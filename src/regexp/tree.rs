//! The syntax tree of an expression. Options (`(?i)`, `(?m)`, `(?x)`) are already applied.

use super::set::Set;
use crate::interrupt;

#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) root: Node,
    /// The name of each group, from group 1 on.
    pub(super) names: Vec<Option<Box<str>>>,
    /// The group that each [`Node::Call`] calls; 0 is the whole expression.
    pub(super) calls: Vec<usize>,
    /// Whether a character, an escape or a `\p{…}` is beyond ASCII: the text is printed differently then.
    pub(super) beyond_ascii: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    /// nothing: what is between the bars of `a||b`
    Empty,
    /// `a`; with `fold` in either case
    Character { character: char, fold: bool },
    /// `[a-z]`, `\d`, `.`
    Set(Box<Set>),
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
    /// `(?>a)`
    Atomic(Box<Node>),
    /// `(?=a)`, `(?!a)`, `(?<=a)`, `(?<!a)`
    Look { behind: bool, negative: bool, node: Box<Node> },
    /// `\1`; with several groups of one name the last that took part counts
    Reference { groups: Vec<usize>, fold: bool },
    /// `\g<n>`: an index into [`Tree::calls`]
    Call(usize),
    /// `(?(1)a|b)`
    Conditional { groups: Vec<usize>, then: Box<Node>, otherwise: Box<Node> },
    /// `\K`
    Keep,
    /// `\R`
    LineBreak,
    /// `\X`
    Grapheme,
}

/// An anchor: a condition on a position between two characters.
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
    /// `\G`
    SearchStart,
    /// `\b`
    WordBoundary { ascii: bool },
    /// `\B`
    NotWordBoundary { ascii: bool },
}

/// How a quantifier chooses the number of repetitions.
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

    /// This node and all its descendants, from left to right.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &Node> {
        let mut open = vec![self];
        std::iter::from_fn(move || {
            interrupt::step();
            let node = open.pop()?;
            open.extend(node.children().into_iter().rev());
            Some(node)
        })
    }
}

impl Tree {
    /// The node that a call runs: the content of the group, or the whole expression.
    pub(super) fn called(&self, call: usize) -> &Node {
        self.inside(self.group_of(call))
    }

    #[expect(clippy::indexing_slicing, reason = "calls are numbered by this list")]
    pub(super) fn group_of(&self, call: usize) -> usize {
        self.calls[call]
    }

    /// The content of a group; 0 is the whole expression.
    #[expect(clippy::expect_used, reason = "the reader has looked up the groups of all calls")]
    pub(super) fn inside(&self, group: usize) -> &Node {
        let mut found = self.root.pieces().filter_map(|node| match node {
            Node::Group { number, node } if *number == group => Some(&**node),
            _ => None,
        });
        if group == 0 { &self.root } else { found.next().expect("a group of the expression") }
    }
}
