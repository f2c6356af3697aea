//! The subject of a search that can be interrupted.
//!
//! The backtracking engine asks its subject for the text at every step. So the subject is where a raised interrupt is
//! noticed, in the middle of a search that would go on for seconds.

use std::ops::Range;

use fancy_regex::Input;

use crate::interrupt;

/// The length from which each step of the engine polls the interrupt: one step may read the whole text.
const LONG_BYTES: usize = 4 << 10;

#[derive(Debug)]
pub(super) struct Watched<'a>(pub(super) &'a str);

impl Input for Watched<'_> {
    type Match<'t>
        = Range<usize>
    where
        Self: 't;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn as_bytes(&self) -> &[u8] {
        if self.0.len() < LONG_BYTES {
            interrupt::step();
        } else {
            interrupt::poll();
        }
        self.0.as_bytes()
    }

    fn is_char_boundary(&self, at: usize) -> bool {
        self.0.is_char_boundary(at)
    }

    fn is_ascii(&self) -> bool {
        self.0.is_ascii()
    }

    fn prev_codepoint_ix(&self, at: usize) -> usize {
        Input::prev_codepoint_ix(self.0, at)
    }

    fn make_match(&self, start: usize, end: usize) -> Range<usize> {
        start..end
    }

    fn advance_position(&self, at: usize) -> usize {
        Input::advance_position(self.0, at)
    }
}
