//! `Boolean[value]`: true or false, optionally only one of them.

use super::{ConstructError, Lattice, Result, Rules, Type, TypeError, Value, construct, row, single_argument};

/// The type of `true` and `false`, or of only one of them.
///
/// Source: language specification, "`Boolean ([value])`".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BooleanType {
    /// The only accepted value; `None` accepts both.
    pub value: Option<bool>,
}

impl Rules for BooleanType {
    row! {
        "Boolean" ["value"] below "ScalarData": "true or false, optionally only one of them";
        "true =~ Boolean[false]" => "false",
        "Boolean[1]" => "error BAD_TYPE_SPECIALIZATION",
        new "(Variant[Numeric, Boolean, String] $from)",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        match single_argument(Self::NAME, arguments)? {
            Value::Boolean(value) => Ok(BooleanType { value: Some(*value) }.into()),
            other => Err(TypeError::wrong_parameter(Self::NAME, "true or false", other).into()),
        }
    }

    fn arguments(&self) -> Vec<Value> {
        self.value.map(Value::Boolean).into_iter().collect()
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Boolean(value) if self.value.is_none_or(|only| only == *value))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Boolean(other) if self.value.is_none() || self.value == other.value)
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let [from] = arguments else {
            return Err(ConstructError::Arity { type_: Self::NAME, most: 1, got: arguments.len() }.into());
        };
        let truth = match from {
            Value::Boolean(value) => Some(*value),
            Value::Integer(number) => Some(*number != 0),
            Value::Float(number) => Some(*number != 0.0),
            Value::String(text) => match &*text.to_ascii_lowercase() {
                "true" | "yes" | "y" => Some(true),
                "false" | "no" | "n" => Some(false),
                _ => None,
            },
            _ => None,
        };
        let expected = "a number or a word for true or false, such as 'true', 'yes', 'y', 'false', 'no' or 'n'";
        truth.map(Value::Boolean).ok_or_else(|| construct::wrong_value_error(Self::NAME, from, expected))
    }
}
