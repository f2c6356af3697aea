//! The values that two types have in common, as a type.
//!
//! Ranges, sizes and listed strings are cut; the parts of containers are met one by one; of two types of which one accepts
//! the other, the narrower one is the answer. Where nothing narrower can be said (two Patterns, a Pattern and a size) the
//! answer is the first of both, which is too wide: see [`is_exact`].

use super::super::{ArrayType, EnumType, FloatType, HashType, IntegerType, SensitiveType, Size, StringType, TupleType};
use crate::stack;
use crate::types::r#struct::{Member, Presence, StructType};
use crate::types::unfolding::{Stop, Unfolding, Walk};
use crate::types::{Lattice, NotUndefType, Type, TypeType, UndefType, VariantType};
use crate::value::Value;

/// How many pairs of parts are met, and how many parts of one type are searched for one without values.
const MAX_STEPS: usize = 1_000;

/// A type of the values that are of both types, as narrow as can be said; bare Variant, which has no values, if there are none.
///
/// ```
/// use pcore::types::{Type, relation::meet::meet};
/// let (a, b): (Type, Type) = ("Array[Integer[1, 10]]".parse()?, "Array[Variant[String, Integer[5]], 2]".parse()?);
/// assert_eq!(meet(&a, &b).to_string(), "Array[Integer[5, 10], 2]");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn meet(a: &Type, b: &Type) -> Type {
    Meeting::default().of(a, b)
}

/// Whether [`meet`] says exactly which values are of both types.
pub(crate) fn is_exact(a: &Type, b: &Type) -> bool {
    let mut meeting = Meeting::default();
    meeting.of(a, b);
    meeting.is_exact
}

fn nothing() -> Type {
    VariantType::of([])
}

/// Whether no value is of the type, as far as its form shows: nothing could ever be written that is.
pub(crate) fn is_empty(type_: &Type) -> bool {
    Emptiness { unfolding: Unfolding::limited(MAX_STEPS), is_empty_leaf: |_| false }.of(type_)
}

/// Whether the type has no values here: it is empty, or needs a resource, a class or something of the host runtime, which are
/// never values.
pub fn has_no_values(type_: &Type) -> bool {
    let is_empty_leaf = |type_: &Type| {
        matches!(
            type_,
            Type::Resource(_) | Type::Class(_) | Type::CatalogEntry(_) | Type::Runtime(_) | Type::TypeReference(_)
        )
    };
    Emptiness { unfolding: Unfolding::limited(MAX_STEPS), is_empty_leaf }.of(type_)
}

/// The search for a part without values.
struct Emptiness {
    unfolding: Unfolding,
    is_empty_leaf: fn(&Type) -> bool,
}

impl Walk for Emptiness {
    fn unfolding(&mut self) -> &mut Unfolding {
        &mut self.unfolding
    }
}

impl Emptiness {
    fn of(&mut self, type_: &Type) -> bool {
        match type_ {
            Type::Variant(variant) => variant.types().iter().all(|branch| self.inner(branch)),
            Type::Enum(listed) => listed.values().is_empty(),
            Type::NotUndef(not_undef) => {
                not_undef.type_().is_some_and(|type_| self.has_undef_alone(type_) || self.inner(type_))
            }
            Type::Alias(alias) => match self.behind(alias, Emptiness::of) {
                Ok(is_empty) => is_empty,
                // A value that needs one of the same type, which needs one itself, is never finished. After a long search
                // nothing is known.
                Err(stop) => stop == Stop::Seen && !self.unfolding.is_over(),
            },
            Type::Array(array) => array.size().from() > 0 && self.inner(array.element()),
            Type::Hash(hash) => hash.size().from() > 0 && (self.inner(hash.key()) || self.inner(hash.value())),
            Type::Tuple(tuple) => {
                let needed = usize::try_from(tuple.size().from()).unwrap_or(usize::MAX);
                tuple.types().iter().take(needed).any(|type_| self.inner(type_))
            }
            Type::Struct(members) => {
                let mut lattice = Lattice::default();
                members
                    .members()
                    .iter()
                    .any(|member| !member.may_be_missing(&mut lattice) && self.inner(member.type_()))
            }
            Type::Sensitive(sensitive) => self.inner(sensitive.content()),
            other => (self.is_empty_leaf)(other),
        }
    }

    fn inner(&mut self, type_: &Type) -> bool {
        stack::with_room(|| self.of(type_))
    }

    /// Whether undef is the only value, if any.
    fn has_undef_alone(&mut self, type_: &Type) -> bool {
        type_.alternatives().iter().all(|branch| match branch {
            Type::Undef(_) | Type::Optional(_) => true,
            other => self.beside(other, other, |walk| walk.of(other)).unwrap_or_else(|| !self.unfolding.is_over()),
        })
    }
}

struct Meeting {
    is_exact: bool,
    unfolding: Unfolding,
}

impl Default for Meeting {
    fn default() -> Meeting {
        Meeting { is_exact: true, unfolding: Unfolding::limited(MAX_STEPS) }
    }
}

impl Walk for Meeting {
    fn unfolding(&mut self) -> &mut Unfolding {
        &mut self.unfolding
    }
}

impl Meeting {
    fn of(&mut self, a: &Type, b: &Type) -> Type {
        if b.accepts(a) {
            return a.clone();
        }
        if a.accepts(b) {
            return b.clone();
        }
        self.beside(a, b, |meeting| meeting.apart(a, b)).unwrap_or_else(|| {
            self.is_exact = false;
            a.clone()
        })
    }

    /// Of two types of which neither accepts the other.
    fn apart(&mut self, a: &Type, b: &Type) -> Type {
        if let Some(branches) = branches(a) {
            let parts = branches.iter().map(|branch| self.of(branch, b)).collect::<Vec<_>>();
            return VariantType::of(parts.into_iter().filter(|type_| !is_empty(type_)));
        }
        if branches(b).is_some() {
            return self.apart(b, a);
        }
        let sized = |one: Size, other: Size| Size::new(one.from().max(other.from()), one.to().min(other.to())).ok();
        match (a, b) {
            (Type::NotUndef(not_undef), other) | (other, Type::NotUndef(not_undef)) => {
                let inner = not_undef.type_().map_or_else(|| other.clone(), |inner| self.of(inner, other));
                if is_empty(&inner) || !inner.has_instance(&Value::Undef) {
                    inner
                } else {
                    NotUndefType::new(inner).into()
                }
            }
            (Type::Integer(a), Type::Integer(b)) => {
                IntegerType::new(a.from().max(b.from()), a.to().min(b.to())).map_or_else(nothing, Type::from)
            }
            (Type::Float(a), Type::Float(b)) => {
                FloatType::new(a.from().max(b.from()), a.to().min(b.to())).map_or_else(nothing, Type::from)
            }
            (
                Type::String(_) | Type::Enum(_) | Type::Pattern(_),
                Type::String(_) | Type::Enum(_) | Type::Pattern(_),
            ) => self.strings(a, b),
            (Type::Array(a), Type::Array(b)) => match sized(a.size(), b.size()) {
                None => nothing(),
                Some(size) => {
                    ArrayType::new(self.of(a.element(), b.element()), (size != Size::ANY).then_some(size)).into()
                }
            },
            (Type::Hash(a), Type::Hash(b)) => match sized(a.size(), b.size()) {
                None => nothing(),
                Some(size) => {
                    let (key, value) = (self.of(a.key(), b.key()), self.of(a.value(), b.value()));
                    HashType::new(key, value, (size != Size::ANY).then_some(size)).into()
                }
            },
            (Type::Array(array), Type::Tuple(tuple)) | (Type::Tuple(tuple), Type::Array(array)) => {
                let Some(size) = sized(array.size(), tuple.size()) else { return nothing() };
                let types: Vec<Type> = tuple.types().iter().map(|type_| self.of(type_, array.element())).collect();
                tuple_of(types, size)
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                let Some(size) = sized(a.size(), b.size()) else { return nothing() };
                let count = a.types().len().max(b.types().len());
                let any = Type::any();
                let at = |tuple: &TupleType, at: usize| tuple.at(at).unwrap_or(&any).clone();
                let types: Vec<Type> = (0..count).map(|place| self.of(&at(a, place), &at(b, place))).collect();
                tuple_of(types, size)
            }
            (Type::Struct(a), Type::Struct(b)) => self.structs(a, b),
            (Type::Struct(members), Type::Hash(hash)) | (Type::Hash(hash), Type::Struct(members)) => {
                self.is_exact &= hash.size() == Size::ANY && hash.key().accepts(&StringType::All.into());
                let met = members.members().iter().map(|member| (member, self.of(member.type_(), hash.value())));
                record(met.collect::<Vec<_>>())
            }
            (Type::Type(a), Type::Type(b)) => match (a.type_(), b.type_()) {
                (Some(a), Some(b)) => TypeType::new(self.of(a, b)).into(),
                _ => nothing(),
            },
            (Type::Sensitive(a), Type::Sensitive(b)) => SensitiveType::new(&self.of(a.content(), b.content())).into(),
            (Type::Collection(collection), other) | (other, Type::Collection(collection)) => {
                let size = collection.size.unwrap_or(Size::ANY);
                match other {
                    Type::Array(array) => match sized(array.size(), size) {
                        Some(size) => ArrayType::new(array.element().clone(), Some(size)).into(),
                        None => nothing(),
                    },
                    Type::Hash(hash) => match sized(hash.size(), size) {
                        Some(size) => HashType::new(hash.key().clone(), hash.value().clone(), Some(size)).into(),
                        None => nothing(),
                    },
                    other => self.unknown(other, &Type::Collection(collection.clone())),
                }
            }
            _ => self.unknown(a, b),
        }
    }

    /// Types of which nothing is known but the values that are found: none, or the first type.
    fn unknown(&mut self, a: &Type, b: &Type) -> Type {
        let mut instances = super::sample_values::Instances::default();
        let mut meets =
            |one: &Type, other: &Type| instances.inside(one, 1).iter().any(|value| other.has_instance(value));
        if meets(a, b) || meets(b, a) {
            self.is_exact = false;
            return a.clone();
        }
        nothing()
    }

    fn strings(&mut self, a: &Type, b: &Type) -> Type {
        let listed = |type_: &Type| match type_ {
            Type::Enum(listed) if !listed.ignores_case() => Some(listed.values().to_vec()),
            Type::String(string) => match &**string {
                StringType::Text(text) => Some(vec![text.clone()]),
                StringType::Sized(_) | StringType::All => None,
            },
            _ => None,
        };
        let size = |type_: &Type| match type_ {
            Type::String(string) => Some(string.size()),
            _ => None,
        };
        match (listed(a).map(|texts| (texts, b)).or_else(|| listed(b).map(|texts| (texts, a))), size(a), size(b)) {
            (Some((texts, other)), ..) => {
                let both: Vec<_> =
                    texts.into_iter().filter(|text| other.has_instance(&Value::String(text.clone()))).collect();
                if both.is_empty() { nothing() } else { EnumType::new(both, false).into() }
            }
            (None, Some(a), Some(b)) => {
                let size = Size::new(a.from().max(b.from()), a.to().min(b.to())).ok();
                size.map_or_else(nothing, |size| StringType::Sized(size).into())
            }
            (None, ..) => self.unknown(a, b),
        }
    }

    /// What only one of both has may only be missing.
    fn structs(&mut self, a: &StructType, b: &StructType) -> Type {
        let mut lattice = Lattice::default();
        let mut is_needed = |one: &StructType, other: &StructType| {
            one.members()
                .iter()
                .any(|member| other.member(member.name()).is_none() && !member.may_be_missing(&mut lattice))
        };
        if is_needed(a, b) || is_needed(b, a) {
            return nothing();
        }
        let mut members = Vec::new();
        for member in a.members() {
            let Some(other) = b.member(member.name()) else { continue };
            let met = self.of(member.type_(), other.type_());
            let is_optional = member.may_be_missing(&mut lattice) && other.may_be_missing(&mut lattice);
            let presence = if is_optional { Presence::Optional } else { Presence::Required };
            if is_empty(&met) {
                if is_optional {
                    continue;
                }
                return nothing();
            }
            members.push(Member::new(member.name().into(), presence, met));
        }
        StructType::new(members).into()
    }
}

/// The branches of a type that is one of several, behind aliases.
fn branches(type_: &Type) -> Option<Vec<Type>> {
    match &*type_.behind_aliases() {
        Type::Variant(variant) => Some(variant.types().iter().map(|branch| (**branch).clone()).collect()),
        Type::Optional(optional) => Some(optional.type_().cloned().into_iter().chain([UndefType.into()]).collect()),
        Type::Data(_) => branches(crate::types::data::DataType::meaning()),
        Type::RichData(_) => branches(crate::types::rich_data::RichDataType::meaning()),
        meaning if matches!(type_, Type::Alias(_)) && !matches!(meaning, Type::Alias(_)) => Some(vec![meaning.clone()]),
        _ => None,
    }
}

fn tuple_of(types: Vec<Type>, size: Size) -> Type {
    let is_whole = size == Size::exactly(types.len());
    TupleType::new(types, (!is_whole).then_some(size)).into()
}

fn record(members: Vec<(&Member, Type)>) -> Type {
    let mut lattice = Lattice::default();
    let mut kept = Vec::new();
    for (member, met) in members {
        if !is_empty(&met) {
            let is_optional = member.may_be_missing(&mut lattice);
            let presence = if is_optional { Presence::Optional } else { Presence::Required };
            kept.push(Member::new(member.name().into(), presence, met));
        } else if !member.may_be_missing(&mut lattice) {
            return nothing();
        }
    }
    StructType::new(kept).into()
}
