//! Values that can be called: lambdas and functions, without their implementation.

use std::{any::Any, fmt::Debug};

use crate::types::{Size, Type};

/// A value that can be called: a function or lambda.
pub trait Callable: Any + Debug + Send + Sync {
    /// Returns the `Callable[…]` type of this function or lambda.
    fn callable_type(&self) -> Type;

    /// Returns the minimum and maximum number of arguments that it accepts; any number by default.
    fn arity(&self) -> Size {
        Size::ANY
    }
}

/// Two callables are equal only if they are the same object.
impl PartialEq for dyn Callable {
    fn eq(&self, other: &dyn Callable) -> bool {
        std::ptr::addr_eq(self, other)
    }
}

/// A function of the given Callable type that is never called: a sample value, or a stand-in for an unknown value.
#[derive(Debug)]
pub(crate) struct UncalledFunction(pub(crate) Type);

impl Callable for UncalledFunction {
    fn callable_type(&self) -> Type {
        self.0.clone()
    }
}
