//! The rules that hold for every type, written once, and the memory of a question on its way through the types.

use super::{Rules, Type, on_rules};
use crate::value::Value;

/// One question ("is this value of that type?", "does this type accept that one?") on its way.
#[derive(Debug, Default)]
pub(crate) struct Lattice {}

impl Lattice {
    /// Whether `value` is a value of `type_`.
    pub(crate) fn has_instance(&mut self, type_: &Type, value: &Value) -> bool {
        on_rules!(type_, rules => rules.has_instance(value, self))
    }

    /// Whether every value of `other` is a value of `type_`.
    pub(crate) fn accepts(&mut self, type_: &Type, other: &Type) -> bool {
        on_rules!(type_, rules => rules.accepts(other, self))
    }
}
