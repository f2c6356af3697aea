//! `Scalar`: the values without parts.

use super::{Example, Lattice, Rules, ScalarDataType, Type, example};
use crate::value::Value;

/// ScalarData, and Regexp, `SemVer`, `SemVerRange`, Timespan and Timestamp.
///
/// Source: language specification, "Scalar".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ScalarType;

impl Rules for ScalarType {
    const NAME: &'static str = "Scalar";
    const PARENT: &'static str = "Any";
    const SUMMARY: &'static str = "numbers, strings, Booleans, regular expressions, versions and times";
    const EXAMPLES: &'static [Example] = &[example("/a/ =~ Scalar", "true"), example("[] =~ Scalar", "false")];

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        ScalarDataType.has_instance(value, lattice)
            || matches!(
                value,
                Value::Regexp(_) | Value::SemVer(_) | Value::SemVerRange(_) | Value::Timespan(_) | Value::Timestamp(_)
            )
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        // Regexp, the types of versions and those of times say themselves that they are scalar: `Rules::supertype`.
        matches!(other, Type::Scalar(_)) || ScalarDataType.accepts(other, lattice)
    }
}
