//! `Binary`: sequences of bytes.

use super::{Lattice, Rules, Type, arguments_in_order, row};
use crate::error::{Error, Result};
use crate::value::{Binary, Value, binary::Encoding};

/// The type of all Binary values, which are sequences of bytes.
///
/// Source: language specification, "Binary".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BinaryType;

impl Rules for BinaryType {
    row! {
        "Binary" below "Any": "sequences of bytes";
        "Binary([97, 98, 99])" => "Binary(\"YWJj\")",
        "Binary('abc', '%s')" => "Binary(\"YWJj\")",
        "Binary('YWI', '%b')" => "Binary(\"YWI=\")",
        "Binary('YWI', '%B')" => "error RUNTIME_ERROR",
        // Observed: Puppet 8.11 takes no undef for the format, which the specification makes Optional.
        optional by specification,
        new "(String $text, Enum['%b', '%u', '%B', '%s', '%r'] $format = '%B')",
        new "(Array[Integer[0, 255]] $bytes)",
        new "(Struct[{value => String, Optional[format] => Optional[Enum['%b', '%u', '%B', '%s', '%r']]}] $parts)",
        new "(Struct[{value => Array[Integer[0, 255]]}] $parts)",
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Binary(_))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Binary(_))
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let binary = match arguments_in_order(Self::NAME, arguments, &["value", "format"])? {
            [Some(Value::String(text)), None | Some(Value::Undef)] => Binary::decode(text, Encoding::Strict)?,
            [Some(Value::String(text)), Some(Value::String(format))] => {
                let unknown = || Error::runtime(format!("'{format}' is not a Binary format"));
                let encoding = Encoding::encoding_of_format(format)
                    .ok_or_else(|| unknown().with_help("use one of %b, %B, %u, %s and %r"))?;
                Binary::decode(text, encoding)?
            }
            [Some(Value::Array(bytes)), None] => {
                let bytes = bytes.iter().map(|byte| byte.as_integer()?.try_into().ok()).collect::<Option<Vec<u8>>>();
                Binary::from(bytes.ok_or_else(|| Error::runtime("a byte must be an Integer from 0 to 255"))?)
            }
            _ => return Err(Error::runtime("expected a String or an Array of bytes")),
        };
        Ok(Value::Binary(binary))
    }
}
