//! JSON without locations: values alone, in one pass.

use std::cell::RefCell;
use std::fmt;

use rustc_hash::FxHashMap;
use serde::de::{self, DeserializeSeed, MapAccess, SeqAccess, Visitor};

use crate::value::{Hash, Value};

/// The keys so far: records have the same ones again and again.
pub(crate) type Keys = RefCell<FxHashMap<Box<str>, Value>>;

/// Deserializes a value. Duplicate keys and numbers that are too large are errors.
#[derive(Clone, Copy)]
pub(super) struct Part<'k>(pub(super) &'k Keys);

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = Value;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
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
        i64::try_from(value).map(Value::Integer).map_err(|_| E::custom("too large"))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::Float(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = elements.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::from(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut read = Vec::new();
        while let Some(key) = entries.next_key_seed(Key(|key: &str| Ok(shared(self.0, key))))? {
            read.push((key, entries.next_value_seed(self)?));
        }
        let count = read.len();
        let hash = Hash::from(read);
        if hash.len() < count { Err(de::Error::custom("duplicate key")) } else { Ok(Value::Hash(hash)) }
    }
}

/// A key of an object: what a function makes of it, or why it is refused.
pub(super) struct Key<F>(pub(super) F);

impl<'de, T, F: FnOnce(&str) -> Result<T, &'static str>> DeserializeSeed<'de> for Key<F> {
    type Value = T;

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T, F: FnOnce(&str) -> Result<T, &'static str>> Visitor<'_> for Key<F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E: de::Error>(self, key: &str) -> Result<T, E> {
        (self.0)(key).map_err(E::custom)
    }
}

/// The value of a key, which records share.
fn shared(keys: &Keys, key: &str) -> Value {
    /// Keys that are all different would only fill memory.
    const MAX_KEYS: usize = 4096;
    let mut keys = keys.borrow_mut();
    if let Some(known) = keys.get(key) {
        return known.clone();
    }
    let value = Value::from(key);
    if keys.len() < MAX_KEYS {
        keys.insert(key.into(), value.clone());
    }
    value
}
