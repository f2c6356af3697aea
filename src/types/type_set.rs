//! `TypeSet[{…}]`: a named and versioned set of types.

use super::definition::arguments::arity;
use super::definition::error::TypeError;
use super::definition::text;
use super::relation::mismatch::describe;
use super::{Example, Generalization, Lattice, ObjectType, Rules, Type};
use crate::error::Result;
use crate::value::{Hash, Value};

/// A set of types with a name and a version. It has no instances.
///
/// Source: language specification, "TypeSet".
/// Observed: Puppet 7.23 writes the types by their last names where the set is inside of another type, and all that they
/// are where it stands alone.
/// Deviation: types inside of these are written by their full names, by which programs can name them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeSetType {
    entries: Hash,
}

/// The keys of the description, in the order in which they are written.
const KEYS: [&str; 8] =
    ["annotations", "pcore_uri", "pcore_version", "name_authority", "name", "version", "types", "references"];

impl TypeSetType {
    /// The description of the set that `type name = TypeSet[{…}]` defines, without its types.
    pub(crate) fn definition(name: &str) -> [(Value, Value); 2] {
        let authority = "http://puppet.com/2016.1/runtime";
        [("name_authority", authority), ("name", name)].map(|(key, text)| (Value::from(key), Value::from(text)))
    }

    /// The text of the set by itself: its types with all they say.
    pub(super) fn show_definition(&self, out: &mut String) {
        self.show_with(out, |type_, out| match type_ {
            Type::Alias(alias) => match alias.resolved() {
                Some(Type::Object(object)) => object.show_unnamed(out),
                Some(meaning) => meaning.show(out),
                None => out.push_str(alias.name()),
            },
            other => other.show(out),
        });
    }

    fn show_with(&self, out: &mut String, show_type: fn(&Type, &mut String)) {
        out.push_str(Self::NAME);
        out.push_str("[{");
        for (at, (key, value)) in self.entries.iter().enumerate() {
            if at > 0 {
                out.push_str(", ");
            }
            let Value::String(key) = key else { continue };
            out.push_str(key);
            out.push_str(" => ");
            match value {
                Value::Hash(types) if **key == *"types" => {
                    out.push('{');
                    for (at, (name, type_)) in types.iter().enumerate() {
                        if at > 0 {
                            out.push_str(", ");
                        }
                        if let (Value::String(name), Value::Type(type_)) = (name, type_) {
                            out.push_str(name);
                            out.push_str(" => ");
                            show_type(type_, out);
                        }
                    }
                    out.push('}');
                }
                other => text::value(other, out),
            }
        }
        out.push_str("}]");
    }
}

/// What stands as `types`: a type a name; a hash is the description of an Object type.
fn types(types: &Value) -> Result<Value> {
    let wrong = |problem: String| TypeError::Content { type_: TypeSetType::NAME, problem };
    let Value::Hash(types) = types else {
        return Err(wrong(format!("expected a Hash as 'types', got {}", describe(types))).into());
    };
    if types.is_empty() {
        return Err(wrong("expected at least one type in 'types'".to_owned()).into());
    }
    let named = |(name, type_): (&Value, &Value)| {
        let is_name = |text: &str| {
            text.starts_with(|first: char| first.is_ascii_uppercase())
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        if !matches!(name, Value::String(text) if is_name(text)) {
            return Err(wrong(format!("expected a capitalized type name, got {}", describe(name))));
        }
        let type_ = match type_ {
            Value::Type(_) => type_.clone(),
            Value::Hash(_) => match ObjectType::from_arguments(std::slice::from_ref(type_)) {
                Ok(object) => Value::Type(object),
                Err(error) => {
                    return Err(wrong(format!("{} is not a valid Object type: {}", describe(name), error.message())));
                }
            },
            other => return Err(wrong(format!("expected a type as {}, got {}", describe(name), describe(other)))),
        };
        Ok((name.clone(), type_))
    };
    Ok(Value::Hash(types.iter().map(named).collect::<std::result::Result<Hash, TypeError>>()?))
}

impl Rules for TypeSetType {
    const NAME: &'static str = "TypeSet";
    const PARAMETERS: &'static str = "{pcore_version => string, name => string, version => string, types => {…}}";
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
            other => return Err(wrong(format!("expected a Hash, got {}", describe(other))).into()),
        };
        for (key, _) in entries.iter() {
            if !matches!(key, Value::String(key) if KEYS.contains(&&**key)) {
                return Err(wrong(format!("unknown key {} in the definition of a TypeSet", describe(key))).into());
            }
        }
        for required in ["pcore_version", "name"] {
            if !matches!(entries.get_str(required), Some(Value::String(_))) {
                return Err(wrong(format!("expected a String as '{required}'")).into());
            }
        }
        let known = KEYS.iter().filter_map(|key| {
            let value = entries.get_str(key)?;
            let value = if *key == "types" { types(value) } else { Ok(value.clone()) };
            Some(value.map(|value| (Value::from(*key), value)))
        });
        Ok(TypeSetType { entries: known.collect::<Result<Hash>>()? }.into())
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
        self.show_with(out, |type_, out| match type_ {
            Type::Alias(alias) => out.push_str(alias.name().rsplit("::").next().unwrap_or_default()),
            other => other.show(out),
        });
    }
}
