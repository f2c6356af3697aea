//! Arrays that grow in a loop, up to a limit: a program that would eat all memory ends in an error.

use std::fmt;

use super::Value;
use crate::error::{Error, Kind, Result};

/// The most elements an array can grow to.
pub(crate) const MAX_ELEMENTS: usize = 10_000_000;

/// The elements of an array that is being made.
#[derive(Default)]
pub(crate) struct Growing(Vec<Value>);

/// Something grew too large.
struct TooManyElements;

impl Kind for TooManyElements {
    fn issue(&self) -> &'static str {
        "LIMIT"
    }

    fn help(&self) -> Option<String> {
        Some("take fewer elements: filter, slice or break() earlier".to_owned())
    }
}

impl fmt::Display for TooManyElements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a collection grew beyond {MAX_ELEMENTS} elements")
    }
}

/// Refuses a collection of that many elements beyond [`MAX_ELEMENTS`].
///
/// # Errors
/// `LIMIT`
pub(crate) fn check_elements(count: usize) -> Result<()> {
    if count > MAX_ELEMENTS { Err(Growing::too_many()) } else { Ok(()) }
}

impl Growing {
    /// One more element.
    ///
    /// # Errors
    /// There are [`MAX_ELEMENTS`] already.
    pub(crate) fn push(&mut self, value: Value) -> Result<()> {
        if self.0.len() == MAX_ELEMENTS {
            return Err(Growing::too_many());
        }
        self.0.push(value);
        Ok(())
    }

    /// The error of an array beyond [`MAX_ELEMENTS`].
    pub(crate) fn too_many() -> Error {
        TooManyElements.into()
    }

    /// The elements.
    pub(crate) fn into_vec(self) -> Vec<Value> {
        self.0
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl From<Growing> for Value {
    fn from(growing: Growing) -> Value {
        Value::from(growing.0)
    }
}
