//! `Type[type]`: types that are subtypes of a type.

use super::{Lattice, Result, Rules, Type, Value, around_type, row};

around_type! {
    /// The type of types; with a parameter, only of the types that the parameter accepts.
    ///
    /// Source: language specification, "`Type ([type])`".
    TypeType,
    /// The type in brackets, which must accept a type for that to be an instance.
    type_
}

impl Rules for TypeType {
    row! {
        "Type" ["type"] below "Any": "types, optionally only the subtypes of one type";
        "Integer[1, 2] =~ Type[Numeric]" => "true",
        "Type[1]" => "error BAD_TYPE_SLICE_TYPE",
        // The evaluator reads the text: types know nothing of syntax.
        new "(String[1] $text)",
    }

    around_type!(@rules type_);

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        matches!(value, Value::Type(given) if self.type_().is_none_or(|type_| lattice.accepts_inner_type(type_, given)))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let Type::Type(other) = other else { return false };
        self.type_().is_none_or(|type_| other.type_().is_some_and(|other| lattice.accepts_inner_type(type_, other)))
    }
}
