//! `Any`: accepts everything.

use super::{Example, Lattice, Rules, Type};
use crate::error::{Error, Result};
use crate::value::Value;

/// The type above all others.
///
/// Source: language specification, "Any".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnyType;

impl Rules for AnyType {
    const NAME: &'static str = "Any";
    const PARAMETERS: &'static str = "";
    const PARENT: &'static str = "";
    const SUMMARY: &'static str = "every value, also undef and default";
    const EXAMPLES: &'static [Example] = &[Example { code: "undef =~ Any", answer: "true" }];

    fn bare() -> AnyType {
        AnyType
    }

    fn from_arguments(_: &[Value]) -> Result<Type> {
        Err(Error::coded("OPERATOR_NOT_APPLICABLE", "Any takes no parameters"))
    }

    fn arguments(&self) -> Vec<Value> {
        Vec::new()
    }

    fn has_instance(&self, _: &Value, _: &mut Lattice) -> bool {
        true
    }

    fn accepts(&self, _: &Type, _: &mut Lattice) -> bool {
        true
    }
}
