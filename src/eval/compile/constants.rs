//! Evaluates literals and expressions made of constants at compile time.

use std::sync::Arc;

use crate::error::Error;
use crate::eval::code::{Code, Op};
use crate::operators::{self, OperatorBody};
use crate::regexp::Regexp;
use crate::syntax::tree::{Literal, UnaryOperator};
use crate::value::{Array, Hash, Value};

/// Returns the value of a literal.
///
/// # Errors
/// If the literal is an invalid regular expression.
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

pub(super) fn fold_unary(operator: UnaryOperator, operand: Code) -> Op {
    match (operator, &operand.op) {
        (UnaryOperator::Minus, Op::Constant(Value::Integer(number))) if number.checked_neg().is_some() => {
            Op::Constant(Value::Integer(-number))
        }
        (UnaryOperator::Minus, Op::Constant(Value::Float(number))) => Op::Constant(Value::Float(-number)),
        _ => match operators::prefix_operator_row(operator).body {
            OperatorBody::Prefix(apply) => Op::Prefix(apply, Box::new(operand)),
            _ => Op::Unfold(Box::new(operand)),
        },
    }
}

fn constant_values(codes: &[Code]) -> Option<Vec<Value>> {
    let constant = |code: &Code| match &code.op {
        Op::Constant(value) => Some(value.clone()),
        _ => None,
    };
    codes.iter().map(constant).collect()
}

pub(super) fn fold_array(elements: Box<[Code]>) -> Op {
    match constant_values(&elements) {
        Some(values) => Op::Constant(Value::Array(Array::from(values))),
        None => Op::Array(elements),
    }
}

pub(super) fn fold_hash(entries: Box<[(Code, Code)]>) -> Op {
    let constant = |(key, value): &(Code, Code)| match (&key.op, &value.op) {
        (Op::Constant(key), Op::Constant(value)) => Some((key.clone(), value.clone())),
        _ => None,
    };
    match entries.iter().map(constant).collect::<Option<Hash>>() {
        Some(hash) => Op::Constant(Value::Hash(hash)),
        None => Op::Hash(entries),
    }
}

/// Compiles `target[keys…]`; `Integer[1, 10]` becomes a constant. Invalid types, several titles and Arrays as keys are
/// evaluated at run time, because a type alias treats them differently.
pub(super) fn fold_access(target: Code, keys: Box<[Code]>) -> Op {
    if let Op::Constant(Value::Type(type_)) = &target.op
        && let Some(arguments) = constant_values(&keys)
        && (type_.row().takes_arrays || !arguments.iter().any(|argument| matches!(argument, Value::Array(_))))
        && let Ok(type_) = type_.with_arguments(&arguments)
    {
        return Op::Constant(Value::Type(type_));
    }
    Op::Access(Box::new(target), keys)
}
