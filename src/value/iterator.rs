//! The lazy iterators that `reverse_each`, `step` and `tree_each` return: elements are computed when they are needed.
//!
//! Everything that is Iterable, except a tree, has a known number of elements, which can be accessed by
//! position. For these an [`Iterator`] is an arithmetic progression of positions (first, stride, count): `step`
//! multiplies the stride, `reverse_each` starts at the last element and negates it, and no element is computed in
//! advance. In a tree, nodes are visited one by one.

use super::tree::{TreeEachArguments, TreeWalk};
use super::{Array, Hash, Value};
use crate::error::Result;
use crate::interrupt;
use crate::limits::{self, BoundedVec, Limit};
use crate::types::{IntegerType, Type};

/// A lazy sequence of elements. Each [`iter_elements`](Iterator::iter_elements) starts anew. Clones share the source.
#[derive(Clone, Debug)]
pub struct Iterator {
    /// The value that is iterated over; `None` for the nodes of a tree.
    source: Option<Value>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Counted(Progression),
    /// The nodes of a tree; `walk` visits them all, and so many are skipped before the first and before each later one.
    Tree {
        walk: TreeWalk,
        skipped_before_first: usize,
        skipped_between: usize,
    },
}

#[derive(Clone, Debug)]
struct Progression {
    elements: ElementSource,
    first: u64,
    /// The distance between the positions of consecutive elements; if negative, in two's complement.
    stride: u64,
    count: u64,
    /// Whether the iterator has all elements of the source in their original order, and was never reversed.
    is_whole: bool,
}

#[derive(Clone, Debug)]
enum ElementSource {
    /// The integers of a range with two finite ends.
    Integers(IntegerType),
    Array(Array),
    /// The entries of a hash, each as an array of key and value.
    Entries(Hash),
}

impl Progression {
    fn last_position(&self) -> u64 {
        self.first.wrapping_add(self.stride.wrapping_mul(self.count.saturating_sub(1)))
    }
}

impl ElementSource {
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "positions stay below the number of elements")]
    fn element_at(&self, position: u64) -> Value {
        let index = || usize::try_from(position).unwrap_or(usize::MAX);
        match self {
            ElementSource::Integers(range) => Value::Integer(range.from().wrapping_add_unsigned(position)),
            ElementSource::Array(array) => array[index()].clone(),
            ElementSource::Entries(hash) => {
                let (key, value) = hash.entry(index());
                Value::from([key.clone(), value.clone()])
            }
        }
    }
}

impl Iterator {
    /// Returns an iterator over the elements of `value`, or `None` if it is not Iterable.
    ///
    /// Iterable are strings (their characters), arrays, hashes (arrays of key and value), Integers from 0 (the numbers
    /// below them), Integer types with two finite ends, Enum types, and iterators.
    ///
    /// Observed: in Puppet 8.11, Integer types with an infinite end are not Iterable.
    pub fn from_iterable(value: &Value) -> Option<Iterator> {
        let elements = match value {
            Value::Array(array) => ElementSource::Array(array.clone()),
            Value::Hash(hash) => ElementSource::Entries(hash.clone()),
            Value::String(text) => {
                let mut buffer = [0; 4];
                let characters = text.chars().map(|character| Value::from(&*character.encode_utf8(&mut buffer)));
                ElementSource::Array(characters.collect())
            }
            Value::Integer(0) => ElementSource::Array(Array::default()),
            Value::Integer(end) => ElementSource::Integers(IntegerType::new(0, end.checked_sub(1)?)?),
            Value::Type(type_) => match &*type_.behind_aliases() {
                Type::Integer(range) if range.has_both_bounds() => ElementSource::Integers(*range),
                Type::Enum(enum_) => ElementSource::Array(enum_.values().iter().cloned().map(Value::String).collect()),
                _ => return None,
            },
            Value::Iterator(iterator) => return Some((**iterator).clone()),
            _ => return None,
        };
        Some(Iterator::from_source(Some(value.clone()), elements))
    }

    pub(crate) fn from_tree(tree: TreeEachArguments) -> Iterator {
        Iterator {
            source: None,
            kind: Kind::Tree { walk: TreeWalk::from_arguments(tree), skipped_before_first: 0, skipped_between: 0 },
        }
    }

    fn from_source(source: Option<Value>, elements: ElementSource) -> Iterator {
        let count = match &elements {
            // OK because the lower end is not the outermost: the count is at most 2^64 - 1.
            ElementSource::Integers(range) => range.to().abs_diff(range.from()) + 1,
            ElementSource::Array(array) => array.len() as u64,
            ElementSource::Entries(hash) => hash.len() as u64,
        };
        Iterator { source, kind: Kind::Counted(Progression { elements, first: 0, stride: 1, count, is_whole: true }) }
    }

    pub(crate) fn source_value(&self) -> Option<&Value> {
        self.source.as_ref()
    }

    /// Returns the hash that is iterated over; `None` for another source, or if entries are skipped or were reversed.
    ///
    /// Observed: Puppet 7.23; `None` even if the iterator was reversed twice.
    pub(crate) fn source_hash(&self) -> Option<&Hash> {
        match &self.kind {
            Kind::Counted(Progression { elements: ElementSource::Entries(hash), is_whole: true, .. }) => Some(hash),
            _ => None,
        }
    }

    fn with_traversal(&self, kind: Kind) -> Iterator {
        Iterator { source: self.source.clone(), kind }
    }

    /// Returns an iterator over every `step`-th element, starting with the first. `step` is at least 1.
    pub(crate) fn stepped_by(&self, step: u64) -> Iterator {
        self.with_traversal(match &self.kind {
            Kind::Counted(counted) => {
                let count = counted.count.div_ceil(step);
                // With one element left the stride is never taken, so it may wrap around.
                let stride = counted.stride.wrapping_mul(step);
                Kind::Counted(Progression { stride, count, is_whole: counted.is_whole && step == 1, ..counted.clone() })
            }
            Kind::Tree { walk, skipped_before_first: first, skipped_between: others } => {
                let step = usize::try_from(step).unwrap_or(usize::MAX);
                let others = others.saturating_add(1).saturating_mul(step) - 1;
                Kind::Tree { walk: walk.clone(), skipped_before_first: *first, skipped_between: others }
            }
        })
    }

    /// Returns an iterator from the last element to the first. Of a tree, it computes all nodes immediately.
    pub(crate) fn reversed(&self) -> Result<Iterator> {
        Ok(match &self.kind {
            Kind::Counted(counted) => {
                let (first, stride) = (counted.last_position(), counted.stride.wrapping_neg());
                let reversed = Progression { first, stride, is_whole: false, ..counted.clone() };
                self.with_traversal(Kind::Counted(reversed))
            }
            Kind::Tree { .. } => {
                let nodes = self.to_array()?.iter().rev().cloned().collect();
                Iterator::from_source(None, ElementSource::Array(nodes))
            }
        })
    }

    /// Returns the range from the lowest to the highest element if the source is a range of integers, otherwise `None`.
    pub(crate) fn integer_range(&self) -> Option<IntegerType> {
        let Kind::Counted(counted @ Progression { elements: ElementSource::Integers(_), .. }) = &self.kind else {
            return None;
        };
        match (counted.elements.element_at(counted.first), counted.elements.element_at(counted.last_position())) {
            (Value::Integer(first), Value::Integer(last)) => IntegerType::new(first.min(last), first.max(last)),
            _ => None,
        }
    }

    /// Computes all elements, in order. Fails with `LIMIT` if there are more than the limit on elements allows.
    pub fn elements(&self) -> Result<Vec<Value>> {
        Ok(self.to_array()?.to_vec())
    }

    pub(crate) fn to_array(&self) -> Result<Array> {
        let mut elements = BoundedVec::default();
        if matches!(&self.kind, Kind::Counted(counted) if counted.count > limits::current_limit(Limit::Elements)) {
            return Err(limits::limit_error(Limit::Elements));
        }
        self.iter_elements().try_for_each(|element| elements.push(element))?;
        Ok(elements.into_eco_vec().into())
    }

    /// Returns a Rust iterator over the elements, which starts at the first element in each call.
    pub fn iter_elements(&self) -> ElementIter {
        ElementIter(self.kind.clone())
    }
}

/// Two iterators are equal only if they are the same object.
impl PartialEq for Iterator {
    fn eq(&self, other: &Iterator) -> bool {
        std::ptr::eq(self, other)
    }
}

/// A Rust iterator over the elements of an [`Iterator`].
#[derive(Debug)]
pub struct ElementIter(Kind);

impl std::iter::Iterator for ElementIter {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        interrupt::take_step();
        match &mut self.0 {
            Kind::Counted(counted) => {
                counted.count = counted.count.checked_sub(1)?;
                let next = counted.elements.element_at(counted.first);
                counted.first = counted.first.wrapping_add(counted.stride);
                Some(next)
            }
            Kind::Tree { walk, skipped_before_first: first, skipped_between: others } => {
                walk.nth(std::mem::replace(first, *others))
            }
        }
    }
}
