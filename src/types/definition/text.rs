//! The string form of a type: its name, and its parameters in brackets.
//!
//! It is written into one buffer that is passed down, so that a deep type is not copied once per level.

use super::Rules;
use crate::format;
use crate::limits::{self, Limit};
use crate::types::unfolding::{Unfolding, Walk};
use crate::types::{AliasType, Type};
use crate::value::{Hash, Value};

pub(in crate::types) fn type_text(name: &str, arguments: &[Value], out: &mut TypeText) {
    out.text.push_str(name);
    if !arguments.is_empty() {
        out.text.push('[');
        values(arguments, out);
        out.text.push(']');
    }
}

pub(in crate::types) fn values(values: &[Value], out: &mut TypeText) {
    out.list(values, |out, argument| value(argument, out));
}

/// The text of a value as Puppet code.
pub(in crate::types) fn value(value: &Value, out: &mut TypeText) {
    match value {
        Value::Type(type_) => type_.show(out),
        Value::Array(elements) => {
            out.text.push('[');
            values(elements, out);
            out.text.push(']');
        }
        Value::Hash(entries) => {
            out.hash(entries, |out, key| self::value(key, out), |out, _, element| self::value(element, out));
        }
        Value::String(text) => {
            let _ = format::write_quoted(&mut out.text, text); // Writing to a String cannot fail.
        }
        Value::Integer(number) => out.text.push_str(itoa::Buffer::new().format(*number)),
        other => out.text.push_str(&format::program_text(other)),
    }
}

/// The text of a type in the making.
#[derive(Debug, Default)]
pub(crate) struct TypeText {
    pub(in crate::types) text: String,
    /// Whether names are written with their definitions.
    pub(in crate::types) has_meanings: bool,
    unfolding: Unfolding,
}

impl TypeText {
    pub(in crate::types) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut TypeText, T),
    ) {
        for (at, item) in items.into_iter().enumerate() {
            if at > 0 {
                self.text.push_str(", ");
            }
            write(self, item);
        }
    }

    /// Writes `{key => value, …}`.
    pub(in crate::types) fn hash(
        &mut self,
        entries: &Hash,
        mut write_key: impl FnMut(&mut TypeText, &Value),
        mut write_value: impl FnMut(&mut TypeText, &Value, &Value),
    ) {
        self.text.push('{');
        self.list(entries.iter(), |out, (key, value)| {
            write_key(out, key);
            out.text.push_str(" => ");
            write_value(out, key, value);
        });
        self.text.push('}');
    }

    /// Writes names with or without their definitions.
    pub(in crate::types) fn with_meanings(&mut self, has_meanings: bool, write: impl FnOnce(&mut TypeText)) {
        let outer = std::mem::replace(&mut self.has_meanings, has_meanings);
        write(self);
        self.has_meanings = outer;
    }

    /// `Port`, or `Port = Integer[1, 65535]`: in the text of an alias each alias below it is written with what it stands
    /// for, but not inside of its own meaning.
    ///
    /// Observed: Puppet 8.11 prints `Ports = Array[Port = Integer[1, 65535]]`, and `Array[Port]`.
    pub(in crate::types) fn alias(&mut self, alias: &AliasType) {
        let name = alias.name();
        self.text.push_str(name);
        if !self.has_meanings || alias.is_opaque || self.text.len() > limits::length_of(Limit::String) {
            return;
        }
        // An alias that is not resolved, or that this is inside of, has no more than a name.
        let _ = self.behind(alias, |out, meaning| match meaning {
            Type::Object(object) if object.name() == Some(name) => {
                out.text.truncate(out.text.len() - name.len());
                object.show(out);
            }
            meaning => {
                out.text.push_str(" = ");
                meaning.show(out);
            }
        });
    }
}

impl Walk for TypeText {
    fn unfolding(&mut self) -> &mut Unfolding {
        &mut self.unfolding
    }
}
