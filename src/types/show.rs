//! The text of a type: its name, and between brackets its parameters.
//!
//! Written into a string that travels along, so that a deep type is not copied once a level.

use crate::format;
use crate::value::Value;

/// `Name` or `Name[arguments…]`.
pub(super) fn type_text(name: &str, arguments: &[Value], out: &mut String) {
    out.push_str(name);
    if !arguments.is_empty() {
        out.push('[');
        values(arguments, out);
        out.push(']');
    }
}

/// The values with commas between them.
pub(super) fn values(values: &[Value], out: &mut String) {
    for (at, argument) in values.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        value(argument, out);
    }
}

/// One value as a program would have to say it.
pub(super) fn value(value: &Value, out: &mut String) {
    match value {
        Value::Type(type_) => type_.show(out),
        Value::Array(elements) => {
            out.push('[');
            values(elements, out);
            out.push(']');
        }
        Value::Hash(entries) => {
            out.push('{');
            for (at, (key, element)) in entries.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                self::value(key, out);
                out.push_str(" => ");
                self::value(element, out);
            }
            out.push('}');
        }
        other => out.push_str(&format::program_text(other)),
    }
}
