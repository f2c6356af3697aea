//! `Data`: JSON-compatible data, and `RichData`: everything that can be serialized.

use std::sync::OnceLock;

use super::{Lattice, Rules, ScalarDataType, Type, Value, row, written};
use crate::{interrupt, stack};

/// `ScalarData`, undef, arrays of Data, and hashes from String to Data.
///
/// Source: language specification, "Data".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DataType;

/// Scalars, binaries, types, instances of Object types, undef, default, and arrays and hashes of these.
///
/// Source: language specification, "RichData".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RichDataType;

impl DataType {
    pub(super) fn meaning() -> &'static Type {
        static MEANING: OnceLock<Type> = OnceLock::new();
        MEANING.get_or_init(|| written!(Variant[ScalarData, Undef, Array[Data], Hash[String, Data]]))
    }
}

impl RichDataType {
    pub(super) fn meaning() -> &'static Type {
        static MEANING: OnceLock<Type> = OnceLock::new();
        MEANING.get_or_init(|| {
            written!(Variant[
                Scalar, Binary, Undef, Default, Type, TypeSet, Object, URI, Sensitive, Deferred,
                Array[RichData], Hash[Variant[String, Numeric], RichData]
            ])
        })
    }
}

/// Whether all elements of an Array or Hash are of a type, and its keys of a kind; `None` for other values.
#[inline]
fn has_only(type_: &Type, is_key: fn(&Value) -> bool, value: &Value, lattice: &mut Lattice) -> Option<bool> {
    match value {
        Value::Array(elements) => Some(stack::with_room(|| {
            interrupt::each(elements.iter()).all(|element| lattice.has_instance(type_, element))
        })),
        Value::Hash(entries) => Some(stack::with_room(|| {
            interrupt::each(entries.iter()).all(|(key, value)| is_key(key) && lattice.has_instance(type_, value))
        })),
        _ => None,
    }
}

impl Rules for DataType {
    row! {
        "Data" below "RichData": "JSON-compatible data: ScalarData, undef, and arrays and hashes of Data";
        "[1, {'a' => undef}] =~ Data" => "true",
        "{1 => 'a'} =~ Data" => "false",
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let is_key = |key: &Value| matches!(key, Value::String(_));
        has_only(&Type::Data(DataType), is_key, value, lattice)
            .unwrap_or_else(|| value.is_undef() || ScalarDataType.has_instance(value, lattice))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        lattice.accepts(DataType::meaning(), other)
    }
}

impl Rules for RichDataType {
    row! {
        "RichData" below "Any": "serializable data: Data, and most other kinds of values";
        "[/a/, Integer] =~ RichData" => "true",
        "{[1] => 'a'} =~ RichData" => "false",
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let is_key = |key: &Value| matches!(key, Value::String(_) | Value::Integer(_) | Value::Float(_));
        has_only(&Type::RichData(RichDataType), is_key, value, lattice)
            .unwrap_or(!matches!(value, Value::Callable(_) | Value::Iterator(_)))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        lattice.accepts(RichDataType::meaning(), other)
    }
}
