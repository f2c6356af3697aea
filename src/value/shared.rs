//! Values that clones share: a few behind one pointer, many in a collection that can grow.

use std::sync::Arc;

#[derive(Clone, Debug)]
pub(super) enum Shared<T, Collection> {
    Few(Arc<[T]>),
    Many(Arc<Collection>),
}

impl<T, Collection> Shared<T, Collection> {
    /// Whether somebody else holds them too. Counting is cheaper than `Arc::get_mut`, which locks.
    pub(super) fn is_shared(&self) -> bool {
        match self {
            Shared::Few(few) => Arc::strong_count(few) > 1,
            Shared::Many(many) => Arc::strong_count(many) > 1,
        }
    }

    /// Where they lie in memory.
    pub(super) fn address(&self) -> usize {
        match self {
            Shared::Few(few) => few.as_ptr().addr(),
            Shared::Many(many) => Arc::as_ptr(many).addr(),
        }
    }
}

impl<T, Collection> Default for Shared<T, Collection> {
    fn default() -> Shared<T, Collection> {
        Shared::Few(Arc::default())
    }
}
