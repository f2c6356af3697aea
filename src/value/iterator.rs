//! What `reverse_each`, `step` and `tree_each` answer: elements that come into being when they are drawn.
//!
//! Everything that can be iterated over, except a tree, has a known number of elements that can be reached by their
//! position. Over these an [`Iterator`] is an arithmetic progression of positions (first, stride, count): `step`
//! multiplies the stride, `reverse_each` starts at the other end and negates it, and nothing is computed before the
//! first element is drawn. A tree is walked, its nodes are found one by one.

use super::tree::{Tree, Walk};
use super::{Array, Hash, Value};
use crate::error::Result;
use crate::interrupt;
use crate::limits::{self, BoundedVec, Limit};
use crate::types::{IntegerType, Type};

/// A lazy sequence of elements. Cloning shares them; every call of [`draw`](Iterator::draw) starts at the first one.
#[derive(Clone, Debug)]
pub struct Iterator {
    /// The collection that is iterated over; `None` for the nodes of a tree.
    source: Option<Value>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Elements that are reached by their positions.
    Counted(Counted),
    /// The nodes of a tree: the numbers of nodes to skip before the first node and before each other one.
    Tree { walk: Walk, first: usize, others: usize },
}

#[derive(Clone, Debug)]
struct Counted {
    elements: Elements,
    /// The position of the first element.
    first: u64,
    /// The distance from the position of an element to that of the next; backwards as the two's complement.
    stride: u64,
    count: u64,
    /// Whether the iterator has all elements of the source in their order, and was never reversed.
    is_whole: bool,
}

#[derive(Clone, Debug)]
enum Elements {
    /// The integers of a range whose ends are both finite.
    Integers(IntegerType),
    Array(Array),
    /// Each entry as an array of key and value.
    Entries(Hash),
}

impl Counted {
    /// The position of the last element.
    fn last(&self) -> u64 {
        self.first.wrapping_add(self.stride.wrapping_mul(self.count.saturating_sub(1)))
    }
}

impl Elements {
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "positions stay below the number of elements")]
    fn at(&self, position: u64) -> Value {
        let index = || usize::try_from(position).unwrap_or(usize::MAX);
        match self {
            Elements::Integers(range) => Value::Integer(range.from().wrapping_add_unsigned(position)),
            Elements::Array(array) => array[index()].clone(),
            Elements::Entries(hash) => {
                let (key, value) = hash.entry(index());
                Value::from([key.clone(), value.clone()])
            }
        }
    }
}

impl Iterator {
    /// The elements of `value`; `None` if it is not Iterable.
    ///
    /// Iterable are strings (their characters), arrays, hashes (arrays of key and value), Integers from 0 (the numbers
    /// below them), Integer types with both ends, Enum types, and iterators.
    ///
    /// Observed: Puppet 8.11 takes Integer types with an open end as not Iterable.
    pub fn over(value: &Value) -> Option<Iterator> {
        let elements = match value {
            Value::Array(array) => Elements::Array(array.clone()),
            Value::Hash(hash) => Elements::Entries(hash.clone()),
            Value::String(text) => {
                let mut buffer = [0; 4];
                let characters = text.chars().map(|character| Value::from(&*character.encode_utf8(&mut buffer)));
                Elements::Array(characters.collect())
            }
            Value::Integer(0) => Elements::Array(Array::default()),
            Value::Integer(end) => Elements::Integers(IntegerType::new(0, end.checked_sub(1)?)?),
            Value::Type(type_) => match &*type_.behind_aliases() {
                Type::Integer(range) if range.has_ends() => Elements::Integers(*range),
                Type::Enum(enum_) => Elements::Array(enum_.values().iter().cloned().map(Value::String).collect()),
                _ => return None,
            },
            Value::Iterator(iterator) => return Some((**iterator).clone()),
            _ => return None,
        };
        Some(Iterator::all(Some(value.clone()), elements))
    }

    pub(crate) fn over_tree(tree: Tree) -> Iterator {
        Iterator { source: None, kind: Kind::Tree { walk: Walk::new(tree), first: 0, others: 0 } }
    }

    fn all(source: Option<Value>, elements: Elements) -> Iterator {
        let count = match &elements {
            // OK because the lower end is not the outermost: the count is at most 2^64 - 1.
            Elements::Integers(range) => range.to().abs_diff(range.from()) + 1,
            Elements::Array(array) => array.len() as u64,
            Elements::Entries(hash) => hash.len() as u64,
        };
        Iterator { source, kind: Kind::Counted(Counted { elements, first: 0, stride: 1, count, is_whole: true }) }
    }

    /// The collection that is iterated over, in whatever order and selection; `None` for the nodes of a tree.
    pub(crate) fn source(&self) -> Option<&Value> {
        self.source.as_ref()
    }

    /// The hash whose entries these are, if all are there in order: `{'a' => 1}.step(1)` still has keys.
    ///
    /// Observed: Puppet 7.23; elements in another order have none, even when that is turned back.
    pub(crate) fn as_hash(&self) -> Option<&Hash> {
        match &self.kind {
            Kind::Counted(Counted { elements: Elements::Entries(hash), is_whole: true, .. }) => Some(hash),
            _ => None,
        }
    }

    fn with_kind(&self, kind: Kind) -> Iterator {
        Iterator { source: self.source.clone(), kind }
    }

    /// Every `step`-th element, beginning with the first. `step` is at least 1.
    pub(crate) fn step(&self, step: u64) -> Iterator {
        self.with_kind(match &self.kind {
            Kind::Counted(counted) => {
                let count = counted.count.div_ceil(step);
                // With one element left the stride is never taken, so it may wrap around.
                let stride = counted.stride.wrapping_mul(step);
                Kind::Counted(Counted { stride, count, is_whole: counted.is_whole && step == 1, ..counted.clone() })
            }
            Kind::Tree { walk, first, others } => {
                let step = usize::try_from(step).unwrap_or(usize::MAX);
                Kind::Tree {
                    walk: walk.clone(),
                    first: *first,
                    others: others.saturating_add(1).saturating_mul(step) - 1,
                }
            }
        })
    }

    /// The elements from the last to the first. For a tree, this visits all nodes.
    pub(crate) fn reversed(&self) -> Result<Iterator> {
        Ok(match &self.kind {
            Kind::Counted(counted) => {
                let (first, stride) = (counted.last(), counted.stride.wrapping_neg());
                self.with_kind(Kind::Counted(Counted { first, stride, is_whole: false, ..counted.clone() }))
            }
            Kind::Tree { .. } => {
                let nodes = self.collected()?.iter().rev().cloned().collect();
                Iterator::all(None, Elements::Array(nodes))
            }
        })
    }

    /// The lowest and the highest element, if the elements are the numbers of one range.
    pub(crate) fn range(&self) -> Option<IntegerType> {
        let Kind::Counted(counted @ Counted { elements: Elements::Integers(_), .. }) = &self.kind else { return None };
        match (counted.elements.at(counted.first), counted.elements.at(counted.last())) {
            (Value::Integer(first), Value::Integer(last)) => IntegerType::new(first.min(last), first.max(last)),
            _ => None,
        }
    }

    /// All elements at once.
    pub fn elements(&self) -> Result<Vec<Value>> {
        Ok(self.collected()?.to_vec())
    }

    pub(crate) fn collected(&self) -> Result<Array> {
        let mut elements = BoundedVec::default();
        if matches!(&self.kind, Kind::Counted(counted) if counted.count > limits::of(Limit::Elements)) {
            return Err(limits::exceeded(Limit::Elements));
        }
        self.draw().try_for_each(|element| elements.push(element))?;
        Ok(elements.into_elements().into())
    }

    /// The elements, from the first on.
    pub fn draw(&self) -> Draw {
        Draw(self.kind.clone())
    }
}

/// Identity.
impl PartialEq for Iterator {
    fn eq(&self, other: &Iterator) -> bool {
        std::ptr::eq(self, other)
    }
}

/// A Rust iterator over the elements of an [`Iterator`].
#[derive(Debug)]
pub struct Draw(Kind);

impl std::iter::Iterator for Draw {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        interrupt::step();
        match &mut self.0 {
            Kind::Counted(counted) => {
                counted.count = counted.count.checked_sub(1)?;
                let next = counted.elements.at(counted.first);
                counted.first = counted.first.wrapping_add(counted.stride);
                Some(next)
            }
            Kind::Tree { walk, first, others } => walk.nth(std::mem::replace(first, *others)),
        }
    }
}
