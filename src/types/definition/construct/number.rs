//! The constructors `Integer.new`, `Float.new` and `Numeric.new`.
//!
//! Source: language specification, "Integer.new", "Float.new" and "Numeric.new".
//! Observed: Puppet 8.11 accepts hexadecimal digits only after `0x`, and no radix for Numeric; where the specification
//! differs, the functions named `…_by_specification` follow it.

use super::{ConstructError, arguments_in_order, wrong_parameter_error, wrong_value_error};
use crate::error::{Error, Result};
use crate::value::Value;
use crate::value::number::{NumberDigits, parse_float, parse_integer, split_sign, truncate_to_integer};

/// Implements `Integer.new(from, radix, abs)`: truncates a Float, and rounds a Timespan or Timestamp down to seconds.
pub(in crate::types) fn construct_integer(arguments: &[Value]) -> Result<Value> {
    let [from, radix, absolute] = arguments_in_order("Integer", arguments, &["from", "radix", "abs"])?;
    let from = from.unwrap_or(&Value::Undef);
    let radix = radix_argument(radix)?;
    let absolute = abs_argument("Integer", absolute)?;
    let refused = || wrong_value_error("Integer", from, describe_expected_digits(radix));
    let too_large = || Error::from(ConstructError::TooLarge { type_: "Integer", value: from.clone() });
    let integer = match from {
        Value::Integer(number) => *number,
        Value::Float(number) => truncate_to_integer(*number).ok_or_else(too_large)?,
        Value::Boolean(value) => i64::from(*value),
        Value::Timespan(span) => span.to_integer()?,
        Value::Timestamp(stamp) => stamp.to_integer()?,
        Value::String(text) => {
            let (negative, body) = split_sign(text);
            let shape = NumberDigits::classify_number(body).ok_or_else(refused)?;
            let (digits, radix) = match (radix, shape) {
                (None | Some(2), NumberDigits::Binary(digits)) => (digits, 2),
                (None | Some(16), NumberDigits::Hexadecimal(digits)) => (digits, 16),
                (None, NumberDigits::Octal(digits)) => (digits, 8),
                (None, NumberDigits::Decimal(digits)) => (digits, 10),
                (Some(radix), NumberDigits::Octal(digits) | NumberDigits::Decimal(digits)) => (digits, radix),
                // Every string in binary is one in hexadecimal, b included.
                (Some(16), NumberDigits::Binary(_)) => (body, 16),
                _ => return Err(refused()),
            };
            let are_digits = digits.chars().all(|digit| digit.is_digit(radix));
            parse_integer(negative, digits, radix).ok_or_else(|| if are_digits { too_large() } else { refused() })?
        }
        _ => {
            let expected = "a number, a Boolean, a Timespan, a Timestamp or a string with an integer";
            return Err(wrong_value_error("Integer", from, expected));
        }
    };
    let integer = if absolute { integer.checked_abs().ok_or_else(too_large)? } else { integer };
    Ok(Value::Integer(integer))
}

fn describe_expected_digits(radix: Option<u32>) -> &'static str {
    match radix {
        Some(2) => "binary digits, such as '101' or '0b101'",
        Some(8) => "octal digits, such as '17'",
        Some(10) => "decimal digits, such as '42'",
        Some(16) => "hexadecimal digits after 0x, such as '0x1f'",
        _ => "a string with an integer, such as '42', '-7' or '0x1f'",
    }
}

/// Implements `Integer.new` as specified: with a radix, the prefix of the string is optional, `Integer('FF', 16)`.
pub(in crate::types) fn integer_by_specification(arguments: &[Value]) -> Option<Value> {
    let given = arguments_in_order("Integer", arguments, &["from", "radix", "abs"]).ok()?;
    let [Some(Value::String(text)), radix, absolute] = given else { return None };
    let (radix, absolute) = (radix_argument(radix).ok()??, abs_argument("Integer", absolute).ok()?);
    let (negative, body) = split_sign(text);
    let letters: &[char] = match radix {
        2 => &['b', 'B'],
        16 => &['x', 'X'],
        _ => &[],
    };
    let digits = body.strip_prefix('0').and_then(|rest| rest.strip_prefix(letters)).unwrap_or(body);
    let number = parse_integer(negative, digits, radix)?;
    Some(Value::Integer(if absolute { number.checked_abs()? } else { number }))
}

/// Implements `Float.new(from, abs)` and `Numeric.new(from, abs)`: for Numeric, a Boolean gives an Integer, a string an
/// Integer or a Float, and a time a Float.
pub(in crate::types) fn construct_number(type_: &'static str, arguments: &[Value]) -> Result<Value> {
    let [from, absolute] = arguments_in_order(type_, arguments, &["from", "abs"])?;
    let from = from.unwrap_or(&Value::Undef);
    let absolute = abs_argument(type_, absolute)?;
    let is_float = type_ == "Float";
    let refused = |expected| wrong_value_error(type_, from, expected);
    let number = match from {
        Value::Integer(_) | Value::Float(_) => from.clone(),
        Value::Boolean(value) => Value::Integer(i64::from(*value)),
        Value::Timespan(span) => Value::Float(span.to_float()),
        Value::Timestamp(stamp) => Value::Float(stamp.to_float()),
        Value::String(text) => {
            parse_number(text, is_float).ok_or_else(|| refused("a string with a number, such as '42' or '1.5e3'"))?
        }
        _ => return Err(refused("a number, a Boolean, a Timespan, a Timestamp or a string with a number")),
    };
    let too_large = || ConstructError::TooLarge { type_, value: from.clone() };
    Ok(match number {
        Value::Integer(number) if is_float => float_value(number as f64, absolute),
        Value::Integer(number) if absolute => Value::Integer(number.checked_abs().ok_or_else(too_large)?),
        Value::Float(number) => float_value(number, absolute),
        number => number,
    })
}

fn float_value(number: f64, absolute: bool) -> Value {
    Value::Float(if absolute { number.abs() } else { number })
}

/// Parses a number; `None` if it is invalid. With `is_float`, decimal digits are read as a Float and cannot overflow.
fn parse_number(text: &str, is_float: bool) -> Option<Value> {
    let (negative, body) = split_sign(text);
    let integer = |digits, radix| parse_integer(negative, digits, radix).map(Value::Integer);
    let float = |digits| parse_float(negative, digits).map(Value::Float);
    match NumberDigits::classify_number(body)? {
        NumberDigits::Binary(digits) => integer(digits, 2),
        NumberDigits::Hexadecimal(digits) => integer(digits, 16),
        // A leading zero says that the digits are octal, and is then forgotten.
        NumberDigits::Octal(digits) if is_float => float(digits).filter(|_| !digits.contains(['8', '9'])),
        NumberDigits::Octal(digits) => integer(digits, 8),
        NumberDigits::Decimal(digits) if is_float => float(digits),
        NumberDigits::Decimal(digits) => integer(digits, 10),
        // `0.5`, but not `01.5`.
        NumberDigits::Float(text) => float(text).filter(|_| !matches!(text.as_bytes(), [b'0', b'0'..=b'9', ..])),
    }
}

/// Implements `Float.new` as specified: the string may start with zeros, `Float('010.5')`.
pub(in crate::types) fn float_by_specification(arguments: &[Value]) -> Option<Value> {
    let [Some(Value::String(text)), absolute] = arguments_in_order("Float", arguments, &["from", "abs"]).ok()? else {
        return None;
    };
    let (negative, body) = split_sign(text);
    let (NumberDigits::Octal(digits) | NumberDigits::Decimal(digits) | NumberDigits::Float(digits)) =
        NumberDigits::classify_number(body)?
    else {
        return None;
    };
    Some(float_value(parse_float(negative, digits)?, abs_argument("Float", absolute).ok()?))
}

/// Implements `Numeric.new` as specified: a string with an integer may be followed by a radix, `Numeric('010', 10)`.
pub(in crate::types) fn numeric_by_specification(arguments: &[Value]) -> Option<Value> {
    if let [Value::String(_), _] = arguments { integer_by_specification(arguments) } else { None }
}

/// Returns the radix argument, or `None` if it is missing or `default`: then the prefix of the string decides.
fn radix_argument(radix: Option<&Value>) -> Result<Option<u32>> {
    match radix {
        None | Some(Value::Default) => Ok(None),
        Some(Value::Integer(radix @ (2 | 8 | 10 | 16))) => Ok(u32::try_from(*radix).ok()),
        Some(value) => Err(wrong_parameter_error("Integer", "radix", "2, 8, 10, 16 or default", value)),
    }
}

fn abs_argument(type_: &'static str, absolute: Option<&Value>) -> Result<bool> {
    match absolute {
        None => Ok(false),
        Some(Value::Boolean(absolute)) => Ok(*absolute),
        Some(value) => Err(wrong_parameter_error(type_, "abs", "true or false", value)),
    }
}
