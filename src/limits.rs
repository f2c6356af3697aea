//! Limits on the size of data, and the error for exceeding them.
//!
//! Used by every module: whatever grows with the user's data is checked against a constant of this file.

use std::fmt;

use crate::error::{Kind, LIMIT, Result};

/// The most elements of an array, and the most entries of a hash.
pub(crate) const MAX_ELEMENTS: usize = 10_000_000;

/// The longest string that is made of values, in bytes.
pub const MAX_STRING_BYTES: usize = 64 << 20;

/// Something grew beyond a limit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum LimitError {
    /// `Array(9223372036854775807)`
    Elements,
    /// `String($huge)`
    StringBytes,
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LimitError::Elements => write!(f, "a collection grew beyond {MAX_ELEMENTS} elements"),
            LimitError::StringBytes => write!(f, "a string grew beyond {} MiB", MAX_STRING_BYTES >> 20),
        }
    }
}

impl Kind for LimitError {
    fn code(&self) -> &'static str {
        LIMIT
    }

    fn help(&self) -> Option<String> {
        match self {
            LimitError::Elements => {
                Some("reduce the number of elements: use filter, slice or break() earlier".to_owned())
            }
            LimitError::StringBytes => None,
        }
    }
}

/// Rejects a collection of more than [`MAX_ELEMENTS`].
///
/// # Errors
/// `LIMIT`
pub(crate) fn check_elements(count: usize) -> Result<()> {
    if count > MAX_ELEMENTS { Err(LimitError::Elements.into()) } else { Ok(()) }
}

/// Rejects a string of more than [`MAX_STRING_BYTES`] before it is made.
///
/// # Errors
/// `LIMIT`
pub(crate) fn check_string_bytes(bytes: usize) -> Result<()> {
    if bytes > MAX_STRING_BYTES { Err(LimitError::StringBytes.into()) } else { Ok(()) }
}

/// A vector that grows in a loop, up to [`MAX_ELEMENTS`].
pub(crate) struct BoundedVec<T>(Vec<T>);

impl<T> Default for BoundedVec<T> {
    fn default() -> BoundedVec<T> {
        BoundedVec(Vec::new())
    }
}

impl<T> BoundedVec<T> {
    /// Adds one element.
    ///
    /// # Errors
    /// `LIMIT` if there are [`MAX_ELEMENTS`] already.
    pub(crate) fn push(&mut self, element: T) -> Result<()> {
        check_elements(self.0.len() + 1)?;
        self.0.push(element);
        Ok(())
    }

    /// The elements.
    pub(crate) fn into_vec(self) -> Vec<T> {
        self.0
    }

    /// The number of elements.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}
