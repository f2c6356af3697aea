//! A type inside another one.
//!
//! Types nest as deeply as users (and inference over their data) nest them. Dropping, comparing and hashing recurse
//! implicitly; here each of these steps makes sure that there is enough stack.

use std::hash::{Hash, Hasher};
use std::{cell::RefCell, fmt, ops::Deref};

use rustc_hash::FxHashSet;

use crate::stack;
use crate::types::{AnyType, Type};

/// A type inside another one: a branch of a Variant, an element of a Tuple. It is used like its [`Type`].
#[derive(Clone)]
pub struct NestedType(Type);

impl Deref for NestedType {
    type Target = Type;

    fn deref(&self) -> &Type {
        &self.0
    }
}

/// Any.
impl Default for NestedType {
    fn default() -> NestedType {
        NestedType(Type::any())
    }
}

impl From<Type> for NestedType {
    fn from(type_: Type) -> NestedType {
        NestedType(type_)
    }
}

impl From<&Type> for NestedType {
    fn from(type_: &Type) -> NestedType {
        NestedType(type_.clone())
    }
}

/// Inner types that are compared before equal pairs are cached.
const STEPS_WITHOUT_MEMORY: u32 = 1 << 10;

#[derive(Default)]
struct Comparison {
    /// The depth of the types being compared.
    depth: u32,
    steps: u32,
    /// Pairs that are equal, by address. Without them, comparing towers with shared parts takes exponential time.
    equal: FxHashSet<(usize, usize)>,
}

thread_local! {
    /// The types of a comparison live as long as it does, so no address is used twice.
    static COMPARISON: RefCell<Comparison> = RefCell::default();
}

impl PartialEq for NestedType {
    fn eq(&self, other: &NestedType) -> bool {
        let (type_, other) = (&self.0, &other.0);
        if type_.is_leaf() || other.is_leaf() || type_.is_same(other) {
            return type_ == other;
        }
        let pair = (type_.address(), other.address());
        let is_known = COMPARISON.with_borrow_mut(|comparison| {
            comparison.steps += 1;
            comparison.depth += 1;
            comparison.equal.contains(&pair)
        });
        let equal = is_known || stack::with_room(|| type_ == other);
        COMPARISON.with_borrow_mut(|comparison| {
            comparison.depth -= 1;
            if comparison.depth == 0 {
                *comparison = Comparison::default();
            } else if equal && comparison.steps > STEPS_WITHOUT_MEMORY {
                comparison.equal.insert(pair);
            }
        });
        equal
    }
}

impl Eq for NestedType {}

impl Hash for NestedType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // One level distinguishes types well enough, and a shared type is not walked again and again.
        if self.0.is_leaf() {
            self.0.hash(state);
        } else {
            self.0.kind().hash(state);
        }
    }
}

impl Drop for NestedType {
    fn drop(&mut self) {
        if !self.0.is_leaf() {
            let type_ = std::mem::replace(&mut self.0, AnyType.into());
            stack::with_room_to_drop(move || drop(type_));
        }
    }
}

impl fmt::Debug for NestedType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
