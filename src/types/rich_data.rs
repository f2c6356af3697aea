//! `RichData`: everything that can be serialized.

use std::sync::OnceLock;

use super::{ArrayType, HashType, Lattice, Rules, Type, VariantType, row};
use crate::value::Value;
use crate::{interrupt, stack};

/// Scalars, binaries, types, instances of Object types, undef, default, and arrays and hashes of these.
///
/// Source: language specification, "RichData".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RichDataType;

/// The types that it consists of besides arrays and hashes.
const PARTS: [&str; 10] =
    ["Scalar", "Binary", "Undef", "Default", "Type", "TypeSet", "Object", "URI", "Sensitive", "Deferred"];

impl RichDataType {
    pub(super) fn meaning() -> &'static Type {
        static MEANING: OnceLock<Type> = OnceLock::new();
        MEANING.get_or_init(|| {
            let named = |name: &str| Type::named(name);
            let key = VariantType::of(["String", "Numeric"].into_iter().filter_map(named));
            let containers = [
                ArrayType::new(RichDataType.into(), None).into(),
                HashType::new(key, RichDataType.into(), None).into(),
            ];
            VariantType::of(PARTS.into_iter().filter_map(named).chain(containers))
        })
    }
}

impl Rules for RichDataType {
    row! {
        "RichData" below "Any": "serializable data: Data, and most other kinds of values";
        "[/a/, Integer] =~ RichData" => "true",
        "{[1] => 'a'} =~ RichData" => "false",
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        match value {
            Value::Array(elements) => stack::with_room(|| {
                interrupt::each(elements.iter())
                    .all(|element| lattice.has_instance(&Type::RichData(RichDataType), element))
            }),
            Value::Hash(entries) => stack::with_room(|| {
                interrupt::each(entries.iter()).all(|(key, value)| {
                    matches!(key, Value::String(_) | Value::Integer(_) | Value::Float(_))
                        && lattice.has_instance(&Type::RichData(RichDataType), value)
                })
            }),
            Value::Callable(_) | Value::Iterator(_) => false,
            _ => true,
        }
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        lattice.accepts(RichDataType::meaning(), other)
    }
}
