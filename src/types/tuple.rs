//! `Tuple[first, second, …, from, to]`: arrays with a type for each position.

use super::{
    Lattice, NestedType, Replace, Result, Rules, Size, Type, TypeError, Value, check_arity, construct, row,
    split_off_size,
};
use crate::interrupt;

/// Arrays with a type for each position. With a size, the last type may repeat, or the last positions may be missing.
///
/// The size counts all elements: `Tuple[A, B, 1]` has at least one element. Bare `Tuple` accepts every array.
///
/// Source: language specification, "`Tuple ([type, …, from, to])`".
/// Observed: Puppet 8.11 takes a bare `Tuple` for the empty tuple where another type is asked whether it accepts it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct TupleType {
    types: Vec<NestedType>,
    /// The range of sizes; if it is `None`, there is one element for each type.
    pub(super) size: Option<Size>,
}

impl TupleType {
    /// Creates a Tuple with one type per position; `size` is given if it differs from the number of types.
    pub fn new(types: impl IntoIterator<Item = Type>, size: Option<Size>) -> TupleType {
        TupleType { types: types.into_iter().map(NestedType::from).collect(), size }
    }

    /// Returns one type per position; none for the bare type.
    pub fn types(&self) -> &[NestedType] {
        &self.types
    }

    pub(crate) fn exact_size(&self) -> Option<usize> {
        let size = self.size();
        if size.from() == size.to() { usize::try_from(size.from()).ok() } else { None }
    }

    /// Returns the minimum and maximum number of elements.
    pub fn size(&self) -> Size {
        match self.size {
            Some(size) => size,
            None if self.types.is_empty() => Size::ANY,
            None => Size::exactly(self.types.len()),
        }
    }

    /// Returns the size that other types compare with theirs: [`TupleType::size`], but 0 for the bare type.
    pub(super) fn size_in_comparisons(&self) -> Size {
        self.size.unwrap_or_else(|| Size::exactly(self.types.len()))
    }

    /// Returns the type of the element at position `at`; the last type repeats. `None` for the bare type.
    pub fn type_at(&self, at: usize) -> Option<&Type> {
        self.types.get(at).or(self.types.last()).map(|type_| &**type_)
    }
}

impl Rules for TupleType {
    row! {
        "Tuple" ["type, …, from, to"] below "Array": "arrays with a type for each position, optionally with a size";
        "[1, 'a'] =~ Tuple[Integer, String]" => "true",
        "[1, 2, 3] =~ Tuple[Integer, 1]" => "true",
        "Tuple['a']" => "error BAD_TYPE_SPECIALIZATION",
        new "(Any $from, Boolean $wrap = false)",
        construct: construct::construct_array;
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        let (types, size) = split_off_size(arguments)?;
        check_arity(Self::NAME, types, 1..=usize::MAX, "at least 1")?;
        let wrong = |value: &Value| TypeError::wrong_parameter(Self::NAME, "a type", value);
        let type_ = |value: &Value| value.as_type().cloned().ok_or_else(|| wrong(value));
        let types = types.iter().map(type_).collect::<Result<Vec<_>, _>>()?;
        Ok(TupleType::new(types, size).into())
    }

    fn arguments(&self) -> Vec<Value> {
        let types = self.types.iter().map(|type_| Value::Type((**type_).clone()));
        types.chain(self.size.into_iter().flat_map(Size::to_type_arguments)).collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let Value::Array(elements) = value else { return false };
        interrupt::take_steps(elements.len());
        let is_met = |(at, element)| self.type_at(at).is_none_or(|type_: &Type| lattice.has_instance(type_, element));
        self.size().contains(elements.len()) && (self.type_at(0).is_none() || elements.iter().enumerate().all(is_met))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        match other {
            Type::Tuple(_) | Type::Array(_) if self.types.is_empty() && self.size.is_none() => true,
            Type::Tuple(other) => {
                // One for each type of the other, and the further ones that it can have.
                let reached = usize::try_from(other.size().to()).unwrap_or(usize::MAX);
                !other.types.is_empty()
                    && self.size().accepts(other.size())
                    && (0..other.types.len().max(self.types.len().min(reached))).all(|at| {
                        match (self.type_at(at), other.type_at(at)) {
                            (Some(type_), Some(other)) => lattice.accepts_inner_type(type_, other),
                            _ => true,
                        }
                    })
            }
            Type::Array(other) => {
                // Only the places that can exist count.
                let places = usize::try_from(other.size().to()).unwrap_or(usize::MAX);
                self.size().accepts(other.size())
                    && self.types.iter().take(places).all(|type_| lattice.accepts_inner_type(type_, other.element()))
            }
            _ => false,
        }
    }

    fn map_nested_types(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        Some(TupleType::new(self.types.iter().map(|type_| replaced(type_)), self.size).into())
    }
}
