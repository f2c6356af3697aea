//! The types without parameters that are all values of certain kinds, and CatalogEntry.

use super::{Kinds, Lattice, Result, Rules, Type, Value, construct, row};

macro_rules! plain_types {
    ($(
        $(#[$documentation:meta])*
        $rules:ident = $name:literal below $parent:literal $(, hidden: $hidden:literal)?
        summary: $summary:literal
        $(kinds: $kinds:expr,)?
        $(types: $types:pat,)?
        examples: [$($code:literal => $answer:literal),*]
        $(; new: [$($new:literal),*] $construct:expr, by specification $by_specification:path)?
    )*) => {$(
        $(#[$documentation])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $rules;

        impl Rules for $rules {
            row! {
                $name below $parent: $summary;
                $($code => $answer,)*
                $($(new $new,)* construct: $construct; construct_by_specification: $by_specification;)?
            }
            $(const HIDDEN: bool = $hidden;)?

            $(fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
                Kinds::of_value(value).is_subset_of($kinds)
            }

            fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
                Kinds::of_instances(other).is_subset_of($kinds)
            })?

            $(fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
                matches!(other, $types)
            })?
        }
    )*};
}

plain_types! {
    /// The type of all values, which accepts every type.
    ///
    /// Source: language specification, "Any".
    AnyType = "Any" below ""
    summary: "any value, including undef and default"
    kinds: Kinds::ALL,
    examples: ["undef =~ Any" => "true", "Any[1]" => "error OPERATOR_NOT_APPLICABLE"]

    /// The type of `undef` alone.
    ///
    /// Source: language specification, "Undef".
    UndefType = "Undef" below "Any"
    summary: "the value undef (absent)"
    kinds: Kinds::UNDEF,
    examples: ["undef =~ Undef" => "true", "Undef[1]" => "error OPERATOR_NOT_APPLICABLE"]

    /// The type of `default` alone.
    ///
    /// Source: language specification, "Default".
    DefaultType = "Default" below "Any"
    summary: "the value default"
    kinds: Kinds::DEFAULT,
    examples: ["default =~ Default" => "true", "Default[1]" => "error OPERATOR_NOT_APPLICABLE"]

    /// The type of ScalarData, regular expressions, versions, version ranges and times.
    ///
    /// Source: language specification, "Scalar".
    ScalarType = "Scalar" below "Any"
    summary: "numbers, strings, Booleans, regular expressions, versions and times"
    kinds: Kinds::SCALAR,
    examples: ["/a/ =~ Scalar" => "true", "[] =~ Scalar" => "false"]

    /// The type of Integers, Floats, Strings and Booleans.
    ///
    /// Source: language specification, "ScalarData".
    ScalarDataType = "ScalarData" below "Scalar"
    summary: "JSON-compatible scalars: Integer, Float, String and Boolean"
    kinds: Kinds::SCALAR_DATA,
    examples: ["'a' =~ ScalarData" => "true", "/a/ =~ ScalarData" => "false"]

    /// The type of all Integers and Floats.
    ///
    /// Source: language specification, "Numeric".
    NumericType = "Numeric" below "ScalarData"
    summary: "Integer and Float"
    kinds: Kinds::NUMBER,
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
    kinds: Kinds::ALL,
    examples: ["type([], 'generalized')" => "Array[Unit]"]
}
