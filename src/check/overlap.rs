//! Whether a value can be of two types at once. The answer is `false` only where that is certain.

use crate::types::kinds::Kinds;
use crate::types::unfolding::{Unfolding, Walk};
use crate::types::{Lattice, Member, Size, StructType, Type};
use crate::value::{EcoString, Value};

/// How many pairs of types are compared; others may overlap.
const MAX_COMPARISONS: usize = 1_000;

/// Whether some value may be of both types.
pub(super) fn overlap(a: &Type, b: &Type) -> bool {
    Comparison(Unfolding::limited(MAX_COMPARISONS)).overlap(a, b)
}

struct Comparison(Unfolding);

impl Walk for Comparison {
    fn unfolding(&mut self) -> &mut Unfolding {
        &mut self.0
    }
}

impl Comparison {
    fn overlap(&mut self, a: &Type, b: &Type) -> bool {
        let (a, b) = (&*a.behind_aliases(), &*b.behind_aliases());
        self.beside(a, b, |walk| walk.meanings_overlap(a, b)).unwrap_or(true)
    }

    fn meanings_overlap(&mut self, a: &Type, b: &Type) -> bool {
        match (a, b) {
            (Type::Variant(variant), other) | (other, Type::Variant(variant)) => {
                variant.types().is_empty() || variant.types().iter().any(|child| self.overlap(child, other))
            }
            (Type::Optional(optional), other) | (other, Type::Optional(optional)) => {
                optional.type_().is_none_or(|inner| self.overlap(inner, other)) || accepts_undef(other)
            }
            (Type::NotUndef(not_undef), other) | (other, Type::NotUndef(not_undef)) => {
                !matches!(other, Type::Undef(_)) && not_undef.type_().is_none_or(|inner| self.overlap(inner, other))
            }
            _ => match (Kinds::of_instances(a), Kinds::of_instances(b)) {
                (kinds, others) if kinds.are_all() || others.are_all() => true,
                (kinds, others) => kinds.meet(others) && self.same_sort(a, b),
            },
        }
    }

    /// Whether two types of the same sort of values may overlap.
    fn same_sort(&mut self, a: &Type, b: &Type) -> bool {
        let sizes = |a: Size, b: Size| a.from() <= b.to() && b.from() <= a.to();
        match (a, b) {
            (Type::Integer(a), Type::Integer(b)) => a.from() <= b.to() && b.from() <= a.to(),
            (Type::Float(a), Type::Float(b)) => a.from() <= b.to() && b.from() <= a.to(),
            (Type::Boolean(a), Type::Boolean(b)) => a.value.is_none() || b.value.is_none() || a.value == b.value,
            (Type::Sensitive(a), Type::Sensitive(b)) => self.overlap(a.content(), b.content()),
            (Type::Array(a), Type::Array(b)) => {
                sizes(a.size(), b.size())
                    && (a.size().from() == 0 && b.size().from() == 0 || self.overlap(a.element(), b.element()))
            }
            (Type::Array(array), Type::Tuple(tuple)) | (Type::Tuple(tuple), Type::Array(array)) => {
                let required = usize::try_from(tuple.size().from()).unwrap_or(0);
                sizes(array.size(), tuple.size())
                    && (0..required.min(64))
                        .all(|at| tuple.at(at).is_none_or(|type_| self.overlap(type_, array.element())))
            }
            (Type::Tuple(a), Type::Tuple(b)) => {
                let required = usize::try_from(a.size().from().max(b.size().from())).unwrap_or(0);
                sizes(a.size(), b.size())
                    && (0..required.min(64)).all(|at| match (a.at(at), b.at(at)) {
                        (Some(a), Some(b)) => self.overlap(a, b),
                        _ => true,
                    })
            }
            (Type::Hash(a), Type::Hash(b)) => {
                sizes(a.size(), b.size())
                    && (a.size().from() == 0 && b.size().from() == 0
                        || self.overlap(a.key(), b.key()) && self.overlap(a.value(), b.value()))
            }
            (Type::Struct(struct_), Type::Hash(hash)) | (Type::Hash(hash), Type::Struct(struct_)) => {
                let members = struct_.members();
                let at_most = |count: usize, most: i64| i64::try_from(count).is_ok_and(|count| count <= most);
                let at_least = |count: usize, least: i64| i64::try_from(count).is_ok_and(|count| count >= least);
                at_least(members.len(), hash.size().from())
                    && at_most(members.iter().filter(|member| is_required(member)).count(), hash.size().to())
                    && members.iter().all(|member| !is_required(member) || self.overlap(member.type_(), hash.value()))
            }
            (Type::Struct(a), Type::Struct(b)) => {
                let mut agree = |a: &StructType, b: &StructType| {
                    let mut required = a.members().iter().filter(|member| is_required(member));
                    required
                        .all(|one| b.member(one.name()).is_some_and(|other| self.overlap(one.type_(), other.type_())))
                };
                agree(a, b) && agree(b, a)
            }
            _ => strings(a, b),
        }
    }
}

fn accepts_undef(type_: &Type) -> bool {
    type_.has_instance(&Value::Undef)
}

fn is_required(member: &Member) -> bool {
    !member.may_be_missing(&mut Lattice::default())
}

fn strings(a: &Type, b: &Type) -> bool {
    match (finite(a), finite(b)) {
        (Some(values), _) => values.iter().any(|text| b.has_instance(&Value::from(&**text))),
        (_, Some(values)) => values.iter().any(|text| a.has_instance(&Value::from(&**text))),
        (None, None) => match (a, b) {
            (Type::String(a), Type::String(b)) => {
                let (a, b) = (a.size(), b.size());
                a.from() <= b.to() && b.from() <= a.to()
            }
            _ => true,
        },
    }
}

pub(super) fn finite(type_: &Type) -> Option<&[EcoString]> {
    type_.listed_texts().filter(|texts| !texts.is_empty())
}

#[cfg(test)]
#[path = "../../tests/unit/check/overlap.rs"]
mod tests;
