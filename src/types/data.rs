//! `Data`: JSON-compatible data, and `RichData`: everything that can be serialized.

use std::sync::OnceLock;

use super::{Rules, Type, row, written};

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

impl Rules for DataType {
    row! {
        "Data" below "RichData": "JSON-compatible data: ScalarData, undef, and arrays and hashes of Data";
        "[1, {'a' => undef}] =~ Data" => "true",
        "{1 => 'a'} =~ Data" => "false",
    }

    fn expansion(&self) -> Option<&'static Type> {
        static EXPANSION: OnceLock<Type> = OnceLock::new();
        Some(EXPANSION.get_or_init(|| written!(Variant[ScalarData, Undef, Array[Data], Hash[String, Data]])))
    }
}

impl Rules for RichDataType {
    row! {
        "RichData" below "Any": "serializable data: Data, and most other kinds of values";
        "[/a/, Integer] =~ RichData" => "true",
        "{[1] => 'a'} =~ RichData" => "false",
    }

    fn expansion(&self) -> Option<&'static Type> {
        static EXPANSION: OnceLock<Type> = OnceLock::new();
        Some(EXPANSION.get_or_init(|| {
            written!(Variant[
                Scalar, Binary, Undef, Default, Type, TypeSet, Object, URI, Sensitive, Deferred,
                Array[RichData], Hash[Variant[String, Numeric], RichData]
            ])
        }))
    }
}
