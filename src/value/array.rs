//! `[1, 2]`: a shared, immutable sequence.

use std::ops::Deref;

use triomphe::Arc;

use super::shared::{LastAnswer, Many, Shared};
use super::{MANY, Value, drop_flat, take_nested};
use crate::error::Result;
use crate::limits::BoundedVec;
use crate::{interrupt, stack};

/// A sequence of values. Cloning shares the elements.
/// ```
/// use pcore::value::{Array, Value};
/// let array: Array = vec![Value::from(80), Value::from("web")].into();
/// assert_eq!((array.len(), array[1].as_str()), (2, Some("web")));
/// assert_eq!(Value::from(array).to_string(), "[80, 'web']");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Array(Shared<Value, Vec<Value>>);

/// How many elements are copied rather than kept with room for more.
const FEW: usize = 32;

impl Array {
    /// Moves what would need a deep stack to be freed into `pending`, and many elements at once, when nobody else holds
    /// them.
    pub(super) fn unlink(&mut self, pending: &mut Vec<Value>) {
        match &mut self.0 {
            Shared::Few(few) => take_nested(Arc::get_mut(few).into_iter().flat_map(|few| &mut few.slice), pending),
            Shared::Many(many) => match Many::alone(many) {
                // Copying would take as much memory again.
                Some(many) if pending.is_empty() => std::mem::swap(pending, many),
                Some(many) => pending.append(many),
                None => {}
            },
        }
    }

    /// The elements of `values` from `at` on, which are taken away there.
    pub(crate) fn split_off(values: &mut Vec<Value>, at: usize) -> Array {
        if values.len() - at <= FEW {
            return Array(Shared::few(values.drain(at..)));
        }
        // All of them need no copy.
        Array(Shared::many(if at == 0 { std::mem::take(values) } else { values.drain(at..).collect() }))
    }

    /// The same with `more` at the end; in place if there are many and nobody else holds them.
    pub(crate) fn extended(mut self, more: &[Value]) -> Array {
        if let Shared::Many(many) = &mut self.0
            && let Some(elements) = Many::alone(many)
        {
            elements.extend(interrupt::each(more).cloned());
            return self;
        }
        interrupt::copied(&[&self, more]).into()
    }

    pub(crate) fn is_shared(&self) -> bool {
        self.0.is_shared()
    }

    /// Whether both are the very same elements in memory: a quick *yes* for equality and a key for memo tables.
    pub(crate) fn address(&self) -> usize {
        self.0.address()
    }

    /// The memory of what a type has said last about it; it is empty again once the array has grown in place.
    #[inline]
    pub(crate) fn last_answer(&self) -> &LastAnswer {
        self.0.last_answer()
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if !self.is_shared() && (self.len() > MANY || self.iter().any(Value::is_nested)) {
            let mut pending = Vec::new();
            self.unlink(&mut pending);
            drop_flat(pending);
        }
    }
}

impl Deref for Array {
    type Target = [Value];

    #[inline]
    fn deref(&self) -> &[Value] {
        match &self.0 {
            Shared::Few(few) => &few.slice,
            Shared::Many(many) => &many.collection,
        }
    }
}

impl From<Vec<Value>> for Array {
    fn from(mut elements: Vec<Value>) -> Array {
        Array::split_off(&mut elements, 0)
    }
}

impl<const N: usize> From<[Value; N]> for Array {
    fn from(elements: [Value; N]) -> Array {
        if N <= FEW { Array(Shared::few(elements.into_iter())) } else { Vec::from(elements).into() }
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Array {
        interrupt::each(elements).collect::<Vec<_>>().into()
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        let same_elements = || interrupt::each(self.iter().zip(other.iter())).all(|(a, b)| a == b);
        self.len() == other.len() && (self.address() == other.address() || stack::with_room(same_elements))
    }
}

impl Eq for Array {}

impl std::hash::Hash for Array {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        // Two levels tell keys apart well enough, and deep keys need no deep stack.
        interrupt::take_steps(self.len());
        self.len().hash(state);
        for element in self.iter() {
            match element {
                Value::Array(inner) => inner.len().hash(state),
                Value::Hash(inner) => inner.len().hash(state),
                Value::String(text) => {
                    interrupt::step_over_bytes(text.len());
                    element.hash(state);
                }
                other => other.hash(state),
            }
        }
    }
}

/// `values` with nested arrays taken apart: a value that shares its parts may have no end of elements.
///
/// # Errors
/// `LIMIT` if there are too many.
pub(crate) fn flattened(values: &[Value]) -> Result<Vec<Value>> {
    let mut flat = BoundedVec::default();
    let mut open = vec![values];
    while let Some(values) = open.pop() {
        let Some((first, rest)) = values.split_first() else { continue };
        interrupt::step();
        open.push(rest);
        match first {
            Value::Array(array) => open.push(array),
            other => flat.push(other.clone())?,
        }
    }
    Ok(flat.into_vec())
}
