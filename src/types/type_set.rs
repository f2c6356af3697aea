//! `TypeSet[{…}]`: a named and versioned set of types.

use std::sync::LazyLock;

use super::definition::object_definition;
use super::{Lattice, ObjectType, Rules, StructType, Type, TypeError, TypeText, describe, only, row, text, written};
use crate::error::{Error, Result};
use crate::format;
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

/// Observed: Puppet 7.23 takes everything for a URI that contains a scheme, at least a letter before a colon.
static URI: LazyLock<Type> = LazyLock::new(|| written!(Pattern[r"[A-Za-z][A-Za-z0-9+.-]*:"]));

/// The Struct of a type set definition, with the keys in the order in which they are printed.
static SHAPE: LazyLock<Type> = LazyLock::new(|| {
    let uri = URI.clone();
    let version = written!(Variant[String, SemVer]);
    let [name, segment] = ["Pcore::TypeName", "Pcore::SimpleTypeName"].map(Type::built_in);
    written!(Struct[{
        Optional["annotations"] => Hash,
        Optional["pcore_uri"] => (uri.clone()),
        pcore_version => (version.clone()),
        Optional["name_authority"] => (uri),
        Optional["name"] => (name),
        Optional["version"] => (version),
        Optional["types"] => Hash[(segment.clone()), Variant[Type, Hash], 1],
        Optional["references"] => Hash[(segment), Hash, 1],
    }])
});

/// The authority of all type sets that programs define, even if they give another.
const RUNTIME_AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

static REFERENCE: LazyLock<Type> = LazyLock::new(|| {
    written!(Struct[{
        name => String, version_range => Variant[String, SemVerRange], Optional["name_authority"] => (URI.clone())
    }])
});

/// Checks that `hash` is an instance of the Struct `shape`.
fn check(shape: &Type, hash: &Hash) -> Result<(), TypeError> {
    match shape {
        Type::Struct(record) if !shape.has_instance(&Value::Hash(hash.clone())) => {
            Err(wrong(record.refused(hash, "keys")))
        }
        _ => Ok(()),
    }
}

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
        references.values().filter_map(|set| Reference::of(set).ok()).collect()
    }

    /// The `name` and `version` entries for the set that `type name = TypeSet[{…}]` defines.
    pub(crate) fn definition(name: &str) -> [(Value, Value); 2] {
        [("name_authority", RUNTIME_AUTHORITY), ("name", name)].map(|(key, text)| (Value::from(key), Value::from(text)))
    }

    pub(crate) fn is_uri(text: &str) -> bool {
        URI.has_instance(&text.into())
    }

    /// Writes the full string form of the set, with the definitions of its types.
    pub(super) fn show_definition(&self, out: &mut TypeText) {
        self.show_with(out, |type_, out| match type_ {
            Type::Alias(alias) => match alias.resolved().as_deref() {
                Some(Type::Object(object)) => object.show_unnamed(out),
                Some(meaning) => meaning.show(out),
                None => out.text.push_str(alias.name()),
            },
            Type::TypeSet(set) => set.show_definition(out),
            other => other.show(out),
        });
    }

    fn show_with(&self, out: &mut TypeText, show_type: fn(&Type, &mut TypeText)) {
        let name = |out: &mut TypeText, name: &Value| out.text.push_str(&format::text(name));
        out.text.extend([Self::NAME, "["]);
        out.hash(&self.entries, name, |out, key, value| match (key.as_str(), value) {
            (Some("types" | "references"), Value::Hash(named)) => out.hash(named, name, |out, _, value| match value {
                Value::Type(type_) => show_type(type_, out),
                other => text::value(other, out),
            }),
            (_, other) => text::value(other, out),
        });
        out.text.push(']');
    }
}

fn wrong(problem: String) -> TypeError {
    TypeError::content(TypeSetType::NAME, problem)
}

/// The version that the set has, or that of the rules that it follows.
fn version(entries: &Hash, key: &str) -> Result<Option<SemVer>> {
    match entries.get_str(key) {
        Some(Value::String(text)) => SemVer::parse(text).map(Some),
        Some(Value::SemVer(version)) => Ok(Some((**version).clone())),
        _ => Ok(None),
    }
}

pub(crate) struct Reference {
    /// `Other::Set`
    pub(crate) name: EcoString,
    pub(crate) versions: SemVerRange,
    /// Whether the authority is the one of type sets that programs define.
    is_of_programs: bool,
}

impl Reference {
    /// `{name => 'Other::Set', version_range => '1.x'}`
    fn of(set: &Value) -> Result<Reference> {
        let said = set.as_hash().cloned().unwrap_or_default();
        check(&REFERENCE, &said)?;
        let versions = match said.get_str("version_range") {
            Some(Value::SemVerRange(range)) => (**range).clone(),
            range => SemVerRange::parse(range.and_then(Value::as_str).unwrap_or_default())?,
        };
        let text = |key: &str| said.get_str(key).and_then(Value::as_str);
        let name = text("name").unwrap_or_default().into();
        let is_of_programs = text("name_authority").is_none_or(|authority| authority == RUNTIME_AUTHORITY);
        Ok(Reference { name, versions, is_of_programs })
    }

    /// Checks that `found`, to which the name refers, is a type set of the right version.
    pub(crate) fn check(&self, found: Option<&Type>) -> Result<()> {
        let name = &self.name;
        match found.filter(|_| self.is_of_programs) {
            Some(Type::TypeSet(set)) => match version(&set.entries, "version")? {
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

/// Parses the key `types`: the name of each type with the type, or with a hash that defines an Object type.
fn types(types: &Value) -> Result<Value> {
    let named = |(name, type_): (&Value, &Value)| {
        let invalid =
            |error: Error| wrong(format!("{} is not a valid Object type: {}", describe(name), error.message()));
        let type_ = match type_ {
            Value::Hash(_) => Value::Type(ObjectType::from_arguments(std::slice::from_ref(type_)).map_err(invalid)?),
            type_ => type_.clone(),
        };
        Ok((name.clone(), type_))
    };
    let types = types.as_hash().into_iter().flat_map(Hash::iter);
    Ok(Value::Hash(types.map(named).collect::<Result<Hash>>()?))
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
            Value::Hash(entries) if !entries.is_empty() => entries,
            Value::Undef | Value::Hash(_) => return Ok(TypeSetType::bare().into()),
            other if other.as_str() == Some("") => return Ok(TypeSetType::bare().into()),
            other => return Err(wrong(format!("expected a Hash, got {}", describe(other))).into()),
        };
        check(&SHAPE, entries)?;
        let of_rules = SemVerRange::parse("1.x")?;
        if let Some(version) = version(entries, "pcore_version")?.filter(|version| !of_rules.includes(version)) {
            return Err(wrong(format!("expected a version in 1.x as pcore_version, got {version}")).into());
        }
        version(entries, "version")?;
        let at = |key: &str| entries.get_str(key).and_then(Value::as_hash);
        if let (Some(types), Some(references)) = (at("types"), at("references"))
            && let Some(name) = references.keys().find(|name| types.get(name).is_some())
        {
            return Err(wrong(format!("{} is both a type and a reference", format::text(name))).into());
        }
        for reference in at("references").into_iter().flat_map(Hash::values) {
            Reference::of(reference)?;
        }
        let members = StructType::of_type(&SHAPE).into_iter().flat_map(StructType::members);
        let known = members.filter_map(|member| {
            let value = entries.get(member.key())?;
            let value = match member.name() {
                "types" => types(value),
                "annotations" => object_definition::annotations(value),
                _ => Ok(value.clone()),
            };
            Some(value.map(|value| (member.key().clone(), value)))
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
            Type::Alias(alias) => out.text.push_str(alias.name().rsplit("::").next().unwrap_or_default()),
            other => other.show(out),
        });
    }
}
