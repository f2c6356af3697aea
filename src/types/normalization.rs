//! Shortens the type of an alias: `Variant[Integer, Undef]` becomes `Optional[Integer]`.
//!
//! The instances stay the same. In a Variant, overlapping ranges are merged, and all Enums and all Patterns; redundant
//! Optional and NotUndef are removed. Aliases inside the type are not expanded.
//!
//! Observed: Puppet 7.23, in the string forms of aliases.
//! Deviation: Puppet loses the sizes of `Array[Any, 2]` and `Collection[2]`, swaps the bounds of version ranges, and
//! fails for time ranges that do not overlap; here, sizes stay, and ranges that do not overlap stay separate.

use rustc_hash::FxHashMap;

use super::{
    EnumType, FloatType, IntegerType, Lattice, NotUndefType, OptionalType, PatternType, Type, UndefType, VariantType,
};
use crate::stack;
use crate::value::EcoString;

/// Normalizes one type; a type that it contains several times is normalized only once.
#[derive(Debug, Default)]
pub(crate) struct TypeNormalizer {
    cached_types: FxHashMap<usize, Type>,
}

impl TypeNormalizer {
    pub(crate) fn normalize(&mut self, type_: &Type) -> Type {
        if !type_.is_nested() {
            return type_.clone();
        }
        if let Some(normal) = self.cached_types.get(&type_.address()) {
            return normal.clone();
        }
        let normal = stack::with_room(|| match type_ {
            Type::Optional(optional) if let Some(inner) = optional.type_() => self.normalize_optional(inner),
            Type::NotUndef(not_undef) if let Some(inner) = not_undef.type_() => self.normalize_not_undef(inner),
            Type::Variant(variant) => self.normalize_variant(variant.types().iter().map(|type_| &**type_)),
            _ => type_.map_nested(&mut |inner| self.normalize(inner)),
        });
        self.cached_types.insert(type_.address(), normal.clone());
        normal
    }

    fn normalize_optional(&mut self, inner: &Type) -> Type {
        let inner = self.normalize(inner);
        match &inner {
            Type::NotUndef(not_undef) if let Some(type_) = not_undef.type_() => self.normalize_optional(type_),
            _ if accepts_undef(&inner) == Some(true) => inner,
            _ => OptionalType::new(inner).into(),
        }
    }

    fn normalize_not_undef(&mut self, inner: &Type) -> Type {
        let inner = self.normalize(inner);
        match &inner {
            Type::Optional(optional) if let Some(type_) = optional.type_() => self.normalize_not_undef(type_),
            _ if accepts_undef(&inner) == Some(false) => inner,
            _ => NotUndefType::new(inner).into(),
        }
    }

    pub(crate) fn normalize_variant<'a>(&mut self, types: impl Iterator<Item = &'a Type>) -> Type {
        let types: Vec<Type> = types.map(|type_| self.normalize(type_)).collect();
        if types.len() <= 1 {
            return VariantType::of(types);
        }
        if types.iter().any(|type_| matches!(type_, Type::Undef(_) | Type::Optional(_))) {
            let some = types.into_iter().filter_map(|type_| match &type_ {
                Type::Undef(_) => None,
                Type::Optional(optional) => optional.type_().cloned(),
                _ => Some(type_),
            });
            let some: Vec<Type> = some.collect();
            return if some.is_empty() { UndefType.into() } else { self.normalize_optional(&VariantType::of(some)) };
        }
        let Type::Variant(flat) = VariantType::of(types.clone()) else { return VariantType::of(types) };
        let written = flat.types().len();
        let mut types: Vec<Type> = flat.types().iter().map(|type_| (**type_).clone()).collect();
        let not_undef = |type_: &Type| Some(NotUndefType::of_type(type_)?.type_().cloned().unwrap_or_else(Type::any));
        if let Some(inner) = extract_if_several(&mut types, not_undef) {
            types.push(NotUndefType::new(self.normalize(&VariantType::of(inner))).into());
        }
        let listed = |type_: &Type| type_.listed_strings().filter(|texts| !texts.is_empty()).map(<[_]>::to_vec);
        if let Some(texts) = extract_if_several(&mut types, listed) {
            types.push(EnumType::new(texts.into_iter().flatten(), false).into());
        }
        let in_any_case = |type_: &Type| EnumType::of_type(type_).filter(|texts| texts.ignores_case()).cloned();
        if let Some(enums) = extract_if_several(&mut types, in_any_case) {
            let texts = enums.iter().flat_map(EnumType::values).map(EcoString::to_lowercase);
            types.push(EnumType::new(texts, true).into());
        }
        let patterns_of = |type_: &Type| Some(PatternType::of_type(type_)?.patterns().to_vec());
        if let Some(patterns) = extract_if_several(&mut types, patterns_of) {
            types.push(PatternType::new(patterns.into_iter().flatten()).into());
        }
        let integers = |a: IntegerType, b: IntegerType| {
            let touch = a.from() <= b.to().saturating_add(1) && b.from() <= a.to().saturating_add(1);
            touch.then(|| a.merged(b))
        };
        merge_ranges(&mut types, |type_| IntegerType::of_type(type_).copied(), integers);
        let floats = |a: FloatType, b: FloatType| (a.from() <= b.to() && b.from() <= a.to()).then(|| a.merged(b));
        merge_ranges(&mut types, |type_| FloatType::of_type(type_).copied(), floats);
        // Nothing was merged: the order stays as it was written.
        if types.len() == written { flat.as_ref().clone().into() } else { VariantType::of(types) }
    }
}

/// Whether `type_` accepts undef; `None` if an alias is not resolved yet.
fn accepts_undef(type_: &Type) -> Option<bool> {
    let is_known = !type_.alternatives().iter().any(|type_| matches!(type_, Type::Alias(_)));
    is_known.then(|| Lattice::default().accepts_undef(type_))
}

fn extract_if_several<T>(types: &mut Vec<Type>, part: impl Fn(&Type) -> Option<T>) -> Option<Vec<T>> {
    let parts: Vec<T> = types.iter().filter_map(&part).collect();
    if parts.len() < 2 {
        return None;
    }
    types.retain(|type_| part(type_).is_none());
    Some(parts)
}

/// Merges overlapping and adjacent ranges of a Variant. The ranges move to the front of `types`, the last one first.
fn merge_ranges<R: Copy + Into<Type>>(
    types: &mut Vec<Type>,
    range: impl Fn(&Type) -> Option<R>,
    merged: impl Fn(R, R) -> Option<R>,
) {
    let Some(mut ranges) = extract_if_several(types, range) else { return };
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
    types.splice(0..0, apart);
}
