//! `Default`: the type of `default`.

use super::{Example, Lattice, Rules, Type, example};
use crate::value::Value;

/// The type of `default` alone.
///
/// Source: language specification, "Default".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DefaultType;

impl Rules for DefaultType {
    const NAME: &'static str = "Default";
    const PARENT: &'static str = "Any";
    const SUMMARY: &'static str = "the value default";
    const EXAMPLES: &'static [Example] =
        &[example("default =~ Default", "true"), example("Default[1]", "error OPERATOR_NOT_APPLICABLE")];

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Default)
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Default(_))
    }
}
