//! The trait that every type implements, and the row of the table that is made from it.

use crate::error::Result;
use crate::types::{ConstructError, Lattice, TABLE, Type, TypeError, TypeText, text};
use crate::value::Value;

/// An example: code with its result, run by the tests and shown by `:doc`.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The code of the example.
    pub code: &'static str,
    /// The `%p` text of the result, or `error CODE`.
    pub answer: &'static str,
}

pub(crate) const fn example(code: &'static str, answer: &'static str) -> Example {
    Example { code, answer }
}

/// The row of a type: name, parameters, parent, summary; examples with answers; whether the specification allows undef for
/// all arguments of `new` but the first; the parameter lists of `new`, and the functions that it calls, if other types have
/// them, too.
macro_rules! row {
    (
        $name:literal $([$parameters:literal])? below $parent:literal: $summary:literal;
        $($code:literal => $answer:literal,)*
        $(optional by $specification:ident,)?
        $(new $new:literal,)*
        $(construct: $construct:path;)?
        $(construct_by_specification: $by_specification:path;)?
    ) => {
        const ROW: $crate::types::Row = $crate::types::Row {
            name: $name,
            parameters: concat!($($parameters)?),
            parent: $parent,
            summary: $summary,
            examples: &[$($crate::types::example($code, $answer)),*],
            new: &[$($new),*],
            hidden: Self::HIDDEN,
            is_general: Self::IS_GENERAL,
            takes_arrays: Self::TAKES_ARRAYS,
            bare: || Self::bare().into(),
            from_arguments: Self::from_arguments,
        };
        $(fn construct(&self, arguments: &[Value]) -> Result<Value> {
            $construct(arguments)
        })?
        $(fn construct_by_specification(&self, arguments: &[Value]) -> Option<Value> {
            let $specification = arguments.iter().skip(1).any(Value::is_undef);
            if $specification { self.construct(arguments).ok() } else { None }
        })?
        $(fn construct_by_specification(&self, arguments: &[Value]) -> Option<Value> {
            $by_specification(arguments)
        })?
    };
}
pub(crate) use row;

/// A type with at most one type in its brackets: its struct, with `new` and the name of the inner type; the methods of
/// [`Rules`] that read, write and replace this type follow with `around_type!(@rules name)`.
macro_rules! around_type {
    (@rules $inner:ident) => {
        fn from_arguments(arguments: &[Value]) -> Result<Type> {
            Ok(Self::new($crate::types::definition::arguments::only_type(Self::NAME, arguments)?).into())
        }

        fn arguments(&self) -> Vec<Value> {
            self.$inner().cloned().map(Value::Type).into_iter().collect()
        }

        fn map(&self, replaced: &mut $crate::types::Replace<'_>) -> Option<Type> {
            Some(Self::new(replaced(self.$inner()?)).into())
        }
    };
    ($(#[$about:meta])* $name:ident, $(#[$about_inner:meta])* $inner:ident) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
        pub struct $name {
            $inner: Option<$crate::types::NestedType>,
        }

        impl $name {
            /// The type with this one in its brackets.
            pub fn new(type_: Type) -> $name {
                $name { $inner: Some(type_.into()) }
            }

            $(#[$about_inner])*
            pub fn $inner(&self) -> Option<&Type> {
                self.$inner.as_deref()
            }
        }
    };
}
pub(crate) use around_type;

/// What the table says about a type.
#[derive(Debug)]
pub struct Row {
    /// `Integer`
    pub name: &'static str,
    /// `from, to`, the parameters between the brackets; empty where there are none
    pub parameters: &'static str,
    /// The parent in the documented type hierarchy.
    pub parent: &'static str,
    /// One line, lower case, no full stop.
    pub summary: &'static str,
    /// At least one that succeeds, and one that fails where it can fail.
    pub examples: &'static [Example],
    /// The ways to call `new`, as parameter lists in Puppet's own types: `(Convertible $from, Boolean $abs = false)`.
    /// The evaluator checks the arguments against them before the constructor runs. None: no constructor.
    pub new: &'static [&'static str],
    pub(in crate::types) hidden: bool,
    pub(in crate::types) is_general: bool,
    pub(crate) takes_arrays: bool,
    pub(crate) bare: fn() -> Type,
    pub(crate) from_arguments: fn(&[Value]) -> Result<Type>,
}

/// The rows of the types that programs can name, in the order of the table. The others only occur in results.
pub fn visible() -> impl Iterator<Item = &'static Row> {
    TABLE.iter().filter(|row| !row.hidden)
}

/// What takes the place of each type inside of another one.
pub(crate) type Replace<'r> = dyn FnMut(&Type) -> Type + 'r;

/// The rules of a type, implemented in the type's file.
///
/// `lattice` is passed on when a rule asks about other types or about elements: it carries what has been seen on the
/// way, so that recursive types end and towers of aliases do not explode.
pub(crate) trait Rules: Sized + Default + Into<Type> {
    const ROW: Row;
    const NAME: &'static str = Self::ROW.name;

    /// Whether programs cannot name it: it only occurs in results.
    const HIDDEN: bool = false;

    /// Whether an array between the brackets is one argument: `Callable[[Integer], String]`; else its elements are.
    const TAKES_ARRAYS: bool = false;

    /// A type that accepts every value of this one, where the wider type's own rule does not know of this one: with it
    /// a new type finds its place without a change to the files of others.
    const SUPERTYPE: Option<Type> = None;

    /// Whether the parameters say nothing of particular values, so that the generalized type keeps them.
    const IS_GENERAL: bool = false;

    fn bare() -> Self {
        Self::default()
    }

    /// The type with `arguments` between the brackets. Arrays are taken apart already, so there may be none.
    fn from_arguments(_arguments: &[Value]) -> Result<Type> {
        Err(TypeError::TakesNoParameters { type_: Self::NAME }.into())
    }

    /// The parameters in brackets when the type is printed; nothing for the bare type.
    fn arguments(&self) -> Vec<Value> {
        Vec::new()
    }

    /// The type that it is another name of, and whose rules it has: Data, for instance, means a Variant.
    fn meaning(&self) -> Option<&'static Type> {
        None
    }

    /// Whether `value` is a value of this type. A reference to a resource or class is a type, so nothing is an instance.
    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        self.meaning().is_some_and(|meaning| lattice.has_instance(meaning, value))
    }

    /// Whether every value of `other` is a value of this type. `other` is never an alias, a Variant, an Optional or a
    /// NotUndef with a type: the lattice has taken these apart.
    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        self.meaning().is_some_and(|meaning| lattice.accepts(meaning, other))
    }

    fn supertype(&self) -> Option<Type> {
        Self::SUPERTYPE
    }

    /// Constructs a value, as `new` does. The caller checks the result against the type.
    fn construct(&self, _arguments: &[Value]) -> Result<Value> {
        Err(ConstructError::Constructor { type_: Self::NAME }.into())
    }

    /// Constructs a value from arguments that the specification accepts and Puppet 8 rejects. Called only if
    /// [`Rules::construct`] has failed and the strictness allows it.
    fn construct_by_specification(&self, _arguments: &[Value]) -> Option<Value> {
        None
    }

    /// The type with each type inside replaced; `None` if there are none.
    fn map(&self, _replaced: &mut Replace<'_>) -> Option<Type> {
        None
    }

    /// The type without particular values, `Integer` for `Integer[1, 2]`; `inside` generalizes the types inside.
    fn generalized(&self, inside: &mut Replace<'_>) -> Type {
        self.map(inside).unwrap_or_else(|| Self::bare().into())
    }

    /// Writes the type as Puppet code that evaluates to the type.
    fn show(&self, out: &mut TypeText) {
        text::type_text(Self::NAME, &self.arguments(), out);
    }
}
