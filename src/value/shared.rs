//! Values that clones share: a few behind one pointer, many in a collection that can grow.

use std::sync::atomic::{AtomicU64, Ordering};

use triomphe::{Arc, HeaderSlice};

#[derive(Clone, Debug)]
pub(super) enum Shared<T, Collection> {
    Few(Arc<HeaderSlice<LastAnswer, [T]>>),
    Many(Arc<Many<Collection>>),
}

/// A collection, reached only in ways that forget the last answer where it may change.
#[derive(Clone, Debug)]
pub(super) struct Many<Collection> {
    pub(super) collection: Collection,
    last_answer: LastAnswer,
}

/// What a type has said last about the values next to it, which never change: whether they are an instance.
#[derive(Debug, Default)]
pub(crate) struct LastAnswer(AtomicU64);

impl LastAnswer {
    /// Whether they are an instance of the type with that number, if that is known.
    #[inline]
    pub(crate) fn about(&self, type_: u64) -> Option<bool> {
        let last = self.0.load(Ordering::Relaxed);
        (last >> 1 == type_).then_some(last & 1 == 1)
    }

    /// Remembers the answer of the type with that number.
    #[inline]
    pub(crate) fn set(&self, type_: u64, is_instance: bool) {
        self.0.store(type_ << 1 | u64::from(is_instance), Ordering::Relaxed);
    }
}

/// A copy is made to be changed.
impl Clone for LastAnswer {
    fn clone(&self) -> LastAnswer {
        LastAnswer::default()
    }
}

impl<T, Collection> Shared<T, Collection> {
    pub(super) fn few(values: impl ExactSizeIterator<Item = T>) -> Shared<T, Collection> {
        Shared::Few(Arc::from_header_and_iter(LastAnswer::default(), values))
    }

    pub(super) fn many(collection: Collection) -> Shared<T, Collection> {
        Shared::Many(Arc::new(Many { collection, last_answer: LastAnswer::default() }))
    }

    pub(super) fn is_shared(&self) -> bool {
        match self {
            Shared::Few(few) => !few.is_unique(),
            Shared::Many(many) => !many.is_unique(),
        }
    }

    pub(super) fn address(&self) -> usize {
        match self {
            Shared::Few(few) => few.slice.as_ptr().addr(),
            Shared::Many(many) => Arc::as_ptr(many).addr(),
        }
    }

    pub(super) fn last_answer(&self) -> &LastAnswer {
        match self {
            Shared::Few(few) => &few.header,
            Shared::Many(many) => &many.last_answer,
        }
    }
}

impl<Collection> Many<Collection> {
    /// The collection to change, if nobody else holds it.
    pub(super) fn alone(many: &mut Arc<Many<Collection>>) -> Option<&mut Collection> {
        let many = Arc::get_mut(many)?;
        many.last_answer = LastAnswer::default();
        Some(&mut many.collection)
    }
}

impl<Collection: Clone> Many<Collection> {
    /// The collection to change, copied if somebody else holds it.
    pub(super) fn own(many: &mut Arc<Many<Collection>>) -> &mut Collection {
        let many = Arc::make_mut(many);
        many.last_answer = LastAnswer::default();
        &mut many.collection
    }
}

impl<T, Collection> Default for Shared<T, Collection> {
    fn default() -> Shared<T, Collection> {
        Shared::few(std::iter::empty())
    }
}
