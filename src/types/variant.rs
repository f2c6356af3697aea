//! `Variant[A, B]`: any of the listed types.
//!
//! Membership asks only the types that may have values of that kind as instances.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::definition::arguments::arity;
use super::{Example, Generalization, Lattice, NestedType, Rules, Type, TypeError, example};
use crate::error::Result;
use crate::interrupt;
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VariantType {
    /// Each once, none a Variant; none in the bare type, else two or more.
    types: Vec<NestedType>,
    /// For each of them, the kinds of its instances.
    kinds: Vec<Kinds>,
}

/// Kinds of values, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Kinds(u16);

impl Kinds {
    const UNDEF: u16 = 1 << 0;
    const BOOLEAN: u16 = 1 << 1;
    const INTEGER: u16 = 1 << 2;
    const FLOAT: u16 = 1 << 3;
    const STRING: u16 = 1 << 4;
    const REGEXP: u16 = 1 << 5;
    const ARRAY: u16 = 1 << 6;
    const HASH: u16 = 1 << 7;
    const OTHER: u16 = 1 << 8;
    const ALL: u16 = u16::MAX;

    fn of_value(value: &Value) -> Kinds {
        Kinds(match value {
            Value::Undef => Kinds::UNDEF,
            Value::Boolean(_) => Kinds::BOOLEAN,
            Value::Integer(_) => Kinds::INTEGER,
            Value::Float(_) => Kinds::FLOAT,
            Value::String(_) => Kinds::STRING,
            Value::Regexp(_) => Kinds::REGEXP,
            Value::Array(_) => Kinds::ARRAY,
            Value::Hash(_) => Kinds::HASH,
            _ => Kinds::OTHER,
        })
    }

    /// The kinds of the values that `type_` may have as instances.
    fn of_instances(type_: &Type) -> Kinds {
        Kinds(match type_ {
            Type::Undef(_) => Kinds::UNDEF,
            Type::Boolean(_) => Kinds::BOOLEAN,
            Type::Integer(_) => Kinds::INTEGER,
            Type::Float(_) => Kinds::FLOAT,
            Type::Numeric(_) => Kinds::INTEGER | Kinds::FLOAT,
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Kinds::STRING,
            Type::Regexp(_) => Kinds::REGEXP,
            Type::Array(_) | Type::Tuple(_) => Kinds::ARRAY,
            Type::Hash(_) | Type::Struct(_) => Kinds::HASH,
            Type::SemVer(_) | Type::Timespan(_) | Type::Timestamp(_) | Type::Binary(_) | Type::Type(_) => Kinds::OTHER,
            _ => Kinds::ALL,
        })
    }

    fn meets(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }
}

impl VariantType {
    fn new(types: Vec<NestedType>) -> VariantType {
        VariantType { kinds: types.iter().map(|type_| Kinds::of_instances(type_)).collect(), types }
    }

    /// One of `types`, each once, nested Variants taken apart; the type itself when only one is left.
    pub fn of(types: impl IntoIterator<Item = Type>) -> Type {
        let mut unique: IndexSet<Type, FxBuildHasher> = IndexSet::default();
        for type_ in interrupt::each(types) {
            match &type_ {
                Type::Variant(inner) => unique.extend(interrupt::each(&inner.types).map(|type_| (**type_).clone())),
                _ => drop(unique.insert(type_)),
            }
        }
        match unique.pop() {
            Some(only) if unique.is_empty() => only,
            last => VariantType::new(unique.into_iter().chain(last).map(NestedType::from).collect()).into(),
        }
    }

    /// The types, in the order in which they were written.
    pub fn types(&self) -> &[NestedType] {
        &self.types
    }
}

impl Rules for VariantType {
    const NAME: &'static str = "Variant";
    const PARAMETERS: &'static str = "type, …";
    const PARENT: &'static str = "Any";
    const SUMMARY: &'static str = "any of the listed types";
    const EXAMPLES: &'static [Example] = &[
        example("'a' =~ Variant[Integer, String]", "true"),
        example("Variant[Integer]", "Integer"),
        example("Variant[1]", "error BAD_TYPE_SPECIALIZATION"),
    ];

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
        let kind = Kinds::of_value(value);
        for (kinds, type_) in self.kinds.iter().zip(&self.types) {
            if kinds.meets(kind) && lattice.has_instance(type_, value) {
                return true;
            }
        }
        false
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        self.types.iter().any(|type_| lattice.accepts(type_, other))
    }

    fn generalized(&self, inside: &mut Generalization) -> Type {
        VariantType::of(self.types.iter().map(|type_| inside.of(type_)))
    }
}
