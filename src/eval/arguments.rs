//! The arguments of a call, with their locations in the program for errors.

use std::sync::Arc;

use super::code::{Code, Op};
use crate::error::Error;
use crate::value::{Callable, Value};

#[derive(Clone, Copy)]
pub(super) struct Arguments<'a> {
    pub(super) values: &'a [Value],
    pub(super) block: Option<&'a Arc<dyn Callable>>,
    /// Where the arguments stand; empty when they are not written in the call.
    pub(super) places: &'a [Code],
}

impl<'a> Arguments<'a> {
    /// Arguments that stand nowhere: a function has come upon them.
    pub(super) fn unplaced(values: &'a [Value], block: Option<&'a Arc<dyn Callable>>) -> Arguments<'a> {
        Arguments { values, block, places: &[] }
    }

    pub(super) fn behind_first(self) -> Arguments<'a> {
        let places = self.places.get(1..).unwrap_or_default();
        Arguments { values: self.values.get(1..).unwrap_or_default(), places, ..self }
    }

    /// `error` with the place of the argument number `at` marked, and called `name` there.
    pub(super) fn pointed_out(&self, error: Error, at: usize, name: &str) -> Error {
        match self.places.get(..=at) {
            // Behind an unfolded list nobody knows which argument is which.
            Some(places @ [.., place]) if !places.iter().any(|place| matches!(place.op, Op::Unfold(_))) => {
                error.with_label(place.span, name)
            }
            _ => error,
        }
    }
}
