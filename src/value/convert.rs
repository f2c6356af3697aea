//! Converts Rust values to Puppet values and back, with `From`, `TryFrom` and the `as_…` methods.
//!
//! Integers, `f32` and `f64`, strings, options, sequences and maps convert to Puppet values, as do the types of semver,
//! url and `serde_json`. The conversion back fails with an error that says what was expected and what was found. Maps
//! and structs are converted back with `from_value`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use indexmap::IndexMap;

use super::{Array, Binary, EcoString, Hash, SemVer, Uri, Value};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::limits::BoundedVec;
use crate::time::{Timespan, Timestamp};
use crate::types::{Type, describe::describe};

macro_rules! from {
    ($($rust:ty => |$given:ident| $value:expr;)*) => {$(
        impl From<$rust> for Value {
            fn from($given: $rust) -> Value {
                $value
            }
        }
    )*};
}

from! {
    () => |_unit| Value::Undef;
    i8 => |number| Value::Integer(number.into());
    i16 => |number| Value::Integer(number.into());
    i32 => |number| Value::Integer(number.into());
    i64 => |number| Value::Integer(number);
    u8 => |number| Value::Integer(number.into());
    u16 => |number| Value::Integer(number.into());
    u32 => |number| Value::Integer(number.into());
    f32 => |number| Value::Float(number.into());
    f64 => |number| Value::Float(number);
    char => |letter| Value::from(letter.to_string());
    &str => |string| Value::String(copy_string(string));
    String => |string| Value::String(copy_string(&string));
    EcoString => |string| Value::String(string);
    &String => |string| Value::from(string.as_str());
    BoundedVec<Value> => |elements| Value::Array(elements.into_eco_vec().into());
    SemVer => |version| Value::SemVer(Arc::new(version));
    semver::Version => |version| SemVer(version).into();
    Uri => |uri| Value::Uri(Arc::new(uri));
}

/// Copies a string, and checks for interrupts (Ctrl-C), so that loops that create long strings can be interrupted.
pub(crate) fn copy_string(string: &str) -> EcoString {
    interrupt::take_steps_for_bytes(string.len());
    // `EcoString::from` may copy byte by byte.
    let mut copy = EcoString::with_capacity(string.len());
    copy.push_str(string);
    copy
}

/// `None` converts to `undef`.
impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Value {
        value.map_or(Value::Undef, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(elements: Vec<T>) -> Value {
        elements.into_iter().collect()
    }
}

impl<T: Into<Value>, const N: usize> From<[T; N]> for Value {
    fn from(elements: [T; N]) -> Value {
        Value::Array(elements.map(Into::into).into())
    }
}

impl<T: Clone + Into<Value>> From<&[T]> for Value {
    fn from(elements: &[T]) -> Value {
        elements.iter().cloned().collect()
    }
}

/// Collects the elements into an Array.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Value {
        Value::Array(elements.into_iter().map(Into::into).collect::<Vec<Value>>().into())
    }
}

fn hash_of_entries<K: Into<Value>, V: Into<Value>>(entries: impl IntoIterator<Item = (K, V)>) -> Value {
    Value::Hash(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
}

/// Implements `From` for maps. The Hash has the entries in the order in which the map iterates.
macro_rules! from_maps {
    ($($map:ty, $($parameter:ident),*;)*) => {$(
        impl<K: Into<Value>, V: Into<Value>, $($parameter),*> From<$map> for Value {
            fn from(map: $map) -> Value {
                hash_of_entries(map)
            }
        }
    )*};
}

from_maps! {
    BTreeMap<K, V>,;
    HashMap<K, V, S>, S;
    IndexMap<K, V, S>, S;
}

/// Converts JSON. Numbers that do not fit into 64-bit integers become Floats.
impl From<serde_json::Value> for Value {
    fn from(json: serde_json::Value) -> Value {
        match json {
            serde_json::Value::Null => Value::Undef,
            serde_json::Value::Bool(value) => value.into(),
            serde_json::Value::Number(number) => {
                number.as_i64().map_or_else(|| number.as_f64().map_or(Value::Undef, Value::Float), Value::Integer)
            }
            serde_json::Value::String(string) => string.into(),
            serde_json::Value::Array(elements) => elements.into(),
            serde_json::Value::Object(members) => hash_of_entries(members),
        }
    }
}

fn unexpected_value_error(what: &str, found: &Value) -> Error {
    Error::runtime(format!("expected {what}, got {}", describe(found)))
}

macro_rules! try_from {
    ($($rust:ty, $name:expr, $pattern:pat $(if let $found:pat = $search:expr)? => $content:expr;)*) => {$(
        impl TryFrom<Value> for $rust {
            type Error = Error;

            fn try_from(value: Value) -> Result<$rust> {
                match value {
                    $pattern $(if let $found = $search)? => Ok($content),
                    other => Err(unexpected_value_error($name, &other)),
                }
            }
        }
    )*};
}

try_from! {
    String, "String", Value::String(string) => string.to_string();
    SemVer, "SemVer", Value::SemVer(version) => (*version).clone();
    semver::Version, "SemVer", Value::SemVer(version) => version.0.clone();
    Uri, "URI", Value::Uri(uri) => (*uri).clone();
    f64, "Numeric", value if let Some(number) = value.as_float() => number;
}

macro_rules! integers {
    ($($rust:ty),*) => {
        try_from! {$(
            $rust, &format!("Integer[{}, {}]", <$rust>::MIN, <$rust>::MAX),
                Value::Integer(number) if let Some(number) = <$rust>::try_from(number).ok() => number;
        )*}
    };
}

integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

/// Implements `From` and `TryFrom` for Rust types that are the content of a variant of `Value`, such as `bool`.
macro_rules! contents {
    ($($rust:ty, $kind:ident;)*) => {
        from! { $($rust => |content| Value::$kind(content);)* }
        try_from! { $($rust, stringify!($kind), Value::$kind(content) => content;)* }
    };
}

contents! {
    bool, Boolean;
    Array, Array;
    Hash, Hash;
    Type, Type;
    Timespan, Timespan;
    Timestamp, Timestamp;
    Binary, Binary;
}

impl<T: TryFrom<Value, Error = Error>> TryFrom<Value> for Vec<T> {
    type Error = Error;

    fn try_from(value: Value) -> Result<Vec<T>> {
        Array::try_from(value)?.iter().cloned().map(T::try_from).collect()
    }
}

/// Accessors of the content of a value: they return `None` for values of other kinds.
impl Value {
    /// Whether the value is `undef`.
    pub fn is_undef(&self) -> bool {
        matches!(self, Value::Undef)
    }

    /// Returns the content of a Boolean, `None` for other values.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Boolean(value) = self { Some(*value) } else { None }
    }

    /// Returns the number of an Integer, `None` for other values.
    pub fn as_integer(&self) -> Option<i64> {
        if let Value::Integer(number) = self { Some(*number) } else { None }
    }

    /// Returns the number of a Float or an Integer, `None` for other values.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Value::Float(number) => Some(*number),
            Value::Integer(number) => Some(*number as f64),
            _ => None,
        }
    }

    /// Returns the content of a String, `None` for other values.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(string) = self { Some(string) } else { None }
    }

    /// Returns the elements of an Array, `None` for other values.
    pub fn as_array(&self) -> Option<&Array> {
        if let Value::Array(array) = self { Some(array) } else { None }
    }

    /// Returns the entries of a Hash, `None` for other values.
    pub fn as_hash(&self) -> Option<&Hash> {
        if let Value::Hash(hash) = self { Some(hash) } else { None }
    }

    /// Returns the type if the value itself is a type such as `Integer[1, 2]`, `None` for other values.
    pub fn as_type(&self) -> Option<&Type> {
        if let Value::Type(type_) = self { Some(type_) } else { None }
    }
}
