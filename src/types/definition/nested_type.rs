//! The type [`NestedType`], for types inside of other types.
//!
//! Types can be nested very deeply, by users and by inference from their data. Dropping, comparing and hashing them
//! recurse implicitly; the implementations in this file make sure that there is enough stack.

use std::hash::{Hash, Hasher};
use std::{cell::RefCell, fmt, ops::Deref};

use rustc_hash::FxHashSet;

use crate::stack;
use crate::types::{AnyType, Type};

/// A type inside another one. It wraps a [`Type`] so that dropping or comparing deep types cannot overflow the stack.
#[derive(Clone)]
pub struct NestedType(Type);

impl Deref for NestedType {
    type Target = Type;

    fn deref(&self) -> &Type {
        &self.0
    }
}

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

/// The number of comparisons of nested types after which equal pairs are cached; short comparisons need no cache.
const STEPS_BEFORE_CACHING: u32 = 1 << 10;

#[derive(Default)]
struct ComparisonState {
    depth: u32,
    steps: u32,
    /// The addresses of pairs of equal types: without this cache, types that share parts take exponential time.
    equal_pairs: FxHashSet<(usize, usize)>,
}

thread_local! {
    /// The comparison in progress on this thread. The compared types outlive it, so their addresses stay unique.
    static CURRENT_COMPARISON: RefCell<ComparisonState> = RefCell::default();
}

impl PartialEq for NestedType {
    fn eq(&self, other: &NestedType) -> bool {
        let (type_, other) = (&self.0, &other.0);
        if type_.is_leaf() || other.is_leaf() || type_.is_identical_to(other) {
            return type_ == other;
        }
        let pair = (type_.address(), other.address());
        let is_known = CURRENT_COMPARISON.with_borrow_mut(|comparison| {
            comparison.steps += 1;
            comparison.depth += 1;
            comparison.equal_pairs.contains(&pair)
        });
        let equal = is_known || stack::with_room(|| type_ == other);
        CURRENT_COMPARISON.with_borrow_mut(|comparison| {
            comparison.depth -= 1;
            if comparison.depth == 0 {
                *comparison = ComparisonState::default();
            } else if equal && comparison.steps > STEPS_BEFORE_CACHING {
                comparison.equal_pairs.insert(pair);
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
            stack::drop_with_enough_stack(move || drop(type_));
        }
    }
}

impl fmt::Debug for NestedType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
