//! Writes values as JSON, and as YAML in block style like Ruby, except that long strings stay on one line.
//!
//! Observed: Ruby 3.1 for quotes and indentation.

use std::io;

use super::{Format, read};
use crate::error::{Error, Result};
use crate::limits::{self, BoundedString, Limit};
use crate::text::Source;
use crate::value::{Hash, Value};
use crate::wording::to_printable;
use crate::{format, interrupt};

/// Returns the value as a YAML document, without a final line break.
///
/// # Errors
/// If the value contains a Sensitive, or the document is too long.
pub fn to_yaml(value: &Value) -> Result<String> {
    let mut text = "---".to_owned();
    write_yaml_value(&mut text, value, 0, false)?;
    Ok(text)
}

/// Writes a value after its key or dash: a scalar or empty collection on the same line, other values on the lines
/// below. After a dash, the first element or entry is on the same line.
fn write_yaml_value(text: &mut String, value: &Value, indent: usize, is_after_dash: bool) -> Result<()> {
    interrupt::take_step();
    limits::check_string_bytes(text.len())?;
    let start = |text: &mut String, at: usize| match at {
        0 if is_after_dash => text.push(' '),
        _ => text.extend(["\n", &" ".repeat(indent)]),
    };
    match value {
        Value::Array(elements) if !elements.is_empty() => {
            for (at, element) in elements.iter().enumerate() {
                start(text, at);
                text.push('-');
                crate::stack::with_room(|| write_yaml_value(text, element, indent + 2, true))?;
            }
        }
        Value::Hash(entries) if !entries.is_empty() => {
            for (at, (key, value)) in entries.iter().enumerate() {
                start(text, at);
                let key = format::text(key);
                text.extend([&*if key.contains('\n') { double_quoted(&key) } else { string_as_yaml(&key) }, ":"]);
                // A list is at the level of its key, a hash is not.
                let indent = if matches!(value, Value::Array(_)) { indent } else { indent + 2 };
                crate::stack::with_room(|| write_yaml_value(text, value, indent, false))?;
            }
        }
        Value::String(string) if string.contains('\n') && !string.starts_with([' ', '\n']) => {
            let end = match string.strip_suffix('\n') {
                Some(before) if before.ends_with('\n') => "+",
                Some(_) => "",
                None => "-",
            };
            text.extend([" |", end]);
            for line in string.strip_suffix('\n').unwrap_or(string).split('\n') {
                text.push('\n');
                if !line.is_empty() {
                    text.extend([&*" ".repeat(indent.max(2)), line]);
                }
            }
        }
        Value::String(string) => text.extend([" ", &string_as_yaml(string)]),
        Value::Undef => {}
        Value::Array(_) => text.push_str(" []"),
        Value::Hash(_) => text.push_str(" {}"),
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => text.extend([" ", &format::text(value)]),
        Value::Sensitive(_) => return Err(Error::runtime("cannot serialize a Sensitive: unwrap it first")),
        other => text.extend([" ", &string_as_yaml(&format::text(other))]),
    }
    Ok(())
}

fn double_quoted(string: &str) -> String {
    let escapes = serde_json::Value::from(string).to_string();
    crate::wording::to_printable_json(&escapes).replace("\\u001b", "\\e")
}

/// Returns a string as YAML: unquoted if it is printable and YAML would parse it to the same string, else in quotes.
fn string_as_yaml(string: &str) -> String {
    let is_read_back = |text: &str| {
        let entry = read(Format::Yaml, &Source::new("", format!("{text}: {text}")));
        entry.is_ok_and(|document| document.value == Value::Hash(Hash::from([(text, text)])))
    };
    let is_of_words = |first: char| first.is_alphanumeric() || first == '_';
    let has_sign_first = !string.starts_with(is_of_words) && !string.is_empty() && !string.contains('"');
    if to_printable(string) != string || string.contains(['\n', '\t']) || has_sign_first || matches!(string, "y" | "n")
    {
        double_quoted(string)
    } else if is_read_back(string) {
        string.to_owned()
    } else {
        format!("'{}'", string.replace('\'', "''"))
    }
}

/// Returns the value as JSON. The length is limited, because arrays that share elements may expand to gigabytes.
///
/// # Errors
/// If the value contains a Sensitive, or the JSON is too long.
pub fn to_json(value: &Value) -> Result<String, Error> {
    let mut text = BoundedString::default();
    match serde_json::to_writer(&mut text, value) {
        Ok(()) => Ok(text.into_string()),
        Err(error) if error.is_io() => Err(limits::limit_error(Limit::String)),
        Err(error) => Err(Error::runtime(error.to_string())),
    }
}

impl io::Write for BoundedString {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // OK because the serializer writes whole strings and punctuation.
        let piece = str::from_utf8(bytes).map_err(io::Error::other)?;
        self.push_str(piece).map_err(io::Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
#[path = "../../tests/unit/yaml_writer.rs"]
mod tests;
