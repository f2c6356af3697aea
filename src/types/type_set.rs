//! `TypeSet[{…}]`: a named and versioned set of types.

use super::definition::arguments::only;
use super::definition::object_definition::{self, is_type_name};
use super::{Lattice, ObjectType, Rules, Type, TypeError, TypeText, row, text};
use crate::error::Result;
use crate::format;
use crate::types::describe::describe;
use crate::value::{EcoString, Hash, SemVer, SemVerRange, Value};

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

/// The keys of a type set's definition, in the order in which they are printed.
const KEYS: [&str; 8] =
    ["annotations", "pcore_uri", "pcore_version", "name_authority", "name", "version", "types", "references"];

const REFERENCE_KEYS: [&str; 3] = ["name", "version_range", "name_authority"];

/// The authority of all type sets that programs define, even if they give another.
const RUNTIME_AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

impl TypeSetType {
    pub(crate) fn name(&self) -> Option<&str> {
        self.entries.get_str("name")?.as_str()
    }

    pub(crate) fn types(&self) -> impl Iterator<Item = (&str, &Type)> {
        let types = self.entries.get_str("types").and_then(Value::as_hash);
        types.into_iter().flat_map(Hash::iter).filter_map(|entry| match entry {
            (Value::String(name), Value::Type(type_)) => Some((&**name, type_)),
            _ => None,
        })
    }

    pub(crate) fn references(&self) -> Vec<Reference> {
        let Some(Value::Hash(references)) = self.entries.get_str("references") else { return Vec::new() };
        references.values().filter_map(|set| Reference::of(Self::NAME, set).ok()).collect()
    }

    /// The description of the set that `type name = TypeSet[{…}]` defines, without its types.
    pub(crate) fn definition(name: &str) -> [(Value, Value); 2] {
        [("name_authority", RUNTIME_AUTHORITY), ("name", name)].map(|(key, text)| (Value::from(key), Value::from(text)))
    }

    /// Whether `value` is accepted as an authority: it contains a URI scheme, at least a letter before a colon.
    ///
    /// Observed: Puppet 7.23, which does not look at the rest.
    pub(crate) fn is_uri(value: &str) -> bool {
        let ends_in_scheme = |before: &str| {
            let of_scheme = |c: &char| c.is_ascii_alphanumeric() || "+-.".contains(*c);
            before.chars().rev().take_while(of_scheme).any(|c| c.is_ascii_alphabetic())
        };
        value.match_indices(':').any(|(at, _)| ends_in_scheme(&value[..at]))
    }

    /// The full text of the set, with the definitions of its types.
    pub(super) fn show_definition(&self, out: &mut TypeText) {
        self.show_with(out, |type_, out| match type_ {
            Type::Alias(alias) => match alias.resolved().as_deref() {
                Some(Type::Object(object)) => object.show_unnamed(out),
                Some(meaning) => meaning.show(out),
                None => out.push_str(alias.name()),
            },
            Type::TypeSet(set) => set.show_definition(out),
            other => other.show(out),
        });
    }

    fn show_with(&self, out: &mut TypeText, show_type: fn(&Type, &mut TypeText)) {
        out.push_str(Self::NAME);
        out.push_str("[{");
        out.list(self.entries.iter(), |out, (key, value)| {
            let key = format::text(key);
            out.push_str(&key);
            out.push_str(" => ");
            match value {
                Value::Hash(named) if matches!(&*key, "types" | "references") => {
                    out.push('{');
                    out.list(named.iter(), |out, (name, value)| {
                        out.push_str(&format::text(name));
                        out.push_str(" => ");
                        match value {
                            Value::Type(type_) => show_type(type_, out),
                            other => text::value(other, out),
                        }
                    });
                    out.push('}');
                }
                other => text::value(other, out),
            }
        });
        out.push_str("}]");
    }
}

fn wrong(problem: String) -> TypeError {
    TypeError::content(TypeSetType::NAME, problem)
}

fn check_uri(entries: &Hash, key: &str) -> Result<(), TypeError> {
    match entries.get_str(key) {
        None => Ok(()),
        Some(Value::String(uri)) if TypeSetType::is_uri(uri) => Ok(()),
        Some(other) => Err(wrong(format!("expected a URI as '{key}', got {}", describe(other)))),
    }
}

/// Checks the version that the set has, or that of the rules that it follows, which has to be 1.x.
fn version(entries: &Hash, key: &str, is_required: bool) -> Result<Option<SemVer>> {
    let version = match entries.get_str(key) {
        Some(Value::String(text)) => SemVer::parse(text)?,
        Some(Value::SemVer(version)) => (**version).clone(),
        None if !is_required => return Ok(None),
        _ => return Err(wrong(format!("expected a version as '{key}'")).into()),
    };
    if is_required && !SemVerRange::parse("1.x")?.includes(&version) {
        return Err(wrong(format!("expected a version in 1.x as '{key}', got {version}")).into());
    }
    Ok(Some(version))
}

/// The entries under `key`, at least one.
fn filled<'v>(key: &str, entry: &str, value: &'v Value) -> Result<&'v Hash, TypeError> {
    match value {
        Value::Hash(entries) if entries.is_empty() => Err(wrong(format!("expected at least one {entry} in '{key}'"))),
        Value::Hash(entries) => Ok(entries),
        other => Err(wrong(format!("expected a Hash as '{key}', got {}", describe(other)))),
    }
}

/// Reads the key `references`: `{Other => {name => 'Other::Set', version_range => '1.x'}}`.
fn references(entries: &Hash, references: &Value) -> Result<Value> {
    for (name, set) in filled("references", "set", references)?.iter() {
        let wrong_name = || wrong(format!("expected a String as the name of a reference, got {}", describe(name)));
        let name = name.as_str().ok_or_else(wrong_name)?;
        if !is_type_name(name) {
            return Err(wrong(format!("the name of a reference begins with a capital letter, got '{name}'")).into());
        }
        if entries.get_str("types").and_then(Value::as_hash).is_some_and(|types| types.get_str(name).is_some()) {
            return Err(wrong(format!("{name} is both a type and a reference")).into());
        }
        Reference::of(name, set)?;
    }
    Ok(references.clone())
}

pub(crate) struct Reference {
    /// `Other::Set`
    pub(crate) name: EcoString,
    pub(crate) versions: SemVerRange,
    /// Whether its authority is that of the sets that programs define.
    is_of_programs: bool,
}

impl Reference {
    fn of(alias: &str, set: &Value) -> Result<Reference> {
        let Value::Hash(said) = set else {
            return Err(wrong(format!("expected a Hash as the reference {alias}, got {}", describe(set))).into());
        };
        let known = |key: &Value| matches!(key, Value::String(key) if REFERENCE_KEYS.contains(&&**key));
        if let Some(key) = said.keys().find(|key| !known(key)) {
            return Err(wrong(format!("there is no key {} in the reference {alias}", describe(key))).into());
        }
        let Some(Value::String(name)) = said.get_str("name") else {
            return Err(wrong(format!("expected a String as the name in the reference {alias}")).into());
        };
        let versions = match said.get_str("version_range") {
            Some(Value::String(range)) => SemVerRange::parse(range)?,
            Some(Value::SemVerRange(range)) => (**range).clone(),
            _ => return Err(wrong(format!("expected a version_range in the reference {alias}")).into()),
        };
        check_uri(said, "name_authority")?;
        let authority = said.get_str("name_authority").and_then(Value::as_str);
        let is_of_programs = authority.is_none_or(|authority| authority == RUNTIME_AUTHORITY);
        Ok(Reference { name: name.clone(), versions, is_of_programs })
    }

    /// Checks that `found`, to which the name refers, is a type set of the right version.
    pub(crate) fn check(&self, found: Option<&Type>) -> Result<()> {
        let name = &self.name;
        match found.filter(|_| self.is_of_programs) {
            Some(Type::TypeSet(set)) => match version(&set.entries, "version", false)? {
                Some(version) if !self.versions.includes(&version) => {
                    let expected = &self.versions;
                    Err(wrong(format!("expected the set {name} in version {expected}, found {version}")).into())
                }
                _ => Ok(()),
            },
            Some(_) => Err(wrong(format!("the reference {name} names a type that is not a TypeSet")).into()),
            None => Err(wrong(format!("the reference {name} names an unknown set")).into()),
        }
    }
}

/// Reads the key `types`: each name with its type, or with a hash that describes an Object type.
fn types(types: &Value) -> Result<Value> {
    let named = |(name, type_): (&Value, &Value)| {
        if !matches!(name, Value::String(text) if is_type_name(text)) {
            return Err(wrong(format!("the name of a type begins with a capital letter, got {}", describe(name))));
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
    let types = filled("types", "type", types)?;
    Ok(Value::Hash(types.iter().map(named).collect::<std::result::Result<Hash, TypeError>>()?))
}

impl Default for TypeSetType {
    fn default() -> TypeSetType {
        let known = [
            ("pcore_uri", "http://puppet.com/2016.1/pcore"),
            ("pcore_version", "1.0.0"),
            ("name_authority", RUNTIME_AUTHORITY),
            ("name", "DefaultTypeSet"),
            ("version", "0.0.0"),
        ];
        TypeSetType { entries: known.into_iter().map(|(key, text)| (Value::from(key), Value::from(text))).collect() }
    }
}

impl Rules for TypeSetType {
    row! {
        "TypeSet" ["{pcore_version => string, name => string, version => string, types => {…}}"] below "Any":
            "a named and versioned set of types";
        "TypeSet =~ Type[TypeSet]" => "true",
        "TypeSet[{a => 1}]" => "error RUNTIME_ERROR",
    }
    const IS_GENERAL: bool = true;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        let entries = match only(Self::NAME, arguments)? {
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
        check_uri(entries, "pcore_uri")?;
        check_uri(entries, "name_authority")?;
        for (key, is_required) in [("pcore_version", true), ("version", false)] {
            version(entries, key, is_required)?;
        }
        let name = entries.get_str("name");
        if name.is_some_and(|name| !matches!(name, Value::String(name) if name.split("::").all(is_type_name))) {
            return Err(wrong("expected a capitalized String as 'name'".to_owned()).into());
        }
        let known = KEYS.iter().filter_map(|key| {
            let value = entries.get_str(key)?;
            let value = match *key {
                "types" => types(value),
                "references" => references(entries, value),
                "annotations" => object_definition::annotations(value),
                _ => Ok(value.clone()),
            };
            Some(value.map(|value| (Value::from(*key), value)))
        });
        Ok(TypeSetType { entries: known.collect::<Result<Hash>>()? }.into())
    }

    fn arguments(&self) -> Vec<Value> {
        vec![Value::Hash(self.entries.clone())]
    }

    /// Observed: Puppet 7.23 takes a set as an instance of itself and of `TypeSet`.
    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        matches!(value, Value::Type(type_ @ Type::TypeSet(_)) if self.accepts(type_, lattice))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::TypeSet(other) if self == &**other || *self == TypeSetType::bare())
    }

    fn show(&self, out: &mut TypeText) {
        self.show_with(out, |type_, out| match type_ {
            Type::Alias(alias) => out.push_str(alias.name().rsplit("::").next().unwrap_or_default()),
            other => other.show(out),
        });
    }
}
