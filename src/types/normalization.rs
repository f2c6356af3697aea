//! The meaning of an alias, said in the fewest words: `Variant[Integer, Undef]` is `Optional[Integer]`.
//!
//! The meaning stays the same. Ranges that overlap become one, as do Enums and Patterns of a Variant; Optional and
//! NotUndef are left out where they add nothing. An alias inside stays what it is.
//!
//! Observed: Puppet 7.23, the texts of aliases.
//! Deviation: Puppet loses the size of `Array[Any, 2]` and `Collection[2]` here, turns ranges of versions round, and fails
//! for ranges of times that do not overlap; sizes stay, and ranges that do not overlap stay apart.

use rustc_hash::FxHashMap;

use super::{
    EnumType, FloatType, IntegerType, Lattice, NotUndefType, OptionalType, PatternType, Type, UndefType, VariantType,
};
use crate::stack;

/// The normalization of one type. Shared types inside are normalized once.
#[derive(Debug, Default)]
pub(crate) struct Normalization {
    seen: FxHashMap<usize, Type>,
}

impl Normalization {
    pub(crate) fn of(&mut self, type_: &Type) -> Type {
        if !type_.is_nested() {
            return type_.clone();
        }
        if let Some(normal) = self.seen.get(&type_.address()) {
            return normal.clone();
        }
        let normal = stack::with_room(|| self.nested(type_));
        self.seen.insert(type_.address(), normal.clone());
        normal
    }

    fn nested(&mut self, type_: &Type) -> Type {
        match type_ {
            Type::Optional(optional) if let Some(inner) = optional.type_() => self.optional(inner),
            Type::NotUndef(not_undef) if let Some(inner) = not_undef.type_() => self.not_undef(inner),
            Type::Variant(variant) => self.variant(variant.types().iter().map(|type_| &**type_)),
            _ => type_.map(&mut |inner| self.of(inner)),
        }
    }

    fn optional(&mut self, inner: &Type) -> Type {
        let inner = self.of(inner);
        match &inner {
            Type::NotUndef(not_undef) if let Some(type_) = not_undef.type_() => self.optional(type_),
            _ if accepts_undef(&inner) == Some(true) => inner,
            _ => OptionalType::new(inner).into(),
        }
    }

    fn not_undef(&mut self, inner: &Type) -> Type {
        let inner = self.of(inner);
        match &inner {
            Type::Optional(optional) if let Some(type_) = optional.type_() => self.not_undef(type_),
            _ if accepts_undef(&inner) == Some(false) => inner,
            _ => NotUndefType::new(inner).into(),
        }
    }

    pub(crate) fn variant<'a>(&mut self, types: impl Iterator<Item = &'a Type>) -> Type {
        let types: Vec<Type> = types.map(|type_| self.of(type_)).collect();
        if types.len() <= 1 {
            return VariantType::of(types);
        }
        if types.iter().any(|type_| matches!(type_, Type::Undef(_) | Type::Optional(_))) {
            let types = types.into_iter().filter(|type_| !matches!(type_, Type::Undef(_)));
            let some = types.filter_map(|type_| match &type_ {
                Type::Optional(optional) => optional.type_().cloned(),
                _ => Some(type_),
            });
            let some: Vec<Type> = some.collect();
            return if some.is_empty() { UndefType.into() } else { self.optional(&VariantType::of(some)) };
        }
        let Type::Variant(flat) = VariantType::of(types.clone()) else { return VariantType::of(types) };
        let written = flat.types().len();
        let mut types: Vec<Type> = flat.types().iter().map(|type_| (**type_).clone()).collect();
        merge(
            &mut types,
            |type_| matches!(type_, Type::NotUndef(_)),
            |not_undefs| {
                let inner = not_undefs.iter().filter_map(NotUndefType::of_type);
                let inner = inner.map(|not_undef| not_undef.type_().cloned().unwrap_or_else(Type::any));
                NotUndefType::new(self.of(&VariantType::of(inner))).into()
            },
        );
        merge_enums(&mut types, false);
        merge_enums(&mut types, true);
        merge(
            &mut types,
            |type_| matches!(type_, Type::Pattern(_)),
            |patterns| {
                let all = patterns.iter().filter_map(PatternType::of_type).flat_map(PatternType::patterns);
                PatternType::new(all.cloned()).into()
            },
        );
        merge_ranges(
            &mut types,
            |type_| IntegerType::of_type(type_).copied(),
            |a, b| {
                let touches = a.from() <= b.to().saturating_add(1) && b.from() <= a.to().saturating_add(1);
                touches.then(|| IntegerType::merged(a, b))
            },
        );
        merge_ranges(
            &mut types,
            |type_| FloatType::of_type(type_).copied(),
            |a, b| (a.from() <= b.to() && b.from() <= a.to()).then(|| FloatType::merged(a, b)),
        );
        // Nothing was merged: the order stays as it was written.
        if types.len() == written { flat.as_ref().clone().into() } else { VariantType::of(types) }
    }
}

/// Whether undef is a value of `type_`; `None` if the meaning of an alias is not known yet.
fn accepts_undef(type_: &Type) -> Option<bool> {
    let is_known = !type_.alternatives().iter().any(|type_| matches!(type_, Type::Alias(_)));
    is_known.then(|| Lattice::default().accepts_undef(type_))
}

/// Makes one type of all those that are one of a kind, if there are several; it goes to the end.
fn merge(types: &mut Vec<Type>, is_one: impl Fn(&Type) -> bool, merged: impl FnOnce(&[Type]) -> Type) {
    if types.iter().filter(|type_| is_one(type_)).count() > 1 {
        let (ones, others): (Vec<Type>, Vec<Type>) = types.drain(..).partition(is_one);
        *types = others;
        types.push(merged(&ones));
    }
}

fn merge_enums(types: &mut Vec<Type>, ignores_case: bool) {
    let is_one = |type_: &Type| match type_ {
        Type::Enum(texts) => !texts.values().is_empty() && texts.ignores_case() == ignores_case,
        other => !ignores_case && other.listed_texts().is_some(),
    };
    merge(types, is_one, |enums| {
        let texts = enums.iter().flat_map(|type_| match type_ {
            Type::Enum(texts) => texts.values(),
            other => other.listed_texts().unwrap_or_default(),
        });
        let folded = texts.map(|text| if ignores_case { text.to_lowercase() } else { text.clone() });
        EnumType::new(folded, ignores_case).into()
    });
}

/// Ranges that touch become one; several ranges move to the front, the last one first.
fn merge_ranges<R: Copy + Into<Type>>(
    types: &mut Vec<Type>,
    range: impl Fn(&Type) -> Option<R>,
    merged: impl Fn(R, R) -> Option<R>,
) {
    let mut ranges: Vec<R> = types.iter().filter_map(&range).collect();
    if ranges.len() < 2 {
        return;
    }
    let mut apart: Vec<Type> = Vec::new();
    while let Some(mut last) = ranges.pop() {
        ranges.retain(|other| match merged(last, *other) {
            Some(both) => {
                last = both;
                false
            }
            None => true,
        });
        apart.push(last.into());
    }
    types.retain(|type_| range(type_).is_none());
    apart.append(types);
    *types = apart;
}
