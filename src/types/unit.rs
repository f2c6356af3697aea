//! `Unit`: the type of the missing elements of an empty array.

use super::{Example, Lattice, Rules, Type, example};
use crate::value::Value;

/// Accepts every type and is accepted by every type. It cannot be named by a program; `type([], 'generalized')` shows it.
///
/// Source: language specification, "Unit".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UnitType;

impl Rules for UnitType {
    const NAME: &'static str = "Unit";
    const PARENT: &'static str = "Any";
    const SUMMARY: &'static str = "the type of the missing elements of an empty array";
    const EXAMPLES: &'static [Example] = &[example("type([], 'generalized')", "Array[Unit]")];
    const HIDDEN: bool = true;

    fn has_instance(&self, _: &Value, _: &mut Lattice) -> bool {
        true
    }

    fn accepts(&self, _: &Type, _: &mut Lattice) -> bool {
        true
    }
}
