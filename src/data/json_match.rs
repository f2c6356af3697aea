//! Whether a JSON text is a value of a type: in one pass, without locations, and mostly without building the value.
//!
//! The text is parsed along the type: an object meets the members of a Struct or the key and value type of a Hash, an
//! array the element type of an Array, and a string is compared where it is in the text. Only where several types of a
//! Variant accept arrays, or another type accepts them, is that part built and the type asked about it.

use std::borrow::Cow;
use std::fmt;
use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;
use serde::de::{self, DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

pub(crate) use super::json_values::Keys;
use super::json_values::{Key, Part};
use crate::interrupt;
use crate::types::unfolding;
use crate::types::{Lattice, Type};
use crate::value::Value;

/// How many aliases, Variants and Optionals are looked through for one string, array or object: a type that contains
/// itself never ends.
const MAX_LOOKS: usize = 256;

/// Whether the text is valid, says the same to every reader, and is a value of `type_`.
///
/// `false` also means: it has a duplicate key, a number that is out of range, or is nested deeply. Only
/// reading it with locations says which.
pub(crate) fn is_instance(text: &str, type_: &Type, keys: &Keys) -> bool {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let mut seen = Seen { keys, members: Vec::new(), hashes: Vec::new() };
    Against { type_, seen: &mut seen }.deserialize(&mut deserializer).is_ok() && deserializer.end().is_ok()
}

/// The keys met in the objects around the place being read, innermost last.
struct Seen<'k> {
    keys: &'k Keys,
    /// For each member of a Struct whether it was found.
    members: Vec<bool>,
    /// For each key of a Hash its hash value.
    hashes: Vec<u64>,
}

/// A value that fails to deserialize unless it is a value of the type.
struct Against<'t, 's, 'k> {
    type_: &'t Type,
    seen: &'s mut Seen<'k>,
}

/// Why a text is given up.
const NO_VALUE: &str = "not a value of the type";

fn judged<E: Error>(is_instance: bool) -> Result<(), E> {
    if is_instance { Ok(()) } else { Err(E::custom(NO_VALUE)) }
}

impl<'de> DeserializeSeed<'de> for Against<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: de::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Against<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        judged(self.type_.has_instance(&Value::Undef))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        judged(self.type_.has_instance(&Value::Boolean(value)))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        judged(self.type_.has_instance(&Value::Integer(value)))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        judged(i64::try_from(value).is_ok_and(|value| self.type_.has_instance(&Value::Integer(value))))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        // `-0` is an Integer, but this reader makes -0.0 of it.
        let is_clear = value != 0.0 || value.is_sign_positive();
        judged(is_clear && self.type_.has_instance(&Value::Float(value)))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        judged(has_string(self.type_, value, &mut { MAX_LOOKS }))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        interrupt::step();
        let branch = branch(self.type_, true, &mut { MAX_LOOKS });
        let array = match &branch {
            Branch::None => return judged(false),
            Branch::One(only) if let Type::Array(array) = &**only => array,
            Branch::One(_) | Branch::Several => {
                return judged(self.type_.has_instance(&Part(self.seen.keys).visit_seq(elements)?));
            }
        };
        let mut count = 0;
        while let Some(()) = elements.next_element_seed(Against { type_: array.element(), seen: self.seen })? {
            count += 1;
        }
        judged(array.size().contains(count))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        interrupt::step();
        let seen = self.seen;
        match &branch(self.type_, false, &mut { MAX_LOOKS }) {
            Branch::None => judged(false),
            Branch::One(only) if let Type::Struct(members) = &**only => {
                let first = seen.members.len();
                seen.members.resize(first + members.members().len(), false);
                let mut near = 0;
                while let Some(at) =
                    entries.next_key_seed(Key(|key: &str| members.position(near, key).ok_or(NO_VALUE)))?
                {
                    let (Some(is_seen), Some(member)) = (seen.members.get_mut(first + at), members.members().get(at))
                    else {
                        return judged(false);
                    };
                    if std::mem::replace(is_seen, true) {
                        return judged(false);
                    }
                    entries.next_value_seed(Against { type_: member.type_(), seen })?;
                    near = at + 1;
                }
                let mut members = members.members().iter().zip(seen.members.drain(first..));
                judged(members.all(|(member, is_found)| is_found || member.may_be_missing(&mut Lattice::default())))
            }
            Branch::One(only) if let Type::Hash(hash) = &**only => {
                let first = seen.hashes.len();
                let hashed = |key: &str| {
                    if has_string(hash.key(), key, &mut { MAX_LOOKS }) {
                        Ok(FxBuildHasher.hash_one(key))
                    } else {
                        Err(NO_VALUE)
                    }
                };
                while let Some(key) = entries.next_key_seed(Key(hashed))? {
                    seen.hashes.push(key);
                    entries.next_value_seed(Against { type_: hash.value(), seen })?;
                }
                let keys = seen.hashes.get_mut(first..).unwrap_or_default();
                let count = keys.len();
                keys.sort_unstable();
                // Two keys may have the same hash value: then the text is read again in vain.
                let has_twice = keys.array_windows().any(|[key, next]| key == next);
                seen.hashes.truncate(first);
                judged(!has_twice && hash.size().contains(count))
            }
            Branch::One(_) | Branch::Several => judged(self.type_.has_instance(&Part(seen.keys).visit_map(entries)?)),
        }
    }
}

/// Whether a string is a value of the type.
fn has_string(type_: &Type, text: &str, looks: &mut usize) -> bool {
    match type_ {
        Type::Any(_) => true,
        Type::String(string) => string.has_text(text),
        Type::Enum(listed) => listed.has_text(text),
        Type::Pattern(pattern) => pattern.has_text(text),
        Type::Variant(variant) if look(looks) => variant.types().iter().any(|type_| has_string(type_, text, looks)),
        Type::Integer(_) | Type::Float(_) | Type::Boolean(_) | Type::Undef(_) => false,
        _ => match inner(type_, looks) {
            Some(inner) => has_string(&inner, text, looks),
            None => type_.has_instance(&Value::from(text)),
        },
    }
}

/// The types, among those that a type consists of, that may have an array or an object as a value.
enum Branch<'t> {
    None,
    One(Cow<'t, Type>),
    /// More than one, or a type of which no part decides.
    Several,
}

fn branch<'t>(type_: &'t Type, is_array: bool, looks: &mut usize) -> Branch<'t> {
    match type_ {
        Type::Array(_) if is_array => Branch::One(Cow::Borrowed(type_)),
        Type::Hash(_) | Type::Struct(_) if !is_array => Branch::One(Cow::Borrowed(type_)),
        Type::Variant(variant) if look(looks) => {
            let branches = variant.types().iter().map(|type_| branch(type_, is_array, looks));
            branches.fold(Branch::None, |one, other| match (one, other) {
                (Branch::None, only) | (only, Branch::None) => only,
                _ => Branch::Several,
            })
        }
        Type::Integer(_)
        | Type::Float(_)
        | Type::Boolean(_)
        | Type::Undef(_)
        | Type::String(_)
        | Type::Enum(_)
        | Type::Pattern(_)
        | Type::Array(_)
        | Type::Hash(_)
        | Type::Struct(_) => Branch::None,
        _ => match inner(type_, looks) {
            Some(Cow::Borrowed(inner)) => branch(inner, is_array, looks),
            Some(Cow::Owned(inner)) => match branch(&inner, is_array, looks) {
                Branch::None => Branch::None,
                Branch::One(type_) => Branch::One(Cow::Owned(type_.into_owned())),
                Branch::Several => Branch::Several,
            },
            None => Branch::Several,
        },
    }
}

/// The type of an alias, or in an Optional: it decides about strings, arrays and objects.
fn inner<'t>(type_: &'t Type, looks: &mut usize) -> Option<Cow<'t, Type>> {
    match type_ {
        Type::Alias(alias) => unfolding::within(alias, 0, usize::from(look(looks))).ok(),
        Type::Optional(optional) if look(looks) => optional.type_().map(Cow::Borrowed),
        _ => None,
    }
}

/// Whether a look is left; takes it.
fn look(looks: &mut usize) -> bool {
    let left = *looks;
    *looks = left.saturating_sub(1);
    left > 0
}
