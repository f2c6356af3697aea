//! Ruby's `inspect`: `[1, "a", nil, {"b"=>2}]`. `sprintf`, `join` and Hiera print arrays and hashes this way.

use std::fmt::{self, Write};

use super::program_text::{Form, write_value};
use crate::error::Result;
use crate::limits::BoundedString;
use crate::stack;
use crate::value::Value;

/// What Ruby shows of a value.
pub(crate) fn inspected(value: &Value) -> Result<String> {
    BoundedString::default().written(|out| write_inspected(out, value))
}

fn write_inspected(out: &mut BoundedString, value: &Value) -> fmt::Result {
    match value {
        Value::Undef => out.write_str("nil"),
        Value::Default => out.write_str(":default"),
        Value::String(text) => write_text(out, text),
        Value::Array(elements) => stack::with_room(|| {
            out.write_char('[')?;
            for (at, element) in elements.iter().enumerate() {
                out.write_str(if at > 0 { ", " } else { "" })?;
                write_inspected(out, element)?;
            }
            out.write_char(']')
        }),
        Value::Hash(entries) => stack::with_room(|| {
            out.write_char('{')?;
            for (at, (key, value)) in entries.iter().enumerate() {
                out.write_str(if at > 0 { ", " } else { "" })?;
                write_inspected(out, key)?;
                out.write_str("=>")?;
                write_inspected(out, value)?;
            }
            out.write_char('}')
        }),
        // Deviation: Ruby shows its own objects here, Puppet's form of them is more use.
        other => write_value(out, other, Form::Program),
    }
}

fn write_text(out: &mut BoundedString, text: &str) -> fmt::Result {
    out.write_char('"')?;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' | '\\' => write!(out, "\\{c}")?,
            '#' if matches!(chars.peek(), Some('$' | '{' | '@')) => out.write_str("\\#")?,
            '\n' => out.write_str("\\n")?,
            '\t' => out.write_str("\\t")?,
            '\r' => out.write_str("\\r")?,
            '\x07' => out.write_str("\\a")?,
            '\x08' => out.write_str("\\b")?,
            '\x0b' => out.write_str("\\v")?,
            '\x0c' => out.write_str("\\f")?,
            '\x1b' => out.write_str("\\e")?,
            c if c.is_control() => write!(out, "\\u{:04X}", u32::from(c))?,
            c => out.write_char(c)?,
        }
    }
    out.write_char('"')
}
