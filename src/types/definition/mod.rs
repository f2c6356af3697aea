//! The code that the files of all types share: the trait that each type implements, and helpers for parameters, sizes,
//! the string form of a type, and constructors.

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
pub(crate) use instantiate::UnexpectedValue;
pub use nested_type::NestedType;
pub use rules::{Example, Row, nameable_type_rows};
pub(crate) use rules::{Replace, Rules, around_type, new_example, row};
pub use time_range::TimeRange;
pub(crate) use written::written;

/// A cached value that is computed from the other fields of a type. Comparing and hashing the type ignore it.
#[derive(Clone, Debug, Default)]
pub(in crate::types) struct CachedField<T>(pub(in crate::types) OnceLock<T>);

impl<T> PartialEq for CachedField<T> {
    fn eq(&self, _: &CachedField<T>) -> bool {
        true
    }
}

impl<T> Eq for CachedField<T> {}

impl<T> Hash for CachedField<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
