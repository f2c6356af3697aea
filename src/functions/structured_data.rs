//! JSON and YAML in strings and files: functions of the module puppetlabs-stdlib, which pcore has built in.
//!
//! Source: puppetlabs-stdlib 9.7, for the default that is returned for an error and instead of `false` and undef.
//! Deviation: a URL is not loaded; long strings of YAML stay on one line.

use std::path::Path;

use super::{Call, Flow, Level, map_collection};
use crate::data::{self, Format, to_json, to_yaml};
use crate::error::Result;
use crate::text::Source;
use crate::value::Value;
use crate::{files, interrupt, limits};

functions! {
    /// returns the data in a JSON file, or the default
    "loadjson" ["(String $path, Any $default = undef)"] {
        "loadjson(\"${module_directory('web')}/data/ports.json\")" => "{'web::ports' => [80, 443]}",
        "loadjson(1)" => "error RUNTIME_ERROR",
    } => |call| load_file(call, Format::Json);
    /// returns the data in a YAML file, or the default
    "loadyaml" ["(String $path, Any $default = undef)"] {
        "loadyaml('/nowhere.yaml', {})" => "{}",
        "loadyaml(1)" => "error RUNTIME_ERROR",
    } => |call| load_file(call, Format::Yaml);
    /// returns the data in a string of JSON, or the default
    "parsejson" ["(String $text, Any $default = undef)"] {
        "parsejson('{\"a\": [1, null]}')" => "{'a' => [1, undef]}",
        "parsejson('{', 5)" => "5",
        "parsejson('{')" => "error SYNTAX_ERROR",
    } => |call| parse_or_default(call, Format::Json, call.argument(0)?.as_str().unwrap_or_default());
    /// returns the data in a string of YAML, or the default
    "parseyaml" ["(String $text, Any $default = undef)"] {
        "parseyaml('a: [1, yes]')" => "{'a' => [1, true]}",
        "parseyaml('[')" => "error SYNTAX_ERROR",
    } => |call| parse_or_default(call, Format::Yaml, call.argument(0)?.as_str().unwrap_or_default());
    /// returns a value as a string of JSON
    "to_json" ["(Any $data)"] {
        "to_json({'a' => [1, undef]})" => "'{\"a\":[1,null]}'",
        "to_json()" => "error RUNTIME_ERROR",
    } => |call| serialize_with(call.argument(0)?, to_json);
    /// returns a value as a string of YAML
    "to_yaml" ["(Any $data, Hash $options = {})"] {
        "to_yaml({'a' => [1, 'yes']})" => "\"---\\na:\\n- 1\\n- 'yes'\\n\"",
        "to_yaml()" => "error RUNTIME_ERROR",
    } => |call| serialize_with(call.argument(0)?, |value| Ok(to_yaml(value)? + "\n"));
}

fn default_argument(call: &Call<'_>) -> Value {
    call.arguments.get(1).cloned().unwrap_or(Value::Undef)
}

fn load_file(call: &mut Call<'_>, format: Format) -> Result<Value, Flow> {
    let path = call.argument(0)?.as_str().unwrap_or_default();
    let Some(file) = call.runtime.find_file(Path::new(path))? else {
        call.runtime.log(Level::Warning, &format!("cannot load '{path}': it does not exist"));
        return Ok(default_argument(call));
    };
    let text = files::read_file_text(&file, &format!("'{path}'"));
    let data = text.map_err(Flow::from).and_then(|text| parse_or_default(call, format, &text));
    data.or_else(|flow| default_or_error(call, flow))
}

fn parse_or_default(call: &Call<'_>, format: Format, text: &str) -> Result<Value, Flow> {
    match data::read(format, &Source::new("string", text)) {
        Ok(document) if document.value.is_true() => Ok(document.value),
        Ok(_) => Ok(default_argument(call)),
        Err(error) => default_or_error(call, error.into()),
    }
}

fn default_or_error(call: &Call<'_>, flow: Flow) -> Result<Value, Flow> {
    Some(default_argument(call)).filter(Value::is_true).ok_or(flow)
}

/// Serialises a value with `write`; the result is Sensitive if the value contains a Sensitive.
fn serialize_with(value: &Value, write: impl Fn(&Value) -> Result<String>) -> Result<Value, Flow> {
    let mut is_secret = false;
    let text = write(&unwrap_nested_sensitive(value, &mut is_secret)?)?;
    limits::check_string_bytes(text.len())?;
    let text = Value::from(text);
    Ok(if is_secret { Value::sensitive(text) } else { text })
}

fn unwrap_nested_sensitive(value: &Value, is_secret: &mut bool) -> Result<Value> {
    interrupt::take_step();
    match value {
        Value::Sensitive(content) => {
            *is_secret = true;
            unwrap_nested_sensitive(content, is_secret)
        }
        other => map_collection(other, |part| unwrap_nested_sensitive(part, is_secret)),
    }
}
