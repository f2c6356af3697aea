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

pub use arguments::Size;
pub(crate) use instantiate::UnexpectedValue;
pub use nested_type::NestedType;
pub use rules::{Example, Row, nameable_type_rows};
pub(crate) use rules::{Replace, Rules, around_type, new_example, row};
pub use time_range::TimeRange;
pub(crate) use written::written;

/// A field that comparing and hashing ignore, such as a cached value that is computed from the other fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct NotCompared<T>(pub(crate) T);

impl<T> PartialEq for NotCompared<T> {
    fn eq(&self, _: &NotCompared<T>) -> bool {
        true
    }
}

impl<T> Eq for NotCompared<T> {}

impl<T> Hash for NotCompared<T> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
