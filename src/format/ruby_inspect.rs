//! Ruby's `inspect`: `[1, "a", nil, {"b"=>2}]`. `sprintf`, `join` and Hiera print arrays and hashes this way.

use std::fmt::{self, Write};

use super::program_text::{Form, write_separated, write_value};
use super::quote::write_ruby_quoted;
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
        Value::String(text) => {
            let escape = |c: char| c.is_control().then(|| format!("\\u{:04X}", u32::from(c)));
            write_ruby_quoted(out, text.chars(), escape)
        }
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
