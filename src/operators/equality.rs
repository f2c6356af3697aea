//! `==`: compares numbers by value, strings ignoring the case of ASCII letters, collections element by element.
//!
//! Source: language specification, "Operators: ==".
//! Observed: Puppet 8.11 compares hash keys exactly (`{'A' => 1} == {'a' => 1}` is false), their values with `==`.

use std::cmp::Ordering;

use super::comparison::compare_values;
use crate::value::Value;
use crate::{interrupt, stack};

pub(crate) fn equals(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Integer(a), Value::Integer(b)) => a == b,
        (Value::String(a), Value::String(b)) => a.eq_ignore_ascii_case(b),
        _ => equals_puppet_or_ruby::<false>(left, right),
    }
}

/// Whether Ruby's `==` regards the values as equal, as for `index` and the subtraction of Arrays: strings are
/// case-sensitive, and Hashes with different keys are unequal.
///
/// Observed: Puppet 8.11, where `[60] - [Timespan(60)]` and `[{a => 1}] - [{a => 1.0}]` are empty.
pub(crate) fn equals_in_ruby(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::String(a), Value::String(b)) => a == b,
        _ => equals_puppet_or_ruby::<true>(left, right),
    }
}

#[expect(clippy::float_cmp, reason = "Puppet compares Floats exactly")]
fn equals_puppet_or_ruby<const EXACTLY: bool>(left: &Value, right: &Value) -> bool {
    let equals = if EXACTLY { equals_in_ruby } else { equals };
    interrupt::take_step();
    match (left, right) {
        (Value::Float(a), Value::Float(b)) => a == b,
        // Observed: Puppet 8.11 takes whole seconds beside an Integer, so `Timespan(2.5) == 2`.
        (Value::Integer(_) | Value::Timespan(_) | Value::Timestamp(_), Value::Float(_))
        | (Value::Float(_) | Value::Timespan(_) | Value::Timestamp(_), Value::Integer(_)) => {
            compare_values(left, right) == Some(Ordering::Equal)
        }
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_)) => equals(right, left),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len()
                && (a.address() == b.address()
                    || stack::with_room(|| interrupt::step_through(a.iter().zip(b.iter())).all(|(a, b)| equals(a, b))))
        }
        (Value::Hash(a), Value::Hash(b)) => {
            // Observed: to the `==` of Puppet 7.23 a key that the right side lacks is undef, so `{'a' => undef} == {'b' => 1}`; it
            // compares what is inside of hashes from right to left.
            let missing = (!EXACTLY).then_some(&Value::Undef);
            let equals_other = |other: Option<&Value>, value: &Value| other.is_some_and(|other| equals(other, value));
            let same =
                || interrupt::step_through(a.iter()).all(|(key, value)| equals_other(b.get(key).or(missing), value));
            a.len() == b.len() && (a.address() == b.address() || stack::with_room(same))
        }
        (Value::Type(a), Value::Type(b)) if !EXACTLY => a.equals(b),
        (Value::Uri(a), Value::Uri(b)) => a.equals(b),
        (Value::Object(a), Value::Object(b)) if !EXACTLY => a.equals(b),
        (left, right) => left == right,
    }
}
