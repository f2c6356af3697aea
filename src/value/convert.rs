//! Rust's values to Puppet's and back: `From`, `TryFrom` and `as_…`.
//!
//! Every Rust integer, `f32` and `f64`, strings, options, sequences and maps convert, and so do the types of chrono, semver,
//! url and `serde_json`. The way back fails with an error that says what was expected and what was found.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash as StdHash};
use std::sync::Arc;

use chrono::{DateTime, FixedOffset, Local, TimeDelta, Utc};
use indexmap::IndexMap;

use super::{Array, Binary, EcoString, Hash, SemVer, Uri, Value};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::limits::BoundedVec;
use crate::time::{NANOS_PER_SECOND, Timespan, Timestamp};
use crate::types::Type;
use crate::types::describe::describe;

/// `impl From<each> for Value`, written as a function from the Rust value.
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
    bool => |value| Value::Boolean(value);
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
    &str => |string| Value::String(copied(string));
    String => |string| Value::String(copied(&string));
    EcoString => |string| Value::String(string);
    &String => |string| Value::from(string.as_str());
    Array => |array| Value::Array(array);
    Hash => |hash| Value::Hash(hash);
    BoundedVec<Value> => |elements| Value::Array(elements.into_elements().into());
    Type => |type_| Value::Type(type_);
    Timespan => |span| Value::Timespan(span);
    Timestamp => |stamp| Value::Timestamp(stamp);
    Binary => |binary| Value::Binary(binary);
    TimeDelta => |delta| Timespan::from_nanoseconds(nanoseconds(delta.num_seconds(), delta.subsec_nanos())).into();
    DateTime<Utc> => |time| {
        let nanos = i32::try_from(time.timestamp_subsec_nanos()).unwrap_or_default(); // OK because it is below 2 * 10^9.
        Timestamp::from_nanoseconds(nanoseconds(time.timestamp(), nanos)).into()
    };
    DateTime<FixedOffset> => |time| time.to_utc().into();
    DateTime<Local> => |time| time.to_utc().into();
    SemVer => |version| Value::SemVer(Arc::new(version));
    semver::Version => |version| SemVer(version).into();
    Uri => |uri| Value::Uri(Arc::new(uri));
}

/// A copy of a string, counted as steps, so that loops which create long strings can be interrupted.
pub(crate) fn copied(string: &str) -> EcoString {
    interrupt::step_over_bytes(string.len());
    // `EcoString::from` may copy byte by byte.
    let mut copy = EcoString::with_capacity(string.len());
    copy.push_str(string);
    copy
}

fn nanoseconds(seconds: i64, nanos: i32) -> i128 {
    i128::from(seconds) * NANOS_PER_SECOND + i128::from(nanos)
}

/// `None` is `undef`.
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

/// An Array.
impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Value {
        Value::Array(elements.into_iter().map(Into::into).collect::<Vec<Value>>().into())
    }
}

fn hash<K: Into<Value>, V: Into<Value>>(entries: impl IntoIterator<Item = (K, V)>) -> Value {
    Value::Hash(entries.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
}

impl<K: Into<Value>, V: Into<Value>> From<BTreeMap<K, V>> for Value {
    fn from(map: BTreeMap<K, V>) -> Value {
        hash(map)
    }
}

/// The entries are in the iteration order of the map.
impl<K: Into<Value>, V: Into<Value>, S> From<HashMap<K, V, S>> for Value {
    fn from(map: HashMap<K, V, S>) -> Value {
        hash(map)
    }
}

impl<K: Into<Value>, V: Into<Value>, S> From<IndexMap<K, V, S>> for Value {
    fn from(map: IndexMap<K, V, S>) -> Value {
        hash(map)
    }
}

/// Numbers beyond 64 bits become Floats.
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
            serde_json::Value::Object(members) => hash(members),
        }
    }
}

fn expected(what: &str, found: &Value) -> Error {
    Error::runtime(format!("expected {what}, got {}", describe(found)))
}

macro_rules! integers {
    ($($rust:ty),*) => {$(
        impl TryFrom<Value> for $rust {
            type Error = Error;

            fn try_from(value: Value) -> Result<$rust> {
                let number = value.as_integer().and_then(|number| <$rust>::try_from(number).ok());
                number.ok_or_else(|| expected(&format!("Integer[{}, {}]", <$rust>::MIN, <$rust>::MAX), &value))
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, isize, u8, u16, u32, u64, usize);

/// `impl TryFrom<Value> for each`, with the name of the Puppet type and the pattern that has its content.
macro_rules! try_from {
    ($($rust:ty, $name:literal, $pattern:pat => $content:expr;)*) => {$(
        impl TryFrom<Value> for $rust {
            type Error = Error;

            fn try_from(value: Value) -> Result<$rust> {
                match value {
                    $pattern => Ok($content),
                    other => Err(expected($name, &other)),
                }
            }
        }
    )*};
}

try_from! {
    bool, "Boolean", Value::Boolean(value) => value;
    String, "String", Value::String(string) => string.to_string();
    Array, "Array", Value::Array(array) => array;
    Hash, "Hash", Value::Hash(hash) => hash;
    Type, "Type", Value::Type(type_) => type_;
    Timespan, "Timespan", Value::Timespan(span) => span;
    Timestamp, "Timestamp", Value::Timestamp(stamp) => stamp;
    Binary, "Binary", Value::Binary(binary) => binary;
    SemVer, "SemVer", Value::SemVer(version) => (*version).clone();
    semver::Version, "SemVer", Value::SemVer(version) => version.0.clone();
    Uri, "URI", Value::Uri(uri) => (*uri).clone();
}

/// Integers convert too.
impl TryFrom<Value> for f64 {
    type Error = Error;

    fn try_from(value: Value) -> Result<f64> {
        value.as_float().ok_or_else(|| expected("Numeric", &value))
    }
}

/// `None` if there are more seconds than 64 bits hold.
fn seconds_and_nanos(nanoseconds: i128) -> Option<(i64, u32)> {
    let seconds = i64::try_from(nanoseconds.div_euclid(NANOS_PER_SECOND)).ok()?;
    Some((seconds, u32::try_from(nanoseconds.rem_euclid(NANOS_PER_SECOND)).ok()?))
}

impl TryFrom<Value> for DateTime<Utc> {
    type Error = Error;

    fn try_from(value: Value) -> Result<DateTime<Utc>> {
        seconds_and_nanos(Timestamp::try_from(value)?.nanoseconds())
            .and_then(|(seconds, nanos)| DateTime::from_timestamp(seconds, nanos))
            .ok_or_else(|| Error::runtime("the Timestamp is outside of the range of a chrono DateTime"))
    }
}

impl TryFrom<Value> for TimeDelta {
    type Error = Error;

    fn try_from(value: Value) -> Result<TimeDelta> {
        seconds_and_nanos(Timespan::try_from(value)?.nanoseconds())
            .and_then(|(seconds, nanos)| TimeDelta::new(seconds, nanos))
            .ok_or_else(|| Error::runtime("the Timespan is outside of the range of a chrono TimeDelta"))
    }
}

impl<T: TryFrom<Value, Error = Error>> TryFrom<Value> for Vec<T> {
    type Error = Error;

    fn try_from(value: Value) -> Result<Vec<T>> {
        Array::try_from(value)?.iter().cloned().map(T::try_from).collect()
    }
}

fn entries<K, V, M>(value: Value) -> Result<M>
where
    K: TryFrom<Value, Error = Error>,
    V: TryFrom<Value, Error = Error>,
    M: FromIterator<(K, V)>,
{
    let hash = Hash::try_from(value)?;
    hash.iter().map(|(key, value)| Ok((K::try_from(key.clone())?, V::try_from(value.clone())?))).collect()
}

impl<K, V> TryFrom<Value> for BTreeMap<K, V>
where
    K: Ord + TryFrom<Value, Error = Error>,
    V: TryFrom<Value, Error = Error>,
{
    type Error = Error;

    fn try_from(value: Value) -> Result<BTreeMap<K, V>> {
        entries(value)
    }
}

impl<K, V, S> TryFrom<Value> for HashMap<K, V, S>
where
    K: Eq + StdHash + TryFrom<Value, Error = Error>,
    V: TryFrom<Value, Error = Error>,
    S: BuildHasher + Default,
{
    type Error = Error;

    fn try_from(value: Value) -> Result<HashMap<K, V, S>> {
        entries(value)
    }
}

/// The content of a value of one kind, or `None` for the others.
impl Value {
    /// Whether it is `undef`.
    pub fn is_undef(&self) -> bool {
        matches!(self, Value::Undef)
    }

    /// The content of a Boolean.
    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Boolean(value) = self { Some(*value) } else { None }
    }

    /// The number of an Integer.
    pub fn as_integer(&self) -> Option<i64> {
        if let Value::Integer(number) = self { Some(*number) } else { None }
    }

    /// The number of a Float or an Integer.
    pub fn as_float(&self) -> Option<f64> {
        match self {
            Value::Float(number) => Some(*number),
            Value::Integer(number) => Some(*number as f64),
            _ => None,
        }
    }

    /// The content of a String.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(string) = self { Some(string) } else { None }
    }

    /// The elements of an Array.
    pub fn as_array(&self) -> Option<&Array> {
        if let Value::Array(array) = self { Some(array) } else { None }
    }

    /// The entries of a Hash.
    pub fn as_hash(&self) -> Option<&Hash> {
        if let Value::Hash(hash) = self { Some(hash) } else { None }
    }

    /// The type that a value is: `Integer[1, 2]`, not the type of the value.
    pub fn as_type(&self) -> Option<&Type> {
        if let Value::Type(type_) = self { Some(type_) } else { None }
    }
}
