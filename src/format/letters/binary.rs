//! The letters of Binary: three kinds of Base64, and the bytes as a string.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};

use super::super::integer::digit_char;
use super::{Directive, FormatError, Letter, Piece, either, strict};
use crate::value::Value;

pub(super) const LETTERS: &[Letter] = &[
    Letter {
        letters: "s",
        summary: "the bytes as a UTF-8 string; with # in double quotes, with non-ASCII as \\xHH",
        piece: |value, directive| {
            if directive.field.alternate {
                return strict(escaped(bytes_of(value)));
            }
            match std::str::from_utf8(bytes_of(value)) {
                Ok(text) => strict(text.to_owned()),
                Err(_) => Piece::Refused(FormatError::NotUtf8.into()),
            }
        },
    },
    Letter {
        letters: "p",
        summary: "Binary(\"…\"); width and precision apply to the quoted string",
        piece: |value, directive| {
            let mut text = String::from("Binary(\"");
            // Writing to a String cannot fail.
            let _ = directive.field.write_text(&mut text, &STANDARD.encode(bytes_of(value)));
            text.push_str("\")");
            if directive.delimiters.is_some() {
                // Rejected by who writes it.
                return strict(text);
            }
            Piece::Whole(text)
        },
    },
    Letter {
        letters: "b",
        summary: "Base64 in lines of 60 characters, in double quotes with #",
        piece: |value, directive| encoded(lines(&STANDARD.encode(bytes_of(value))), directive),
    },
    Letter {
        letters: "B",
        summary: "Base64 in one line, in double quotes with #",
        piece: |value, directive| encoded(STANDARD.encode(bytes_of(value)), directive),
    },
    Letter {
        letters: "u",
        summary: "Base64 for URLs, in double quotes with #",
        piece: |value, directive| encoded(URL_SAFE.encode(bytes_of(value)), directive),
    },
    Letter {
        letters: "t",
        summary: "Binary, in double quotes with #",
        piece: |_, directive| strict(either(directive, "Binary", "\"Binary\"")),
    },
    Letter {
        letters: "T",
        summary: "BINARY, in double quotes with #",
        piece: |_, directive| strict(either(directive, "BINARY", "\"BINARY\"")),
    },
];

fn bytes_of(value: &Value) -> &[u8] {
    let Value::Binary(binary) = value else { unreachable!("the row is Binary's") };
    binary.bytes()
}

fn encoded(text: String, directive: &Directive) -> Piece {
    strict(if directive.field.alternate { escaped(text.as_bytes()) } else { text })
}

/// A line break after each 60 characters and at the end.
fn lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 60 + 1);
    for (at, c) in text.chars().enumerate() {
        if at > 0 && at % 60 == 0 {
            out.push('\n');
        }
        out.push(c);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// In double quotes, with the escapes of Ruby's strings.
fn escaped(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for (at, &byte) in bytes.iter().enumerate() {
        let interpolates = || matches!(bytes.get(at + 1), Some(b'$' | b'{' | b'@'));
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(byte)]),
            b'#' if interpolates() => out.push_str("\\#"),
            0x07 => out.push_str("\\a"),
            0x08 => out.push_str("\\b"),
            b'\t' => out.push_str("\\t"),
            b'\n' => out.push_str("\\n"),
            0x0b => out.push_str("\\v"),
            0x0c => out.push_str("\\f"),
            b'\r' => out.push_str("\\r"),
            0x1b => out.push_str("\\e"),
            0x20..=0x7e => out.push(char::from(byte)),
            _ => out.extend(['\\', 'x', digit_char(byte >> 4, true), digit_char(byte & 0xf, true)]),
        }
    }
    out.push('"');
    out
}
