//! `Numeric`: numbers of both kinds.

use super::{Example, Lattice, Rules, Type, construct, example};
use crate::error::Result;
use crate::value::Value;

/// Every Integer and every Float.
///
/// Source: language specification, "Numeric".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NumericType;

impl Rules for NumericType {
    const NAME: &'static str = "Numeric";
    const PARENT: &'static str = "ScalarData";
    const SUMMARY: &'static str = "Integer and Float";
    const EXAMPLES: &'static [Example] =
        &[example("1.5 =~ Numeric", "true"), example("Numeric[1]", "error OPERATOR_NOT_APPLICABLE")];
    const NEW: &'static [&'static str] = &[
        "(Variant[Numeric, Boolean, String, Timespan, Timestamp] $from, Boolean $abs = false)",
        "(Struct[{from => Any, Optional[abs] => Boolean}] $arguments)",
    ];

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Integer(_) | Value::Float(_))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Numeric(_) | Type::Integer(_) | Type::Float(_))
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        construct::numeric(arguments)
    }

    fn construct_by_specification(&self, arguments: &[Value]) -> Option<Value> {
        construct::numeric_by_specification(arguments)
    }
}
