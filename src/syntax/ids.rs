//! The numbers of nodes, and lists of them. Both are small, because most of the memory of a tree is its nodes.

use std::num::NonZeroU32;
use std::ops::{Deref, DerefMut};

/// The number of a node in its [`Tree`](super::tree::Tree).
/// ```
/// let tree = pcore::syntax::parse(&pcore::text::Source::new("site.pp", "$x = 1\n$x"))?;
/// let ids = tree.statements();
/// assert_eq!(tree.source.slice(tree[ids[1]].span), "$x");
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(NonZeroU32); // the index plus one, so that `Option<Id>` is no larger

impl Id {
    /// The id of the node at `index`. A text has less than 4 GiB, so every index fits.
    pub(crate) fn at(index: usize) -> Id {
        Id(u32::try_from(index).map_or(NonZeroU32::MAX, |index| NonZeroU32::MIN.saturating_add(index)))
    }

    /// Its index in the vector of nodes.
    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A list of nodes, used as a slice. Up to three are stored inline, in 16 bytes.
/// ```
/// use pcore::syntax::{parse, tree::Expression};
/// let tree = parse(&pcore::text::Source::new("site.pp", "[1, 2]"))?;
/// let Expression::Array(elements) = &tree[tree.body].expression else { panic!("an array") };
/// assert_eq!(elements.len(), 2);
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Clone)]
pub struct Ids(List);

/// The most nodes that fit into 16 bytes.
const INLINE: usize = 3;

#[derive(Clone)]
enum List {
    /// The number of ids, and the ids.
    Inline(u8, [Id; INLINE]),
    #[expect(clippy::box_collection, reason = "a vector takes 24 bytes")]
    Boxed(Box<Vec<Id>>),
}

impl Ids {
    /// An empty list.
    pub(crate) fn new() -> Ids {
        Ids(List::Inline(0, [Id(NonZeroU32::MIN); INLINE]))
    }

    /// A list of one node.
    pub(crate) fn one(id: Id) -> Ids {
        Ids(List::Inline(1, [id; INLINE]))
    }

    /// Adds a node at the end.
    pub(crate) fn push(&mut self, id: Id) {
        match &mut self.0 {
            List::Inline(length, ids) => match ids.get_mut(usize::from(*length)) {
                Some(free) => {
                    *free = id;
                    *length += 1;
                }
                None => {
                    let mut more = Vec::with_capacity(2 * INLINE);
                    more.extend_from_slice(ids);
                    more.push(id);
                    self.0 = List::Boxed(Box::new(more));
                }
            },
            List::Boxed(ids) => ids.push(id),
        }
    }
}

impl Deref for Ids {
    type Target = [Id];

    #[inline]
    #[expect(clippy::indexing_slicing, reason = "the length is at most INLINE")]
    fn deref(&self) -> &[Id] {
        match &self.0 {
            List::Inline(length, ids) => &ids[..usize::from(*length)],
            List::Boxed(ids) => ids,
        }
    }
}

impl DerefMut for Ids {
    #[expect(clippy::indexing_slicing, reason = "the length is at most INLINE")]
    fn deref_mut(&mut self) -> &mut [Id] {
        match &mut self.0 {
            List::Inline(length, ids) => &mut ids[..usize::from(*length)],
            List::Boxed(ids) => ids,
        }
    }
}

impl FromIterator<Id> for Ids {
    fn from_iter<I: IntoIterator<Item = Id>>(ids: I) -> Ids {
        let mut all = Ids::new();
        ids.into_iter().for_each(|id| all.push(id));
        all
    }
}

impl<'a> IntoIterator for &'a Ids {
    type Item = &'a Id;
    type IntoIter = std::slice::Iter<'a, Id>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq for Ids {
    fn eq(&self, other: &Ids) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for Ids {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&**self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Id, Ids};

    #[test]
    fn a_list_holds_what_is_pushed() {
        for length in 0..9 {
            let ids: Vec<Id> = (0..length).map(Id::at).collect();
            let list: Ids = ids.iter().copied().collect();
            assert_eq!(*list, *ids);
            assert_eq!(list.iter().map(|id| id.index()).collect::<Vec<_>>(), (0..length).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_list_and_an_optional_node_are_small() {
        assert_eq!((size_of::<Ids>(), size_of::<Option<Id>>()), (16, 4));
    }
}
