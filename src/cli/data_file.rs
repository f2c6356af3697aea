//! Data files at the prompt: YAML and JSON, and TOML and CSV, which the library does not read.

use std::path::Path;
use std::sync::Arc;

use pcore::data::{self, Format};
use pcore::error::Error;
use pcore::text::Source;
use pcore::value::{Hash, Value};
use toml::de::{DeTable, DeValue};

use super::input;

/// The value of a file, by its extension.
pub(super) fn value(source: &Arc<Source>) -> Result<Value, Error> {
    let path = Path::new(source.name());
    match input::extension(path) {
        "toml" => {
            let table = DeTable::parse(source.text()).map_err(|error| Error::runtime(error.to_string()))?;
            Ok(Value::Hash(of_table(table.get_ref())))
        }
        "csv" => of_rows(source.text()).map_err(|error| Error::runtime(error.to_string())),
        _ => Ok(data::read(Format::of_path(path).unwrap_or(Format::Yaml), source)?.value),
    }
}

pub(super) fn of_table(table: &DeTable<'_>) -> Hash {
    table.iter().map(|(key, value)| (Value::from(&**key.get_ref()), of_value(value.get_ref()))).collect()
}

fn of_value(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(&**text),
        DeValue::Integer(number) => {
            let text = number.as_str();
            i64::from_str_radix(text, number.radix()).map_or_else(|_| Value::from(text), Value::from)
        }
        DeValue::Float(number) => number.as_str().parse().map_or_else(|_| Value::from(number.as_str()), Value::Float),
        DeValue::Boolean(value) => Value::Boolean(*value),
        DeValue::Datetime(time) => Value::from(time.to_string()),
        DeValue::Array(elements) => Value::Array(elements.iter().map(|element| of_value(element.get_ref())).collect()),
        DeValue::Table(table) => Value::Hash(of_table(table)),
    }
}

/// A hash of strings for each row, with the names in the first one. A row may have fewer fields.
fn of_rows(text: &str) -> Result<Value, csv::Error> {
    let mut rows = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    let names = rows.headers()?.clone();
    let hash = |row: csv::StringRecord| {
        let fields = row.iter().chain(std::iter::repeat("")).map(Value::from);
        Value::Hash(names.iter().map(Value::from).zip(fields).collect())
    };
    Ok(Value::Array(rows.into_records().map(|row| row.map(hash)).collect::<Result<_, _>>()?))
}
