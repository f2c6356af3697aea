//! `TypeSet[{…}]`: a named and versioned set of types.

use super::arguments::arity;
use super::error::TypeError;
use super::mismatch::described;
use super::{Example, Generalization, Lattice, Rules, Type, show};
use crate::error::Result;
use crate::value::{Hash, Value};

/// A set of types with a name and a version. It has no instances.
///
/// Source: language specification, "TypeSet".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeSetType {
    entries: Hash,
}

/// The keys of the description, in the order in which they are written.
const KEYS: [&str; 9] = [
    "annotations",
    "pcore_uri",
    "pcore_version",
    "name_authority",
    "name",
    "version",
    "types",
    "references",
    "constants",
];

impl Rules for TypeSetType {
    const NAME: &'static str = "TypeSet";
    const PARAMETERS: &'static str = "{pcore_version => text, name => text, version => text, types => {…}}";
    const PARENT: &'static str = "Any";
    const SUMMARY: &'static str = "a named and versioned set of types";
    const EXAMPLES: &'static [Example] = &[
        Example { code: "TypeSet =~ Type[TypeSet]", answer: "true" },
        Example { code: "TypeSet[{a => 1}]", answer: "error RUNTIME_ERROR" },
    ];

    fn bare() -> TypeSetType {
        let known = [
            ("pcore_uri", "http://puppet.com/2016.1/pcore"),
            ("pcore_version", "1.0.0"),
            ("name_authority", "http://puppet.com/2016.1/runtime"),
            ("name", "DefaultTypeSet"),
            ("version", "0.0.0"),
        ];
        TypeSetType { entries: known.into_iter().map(|(key, text)| (Value::from(key), Value::from(text))).collect() }
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        arity(Self::NAME, arguments, 1..=1, "1")?;
        let wrong = |problem: String| TypeError::Content { type_: Self::NAME, problem };
        let entries = match &arguments[0] {
            Value::Undef => return Ok(TypeSetType::bare().into()),
            Value::String(text) if text.is_empty() => return Ok(TypeSetType::bare().into()),
            Value::Hash(entries) if entries.is_empty() => return Ok(TypeSetType::bare().into()),
            Value::Hash(entries) => entries,
            other => return Err(wrong(format!("expected a Hash, got {}", described(other))).into()),
        };
        for (key, _) in entries.iter() {
            if !matches!(key, Value::String(key) if KEYS.contains(&&**key)) {
                return Err(wrong(format!("there is no key {} in the description of a TypeSet", described(key))).into());
            }
        }
        for required in ["pcore_version", "name", "version"] {
            if !matches!(entries.get_str(required), Some(Value::String(_))) {
                return Err(wrong(format!("expected a String as '{required}'")).into());
            }
        }
        let known = KEYS.iter().filter_map(|key| Some((Value::from(*key), entries.get_str(key)?.clone())));
        Ok(TypeSetType { entries: known.collect() }.into())
    }

    fn arguments(&self) -> Vec<Value> {
        vec![Value::Hash(self.entries.clone())]
    }

    fn has_instance(&self, _: &Value, _: &mut Lattice) -> bool {
        false
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::TypeSet(other) if self == &**other || *self == TypeSetType::bare())
    }

    fn generalized(&self, _: &mut Generalization) -> Type {
        self.clone().into()
    }

    fn show(&self, out: &mut String) {
        out.push_str(Self::NAME);
        out.push_str("[{");
        for (at, (key, value)) in self.entries.iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            if let Value::String(key) = key {
                out.push_str(key);
            }
            out.push_str(" => ");
            show::value(value, out);
        }
        out.push_str("}]");
    }
}
