//! The types without parameters for which one pattern each for values and for accepted types is enough.

use super::{Lattice, Result, Rules, Type, Value, construct, row};

macro_rules! plain_types {
    ($(
        $(#[$documentation:meta])*
        $rules:ident = $name:literal below $parent:literal $(, hidden: $hidden:literal)?
        summary: $summary:literal
        $(values: $values:pat,)?
        types: $types:pat,
        examples: [$($code:literal => $answer:literal),*]
        $(; new: [$($new:literal),*] $construct:expr, by specification $by_specification:path)?
    )*) => {$(
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $rules;

        #[allow(clippy::unnested_or_patterns, reason = "the patterns of another type are part of some")]
        impl Rules for $rules {
            row! {
                $name below $parent: $summary;
                $($code => $answer,)*
                $($(new $new,)* construct: $construct; construct_by_specification: $by_specification;)?
            }
            $(const HIDDEN: bool = $hidden;)?

            $(fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
                matches!(value, $values)
            })?

            fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
                matches!(other, $types)
            }
        }
    )*};
}

macro_rules! scalar_data {
    (values) => {
        Value::Integer(_) | Value::Float(_) | Value::String(_) | Value::Boolean(_)
    };
    (types) => {
        Type::ScalarData(_)
            | Type::Numeric(_)
            | Type::Integer(_)
            | Type::Float(_)
            | Type::Boolean(_)
            | Type::String(_)
            | Type::Enum(_)
            | Type::Pattern(_)
    };
}

plain_types! {
    /// The type of all values, which accepts every type.
    ///
    /// Source: language specification, "Any".
    AnyType = "Any" below ""
    summary: "any value, including undef and default"
    values: _,
    types: _,
    examples: ["undef =~ Any" => "true", "Any[1]" => "error OPERATOR_NOT_APPLICABLE"]

    /// The type of `undef` alone.
    ///
    /// Source: language specification, "Undef".
    UndefType = "Undef" below "Any"
    summary: "the value undef (absent)"
    values: Value::Undef,
    types: Type::Undef(_),
    examples: ["undef =~ Undef" => "true", "Undef[1]" => "error OPERATOR_NOT_APPLICABLE"]

    /// The type of `default` alone.
    ///
    /// Source: language specification, "Default".
    DefaultType = "Default" below "Any"
    summary: "the value default"
    values: Value::Default,
    types: Type::Default(_),
    examples: ["default =~ Default" => "true", "Default[1]" => "error OPERATOR_NOT_APPLICABLE"]

    /// ScalarData and Regexp, `SemVer`, `SemVerRange`, Timespan and Timestamp, which declare Scalar as their supertype.
    ///
    /// Source: language specification, "Scalar".
    ScalarType = "Scalar" below "Any"
    summary: "numbers, strings, Booleans, regular expressions, versions and times"
    values: scalar_data!(values)
        | Value::Regexp(_) | Value::SemVer(_) | Value::SemVerRange(_) | Value::Timespan(_) | Value::Timestamp(_),
    types: Type::Scalar(_) | scalar_data!(types),
    examples: ["/a/ =~ Scalar" => "true", "[] =~ Scalar" => "false"]

    /// The type of Integers, Floats, Strings and Booleans.
    ///
    /// Source: language specification, "ScalarData".
    ScalarDataType = "ScalarData" below "Scalar"
    summary: "JSON-compatible scalars: Integer, Float, String and Boolean"
    values: scalar_data!(values),
    types: scalar_data!(types),
    examples: ["'a' =~ ScalarData" => "true", "/a/ =~ ScalarData" => "false"]

    /// The type of all Integers and Floats.
    ///
    /// Source: language specification, "Numeric".
    NumericType = "Numeric" below "ScalarData"
    summary: "Integer and Float"
    values: Value::Integer(_) | Value::Float(_),
    types: Type::Numeric(_) | Type::Integer(_) | Type::Float(_),
    examples: ["1.5 =~ Numeric" => "true", "Numeric[1]" => "error OPERATOR_NOT_APPLICABLE"];
    new: [
        "(Variant[Numeric, Boolean, String, Timespan, Timestamp] $from, Boolean $abs = false)",
        "(Struct[{from => Any, Optional[abs] => Boolean}] $arguments)"
    ] |arguments| construct::construct_number("Numeric", arguments), by specification construct::numeric_by_specification

    /// The common supertype of references to resources and to classes.
    ///
    /// Source: language specification, "CatalogEntry".
    CatalogEntryType = "CatalogEntry" below "Any"
    summary: "catalog entries: references to resources and classes"
    types: Type::CatalogEntry(_) | Type::Resource(_) | Type::Class(_),
    examples: [
        "File['/tmp/x'] =~ Type[CatalogEntry]" => "true",
        "CatalogEntry[1]" => "error OPERATOR_NOT_APPLICABLE"
    ]

    /// Accepts every type and is accepted by every type. Programs cannot name it; `type([], 'generalized')` shows it.
    ///
    /// Source: language specification, "Unit".
    UnitType = "Unit" below "Any", hidden: true
    summary: "the type of the missing elements of an empty array"
    values: _,
    types: _,
    examples: ["type([], 'generalized')" => "Array[Unit]"]
}
