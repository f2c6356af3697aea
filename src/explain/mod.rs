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
use crate::types::{Type, definition::Expected};
use crate::value::Value;
use mismatch::{explained, mismatches};

/// Adds the explanation of the mismatch to an error of a constructor, if it is about a value that does not match.
pub(crate) fn completed(error: Error) -> Error {
    let Some(Expected { type_, value, says_first }) = error.explanation().cloned() else { return error };
    let says_more = || {
        let wrong = mismatches(&type_, &value);
        wrong.len() > 1 || wrong.iter().any(|wrong| !wrong.suggestions.is_empty())
    };
    if !says_first || says_more() { explained(error, &type_, &value) } else { error }
}

impl Type {
    /// Evaluates `self.new(arguments…)`. A value that is already of the type stays as it is.
    pub fn construct(&self, arguments: &[Value]) -> Result<Value> {
        self.made_of(arguments).map_err(completed)
    }
}
