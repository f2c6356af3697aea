//! Infers the types of values.
//!
//! A nested value that occurs in several containers is inspected once, so that the time is linear in the size of the
//! value in memory, not in the length of its string form.

use rustc_hash::FxHashMap;

use crate::error::Result;
use crate::types::{
    ArrayType, BinaryType, BooleanType, CommonTypes, DefaultType, FloatType, HashType, IntegerType, IteratorType,
    KeyPresence, Lattice, Member, ObjectType, RegexpType, RuntimeType, SemVerRangeType, SemVerType, SensitiveType,
    Size, StringType, StructType, TimespanType, TimestampType, TupleType, Type, TypeError, TypeType, UndefType,
    UnitType, UriType, VariantType, iterable,
};
use crate::value::{EcoString, SemVerRange, Value};
use crate::{interrupt, stack};

impl Type {
    /// Returns the most detailed type of a value: `[1, 'a']` is a `Tuple[Integer[1, 1], String]`.
    pub fn of(value: &Value) -> Type {
        Inference { is_detailed: true, ..Inference::default() }.type_of_value(value)
    }

    /// Returns the type of a value with one common type for all elements: `[1, 'a']` is `Array[ScalarData, 2, 2]`.
    pub fn infer_reduced(value: &Value) -> Type {
        Inference::default().type_of_value(value)
    }
}

#[derive(Default)]
struct Inference {
    is_detailed: bool,
    /// Whether the value is inside a Sensitive, so that its type must not reveal the content.
    is_in_sensitive: bool,
    /// The inferred types of arrays and hashes, by address and by whether they are inside a Sensitive.
    cached_types: FxHashMap<(usize, bool), Type>,
    common_types: CommonTypes,
}

impl Inference {
    fn type_of_value(&mut self, value: &Value) -> Type {
        let address = match value {
            Value::Array(elements) => elements.address(),
            Value::Hash(entries) => entries.address(),
            _ => return self.infer_uncached(value),
        };
        let place = (address, self.is_in_sensitive);
        if let Some(type_) = self.cached_types.get(&place) {
            return type_.clone();
        }
        let type_ = stack::with_room(|| self.infer_uncached(value));
        self.cached_types.insert(place, type_.clone());
        type_
    }

    fn infer_uncached(&mut self, value: &Value) -> Type {
        interrupt::take_step();
        let in_detail = self.is_detailed && !self.is_in_sensitive;
        match value {
            Value::Array(elements) if in_detail && !elements.is_empty() => {
                TupleType::new(elements.iter().map(|element| self.type_of_value(element)), None).into()
            }
            Value::Array(elements) => {
                ArrayType::new(self.common_type_of_values(elements.iter()), Some(Size::exactly(elements.len()))).into()
            }
            Value::Hash(entries) => {
                let name = |key: &Value| key.as_str().filter(|name| !name.is_empty()).map(EcoString::from);
                if in_detail
                    && !entries.is_empty()
                    && let Some(names) = entries.keys().map(name).collect::<Option<Vec<_>>>()
                {
                    let member = |(name, value)| Member::new(name, KeyPresence::Required, self.type_of_value(value));
                    return StructType::new(names.into_iter().zip(entries.values()).map(member).collect()).into();
                }
                let (key, value) = if in_detail {
                    let key = VariantType::of(entries.keys().map(|key| self.type_of_value(key)));
                    (key, VariantType::of(entries.values().map(|value| self.type_of_value(value))))
                } else {
                    (self.common_type_of_values(entries.keys()), self.common_type_of_values(entries.values()))
                };
                HashType::new(key, value, Some(Size::exactly(entries.len()))).into()
            }
            // Generalizing keeps what these say.
            // Deviation: Puppet 8.11 shows the expression of a Regexp and the parameters of a type that are Sensitive.
            Value::Regexp(_) if self.is_in_sensitive => RegexpType::default().into(),
            Value::Type(type_) if self.is_in_sensitive => TypeType::new((type_.row().bare)()).into(),
            Value::Undef => UndefType.into(),
            Value::Default => DefaultType.into(),
            Value::Boolean(value) => BooleanType { value: Some(*value) }.into(),
            Value::Integer(number) => IntegerType::exactly(*number).into(),
            Value::Float(number) => FloatType::new(*number, *number).unwrap_or(FloatType::ALL).into(),
            Value::String(text) => StringType::Text(text.clone()).into(),
            Value::Timespan(span) => TimespanType::single_time(*span).into(),
            Value::Timestamp(stamp) => TimestampType::single_time(*stamp).into(),
            Value::Regexp(regexp) => RegexpType { value: Some(regexp.clone()) }.into(),
            Value::Type(type_) => TypeType::new(type_.clone()).into(),
            Value::Sensitive(content) => {
                let outside = std::mem::replace(&mut self.is_in_sensitive, true);
                let content = stack::with_room(|| self.type_of_value(content));
                self.is_in_sensitive = outside;
                SensitiveType::new(&content).into()
            }
            Value::Binary(_) => BinaryType.into(),
            Value::SemVer(version) if in_detail => {
                SemVerType::new([SemVerRange::between(Some(version), Some(version), false)]).into()
            }
            Value::SemVer(_) => SemVerType::default().into(),
            Value::SemVerRange(_) => SemVerRangeType.into(),
            Value::Uri(uri) => UriType::of_uri(uri).into(),
            Value::Object(object) => ObjectType::type_of_instance(object),
            // Observed: Puppet 8.11 reckons with the ends of a stepped range, but with every element of another source,
            // also those that are stepped over.
            Value::Iterator(iterator) => {
                let of_source = || iterator.source_value().and_then(type_of_iterated_elements);
                let element = iterator.integer_range().map(Type::from).or_else(of_source);
                IteratorType::new(element.unwrap_or_else(Type::any)).into()
            }
            Value::Callable(callable) => callable.callable_type(),
        }
    }

    fn common_type_of_values<'v>(&mut self, values: impl Iterator<Item = &'v Value>) -> Type {
        let mut types: Vec<Type> = values.map(|value| self.type_of_value(value)).collect();
        types.dedup();
        self.common_types.common_type_of_all(types)
    }
}

fn type_of_iterated_elements(source: &Value) -> Option<Type> {
    match source {
        // There is no number from 0 up to 0.
        Value::Integer(_) => Some(UnitType.into()),
        // Observed: Puppet 7.23 does not say which value a key has.
        Value::Hash(entries) if !entries.is_empty() => {
            let key = VariantType::of(entries.keys().map(Type::of));
            let value = VariantType::of(entries.values().map(Type::of));
            Some(TupleType::new([key, value], Some(Size::exactly(2))).into())
        }
        other => iterable::element_type_of(&Type::of(other), &mut Lattice::default()),
    }
}

/// Converts a value to a type where `type_` expects one, as in `Struct[{a => 1}]` and `Callable[1.5]`: a type stays,
/// a string becomes the Runtime type of that name, and another value becomes its generalized type.
pub(in crate::types) fn value_to_type(type_: &'static str, value: &Value) -> Result<Type> {
    match value {
        Value::Type(type_) => Ok(type_.clone()),
        Value::String(text) if text.is_empty() => {
            let problem = "an empty String cannot be converted to a type".to_owned();
            Err(TypeError::InvalidParameter { type_, problem }.into())
        }
        Value::String(text) => Ok(RuntimeType { runtime_and_name: Some(("ruby".into(), text.clone())) }.into()),
        other => Ok(Type::infer_reduced(other).generalized()),
    }
}
