//! `Class['apache']`: references to classes.

use super::resource::one_or_many;
use super::{Lattice, Rules, Type, TypeError, TypeText, row};
use crate::error::Result;
use crate::types::describe::describe;
use crate::value::{EcoString, Value};

/// References to classes, or to one.
///
/// Source: language specification, "Class".
/// Observed: Puppet 8.11 prints the name in lower case and without quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ClassType {
    name: Option<EcoString>,
}

impl ClassType {
    /// In lower case; none for all classes.
    pub fn class_name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// `Class['a']`, `Class['a', 'b']`: one reference, or an array of them.
    pub(super) fn access(&self, arguments: &[Value]) -> Result<Value> {
        if let Some(name) = &self.name
            && *arguments != [Value::Undef]
        {
            return Err(TypeError::ResourceAttribute { resource: format!("Class[{name}]") }.into());
        }
        one_or_many(arguments, |argument| {
            let Value::String(name) = argument else {
                return Err(TypeError::ClassParameter { got: describe(argument) }.into());
            };
            let lower = name.to_ascii_lowercase();
            let name = lower.trim_start_matches("::");
            let word = |word: &str| {
                word.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
                    && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            };
            if !name.split("::").all(word) {
                return Err(TypeError::ClassName { got: describe(argument) }.into());
            }
            Ok(Value::Type(ClassType { name: Some(name.into()) }.into()))
        })
    }
}

impl Rules for ClassType {
    row! {
        "Class" ["name, …"] below "CatalogEntry": "references to classes, optionally to a specific one";
        "Class['apache'] =~ Type[Class]" => "true",
        "Class['not a name']" => "error ILLEGAL_NAME",
    }
    const TAKES_ARRAYS: bool = true;
    const IS_GENERAL: bool = true;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        Type::from(ClassType::bare()).with_arguments(arguments)
    }

    fn arguments(&self) -> Vec<Value> {
        self.name.iter().cloned().map(Value::String).collect()
    }

    /// A reference to a class is a type, so nothing is an instance.
    fn has_instance(&self, _: &Value, _: &mut Lattice) -> bool {
        false
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Class(other) if self.name.is_none() || self.name == other.name)
    }

    fn show(&self, out: &mut TypeText) {
        out.push_str(Self::NAME);
        if let Some(name) = &self.name {
            out.push('[');
            out.push_str(name);
            out.push(']');
        }
    }
}
