//! `Type[type]`: types that are subtypes of a type.

use super::definition::arguments::only_type;
use super::{Lattice, NestedType, Replace, Rules, Type, row};
use crate::error::Result;
use crate::value::Value;

/// Types as values; with a parameter, only types that it accepts.
///
/// Source: language specification, "`Type ([type])`".
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TypeType {
    type_: Option<NestedType>,
}

impl TypeType {
    /// `Type[type_]`
    pub fn new(type_: Type) -> TypeType {
        TypeType { type_: Some(type_.into()) }
    }

    /// The type that accepts its instances.
    pub fn type_(&self) -> Option<&Type> {
        self.type_.as_deref()
    }
}

impl Rules for TypeType {
    row! {
        "Type" ["type"] below "Any": "types, optionally only the subtypes of one type";
        "Integer[1, 2] =~ Type[Numeric]" => "true",
        "Type[1]" => "error BAD_TYPE_SLICE_TYPE",
        // The evaluator reads the text: types know nothing of syntax.
        new "(String[1] $text)",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        Ok(TypeType::new(only_type(Self::NAME, arguments)?).into())
    }

    fn arguments(&self) -> Vec<Value> {
        self.type_().cloned().map(Value::Type).into_iter().collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        matches!(value, Value::Type(given) if self.type_().is_none_or(|type_| lattice.accepts_part(type_, given)))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let Type::Type(other) = other else { return false };
        self.type_().is_none_or(|type_| other.type_().is_some_and(|other| lattice.accepts_part(type_, other)))
    }

    fn map(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        Some(TypeType::new(replaced(self.type_()?)).into())
    }
}
