//! `String[from, to]`: strings, optionally with a length range; the type of one string, which inference creates.

use super::{Kinds, Lattice, Rules, Size, Type, check_arity, row, size_from_arguments};
use crate::error::{Error, Result};
use crate::format;
use crate::value::{EcoString, Value};

/// Strings, optionally with a minimum and maximum length in characters.
///
/// Source: language specification, "`String ([from, to])`".
/// Observed: Puppet 8.11 prints `String[default]` as `String[0]`, and the inferred type of one string as `String`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StringType {
    /// `String`
    #[default]
    All,
    /// `String[1, 10]`
    Sized(Size),
    /// `type('abc')`: only this string
    Text(EcoString),
}

impl StringType {
    /// Returns the minimum and maximum length of the strings in characters.
    pub fn size(&self) -> Size {
        match self {
            StringType::All => Size::ANY,
            StringType::Sized(size) => *size,
            StringType::Text(text) => Size::exactly(text.chars().count()),
        }
    }

    pub(crate) fn has_string(&self, text: &str) -> bool {
        match self {
            StringType::All => true,
            StringType::Sized(size) => has_length_within(text, *size),
            StringType::Text(only) => only == text,
        }
    }
}

fn has_length_within(text: &str, size: Size) -> bool {
    // A character takes one to four bytes: most strings need no counting.
    let (least, most) = (text.len().div_ceil(4), text.len());
    (size.contains(least) && size.contains(most)) || size.contains(text.chars().count())
}

impl Rules for StringType {
    row! {
        "String" ["from, to"] below "ScalarData": "strings, optionally with a minimum and maximum length";
        "'æøå' =~ String[3, 3]" => "true",
        "'' =~ String[1]" => "false",
        "String(255, '%#x')" => "'0xff'",
        "String['a']" => "error BAD_COLLECTION_SLICE_TYPE",
        new "(Any $value, Variant[Default, String[1], Hash] $string_formats = default)",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        check_arity(Self::NAME, arguments, 1..=2, "1 or 2")?;
        Ok(StringType::Sized(size_from_arguments(arguments)?).into())
    }

    fn arguments(&self) -> Vec<Value> {
        match self {
            StringType::All | StringType::Text(_) => Vec::new(),
            StringType::Sized(size) => size.to_type_arguments().collect(),
        }
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::String(text) if self.has_string(text))
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let [value, formats @ ..] = arguments else { return Err(Error::runtime("expected a value")) };
        Ok(format::convert(value, formats.first().unwrap_or(&Value::Default))?.into())
    }

    fn construct_by_specification(&self, arguments: &[Value]) -> Option<Value> {
        let [Value::Float(number), format] = arguments else { return None };
        Some(format::format_float_as_character(*number, format)?.into())
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        match (self, other) {
            (StringType::All, other) => Kinds::of_instances(other) == Kinds::STRING,
            (StringType::Sized(size), Type::String(other)) => size.accepts(other.size()),
            (StringType::Sized(size), Type::Enum(other)) => {
                !other.values().is_empty() && other.values().iter().all(|text| has_length_within(text, *size))
            }
            (StringType::Sized(size), Type::Pattern(_)) => size.accepts(Size::ANY),
            (StringType::Text(only), Type::String(other)) => {
                matches!(&**other, StringType::Text(text) if text == only)
            }
            (StringType::Text(only), Type::Enum(other)) => {
                !other.ignores_case() && matches!(other.values(), [text] if text == only)
            }
            _ => false,
        }
    }
}
