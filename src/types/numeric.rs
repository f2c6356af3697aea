//! `Numeric`: numbers of both kinds.

use super::{Lattice, Rules, Type, construct, row};
use crate::error::Result;
use crate::value::Value;

/// Every Integer and every Float.
///
/// Source: language specification, "Numeric".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct NumericType;

impl Rules for NumericType {
    row! {
        "Numeric" below "ScalarData": "Integer and Float";
        "1.5 =~ Numeric" => "true",
        "Numeric[1]" => "error OPERATOR_NOT_APPLICABLE",
        new "(Variant[Numeric, Boolean, String, Timespan, Timestamp] $from, Boolean $abs = false)",
        new "(Struct[{from => Any, Optional[abs] => Boolean}] $arguments)",
        construct: construct::numeric;
        construct_by_specification: construct::numeric_by_specification;
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Integer(_) | Value::Float(_))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Numeric(_) | Type::Integer(_) | Type::Float(_))
    }
}
