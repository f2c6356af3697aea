//! `Undef`: the type of `undef`.

use super::{Example, Lattice, Rules, Type, example};
use crate::value::Value;

/// The type of `undef` alone.
///
/// Source: language specification, "Undef".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct UndefType;

impl Rules for UndefType {
    const NAME: &'static str = "Undef";
    const PARENT: &'static str = "Any";
    const SUMMARY: &'static str = "the value undef (absent)";
    const EXAMPLES: &'static [Example] =
        &[example("undef =~ Undef", "true"), example("Undef[1]", "error OPERATOR_NOT_APPLICABLE")];

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Undef)
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Undef(_))
    }
}
