//! `TypeReference['Foo']`: a reference to an unknown type.

use std::sync::Arc;

use super::definition::arguments::arity;
use super::definition::error::TypeError;
use super::{Example, Lattice, Rules, Type};
use crate::error::Result;
use crate::value::Value;

/// The text of a type whose name means nothing. It has no instances and accepts the same reference alone.
/// ```
/// use pcore::types::{Type, TypeReferenceType};
/// let unknown: Type = TypeReferenceType { text: "Stdlib::Port".into() }.into();
/// assert_eq!(unknown.to_string(), "TypeReference['Stdlib::Port']");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeReferenceType {
    /// As it was written.
    pub text: Arc<str>,
}

impl Rules for TypeReferenceType {
    const NAME: &'static str = "TypeReference";
    const PARAMETERS: &'static str = "text";
    const PARENT: &'static str = "Any";
    const SUMMARY: &'static str = "a reference to an unknown type";
    const EXAMPLES: &'static [Example] = &[];
    const HIDDEN: bool = true;

    fn bare() -> TypeReferenceType {
        TypeReferenceType { text: "UnresolvedReference".into() }
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        arity(Self::NAME, arguments, 1..=1, "1")?;
        match &arguments[0] {
            Value::String(text) => Ok(TypeReferenceType { text: text.clone() }.into()),
            other => Err(TypeError::parameter(Self::NAME, "a String", other).into()),
        }
    }

    fn arguments(&self) -> Vec<Value> {
        vec![Value::String(self.text.clone())]
    }

    fn has_instance(&self, _: &Value, _: &mut Lattice) -> bool {
        false
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::TypeReference(other) if self == &**other)
    }
}
