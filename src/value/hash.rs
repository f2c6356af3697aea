//! The content of a Hash such as `{a => 1}`: a shared, immutable map that keeps insertion order.
//!
//! A small hash is a plain slice of entries with linear search: real data mostly consists of records with a few keys,
//! for which an index would cost more than it saves. A hash with [`MIN_INDEXED_ENTRIES`] or more entries has an index.

use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use ecow::EcoVec;
use indexmap::IndexMap;
use rustc_hash::FxHasher;

use super::{HASHED_LEVELS, Value, drop_without_recursion, take_nested_values};
use crate::{interrupt, stack};

const MIN_INDEXED_ENTRIES: usize = 17;

type Indexed = IndexMap<Value, Value, BuildHasherDefault<FxHasher>>;

/// A map from values to values. Cloning shares the entries.
#[derive(Clone, Debug, Default)]
pub struct Hash(Entries);

#[derive(Clone, Debug)]
enum Entries {
    Few(EcoVec<(Value, Value)>),
    Many(Arc<Indexed>),
}

impl Default for Entries {
    fn default() -> Entries {
        // An empty hash, too, has an address of its own.
        Entries::Few(EcoVec::with_capacity(1))
    }
}

impl Hash {
    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        match &self.0 {
            Entries::Few(entries) => entries.len(),
            Entries::Many(entries) => entries.len(),
        }
    }

    /// Whether the hash has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of `key`, `None` if missing. Keys are compared exactly: `'a'` is not `'A'`, `1` is not `1.0`.
    pub fn get(&self, key: &Value) -> Option<&Value> {
        match &self.0 {
            Entries::Few(entries) => entries.iter().find(|(known, _)| known == key).map(|(_, value)| value),
            Entries::Many(entries) => entries.get(key),
        }
    }

    /// Returns the value of the key that is the String `key`, or `None` if missing.
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        match &self.0 {
            Entries::Few(entries) => {
                entries.iter().find(|(known, _)| known.as_str() == Some(key)).map(|(_, value)| value)
            }
            Entries::Many(entries) => entries.get(&Value::from(key)),
        }
    }

    /// Iterates over the entries in insertion order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (&Value, &Value)> + ExactSizeIterator + Clone {
        (0..self.len()).map(|at| self.entry(at))
    }

    /// Returns the entry at the index `at` in insertion order.
    ///
    /// # Panics
    /// If `at` is not less than [`Hash::len`].
    #[expect(clippy::expect_used, reason = "the callers count the entries")]
    pub fn entry(&self, at: usize) -> (&Value, &Value) {
        let entry = match &self.0 {
            Entries::Few(entries) => entries.get(at).map(|(key, value)| (key, value)),
            Entries::Many(entries) => entries.get_index(at),
        };
        entry.expect("an entry")
    }

    /// Iterates over the keys in insertion order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// Iterates over the values in insertion order.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &Value> + ExactSizeIterator + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// Sets the value of `key`: a new key is added at the end, an existing key keeps its position.
    pub fn insert(&mut self, key: Value, value: Value) {
        self.extend([(key, value)]);
    }

    /// Returns a hash without the entries for whose keys `unwanted` returns true.
    #[must_use]
    pub fn without_keys(&self, mut unwanted: impl FnMut(&Value) -> bool) -> Hash {
        let mut wanted = |key: &Value| !unwanted(key);
        if let Entries::Many(many) = &self.0 {
            interrupt::take_steps(many.len());
            // No key is hashed again.
            let mut kept = Indexed::clone(many);
            kept.retain(|key, _| wanted(key));
            return Hash(Entries::Many(Arc::new(kept)));
        }
        let kept = self.iter().filter(|(key, _)| wanted(key));
        kept.map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// Hashes the entries, ignoring their order. Collections nested more than `levels` deep count only by their length.
    pub(super) fn hash_entries_into<H: Hasher>(&self, levels: u32, state: &mut H) {
        interrupt::take_steps(self.len());
        let hash_of = |(key, value): (&Value, &Value)| {
            let mut entry = FxHasher::default();
            key.hash_element_into(levels - 1, &mut entry);
            value.hash_element_into(levels - 1, &mut entry);
            entry.finish()
        };
        state.write_u64(self.iter().map(hash_of).fold(0, u64::wrapping_add));
    }

    /// Returns the memory address of the entries. Hashes with the same address are equal, and one hash to `annotate`.
    pub(crate) fn address(&self) -> usize {
        match &self.0 {
            Entries::Few(few) => few.as_ptr().addr(),
            Entries::Many(many) => Arc::as_ptr(many).addr(),
        }
    }

    /// Moves the keys and values that may contain values to `pending`, to be dropped in a loop, unless they are shared.
    pub(super) fn move_nested_values(&mut self, pending: &mut Vec<Value>) {
        match &mut self.0 {
            Entries::Few(few) => {
                if few.is_unique() {
                    take_nested_values(few.make_mut().iter_mut().flat_map(|(key, value)| [key, value]), pending);
                }
            }
            Entries::Many(many) => {
                let entries = Arc::get_mut(many).map(std::mem::take).into_iter().flatten();
                pending.extend(entries.flat_map(|(key, value)| [key, value]).filter(Value::may_contain_values));
            }
        }
    }
}

impl Drop for Hash {
    fn drop(&mut self) {
        if !stack::has_enough_stack_to_drop() {
            let mut pending = Vec::new();
            self.move_nested_values(&mut pending);
            drop_without_recursion(pending);
        }
    }
}

impl FromIterator<(Value, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (Value, Value)>>(entries: I) -> Hash {
        let entries = entries.into_iter();
        Hash(with_added_entries(EcoVec::with_capacity(entries.size_hint().0.clamp(1, MIN_INDEXED_ENTRIES)), entries))
    }
}

/// Returns the entries of `few` and then `entries`. A repeated key keeps its first position and gets its last value.
fn with_added_entries(mut few: EcoVec<(Value, Value)>, entries: impl Iterator<Item = (Value, Value)>) -> Entries {
    let mut entries = interrupt::step_through(entries);
    while let Some((key, value)) = entries.next() {
        match few.make_mut().iter_mut().find(|(known, _)| *known == key) {
            Some(entry) => entry.1 = value,
            None => few.push((key, value)),
        }
        if few.len() == MIN_INDEXED_ENTRIES {
            return Entries::Many(Arc::new(few.into_iter().chain(entries).collect()));
        }
    }
    Entries::Few(few)
}

impl From<Vec<(Value, Value)>> for Hash {
    fn from(entries: Vec<(Value, Value)>) -> Hash {
        entries.into_iter().collect()
    }
}

/// Sets each entry as [`Hash::insert`] does, but faster than one by one.
impl Extend<(Value, Value)> for Hash {
    fn extend<I: IntoIterator<Item = (Value, Value)>>(&mut self, more: I) {
        match &mut self.0 {
            Entries::Few(few) => {
                let (mut few, more) = (std::mem::take(few), more.into_iter());
                // Making room copies them once, if another hash has them, too.
                few.reserve(more.size_hint().0.min(MIN_INDEXED_ENTRIES - few.len()));
                self.0 = with_added_entries(few, more);
            }
            Entries::Many(many) => Arc::make_mut(many).extend(interrupt::step_through(more)),
        }
    }
}

impl<K: Into<Value>, V: Into<Value>, const N: usize> From<[(K, V); N]> for Hash {
    fn from(entries: [(K, V); N]) -> Hash {
        entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect()
    }
}

impl PartialEq for Hash {
    fn eq(&self, other: &Hash) -> bool {
        let same_entries = || interrupt::step_through(self.iter()).all(|(key, value)| other.get(key) == Some(value));
        self.len() == other.len() && (self.address() == other.address() || stack::with_room(same_entries))
    }
}

impl Eq for Hash {}

impl std::hash::Hash for Hash {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.hash_entries_into(HASHED_LEVELS, state);
    }
}
