//! A type inside another one.
//!
//! Types nest as deep as users (and inference over their data) care to nest them. Dropping, comparing and hashing walk
//! down by themselves, unseen; here each of these steps makes sure of its stack.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

use super::Type;
use super::any::AnyType;
use crate::stack;

/// The element type of an Array, a parameter of a Callable …
#[derive(Clone)]
pub(crate) struct Child(Type);

impl Deref for Child {
    type Target = Type;

    fn deref(&self) -> &Type {
        &self.0
    }
}

impl From<Type> for Child {
    fn from(type_: Type) -> Child {
        Child(type_)
    }
}

impl From<&Type> for Child {
    fn from(type_: &Type) -> Child {
        Child(type_.clone())
    }
}

impl PartialEq for Child {
    fn eq(&self, other: &Child) -> bool {
        stack::with_room(|| self.0 == other.0)
    }
}

impl Eq for Child {}

impl Hash for Child {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // One level tells types apart well enough, and a shared type is not walked again and again.
        if self.0.is_leaf() {
            self.0.hash(state);
        } else {
            self.0.kind().hash(state);
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.0.is_leaf() {
            let type_ = std::mem::replace(&mut self.0, AnyType.into());
            stack::with_room(move || drop(type_));
        }
    }
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
