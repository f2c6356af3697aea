//! `Data`: JSON-compatible data, and `RichData`: everything that can be serialized.

use std::sync::OnceLock;

use super::{Lattice, Rules, Type, Value, row, written};

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

impl Rules for DataType {
    row! {
        "Data" below "RichData": "JSON-compatible data: ScalarData, undef, and arrays and hashes of Data";
        "[1, {'a' => undef}] =~ Data" => "true",
        "{1 => 'a'} =~ Data" => "false",
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        lattice.has_instance(DataType::meaning(), value)
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
        lattice.has_instance(RichDataType::meaning(), value)
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        lattice.accepts(RichDataType::meaning(), other)
    }
}
