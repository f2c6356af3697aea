//! Writes the string form of a type: its name, and its parameters in brackets.
//!
//! Nested types are written into one shared buffer, so that the string of a deep type is not copied at each level.

use super::Rules;
use crate::format;
use crate::limits::{self, Limit};
use crate::types::unfolding::{TypeWalk, TypeWalkState};
use crate::types::{AliasType, Type};
use crate::value::{Hash, Value};

pub(in crate::types) fn write_type(name: &str, arguments: &[Value], out: &mut TypeWriter) {
    out.text.push_str(name);
    if !arguments.is_empty() {
        out.text.push('[');
        write_values(arguments, out);
        out.text.push(']');
    }
}

pub(in crate::types) fn write_values(values: &[Value], out: &mut TypeWriter) {
    out.write_list(values, |out, argument| write_value(argument, out));
}

pub(in crate::types) fn write_value(value: &Value, out: &mut TypeWriter) {
    match value {
        Value::Type(type_) => type_.write_as_parameter(out),
        Value::Array(elements) => {
            out.text.push('[');
            write_values(elements, out);
            out.text.push(']');
        }
        Value::Hash(entries) => {
            out.write_hash(entries, |out, key| write_value(key, out), |out, _, element| write_value(element, out));
        }
        Value::String(text) => {
            let _ = format::write_quoted(&mut out.text, text); // Writing to a String cannot fail.
        }
        Value::Integer(number) => out.text.push_str(itoa::Buffer::new().format(*number)),
        other => out.text.push_str(&format::program_text(other)),
    }
}

#[derive(Debug, Default)]
pub(crate) struct TypeWriter {
    pub(in crate::types) text: String,
    /// Whether aliases are written with their definitions: `Port = Integer[1, 65535]`.
    pub(in crate::types) writes_definitions: bool,
    walk_state: TypeWalkState,
}

impl TypeWriter {
    pub(in crate::types) fn write_list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut TypeWriter, T),
    ) {
        for (at, item) in items.into_iter().enumerate() {
            self.text.push_str(if at > 0 { ", " } else { "" });
            write(self, item);
        }
    }

    pub(in crate::types) fn write_hash(
        &mut self,
        entries: &Hash,
        mut write_key: impl FnMut(&mut TypeWriter, &Value),
        mut write_value: impl FnMut(&mut TypeWriter, &Value, &Value),
    ) {
        self.text.push('{');
        self.write_list(entries.iter(), |out, (key, value)| {
            write_key(out, key);
            out.text.push_str(" => ");
            write_value(out, key, value);
        });
        self.text.push('}');
    }

    pub(in crate::types) fn write_with_alias_definitions(
        &mut self,
        has_meanings: bool,
        write: impl FnOnce(&mut TypeWriter),
    ) {
        let outer = std::mem::replace(&mut self.writes_definitions, has_meanings);
        write(self);
        self.writes_definitions = outer;
    }

    /// Writes the name of `alias`, followed by its definition if [`TypeWriter::writes_definitions`] is set:
    /// `Port = Integer[1, 65535]`. Where it occurs in its own definition, only the name is written.
    ///
    /// Observed: Puppet 8.11 prints `Ports = Array[Port = Integer[1, 65535]]`, and `Array[Port]`.
    pub(in crate::types) fn write_alias(&mut self, alias: &AliasType) {
        let name = alias.name();
        self.text.push_str(name);
        if !self.writes_definitions
            || alias.prints_only_name
            || self.text.len() > limits::current_limit_as_usize(Limit::String)
        {
            return;
        }
        // An alias that is not resolved, or that this is inside of, has no more than a name.
        let _ = self.walk_behind_alias(alias, |out, meaning| match meaning {
            Type::Object(object) if object.name() == Some(name) => {
                out.text.truncate(out.text.len() - name.len());
                object.write_code(out);
            }
            meaning => {
                out.text.push_str(" = ");
                meaning.write_as_parameter(out);
            }
        });
    }
}

impl TypeWalk for TypeWriter {
    fn walk_state(&mut self) -> &mut TypeWalkState {
        &mut self.walk_state
    }
}
