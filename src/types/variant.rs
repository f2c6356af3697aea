//! `Variant[A, B]`: any of the listed types.
//!
//! A value is tested only against those types that may have values of its kind as instances.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{Kinds, Lattice, NestedType, Replace, Result, Rules, Type, TypeError, Value, check_arity, row};
use crate::interrupt;

/// The values of at least one of some types. Nested Variants are flattened; a Variant of one type is that type.
///
/// Source: language specification, "Variant".
/// Observed: in Puppet 8.11 bare `Variant` has no instances, and no other type than Any and itself accepts it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VariantType {
    /// The distinct types, none a Variant; empty for the bare type, otherwise at least two.
    types: Vec<NestedType>,
    /// For each type, the kinds of values that may be its instances.
    kinds: Vec<Kinds>,
}

impl VariantType {
    /// Returns a Variant of the distinct `types` with nested Variants flattened, or just the type if only one is left.
    pub fn of(types: impl IntoIterator<Item = Type>) -> Type {
        let mut unique: IndexSet<Type, FxBuildHasher> = IndexSet::default();
        for type_ in interrupt::step_through(types) {
            match &type_ {
                Type::Variant(inner) => {
                    unique.extend(interrupt::step_through(&inner.types).map(|type_| (**type_).clone()));
                }
                _ => drop(unique.insert(type_)),
            }
        }
        match unique.pop() {
            Some(only) if unique.is_empty() => only,
            last => {
                let types: Vec<NestedType> = unique.into_iter().chain(last).map(NestedType::from).collect();
                VariantType { kinds: types.iter().map(|type_| Kinds::of_instances(type_)).collect(), types }.into()
            }
        }
    }

    /// Returns the alternatives in the order in which they were written.
    pub fn types(&self) -> &[NestedType] {
        &self.types
    }
}

impl Rules for VariantType {
    row! {
        "Variant" ["type, …"] below "Any": "any of the listed types";
        "'a' =~ Variant[Integer, String]" => "true",
        "Variant[Integer]" => "Integer",
        "Variant[1]" => "error BAD_TYPE_SPECIALIZATION",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        check_arity(Self::NAME, arguments, 1..=usize::MAX, "at least 1")?;
        let wrong = |value: &Value| TypeError::wrong_parameter(Self::NAME, "a type", value);
        let type_ = |value: &Value| value.as_type().cloned().ok_or_else(|| wrong(value));
        Ok(VariantType::of(arguments.iter().map(type_).collect::<Result<Vec<_>, _>>()?))
    }

    fn arguments(&self) -> Vec<Value> {
        self.types.iter().map(|type_| Value::Type((**type_).clone())).collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let kind = Kinds::of_value(value);
        let mut types = self.kinds.iter().zip(&self.types);
        types.any(|(kinds, type_)| kinds.intersects(kind) && lattice.has_instance(type_, value))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let kinds = Kinds::of_instances(other);
        let mut types = self.kinds.iter().zip(&self.types);
        types.any(|(own, type_)| (kinds.is_all() || kinds.is_subset_of(*own)) && lattice.accepts(type_, other))
    }

    fn map_nested_types(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        Some(VariantType::of(self.types.iter().map(|type_| replaced(type_))))
    }
}
