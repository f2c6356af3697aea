//! Explanations about types: why a value does not match, how two types differ, examples, and simpler forms of a type.

pub mod counterexample;
pub mod difference;
pub mod examples;
// Drawn by `:tree`; too close to its layout to be a library.
#[doc(hidden)]
pub mod hierarchy;
mod json;
mod leaf_values;
pub mod meet;
pub mod mismatch;
pub mod rewrite;
mod sample_values;
pub mod shape;

use crate::error::{Error, Result};
use crate::types::{Type, definition::UnexpectedValue};
use crate::value::Value;
use mismatch::{add_explanation, mismatches};

/// Adds to an error of a constructor the explanation of why a value does not match; other errors are unchanged.
pub(crate) fn explain_constructor_error(error: Error) -> Error {
    let Some(UnexpectedValue { expected_type: type_, value, says_first }) = error.explanation().cloned() else {
        return error;
    };
    let says_more = || {
        let wrong = mismatches(&type_, &value);
        wrong.len() > 1 || wrong.iter().any(|wrong| !wrong.suggestions.is_empty())
    };
    if !says_first || says_more() { add_explanation(error, &type_, &value) } else { error }
}

impl Type {
    /// Evaluates `self.new(arguments…)`. A single value that is already of the type is returned unchanged.
    pub fn construct(&self, arguments: &[Value]) -> Result<Value> {
        self.construct_unexplained(arguments).map_err(explain_constructor_error)
    }
}
