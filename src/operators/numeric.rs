//! What operators on numbers and on times share: Strings as numbers, and division rounded down.
//!
//! Source: language specification, "String to Numeric Conversion".

use super::Host;
use super::error::{OperandError, OperatorError};
use crate::error::Result;
use crate::value::{Value, number};

/// The value, or the number in a String, by the strictness.
pub(super) fn coerced(value: &Value, host: &mut dyn Host) -> Result<Value> {
    let Value::String(text) = value else { return Ok(value.clone()) };
    let Some(number) = number::from_text(text) else { return Err(OperatorError::NotNumeric(value.clone()).into()) };
    host.warn_or_fail(OperatorError::Coerced { text: text.to_string(), number: number.clone() }.into())?;
    Ok(number)
}

/// The remainder that has the sign of the divisor.
pub(super) fn remainder(a: i64, b: i64) -> Result<Value, OperandError> {
    floor_remainder(a, b).map(Value::Integer).ok_or_else(|| OperandError::right(OperatorError::DivisionByZero))
}

/// `None` if `b` is 0.
pub(super) fn floor_remainder(a: i64, b: i64) -> Option<i64> {
    // The remainder of the lowest Integer by -1 is 0, which a plain division would not reach.
    if b == -1 {
        return Some(0);
    }
    let remainder = a.checked_rem(b)?;
    Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
}

/// `None` if `b` is 0, or the quotient is too large.
pub(super) fn floor_quotient(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}
