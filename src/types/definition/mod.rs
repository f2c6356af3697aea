//! The building blocks of a type's definition: the trait that each type implements, and helpers for arguments, sizes,
//! names, the string form of the type and constructors.

pub(super) mod arguments;
pub(super) mod construct;
pub(super) mod error;
mod instantiate;
pub(super) mod nested_type;
pub(super) mod object_definition;
pub(crate) mod rules;
pub(super) mod text;
pub(super) mod time_range;
mod written;

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

pub use arguments::Size;
pub(crate) use instantiate::Expected;
pub use nested_type::NestedType;
pub use rules::{Example, Row, visible};
pub(crate) use rules::{Replace, Rules, around_type, example, row};
pub use time_range::TimeRange;
pub(crate) use written::written;

/// What follows from the rest of a type, once it was asked for: types are compared without it.
#[derive(Clone, Debug, Default)]
pub(in crate::types) struct Known<T>(pub(in crate::types) OnceLock<T>);

impl<T> PartialEq for Known<T> {
    fn eq(&self, _: &Known<T>) -> bool {
        true
    }
}

impl<T> Eq for Known<T> {}

impl<T> Hash for Known<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
