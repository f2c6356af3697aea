//! Errors in the parameters of a type.

use std::fmt;

use crate::error::{Kind, RUNTIME_ERROR};
use crate::types::relation::mismatch::describe;
use crate::types::{self};
use crate::value::Value;

/// The issue codes of errors that one argument alone makes.
///
/// Observed: Puppet 7.23 points at that argument.
pub(super) const ABOUT_ONE_ARGUMENT: [&str; 9] = [
    "BAD_COLLECTION_SLICE_TYPE",
    "BAD_INTEGER_SLICE_TYPE",
    "BAD_NOT_UNDEF_SLICE_TYPE",
    "BAD_TYPE_SLICE_TYPE",
    "BAD_TYPE_SPECIALIZATION",
    "ILLEGAL_CLASSREF",
    "ILLEGAL_HOSTCLASS_NAME",
    "ILLEGAL_NAME",
    "ILLEGAL_RESOURCE_SPECIALIZATION",
];

/// Why a type cannot be written like that. `type_` is the name before the brackets.
#[derive(Debug)]
pub(crate) enum TypeError {
    /// `Any[1]`
    TakesNoParameters { type_: &'static str },
    /// `type Port = Integer  Port[1]`
    AliasTakesNoParameters { name: String },
    /// `Boolean[true, false]`; `expected` as in `1 or 2`
    Arity { type_: &'static str, expected: &'static str, got: usize },
    /// `Integer[1, 2, 3]`
    RangeArity { type_: &'static str, got: usize },
    /// `String[1, 2, 3]`
    StringArity { got: usize },
    /// `Array['x']`: `got` stands where a type is expected
    NotAType { type_: &'static str, got: String },
    /// `Integer['x']`
    NotAnEnd { type_: &'static str, got: String },
    /// `Array[Integer, 'x']`
    NotASize { got: String },
    /// `NotUndef[1]`
    NotUndefParameter { got: String },
    /// `Enum[1]`; `expected` as in `a String`
    Parameter { type_: &'static str, expected: &'static str, got: String },
    /// `Integer[10, 1]`
    Descending { from: String, to: String },
    /// `Resource[1]`
    ResourceParameter { got: String },
    /// `Resource['not a name']`
    ResourceName { got: String },
    /// `File['a']['mode']`
    ResourceAttribute { resource: String },
    /// `Class[1]`
    ClassParameter { got: String },
    /// `Class['not a name']`
    ClassName { got: String },
    /// `Point('x')`; `type_` is the name of an Object type
    Construction { type_: String, problem: String },
    /// `type A = A`, or through others: the names on the way, first and last the same
    ResolvesToItself { names: Vec<String> },
    /// `type A = Object[{parent => A}]`
    InheritsFromItself { name: String },
    /// `1 =~ Init[Any]`: `type_` makes nothing of a value, followed by `arguments`
    Unusable { type_: String, arguments: Vec<String> },
    /// `Struct[{1 => Integer}]` and what else is wrong inside one parameter, in words
    Content { type_: &'static str, problem: String },
}

impl TypeError {
    /// `value` is not what the parameter of `type_` should be.
    pub(crate) fn parameter(type_: &'static str, expected: &'static str, value: &Value) -> TypeError {
        TypeError::Parameter { type_, expected, got: describe(value) }
    }

    /// `value` is not a type.
    pub(crate) fn not_a_type(type_: &'static str, value: &Value) -> TypeError {
        TypeError::NotAType { type_, got: describe(value) }
    }
}

impl Kind for TypeError {
    fn code(&self) -> &'static str {
        match self {
            TypeError::TakesNoParameters { .. } | TypeError::AliasTakesNoParameters { .. } => "OPERATOR_NOT_APPLICABLE",
            TypeError::Arity { .. } => "BAD_TYPE_SLICE_ARITY",
            TypeError::RangeArity { .. } => "BAD_INTEGER_SLICE_ARITY",
            TypeError::StringArity { .. } => "BAD_STRING_SLICE_ARITY",
            TypeError::NotAType { .. } => "BAD_TYPE_SLICE_TYPE",
            TypeError::NotAnEnd { .. } => "BAD_INTEGER_SLICE_TYPE",
            TypeError::NotASize { .. } => "BAD_COLLECTION_SLICE_TYPE",
            TypeError::NotUndefParameter { .. } => "BAD_NOT_UNDEF_SLICE_TYPE",
            TypeError::Parameter { .. } => "BAD_TYPE_SPECIALIZATION",
            TypeError::ResourceParameter { .. } => "ILLEGAL_RESOURCE_SPECIALIZATION",
            TypeError::ResourceName { .. } => "ILLEGAL_CLASSREF",
            TypeError::ResourceAttribute { .. } => "UNKNOWN_RESOURCE",
            TypeError::ClassParameter { .. } => "ILLEGAL_HOSTCLASS_NAME",
            TypeError::ClassName { .. } => "ILLEGAL_NAME",
            TypeError::Descending { .. }
            | TypeError::ResolvesToItself { .. }
            | TypeError::InheritsFromItself { .. }
            | TypeError::Construction { .. }
            | TypeError::Unusable { .. }
            | TypeError::Content { .. } => RUNTIME_ERROR,
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            TypeError::TakesNoParameters { type_ } => Some(format!("write {type_} without brackets")),
            TypeError::Arity { type_, .. } => {
                let row = types::TABLE.iter().find(|row| row.name == *type_)?;
                Some(format!("write {type_}[{}]", row.parameters))
            }
            TypeError::NotAnEnd { got, .. } if got.starts_with("String '") => {
                Some("write a bound without quotes: `[1, 10]`".to_owned())
            }
            TypeError::NotASize { got } if got.starts_with("String '") => {
                Some("write a size without quotes, as in `[1, 10]`; for given strings, `Enum['a', 'b']`".to_owned())
            }
            TypeError::NotASize { .. } => {
                Some("put sizes behind the types: `Array[String, 1, 10]`, `Hash[String, Any, 1]`".to_owned())
            }
            TypeError::NotAType { .. } => {
                Some("write a type there, with an upper-case letter and without quotes: `Array[String]`".to_owned())
            }
            TypeError::Descending { from, to } => Some(format!("put the lower bound first: [{to}, {from}]")),
            TypeError::ResolvesToItself { .. } => {
                Some("wrap the alias in an Array, a Hash, a Tuple or a Struct".to_owned())
            }
            _ => None,
        }
    }
}

impl fmt::Display for TypeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeError::TakesNoParameters { type_ } => write!(f, "{type_} accepts no parameters"),
            TypeError::AliasTakesNoParameters { name } => write!(f, "the type alias {name} accepts no parameters"),
            TypeError::Arity { type_, expected, got } => {
                let noun = if expected.ends_with('1') { "parameter" } else { "parameters" };
                write!(f, "{type_} accepts {expected} {noun}, got {got}")
            }
            TypeError::RangeArity { type_, got } => write!(f, "{type_} accepts 1 or 2 parameters, got {got}"),
            TypeError::StringArity { got } => write!(f, "String accepts 1 or 2 parameters, got {got}"),
            TypeError::NotAType { type_, got } => write!(f, "expected a type as a parameter of {type_}, got {got}"),
            TypeError::NotAnEnd { type_, got } => {
                let number = if *type_ == "Float" { "a number" } else { "an Integer" };
                write!(f, "expected {number} or default as a bound of {type_}, got {got}")
            }
            TypeError::NotASize { got } => {
                write!(f, "expected a size (one or two Integers or defaults, or an Integer range), got {got}")
            }
            TypeError::NotUndefParameter { got } => {
                write!(f, "expected a type or a String as the parameter of NotUndef, got {got}")
            }
            TypeError::Parameter { type_, expected, got } => {
                write!(f, "expected {expected} as a parameter of {type_}, got {got}")
            }
            TypeError::Descending { from, to } => write!(f, "the range is descending: {from} is greater than {to}"),
            TypeError::ResourceParameter { got } => {
                write!(f, "expected a resource type or its name as the parameter of Resource, got {got}")
            }
            TypeError::ResourceName { got } => {
                write!(f, "expected the name of a resource type (letters, digits, underscores and ::), got {got}")
            }
            TypeError::ResourceAttribute { resource } => {
                write!(f, "cannot read attributes of {resource}: pcore does not compile catalogs")
            }
            TypeError::ClassParameter { got } => write!(f, "expected the name of a class, got {got}"),
            TypeError::ClassName { got } => {
                write!(
                    f,
                    "expected the name of a class (segments of letters, digits and underscores, joined by ::), got {got}"
                )
            }
            TypeError::Construction { type_, problem } => write!(f, "cannot create an instance of {type_}: {problem}"),
            TypeError::ResolvesToItself { names } => {
                write!(f, "the type alias refers only to itself: {}", names.join(" = "))
            }
            TypeError::InheritsFromItself { name } => write!(f, "the Object type {name} inherits from itself"),
            TypeError::Unusable { type_, arguments } if arguments.is_empty() => {
                write!(f, "Init[{type_}] cannot be used, because {type_} has no constructor")
            }
            TypeError::Unusable { type_, arguments } => {
                write!(f, "{type_} cannot be constructed from a value followed by {}", arguments.join(", "))
            }
            TypeError::Content { type_, problem } => write!(f, "invalid parameter of {type_}: {problem}"),
        }
    }
}
