//! `lookup`: values from the session's data; and `json_data` and `yaml_data`, which provide data for Hiera.
//!
//! A name is looked up in this order: the hash `override`, the session's data, the hash `default_values_hash`; then the
//! default value or the block.

use super::{
    Call, Flow, Level, Runtime, collections::join_into, hiera_lookup::HieraLookup, lookup_context::cached_file_content,
};
use crate::data::{self, Document, Format, hiera::Strategy};
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

const LOOKUP_SIGNATURES: &[&str] = &[
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

const DATA_FUNCTION_SIGNATURES: &[&str] = &[
    "(Struct[{path => String[1]}] $options, Puppet::LookupContext $context) >> Any",
    "(Hash[String[1], Any] $options, Puppet::LookupContext $context) >> Any",
];

functions! {
    /// reads a JSON data file as Hiera does; a data function passes its own arguments
    "json_data" DATA_FUNCTION_SIGNATURES {
        "json_data({'path' => \"${module_directory('web')}/data/ports.json\"}, Puppet::LookupContext('web'))"
            => "{'web::ports' => [80, 443]}",
        "json_data({'path' => '/nowhere/a.json'}, Puppet::LookupContext('web'))" => "error RUNTIME_ERROR",
    } => |call| read_data_file(call, Format::Json);
    /// looks up a key in the session's data; otherwise returns the default or the block's result
    "lookup" LOOKUP_SIGNATURES {
        "lookup('x', Integer, 'first', 5)" => "5",
        "lookup('x', {'override' => {'x' => 3}})" => "3",
        "lookup('nowhere')" => "error RUNTIME_ERROR",
    } => lookup;
    /// reads a YAML data file as Hiera does; a data function passes its own arguments
    "yaml_data" DATA_FUNCTION_SIGNATURES {
        "yaml_data({'path' => \"${module_directory('web')}/data/common.yaml\"}, Puppet::LookupContext('web'))"
            => "{'web::greeting' => 'Hello'}",
        "yaml_data({'file' => 'common.yaml'}, Puppet::LookupContext('web'))" => "error RUNTIME_ERROR",
    } => |call| read_data_file(call, Format::Yaml);
}

/// Returns the content of the file at `path` in the options. Observed: Puppet 7.23 warns about a YAML file that is
/// not a hash and takes it for an empty one; Puppet 8 rejects it unless it is empty. A JSON file may have any value.
fn read_data_file(call: &mut Call<'_>, format: Format) -> Result<Value, Flow> {
    let [Value::Hash(options), context] = call.arguments else { return Ok(Value::Undef) };
    let Some(Value::String(path)) = options.get_str("path").filter(|_| call.signature_index == 0) else {
        return Err(Error::runtime("expected only the key 'path' in the options")
            .with_help("write {'path' => 'data/common.yaml'}")
            .into());
    };
    cached_file_content(call, context, path, |call, text| {
        let document = data::read(format, &Source::new(&**path, text))?;
        Ok(hash_document(call.runtime, format, document)?.value)
    })
}

/// Logs the warnings of a document; replaces a YAML value that is not a hash by `{}` and warns, or fails if strict.
pub(super) fn hash_document(runtime: &mut dyn Runtime, format: Format, mut document: Document) -> Result<Document> {
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

/// Returns the argument `name` of the function `lookup`, given by position or in a hash of options.
fn lookup_argument<'a>(call: &Call<'a>, name: &str) -> Option<&'a Value> {
    match call.arguments {
        [Value::Hash(options), ..] => options.get_str(name),
        [names, Value::Hash(_)] if name == "name" => Some(names),
        [_, Value::Hash(options)] => options.get_str(name),
        positional => {
            let at = ["name", "value_type", "merge", "default_value"].iter().position(|known| *known == name);
            positional.get(at?)
        }
    }
}

fn collect_names(names: &Value) -> Vec<EcoString> {
    match names {
        Value::String(name) => vec![name.clone()],
        Value::Array(names) => names.iter().flat_map(collect_names).collect(),
        _ => Vec::new(),
    }
}

fn lookup(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (name, value_type) =
        (lookup_argument(call, "name"), lookup_argument(call, "value_type").and_then(Value::as_type));
    let names = name.map(collect_names).unwrap_or_default();
    let merge = lookup_argument(call, "merge").filter(|merge| matches!(merge, Value::String(_) | Value::Hash(_)));
    let strategy = merge.map(Strategy::parse_merge_option).transpose()?;
    let checked = |value: Value, origin: &str| match value_type {
        Some(type_) if !type_.try_has_instance(&value)? => {
            let found = Type::infer_reduced(&value);
            Err(Error::runtime(format!("expected the {origin} to be of type {type_}, got one of type {found}")).into())
        }
        _ => Ok(value),
    };
    let whole = |hash: Option<&Value>| names.iter().find_map(|name| hash?.as_hash()?.get_str(name)).cloned();
    if let Some(value) = whole(lookup_argument(call, "override")) {
        let value = strategy.unwrap_or_default().merge_levels(&[value])?.unwrap_or(Value::Undef);
        return checked(value, "value");
    }
    let mut search = HieraLookup::new(call.runtime);
    for name in &names {
        if let Some(value) = search.lookup_dotted_key(name, strategy.as_ref())? {
            return checked(value, "value");
        }
    }
    let has_data = search.has_data();
    if let Some(value) = whole(lookup_argument(call, "default_values_hash")) {
        return checked(value, "default");
    }
    // Observed: Puppet 7.23 asks the block even where there is a default value.
    if let (Some(value), None) = (lookup_argument(call, "default_value"), call.block) {
        return checked(value.clone(), "default");
    }
    if let Some(block) = call.block {
        let value = call.runtime.call(block, name.map(std::slice::from_ref).unwrap_or_default())?;
        return checked(value, "result of the block");
    }
    let mut wanted = BoundedString::default();
    join_into(&mut wanted, &name.into_iter().cloned().collect(), "', '")?;
    let wanted = wanted.into_string();
    if !has_data {
        return Err(Error::runtime(format!("cannot look up '{wanted}': the session has no data"))
            .with_help("pass a default: lookup('name', {'default_value' => 1}), or load data: `pcore --data data.yaml`")
            .into());
    }
    let near = nearest(&wanted, call.runtime.runtime_state().context_cache.data_file_keys())
        .map(|near| format!("did you mean '{near}'?"));
    let help = near.unwrap_or_else(|| "pass a default: lookup('name', {'default_value' => 1})".to_owned());
    Err(Error::runtime(format!("the data has no value for '{wanted}'")).with_help(help).into())
}
