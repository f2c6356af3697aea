//! Converts values to strings without a format: to Puppet code (`%p`), as in interpolation, and as Ruby's `inspect`.
//!
//! Each function walks the value once and writes to one buffer; deep values continue on a new stack segment.

use std::fmt::{self, Write};

use base64::display::Base64Display;
use base64::engine::general_purpose::STANDARD;

use super::BoundedString;
use super::quote::{write_quoted, write_ruby_quoted};
use crate::microsyntax::float_text;
use crate::stack;
use crate::types::{ObjectType, Type};
use crate::value::{Object, Value};

/// The maximum number of elements of an iterator that are written; the rest is shown as `…`.
const MAX_ITERATOR_ELEMENTS: usize = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextStyle {
    /// Puppet code that evaluates to the value, as `%p`.
    Program,
    Plain,
    /// Like `Program`, but shows the content of a Sensitive: only for generated sample values.
    Revealed,
    /// Ruby's `inspect`: `[1, "a", nil, {"b"=>2}]`. Deviation: Ruby prints types and Objects as Ruby objects.
    Ruby,
}

pub(super) const REDACTED: &str = "Sensitive [value redacted]";

pub(super) fn write_value(out: &mut BoundedString, value: &Value, form: TextStyle) -> fmt::Result {
    match value {
        Value::Undef if form == TextStyle::Ruby => out.write_str("nil"),
        Value::Undef => out.write_str(if form == TextStyle::Plain { "" } else { "undef" }),
        Value::Default => out.write_str(if form == TextStyle::Ruby { ":default" } else { "default" }),
        Value::Boolean(value) => write!(out, "{value}"),
        Value::Integer(value) => write!(out, "{value}"),
        Value::Float(value) => out.write_str(&float_text(*value)),
        Value::String(text) if form == TextStyle::Plain => out.write_str(text),
        Value::String(text) if form == TextStyle::Ruby => {
            let escape = |c: char| c.is_control().then(|| format!("\\u{:04X}", u32::from(c)));
            write_ruby_quoted(out, text.chars(), escape)
        }
        Value::String(text) => write_quoted(out, text),
        Value::Regexp(regexp) => write!(out, "/{}/", regexp.printable_source()),
        Value::Array(elements) => stack::with_room(|| {
            write_separated(out, ["[", ", ", "]"], elements.iter(), |out, element| write_value(out, element, form))
        }),
        Value::Hash(entries) => stack::with_room(|| {
            write_separated(out, ["{", ", ", "}"], entries.iter(), |out, (key, value)| {
                write_value(out, key, form)?;
                out.write_str(if form == TextStyle::Ruby { "=>" } else { " => " })?;
                write_value(out, value, form)
            })
        }),
        Value::Type(type_) => stack::with_room(|| write!(out, "{type_}")),
        Value::Sensitive(content) if form == TextStyle::Revealed => {
            out.write_str("Sensitive(")?;
            stack::with_room(|| write_value(out, content, form))?;
            out.write_char(')')
        }
        Value::Sensitive(_) => out.write_str(REDACTED),
        Value::Binary(binary) => {
            let text = Base64Display::new(binary.bytes(), &STANDARD);
            if form == TextStyle::Plain { write!(out, "{text}") } else { write!(out, "Binary(\"{text}\")") }
        }
        Value::SemVer(version) => write_with_type_name(out, "SemVer", &version.0.to_string(), form),
        Value::SemVerRange(range) => write_with_type_name(out, "SemVerRange", &range.to_string(), form),
        Value::Timespan(span) => write_with_type_name(out, "Timespan", &span.to_string(), form),
        Value::Timestamp(stamp) => write_with_type_name(out, "Timestamp", &stamp.to_string(), form),
        Value::Uri(uri) => write_with_type_name(out, "URI", &uri.to_string(), form),
        Value::Object(object) => {
            stack::with_room(|| write_object(out, object, |out, entries| write_value(out, entries, TextStyle::Program)))
        }
        // An iterator is what it gives, in program text; interpolation only says what it is.
        Value::Iterator(_) if form == TextStyle::Plain => write!(out, "{}-Value", Type::of(value).generalized()),
        Value::Iterator(_) if form == TextStyle::Ruby => write_value(out, value, TextStyle::Program),
        Value::Iterator(iterator) => stack::with_room(|| {
            let drawn = iterator.iter_elements().take(MAX_ITERATOR_ELEMENTS);
            write_separated(out, ["[", ", ", ""], drawn, |out, element| write_value(out, &element, form))?;
            let is_whole = iterator.iter_elements().nth(MAX_ITERATOR_ELEMENTS).is_none();
            out.write_str(if is_whole { "]" } else { ", …]" })
        }),
        Value::Callable(callable) => write!(out, "{}", callable.callable_type()),
    }
}

pub(super) fn write_separated<T>(
    out: &mut BoundedString,
    [open, between, close]: [&str; 3],
    items: impl Iterator<Item = T>,
    mut write_item: impl FnMut(&mut BoundedString, T) -> fmt::Result,
) -> fmt::Result {
    out.write_str(open)?;
    for (at, item) in items.enumerate() {
        out.write_str(if at > 0 { between } else { "" })?;
        write_item(out, item)?;
    }
    out.write_str(close)
}

/// Writes `text` as the argument of a call of the type `name`: `SemVer('1.2.3')`. If `form` is `Plain`, only `text`.
fn write_with_type_name(out: &mut BoundedString, name: &str, text: &str, form: TextStyle) -> fmt::Result {
    if form == TextStyle::Plain {
        return out.write_str(text);
    }
    write!(out, "{name}(")?;
    write_quoted(out, text)?;
    out.write_char(')')
}

/// Writes `object` as `Point({'x' => 1})`, where `write_entries` writes the hash of the attributes without defaults.
fn write_object(
    out: &mut BoundedString,
    object: &Object,
    write_entries: impl FnOnce(&mut BoundedString, &Value) -> fmt::Result,
) -> fmt::Result {
    match object.type_.name() {
        Some(name) => out.write_str(name)?,
        None => write!(out, "{}", Type::Object(object.type_.clone()))?,
    }
    out.write_char('(')?;
    let entries = ObjectType::attributes_where(object, |field, value| field.value.as_ref() != Some(value));
    write_entries(out, &Value::Hash(entries))?;
    out.write_char(')')
}

/// Writes `value` with each attribute, and each element of nested collections, on its own line; short arrays stay on
/// one line. The lines after the first are indented by two spaces per `level`.
pub(super) fn write_indented_value(out: &mut BoundedString, value: &Value, level: usize) -> fmt::Result {
    /// The line length in characters: an array with longer elements and indentation has one element per line.
    const MAX_LINE_LENGTH: usize = 100;
    let line = |level: usize| format!("\n{}", "  ".repeat(level));
    stack::with_room(|| match value {
        Value::Object(object) => write_object(out, object, |out, entries| write_indented_value(out, entries, level)),
        Value::Hash(entries) => {
            write_separated(out, ["{", ",", &(line(level) + "}")], entries.iter(), |out, (key, value)| {
                out.write_str(&line(level + 1))?;
                write_indented_value(out, key, level + 1)?;
                out.write_str(" => ")?;
                write_indented_value(out, value, level + 1)
            })
        }
        Value::Array(elements) if elements.iter().map(length_in_line).sum::<usize>() + 2 * level < MAX_LINE_LENGTH => {
            write_separated(out, ["[", ", ", "]"], elements.iter(), |out, element| {
                write_indented_value(out, element, level)
            })
        }
        Value::Array(elements) => {
            write_separated(out, ["[", ",", &(line(level) + "]")], elements.iter(), |out, element| {
                out.write_str(&line(level + 1))?;
                write_indented_value(out, element, level + 1)
            })
        }
        other => write_value(out, other, TextStyle::Program),
    })
}

/// Returns the length of `element` in a line, or a length that never fits if its array must have several lines.
///
/// Observed: Puppet 7.23 breaks lines for all values but strings, numbers and Booleans.
fn length_in_line(element: &Value) -> usize {
    const LENGTH_THAT_NEVER_FITS: usize = 1000;
    match element {
        Value::Undef => 3,
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::Default => {
            crate::format::program_text(element).len()
        }
        Value::String(text) => 2 + text.chars().count(),
        Value::Array(elements) if elements.is_empty() => 2,
        Value::Hash(entries) if entries.is_empty() => 2,
        _ => LENGTH_THAT_NEVER_FITS,
    }
}
