//! serde: any Rust type that serialises becomes a [`Value`], and a [`Value`] becomes any Rust type that deserialises.
//!
//! Structs and maps are Hashes, sequences and tuples Arrays, `None` and `()` undef, bytes a Binary. An enum is written as
//! usual: a unit variant is its name, any other a Hash of one entry. Values without a counterpart in serde's model (types,
//! times, versions, URIs, Objects …) are read as their string; a Sensitive is never read.

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{self, IntoDeserializer, Visitor};
use serde::ser::{self, Serialize};
use serde::{Deserialize, forward_to_deserialize_any};

use super::{Binary, Hash, Value};
use crate::error::{Error, Result};
use crate::format;

/// The Puppet value of anything that serialises.
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
/// An integer beyond 64 bits, or whatever the type's own implementation reports.
#[cfg(feature = "serde")]
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value> {
    value.serialize(Writer)
}

/// A Rust value of any type that deserialises.
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
/// The value does not have the shape of the type; a Sensitive is inside.
#[cfg(feature = "serde")]
pub fn from_value<T: de::DeserializeOwned>(value: Value) -> Result<T> {
    T::deserialize(value)
}

impl ser::Error for Error {
    fn custom<T: std::fmt::Display>(message: T) -> Error {
        Error::runtime(message.to_string())
    }
}

impl de::Error for Error {
    fn custom<T: std::fmt::Display>(message: T) -> Error {
        Error::runtime(message.to_string())
    }
}

/// Scalars as in JSON, everything else by its structure.
impl Serialize for Value {
    fn serialize<S: ser::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Undef => serializer.serialize_unit(),
            Value::Boolean(value) => serializer.serialize_bool(*value),
            Value::Integer(number) => serializer.serialize_i64(*number),
            Value::Float(number) => serializer.serialize_f64(*number),
            Value::String(string) => serializer.serialize_str(string),
            Value::Array(array) => serializer.collect_seq(array.iter()),
            Value::Hash(hash) => serializer.collect_map(hash.iter()),
            Value::Binary(binary) => serializer.serialize_bytes(binary.bytes()),
            Value::Sensitive(_) => Err(ser::Error::custom("cannot serialize a Sensitive: unwrap it first")),
            other => serializer.serialize_str(&format::text(other)),
        }
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a value with a counterpart in Puppet")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value, E> {
        let number = i64::try_from(number);
        number.map(Value::Integer).map_err(|_| E::custom("an Integer has at most 64 bits including its sign"))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, string: &str) -> Result<Value, E> {
        Ok(string.into())
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Value, E> {
        Ok(Binary::from(bytes.to_vec()).into())
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Undef)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Undef)
    }

    fn visit_some<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        Value::deserialize(deserializer)
    }

    fn visit_seq<A: de::SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut elements: Vec<Value> = Vec::new();
        while let Some(element) = sequence.next_element()? {
            elements.push(element);
        }
        Ok(elements.into())
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry::<Value, Value>()? {
            entries.push(entry);
        }
        Ok(Value::Hash(entries.into_iter().collect()))
    }
}

impl IntoDeserializer<'_, Error> for Value {
    type Deserializer = Value;

    fn into_deserializer(self) -> Value {
        self
    }
}

impl<'de> de::Deserializer<'de> for Value {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Value::Undef => visitor.visit_unit(),
            Value::Boolean(value) => visitor.visit_bool(value),
            Value::Integer(number) => visitor.visit_i64(number),
            Value::Float(number) => visitor.visit_f64(number),
            Value::String(string) => visitor.visit_str(&string),
            Value::Array(array) => visitor.visit_seq(SeqDeserializer::new(array.iter().cloned())),
            Value::Hash(hash) => visitor.visit_map(members(&hash)),
            Value::Binary(binary) => visitor.visit_bytes(binary.bytes()),
            Value::Sensitive(_) => Err(Error::runtime("cannot deserialize a Sensitive: unwrap it first")),
            other => visitor.visit_string(format::text(&other)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_undef() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self {
            Value::Hash(hash) if hash.len() == 1 => visitor.visit_enum(MapAccessDeserializer::new(members(&hash))),
            Value::String(name) => visitor.visit_enum(StrDeserializer::new(&name)),
            other => other.deserialize_any(visitor),
        }
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct
        map struct identifier ignored_any
    }
}

fn members<'de>(hash: &Hash) -> MapDeserializer<'de, std::vec::IntoIter<(Value, Value)>, Error> {
    let members: Vec<_> = hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
    MapDeserializer::new(members.into_iter())
}

struct Writer;

struct Collected {
    /// Set if the collection is the content of this variant of an enum.
    variant: Option<&'static str>,
    elements: Vec<Value>,
    entries: Vec<(Value, Value)>,
}

impl Collected {
    fn new(variant: Option<&'static str>) -> Collected {
        Collected { variant, elements: Vec::new(), entries: Vec::new() }
    }

    fn add<T: Serialize + ?Sized>(&mut self, element: &T) -> Result<()> {
        self.elements.push(element.serialize(Writer)?);
        Ok(())
    }

    fn add_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result<()> {
        self.entries.push((key.into(), value.serialize(Writer)?));
        Ok(())
    }

    fn array(self) -> Value {
        in_variant(self.variant, self.elements.into())
    }

    fn hash(self) -> Value {
        in_variant(self.variant, Value::Hash(self.entries.into_iter().collect()))
    }
}

fn in_variant(variant: Option<&'static str>, content: Value) -> Value {
    match variant {
        Some(name) => Value::Hash([(Value::from(name), content)].into_iter().collect()),
        None => content,
    }
}

macro_rules! scalars {
    ($($method:ident($rust:ty) => |$given:ident| $value:expr;)*) => {$(
        fn $method(self, $given: $rust) -> Result<Value> {
            $value
        }
    )*};
}

/// The methods that start an Array or a Hash.
macro_rules! collects {
    ($($method:ident($($parameter:ty),*);)*) => {$(
        fn $method(self, $(_: $parameter),*) -> Result<Collected> {
            Ok(Collected::new(None))
        }
    )*};
}

impl ser::Serializer for Writer {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = Collected;
    type SerializeTuple = Collected;
    type SerializeTupleStruct = Collected;
    type SerializeTupleVariant = Collected;
    type SerializeMap = Collected;
    type SerializeStruct = Collected;
    type SerializeStructVariant = Collected;

    scalars! {
        serialize_bool(bool) => |value| Ok(value.into());
        serialize_i8(i8) => |number| Ok(number.into());
        serialize_i16(i16) => |number| Ok(number.into());
        serialize_i32(i32) => |number| Ok(number.into());
        serialize_i64(i64) => |number| Ok(number.into());
        serialize_u8(u8) => |number| Ok(number.into());
        serialize_u16(u16) => |number| Ok(number.into());
        serialize_u32(u32) => |number| Ok(number.into());
        serialize_u64(u64) => |number| ValueVisitor.visit_u64(number);
        serialize_f32(f32) => |number| Ok(number.into());
        serialize_f64(f64) => |number| Ok(number.into());
        serialize_char(char) => |letter| Ok(letter.into());
        serialize_str(&str) => |string| Ok(string.into());
        serialize_bytes(&[u8]) => |bytes| ValueVisitor.visit_bytes(bytes);
        serialize_unit_struct(&'static str) => |_name| Ok(Value::Undef);
    }

    fn serialize_none(self) -> Result<Value> {
        Ok(Value::Undef)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value> {
        Ok(Value::Undef)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<Value> {
        Ok(variant.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Value> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Value> {
        Ok(in_variant(Some(variant), value.serialize(Writer)?))
    }

    collects! {
        serialize_seq(Option<usize>);
        serialize_tuple(usize);
        serialize_tuple_struct(&'static str, usize);
        serialize_map(Option<usize>);
        serialize_struct(&'static str, usize);
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, variant: &'static str, _: usize) -> Result<Collected> {
        Ok(Collected::new(Some(variant)))
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, variant: &'static str, _: usize) -> Result<Collected> {
        Ok(Collected::new(Some(variant)))
    }
}

/// serde's traits of collections, each of which adds in one way and ends as an Array or a Hash.
macro_rules! collections {
    ($($part:ident: $add:ident($($key:ident: $key_type:ty)?) => $method:ident, $end:ident;)*) => {$(
        impl ser::$part for Collected {
            type Ok = Value;
            type Error = Error;

            fn $add<T: Serialize + ?Sized>(&mut self, $($key: $key_type,)? value: &T) -> Result<()> {
                self.$method($($key,)? value)
            }

            fn end(self) -> Result<Value> {
                Ok(self.$end())
            }
        }
    )*};
}

collections! {
    SerializeSeq: serialize_element() => add, array;
    SerializeTuple: serialize_element() => add, array;
    SerializeTupleStruct: serialize_field() => add, array;
    SerializeTupleVariant: serialize_field() => add, array;
    SerializeStruct: serialize_field(key: &'static str) => add_field, hash;
    SerializeStructVariant: serialize_field(key: &'static str) => add_field, hash;
}

impl ser::SerializeMap for Collected {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.add(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let key = self.elements.pop().ok_or_else(|| Error::runtime("the value of a map comes before its key"))?;
        self.entries.push((key, value.serialize(Writer)?));
        Ok(())
    }

    fn end(self) -> Result<Value> {
        Ok(self.hash())
    }
}
