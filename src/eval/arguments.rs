//! The arguments of a call, with their locations in the program for errors.

use std::sync::Arc;

use super::code::{Code, Op};
use crate::error::Error;
use crate::value::{Callable, Value};

#[derive(Clone, Copy)]
pub(super) struct Arguments<'a> {
    pub(super) values: &'a [Value],
    pub(super) block: Option<&'a Arc<dyn Callable>>,
    /// The code of the arguments, for locations in errors; empty if a built-in function makes the call.
    pub(super) places: &'a [Code],
}

impl<'a> Arguments<'a> {
    pub(super) fn without_locations(values: &'a [Value], block: Option<&'a Arc<dyn Callable>>) -> Arguments<'a> {
        Arguments { values, block, places: &[] }
    }

    pub(super) fn without_receiver(self) -> Arguments<'a> {
        let places = self.places.get(1..).unwrap_or_default();
        Arguments { values: self.values.get(1..).unwrap_or_default(), places, ..self }
    }

    pub(super) fn label_argument(&self, error: Error, at: usize, name: &str) -> Error {
        match self.places.get(..=at) {
            // Behind an unfolded list nobody knows which argument is which.
            Some(places @ [.., place]) if !places.iter().any(|place| matches!(place.op, Op::Unfold(_))) => {
                error.with_label(place.span, name)
            }
            _ => error,
        }
    }
}
