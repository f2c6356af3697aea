//! `[1, 2]`: a shared, immutable sequence.

use std::ops::Deref;
use std::sync::Arc;

use super::{MANY, Value, drop_flat};
use crate::{interrupt, stack};

/// A sequence of values. Cloning shares the elements.
/// ```
/// use pcore::value::{Array, Value};
/// let array: Array = vec![Value::from(80), Value::from("web")].into();
/// assert_eq!((array.len(), array[1].as_str()), (2, Some("web")));
/// assert_eq!(Value::from(array).to_string(), "[80, 'web']");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Array(Arc<Vec<Value>>);

impl Array {
    /// Moves the elements into `pending` when nobody else holds them.
    pub(super) fn unlink(mut self, pending: &mut Vec<Value>) {
        /// So many elements are freed at once.
        const FEW: usize = 64;
        match Arc::get_mut(&mut self.0) {
            Some(elements) if elements.len() > FEW || elements.iter().any(Value::is_nested) => pending.append(elements),
            _ => {}
        }
    }

    /// The same with `more` at the end; in place if nobody else holds the elements.
    pub(crate) fn extended(mut self, more: &[Value]) -> Array {
        match Arc::get_mut(&mut self.0) {
            Some(elements) => {
                elements.extend(interrupt::each(more).cloned());
                self
            }
            None => interrupt::copied(&[&self, more]).into(),
        }
    }

    /// Whether somebody else holds the elements too.
    pub(crate) fn is_shared(&self) -> bool {
        Arc::strong_count(&self.0) > 1
    }

    /// Whether both are the very same elements in memory: a quick *yes* for equality and a key for memo tables.
    pub(crate) fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        // Counting is cheaper than `get_mut`, which locks.
        if Arc::strong_count(&self.0) == 1
            && (self.0.len() > MANY || self.0.iter().any(Value::is_nested))
            && let Some(elements) = Arc::get_mut(&mut self.0)
        {
            drop_flat(std::mem::take(elements));
        }
    }
}

impl Deref for Array {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl From<Vec<Value>> for Array {
    fn from(elements: Vec<Value>) -> Array {
        Array(Arc::new(elements))
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
        Arc::ptr_eq(&self.0, &other.0) || (self.len() == other.len() && stack::with_room(same_elements))
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
                other => other.hash(state),
            }
        }
    }
}
