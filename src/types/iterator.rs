//! `Iterator[type]`: lazily produced elements.

use super::definition::arguments::only_type;
use super::relation::infer;
use super::{Lattice, NestedType, Replace, Rules, Type, row};
use crate::error::Result;
use crate::value::Value;

/// The type of the iterators that `reverse_each`, `step` and `tree_each` return.
///
/// Source: language specification, "Iterator".
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct IteratorType {
    element: Option<NestedType>,
}

impl IteratorType {
    /// Draws elements of that type.
    pub fn new(element: Type) -> IteratorType {
        IteratorType { element: Some(element.into()) }
    }

    /// The type of the elements.
    pub fn element(&self) -> Option<&Type> {
        self.element.as_deref()
    }
}

impl Rules for IteratorType {
    row! {
        "Iterator" ["type"] below "Iterable": "lazily produced elements";
        "[1, 2].reverse_each =~ Iterator[Integer]" => "true",
        "Iterator[1]" => "error BAD_TYPE_SLICE_TYPE",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        Ok(IteratorType::new(only_type(Self::NAME, arguments)?).into())
    }

    fn arguments(&self) -> Vec<Value> {
        self.element().cloned().map(Value::Type).into_iter().collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        if !matches!(value, Value::Iterator(_)) {
            return false;
        }
        self.element.is_none() || {
            let type_ = infer::detailed(value);
            lattice.keep(&type_);
            self.accepts(&type_, lattice)
        }
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let Type::Iterator(other) = other else { return false };
        self.element().is_none_or(|own| other.element().is_some_and(|given| lattice.accepts_part(own, given)))
    }

    fn map(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        Some(IteratorType::new(replaced(self.element()?)).into())
    }
}
