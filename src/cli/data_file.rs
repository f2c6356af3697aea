//! Data files at the prompt: YAML and JSON, and TOML and CSV, which the library does not read.

use std::path::Path;
use std::sync::Arc;

use pcore::data::{self, Format};
use pcore::error::Error;
use pcore::text::Source;
use pcore::value::{Hash, Value};
use toml::de::{DeTable, DeValue};

/// The value of a file, by its extension.
pub(super) fn value(source: &Arc<Source>) -> Result<Value, Error> {
    let path = Path::new(source.name());
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => {
            let table = DeTable::parse(source.text()).map_err(|error| Error::runtime(error.to_string()))?;
            Ok(Value::Hash(of_table(table.get_ref())))
        }
        Some("csv") => Ok(of_rows(source.text())),
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

/// A hash of strings for each row, with the names in the first one.
///
/// Source: RFC 4180.
fn of_rows(text: &str) -> Value {
    let (mut rows, mut row, mut field, mut is_quoted) = (Vec::new(), Vec::new(), String::new(), false);
    let text = text.replace("\r\n", "\n") + if text.ends_with('\n') { "" } else { "\n" };
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.next_if_eq(&'"').is_some() => field.push('"'),
            '"' if is_quoted || field.is_empty() => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut field)),
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut field));
                rows.push(std::mem::take(&mut row));
            }
            letter => field.push(letter),
        }
    }
    let mut rows = rows.into_iter().filter(|row| row.iter().any(|field| !field.is_empty()));
    let names = rows.next().unwrap_or_default();
    let hash = |row: Vec<String>| {
        let fields = row.into_iter().chain(std::iter::repeat(String::new()));
        Value::Hash(names.iter().map(|name| Value::from(&**name)).zip(fields.map(Value::from)).collect::<Hash>())
    };
    Value::Array(rows.map(hash).collect())
}
