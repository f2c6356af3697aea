//! The building blocks of a type's definition: the trait that each type implements, and helpers for arguments, sizes,
//! names, the string form of the type and constructors.

pub(super) mod arguments;
pub(super) mod construct;
pub(super) mod error;
mod instantiate;
pub(super) mod nested_type;
pub(super) mod object_definition;
pub(crate) mod rules;
pub(super) mod size;
pub(super) mod text;
pub(super) mod time_range;

pub(crate) use instantiate::Expected;
pub use nested_type::NestedType;
pub use rules::{Example, Row, visible};
pub(crate) use rules::{Replace, Rules, example, row};
pub use size::Size;
pub use time_range::TimeRange;
