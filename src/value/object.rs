//! Instances of Object types: `Point(1, 2)`, `Error('message')`, `Deferred('upcase', ['a'])`.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::stack;
use crate::types::ObjectType;
use crate::value::{Value, drop_flat};

/// An instance: its type and the values of its attributes in the order of the type's declaration.
///
/// Two instances are identical if their types are, and all attributes that the type compares for equality.
#[derive(Clone, Debug)]
pub struct Object {
    /// The Object type of which this is an instance.
    pub type_: Arc<ObjectType>,
    /// The values of the attributes, in the order in which the type declares them.
    pub attributes: Vec<Value>,
}

impl Object {
    /// The value of the attribute or constant `name`; `None` if the type has none of that name.
    pub fn attribute(&self, name: &str) -> Option<Value> {
        // Error calls its message `msg`, and has both names.
        let is_message = name == "message" && self.type_.function(name).is_some();
        ObjectType::value_of(self, if is_message { "msg" } else { name })
    }

    /// The names of the attributes and constants.
    pub fn attribute_names(&self) -> Vec<String> {
        self.type_.attribute_names()
    }

    /// Whether the object is a Deferred, which describes a call to be made later: `Deferred('upcase', ['a'])`.
    pub(crate) fn is_deferred(&self) -> bool {
        self.type_.name() == Some("Deferred")
    }

    /// Puppet's `==`. The type of the left side decides whether the types have to be equal as well.
    ///
    /// Observed: Puppet 8.11 compares the attributes by identity, `Error('a') == Error('A')` is false.
    pub fn equals(&self, other: &Object) -> bool {
        if self.type_.equality_includes_type() || self.type_.compares_by_identity() {
            return self == other;
        }
        stack::with_room(|| self.type_.equality().iter().all(|name| self.attribute(name) == other.attribute(name)))
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Object) -> bool {
        std::ptr::eq(self, other)
            || !self.type_.compares_by_identity()
                && self.type_ == other.type_
                && stack::with_room(|| ObjectType::counted(self) == ObjectType::counted(other))
    }
}

impl Eq for Object {}

impl Hash for Object {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The type is left out: it is large, and instances of many types are rarely keys of one hash.
        let counted = ObjectType::counted(self);
        counted.len().hash(state);
        if let Some(Value::String(first)) = counted.first() {
            first.hash(state);
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        if !stack::has_room_to_drop() {
            drop_flat(std::mem::take(&mut self.attributes));
        }
    }
}
