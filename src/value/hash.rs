//! `{a => 1}`: a shared, immutable map that keeps the order in which its entries came.
//!
//! Small hashes are plain slices of entries, searched from the front: records of a few keys dominate real data, and
//! neither need nor want an index. From [`INDEX_FROM`] entries on an index is built.

use std::hash::BuildHasherDefault;

use indexmap::IndexMap;
use rustc_hash::FxHasher;
use triomphe::Arc;

use super::shared::{LastAnswer, Many, Shared};
use super::{MANY, Value, drop_elsewhere, drop_flat, same_key, same_text, take_nested};
use crate::{interrupt, stack};

/// The number of entries from which a hash has an index.
const INDEX_FROM: usize = 17;

type Indexed = IndexMap<Value, Value, BuildHasherDefault<FxHasher>>;

/// A map from values to values. Cloning shares the entries.
/// ```
/// use pcore::{Value, value::Hash};
/// let mut hash = Hash::from([("name", "web")]);
/// hash.insert("port".into(), 80.into());
/// assert_eq!(Value::from(hash).to_string(), "{'name' => 'web', 'port' => 80}");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Hash(Shared<(Value, Value), Indexed>);

#[derive(Clone)]
enum Iter<'h> {
    Few(std::slice::Iter<'h, (Value, Value)>),
    Many(indexmap::map::Iter<'h, Value, Value>),
}

impl<'h> Iterator for Iter<'h> {
    type Item = (&'h Value, &'h Value);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Few(entries) => entries.next().map(|(key, value)| (key, value)),
            Iter::Many(entries) => entries.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Iter::Few(entries) => entries.size_hint(),
            Iter::Many(entries) => entries.size_hint(),
        }
    }
}

impl DoubleEndedIterator for Iter<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        match self {
            Iter::Few(entries) => entries.next_back().map(|(key, value)| (key, value)),
            Iter::Many(entries) => entries.next_back(),
        }
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl Hash {
    /// The number of entries.
    pub fn len(&self) -> usize {
        match &self.0 {
            Shared::Few(entries) => entries.slice.len(),
            Shared::Many(entries) => entries.collection.len(),
        }
    }

    /// Whether it is `{}`.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of the identical key (`'a'` is not `'A'`, `1` is not `1.0`).
    pub fn get(&self, key: &Value) -> Option<&Value> {
        match &self.0 {
            Shared::Few(entries) => {
                entries.slice.iter().find(|(known, _)| same_key(known, key)).map(|(_, value)| value)
            }
            Shared::Many(entries) => entries.collection.get(key),
        }
    }

    /// The value of a string key.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        match &self.0 {
            Shared::Few(entries) => {
                let is_it = |known: &Value| matches!(known, Value::String(known) if same_text(known, key));
                entries.slice.iter().find(|(known, _)| is_it(known)).map(|(_, value)| value)
            }
            Shared::Many(entries) => entries.collection.get(&Value::from(key)),
        }
    }

    /// The entries in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Value, &Value)> + ExactSizeIterator + Clone {
        match &self.0 {
            Shared::Few(entries) => Iter::Few(entries.slice.iter()),
            Shared::Many(entries) => Iter::Many(entries.collection.iter()),
        }
    }

    /// The entry number `at`.
    ///
    /// # Panics
    /// When there are not so many entries.
    #[expect(clippy::indexing_slicing, clippy::expect_used, reason = "the callers count the entries")]
    pub fn entry(&self, at: usize) -> (&Value, &Value) {
        match &self.0 {
            Shared::Few(entries) => (&entries.slice[at].0, &entries.slice[at].1),
            Shared::Many(entries) => entries.collection.get_index(at).expect("an entry"),
        }
    }

    /// The keys in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// The values in order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// Sets an entry: a new key goes to the end, a known one keeps its place.
    pub fn insert(&mut self, key: Value, value: Value) {
        self.extend([(key, value)]);
    }

    /// The same hash without `key`.
    #[must_use]
    pub fn without(&self, mut unwanted: impl FnMut(&Value) -> bool) -> Hash {
        let wanted = interrupt::each(self.iter()).filter(|(key, _)| !unwanted(key));
        wanted.map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// The entries from `at` on, which are taken away there. Of those with the same key the last counts.
    pub(crate) fn split_off(entries: &mut Vec<(Value, Value)>, at: usize) -> Hash {
        let taken = entries.get(at..).unwrap_or_default();
        let is_new =
            |(at, (key, _)): (usize, &(Value, Value))| taken.iter().take(at).all(|(other, _)| !same_key(other, key));
        if taken.len() < INDEX_FROM && taken.iter().enumerate().all(is_new) {
            Hash(Shared::few(entries.drain(at..)))
        } else {
            entries.drain(at..).collect()
        }
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.0.is_shared()
    }

    /// A key for memo tables: where the entries lie in memory.
    pub(crate) fn address(&self) -> usize {
        self.0.address()
    }

    /// The memory of what a type has said last about it; it is empty again once the hash has grown in place.
    #[inline]
    pub(crate) fn last_answer(&self) -> &LastAnswer {
        self.0.last_answer()
    }

    /// Moves what would need a deep stack to be freed into `pending`, and many entries at once, when nobody else holds
    /// them.
    pub(super) fn unlink(&mut self, pending: &mut Vec<Value>) {
        match &mut self.0 {
            Shared::Few(few) => {
                let few = Arc::get_mut(few).into_iter().flat_map(|few| &mut few.slice);
                take_nested(few.flat_map(|(key, value)| [key, value]), pending);
            }
            Shared::Many(many) => {
                let many = Many::alone(many).map(std::mem::take).into_iter().flatten();
                pending.extend(many.flat_map(|(key, value)| [key, value]));
            }
        }
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        if self.is_shared() {
            return;
        }
        if self.len() > MANY {
            return drop_elsewhere(vec![Value::Hash(std::mem::take(self))]);
        }
        if self.iter().any(|(key, value)| key.is_nested() || value.is_nested()) {
            let mut pending = Vec::new();
            self.unlink(&mut pending);
            drop_flat(pending);
        }
    }
}

impl FromIterator<(Value, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Hash {
        let mut entries = interrupt::each(entries);
        let mut few = Vec::with_capacity(entries.size_hint().0.min(INDEX_FROM));
        while let Some((key, value)) = entries.next() {
            match few.iter_mut().find(|(known, _)| same_key(known, &key)) {
                Some(entry) => entry.1 = value,
                None => few.push((key, value)),
            }
            if few.len() == INDEX_FROM {
                return Hash(Shared::many(few.into_iter().chain(entries).collect()));
            }
        }
        Hash(Shared::few(few.into_iter()))
    }
}

/// Of entries with the same key the last counts.
impl From<Vec<(Value, Value)>> for Hash {
    fn from(mut entries: Vec<(Value, Value)>) -> Hash {
        Hash::split_off(&mut entries, 0)
    }
}

/// Sets entries as [`Hash::insert`] does; cheaper than one by one.
impl Extend<(Value, Value)> for Hash {
    fn extend<I: IntoIterator<Item = (Value, Value)>>(&mut self, more: I) {
        match &mut self.0 {
            Shared::Few(few) => *self = few.slice.iter().cloned().chain(more).collect(),
            Shared::Many(many) => Many::own(many).extend(interrupt::each(more)),
        }
    }
}

impl<K: Into<Value>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Hash {
    fn from(entries: [(K, V); N]) -> Hash {
        entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect()
    }
}

/// Equal when both have the same keys with the same values, in any order.
impl PartialEq for Hash {
    fn eq(&self, other: &Hash) -> bool {
        let same_entries = || interrupt::each(self.iter()).all(|(key, value)| other.get(key) == Some(value));
        self.len() == other.len() && (self.address() == other.address() || stack::with_room(same_entries))
    }
}

impl Eq for Hash {}

impl std::hash::Hash for Hash {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // The number of entries alone, because their order does not count; hashes are rare keys.
        self.len().hash(state);
    }
}
