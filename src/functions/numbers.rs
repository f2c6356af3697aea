//! Absolute values and rounding: `abs`, `ceiling`, `floor`, `round`.
//!
//! All but `round` also accept a string with a number, with the same rules as Puppet for each function.

use super::{Call, Flow};
use crate::error::{Error, Result};
use crate::format::parse_ruby_float;
use crate::regexp::ConstantRegex;
use crate::value::{Value, number::truncate_to_integer};

const SIGNATURES: &[&str] = &["(Numeric $number) >> Numeric", "(String $text) >> Numeric"];

functions! {
    /// returns the absolute value of a number
    "abs" SIGNATURES {
        "abs(-2.5)" => "2.5",
        "abs('-5')" => "5",
        "abs('0x1F')" => "error RUNTIME_ERROR",
    } => abs;
    /// rounds up to the nearest Integer
    "ceiling" SIGNATURES {
        "ceiling(-2.5)" => "-2",
        "ceiling('2.1')" => "3",
        "ceiling('two')" => "error RUNTIME_ERROR",
    } => |call| round_with(call, f64::ceil);
    /// rounds down to the nearest Integer
    "floor" SIGNATURES {
        "floor(-2.5)" => "-3",
        "floor('2.9')" => "2",
        "floor(undef)" => "error RUNTIME_ERROR",
        "floor('0x1.8')" => "error RUNTIME_ERROR",
        "floor('0x1_0.8p1')" => "33",
    } => |call| round_with(call, f64::floor);
    /// rounds to the nearest Integer, halves away from zero
    "round" ["(Numeric $number) >> Integer"] {
        "round(2.5)" => "3",
        "round(-2.5)" => "-3",
        "round('2.5')" => "error RUNTIME_ERROR",
        // Puppet adds a half and cuts the fraction off, which differs from rounding just below a half.
    } => |call| round_with(call, |number| (number + 0.5_f64.copysign(number)).trunc());
}

fn abs(call: &mut Call<'_>) -> Result<Value, Flow> {
    let number = match call.argument(0)? {
        Value::String(text) => parse_decimal(text)?,
        number => number.clone(),
    };
    Ok(match number {
        Value::Integer(number) => {
            Value::Integer(number.checked_abs().ok_or_else(|| integer_overflow_error(number as f64))?)
        }
        Value::Float(number) => Value::Float(number.abs()),
        other => other,
    })
}

fn parse_decimal(text: &str) -> Result<Value> {
    static DECIMAL_REGEX: ConstantRegex = ConstantRegex::new(r"\A-?[0-9]+(\.[0-9]+)?\n?\z");
    let digits = text.strip_suffix('\n').unwrap_or(text);
    let number = DECIMAL_REGEX.is_match(text).then(|| {
        let integer = digits.parse().map(Value::Integer);
        integer.ok().or_else(|| digits.contains('.').then(|| digits.parse().map(Value::Float).ok()).flatten())
    });
    number.flatten().ok_or_else(|| Error::runtime(format!("expected a decimal number, got '{text}'")))
}

fn round_with(call: &mut Call<'_>, to_whole: impl Fn(f64) -> f64) -> Result<Value, Flow> {
    let number = match call.argument(0)? {
        Value::Float(number) => *number,
        Value::String(text) => parse_ruby_float(text).filter(|number| number.is_finite()).ok_or_else(|| {
            Error::runtime(format!("expected a number, got '{text}'")).with_help("give an Integer or a Float")
        })?,
        integer => return Ok(integer.clone()),
    };
    Ok(Value::Integer(truncate_to_integer(to_whole(number)).ok_or_else(|| integer_overflow_error(number))?))
}

fn integer_overflow_error(number: f64) -> Error {
    Error::new("NUMERIC_OVERFLOW", format!("{number:e} does not fit into a 64-bit Integer"))
}
