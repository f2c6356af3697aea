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
#[inline]
pub(super) fn floor_remainder(a: i64, b: i64) -> Option<i64> {
    // The remainder of the lowest Integer by -1 is 0, which a plain division would not reach.
    if b == -1 {
        return Some(0);
    }
    let remainder = a.checked_rem(b)?;
    Some(if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder })
}

/// `None` if `b` is 0, or the quotient is too large.
#[inline]
pub(super) fn floor_quotient(a: i64, b: i64) -> Option<i64> {
    let quotient = a.checked_div(b)?;
    Some(if a % b != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

#[cfg(test)]
mod tests {
    use super::{floor_quotient, floor_remainder};

    /// Rounds down, in numbers in which nothing overflows.
    fn expected(a: i64, b: i64) -> (Option<i64>, Option<i64>) {
        if b == 0 {
            return (None, None);
        }
        let (a, b) = (i128::from(a), i128::from(b));
        let quotient = (a - (a % b + b) % b) / b;
        (i64::try_from(quotient).ok(), i64::try_from(a - quotient * b).ok())
    }

    #[test]
    fn quotients_are_rounded_down_and_remainders_have_the_sign_of_the_divisor() {
        assert_eq!((expected(-7, 2), expected(7, -2)), ((Some(-4), Some(1)), (Some(-4), Some(-1))));
        assert_eq!(expected(i64::MIN, -1), (None, Some(0)));
        let near = |number: i64| (-2..=2).map(move |distance| number.saturating_add(distance));
        let ends = [i64::MIN, i32::MIN.into(), -7, 0, 7, i32::MAX.into(), u32::MAX.into(), i64::MAX];
        let numbers: Vec<i64> = ends.into_iter().flat_map(near).collect();
        for &a in &numbers {
            for &b in &numbers {
                assert_eq!((floor_quotient(a, b), floor_remainder(a, b)), expected(a, b), "{a} and {b}");
            }
        }
    }
}
