//! `Runtime['ruby', 'Symbol']`: values of Puppet's host language, which do not exist in pcore.

use super::{Lattice, Result, Rules, Type, TypeError, TypeWriter, row, text};
use crate::value::{EcoString, Value};

/// Values of Puppet's host language Ruby that Puppet itself has no type for; no value in pcore is an instance.
///
/// Source: language specification, "Runtime".
/// Observed: Puppet 8.11 prints the runtime's name without quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuntimeType {
    /// The name of the runtime, and that of the type in it.
    pub(super) runtime_and_name: Option<(EcoString, EcoString)>,
}

impl Rules for RuntimeType {
    row! {
        "Runtime" ["runtime, name"] below "Any": "values of the host runtime";
        "1 =~ Runtime['ruby', 'Symbol']" => "false",
        "Runtime['ruby']" => "error BAD_TYPE_SLICE_ARITY",
    }
    const IS_GENERAL: bool = true;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        let [language, name] = arguments else {
            return Err(TypeError::Arity { type_: Self::NAME, expected: "2", got: arguments.len() }.into());
        };
        let wrong = |value: &Value| TypeError::wrong_parameter(Self::NAME, "a String", value);
        let text = |value| Value::as_str(value).map(EcoString::from).ok_or_else(|| wrong(value));
        Ok(RuntimeType { runtime_and_name: Some((text(language)?, text(name)?)) }.into())
    }

    fn arguments(&self) -> Vec<Value> {
        self.runtime_and_name.iter().flat_map(|(runtime, name)| [runtime, name]).cloned().map(Value::String).collect()
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::Runtime(other) if self.runtime_and_name.is_none() || self.runtime_and_name == other.runtime_and_name)
    }

    fn write_code(&self, out: &mut TypeWriter) {
        out.text.push_str(Self::NAME);
        if let Some((runtime, name)) = &self.runtime_and_name {
            out.text.extend(["[", runtime, ", "]);
            text::write_value(&Value::String(name.clone()), out);
            out.text.push(']');
        }
    }
}
