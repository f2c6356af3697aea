//! The output buffer: a growing string with a size limit.
//!
//! A value may share its parts: forty arrays of two elements, each twice the one before, print as 2⁴⁰ elements. Writing
//! stops at a limit instead of exhausting the memory, and the error says so.

use std::fmt;

use crate::error::Result;
use crate::interrupt;
use crate::limits::{self, Limit, LimitError};

/// How many bytes most texts have at most: they need not grow.
pub(crate) const USUAL_BYTES: usize = 64;

/// A string in the making. `fmt::Error` from it always means that [`Limit::String`] is reached.
pub(super) struct Buffer {
    text: String,
}

impl Default for Buffer {
    fn default() -> Buffer {
        Buffer { text: String::with_capacity(USUAL_BYTES) }
    }
}

impl Buffer {
    /// Runs `write` on this buffer, and gives the whole text.
    pub(super) fn finish(mut self, write: impl FnOnce(&mut Buffer) -> fmt::Result) -> Result<String> {
        match write(&mut self) {
            Ok(()) => Ok(self.text),
            Err(fmt::Error) => Err(LimitError::StringBytes.into()),
        }
    }

    /// What is written so far.
    pub(super) fn into_text(self) -> String {
        self.text
    }
}

impl fmt::Write for Buffer {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        interrupt::step();
        if self.text.len() + piece.len() > limits::length_of(Limit::String) {
            return Err(fmt::Error);
        }
        self.text.push_str(piece);
        Ok(())
    }
}
