//! Computes the meet (intersection) of two types: a type for the values that both types accept.
//!
//! Ranges, sizes and lists of strings are intersected; so are, one by one, the types inside of containers. If one type
//! accepts the other, the narrower one is the meet. If no narrower type can be expressed (for two Patterns, a Pattern
//! and a size), the meet is the first type, which is too wide: see [`is_meet_exact`].

use crate::stack;
use crate::types::kinds::Kinds;
use crate::types::unfolding::{TypeWalk, TypeWalkState, WalkStop};
use crate::types::{
    ArrayType, EnumType, FloatType, HashType, IntegerType, KeyPresence, Kind, Member, NotUndefType, SensitiveType,
    Size, StringType, StructType, TupleType, Type, TypeType, VariantType,
};
use crate::value::{EcoString, Value};

/// The maximum number of types visited; beyond it, the meet is the first type, and a type counts as having values.
const MAX_STEPS: usize = 1_000;

/// Returns the narrowest type found for the values that both types accept; an empty Variant if there are none.
///
/// ```
/// use pcore::{Type, explain::meet::meet};
/// let (a, b): (Type, Type) = ("Array[Integer[1, 10]]".parse()?, "Array[Variant[String, Integer[5]], 2]".parse()?);
/// assert_eq!(meet(&a, &b).to_string(), "Array[Integer[5, 10], 2]");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn meet(a: &Type, b: &Type) -> Type {
    MeetSearch::default().intersect(a, b)
}

/// Whether [`meet`] is exact: every value of the type that it returns is a value of both types.
pub(crate) fn is_meet_exact(a: &Type, b: &Type) -> bool {
    let mut meeting = MeetSearch::default();
    meeting.intersect(a, b);
    meeting.is_exact
}

/// Whether some value may be of both types; for two Patterns, a one-line ASCII string. `true` if a type has no values.
pub(crate) fn may_overlap(a: &Type, b: &Type) -> bool {
    if !Kinds::of_instances(a).intersects(Kinds::of_instances(b)) {
        return false;
    }
    let mut meeting = MeetSearch { assumes_overlap: true, ..MeetSearch::default() };
    !is_empty_type(&meeting.intersect(a, b)) || is_empty_type(a) || is_empty_type(b)
}

/// Whether certainly no value is of the type, such as a Variant without branches or an Array that must contain one.
pub(crate) fn is_empty_type(type_: &Type) -> bool {
    has_no_instances(&mut TypeWalkState::with_limit(MAX_STEPS), type_, |_| false)
}

/// Whether pcore can create no value of the type: it is empty, or needs a resource, a class or the host runtime.
pub fn has_no_values(type_: &Type) -> bool {
    has_no_instances(&mut TypeWalkState::with_limit(MAX_STEPS), type_, |type_| {
        matches!(type_.kind(), Kind::Resource | Kind::Class | Kind::CatalogEntry | Kind::Runtime | Kind::TypeReference)
    })
}

fn has_no_instances(walk: &mut TypeWalkState, type_: &Type, is_empty_leaf: fn(&Type) -> bool) -> bool {
    let mut is_empty = |type_: &Type| stack::with_room(|| has_no_instances(walk, type_, is_empty_leaf));
    match type_ {
        Type::Variant(variant) => variant.types().iter().all(|branch| is_empty(branch)),
        Type::Enum(listed) => listed.values().is_empty(),
        Type::NotUndef(not_undef) => match not_undef.type_() {
            None => false,
            Some(type_) => {
                is_empty(type_)
                    || type_.alternatives().iter().all(|branch| is_at_most_undef(walk, branch, is_empty_leaf))
            }
        },
        Type::Alias(alias) => {
            match walk.walk_behind_alias(alias, |walk, meaning| has_no_instances(walk, meaning, is_empty_leaf)) {
                Ok(is_empty) => is_empty,
                // A value that needs one of the same type is never finished. After a long search nothing is known.
                Err(stop) => stop == WalkStop::Seen && !walk.is_limit_reached(),
            }
        }
        Type::Array(array) => array.size().from() > 0 && is_empty(array.element()),
        Type::Hash(hash) => hash.size().from() > 0 && (is_empty(hash.key()) || is_empty(hash.value())),
        Type::Tuple(tuple) => {
            let needed = usize::try_from(tuple.size().from()).unwrap_or(usize::MAX);
            tuple.types().iter().take(needed).any(|type_| is_empty(type_))
        }
        Type::Struct(members) => members.members().iter().any(|one| one.is_required() && is_empty(one.type_())),
        Type::Sensitive(sensitive) => is_empty(sensitive.content()),
        other => is_empty_leaf(other),
    }
}

/// Whether `branch`, a branch of a Variant, has no values except perhaps undef.
fn is_at_most_undef(walk: &mut TypeWalkState, branch: &Type, is_empty_leaf: fn(&Type) -> bool) -> bool {
    matches!(branch, Type::Undef(_) | Type::Optional(_))
        || walk
            .walk_pair(branch, branch, |walk| has_no_instances(walk, branch, is_empty_leaf))
            .unwrap_or_else(|| !walk.is_limit_reached())
}

struct MeetSearch {
    is_exact: bool,
    /// Whether two types for which there is no rule count as overlapping if a kind of value, such as Array, is common.
    assumes_overlap: bool,
    walk_state: TypeWalkState,
}

impl Default for MeetSearch {
    fn default() -> MeetSearch {
        MeetSearch { is_exact: true, assumes_overlap: false, walk_state: TypeWalkState::with_limit(MAX_STEPS) }
    }
}

impl TypeWalk for MeetSearch {
    fn walk_state(&mut self) -> &mut TypeWalkState {
        &mut self.walk_state
    }
}

impl MeetSearch {
    fn intersect(&mut self, a: &Type, b: &Type) -> Type {
        if b.accepts(a) {
            return a.clone();
        }
        if a.accepts(b) {
            return b.clone();
        }
        self.walk_pair(a, b, |meeting| meeting.intersect_unrelated(a, b)).unwrap_or_else(|| {
            self.is_exact = false;
            a.clone()
        })
    }

    /// Returns the meet of two types, neither of which accepts the other.
    fn intersect_unrelated(&mut self, a: &Type, b: &Type) -> Type {
        if let Some(branches) = branches_of_type(a) {
            let parts = branches.iter().map(|branch| self.intersect(branch, b)).collect::<Vec<_>>();
            return VariantType::of(parts.into_iter().filter(|type_| !is_empty_type(type_)));
        }
        if branches_of_type(b).is_some() {
            return self.intersect_unrelated(b, a);
        }
        self.intersect_without_branches(a, b).unwrap_or_else(|| VariantType::of([]))
    }

    /// Returns the meet of two types that have no branches; `None` if they have no values in common.
    fn intersect_without_branches(&mut self, a: &Type, b: &Type) -> Option<Type> {
        Some(match (a, b) {
            (Type::NotUndef(not_undef), other) | (other, Type::NotUndef(not_undef)) => {
                let inner = not_undef.type_().map_or_else(|| other.clone(), |inner| self.intersect(inner, other));
                let has_undef = !is_empty_type(&inner) && inner.has_instance(&Value::Undef);
                if has_undef { NotUndefType::new(inner).into() } else { inner }
            }
            (Type::Integer(a), Type::Integer(b)) => {
                IntegerType::new(a.from().max(b.from()), a.to().min(b.to()))?.into()
            }
            (Type::Float(a), Type::Float(b)) => FloatType::new(a.from().max(b.from()), a.to().min(b.to()))?.into(),
            (a, b) if [a, b].map(Kinds::of_instances) == [Kinds::STRING; 2] => {
                return self.intersect_string_types(a, b);
            }
            (Type::Array(a), Type::Array(b)) => {
                let size = common_size(a.size(), b.size())?;
                ArrayType::new(self.intersect(a.element(), b.element()), size_unless_any(size)).into()
            }
            (Type::Hash(a), Type::Hash(b)) => {
                let size = common_size(a.size(), b.size())?;
                let (key, value) = (self.intersect(a.key(), b.key()), self.intersect(a.value(), b.value()));
                HashType::new(key, value, size_unless_any(size)).into()
            }
            (Type::Array(array), Type::Tuple(tuple)) | (Type::Tuple(tuple), Type::Array(array)) => {
                let size = common_size(array.size(), tuple.size())?;
                let types = tuple.types().iter().map(|type_| self.intersect(type_, array.element()));
                tuple_with_size(types.collect(), size)
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                let (size, any) = (common_size(a.size(), b.size())?, Type::any());
                let count = a.types().len().max(b.types().len());
                let at = |tuple: &TupleType, at: usize| tuple.type_at(at).unwrap_or(&any).clone();
                tuple_with_size((0..count).map(|place| self.intersect(&at(a, place), &at(b, place))).collect(), size)
            }
            (Type::Struct(a), Type::Struct(b)) => return self.intersect_structs(a, b),
            (Type::Struct(members), Type::Hash(hash)) | (Type::Hash(hash), Type::Struct(members)) => {
                self.is_exact &= hash.size() == Size::ANY && hash.key().accepts(&StringType::All.into());
                let required = members.members().iter().filter(|member| member.is_required()).count();
                common_size(Size::exactly(required).merged_size(Size::exactly(members.members().len())), hash.size())?;
                let met = members
                    .members()
                    .iter()
                    .map(|member| (member.name(), !member.is_required(), self.intersect(member.type_(), hash.value())));
                return struct_of_members(met);
            }
            // Neither accepts the other: they are true and false.
            (Type::Boolean(_), Type::Boolean(_)) => return None,
            (Type::Type(a), Type::Type(b)) => TypeType::new(self.intersect(a.type_()?, b.type_()?)).into(),
            (Type::Sensitive(a), Type::Sensitive(b)) => {
                SensitiveType::new(&self.intersect(a.content(), b.content())).into()
            }
            (Type::Collection(collection), Type::Array(array)) | (Type::Array(array), Type::Collection(collection)) => {
                let size = common_size(array.size(), collection.size())?;
                ArrayType::new(array.element().clone(), Some(size)).into()
            }
            (Type::Collection(collection), Type::Hash(hash)) | (Type::Hash(hash), Type::Collection(collection)) => {
                let size = common_size(hash.size(), collection.size())?;
                HashType::new(hash.key().clone(), hash.value().clone(), Some(size)).into()
            }
            (Type::Collection(_), other) => return self.intersect_by_samples(other, a),
            _ => return self.intersect_by_samples(a, b),
        })
    }

    /// Returns `a` if a sample value is of both types, otherwise `None`; used for pairs of types without a rule.
    fn intersect_by_samples(&mut self, a: &Type, b: &Type) -> Option<Type> {
        if !Kinds::of_instances(a).intersects(Kinds::of_instances(b)) {
            return None;
        }
        if self.assumes_overlap {
            return Some(a.clone());
        }
        let mut instances = super::sample_values::SampleSearch::default();
        let mut meets = |a: &Type, b: &Type| instances.values_of_type(a, 1).iter().any(|value| b.has_instance(value));
        let is_met = meets(a, b) || meets(b, a);
        self.is_exact &= !is_met;
        is_met.then(|| a.clone())
    }

    fn intersect_string_types(&mut self, a: &Type, b: &Type) -> Option<Type> {
        match (a.listed_strings(), b.listed_strings(), a, b) {
            (Some(texts), _, _, other) | (_, Some(texts), other, _) => {
                let is_met = |text: &&EcoString| other.has_instance(&Value::String((*text).clone()));
                let both: Vec<EcoString> = texts.iter().filter(is_met).cloned().collect();
                (!both.is_empty()).then(|| EnumType::new(both, false).into())
            }
            (_, _, Type::String(a), Type::String(b)) => {
                Some(StringType::Sized(common_size(a.size(), b.size())?).into())
            }
            (_, _, Type::Pattern(a), Type::Pattern(b))
                if self.assumes_overlap
                    && a.patterns().iter().all(|a| b.patterns().iter().all(|b| a.is_disjoint_from(b))) =>
            {
                None
            }
            _ => self.intersect_by_samples(a, b),
        }
    }

    /// Returns the meet of two Structs; `None` if one requires a member that the other does not have, or with a type that
    /// has no value in common with the other's.
    fn intersect_structs(&mut self, a: &StructType, b: &StructType) -> Option<Type> {
        let is_needed = |one: &StructType, other: &StructType| {
            one.members().iter().any(|member| other.member(member.name()).is_none() && member.is_required())
        };
        if is_needed(a, b) || is_needed(b, a) {
            return None;
        }
        let both = a.members().iter().filter_map(|member| Some((member, b.member(member.name())?)));
        struct_of_members(both.map(|(member, other)| {
            let is_optional = !member.is_required() && !other.is_required();
            (member.name(), is_optional, self.intersect(member.type_(), other.type_()))
        }))
    }
}

fn common_size(a: Size, b: Size) -> Option<Size> {
    Size::new(a.from().max(b.from()), a.to().min(b.to())).ok()
}

fn size_unless_any(size: Size) -> Option<Size> {
    (size != Size::ANY).then_some(size)
}

/// Returns the branches of a Variant, Optional or Data, with aliases resolved; `None` for types without branches.
fn branches_of_type(type_: &Type) -> Option<Vec<Type>> {
    let branches: Vec<Type> = type_.branches().collect();
    (!matches!(&branches[..], [only] if only.is_identical_to(type_))).then_some(branches)
}

fn tuple_with_size(types: Vec<Type>, size: Size) -> Type {
    let is_whole = size == Size::exactly(types.len());
    TupleType::new(types, (!is_whole).then_some(size)).into()
}

/// Returns a Struct of `members` (name, whether it is optional, type). Optional members without values are left out;
/// `None` if a required member has no values.
fn struct_of_members<'m>(members: impl Iterator<Item = (&'m str, bool, Type)>) -> Option<Type> {
    let mut kept = Vec::new();
    for (name, is_optional, type_) in members {
        let presence = if is_optional { KeyPresence::Optional } else { KeyPresence::Required };
        if !is_empty_type(&type_) {
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
