//! What is known before the program runs: the values of literals, and what is made of nothing but constants.

use std::sync::Arc;

use crate::error::Error;
use crate::eval::code::{Code, Op};
use crate::operators::{self, Body};
use crate::regexp::Regexp;
use crate::syntax::tree::{Literal, UnaryOperator};
use crate::value::{Array, Hash, Value};

/// The value of a literal.
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
        Literal::String(text) => Value::String(text.clone()),
        Literal::Regexp(text) => Value::Regexp(Arc::new(Regexp::new(text)?)),
    })
}

/// `-1` is a number, not something to calculate.
pub(super) fn folded_unary(operator: UnaryOperator, operand: Code) -> Op {
    match (operator, &operand.op) {
        (UnaryOperator::Minus, Op::Constant(Value::Integer(number))) if number.checked_neg().is_some() => {
            Op::Constant(Value::Integer(-number))
        }
        (UnaryOperator::Minus, Op::Constant(Value::Float(number))) => Op::Constant(Value::Float(-number)),
        _ => match operators::prefix(operator).body {
            Body::Prefix(apply) => Op::Prefix(apply, Box::new(operand)),
            _ => Op::Unfold(Box::new(operand)),
        },
    }
}

fn constants(codes: &[Code]) -> Option<Vec<Value>> {
    let constant = |code: &Code| match &code.op {
        Op::Constant(value) => Some(value.clone()),
        _ => None,
    };
    codes.iter().map(constant).collect()
}

pub(super) fn folded_array(elements: Box<[Code]>) -> Op {
    match constants(&elements) {
        Some(values) => Op::Constant(Value::Array(Array::from(values))),
        None => Op::Array(elements),
    }
}

pub(super) fn folded_hash(entries: Box<[(Code, Code)]>) -> Op {
    let constant = |(key, value): &(Code, Code)| match (&key.op, &value.op) {
        (Op::Constant(key), Op::Constant(value)) => Some((key.clone(), value.clone())),
        _ => None,
    };
    match entries.iter().map(constant).collect::<Option<Hash>>() {
        Some(hash) => Op::Constant(Value::Hash(hash)),
        None => Op::Hash(entries),
    }
}

/// `Integer[1, 10]` is always the same type. What is wrong is left to be found when it runs, and so are several titles and
/// Arrays: an alias refuses them.
pub(super) fn folded_access(target: Code, keys: Box<[Code]>) -> Op {
    if let Op::Constant(Value::Type(type_)) = &target.op
        && let Some(arguments) = constants(&keys)
        && (type_.row().takes_arrays || !arguments.iter().any(|argument| matches!(argument, Value::Array(_))))
        && let Ok(type_) = type_.with_arguments(&arguments)
    {
        return Op::Constant(Value::Type(type_));
    }
    Op::Access(Box::new(target), keys)
}
