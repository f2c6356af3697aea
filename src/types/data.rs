//! `Data`: JSON-compatible data.

use std::sync::OnceLock;

use super::{ArrayType, HashType, Lattice, Rules, ScalarDataType, StringType, Type, UndefType, VariantType, row};
use crate::value::Value;
use crate::{interrupt, stack};

/// `ScalarData`, undef, arrays of Data, and hashes from String to Data.
///
/// Source: language specification, "Data".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DataType;

impl DataType {
    pub(super) fn meaning() -> &'static Type {
        static MEANING: OnceLock<Type> = OnceLock::new();
        MEANING.get_or_init(|| {
            VariantType::of([
                ScalarDataType.into(),
                UndefType.into(),
                ArrayType::new(DataType.into(), None).into(),
                HashType::new(StringType::All.into(), DataType.into(), None).into(),
            ])
        })
    }
}

impl Rules for DataType {
    row! {
        "Data" below "RichData": "JSON-compatible data: ScalarData, undef, and arrays and hashes of Data";
        "[1, {'a' => undef}] =~ Data" => "true",
        "{1 => 'a'} =~ Data" => "false",
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        match value {
            Value::Array(elements) => stack::with_room(|| {
                interrupt::each(elements.iter()).all(|element| lattice.has_instance(&Type::Data(DataType), element))
            }),
            Value::Hash(entries) => stack::with_room(|| {
                interrupt::each(entries.iter()).all(|(key, value)| {
                    matches!(key, Value::String(_)) && lattice.has_instance(&Type::Data(DataType), value)
                })
            }),
            Value::Undef => true,
            scalar => ScalarDataType.has_instance(scalar, lattice),
        }
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        lattice.accepts(DataType::meaning(), other)
    }
}
