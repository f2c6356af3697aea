//! `lookup`: values from the session's data; and `json_data` and `yaml_data`, which provide data for Hiera.
//!
//! A name is looked up in this order: the hash `override`, the session's data, the hash `default_values_hash`; then the
//! default value or the block.

use super::collections::join_into;
use super::hiera_lookup::Search;
use super::lookup_context::of_file;
use super::{Call, Flow, Level, Runtime};
use crate::data::hiera::Strategy;
use crate::data::{self, Document, Format};
use crate::error::{Error, Result};
use crate::limits::BoundedString;
use crate::operators::describe;
use crate::text::Source;
use crate::types::Type;
use crate::value::{EcoString, Hash, Value};
use crate::wording::nearest;

macro_rules! options {
    ($first:literal) => {
        concat!(
            "Struct[{",
            $first,
            "Optional[value_type] => Type, Optional[default_value] => Any, Optional[override] => Hash[String, Any], ",
            "Optional[default_values_hash] => Hash[String, Any], ",
            "Optional[merge] => Variant[String[1], Hash[String, Scalar]]}] $options, Optional[Callable[Variant[String, Array[String]]]] &$block)"
        )
    };
}

const SIGNATURES: &[&str] = &[
    concat!(
        "(Variant[String, Array[String]] $name, Optional[Type] $value_type = undef, ",
        "Optional[Variant[String[1], Hash[String, Scalar]]] $merge = undef, Optional[Callable[Variant[String, Array[String]]]] &$block)"
    ),
    concat!(
        "(Variant[String, Array[String]] $name, Optional[Type] $value_type, ",
        "Optional[Variant[String[1], Hash[String, Scalar]]] $merge, Any $default_value)"
    ),
    concat!("(", options!("name => Variant[String, Array[String]], ")),
    concat!("(Variant[String, Array[String]] $name, ", options!("")),
];

const PROVIDER_SIGNATURES: &[&str] = &[
    "(Struct[{path => String[1]}] $options, Puppet::LookupContext $context) >> Any",
    "(Hash[String[1], Any] $options, Puppet::LookupContext $context) >> Any",
];

functions! {
    /// reads a JSON data file as Hiera does; a data function passes its own arguments
    "json_data" PROVIDER_SIGNATURES {
        "json_data({'path' => \"${module_directory('web')}/data/ports.json\"}, Puppet::LookupContext('web'))"
            => "{'web::ports' => [80, 443]}",
        "json_data({'path' => '/nowhere/a.json'}, Puppet::LookupContext('web'))" => "error RUNTIME_ERROR",
    } => |call| provide(call, Format::Json);
    /// looks up a key in the session's data; otherwise returns the default or the block's result
    "lookup" SIGNATURES {
        "lookup('x', Integer, 'first', 5)" => "5",
        "lookup('x', {'override' => {'x' => 3}})" => "3",
        "lookup('nowhere')" => "error RUNTIME_ERROR",
    } => lookup;
    /// reads a YAML data file as Hiera does; a data function passes its own arguments
    "yaml_data" PROVIDER_SIGNATURES {
        "yaml_data({'path' => \"${module_directory('web')}/data/common.yaml\"}, Puppet::LookupContext('web'))"
            => "{'web::greeting' => 'Hello'}",
        "yaml_data({'file' => 'common.yaml'}, Puppet::LookupContext('web'))" => "error RUNTIME_ERROR",
    } => |call| provide(call, Format::Yaml);
}

/// The data of the file that the options name.
///
/// Observed: Puppet 7.23 takes a YAML file that is not a hash for an empty one, and warns; Puppet 8 rejects all but the
/// empty ones. A JSON file may say anything.
fn provide(call: &mut Call<'_>, format: Format) -> Result<Value, Flow> {
    let [Value::Hash(options), context] = call.arguments else { return Ok(Value::Undef) };
    let Some(Value::String(path)) = options.get_str("path").filter(|_| call.signature == 0) else {
        return Err(Error::runtime("expected only the key 'path' in the options")
            .with_help("write {'path' => 'data/common.yaml'}")
            .into());
    };
    of_file(call, context, path, |call, text| {
        let document = data::read(format, &Source::new(&**path, text))?;
        Ok(hash_of(call.runtime, format, document)?.value)
    })
}

/// The document, in which YAML is a hash, after its warnings.
pub(super) fn hash_of(runtime: &mut dyn Runtime, format: Format, mut document: Document) -> Result<Document> {
    for warning in &document.warnings {
        runtime.log(Level::Warning, &warning.to_string());
    }
    let path = document.source.name();
    match (format, &document.value) {
        (Format::Json, _) | (Format::Yaml, Value::Hash(_)) => return Ok(document),
        (Format::Yaml, Value::Undef) => {
            runtime.log(Level::Warning, &format!("{path} is empty: using an empty hash"));
        }
        (Format::Yaml, other) => {
            let got = describe(other);
            runtime.warn(Error::runtime(format!("expected {path} to be a hash, got {got}")))?;
        }
    }
    document.value = Value::Hash(Hash::default());
    Ok(document)
}

/// The arguments of a call, in whichever form they are given.
struct Request {
    /// The name or names, as given.
    name: Option<Value>,
    names: Vec<EcoString>,
    value_type: Option<Type>,
    merge: Option<Value>,
    default_value: Option<Value>,
    overrides: Hash,
    defaults: Hash,
}

impl Request {
    fn of(call: &Call<'_>) -> Request {
        let option = |name: &str| match call.arguments {
            [Value::Hash(options), ..] => options.get_str(name),
            [names, Value::Hash(_)] if name == "name" => Some(names),
            [_, Value::Hash(options)] => options.get_str(name),
            positional => {
                let at = ["name", "value_type", "merge", "default_value"].iter().position(|known| *known == name);
                positional.get(at?)
            }
        };
        let hash = |name: &str| option(name).and_then(Value::as_hash).cloned().unwrap_or_default();
        Request {
            name: option("name").cloned(),
            names: option("name").map(texts).unwrap_or_default(),
            value_type: option("value_type").and_then(Value::as_type).cloned(),
            merge: option("merge").filter(|merge| matches!(merge, Value::String(_) | Value::Hash(_))).cloned(),
            default_value: option("default_value").cloned(),
            overrides: hash("override"),
            defaults: hash("default_values_hash"),
        }
    }

    fn checked(&self, value: Value, origin: &str) -> Result<Value> {
        match &self.value_type {
            Some(type_) if !type_.test_instance(&value)? => {
                let found = Type::reduced_of(&value);
                Err(Error::runtime(format!("expected the {origin} to be of type {type_}, got one of type {found}")))
            }
            _ => Ok(value),
        }
    }
}

fn texts(names: &Value) -> Vec<EcoString> {
    match names {
        Value::String(name) => vec![name.clone()],
        Value::Array(names) => names.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

fn lookup(call: &mut Call<'_>) -> Result<Value, Flow> {
    let request = Request::of(call);
    let strategy = request.merge.as_ref().map(Strategy::named).transpose()?;
    let whole = |hash: &Hash| request.names.iter().find_map(|name| hash.get_str(name)).cloned();
    if let Some(value) = whole(&request.overrides) {
        let value = strategy.unwrap_or_default().merged(&[value])?.unwrap_or(Value::Undef);
        return Ok(request.checked(value, "value")?);
    }
    let mut search = Search::new(call.runtime);
    for name in &request.names {
        if let Some(value) = search.find(name, strategy.as_ref())? {
            return Ok(request.checked(value, "value")?);
        }
    }
    let has_data = search.has_data();
    if let Some(value) = whole(&request.defaults) {
        return Ok(request.checked(value, "default")?);
    }
    // Observed: Puppet 7.23 asks the block even where there is a default value.
    if let (Some(value), None) = (&request.default_value, call.block) {
        return Ok(request.checked(value.clone(), "default")?);
    }
    let mut names = BoundedString::default();
    join_into(&mut names, &request.name.iter().cloned().collect(), "', '")?;
    let names = names.into_string();
    match call.block {
        Some(block) => {
            let value = call.runtime.call(block, request.name.as_slice())?;
            Ok(request.checked(value, "result of the block")?)
        }
        None if !has_data => Err(Error::runtime(format!("cannot look up '{names}': the session has no data"))
            .with_help("pass a default: lookup('name', {'default_value' => 1}), or load data: `pcore --data data.yaml`")
            .into()),
        None => {
            let near = nearest(&names, call.runtime.state().memories.keys());
            let near = near.map(|near| format!("did you mean '{near}'?"));
            let help = near.unwrap_or_else(|| "pass a default: lookup('name', {'default_value' => 1})".to_owned());
            Err(Error::runtime(format!("the data has no value for '{names}'")).with_help(help).into())
        }
    }
}
