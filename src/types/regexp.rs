//! `Regexp[/text/]`: regular expressions, optionally only a specific one.

use std::sync::Arc;

use super::{ConstructError, Lattice, Result, Rules, Type, TypeError, Value, construct, row, single_argument};
use crate::regexp::{Regexp, escape};

/// The type of regular expressions; with a parameter, only of the one with that source.
///
/// Source: language specification, "Regexp".
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RegexpType {
    /// The only accepted expression; `None` accepts all.
    pub value: Option<Arc<Regexp>>,
}

/// Converts a parameter of the type called `type_`, `/a/` or `'a'`, to a regular expression.
pub(super) fn regexp_from_parameter(type_: &'static str, value: &Value) -> Result<Arc<Regexp>> {
    match value {
        Value::Regexp(regexp) => Ok(regexp.clone()),
        Value::String(text) => Ok(Arc::new(Regexp::new(text)?)),
        other => Err(TypeError::wrong_parameter(type_, "a regular expression or a String", other).into()),
    }
}

/// Whether `regexp` finds a match in `text`; false if the search fails because it takes too long.
pub(super) fn is_match(regexp: &Regexp, text: &str) -> bool {
    regexp.is_match(text).unwrap_or(false)
}

impl Rules for RegexpType {
    row! {
        "Regexp" ["text"] below "Scalar": "regular expressions, optionally only a specific one";
        "/a/ =~ Regexp" => "true",
        "/a/ =~ Regexp['b']" => "false",
        "Regexp[1]" => "error BAD_TYPE_SPECIALIZATION",
        new "(String $pattern, Boolean $escape = false)",
    }
    const IS_GENERAL: bool = true;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        let regexp = regexp_from_parameter(Self::NAME, single_argument(Self::NAME, arguments)?)?;
        Ok(RegexpType { value: Some(regexp) }.into())
    }

    fn arguments(&self) -> Vec<Value> {
        self.value.iter().cloned().map(Value::Regexp).collect()
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::Regexp(regexp) if self.value.as_ref().is_none_or(|only| only == regexp))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Regexp(other) if self.value.is_none() || self.value == other.value)
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let text = match arguments {
            [Value::String(text)] | [Value::String(text), Value::Boolean(false)] => text.to_string(),
            [Value::String(text), Value::Boolean(true)] => escape(text),
            [other, ..] => {
                return Err(construct::wrong_value_error(Self::NAME, other, "a String, and whether to escape it"));
            }
            [] => return Err(ConstructError::Arity { type_: Self::NAME, most: 2, got: 0 }.into()),
        };
        Ok(Value::Regexp(Arc::new(Regexp::new(&text)?)))
    }
}
