//! Writes mismatches and differences between types as JSON.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value as Json, json};

use super::difference::Difference;
use super::mismatch::{Mismatch, Reason, Step, dotted, json_pointer, path_as_code};
use crate::format;
use crate::types::Type;
use crate::value::Value;

/// The maximum number of characters of the `found` value in JSON; a longer one is shortened.
const MAX_FOUND_CHARACTERS: usize = 10_000;

/// Writes an object with the `kind` of the reason (one of [`KINDS`](super::mismatch::KINDS)); the `path` to the part,
/// also as a JSON `pointer` and a `hiera` key; the `expected` type, its path `within` the whole type, and the value
/// `found`, or the wrong or missing `key`; `suggestions`; and, if parts are the reason, their mismatches as `causes`.
impl Serialize for Mismatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("kind", self.reason.kind())?;
        fields.serialize_entry("path", &self.path)?;
        fields.serialize_entry("pointer", &json_pointer(&self.path))?;
        fields.serialize_entry("hiera", &dotted(&self.path))?;
        let (key, is_unknown) = match &self.reason {
            Reason::MissingKey(key) => (Some(key.as_str().into()), false),
            Reason::UnknownKey(key) | Reason::MisspelledKey(key, _) => (Some(key_as_json(key)), true),
            _ => (None, false),
        };
        // Where a key is wrong or missing, the whole Hash was found, and no type was expected for an unknown one.
        if !is_unknown {
            fields.serialize_entry("expected", &self.expected.to_string())?;
        }
        fields.serialize_entry("within", path_as_code(&self.within).trim_start())?;
        match key {
            Some(key) => fields.serialize_entry("key", &key)?,
            None => {
                fields.serialize_entry("found", &format::shortened_program_text(&self.found, MAX_FOUND_CHARACTERS))?;
            }
        }
        let suggestions: Vec<&str> = self.suggestions.iter().map(|suggestion| &*suggestion.text).collect();
        fields.serialize_entry("suggestions", &suggestions)?;
        if !self.causes.is_empty() {
            fields.serialize_entry("causes", &self.causes)?;
        }
        fields.end()
    }
}

/// Writes an object with the `path` to the part, the `change`, the types `before` and `after`, and whether it `breaks`.
impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [before, after] = [&self.before, &self.after].map(|type_| type_.as_ref().map(Type::to_string));
        let (path, change, breaks) = (&self.path, self.change.json_name(), self.breaks);
        json!({ "path": path, "change": change, "before": before, "after": after, "breaks": breaks })
            .serialize(serializer)
    }
}

/// Writes the position of an element as a number, and any other step as a string.
impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Step::Element(at) => at.serialize(serializer),
            Step::Attribute(name) | Step::Inside(name) => name.serialize(serializer),
            Step::Content => "unwrap".serialize(serializer),
            Step::Key(key) | Step::Entry(key) => key_as_json(key).serialize(serializer),
        }
    }
}

fn key_as_json(key: &Value) -> Json {
    match key {
        Value::String(key) => (&**key).into(),
        key => format::program_text(key).into(),
    }
}
