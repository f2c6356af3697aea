//! The numbers of nodes, and lists of them.

use std::num::NonZeroU32;

/// The number of a node in its [`Tree`](super::tree::Tree).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(NonZeroU32); // the index plus one, so that `Option<Id>` is no larger

/// A list of nodes.
pub type Ids = Box<[Id]>;

impl Id {
    /// The id of the node at `index`. A text has less than 4 GiB, so every index fits.
    pub(crate) fn at(index: usize) -> Id {
        Id(u32::try_from(index).map_or(NonZeroU32::MAX, |index| NonZeroU32::MIN.saturating_add(index)))
    }

    pub(crate) fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}
