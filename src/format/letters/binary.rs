//! The letters of Binary: three kinds of Base64, and the bytes as a string.

use std::fmt::{self, Write};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::super::quote::write_ruby_quoted;
use super::{Directive, FormatError, Letter, Piece, either, letter, strict, written};
use crate::limits::BoundedString;
use crate::value::binary::Encoding;
use crate::value::{Binary, Value};

pub(super) const LETTERS: &[Letter] = &[
    letter("s", "the bytes as a UTF-8 string; with # in double quotes, with non-ASCII as \\xHH", |value, directive| {
        if directive.field.alternate {
            return written(|out| write_escaped(out, binary_of(value).bytes()), strict);
        }
        match std::str::from_utf8(binary_of(value).bytes()) {
            Ok(text) => strict(text.to_owned()),
            Err(_) => Piece::Refused(FormatError::NotUtf8.into()),
        }
    }),
    letter("p", "Binary(\"…\"); width and precision apply to the quoted string", |value, directive| {
        // Delimiters are rejected by who writes it.
        let piece = if directive.delimiters.is_some() { strict } else { Piece::Whole };
        let mut out = BoundedString::default();
        let text = STANDARD.encode(binary_of(value).bytes());
        let written = directive.field.write_text(&mut out, &text);
        written.map_or_else(Piece::Refused, |()| piece(format!("Binary(\"{}\")", out.into_string())))
    }),
    letter("b", "Base64 in lines of 60 characters, in double quotes with #", |value, directive| {
        encoded(value, Encoding::Relaxed, directive)
    }),
    letter("B", "Base64 in one line, in double quotes with #", |value, directive| {
        encoded(value, Encoding::Strict, directive)
    }),
    letter("u", "Base64 for URLs, in double quotes with #", |value, directive| {
        encoded(value, Encoding::UrlSafe, directive)
    }),
    letter("t", "Binary, in double quotes with #", |_, directive| strict(either(directive, "Binary", "\"Binary\""))),
    letter("T", "BINARY, in double quotes with #", |_, directive| strict(either(directive, "BINARY", "\"BINARY\""))),
];

fn binary_of(value: &Value) -> &Binary {
    let Value::Binary(binary) = value else { unreachable!("the row is Binary's") };
    binary
}

fn encoded(value: &Value, encoding: Encoding, directive: &Directive) -> Piece {
    let text = binary_of(value).encoded(encoding).unwrap_or_default(); // OK because base64 encodes all bytes.
    let is_quoted = directive.field.alternate;
    written(|out| if is_quoted { write_escaped(out, text.as_bytes()) } else { out.write_str(&text) }, strict)
}

/// With all bytes but those of printable ASCII characters escaped.
fn write_escaped(out: &mut BoundedString, bytes: &[u8]) -> fmt::Result {
    let is_plain = |c| matches!(c, ' '..='~');
    let escape = |c: char| (!is_plain(c)).then(|| format!("\\x{:02X}", u32::from(c)));
    write_ruby_quoted(out, bytes.iter().copied().map(char::from), escape)
}
