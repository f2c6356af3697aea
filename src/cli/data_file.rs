//! Reads data files at the prompt: YAML and JSON with the library, TOML and CSV here.

use std::{path::Path, sync::Arc};

use pcore::data::{self, Format};
use pcore::error::Error;
use pcore::text::Source;
use pcore::value::{Hash, Value};
use toml::de::{DeTable, DeValue};

use super::input;

pub(super) fn parse_data_file(source: &Arc<Source>) -> Result<Value, Error> {
    let path = Path::new(source.name());
    match input::extension(path) {
        "toml" => {
            let table = DeTable::parse(source.text()).map_err(|error| Error::runtime(error.to_string()))?;
            Ok(Value::Hash(hash_from_toml(table.get_ref())))
        }
        "csv" => parse_csv(source.text()).map_err(|error| Error::runtime(error.to_string())),
        _ => Ok(data::read(Format::from_path(path).unwrap_or(Format::Yaml), source)?.value),
    }
}

pub(super) fn hash_from_toml(table: &DeTable<'_>) -> Hash {
    table.iter().map(|(key, value)| (Value::from(&**key.get_ref()), value_from_toml(value.get_ref()))).collect()
}

fn value_from_toml(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(&**text),
        DeValue::Integer(number) => {
            let text = number.as_str();
            i64::from_str_radix(text, number.radix()).map_or_else(|_| Value::from(text), Value::from)
        }
        DeValue::Float(number) => number.as_str().parse().map_or_else(|_| Value::from(number.as_str()), Value::Float),
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(time) => Value::from(time.to_string()),
        DeValue::Array(elements) => {
            Value::Array(elements.iter().map(|element| value_from_toml(element.get_ref())).collect())
        }
        DeValue::Table(table) => Value::Hash(hash_from_toml(table)),
    }
}

/// Parses CSV into an array of hashes from the fields of the first row to those of each row; missing ones are empty.
fn parse_csv(text: &str) -> Result<Value, csv::Error> {
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let names = rows.headers()?.clone();
    let hash = |row: csv::StringRecord| {
        let fields = row.iter().chain(std::iter::repeat("")).map(Value::from);
        Value::Hash(names.iter().map(Value::from).zip(fields).collect())
    };
    Ok(Value::Array(rows.into_records().map(|row| row.map(hash)).collect::<Result<_, _>>()?))
}
