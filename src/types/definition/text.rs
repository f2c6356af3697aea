//! The string form of a type: its name, and its parameters in brackets.
//!
//! It is written into one buffer that is passed down, so that a deep type is not copied once per level.

use std::fmt::Write;

use crate::format;
use crate::limits::MAX_STRING_BYTES;
use crate::stack;
use crate::types::{AliasType, Type};
use crate::value::Value;

/// `Name` or `Name[arguments…]`.
pub(in crate::types) fn type_text(name: &str, arguments: &[Value], out: &mut String) {
    out.push_str(name);
    if !arguments.is_empty() {
        out.push('[');
        values(arguments, out);
        out.push(']');
    }
}

/// The values with commas between them.
pub(in crate::types) fn values(values: &[Value], out: &mut String) {
    for (at, argument) in values.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        value(argument, out);
    }
}

/// One value as a program would have to say it.
pub(in crate::types) fn value(value: &Value, out: &mut String) {
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
        Value::String(text) => format::write_quoted(out, text).expect("a String takes everything"),
        Value::Integer(number) => write!(out, "{number}").expect("a String takes everything"),
        other => out.push_str(&format::program_text(other)),
    }
}

/// A type by itself: an alias with what it stands for, an Object type with all it says.
pub(in crate::types) fn alone(type_: &Type, out: &mut String) {
    match type_ {
        Type::Alias(alias) => with_meaning(alias, &mut Vec::new(), out),
        Type::Object(object) => object.show_definition(out),
        Type::TypeSet(set) => set.show_definition(out),
        other => other.show(out),
    }
}

/// `Port = Integer[1, 65535]`. The aliases that are members of a Struct are explained as well, each once on the way.
///
/// Observed: Puppet 8.11 prints `Named = Struct[{'port' => Port = Integer[1, 65535]}]`, and the name alone everywhere
/// else.
fn with_meaning<'a>(alias: &'a AliasType, open: &mut Vec<&'a str>, out: &mut String) {
    out.push_str(alias.name());
    let Some(meaning) = alias.resolved() else { return };
    if open.contains(&alias.name()) || out.len() > MAX_STRING_BYTES {
        return;
    }
    if let Type::Object(object) = meaning
        && object.name() == Some(alias.name())
    {
        out.truncate(out.len() - alias.name().len());
        return object.show_definition(out);
    }
    out.push_str(" = ");
    open.push(alias.name());
    match meaning {
        Type::Alias(inner) => stack::with_room(|| with_meaning(inner, open, out)),
        Type::Struct(members) => {
            out.push_str("Struct[{");
            for (at, member) in members.members().iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                value(&member.written_key(), out);
                out.push_str(" => ");
                match member.type_() {
                    Type::Alias(inner) => stack::with_room(|| with_meaning(inner, open, out)),
                    other => other.show(out),
                }
            }
            out.push_str("}]");
        }
        other => other.show(out),
    }
    open.pop();
}
