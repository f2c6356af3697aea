//! `Variant[A, B]`: any of the listed types.

use super::definition::arguments::arity;
use super::definition::error::TypeError;
use super::definition::nested_type::NestedType;
use super::{Example, Generalization, Lattice, Rules, Type};
use crate::error::Result;
use crate::value::Value;

/// A value of at least one of the types. Nested Variants are taken apart, a single type is that type.
/// ```
/// let pcore::Type::Variant(variant) = "Variant[Integer, String]".parse()? else { panic!("a Variant") };
/// assert_eq!(variant.types()[1].to_string(), "String");
/// # Ok::<(), pcore::Error>(())
/// ```
///
/// Source: language specification, "Variant".
/// Observed: in Puppet 8.11 bare `Variant` has no instances, and no other type than Any and itself accepts it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct VariantType {
    /// Each once, none a Variant; none in the bare type, else two or more.
    types: Vec<NestedType>,
}

impl VariantType {
    /// One of `types`, each once, nested Variants taken apart; the type itself when only one is left.
    pub fn of(types: impl IntoIterator<Item = Type>) -> Type {
        let mut unique = Unique::default();
        for type_ in types {
            match &type_ {
                Type::Variant(inner) => inner.types.iter().for_each(|type_| unique.push((**type_).clone())),
                _ => unique.push(type_),
            }
        }
        if unique.types.len() == 1 {
            return unique.types.remove(0);
        }
        VariantType { types: unique.types.into_iter().map(NestedType::from).collect() }.into()
    }

    /// The types, in the order in which they were written.
    pub fn types(&self) -> &[NestedType] {
        &self.types
    }
}

/// Types in order, each once; by hash, so that a Variant of thousands is built in linear time.
#[derive(Default)]
pub(super) struct Unique {
    seen: rustc_hash::FxHashSet<Type>,
    pub(super) types: Vec<Type>,
}

impl Unique {
    pub(super) fn push(&mut self, type_: Type) {
        if self.types.len() < 8 {
            if !self.types.contains(&type_) {
                self.types.push(type_);
            }
            return;
        }
        if self.seen.is_empty() {
            self.seen.extend(self.types.iter().cloned());
        }
        if self.seen.insert(type_.clone()) {
            self.types.push(type_);
        }
    }
}

impl Rules for VariantType {
    const NAME: &'static str = "Variant";
    const PARAMETERS: &'static str = "type, …";
    const PARENT: &'static str = "Any";
    const SUMMARY: &'static str = "any of the listed types";
    const EXAMPLES: &'static [Example] = &[
        Example { code: "'a' =~ Variant[Integer, String]", answer: "true" },
        Example { code: "Variant[Integer]", answer: "Integer" },
        Example { code: "Variant[1]", answer: "error BAD_TYPE_SPECIALIZATION" },
    ];

    fn bare() -> VariantType {
        VariantType { types: Vec::new() }
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        arity(Self::NAME, arguments, 1..=usize::MAX, "at least 1")?;
        let type_ = |value: &Value| match value {
            Value::Type(type_) => Ok(type_.clone()),
            other => Err(TypeError::parameter(Self::NAME, "a type", other)),
        };
        Ok(VariantType::of(arguments.iter().map(type_).collect::<Result<Vec<_>, _>>()?))
    }

    fn arguments(&self) -> Vec<Value> {
        self.types.iter().map(|type_| Value::Type((**type_).clone())).collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        self.types.iter().any(|type_| lattice.has_instance(type_, value))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        self.types.iter().any(|type_| lattice.accepts(type_, other))
    }

    fn generalized(&self, inside: &mut Generalization) -> Type {
        VariantType::of(self.types.iter().map(|type_| inside.of(type_)))
    }
}
