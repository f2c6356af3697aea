//! The implementations of `new` that are longer than a few lines in the file of the type.
//!
//! The evaluator checks arguments against the signatures of a type, but `Optional[Integer].new` skips that, so
//! everything here rejects invalid arguments itself.

mod collection;
mod number;
mod scalar;

use std::fmt;

use crate::error::{Kind, RUNTIME_ERROR, Result};
use crate::types::relation::mismatch::describe;
use crate::value::Value;

pub(in crate::types) use collection::{array, hash};
pub(in crate::types) use number::{
    float, float_by_specification, integer, integer_by_specification, numeric, numeric_by_specification,
};
pub(in crate::types) use scalar::{boolean, regexp};

/// The arguments in the order of `names`: a lone Hash gives them by name.
pub(in crate::types) fn by_position<'a, const COUNT: usize>(
    type_: &'static str,
    arguments: &'a [Value],
    names: &[&'static str; COUNT],
) -> Result<[Option<&'a Value>; COUNT]> {
    let [Value::Hash(entries)] = arguments else {
        if arguments.len() > names.len() {
            return Err(ConstructError::Arity { type_, most: names.len(), got: arguments.len() }.into());
        }
        return Ok(std::array::from_fn(|at| arguments.get(at)));
    };
    let is_known = |key: &&Value| matches!(key, Value::String(key) if names.contains(&&**key));
    if let Some(unknown) = entries.keys().find(|key| !is_known(key)) {
        let names = names.join(", ");
        return Err(ConstructError::Name { type_, name: crate::format::program_text(unknown), names }.into());
    }
    Ok(names.map(|name| entries.get_str(name)))
}

/// In what a [`ConstructError::Value`] expects, what is in front of the examples.
const SUCH_AS: &str = ", such as ";

/// Why there is no value of a type for some arguments.
pub(in crate::types) enum ConstructError {
    /// `Any.new(1, 2)`
    Constructor { type_: &'static str },
    /// `Enum['a']('b')`
    NoInstance { name: &'static str, type_: String, value: Value },
    /// `Integer('abc')`, `Integer([1])`
    Value { type_: &'static str, value: Value, expected: &'static str },
    /// `Integer(1, 2, 3, 4)`
    Arity { type_: &'static str, most: usize, got: usize },
    /// `Integer({'number' => 1})`
    Name { type_: &'static str, name: String, names: String },
    /// `Integer('1', 3)`
    Parameter { type_: &'static str, parameter: &'static str, expected: &'static str, value: Value },
    /// `Integer(1.0e30)`
    TooLarge { type_: &'static str, value: Value },
    /// `Hash([1, 2, 3])`
    OddList { count: usize },
    /// `Hash([[['a'], 1], [['a', 'b'], 2]], 'tree')`
    Tree { path: Value },
}

impl fmt::Display for ConstructError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConstructError::Constructor { type_ } => {
                write!(f, "{type_} cannot convert values: it accepts only one argument that is already an instance")
            }
            ConstructError::NoInstance { name, type_, value } => {
                write!(f, "{} is not of type {type_}; {name} cannot convert values", describe(value))
            }
            ConstructError::Value { type_, value, expected } => {
                let expected = expected.split_once(SUCH_AS).map_or(*expected, |(kind, _)| kind);
                write!(f, "cannot convert {} to {type_}: expected {expected}", describe(value))
            }
            ConstructError::Arity { type_, most, got } => {
                write!(f, "{type_}.new accepts at most {most} arguments, got {got}")
            }
            ConstructError::Name { type_, name, names } => {
                write!(f, "{type_}.new has no argument {name}: expected {names}")
            }
            ConstructError::Parameter { type_, parameter, expected, value } => {
                write!(f, "{parameter} of {type_}.new must be {expected}, got {}", describe(value))
            }
            ConstructError::TooLarge { type_, value } => {
                write!(f, "{} does not fit into a 64-bit {type_}", describe(value))
            }
            ConstructError::OddList { count } => write!(f, "keys and values must come in pairs, got {count} elements"),
            ConstructError::Tree { path } => {
                write!(
                    f,
                    "cannot insert a value at {}: the value there has no elements",
                    crate::format::program_text(path)
                )
            }
        }
    }
}

impl Kind for ConstructError {
    fn code(&self) -> &'static str {
        RUNTIME_ERROR
    }

    fn help(&self) -> Option<String> {
        match self {
            ConstructError::Value { value: Value::String(text), .. } if text.trim() != &**text => {
                Some("remove the white space with strip()".into())
            }
            ConstructError::Value { type_: "Integer", value: Value::String(text), .. }
                if text.parse::<f64>().is_ok() =>
            {
                Some(format!("cut off the fraction with Integer(Float('{text}'))"))
            }
            ConstructError::Value { expected, .. } => {
                expected.split_once(SUCH_AS).map(|(_, examples)| format!("write a string such as {examples}"))
            }
            ConstructError::Constructor { .. }
            | ConstructError::NoInstance { .. }
            | ConstructError::Arity { .. }
            | ConstructError::Name { .. }
            | ConstructError::Parameter { .. }
            | ConstructError::TooLarge { .. }
            | ConstructError::OddList { .. }
            | ConstructError::Tree { .. } => None,
        }
    }
}
