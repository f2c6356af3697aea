//! `ScalarData`: JSON-compatible scalars.

use super::{Example, Lattice, Rules, Type, example};
use crate::value::Value;

/// Integer, Float, String and Boolean.
///
/// Source: language specification, "ScalarData".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ScalarDataType;

impl Rules for ScalarDataType {
    const NAME: &'static str = "ScalarData";
    const PARENT: &'static str = "Scalar";
    const SUMMARY: &'static str = "JSON-compatible scalars: Integer, Float, String and Boolean";
    const EXAMPLES: &'static [Example] = &[example("'a' =~ ScalarData", "true"), example("/a/ =~ ScalarData", "false")];

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Integer(_) | Value::Float(_) | Value::String(_) | Value::Boolean(_))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(
            other,
            Type::ScalarData(_)
                | Type::Numeric(_)
                | Type::Integer(_)
                | Type::Float(_)
                | Type::Boolean(_)
                | Type::String(_)
                | Type::Enum(_)
                | Type::Pattern(_)
        )
    }
}
