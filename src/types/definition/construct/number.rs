//! `Integer.new`, `Float.new` and `Numeric.new`.
//!
//! Source: language specification, "Integer.new", "Float.new" and "Numeric.new".
//! Observed: Puppet 8.11 accepts hexadecimal digits only after `0x`, and no radix for Numeric; where the specification
//! differs, the functions named `…_by_specification` follow it.

use super::{ConstructError, by_position};
use crate::error::Result;
use crate::value::Value;
use crate::value::number::{Body, float_of_text, integer_of_digits, split_sign, truncated};

/// `Integer.new(from, radix, abs)`. The fraction of a Float is cut off, that of a Timespan or Timestamp rounds down.
pub(in crate::types) fn integer(arguments: &[Value]) -> Result<Value> {
    let [from, radix, absolute] = by_position("Integer", arguments, &["from", "radix", "abs"])?;
    let from = from.unwrap_or(&Value::Undef);
    let radix = radix_of(radix)?;
    let absolute = is_absolute("Integer", absolute)?;
    let refused = || ConstructError::Value { type_: "Integer", value: from.clone(), expected: text_in_radix(radix) };
    let too_large = || ConstructError::TooLarge { type_: "Integer", value: from.clone() };
    let integer = match from {
        Value::Integer(number) => *number,
        Value::Float(number) => truncated(*number).ok_or_else(too_large)?,
        Value::Boolean(value) => i64::from(*value),
        Value::Timespan(span) => span.integer()?,
        Value::Timestamp(stamp) => stamp.integer()?,
        Value::String(text) => {
            let (negative, body) = split_sign(text);
            let shape = Body::of(body).ok_or_else(refused)?;
            let (digits, radix) = match (radix, shape) {
                (None | Some(2), Body::Binary(digits)) => (digits, 2),
                (None | Some(16), Body::Hexadecimal(digits)) => (digits, 16),
                (None, Body::Octal(digits)) => (digits, 8),
                (None, Body::Decimal(digits)) => (digits, 10),
                (Some(radix), Body::Octal(digits) | Body::Decimal(digits)) => (digits, radix),
                // Every string in binary is one in hexadecimal, b included.
                (Some(16), Body::Binary(_)) => (body, 16),
                _ => return Err(refused().into()),
            };
            let are_digits = digits.chars().all(|digit| digit.is_digit(radix));
            integer_of_digits(negative, digits, radix)
                .ok_or_else(|| if are_digits { too_large() } else { refused() })?
        }
        _ => {
            let expected = "a number, a Boolean, a Timespan, a Timestamp or a string with an integer";
            return Err(ConstructError::Value { type_: "Integer", value: from.clone(), expected }.into());
        }
    };
    let integer = if absolute { integer.checked_abs().ok_or_else(too_large)? } else { integer };
    Ok(Value::Integer(integer))
}

fn text_in_radix(radix: Option<u32>) -> &'static str {
    match radix {
        Some(2) => "binary digits, such as '101' or '0b101'",
        Some(8) => "octal digits, such as '17'",
        Some(10) => "decimal digits, such as '42'",
        Some(16) => "hexadecimal digits after 0x, such as '0x1f'",
        _ => "a string with an integer, such as '42', '-7' or '0x1f'",
    }
}

/// `Integer('FF', 16)`: the prefix is optional.
pub(in crate::types) fn integer_by_specification(arguments: &[Value]) -> Option<Value> {
    let [Some(Value::String(text)), radix, absolute] =
        by_position("Integer", arguments, &["from", "radix", "abs"]).ok()?
    else {
        return None;
    };
    let (radix, absolute) = (radix_of(radix).ok()??, is_absolute("Integer", absolute).ok()?);
    let (negative, body) = split_sign(text);
    let letters: &[char] = match radix {
        2 => &['b', 'B'],
        16 => &['x', 'X'],
        _ => &[],
    };
    let digits = body.strip_prefix('0').and_then(|rest| rest.strip_prefix(letters)).unwrap_or(body);
    let number = integer_of_digits(negative, digits, radix)?;
    Some(Value::Integer(if absolute { number.checked_abs()? } else { number }))
}

/// `Float.new(from, abs)`.
pub(in crate::types) fn float(arguments: &[Value]) -> Result<Value> {
    number("Float", arguments)
}

/// `Numeric.new(from, abs)`: an Integer where the text is that of one, else a Float.
pub(in crate::types) fn numeric(arguments: &[Value]) -> Result<Value> {
    number("Numeric", arguments)
}

fn number(type_: &'static str, arguments: &[Value]) -> Result<Value> {
    let [from, absolute] = by_position(type_, arguments, &["from", "abs"])?;
    let from = from.unwrap_or(&Value::Undef);
    let absolute = is_absolute(type_, absolute)?;
    let is_float = type_ == "Float";
    let refused = |expected| ConstructError::Value { type_, value: from.clone(), expected };
    let number = match from {
        Value::Integer(_) | Value::Float(_) => from.clone(),
        Value::Boolean(value) => Value::Integer(i64::from(*value)),
        Value::Timespan(span) => Value::Float(span.float()),
        Value::Timestamp(stamp) => Value::Float(stamp.float()),
        Value::String(text) => {
            number_of_text(text, is_float).ok_or_else(|| refused("a string with a number, such as '42' or '1.5e3'"))?
        }
        _ => return Err(refused("a number, a Boolean, a Timespan, a Timestamp or a string with a number").into()),
    };
    let too_large = || ConstructError::TooLarge { type_, value: from.clone() };
    Ok(match number {
        Value::Integer(number) if is_float => float_from(number as f64, absolute),
        Value::Integer(number) if absolute => Value::Integer(number.checked_abs().ok_or_else(too_large)?),
        Value::Float(number) => float_from(number, absolute),
        number => number,
    })
}

fn float_from(number: f64, absolute: bool) -> Value {
    Value::Float(if absolute { number.abs() } else { number })
}

/// The number written in `text`. For a Float, decimal digits may be of any number.
fn number_of_text(text: &str, is_float: bool) -> Option<Value> {
    let (negative, body) = split_sign(text);
    let integer = |digits, radix| integer_of_digits(negative, digits, radix).map(Value::Integer);
    let float = |digits| float_of_text(negative, digits).map(Value::Float);
    match Body::of(body)? {
        Body::Binary(digits) => integer(digits, 2),
        Body::Hexadecimal(digits) => integer(digits, 16),
        // A leading zero says that the digits are octal, and is then forgotten.
        Body::Octal(digits) if is_float => float(digits).filter(|_| !digits.contains(['8', '9'])),
        Body::Octal(digits) => integer(digits, 8),
        Body::Decimal(digits) if is_float => float(digits),
        Body::Decimal(digits) => integer(digits, 10),
        // `01.5`, but not `0.5`.
        Body::Float(text)
            if text.strip_prefix('0').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) =>
        {
            None
        }
        Body::Float(text) => float(text),
    }
}

/// `Float('010.5')`: the text may start with zeros.
pub(in crate::types) fn float_by_specification(arguments: &[Value]) -> Option<Value> {
    let [Some(Value::String(text)), absolute] = by_position("Float", arguments, &["from", "abs"]).ok()? else {
        return None;
    };
    let (negative, body) = split_sign(text);
    let (Body::Octal(digits) | Body::Decimal(digits) | Body::Float(digits)) = Body::of(body)? else { return None };
    Some(float_from(float_of_text(negative, digits)?, is_absolute("Float", absolute).ok()?))
}

/// `Numeric('010', 10)`: a radix for integers.
pub(in crate::types) fn numeric_by_specification(arguments: &[Value]) -> Option<Value> {
    if let [Value::String(_), _] = arguments { integer_by_specification(arguments) } else { None }
}

/// `default` is none: the prefix of the text decides.
fn radix_of(radix: Option<&Value>) -> Result<Option<u32>> {
    match radix {
        None | Some(Value::Default) => Ok(None),
        Some(Value::Integer(radix @ (2 | 8 | 10 | 16))) => Ok(u32::try_from(*radix).ok()),
        Some(value) => {
            let expected = "2, 8, 10, 16 or default";
            Err(ConstructError::Parameter { type_: "Integer", parameter: "radix", expected, value: value.clone() }
                .into())
        }
    }
}

fn is_absolute(type_: &'static str, absolute: Option<&Value>) -> Result<bool> {
    match absolute {
        None => Ok(false),
        Some(Value::Boolean(absolute)) => Ok(*absolute),
        Some(value) => {
            let expected = "true or false";
            Err(ConstructError::Parameter { type_, parameter: "abs", expected, value: value.clone() }.into())
        }
    }
}
