//! Instances of Object types: `Point(1, 2)`, `Error('message')`, `Deferred('upcase', ['a'])`.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::stack;
use crate::types::ObjectType;
use crate::value::{Value, drop_without_recursion};

/// An instance of an Object type.
///
/// Rust's `==` compares the types, and the attributes that the type includes in equality.
#[derive(Clone, Debug)]
pub struct Object {
    /// The Object type of the instance.
    pub type_: Arc<ObjectType>,
    /// The values of the attributes, in the order in which the type declares them.
    pub attributes: Vec<Value>,
}

impl Object {
    /// Returns the value of the attribute or constant `name`, or `None` if the type does not have one.
    pub fn attribute(&self, name: &str) -> Option<Value> {
        // Error calls its message `msg`, and has both names.
        let is_message = name == "message" && self.type_.function_type(name).is_some();
        ObjectType::attribute_value(self, if is_message { "msg" } else { name })
    }

    /// Returns the names of the attributes and constants.
    pub fn attribute_names(&self) -> Vec<String> {
        self.type_.attribute_names()
    }

    pub(crate) fn is_deferred(&self) -> bool {
        self.type_.name() == Some("Deferred")
    }

    /// Compares two instances as Puppet's `==` does. Their types must be equal, unless that of `self` says otherwise.
    ///
    /// Observed: Puppet 8.11 compares the attributes exactly: `Error('a') == Error('A')` is false.
    pub fn equals(&self, other: &Object) -> bool {
        if self.type_.equality_includes_type() || self.type_.compares_by_identity() {
            return self == other;
        }
        stack::with_room(|| {
            self.type_.equality_fields().iter().all(|name| self.attribute(name) == other.attribute(name))
        })
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        std::ptr::eq(self, other)
            || !self.type_.compares_by_identity()
                && self.type_ == other.type_
                && stack::with_room(|| ObjectType::compared_values(self) == ObjectType::compared_values(other))
    }
}

impl Eq for Object {}

impl Hash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The type is left out: it is large, and instances of many types are rarely keys of one hash.
        let counted = ObjectType::compared_values(self);
        counted.len().hash(state);
        if let Some(Value::String(first)) = counted.first() {
            first.hash(state);
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        if !stack::has_enough_stack_to_drop() {
            drop_without_recursion(std::mem::take(&mut self.attributes));
        }
    }
}
