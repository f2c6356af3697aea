//! What is known before the program runs: the values of literals, and what is made of nothing but constants.

use std::sync::Arc;

use crate::error::Error;
use crate::eval::code::{Code, Step};
use crate::operators::{self, Body};
use crate::regexp::Regexp;
use crate::syntax::tree::{Literal, UnaryOperator};
use crate::value::{Array, Hash, Value};

/// The value that a literal stands for.
/// ```
/// use pcore::{session::literal_value, syntax::tree::{Literal, Radix}};
/// assert_eq!(literal_value(&Literal::Integer(31, Radix::Hexadecimal)).unwrap(), 31.into());
/// ```
///
/// # Errors
/// A regular expression that can match nothing because it is wrong.
pub fn literal_value(literal: &Literal) -> Result<Value, Error> {
    Ok(match literal {
        Literal::Undef => Value::Undef,
        Literal::Default => Value::Default,
        Literal::Boolean(value) => Value::Boolean(*value),
        Literal::Integer(value, _) => Value::Integer(*value),
        Literal::Float(value) => Value::Float(*value),
        Literal::String(text) => Value::from(&**text),
        Literal::Regexp(text) => Value::Regexp(Arc::new(Regexp::new(text)?)),
    })
}

/// `-1` is a number, not something to calculate.
pub(super) fn folded_unary(operator: UnaryOperator, operand: Code) -> Step {
    match (operator, &operand.step) {
        (UnaryOperator::Minus, Step::Constant(Value::Integer(number))) if number.checked_neg().is_some() => {
            Step::Constant(Value::Integer(-number))
        }
        (UnaryOperator::Minus, Step::Constant(Value::Float(number))) => Step::Constant(Value::Float(-number)),
        _ => match operators::prefix(operator).body {
            Body::Prefix(apply) => Step::Prefix(apply, Box::new(operand)),
            _ => Step::Unfold(Box::new(operand)),
        },
    }
}

fn constants(codes: &[Code]) -> Option<Vec<Value>> {
    let constant = |code: &Code| match &code.step {
        Step::Constant(value) => Some(value.clone()),
        _ => None,
    };
    codes.iter().map(constant).collect()
}

pub(super) fn folded_array(elements: Box<[Code]>) -> Step {
    match constants(&elements) {
        Some(values) => Step::Constant(Value::Array(Array::from(values))),
        None => Step::Array(elements),
    }
}

pub(super) fn folded_hash(entries: Box<[(Code, Code)]>) -> Step {
    let constant = |(key, value): &(Code, Code)| match (&key.step, &value.step) {
        (Step::Constant(key), Step::Constant(value)) => Some((key.clone(), value.clone())),
        _ => None,
    };
    match entries.iter().map(constant).collect::<Option<Hash>>() {
        Some(hash) => Step::Constant(Value::Hash(hash)),
        None => Step::Hash(entries),
    }
}

/// `Integer[1, 10]` is always the same type. What is wrong is left to be found when it runs, and several titles as well:
/// an alias refuses them.
pub(super) fn folded_access(target: Code, keys: Box<[Code]>) -> Step {
    if let Step::Constant(Value::Type(type_)) = &target.step
        && let Some(arguments) = constants(&keys)
        && let Ok(type_) = type_.with_arguments(&arguments)
    {
        return Step::Constant(Value::Type(type_));
    }
    Code::access(target, keys)
}
