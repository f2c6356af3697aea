//! Data as YAML, in blocks. Strings have no quotes where they are read back as the same string.

use pcore::data::{self, Format};
use pcore::text::Source;
use pcore::value::{Hash, Value};
use pcore::wording::{printable, printable_json};
use serde_json::Value as Json;

pub(super) fn written(data: &Json) -> String {
    let mut text = String::new();
    write(&mut text, data, 0);
    text.trim_start().to_owned()
}

/// Writes a node after its key or dash: scalars and empty collections on the same line, others below, indented.
fn write(text: &mut String, data: &Json, level: usize) {
    let indent = "  ".repeat(level);
    match data {
        Json::Array(elements) if !elements.is_empty() => {
            for element in elements {
                text.extend(["\n", &indent, "-"]);
                write(text, element, level + 1);
            }
        }
        Json::Object(entries) if !entries.is_empty() => {
            for (key, value) in entries {
                text.extend(["\n", &indent, &scalar(key), ":"]);
                // A list may stand at the level of its key, a hash may not.
                write(text, value, if value.is_array() { level } else { level + 1 });
            }
        }
        Json::String(string) => text.extend([" ", &scalar(string)]),
        other => text.extend([" ", &other.to_string()]),
    }
}

/// A string without quotes if it is read back as that string and can be printed, otherwise as in JSON.
fn scalar(string: &str) -> String {
    let is_read_back = |text: &str| {
        let entry = data::read(Format::Yaml, &Source::new("", format!("{text}: {text}")));
        entry.is_ok_and(|document| document.value == Value::Hash(Hash::from([(text, text)])))
    };
    if is_read_back(string) && printable(string) == string {
        string.to_owned()
    } else {
        printable_json(&Json::from(string).to_string()).into_owned()
    }
}

#[cfg(test)]
#[path = "../../tests/unit/cli/yaml.rs"]
mod tests;
