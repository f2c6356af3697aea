//! `Iterable[type]`: values that can be iterated over; `Iterator[type]`: lazily produced elements.

use std::sync::LazyLock;

use super::{
    CommonTypes, EnumType, HashType, IntegerType, Lattice, Member, Result, Rules, Size, StringType, TupleType, Type,
    UnitType, Value, VariantType, around_type, row,
};

around_type! {
    /// Arrays, hashes, iterators, strings, non-negative Integers, Enum types, and Integer types with both bounds.
    ///
    /// Source: language specification, "Iterable".
    /// Observed: in Puppet 8.11 `-1` is an `Iterable[Integer]`, though not an `Iterable`; the elements of an Integer
    /// are of type Integer, without bounds; a Pattern is not iterable.
    IterableType,
    /// The type of the elements.
    element
}

pub(super) fn element_type_of(type_: &Type, lattice: &mut Lattice) -> Option<Type> {
    let any = Type::any;
    match type_ {
        Type::Iterable(iterable) => Some(iterable.element().cloned().unwrap_or_else(any)),
        Type::Iterator(iterator) => Some(iterator.element().cloned().unwrap_or_else(any)),
        Type::Integer(_) => Some(IntegerType::ALL.into()),
        Type::String(_) | Type::Enum(_) => Some(CHARACTER_TYPE.clone()),
        Type::Collection(_) => Some(any()),
        Type::Array(array) => Some(array.element().clone()),
        Type::Tuple(tuple) if tuple.types().is_empty() => Some(any()),
        Type::Tuple(tuple) => Some(
            lattice.derive_type_once(type_, |_| VariantType::of(tuple.types().iter().map(|type_| (**type_).clone()))),
        ),
        // Observed: Puppet 7.23; a Hash of anything gives pairs of anything, which fit every type.
        Type::Hash(hash) => Some(lattice.derive_type_once(type_, |_| {
            let is_bare = **hash == HashType::default();
            let parts =
                if is_bare { [UnitType.into(), UnitType.into()] } else { [hash.key(), hash.value()].map(Type::clone) };
            TupleType::new(parts, Some(Size::exactly(2))).into()
        })),
        Type::Struct(members) => Some(lattice.derive_type_once(type_, |lattice| {
            let mut common = CommonTypes::default();
            std::mem::swap(lattice, &mut common.lattice);
            let values = common.common_type_of_all(members.members().iter().map(|member| member.type_().clone()));
            let key = common.common_type_of_all(members.members().iter().map(Member::key_type));
            *lattice = common.lattice;
            TupleType::new([key, values], Some(Size::exactly(2))).into()
        })),
        Type::Type(inner) => match inner.type_() {
            Some(Type::Integer(range)) if range.has_both_bounds() => Some((*range).into()),
            Some(Type::Enum(values)) => Some(EnumType::new(values.values().iter().cloned(), false).into()),
            _ => None,
        },
        _ => None,
    }
}

/// The type of one-character strings, always the same object, so that a recursive Iterable is recognized.
static CHARACTER_TYPE: LazyLock<Type> = LazyLock::new(|| StringType::Sized(Size::exactly(1)).into());

impl Rules for IterableType {
    row! {
        "Iterable" ["type"] below "Any": "values that can be iterated over, optionally with an element type";
        "Integer[1, 10] =~ Iterable[Integer]" => "true",
        "-1 =~ Iterable" => "false",
        "Iterable[1]" => "error BAD_TYPE_SLICE_TYPE",
    }

    around_type!(@rules element);

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        if self.element().is_some_and(|element| !matches!(element, Type::Any(_))) {
            return self.accepts_made_type(&Type::infer_reduced(value), lattice);
        }
        match value {
            Value::Integer(number) => *number >= 0,
            Value::String(_) | Value::Array(_) | Value::Hash(_) | Value::Iterator(_) => true,
            Value::Type(type_) => match &*type_.behind_aliases() {
                Type::Integer(range) => range.has_both_bounds(),
                meaning => matches!(meaning, Type::Enum(_)),
            },
            _ => false,
        }
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        match (&self.element, element_type_of(other, lattice)) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(element), Some(given)) => {
                lattice.keep_alive(&given);
                lattice.accepts_inner_type(element, &given)
            }
        }
    }
}

around_type! {
    /// The type of the iterators that `reverse_each`, `step` and `tree_each` return.
    ///
    /// Source: language specification, "Iterator".
    IteratorType,
    /// The type of the elements.
    element
}

impl Rules for IteratorType {
    row! {
        "Iterator" ["type"] below "Iterable": "lazily produced elements";
        "[1, 2].reverse_each =~ Iterator[Integer]" => "true",
        "Iterator[1]" => "error BAD_TYPE_SLICE_TYPE",
    }

    around_type!(@rules element);

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        matches!(value, Value::Iterator(_))
            && (self.element.is_none() || self.accepts_made_type(&Type::of(value), lattice))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let Type::Iterator(other) = other else { return false };
        self.element().is_none_or(|own| other.element().is_some_and(|given| lattice.accepts_inner_type(own, given)))
    }
}
