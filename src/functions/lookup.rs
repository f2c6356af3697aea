//! `lookup`: values from the data that the session was given; and the data providers, which only Hiera can call.
//!
//! A name is looked for in this order: the hash `override`, the session's data, the hash `default_values_hash`; then
//! the default value or the block gives one.

use super::hiera::Search;
use super::{Call, Exit, Function};
use crate::data::hiera::Strategy;
use crate::error::{Error, Result};
use crate::types::{Example, Type};
use crate::value::{Hash, Value};

macro_rules! options {
    ($first:literal) => {
        concat!(
            "Struct[{",
            $first,
            "Optional[value_type] => Type, Optional[default_value] => Any, Optional[override] => Hash[String, Any], ",
            "Optional[default_values_hash] => Hash[String, Any], ",
            "Optional[merge] => Variant[String[1], Hash[String, Scalar]]}] $options, Optional[Callable[1, 1]] &$block)"
        )
    };
}

const SIGNATURES: &[&str] = &[
    concat!(
        "(Variant[String, Array[String]] $name, Optional[Type] $value_type = undef, ",
        "Optional[Variant[String[1], Hash[String, Scalar]]] $merge = undef, Optional[Callable[1, 1]] &$block)"
    ),
    concat!(
        "(Variant[String, Array[String]] $name, Optional[Type] $value_type, ",
        "Optional[Variant[String[1], Hash[String, Scalar]]] $merge, Any $default_value)"
    ),
    concat!("(", options!("name => Variant[String, Array[String]], ")),
    concat!("(Variant[String, Array[String]] $name, ", options!("")),
];

const PROVIDER_SIGNATURES: &[&str] = &["(Struct[{path => String[1]}] $options, Any $context)"];

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "json_data",
        summary: "refused: reads a JSON file for Hiera, which alone can call it",
        signatures: PROVIDER_SIGNATURES,
        examples: &[Example { code: "json_data({'path' => 'a.json'}, {})", answer: "error RUNTIME_ERROR" }],
        body: |_| Err(only_hiera("json_data")),
    },
    Function {
        name: "lookup",
        summary: "the value of a name in the session's data, or the default, or what the block answers",
        signatures: SIGNATURES,
        examples: &[
            Example { code: "lookup('x', Integer, 'first', 5)", answer: "5" },
            Example { code: "lookup('x', {'override' => {'x' => 3}})", answer: "3" },
            Example { code: "lookup('nowhere')", answer: "error RUNTIME_ERROR" },
        ],
        body: lookup,
    },
    Function {
        name: "yaml_data",
        summary: "refused: reads a YAML file for Hiera, which alone can call it",
        signatures: PROVIDER_SIGNATURES,
        examples: &[Example { code: "yaml_data({'path' => 'a.yaml'}, {})", answer: "error RUNTIME_ERROR" }],
        body: |_| Err(only_hiera("yaml_data")),
    },
];

fn only_hiera(name: &str) -> Exit {
    Error::runtime(format!("{name} is called by Hiera, with a context that a program cannot make"))
        .with_help("lookup('name') asks for data")
        .into()
}

/// What a call of any form asks for.
#[derive(Default)]
struct Request {
    names: Vec<String>,
    value_type: Option<Type>,
    merge: Option<Value>,
    default_value: Option<Value>,
    overrides: Hash,
    defaults: Hash,
}

impl Request {
    fn of(call: &mut Call<'_>) -> Request {
        let mut request = Request::default();
        let [first, further @ ..] = call.arguments else { return request };
        match (first, further) {
            (Value::Hash(options), _) => request.take_options(options),
            (names, [Value::Hash(options)]) => {
                request.take_options(options);
                request.names = texts(names);
            }
            (names, further) => {
                request.names = texts(names);
                request.take_option("value_type", further.first());
                request.take_option("merge", further.get(1));
                request.take_option("default_value", further.get(2));
            }
        }
        request
    }

    fn take_options(&mut self, options: &Hash) {
        for name in ["name", "value_type", "merge", "default_value", "override", "default_values_hash"] {
            self.take_option(name, options.get_str(name));
        }
    }

    fn take_option(&mut self, name: &str, value: Option<&Value>) {
        match (name, value) {
            ("default_value", value) => self.default_value = value.cloned(),
            ("name", Some(names)) => self.names = texts(names),
            ("value_type", Some(Value::Type(type_))) => self.value_type = Some(type_.clone()),
            ("merge", Some(merge @ (Value::String(_) | Value::Hash(_)))) => self.merge = Some(merge.clone()),
            ("override", Some(Value::Hash(hash))) => self.overrides = hash.clone(),
            ("default_values_hash", Some(Value::Hash(hash))) => self.defaults = hash.clone(),
            _ => {}
        }
    }

    /// How values are merged, where the call says it.
    fn strategy(&self) -> Result<Option<Strategy>> {
        self.merge.as_ref().map(Strategy::named).transpose()
    }

    fn checked(&self, value: Value, origin: &str) -> Result<Value> {
        match &self.value_type {
            Some(type_) if !type_.has_instance(&value) => {
                let found = Type::reduced_of(&value);
                Err(Error::runtime(format!("expected the {origin} to be of type {type_}, got one of type {found}")))
            }
            _ => Ok(value),
        }
    }
}

fn texts(names: &Value) -> Vec<String> {
    match names {
        Value::String(name) => vec![name.to_string()],
        Value::Array(names) => names.iter().flat_map(texts).collect(),
        _ => Vec::new(),
    }
}

fn lookup(call: &mut Call<'_>) -> Result<Value, Exit> {
    let request = Request::of(call);
    let strategy = request.strategy()?;
    let whole = |hash: &Hash| request.names.iter().find_map(|name| hash.get_str(name)).cloned();
    if let Some(value) = whole(&request.overrides) {
        let value = strategy.unwrap_or_default().merged(&[value])?.unwrap_or(Value::Undef);
        return Ok(request.checked(value, "value")?);
    }
    for name in &request.names {
        if let Some(value) = Search::new(call.runtime).find(name, strategy)? {
            return Ok(request.checked(value, "value")?);
        }
    }
    if let Some(value) = whole(&request.defaults) {
        return Ok(request.checked(value, "default")?);
    }
    // Observed: Puppet 7.23 asks the block even where there is a default value.
    if let (Some(value), None) = (&request.default_value, call.block) {
        return Ok(request.checked(value.clone(), "default")?);
    }
    let names = request.names.join("', '");
    match call.block {
        Some(block) => {
            let name = request.names.first().map_or(Value::Undef, |name| Value::from(&**name));
            let value = call.runtime.call(block, &[name])?;
            Ok(request.checked(value, "answer of the block")?)
        }
        None if call.runtime.data().is_empty() => {
            Err(Error::runtime(format!("'{names}' cannot be looked up, because no data was given to the session"))
                .with_help("give a default: lookup('name', {'default_value' => 1}), or data: `pcore --data data.yaml`")
                .into())
        }
        None => Err(Error::runtime(format!("the data has no value for '{names}'"))
            .with_help("give a default: lookup('name', {'default_value' => 1})")
            .into()),
    }
}
