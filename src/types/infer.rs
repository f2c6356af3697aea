//! Types of values.

use super::array::ArrayType;
use super::boolean::BooleanType;
use super::default::DefaultType;
use super::error::TypeError;
use super::float::FloatType;
use super::hash::HashType;
use super::regexp::RegexpType;
use super::size::Size;
use super::string::StringType;
use super::r#struct::{Member, Presence, StructType};
use super::timespan::TimespanType;
use super::timestamp::TimestampType;
use super::tuple::TupleType;
use super::r#type::TypeType;
use super::undef::UndefType;
use super::{BinaryType, IntegerType, SemVerRangeType, SemVerType, SensitiveType, Type, UriType, common};
use crate::error::Result;
use crate::stack;
use crate::value::{SemVerRange, Value};

/// The type that says all about a value.
pub(super) fn detailed(value: &Value) -> Type {
    match value {
        Value::Array(elements) if elements.is_empty() => ArrayType::new(Type::any(), Some(Size::exactly(0))).into(),
        Value::Array(elements) => stack::with_room(|| TupleType::new(elements.iter().map(detailed), None).into()),
        Value::Hash(entries) if entries.is_empty() => {
            HashType::new(Type::any(), Type::any(), Some(Size::exactly(0))).into()
        }
        Value::Hash(entries) => {
            let member = |(key, value): (&Value, &Value)| match key {
                Value::String(name) if !name.is_empty() => {
                    Some(Member::new(name.clone(), Presence::Required, detailed(value)))
                }
                _ => None,
            };
            let members = stack::with_room(|| entries.iter().map(member).collect::<Option<Vec<_>>>());
            members.map_or_else(|| reduced(value), |members| StructType::new(members).into())
        }
        Value::Type(type_) => TypeType::new(type_.clone()).into(),
        Value::SemVer(version) => SemVerType::new([SemVerRange::between(Some(version), Some(version), false)]).into(),
        scalar => of_scalar(scalar),
    }
}

/// The type of a value in which the types of elements are reduced to one.
pub(super) fn reduced(value: &Value) -> Type {
    match value {
        Value::Array(elements) => {
            let size = Size::exactly(elements.len());
            stack::with_room(|| ArrayType::new(common::of_all(elements.iter().map(reduced)), Some(size)).into())
        }
        Value::Hash(entries) => {
            let size = Size::exactly(entries.len());
            stack::with_room(|| {
                let key = common::of_all(entries.keys().map(reduced));
                let value = common::of_all(entries.values().map(reduced));
                HashType::new(key, value, Some(size)).into()
            })
        }
        Value::Type(type_) => TypeType::new(type_.clone()).into(),
        scalar => of_scalar(scalar),
    }
}

fn of_scalar(value: &Value) -> Type {
    match value {
        Value::Undef => UndefType.into(),
        Value::Default => DefaultType.into(),
        Value::Boolean(value) => BooleanType { value: Some(*value) }.into(),
        Value::Integer(number) => IntegerType::new(*number, *number).expect("from is to").into(),
        Value::Float(number) => FloatType::new(*number, *number).unwrap_or(FloatType::ALL).into(),
        Value::String(text) => StringType::Text(text.clone()).into(),
        Value::Timespan(span) => TimespanType::only(*span).into(),
        Value::Timestamp(stamp) => TimestampType::only(*stamp).into(),
        Value::Regexp(regexp) => RegexpType { value: Some(regexp.clone()) }.into(),
        Value::SemVer(_) => SemVerType::new([]).into(),
        Value::SemVerRange(_) => SemVerRangeType.into(),
        Value::Binary(_) => BinaryType.into(),
        Value::Uri(uri) => UriType::of(uri).into(),
        Value::Sensitive(content) => SensitiveType::new(&reduced(content)).into(),
        Value::Callable(callable) => callable.callable_type(),
        Value::Object(object) => object.type_.clone(),
        _ => Type::any(),
    }
}

/// A type as it is, and any other value as its generalized type: what `Struct[{a => 1}]` and `Callable[1.5]` mean.
pub(super) fn type_in_place_of_value(value: &Value) -> Result<Type> {
    match value {
        Value::Type(type_) => Ok(type_.clone()),
        Value::String(text) if text.is_empty() => {
            let problem = "an empty String cannot stand for a type".to_owned();
            Err(TypeError::Content { type_: "Struct", problem }.into())
        }
        other => Ok(reduced(other).generalized()),
    }
}
