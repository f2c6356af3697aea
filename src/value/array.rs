//! The content of an Array such as `[1, 2]`: a shared, immutable sequence of values.

use std::hash::{Hash, Hasher};
use std::{borrow::Cow, ops::Deref};

use ecow::EcoVec;

use super::{HASHED_LEVELS, Value, drop_without_recursion, take_nested_values};
use crate::error::Result;
use crate::limits::BoundedVec;
use crate::{interrupt, stack};

/// A sequence of values. Cloning shares the elements.
#[derive(Clone, Debug)]
pub struct Array(EcoVec<Value>);

impl Array {
    /// Moves the elements that may contain other values to `pending`, to be dropped in a loop, unless they are shared.
    pub(super) fn move_nested_values(&mut self, pending: &mut Vec<Value>) {
        if self.0.is_unique() {
            take_nested_values(self.0.make_mut().iter_mut(), pending);
        }
    }

    /// Returns the array with the elements of `more` appended. It is extended in place if its elements are not shared.
    pub(crate) fn with_appended(mut self, more: &[Value]) -> Array {
        if !self.0.is_unique() {
            return interrupt::concatenate_slices(&[&self, more]).into();
        }
        self.0.extend(interrupt::step_through(more).cloned());
        self
    }

    pub(super) fn hash_elements_into<H: Hasher>(&self, levels: u32, state: &mut H) {
        interrupt::take_steps(self.len());
        self.len().hash(state);
        self.iter().for_each(|element| element.hash_element_into(levels - 1, state));
    }

    /// Returns the memory address of the elements. Arrays with the same address are equal, and one array to `annotate`.
    pub(crate) fn address(&self) -> usize {
        self.0.as_ptr().addr()
    }
}

impl Default for Array {
    fn default() -> Array {
        EcoVec::new().into()
    }
}

impl Drop for Array {
    fn drop(&mut self) {
        if !stack::has_enough_stack_to_drop() {
            let mut pending = Vec::new();
            self.move_nested_values(&mut pending);
            drop_without_recursion(pending);
        }
    }
}

impl Deref for Array {
    type Target = [Value];

    fn deref(&self) -> &[Value] {
        &self.0
    }
}

impl From<EcoVec<Value>> for Array {
    fn from(elements: EcoVec<Value>) -> Array {
        // An empty array, too, has an address of its own.
        Array(if elements.is_empty() { EcoVec::with_capacity(1) } else { elements })
    }
}

impl From<Vec<Value>> for Array {
    fn from(elements: Vec<Value>) -> Array {
        EcoVec::from(elements).into()
    }
}

impl<const N: usize> From<[Value; N]> for Array {
    fn from(elements: [Value; N]) -> Array {
        EcoVec::from(elements).into()
    }
}

impl FromIterator<Value> for Array {
    fn from_iter<I: IntoIterator<Item = Value>>(elements: I) -> Array {
        interrupt::step_through(elements).collect::<EcoVec<_>>().into()
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        let same_elements = || interrupt::step_through(self.iter().zip(other.iter())).all(|(a, b)| a == b);
        self.len() == other.len() && (self.address() == other.address() || stack::with_room(same_elements))
    }
}

impl Eq for Array {}

impl Hash for Array {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.hash_elements_into(HASHED_LEVELS, state);
    }
}

pub(crate) fn flatten(values: &[Value]) -> Result<Cow<'_, [Value]>> {
    if !values.iter().any(|value| matches!(value, Value::Array(_))) {
        return Ok(Cow::Borrowed(values));
    }
    let mut flat = BoundedVec::default();
    let mut open = vec![values];
    while let Some(values) = open.pop() {
        let Some((first, rest)) = values.split_first() else { continue };
        interrupt::take_step();
        open.push(rest);
        match first {
            Value::Array(array) => open.push(array),
            other => flat.push(other.clone())?,
        }
    }
    Ok(Cow::Owned(flat.into_vec()))
}
