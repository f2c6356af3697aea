//! Instances of Object types: `Point(1, 2)`, `Error('message')`, `Deferred('upcase', ['a'])`.

use crate::types::Type;
use crate::value::Value;

/// An instance: its type and the values of its attributes in the order of the type's declaration.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Object {
    /// An Object type.
    pub type_: Type,
    /// One value an attribute.
    pub attributes: Vec<Value>,
}
