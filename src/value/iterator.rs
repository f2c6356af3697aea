//! What `reverse_each`, `step` and `tree_each` answer: elements that come into being when they are drawn.
//!
//! Everything that can be iterated over, except a tree, has a known number of elements that can be reached by their
//! position. Over these an [`Iterator`] is an arithmetic progression of positions (first, stride, count): `step`
//! multiplies the stride, `reverse_each` starts at the other end and negates it, and nothing is computed before the
//! first element is drawn. A tree is walked, its nodes are found one by one.

use std::sync::Arc;

use super::tree::{Tree, Walk};
use super::{Array, Hash, Value};
use crate::error::Result;
use crate::interrupt;
use crate::limits::{self, BoundedVec, Limit, LimitError};
use crate::types::{IntegerType, Type};

/// Elements on demand. Cloning shares them; every [`draw`](Iterator::draw) starts at the first one.
/// ```
/// let reversed = pcore::Session::default().eval("[1, 2, 3].reverse_each")?;
/// let pcore::Value::Iterator(iterator) = reversed else { panic!("reverse_each returns an Iterator") };
/// assert_eq!(iterator.draw().filter_map(|value| value.as_integer()).collect::<Vec<_>>(), [3, 2, 1]);
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Iterator {
    /// The collection that is iterated over; `None` for the nodes of a tree.
    source: Option<Value>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Counted(Counted),
    /// Every so many nodes of a tree.
    Tree {
        tree: Arc<Tree>,
        step: u64,
    },
}

#[derive(Clone, Debug)]
struct Counted {
    elements: Elements,
    first: i128,
    stride: i128,
    count: u64,
    /// Whether these are all elements in the order of the source, and always were.
    is_whole: bool,
}

#[derive(Clone, Debug)]
enum Elements {
    /// The whole numbers of a range; its ends are finite.
    Integers(IntegerType),
    Array(Array),
    /// Each entry as an array of key and value.
    Entries(Hash),
}

impl Elements {
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "positions stay below the number of elements")]
    fn at(&self, position: i128) -> Value {
        let index = || usize::try_from(position).unwrap_or(usize::MAX);
        match self {
            Elements::Integers(range) => {
                let number = i128::from(range.from()) + position;
                Value::Integer(i64::try_from(number).unwrap_or(i64::MAX)) // OK because the ends are Integers.
            }
            Elements::Array(array) => array[index()].clone(),
            Elements::Entries(hash) => pair(hash.entry(index())),
        }
    }
}

/// An entry of a hash as a block with one parameter receives it: `[key, value]`.
fn pair((key, value): (&Value, &Value)) -> Value {
    Value::from([key.clone(), value.clone()])
}

impl Iterator {
    /// The elements of `value`; `None` if it is not Iterable.
    ///
    /// Iterable are strings (their characters), arrays, hashes (arrays of key and value), Integers from 0 (the numbers
    /// below them), Integer types with both ends, Enum types, and iterators.
    ///
    /// Observed: Puppet 8.11 takes Integer types with an open end as not Iterable.
    pub fn over(value: &Value) -> Option<Iterator> {
        let all = |elements, count: usize| Some(Iterator::all(value, elements, count as u64));
        match value {
            Value::Array(array) => all(Elements::Array(array.clone()), array.len()),
            Value::Hash(hash) => all(Elements::Entries(hash.clone()), hash.len()),
            Value::String(text) => {
                let mut buffer = [0; 4];
                let characters = text.chars().map(|character| Value::from(&*character.encode_utf8(&mut buffer)));
                let characters: Array = characters.collect();
                all(Elements::Array(characters.clone()), characters.len())
            }
            Value::Integer(0) => all(Elements::Array(Array::default()), 0),
            Value::Integer(end) => Iterator::over_range(value, IntegerType::new(0, end.checked_sub(1)?)?),
            Value::Type(type_) => Iterator::over_type(value, type_),
            Value::Iterator(iterator) => Some((**iterator).clone()),
            _ => None,
        }
    }

    fn over_type(source: &Value, type_: &Type) -> Option<Iterator> {
        match &*type_.behind_aliases() {
            Type::Integer(range) => Iterator::over_range(source, *range),
            Type::Enum(enum_) => {
                let values: Array = enum_.values().iter().cloned().map(Value::String).collect();
                let count = values.len() as u64;
                Some(Iterator::all(source, Elements::Array(values), count))
            }
            _ => None,
        }
    }

    fn over_range(source: &Value, range: IntegerType) -> Option<Iterator> {
        if !range.has_ends() {
            return None;
        }
        // OK because the lower end is not the outermost: the count is at most 2^64 - 1.
        let count = range.to().abs_diff(range.from()) + 1;
        Some(Iterator::all(source, Elements::Integers(range), count))
    }

    pub(crate) fn over_tree(tree: Tree) -> Iterator {
        Iterator { source: None, kind: Kind::Tree { tree: Arc::new(tree), step: 1 } }
    }

    fn all(source: &Value, elements: Elements, count: u64) -> Iterator {
        let kind = Kind::Counted(Counted { elements, first: 0, stride: 1, count, is_whole: true });
        Iterator { source: Some(source.clone()), kind }
    }

    /// The collection whose elements these are, in whatever selection and order; `None` for the nodes of a tree.
    pub(crate) fn source(&self) -> Option<&Value> {
        self.source.as_ref()
    }

    /// 1}.step(1)` gives still has keys. => The hash whose entries these are, if all are there in order: `{'a' =>
    /// 1}.step(1)` still has keys.
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
    #[must_use]
    pub(crate) fn step(&self, step: u64) -> Iterator {
        self.with_kind(match &self.kind {
            Kind::Counted(counted) => {
                let count = counted.count.div_ceil(step);
                // With one element left the stride is never taken, and may be too long to multiply.
                let stride = if count > 1 { counted.stride * i128::from(step) } else { counted.stride };
                Kind::Counted(Counted { stride, count, is_whole: counted.is_whole && step == 1, ..counted.clone() })
            }
            Kind::Tree { tree, step: outer } => Kind::Tree { tree: tree.clone(), step: outer.saturating_mul(step) },
        })
    }

    /// Whether these are numbers of a range, which no collection holds.
    pub(crate) fn counts(&self) -> bool {
        match &self.kind {
            Kind::Counted(counted) => matches!(counted.elements, Elements::Integers(_)),
            Kind::Tree { .. } => false,
        }
    }

    /// The elements from the last to the first. All nodes of a tree are found for that.
    pub(crate) fn reversed(&self) -> Result<Iterator> {
        Ok(match &self.kind {
            Kind::Counted(counted) => {
                let to_the_last = counted.stride * i128::from(counted.count.saturating_sub(1));
                let (first, stride) = (counted.first + to_the_last, -counted.stride);
                self.with_kind(Kind::Counted(Counted { first, stride, is_whole: false, ..counted.clone() }))
            }
            Kind::Tree { .. } => {
                let nodes: Array = self.collected()?.iter().rev().cloned().collect();
                let count = nodes.len();
                Iterator { source: None, ..Iterator::all(&Value::Undef, Elements::Array(nodes), count as u64) }
            }
        })
    }

    pub(crate) fn count(&self) -> Option<u64> {
        match &self.kind {
            Kind::Counted(counted) => Some(counted.count),
            Kind::Tree { .. } => None,
        }
    }

    /// The lowest and the highest element, if the elements are the numbers of one range.
    pub(crate) fn range(&self) -> Option<IntegerType> {
        let Kind::Counted(counted @ Counted { elements: Elements::Integers(_), .. }) = &self.kind else { return None };
        let last = counted.first + counted.stride * i128::from(counted.count.saturating_sub(1));
        match (counted.elements.at(counted.first), counted.elements.at(last)) {
            (Value::Integer(first), Value::Integer(last)) => IntegerType::new(first.min(last), first.max(last)),
            _ => None,
        }
    }

    /// All elements at once.
    ///
    /// # Errors
    /// `LIMIT` when there are more than an array can hold.
    pub fn elements(&self) -> Result<Vec<Value>> {
        Ok(self.collected()?.to_vec())
    }

    /// An array of all elements.
    pub(crate) fn collected(&self) -> Result<Array> {
        let mut elements = BoundedVec::default();
        if self.count().is_some_and(|count| count > limits::of(Limit::Elements)) {
            return Err(LimitError::Elements.into());
        }
        self.draw().try_for_each(|element| elements.push(element))?;
        Ok(elements.into_elements().into())
    }

    /// The elements, from the first on.
    pub fn draw(&self) -> Draw {
        Draw(match &self.kind {
            Kind::Counted(counted) => Source::Counted(counted.clone()),
            Kind::Tree { tree, step } => Source::Tree { walk: Tree::walk(tree), skip: 0, step: *step },
        })
    }
}

/// A run through an [`Iterator`].
#[derive(Debug)]
pub struct Draw(Source);

#[derive(Debug)]
enum Source {
    /// The elements that are still to be drawn.
    Counted(Counted),
    Tree {
        walk: Walk,
        skip: u64,
        step: u64,
    },
}

impl std::iter::Iterator for Draw {
    type Item = Value;

    #[inline]
    fn next(&mut self) -> Option<Value> {
        interrupt::step();
        match &mut self.0 {
            Source::Counted(counted) => {
                counted.count = counted.count.checked_sub(1)?;
                let next = counted.elements.at(counted.first);
                counted.first += counted.stride;
                Some(next)
            }
            Source::Tree { walk, skip, step } => {
                for _ in 0..std::mem::replace(skip, *step - 1) {
                    interrupt::step();
                    walk.next()?;
                }
                walk.next()
            }
        }
    }
}
