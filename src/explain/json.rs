//! The serialization of mismatches and type differences as JSON.

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value as Json, json};

use super::difference::Difference;
use super::mismatch::{Mismatch, Reason, Step, code, dotted, pointer};
use crate::format;
use crate::types::Type;
use crate::value::Value;

/// The maximum number of characters of a wrong value in JSON.
const FOUND_CHARACTERS: usize = 10_000;

/// `kind` (one of [`KINDS`](super::mismatch::KINDS)), the way to the part as `path`, as JSON `pointer` and as `hiera` writes
/// it, what was `expected` (and where in the whole type, `within`) and `found`, or the `key` that is wrong or missing, and
/// `suggestions`; the `causes` of a mismatch in parts, each as a mismatch.
impl Serialize for Mismatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry("kind", self.reason.kind())?;
        fields.serialize_entry("path", &self.path)?;
        fields.serialize_entry("pointer", &pointer(&self.path))?;
        fields.serialize_entry("hiera", &dotted(&self.path))?;
        let (key, is_unknown) = match &self.reason {
            Reason::MissingKey(key) => (Some(key.as_str().into()), false),
            Reason::UnknownKey(key) | Reason::MisspelledKey(key, _) => (Some(name(key)), true),
            _ => (None, false),
        };
        // Where a key is wrong or missing, the whole Hash was found, and no type was expected for an unknown one.
        if !is_unknown {
            fields.serialize_entry("expected", &self.expected.to_string())?;
        }
        fields.serialize_entry("within", code(&self.within).trim_start())?;
        match key {
            Some(key) => fields.serialize_entry("key", &key)?,
            None => fields.serialize_entry("found", &format::beginning(&self.found, FOUND_CHARACTERS))?,
        }
        let suggestions: Vec<&str> = self.suggestions.iter().map(|suggestion| &*suggestion.text).collect();
        fields.serialize_entry("suggestions", &suggestions)?;
        if !self.causes.is_empty() {
            fields.serialize_entry("causes", &self.causes)?;
        }
        fields.end()
    }
}

/// The `path` to the part, the `change`, the types `before` and `after`, and whether it `breaks` what matched before.
impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [before, after] = [&self.before, &self.after].map(|type_| type_.as_ref().map(Type::to_string));
        let (path, change, breaks) = (&self.path, self.change.name(), self.breaks);
        json!({ "path": path, "change": change, "before": before, "after": after, "breaks": breaks })
            .serialize(serializer)
    }
}

/// Serialized as a number for an element, otherwise as a string.
impl Serialize for Step {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Step::Element(at) => at.serialize(serializer),
            Step::Attribute(name) | Step::Inside(name) => name.serialize(serializer),
            Step::Content => "unwrap".serialize(serializer),
            Step::Key(key) | Step::Entry(key) => name(key).serialize(serializer),
        }
    }
}

fn name(key: &Value) -> Json {
    match key {
        Value::String(key) => (&**key).into(),
        key => format::program_text(key).into(),
    }
}
