//! `Any`: accepts everything.

use super::{Example, Lattice, Rules, Type, example};
use crate::value::Value;

/// The type above all others.
///
/// Source: language specification, "Any".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AnyType;

impl Rules for AnyType {
    const NAME: &'static str = "Any";
    const PARENT: &'static str = "";
    const SUMMARY: &'static str = "any value, including undef and default";
    const EXAMPLES: &'static [Example] =
        &[example("undef =~ Any", "true"), example("Any[1]", "error OPERATOR_NOT_APPLICABLE")];

    fn has_instance(&self, _: &Value, _: &mut Lattice) -> bool {
        true
    }

    fn accepts(&self, _: &Type, _: &mut Lattice) -> bool {
        true
    }
}
