//! The trait [`Rules`], which every type implements, and the [`Row`] that describes a type in the table of types.

use crate::error::Result;
use crate::types::{ConstructError, Lattice, TABLE, Type, TypeError, TypeWriter, text};
use crate::value::Value;

/// Puppet code with its expected result, run by the tests and shown by the command `:doc`.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The Puppet code.
    pub code: &'static str,
    /// The expected result in the format `%p`, or `error CODE` if the code fails with the issue code `CODE`.
    pub answer: &'static str,
}

pub(crate) const fn new_example(code: &'static str, answer: &'static str) -> Example {
    Example { code, answer }
}

/// Defines the row of a type: of `Self`, or of the type after `for`. With `optional by`, the specification allows undef
/// for all arguments of `new` but the first. A type with `new` but without `construct` implements [`Rules::construct`].
macro_rules! row {
    ($name:literal $($row:tt)*) => { $crate::types::row! { for Self: $name $($row)* } };
    (
        for $rules:ty: $name:literal $([$parameters:literal])? below $parent:literal: $summary:literal;
        $($code:literal => $answer:literal,)*
        $(optional by $specification:ident,)?
        $(new $new:literal,)*
        $(construct: $construct:expr;)?
        $(construct_by_specification: $by_specification:path;)?
    ) => {
        const ROW: $crate::types::Row = $crate::types::Row {
            name: $name,
            parameters: concat!($($parameters)?),
            parent: $parent,
            summary: $summary,
            examples: &[$($crate::types::new_example($code, $answer)),*],
            new: &[$($new),*],
            hidden: <$rules>::HIDDEN,
            is_general: <$rules>::IS_GENERAL,
            takes_arrays: <$rules>::TAKES_ARRAYS,
            bare: || <$rules>::default().into(),
            from_arguments: <$rules>::from_arguments,
        };
        $(fn construct(&self, arguments: &[Value]) -> Result<Value> {
            ($construct)(arguments)
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

/// Defines a type with at most one type in its brackets: a struct with `new` and a getter of the inner type. The
/// methods of [`Rules`] that read, write and replace the inner type are added by `around_type!(@rules name)`.
macro_rules! around_type {
    (@rules $inner:ident) => {
        fn from_arguments(arguments: &[Value]) -> Result<Type> {
            Ok(Self::new($crate::types::definition::arguments::single_type_argument(Self::NAME, arguments)?).into())
        }

        fn arguments(&self) -> Vec<Value> {
            self.$inner().cloned().map(Value::Type).into_iter().collect()
        }

        fn map_nested_types(&self, replaced: &mut $crate::types::Replace<'_>) -> Option<Type> {
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
            /// Returns the type with `type_` in its brackets.
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

/// The row of a type in [`TABLE`], the table of all types.
#[derive(Debug)]
pub struct Row {
    /// The name of the type: `Integer`
    pub name: &'static str,
    /// The parameters between the brackets, such as `from, to`; empty if the type has none
    pub parameters: &'static str,
    /// The name of the parent in the documented type hierarchy.
    pub parent: &'static str,
    /// A summary in one line, lower case, without a full stop.
    pub summary: &'static str,
    /// At least one example that succeeds and, if the type can be used wrongly, one that fails.
    pub examples: &'static [Example],
    /// The signatures of `new`, as Puppet parameter lists: `(Convertible $from, Boolean $abs = false)`. The evaluator
    /// checks the arguments against them before the constructor runs. Empty if the type has no constructor.
    pub new: &'static [&'static str],
    pub(in crate::types) hidden: bool,
    pub(in crate::types) is_general: bool,
    pub(crate) takes_arrays: bool,
    pub(crate) bare: fn() -> Type,
    pub(crate) from_arguments: fn(&[Value]) -> Result<Type>,
}

/// Returns the rows of the types that programs can name, in table order; some types only occur as types of results.
pub fn nameable_type_rows() -> impl Iterator<Item = &'static Row> {
    TABLE.iter().filter(|row| !row.hidden)
}

pub(crate) type Replace<'r> = dyn FnMut(&Type) -> Type + 'r;

/// The behavior of a type, implemented in the type's file.
///
/// Implementations pass on `lattice` when they query other types: it holds the comparisons in progress and cached
/// results, so that queries about recursive types end and types that share parts are compared once.
pub(crate) trait Rules: Sized + Default + Into<Type> {
    const ROW: Row;
    const NAME: &'static str = Self::ROW.name;

    /// Whether programs cannot name the type: it only occurs in results.
    const HIDDEN: bool = false;

    /// Whether an Array in the brackets is one argument, as in `Callable[[Integer], String]`, and not flattened.
    const TAKES_ARRAYS: bool = false;

    /// Whether generalizing the type keeps its parameters, because they do not depend on particular values.
    const IS_GENERAL: bool = false;

    /// Returns the type with `arguments` in brackets; these may be empty, after empty Arrays were flattened.
    fn from_arguments(_arguments: &[Value]) -> Result<Type> {
        Err(TypeError::TakesNoParameters { type_: Self::NAME }.into())
    }

    /// Returns the parameters that are printed in brackets; empty if the type is printed without brackets.
    fn arguments(&self) -> Vec<Value> {
        Vec::new()
    }

    /// Returns the type for which this type is an abbreviation, as Data is for a Variant; `None` for most types.
    fn expansion(&self) -> Option<&'static Type> {
        None
    }

    /// Whether `value` is a value of this type. No value is of a resource or class reference, which is itself a value.
    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        self.expansion().is_some_and(|meaning| lattice.has_instance(meaning, value))
    }

    /// Whether every value of `other` is a value of this type. `other` is never an alias, a Variant, an Optional or a
    /// NotUndef with a type: the lattice compares the types inside of these instead.
    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        self.expansion().is_some_and(|meaning| lattice.accepts(meaning, other))
    }

    /// Whether this type accepts `type_`, which was made for the question and stays alive as long as its cached results.
    fn accepts_made_type(&self, type_: &Type, lattice: &mut Lattice) -> bool {
        lattice.keep_alive(type_);
        self.accepts(type_, lattice)
    }

    /// Constructs a value as `new` does. The caller checks that the result is a value of the type.
    fn construct(&self, _arguments: &[Value]) -> Result<Value> {
        Err(ConstructError::Constructor { type_: Self::NAME }.into())
    }

    /// Constructs a value from arguments that the specification accepts and Puppet 8 rejects. Called only if
    /// [`Rules::construct`] has failed and the strictness allows it.
    fn construct_by_specification(&self, _arguments: &[Value]) -> Option<Value> {
        None
    }

    /// Returns the type with each nested type replaced by the result of `replaced`; `None` if it has no nested types.
    fn map_nested_types(&self, _replaced: &mut Replace<'_>) -> Option<Type> {
        None
    }

    /// Returns the type without particular values: `Integer` for `Integer[1, 2]`. `inside` generalizes a nested type.
    fn generalized(&self, inside: &mut Replace<'_>) -> Type {
        self.map_nested_types(inside).unwrap_or_else(|| Self::default().into())
    }

    fn write_code(&self, out: &mut TypeWriter) {
        text::write_type(Self::NAME, &self.arguments(), out);
    }
}
