//! The values that two types have in common, as a type.
//!
//! Ranges, sizes and listed strings are cut; the parts of containers are met one by one; of two types of which one accepts
//! the other, the narrower one is the answer. Where nothing narrower can be said (two Patterns, a Pattern and a size) the
//! answer is the first of both, which is too wide: see [`is_exact`].

use crate::stack;
use crate::types::kinds::Kinds;
use crate::types::unfolding::{Stop, Unfolding, Walk};
use crate::types::{
    ArrayType, EnumType, FloatType, HashType, IntegerType, Kind, Lattice, Member, NotUndefType, Presence,
    SensitiveType, Size, StringType, StructType, TupleType, Type, TypeType, VariantType,
};
use crate::value::{EcoString, Value};

/// The maximum number of pairs of parts that are intersected, and of parts that are searched for an empty type.
const MAX_STEPS: usize = 1_000;

/// The narrowest type that can be expressed for the values of both types; bare Variant if there are none.
///
/// ```
/// use pcore::{Type, explain::meet::meet};
/// let (a, b): (Type, Type) = ("Array[Integer[1, 10]]".parse()?, "Array[Variant[String, Integer[5]], 2]".parse()?);
/// assert_eq!(meet(&a, &b).to_string(), "Array[Integer[5, 10], 2]");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn meet(a: &Type, b: &Type) -> Type {
    Meeting::default().of(a, b)
}

/// Whether [`meet`] is exact: each value of it is of both types.
pub(crate) fn is_exact(a: &Type, b: &Type) -> bool {
    let mut meeting = Meeting::default();
    meeting.of(a, b);
    meeting.is_exact
}

/// Whether some value may be of both types; `false` only if certainly no value is.
pub(crate) fn overlap(a: &Type, b: &Type) -> bool {
    if !Kinds::of_instances(a).meet(Kinds::of_instances(b)) {
        return false;
    }
    let mut meeting = Meeting { is_cautious: true, ..Meeting::default() };
    !is_empty(&meeting.of(a, b)) || is_empty(a) || is_empty(b)
}

/// Whether the type certainly has no values, judging by its structure.
pub(crate) fn is_empty(type_: &Type) -> bool {
    Emptiness { unfolding: Unfolding::limited(MAX_STEPS), is_empty_leaf: |_| false }.of(type_)
}

/// Whether pcore can create no value of the type: it is empty, or needs a resource, a class or the host runtime.
pub fn has_no_values(type_: &Type) -> bool {
    let is_empty_leaf = |type_: &Type| {
        matches!(type_.kind(), Kind::Resource | Kind::Class | Kind::CatalogEntry | Kind::Runtime | Kind::TypeReference)
    };
    Emptiness { unfolding: Unfolding::limited(MAX_STEPS), is_empty_leaf }.of(type_)
}

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
                // A value that needs one of the same type is never finished. After a long search nothing is known.
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
                members.members().iter().any(|one| !one.may_be_missing(&mut lattice) && self.inner(one.type_()))
            }
            Type::Sensitive(sensitive) => self.inner(sensitive.content()),
            other => (self.is_empty_leaf)(other),
        }
    }

    fn inner(&mut self, type_: &Type) -> bool {
        stack::with_room(|| self.of(type_))
    }

    fn has_undef_alone(&mut self, type_: &Type) -> bool {
        type_.alternatives().iter().all(|branch| match branch {
            Type::Undef(_) | Type::Optional(_) => true,
            other => self.beside(other, other, |walk| walk.of(other)).unwrap_or_else(|| !self.unfolding.is_over()),
        })
    }
}

struct Meeting {
    is_exact: bool,
    /// Whether types that cannot be compared count as overlapping.
    is_cautious: bool,
    unfolding: Unfolding,
}

impl Default for Meeting {
    fn default() -> Meeting {
        Meeting { is_exact: true, is_cautious: false, unfolding: Unfolding::limited(MAX_STEPS) }
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

    /// The meet of two types, neither of which accepts the other.
    fn apart(&mut self, a: &Type, b: &Type) -> Type {
        if let Some(branches) = branches(a) {
            let parts = branches.iter().map(|branch| self.of(branch, b)).collect::<Vec<_>>();
            return VariantType::of(parts.into_iter().filter(|type_| !is_empty(type_)));
        }
        if branches(b).is_some() {
            return self.apart(b, a);
        }
        self.leaves(a, b).unwrap_or_else(|| VariantType::of([]))
    }

    /// The meet of two types that are not Variants; `None` if they have no values in common.
    fn leaves(&mut self, a: &Type, b: &Type) -> Option<Type> {
        Some(match (a, b) {
            (Type::NotUndef(not_undef), other) | (other, Type::NotUndef(not_undef)) => {
                let inner = not_undef.type_().map_or_else(|| other.clone(), |inner| self.of(inner, other));
                let has_undef = !is_empty(&inner) && inner.has_instance(&Value::Undef);
                if has_undef { NotUndefType::new(inner).into() } else { inner }
            }
            (Type::Integer(a), Type::Integer(b)) => {
                IntegerType::new(a.from().max(b.from()), a.to().min(b.to()))?.into()
            }
            (Type::Float(a), Type::Float(b)) => FloatType::new(a.from().max(b.from()), a.to().min(b.to()))?.into(),
            (
                Type::String(_) | Type::Enum(_) | Type::Pattern(_),
                Type::String(_) | Type::Enum(_) | Type::Pattern(_),
            ) => return self.strings(a, b),
            (Type::Array(a), Type::Array(b)) => {
                let size = cut(a.size(), b.size())?;
                ArrayType::new(self.of(a.element(), b.element()), written(size)).into()
            }
            (Type::Hash(a), Type::Hash(b)) => {
                let size = cut(a.size(), b.size())?;
                HashType::new(self.of(a.key(), b.key()), self.of(a.value(), b.value()), written(size)).into()
            }
            (Type::Array(array), Type::Tuple(tuple)) | (Type::Tuple(tuple), Type::Array(array)) => {
                let size = cut(array.size(), tuple.size())?;
                tuple_of(tuple.types().iter().map(|type_| self.of(type_, array.element())).collect(), size)
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                let (size, any) = (cut(a.size(), b.size())?, Type::any());
                let count = a.types().len().max(b.types().len());
                let at = |tuple: &TupleType, at: usize| tuple.at(at).unwrap_or(&any).clone();
                tuple_of((0..count).map(|place| self.of(&at(a, place), &at(b, place))).collect(), size)
            }
            (Type::Struct(a), Type::Struct(b)) => return self.structs(a, b),
            (Type::Struct(members), Type::Hash(hash)) | (Type::Hash(hash), Type::Struct(members)) => {
                self.is_exact &= hash.size() == Size::ANY && hash.key().accepts(&StringType::All.into());
                let mut lattice = Lattice::default();
                let required = members.members().iter().filter(|member| !member.may_be_missing(&mut lattice)).count();
                cut(Size::exactly(required).merged(Size::exactly(members.members().len())), hash.size())?;
                let met = members.members().iter().map(|member| {
                    let is_optional = member.may_be_missing(&mut lattice);
                    (member.name(), is_optional, self.of(member.type_(), hash.value()))
                });
                return record(met);
            }
            // Neither accepts the other: they are true and false.
            (Type::Boolean(_), Type::Boolean(_)) => return None,
            (Type::Type(a), Type::Type(b)) => TypeType::new(self.of(a.type_()?, b.type_()?)).into(),
            (Type::Sensitive(a), Type::Sensitive(b)) => SensitiveType::new(&self.of(a.content(), b.content())).into(),
            (Type::Collection(collection), Type::Array(array)) | (Type::Array(array), Type::Collection(collection)) => {
                let size = cut(array.size(), collection.size())?;
                ArrayType::new(array.element().clone(), Some(size)).into()
            }
            (Type::Collection(collection), Type::Hash(hash)) | (Type::Hash(hash), Type::Collection(collection)) => {
                let size = cut(hash.size(), collection.size())?;
                HashType::new(hash.key().clone(), hash.value().clone(), Some(size)).into()
            }
            (Type::Collection(_), other) => return self.unknown(other, a),
            _ => return self.unknown(a, b),
        })
    }

    /// The meet of types that no rule covers: `None` if no common value is found, otherwise the first type.
    fn unknown(&mut self, a: &Type, b: &Type) -> Option<Type> {
        if !Kinds::of_instances(a).meet(Kinds::of_instances(b)) {
            return None;
        }
        if self.is_cautious {
            return Some(a.clone());
        }
        let mut instances = super::sample_values::Instances::default();
        let mut meets = |a: &Type, b: &Type| instances.inside(a, 1).iter().any(|value| b.has_instance(value));
        let is_met = meets(a, b) || meets(b, a);
        self.is_exact &= !is_met;
        is_met.then(|| a.clone())
    }

    fn strings(&mut self, a: &Type, b: &Type) -> Option<Type> {
        match (a.listed_texts(), b.listed_texts(), a, b) {
            (Some(texts), _, _, other) | (_, Some(texts), other, _) => {
                let is_met = |text: &&EcoString| other.has_instance(&Value::String((*text).clone()));
                let both: Vec<EcoString> = texts.iter().filter(is_met).cloned().collect();
                (!both.is_empty()).then(|| EnumType::new(both, false).into())
            }
            (_, _, Type::String(a), Type::String(b)) => Some(StringType::Sized(cut(a.size(), b.size())?).into()),
            _ => self.unknown(a, b),
        }
    }

    /// The meet of two Structs; `None` if a member of one is required and the other does not have it.
    fn structs(&mut self, a: &StructType, b: &StructType) -> Option<Type> {
        let mut lattice = Lattice::default();
        let mut is_needed = |one: &StructType, other: &StructType| {
            let mut own = one.members().iter().filter(|member| other.member(member.name()).is_none());
            own.any(|member| !member.may_be_missing(&mut lattice))
        };
        if is_needed(a, b) || is_needed(b, a) {
            return None;
        }
        let both = a.members().iter().filter_map(|member| Some((member, b.member(member.name())?)));
        record(both.map(|(member, other)| {
            let is_optional = member.may_be_missing(&mut lattice) && other.may_be_missing(&mut lattice);
            (member.name(), is_optional, self.of(member.type_(), other.type_()))
        }))
    }
}

fn cut(a: Size, b: Size) -> Option<Size> {
    Size::new(a.from().max(b.from()), a.to().min(b.to())).ok()
}

fn written(size: Size) -> Option<Size> {
    (size != Size::ANY).then_some(size)
}

/// The branches of a Variant or similar type, also behind aliases; `None` for types without branches.
fn branches(type_: &Type) -> Option<Vec<Type>> {
    let branches: Vec<Type> = type_.branches(Type::types_in_data).map(|(_, type_)| type_).collect();
    (!matches!(&branches[..], [only] if only.is_same(type_))).then_some(branches)
}

fn tuple_of(types: Vec<Type>, size: Size) -> Type {
    let is_whole = size == Size::exactly(types.len());
    TupleType::new(types, (!is_whole).then_some(size)).into()
}

/// A Struct of the members (name, whether it is optional, type). Optional members without values are left out; `None`
/// if a required member has no values.
fn record<'m>(members: impl Iterator<Item = (&'m str, bool, Type)>) -> Option<Type> {
    let mut kept = Vec::new();
    for (name, is_optional, type_) in members {
        let presence = if is_optional { Presence::Optional } else { Presence::Required };
        if !is_empty(&type_) {
            kept.push(Member::new(name.into(), presence, type_));
        } else if !is_optional {
            return None;
        }
    }
    Some(StructType::new(kept).into())
}

#[cfg(test)]
#[path = "../../tests/unit/explain/meet.rs"]
mod tests;
