//! `SemVerRange`: ranges of semantic versions.

use std::sync::Arc;

use super::definition::construct::by_position;
use super::{Lattice, Rules, ScalarType, Type, row};
use crate::error::{Error, Result};
use crate::value::{SemVerRange, Value};

/// Every range; as a value it matches the versions in it.
///
/// Source: language specification, "`SemVerRange`".
/// Deviation: Puppet swaps the ends in the text of a range made of two versions; ours prints `1.0.0 - 2.0.0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SemVerRangeType;

impl Rules for SemVerRangeType {
    row! {
        "SemVerRange" below "Any": "ranges of semantic versions";
        "SemVer('1.9.0') =~ SemVerRange('^1.2.3')" => "true",
        "SemVerRange(SemVer('1.0.0'), SemVer('2.0.0'))" => "SemVerRange('1.0.0 - 2.0.0')",
        "SemVerRange({min => SemVer('1.0.0')})" => "SemVerRange('>=1.0.0')",
        "SemVerRange('>=')" => "error RUNTIME_ERROR",
        // Observed: Puppet 8.11 takes no undef for `exclude_max`, which the specification makes Optional.
        optional by specification,
        new "(String[1] $range)",
        new "(Variant[Default, SemVer] $min, Variant[Default, SemVer] $max, Boolean $exclude_max = false)",
        new "(Struct[{min => Variant[Default, SemVer], Optional[max] => Variant[Default, SemVer], Optional[exclude_max] => Boolean}] $ends)",
    }
    const SUPERTYPE: Option<Type> = Some(Type::Scalar(ScalarType));

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::SemVerRange(_))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::SemVerRange(_))
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let expected =
            || Error::runtime("expected a version range as a string, or its two ends, each a SemVer or default");
        let end = |value: Option<&Value>| match value {
            Some(Value::SemVer(version)) => Ok(Some(version.clone())),
            None | Some(Value::Default) => Ok(None),
            Some(_) => Err(expected()),
        };
        let range = match (arguments, by_position(Self::NAME, arguments, &["min", "max", "exclude_max"])?) {
            ([Value::String(text)], _) => SemVerRange::parse(text)?,
            // By position, the upper end must be said.
            ([Value::Hash(_)] | [_, _, ..], [min @ Some(_), max, exclude_max]) => {
                let exclude_max = exclude_max.is_some_and(Value::is_true);
                SemVerRange::between(end(min)?.as_deref(), end(max)?.as_deref(), exclude_max)
            }
            _ => return Err(expected()),
        };
        Ok(Value::SemVerRange(Arc::new(range)))
    }
}
