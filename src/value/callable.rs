//! What can be called: a lambda or a function, seen from outside.

use std::{any::Any, fmt::Debug};

use crate::types::Type;

/// A function or lambda.
pub trait Callable: Debug + Send + Sync {
    /// The `Callable[…]` type of this function or lambda.
    fn callable_type(&self) -> Type;

    #[doc(hidden)]
    fn as_any(&self) -> &dyn Any;
}

/// Identity.
impl PartialEq for dyn Callable {
    fn eq(&self, other: &dyn Callable) -> bool {
        std::ptr::addr_eq(self, other)
    }
}
