//! The tree of types: built-in types below their parents, and aliases below the narrowest type that accepts them.
//!
//! Types do not form a tree by acceptance: an Integer is a Numeric, but also Data, `NotUndef` and Iterable. A type is
//! placed below the deepest node that accepts it, preferably the bare type of its kind; see [`TypePosition::also_above`].

#![expect(clippy::indexing_slicing, reason = "the numbers of nodes are made here, and no node is removed")]

use crate::types::{Kind, Type, nameable_type_rows};

/// A type in the tree.
#[derive(Debug)]
pub struct TypeNode {
    /// The built-in type or alias.
    pub type_: Type,
    /// The name of a built-in type, as in its row of the table of types; `None` for an alias.
    pub row: Option<&'static str>,
    /// The index of the parent node in [`TypeHierarchy::nodes`]; `None` for Any.
    pub parent: Option<usize>,
    depth: usize,
}

/// The position of a type in the tree.
#[derive(Debug)]
pub struct TypePosition {
    /// The path from Any down to the narrowest other node that accepts the type, as indices of nodes.
    pub above: Vec<usize>,
    /// The widest nodes that the type accepts, except the type itself, as indices of nodes.
    pub below: Vec<usize>,
    /// Further nodes that accept the type but are not on the path `above`, as indices of nodes.
    pub also_above: Vec<usize>,
    /// Nodes that are equivalent to the type but have another name, as indices of nodes.
    pub equivalent: Vec<usize>,
}

/// The tree of types.
#[derive(Debug)]
pub struct TypeHierarchy {
    nodes: Vec<TypeNode>,
}

impl TypeHierarchy {
    /// Builds the tree of `aliases` and all built-in types that programs can name.
    pub fn with_aliases(aliases: &[Type]) -> TypeHierarchy {
        let mut tree = TypeHierarchy { nodes: Vec::new() };
        // Parents may stand further down in the table.
        let mut rows: Vec<_> = nameable_type_rows().collect();
        while let Some(next) =
            rows.iter().position(|row| row.parent.is_empty() || tree.index_of_built_in(row.parent).is_some())
        {
            let row = rows.remove(next);
            tree.push_node((row.bare)(), Some(row.name), tree.index_of_built_in(row.parent));
        }
        // The wide ones first, so that the narrow ones find them: what is wider than another has fewer wider ones itself.
        let wider = |alias: &Type| aliases.iter().filter(|other| other.accepts(alias) && !alias.accepts(other)).count();
        let mut widest_first = aliases.to_vec();
        widest_first.sort_by_cached_key(wider);
        for alias in widest_first {
            let parent = tree.find_position(&alias).above.last().copied();
            tree.push_node(alias, None, parent);
        }
        tree
    }

    /// Returns all nodes; each parent is before its children.
    pub fn nodes(&self) -> &[TypeNode] {
        &self.nodes
    }

    /// Returns the indices of the children of node `of`: first built-in types in the order of the table, then aliases.
    pub fn children(&self, of: usize) -> impl Iterator<Item = usize> {
        (0..self.nodes.len()).filter(move |at| self.nodes[*at].parent == Some(of))
    }

    /// Returns the index of the node whose type equals `type_`: an alias, or a built-in type without parameters.
    pub fn index_of_type(&self, type_: &Type) -> Option<usize> {
        self.nodes.iter().position(|node| node.type_ == *type_)
    }

    /// Finds the position of `type_` in the tree, where it may already be a node itself.
    pub fn find_position(&self, type_: &Type) -> TypePosition {
        let own = self.index_of_type(type_);
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
        let is_beside = |node: &TypeNode| node.row.is_some() && own_kind.is_some_and(|own| own.accepts(&node.type_));
        // Bare Optional and Variant accept nearly every other type.
        let says_little =
            |node: &TypeNode| node.row.is_some() && matches!(node.type_, Type::Optional(_) | Type::Variant(_));
        let parent = match own {
            Some(own) => self.nodes[own].parent,
            None => others()
                .filter(|&at| {
                    is_own_kind(at)
                        || takes(at) && !taken(at) && !says_little(&self.nodes[at]) && !is_beside(&self.nodes[at])
                })
                // Of those as deep, the own kind, else the first.
                .max_by_key(|&at| (self.nodes[at].depth, is_own_kind(at), std::cmp::Reverse(at))),
        };
        let mut above: Vec<usize> = std::iter::successors(parent, |at| self.nodes[*at].parent).collect();
        above.reverse();
        let same: Vec<usize> = others().filter(|&at| takes(at) && taken(at)).collect();
        let more = || others().filter(|at| !above.contains(at) && !same.contains(at) && !says_little(&self.nodes[*at]));
        let also = more().filter(|&at| takes(at)).collect();
        let below = match own {
            Some(own) => self.children(own).collect(),
            None => more().filter(|&at| taken(at) && !self.nodes[at].parent.is_some_and(taken)).collect(),
        };
        TypePosition { above, below, also_above: also, equivalent: same }
    }

    fn index_of_built_in(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|node| node.row == Some(name))
    }

    fn push_node(&mut self, type_: Type, row: Option<&'static str>, parent: Option<usize>) {
        let depth = parent.map_or(0, |parent| self.nodes[parent].depth + 1);
        self.nodes.push(TypeNode { type_, row, parent, depth });
    }
}
