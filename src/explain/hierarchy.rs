//! The tree of types: those of the table under their parents, and aliases below the narrowest type that accepts them.
//!
//! The lattice is not a tree: an Integer is a Numeric, but also Data, `NotUndef` and Iterable. A type is placed below
//! the deepest of all types that accept it, where its own kind counts as deeper; the rest is [`Place::also`].

#![expect(clippy::indexing_slicing, reason = "the numbers of nodes are made here, and no node is removed")]

use crate::types::{Kind, Type, visible};

/// A type of the tree.
#[derive(Debug)]
pub struct Node {
    /// The type itself.
    pub type_: Type,
    /// Its name in the table; none for an alias.
    pub row: Option<&'static str>,
    /// The index of its parent in [`Hierarchy::nodes`]; `None` for Any.
    pub parent: Option<usize>,
    /// The number of nodes above it.
    depth: usize,
}

/// The position of a type in the tree.
#[derive(Debug)]
pub struct Place {
    /// The path from Any down to the narrowest node that accepts the type, as indices of nodes.
    pub above: Vec<usize>,
    /// The widest nodes that the type accepts, without the type itself.
    pub below: Vec<usize>,
    /// Further nodes that accept the type but are not on the path.
    pub also: Vec<usize>,
    /// Nodes that are the same type under another name.
    pub same: Vec<usize>,
}

/// The tree, parents before their children.
#[derive(Debug)]
pub struct Hierarchy {
    nodes: Vec<Node>,
}

impl Hierarchy {
    /// Builds the tree of all types that programs can name, and `aliases`.
    pub fn with(aliases: &[Type]) -> Hierarchy {
        let mut tree = Hierarchy { nodes: Vec::new() };
        // Parents may stand further down in the table.
        let mut rows: Vec<_> = visible().collect();
        while let Some(next) = rows.iter().position(|row| row.parent.is_empty() || tree.numbered(row.parent).is_some())
        {
            let row = rows.remove(next);
            tree.push((row.bare)(), Some(row.name), tree.numbered(row.parent));
        }
        // The wide ones first, so that the narrow ones find them: what is wider than another has fewer wider ones itself.
        let wider = |alias: &Type| aliases.iter().filter(|other| other.accepts(alias) && !alias.accepts(other)).count();
        let mut widest_first = aliases.to_vec();
        widest_first.sort_by_cached_key(wider);
        for alias in widest_first {
            let parent = tree.place(&alias).above.last().copied();
            tree.push(alias, None, parent);
        }
        tree
    }

    /// All nodes, parents before their children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The indices of the nodes directly below a node: first types in the order of the table, then aliases.
    pub fn children(&self, of: usize) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(move |at| self.nodes[*at].parent == Some(of))
    }

    /// The index of the node that is exactly `type_`: an alias, or a type of the table without parameters.
    pub fn node_of(&self, type_: &Type) -> Option<usize> {
        self.nodes.iter().position(|node| node.type_ == *type_)
    }

    /// Finds the position of `type_` in the tree. If the type is itself a node, its path ends there.
    pub fn place(&self, type_: &Type) -> Place {
        let own = self.node_of(type_);
        let takes = |at: usize| self.nodes[at].type_.accepts(type_);
        let taken = |at: usize| match &self.nodes[at].type_ {
            Type::Unit(_) => false,
            other => type_.accepts(other),
        };
        let others = || (0..self.nodes.len()).filter(|at| Some(*at) != own);
        let meaning = type_.behind_aliases();
        let is_composed = matches!(meaning.kind(), Kind::Variant | Kind::Optional | Kind::NotUndef | Kind::Alias);
        let is_own_kind = |at: usize| !is_composed && self.nodes[at].row == Some(meaning.name());
        let own_kind = (0..self.nodes.len()).find(|at| is_own_kind(*at)).map(|at| &self.nodes[at].type_);
        // Enum is below String in the table, but a string is not below Enum.
        let is_beside = |node: &Node| node.row.is_some() && own_kind.is_some_and(|own| own.accepts(&node.type_));
        let says_little = |at: usize| says_little(&self.nodes[at]);
        let parent = match own {
            Some(own) => self.nodes[own].parent,
            None => others()
                .filter(|&at| {
                    is_own_kind(at) || takes(at) && !taken(at) && !says_little(at) && !is_beside(&self.nodes[at])
                })
                // Of those as deep, the own kind, else the first.
                .max_by_key(|&at| (self.nodes[at].depth, is_own_kind(at), std::cmp::Reverse(at))),
        };
        let mut above: Vec<usize> = std::iter::successors(parent, |at| self.nodes[*at].parent).collect();
        above.reverse();
        let same: Vec<usize> = others().filter(|&at| takes(at) && taken(at)).collect();
        let further = || others().filter(|at| !above.contains(at) && !same.contains(at) && !says_little(*at));
        let also = further().filter(|&at| takes(at)).collect();
        let below = match own {
            Some(own) => self.children(own).collect(),
            None => further().filter(|&at| taken(at) && !self.nodes[at].parent.is_some_and(taken)).collect(),
        };
        Place { above, below, also, same }
    }

    fn numbered(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.row == Some(name))
    }

    fn push(&mut self, type_: Type, row: Option<&'static str>, parent: Option<usize>) {
        let depth = parent.map_or(0, |parent| self.nodes[parent].depth + 1);
        self.nodes.push(Node { type_, row, parent, depth });
    }
}

/// Whether a type accepts nearly every other one, as bare Optional does, so that it is not worth showing.
fn says_little(node: &Node) -> bool {
    node.row.is_some() && matches!(node.type_, Type::Optional(_) | Type::Variant(_))
}
