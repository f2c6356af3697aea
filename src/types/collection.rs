//! `Collection[from, to]`: arrays and hashes of a certain size.

use super::{Lattice, Result, Rules, Size, Type, Value, check_arity, row, size_from_arguments};

/// Arrays and hashes, optionally of a certain number of elements.
///
/// Source: language specification, "`Collection ([from, to])`".
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CollectionType {
    /// The allowed numbers of elements; `None` if no size is written, which allows any number.
    pub(super) size: Option<Size>,
}

impl CollectionType {
    /// The minimum and maximum number of elements or entries.
    pub fn size(&self) -> Size {
        self.size.unwrap_or(Size::ANY)
    }
}

impl Rules for CollectionType {
    row! {
        "Collection" ["from, to"] below "Any": "arrays and hashes, optionally with a size";
        "{} =~ Collection[0, 1]" => "true",
        "Collection['a']" => "error BAD_COLLECTION_SLICE_TYPE",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        check_arity(Self::NAME, arguments, 1..=2, "1 or 2")?;
        Ok(CollectionType { size: Some(size_from_arguments(arguments)?) }.into())
    }

    fn arguments(&self) -> Vec<Value> {
        self.size.into_iter().flat_map(Size::to_type_arguments).collect()
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        let length = match value {
            Value::Array(elements) => elements.len(),
            Value::Hash(entries) => entries.len(),
            _ => return false,
        };
        self.size.is_none_or(|size| size.contains(length))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        let other = match other {
            Type::Collection(other) => other.size.unwrap_or(Size::ANY),
            Type::Array(other) => other.size(),
            Type::Hash(other) => other.size(),
            Type::Tuple(other) => other.size_in_comparisons(),
            Type::Struct(other) => other.size_in_comparisons(),
            _ => return false,
        };
        self.size.is_none_or(|size| size.accepts(other))
    }
}
