//! The constructors (`new`) that are too long for the file of their type: those of numbers, Array and Hash.
//!
//! The evaluator checks arguments against the signatures of a type, but `Optional[Integer].new` skips this check, so
//! the constructors reject invalid arguments themselves.

mod collection;
mod number;

use crate::error::{Error, RUNTIME_ERROR, Result, errors};
use crate::format::program_text;
use crate::types::describe::describe;
use crate::value::Value;

pub(in crate::types) use collection::{construct_array, construct_hash};
pub(in crate::types) use number::{
    construct_integer, construct_number, float_by_specification, integer_by_specification, numeric_by_specification,
};

/// Returns the arguments of `new`, by position or by name in a single Hash, in the order of `names`; `None` if missing.
pub(in crate::types) fn arguments_in_order<'a, const COUNT: usize>(
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
        return Err(ConstructError::Name { type_, name: program_text(unknown), names }.into());
    }
    Ok(names.map(|name| entries.get_str(name)))
}

fn wrong_parameter_error(type_: &'static str, parameter: &'static str, expected: &'static str, value: &Value) -> Error {
    ConstructError::Parameter { type_, parameter, expected, value: value.clone() }.into()
}

pub(in crate::types) fn wrong_value_error(type_: &'static str, value: &Value, expected: &'static str) -> Error {
    ConstructError::Value { type_, value: value.clone(), expected }.into()
}

/// Separates the expected kind of value from examples in the field `expected` of [`ConstructError::Value`].
const EXAMPLES_SEPARATOR: &str = ", such as ";

errors! {
    pub(in crate::types) enum ConstructError {
        /// `Any.new(1, 2)`
        Constructor { type_: &'static str } => RUNTIME_ERROR,
            message("{type_} cannot convert values: it accepts only one argument that is already an instance");
        /// `Enum['a']('b')`
        NoInstance { name: &'static str, type_: String, value: Value } => RUNTIME_ERROR,
            message("{} is not of type {type_}; {name} cannot convert values", describe(value));
        /// `Integer('abc')`, `Integer([1])`
        Value { type_: &'static str, value: Value, expected: &'static str } => RUNTIME_ERROR,
            message("cannot convert {} to {type_}: expected {}", describe(value), {
                expected.split_once(EXAMPLES_SEPARATOR).map_or(*expected, |(kind, _)| kind)
            }),
            help {
                match value {
                    Value::String(text) if text.trim() != &**text => {
                        Some("remove the white space with strip()".to_owned())
                    }
                    Value::String(text) if *type_ == "Integer" && text.starts_with('0') && text.parse::<i64>().is_ok() => {
                        Some(format!("a 0 in front means octal: for a decimal number, write Integer('{text}', 10)"))
                    }
                    Value::String(text) if *type_ == "Integer" && text.parse::<f64>().is_ok() => {
                        Some(format!("cut off the fraction with Integer(Float('{text}'))"))
                    }
                    _ => expected.split_once(EXAMPLES_SEPARATOR).map(|(_, examples)| format!("write a string such as {examples}")),
                }
            };
        /// `Integer(1, 2, 3, 4)`
        Arity { type_: &'static str, most: usize, got: usize } => RUNTIME_ERROR,
            message("{type_}.new accepts at most {most} arguments, got {got}");
        /// `Integer({'number' => 1})`
        Name { type_: &'static str, name: String, names: String } => RUNTIME_ERROR,
            message("{type_}.new has no argument {name}: expected {names}");
        /// `Integer('1', 3)`
        Parameter { type_: &'static str, parameter: &'static str, expected: &'static str, value: Value }
            => RUNTIME_ERROR,
            message("{parameter} of {type_}.new must be {expected}, got {}", describe(value));
        /// `Integer(1.0e30)`
        TooLarge { type_: &'static str, value: Value } => RUNTIME_ERROR,
            message("{} does not fit into a 64-bit {type_}", describe(value));
        /// `Hash([1, 2, 3])`
        OddList { count: usize } => RUNTIME_ERROR,
            message("keys and values must come in pairs, got {count} elements");
        /// `Hash([[['a'], 1], [['a', 'b'], 2]], 'tree')`
        Tree { path: Value } => RUNTIME_ERROR,
            message("cannot insert a value at {}: the value there has no elements", program_text(path));
    }
}
