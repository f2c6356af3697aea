//! Ruby's `inspect`: `[1, "a", nil, {"b"=>2}]`. `sprintf`, `join` and Hiera print arrays and hashes this way.

use std::fmt::{self, Write};

use super::program_text::{Form, write_separated, write_value};
use super::quote::ruby_escape;
use crate::error::Result;
use crate::limits::BoundedString;
use crate::stack;
use crate::value::Value;

/// The text of a value as Ruby's `inspect` writes it.
pub(crate) fn inspected(value: &Value) -> Result<String> {
    BoundedString::default().written(|out| write_inspected(out, value))
}

fn write_inspected(out: &mut BoundedString, value: &Value) -> fmt::Result {
    match value {
        Value::Undef => out.write_str("nil"),
        Value::Default => out.write_str(":default"),
        Value::String(text) => write_text(out, text),
        Value::Array(elements) => stack::with_room(|| write_separated(out, "[", elements.iter(), "]", write_inspected)),
        Value::Hash(entries) => stack::with_room(|| {
            write_separated(out, "{", entries.iter(), "}", |out, (key, value)| {
                write_inspected(out, key)?;
                out.write_str("=>")?;
                write_inspected(out, value)
            })
        }),
        // Deviation: Ruby shows its own objects here, Puppet's form of them is more use.
        other => write_value(out, other, Form::Program),
    }
}

fn write_text(out: &mut BoundedString, text: &str) -> fmt::Result {
    out.write_char('"')?;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match ruby_escape(c) {
            Some(escape) => out.write_str(escape)?,
            None if c == '#' && matches!(chars.peek(), Some('$' | '{' | '@')) => out.write_str("\\#")?,
            None if c.is_control() => write!(out, "\\u{:04X}", u32::from(c))?,
            None => out.write_char(c)?,
        }
    }
    out.write_char('"')
}
