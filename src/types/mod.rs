//! The type system: one file a Puppet type, one row a type in the table below.
//!
//! A file holds everything about its type: the parameters, which values are instances, which types it accepts, how it
//! prints, a summary and examples that the tests run. What is true of every type (aliases, Variant, Optional, NotUndef,
//! Any on the right side) stands once in [`lattice`].
//!
//! Two relations, never mixed: `a.accepts(&b)`, every value of type `b` is a value of type `a`; and
//! `a.has_instance(&v)`, `v` is a value of `a`.

mod any;
mod binary;
mod conversion;
mod integer;
mod lattice;
mod semver;
mod semver_range;
mod sensitive;

use std::fmt;

use crate::error::{Error, Result};
use crate::value::Value;
pub use binary::BinaryType;
pub use integer::IntegerType;
pub(crate) use lattice::Lattice;
pub use semver::SemVerType;
pub use semver_range::SemVerRangeType;
pub use sensitive::SensitiveType;

/// One snippet and what it gives, run by the tests and shown by `:doc`.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// What is typed.
    pub code: &'static str,
    /// The `%p` text of the answer, or `error CODE`.
    pub answer: &'static str,
}

/// What the table tells of a type.
#[derive(Debug)]
pub struct Row {
    /// `Integer`
    pub name: &'static str,
    /// `from, to`, the parameters between the brackets; empty where there are none
    pub parameters: &'static str,
    /// The type above it in the drawing of the hierarchy.
    pub parent: &'static str,
    /// One line, lower case, no full stop.
    pub summary: &'static str,
    /// At least one that succeeds, and one that fails where it can fail.
    pub examples: &'static [Example],
    /// The parameter lists of `new`; empty without a constructor.
    pub new: &'static [&'static str],
    pub(crate) bare: fn() -> Type,
    pub(crate) from_arguments: fn(&[Value]) -> Result<Type>,
}

/// Everything that a type has to say for itself; implemented once in the file of each type.
///
/// `lattice` is passed on when a rule asks about other types or about elements: it carries what has been seen on the
/// way, so that recursive types end and towers of aliases do not explode.
pub(crate) trait Rules: Sized + Clone + Into<Type> {
    /// `Integer`
    const NAME: &'static str;
    /// `from, to`
    const PARAMETERS: &'static str;
    /// `Numeric`
    const PARENT: &'static str;
    /// One line, lower case, no full stop.
    const SUMMARY: &'static str;
    /// Run by the tests, shown by `:doc`.
    const EXAMPLES: &'static [Example];

    /// The ways to call `new`, as parameter lists in Puppet's own types: `(Convertible $from, Boolean $abs = false)`.
    /// The evaluator checks the arguments against them before [`Rules::construct`] runs. None: no constructor.
    const NEW: &'static [&'static str] = &[];

    /// The type written without brackets.
    fn bare() -> Self;

    /// The type written with `arguments` between the brackets; there is at least one.
    fn from_arguments(arguments: &[Value]) -> Result<Type>;

    /// What stands between the brackets when the type is printed; nothing for the bare type.
    fn arguments(&self) -> Vec<Value>;

    /// Whether `value` is a value of this type.
    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool;

    /// Whether every value of `other` is a value of this type. `other` is never an alias, a Variant, an Optional or a
    /// NotUndef with a type: the lattice has taken these apart.
    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool;

    /// The value that `new` makes. The result is checked against the type by the caller.
    fn construct(&self, _arguments: &[Value]) -> Result<Value> {
        Err(Error::runtime(format!("{} has no constructor", Self::NAME)))
    }

    /// The type without what it says of particular values: `Integer[1, 2]` becomes `Integer`.
    fn generalized(&self) -> Type {
        Self::bare().into()
    }
}

/// The table: a row a type, in reading order.
macro_rules! types {
    ($($module:ident::$rules:ident as $name:ident;)*) => {
        /// A type of the Puppet language.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each variant is documented by the row of its type")]
        pub enum Type {
            $($name($module::$rules),)*
        }

        $(impl From<$module::$rules> for Type {
            fn from(rules: $module::$rules) -> Type {
                Type::$name(rules)
            }
        })*

        /// Every type, in the order of the table.
        pub static TABLE: &[Row] = &[$(Row {
            name: <$module::$rules as Rules>::NAME,
            parameters: <$module::$rules as Rules>::PARAMETERS,
            parent: <$module::$rules as Rules>::PARENT,
            summary: <$module::$rules as Rules>::SUMMARY,
            examples: <$module::$rules as Rules>::EXAMPLES,
            new: <$module::$rules as Rules>::NEW,
            bare: || <$module::$rules as Rules>::bare().into(),
            from_arguments: <$module::$rules as Rules>::from_arguments,
        },)*];

        /// `on_rules!(type_, rules => expression)`: the same expression for the rules of whichever type it is.
        macro_rules! on_rules {
            ($type_:expr, $bound:ident => $then:expr) => {
                match $type_ {
                    $(Type::$name($bound) => $then,)*
                }
            };
        }
        use on_rules;
    };
}

types! {
    any::AnyType as Any;
    integer::IntegerType as Integer;
    semver::SemVerType as SemVer;
    semver_range::SemVerRangeType as SemVerRange;
    binary::BinaryType as Binary;
    sensitive::SensitiveType as Sensitive;
}

fn name_of<R: Rules>(_: &R) -> &'static str {
    R::NAME
}

impl Type {
    /// The type that accepts everything.
    pub fn any() -> Type {
        any::AnyType.into()
    }

    /// The built-in type of that name, whatever the case of its letters.
    pub fn named(name: &str) -> Option<Type> {
        TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name)).map(|row| (row.bare)())
    }

    /// The row of the table.
    pub fn row(&self) -> &'static Row {
        let name = self.name();
        TABLE.iter().find(|row| row.name == name).expect("every variant has a row")
    }

    /// `Integer` for `Integer[1, 2]`.
    pub fn name(&self) -> &'static str {
        on_rules!(self, rules => name_of(rules))
    }

    /// `self[arguments…]`.
    pub fn with_arguments(&self, arguments: &[Value]) -> Result<Type> {
        if self.arguments().is_empty() && !arguments.is_empty() {
            return (self.row().from_arguments)(arguments);
        }
        Err(Error::coded("OPERATOR_NOT_APPLICABLE", format!("{self} already has its parameters")))
    }

    /// `self.new(arguments…)`, the arguments already checked against [`Row::new`].
    pub fn construct(&self, arguments: &[Value]) -> Result<Value> {
        on_rules!(self, rules => rules.construct(arguments))
    }

    /// What stands between the brackets when the type is printed.
    pub fn arguments(&self) -> Vec<Value> {
        on_rules!(self, rules => rules.arguments())
    }

    /// Whether `value` is a value of this type.
    pub fn has_instance(&self, value: &Value) -> bool {
        Lattice::default().has_instance(self, value)
    }

    /// Whether every value of `other` is a value of this type.
    pub fn accepts(&self, other: &Type) -> bool {
        Lattice::default().accepts(self, other)
    }

    /// The type without what it says of particular values.
    #[must_use]
    pub fn generalized(&self) -> Type {
        on_rules!(self, rules => rules.generalized())
    }

    /// The most detailed type of a value: `[1, 'a']` is a `Tuple[Integer[1, 1], String]`.
    pub fn of(value: &Value) -> Type {
        match value {
            Value::Integer(n) => IntegerType::new(*n, *n).expect("from is to").into(),
            _ => Type::any(),
        }
    }

    /// The type of a value with its elements reduced to their common type.
    pub fn reduced_of(value: &Value) -> Type {
        Type::of(value)
    }
}

/// The `%p` text.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.name())
    }
}
