//! `TypeSet[{…}]`: a named and versioned set of types.

use std::sync::LazyLock;

use super::definition::object_definition;
use super::{
    Lattice, ObjectType, Rules, StructType, Type, TypeError, TypeWriter, describe, row, single_argument, text, written,
};
use crate::error::{Error, Result};
use crate::format;
use crate::value::{EcoString, Hash, SemVer, SemVerRange, Value};

/// A set of types with a name and a version. Its only instance is the set itself; bare `TypeSet` accepts all sets.
///
/// Source: language specification, "TypeSet".
/// Observed: Puppet 7.23 writes only the last names of the types if the set is inside of another type, otherwise their
/// full definitions.
/// Deviation: types inside of these definitions are written by their full names, by which programs can name them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeSetType {
    entries: Hash,
}

/// The URIs in a type set. Observed: Puppet 7.23 accepts every text with a scheme, at least a letter before a colon.
static URI_TYPE: LazyLock<Type> = LazyLock::new(|| written!(Pattern[r"[A-Za-z][A-Za-z0-9+.-]*:"]));

/// The Struct of a type set definition, with the keys in the order in which they are printed.
static DEFINITION_TYPE: LazyLock<Type> = LazyLock::new(|| {
    let uri = URI_TYPE.clone();
    let version = written!(Variant[String, SemVer]);
    let [name, segment] = ["Pcore::TypeName", "Pcore::SimpleTypeName"].map(Type::built_in_type);
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

/// The name authority of all type sets that programs define, even if they declare another.
const RUNTIME_NAME_AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

static REFERENCE_TYPE: LazyLock<Type> = LazyLock::new(|| {
    written!(Struct[{
        name => String, version_range => Variant[String, SemVerRange], Optional["name_authority"] => (URI_TYPE.clone())
    }])
});

fn check_hash_type(shape: &Type, hash: &Hash) -> Result<(), TypeError> {
    match shape {
        Type::Struct(record) if !shape.has_instance(&Value::Hash(hash.clone())) => {
            Err(content_error(record.describe_rejection(hash, "keys")))
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

    pub(crate) fn references(&self) -> Vec<TypeSetReference> {
        let Some(Value::Hash(references)) = self.entries.get_str("references") else { return Vec::new() };
        references.values().filter_map(|set| TypeSetReference::parse(set).ok()).collect()
    }

    /// Returns the entries `name_authority` and `name` for the set that `type name = TypeSet[{…}]` defines.
    pub(crate) fn naming_entries(name: &str) -> [(Value, Value); 2] {
        [("name_authority", RUNTIME_NAME_AUTHORITY), ("name", name)]
            .map(|(key, text)| (Value::from(key), Value::from(text)))
    }

    pub(crate) fn is_uri(text: &str) -> bool {
        URI_TYPE.has_instance(&text.into())
    }

    pub(super) fn show_definition(&self, out: &mut TypeWriter) {
        self.show_entries_with(out, |type_, out| match type_ {
            Type::Alias(alias) => match alias.resolved().as_deref() {
                Some(Type::Object(object)) => object.replace_name(None).show_definition(out),
                Some(meaning) => meaning.write_as_parameter(out),
                None => out.text.push_str(alias.name()),
            },
            Type::TypeSet(set) => set.show_definition(out),
            other => other.write_as_parameter(out),
        });
    }

    fn show_entries_with(&self, out: &mut TypeWriter, show_type: fn(&Type, &mut TypeWriter)) {
        let name = |out: &mut TypeWriter, name: &Value| out.text.push_str(&format::text(name));
        out.text.extend([Self::NAME, "["]);
        out.write_hash(&self.entries, name, |out, key, value| match (key.as_str(), value) {
            (Some("types" | "references"), Value::Hash(named)) => {
                out.write_hash(named, name, |out, _, value| match value {
                    Value::Type(type_) => show_type(type_, out),
                    other => text::write_value(other, out),
                });
            }
            (_, other) => text::write_value(other, out),
        });
        out.text.push(']');
    }
}

fn content_error(problem: String) -> TypeError {
    TypeError::invalid_parameter_error(TypeSetType::NAME, problem)
}

fn parse_version(entries: &Hash, key: &str) -> Result<Option<SemVer>> {
    match entries.get_str(key) {
        Some(Value::String(text)) => SemVer::parse(text).map(Some),
        Some(Value::SemVer(version)) => Ok(Some((**version).clone())),
        _ => Ok(None),
    }
}

pub(crate) struct TypeSetReference {
    pub(crate) name: EcoString,
    pub(crate) versions: SemVerRange,
    /// Whether the reference has no name authority, or that of the type sets that programs define.
    has_runtime_authority: bool,
}

impl TypeSetReference {
    /// Parses a reference such as `{name => 'Other::Set', version_range => '1.x'}`.
    fn parse(set: &Value) -> Result<TypeSetReference> {
        let said = set.as_hash().cloned().unwrap_or_default();
        check_hash_type(&REFERENCE_TYPE, &said)?;
        let versions = match said.get_str("version_range") {
            Some(Value::SemVerRange(range)) => (**range).clone(),
            range => SemVerRange::parse(range.and_then(Value::as_str).unwrap_or_default())?,
        };
        let text = |key: &str| said.get_str(key).and_then(Value::as_str);
        let name = text("name").unwrap_or_default().into();
        let is_of_programs = text("name_authority").is_none_or(|authority| authority == RUNTIME_NAME_AUTHORITY);
        Ok(TypeSetReference { name, versions, has_runtime_authority: is_of_programs })
    }

    pub(crate) fn check_referenced_set(&self, found: Option<&Type>) -> Result<()> {
        let name = &self.name;
        let problem = match found.filter(|_| self.has_runtime_authority) {
            Some(Type::TypeSet(set)) => match parse_version(&set.entries, "version")? {
                Some(version) if !self.versions.includes(&version) => {
                    format!("expected the set {name} in version {}, found {version}", self.versions)
                }
                _ => return Ok(()),
            },
            Some(_) => format!("the reference {name} names a type that is not a TypeSet"),
            None => format!("the reference {name} names an unknown set"),
        };
        Err(content_error(problem).into())
    }
}

/// Converts the value of the key `types`, a hash of names to types or to hashes that each define an Object type.
fn parse_types(types: &Value) -> Result<Value> {
    let named = |(name, type_): (&Value, &Value)| {
        let invalid =
            |error: Error| content_error(format!("{} is not a valid Object type: {}", describe(name), error.message()));
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
            ("name_authority", RUNTIME_NAME_AUTHORITY),
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
        let entries = match single_argument(Self::NAME, arguments)? {
            Value::Hash(entries) if !entries.is_empty() => entries,
            Value::Undef | Value::Hash(_) => return Ok(TypeSetType::default().into()),
            other if other.as_str() == Some("") => return Ok(TypeSetType::default().into()),
            other => return Err(content_error(format!("expected a Hash, got {}", describe(other))).into()),
        };
        check_hash_type(&DEFINITION_TYPE, entries)?;
        let of_rules = SemVerRange::parse("1.x")?;
        if let Some(version) = parse_version(entries, "pcore_version")?.filter(|version| !of_rules.includes(version)) {
            return Err(content_error(format!("expected a version in 1.x as pcore_version, got {version}")).into());
        }
        parse_version(entries, "version")?;
        let at = |key: &str| entries.get_str(key).and_then(Value::as_hash);
        if let (Some(types), Some(references)) = (at("types"), at("references"))
            && let Some(name) = references.keys().find(|name| types.get(name).is_some())
        {
            return Err(content_error(format!("{} is both a type and a reference", format::text(name))).into());
        }
        for reference in at("references").into_iter().flat_map(Hash::values) {
            TypeSetReference::parse(reference)?;
        }
        let members = StructType::of_type(&DEFINITION_TYPE).into_iter().flat_map(StructType::members);
        let known = members.filter_map(|member| {
            let value = entries.get(member.key())?;
            let value = match member.name() {
                "types" => parse_types(value),
                "annotations" => object_definition::read_annotations(value),
                _ => Ok(value.clone()),
            };
            Some(value.map(|value| (member.key().clone(), value)))
        });
        Ok(TypeSetType { entries: known.collect::<Result<Hash>>()? }.into())
    }

    fn arguments(&self) -> Vec<Value> {
        vec![Value::Hash(self.entries.clone())]
    }

    /// Whether `value` is the set itself or, for bare `TypeSet`, any set. Observed: Puppet 7.23.
    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        matches!(value, Value::Type(type_ @ Type::TypeSet(_)) if self.accepts(type_, lattice))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::TypeSet(other) if self == &**other || *self == TypeSetType::default())
    }

    fn write_code(&self, out: &mut TypeWriter) {
        self.show_entries_with(out, |type_, out| match type_ {
            Type::Alias(alias) => out.text.push_str(alias.name().rsplit("::").next().unwrap_or_default()),
            other => other.write_as_parameter(out),
        });
    }
}
