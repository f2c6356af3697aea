//! serde: converts Rust types that implement `Serialize` to a [`Value`], and a [`Value`] to types with `Deserialize`.
//!
//! Both conversions use JSON: structs and maps are Hashes with String keys; sequences, tuples and bytes are Arrays;
//! `None` and `()` are undef. A unit variant of an enum is its name, any other variant a Hash with one entry. Values
//! that JSON does not have (types, times, versions, URIs, Objects …) become strings; a Sensitive is an error.

use serde::de::{Deserialize, Deserializer};
use serde::ser::{Error as _, Serialize, Serializer};

use super::Value;
#[cfg(feature = "serde")]
use crate::error::{Error, Result};
use crate::format;

/// Converts any serialisable Rust value to a Puppet value.
///
/// ```
/// use pcore::value::{Value, to_value};
///
/// #[derive(serde::Serialize)]
/// struct Service { name: String, ports: Vec<u16>, owner: Option<String> }
///
/// let service = Service { name: "web".into(), ports: vec![80, 443], owner: None };
/// let value = to_value(&service).unwrap();
/// assert_eq!(value.to_string(), "{'name' => 'web', 'ports' => [80, 443], 'owner' => undef}");
/// ```
///
/// # Errors
/// If a map has keys that JSON does not support, or the `Serialize` implementation of the type fails.
#[cfg(feature = "serde")]
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    serde_json::to_value(value).map(Value::from).map_err(|error| Error::runtime(error.to_string()))
}

/// Converts a Puppet value to a Rust type that can be deserialised.
///
/// ```
/// use pcore::value::{Value, from_value};
///
/// #[derive(serde::Deserialize, Debug, PartialEq)]
/// struct Service { name: String, ports: Vec<u16> }
///
/// let value = pcore::session::Session::default().eval("{name => 'web', ports => [80, 443]}").unwrap();
/// let service: Service = from_value(value).unwrap();
/// assert_eq!(service, Service { name: "web".into(), ports: vec![80, 443] });
/// ```
///
/// # Errors
/// If the value does not match the type, or contains a Sensitive.
#[cfg(feature = "serde")]
pub fn from_value<T: serde::de::DeserializeOwned>(value: Value) -> Result<T> {
    let json = serde_json::to_value(value).and_then(serde_json::from_value);
    json.map_err(|error| Error::runtime(error.to_string()))
}

/// Serializes scalars, arrays and hashes as in JSON, and other values as strings.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Value::Undef => serializer.serialize_unit(),
            Value::Boolean(value) => serializer.serialize_bool(*value),
            Value::Integer(number) => serializer.serialize_i64(*number),
            Value::Float(number) => serializer.serialize_f64(*number),
            Value::String(string) => serializer.serialize_str(string),
            Value::Array(array) => serializer.collect_seq(array.iter()),
            Value::Hash(hash) => serializer.collect_map(hash.iter()),
            Value::Binary(binary) => serializer.serialize_bytes(binary.bytes()),
            Value::Sensitive(_) => Err(S::Error::custom("cannot serialize a Sensitive: unwrap it first")),
            other => serializer.serialize_str(&format::text(other)),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Value, D::Error> {
        serde_json::Value::deserialize(deserializer).map(Value::from)
    }
}
