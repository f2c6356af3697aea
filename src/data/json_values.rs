//! JSON without locations: the value alone, in one pass, for texts with nothing wrong.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::value::{Hash, Value};

/// The value of a JSON text; `None` if the reader that keeps locations may find an error or a warning in it.
pub(crate) fn value_of(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().map(|Part(value)| value)
}

struct Part(Value);

impl<'de> Deserialize<'de> for Part {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Part, D::Error> {
        deserializer.deserialize_any(PartVisitor).map(Part)
    }
}

struct PartVisitor;

impl<'de> Visitor<'de> for PartVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Undef)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Boolean(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Integer(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Value, E> {
        i64::try_from(value).map(Value::Integer).map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Value, E> {
        // The parser also makes Floats of `-0` and of Integers that are too large.
        let is_clear = value.abs() < i64::MAX as f64 && (value != 0.0 || value.is_sign_positive());
        if is_clear { Ok(Value::Float(value)) } else { Err(E::custom("it may be an Integer")) }
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Part(value)) = elements.next_element()? {
            values.push(value);
        }
        Ok(Value::from(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some((Part(key), Part(value))) = entries.next_entry()? {
            read.push((key, value));
        }
        let count = read.len();
        let hash = Hash::from(read);
        if hash.len() < count { Err(de::Error::custom("duplicate key")) } else { Ok(Value::Hash(hash)) }
    }
}
