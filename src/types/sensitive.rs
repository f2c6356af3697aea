//! `Sensitive[type]`: values hidden from logs.

use super::{Lattice, NestedType, Replace, Rules, Type, Value, row, single_type_argument};
use crate::error::{Error, Result};

/// Sensitive values whose content is of a type, which is always generalized: `String[5, 5]` would say how long it is.
///
/// Source: language specification, "`Sensitive[T]`".
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SensitiveType {
    content: NestedType,
}

impl SensitiveType {
    /// `Sensitive[content]`, with `content` generalized.
    pub fn new(content: &Type) -> SensitiveType {
        SensitiveType { content: content.generalized().into() }
    }

    /// Returns the type of the wrapped content.
    pub fn content(&self) -> &Type {
        &self.content
    }
}

impl Rules for SensitiveType {
    row! {
        "Sensitive" ["type"] below "Any": "a value hidden from logs; `unwrap` reveals it";
        "Sensitive('say friend')" => "Sensitive [value redacted]",
        "Sensitive('x') =~ Sensitive[Integer]" => "false",
        "Sensitive[String[1, 5]]" => "Sensitive[String]",
        "Sensitive[Sensitive[Enum['a']]]" => "Sensitive[Sensitive[String]]",
        "Sensitive[1]" => "error BAD_TYPE_SLICE_TYPE",
        new "(Any $content)",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        Ok(SensitiveType::new(&single_type_argument(Self::NAME, arguments)?).into())
    }

    fn arguments(&self) -> Vec<Value> {
        if *self.content == Type::any() { Vec::new() } else { vec![Value::Type((*self.content).clone())] }
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        matches!(value, Value::Sensitive(content) if lattice.has_instance(&self.content, content))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        matches!(other, Type::Sensitive(other) if lattice.accepts_inner_type(&self.content, &other.content))
    }

    fn map_nested_types(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        Some(SensitiveType { content: replaced(&self.content).into() }.into())
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        match arguments {
            [Value::Sensitive(content)] => Ok(Value::Sensitive(content.clone())),
            [content] => Ok(Value::sensitive(content.clone())),
            _ => Err(Error::runtime(format!("Sensitive wraps exactly one value, got {}", arguments.len()))),
        }
    }
}
