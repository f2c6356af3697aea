//! `TypeReference['Foo']`: a reference to an unknown type.

use super::{Lattice, Rules, Type, row};
use crate::value::{EcoString, Value};

/// A type with an unknown name. It has no instances and accepts only the same reference.
///
/// Observed: Puppet 7.23 knows its name in the definition of an alias alone, and accepts no parameters there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeReferenceType {
    /// The type as it was written, with its parameters.
    pub text: EcoString,
}

impl TypeReferenceType {
    pub(crate) fn for_unknown_name(name: &str) -> TypeReferenceType {
        if name.eq_ignore_ascii_case(Self::NAME) { Self::default() } else { TypeReferenceType { text: name.into() } }
    }
}

impl Default for TypeReferenceType {
    fn default() -> TypeReferenceType {
        TypeReferenceType { text: "UnresolvedReference".into() }
    }
}

impl Rules for TypeReferenceType {
    row! {
        "TypeReference" below "Any": "a reference to an unknown type";
    }
    const HIDDEN: bool = true;
    const IS_GENERAL: bool = true;

    fn arguments(&self) -> Vec<Value> {
        vec![Value::String(self.text.clone())]
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::TypeReference(other) if self == &**other)
    }
}
