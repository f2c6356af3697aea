//! The letters of Binary: three kinds of Base64, and the bytes as a string.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::quote::write_ruby_quoted;
use super::{Directive, FormatError, Letter, either, letter};
use crate::error::Result;
use crate::limits::BoundedString;
use crate::value::binary::Encoding;
use crate::value::{Binary, Value};

pub(super) const LETTERS: &[Letter] = &[
    letter(
        "s",
        "the bytes as a UTF-8 string; with # in double quotes, with non-ASCII as \\xHH",
        |out, value, directive| {
            let bytes = binary_of(value).bytes();
            if directive.field.alternate {
                return directive.field.write_text(out, &escaped(bytes)?);
            }
            directive.field.write_text(out, std::str::from_utf8(bytes).map_err(|_| FormatError::NotUtf8)?)
        },
    ),
    letter("p", "Binary(\"…\"); width and precision apply to the quoted string", |out, value, directive| {
        out.push_str("Binary(\"")?;
        directive.field.write_text(out, &STANDARD.encode(binary_of(value).bytes()))?;
        out.push_str("\")")
    }),
    letter("b", "Base64 in lines of 60 characters, in double quotes with #", |out, value, directive| {
        write_encoded(out, value, Encoding::Relaxed, directive)
    }),
    letter("B", "Base64 in one line, in double quotes with #", |out, value, directive| {
        write_encoded(out, value, Encoding::Strict, directive)
    }),
    letter("u", "Base64 for URLs, in double quotes with #", |out, value, directive| {
        write_encoded(out, value, Encoding::UrlSafe, directive)
    }),
    letter("t", "Binary, in double quotes with #", |out, _, directive| either(out, directive, "Binary", "\"Binary\"")),
    letter("T", "BINARY, in double quotes with #", |out, _, directive| either(out, directive, "BINARY", "\"BINARY\"")),
];

fn binary_of(value: &Value) -> &Binary {
    let Value::Binary(binary) = value else { unreachable!("the row is Binary's") };
    binary
}

fn write_encoded(out: &mut BoundedString, value: &Value, encoding: Encoding, directive: &Directive) -> Result<()> {
    let text = binary_of(value).encoded(encoding).unwrap_or_default(); // OK because base64 encodes all bytes.
    directive.field.write_text(out, &if directive.field.alternate { escaped(text.as_bytes())? } else { text })
}

/// In double quotes, with all bytes but those of printable ASCII characters escaped.
fn escaped(bytes: &[u8]) -> Result<String> {
    let escape = |c: char| (!matches!(c, ' '..='~')).then(|| format!("\\x{:02X}", u32::from(c)));
    BoundedString::default().written(|out| write_ruby_quoted(out, bytes.iter().copied().map(char::from), escape))
}
