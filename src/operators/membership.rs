//! `in`: a piece of a String, an element of an Array, a key of a Hash; by equality, by type, or by pattern.

use super::matching::{Matched, is_version_in, option_matches, search};
use super::{equality::equals, error::OperandError};
use crate::interrupt;
use crate::types::Lattice;
use crate::value::Value;

/// Whether `right` contains `left`, and the match when a Regexp found it.
pub(crate) fn is_in(left: &Value, right: &Value) -> Result<(bool, Matched), OperandError> {
    match (left, right) {
        (Value::String(part), Value::String(text)) => Ok((contains_ignoring_case(text, part), None)),
        (Value::Regexp(_), Value::String(_)) => search(left, [right]),
        (_, Value::Array(elements)) => found_among(left, elements.iter()),
        (Value::String(_), Value::Hash(hash)) if hash.get(left).is_some() => Ok((true, None)),
        (_, Value::Hash(hash)) => found_among(left, hash.keys()),
        (_, Value::SemVerRange(range)) => Ok((is_version_in(left, range), None)),
        (_, Value::Binary(binary)) => Ok((contains_bytes(binary.bytes(), left), None)),
        _ => Ok((false, None)),
    }
}

fn found_among<'a>(
    left: &Value,
    all: impl Iterator<Item = &'a Value> + Clone,
) -> Result<(bool, Matched), OperandError> {
    // Observed: Puppet 8.11 looks for instances of a type, never for the type itself.
    if let Value::Type(type_) = left {
        let mut lattice = Lattice::default();
        let found = lattice.finds_element(type_, all, true);
        return Ok((lattice.settled(found).map_err(OperandError::left)?, None));
    }
    let mut candidates = interrupt::each(all);
    match left {
        Value::Regexp(_) => search(left, candidates),
        // These match an element as they match an option of `case`.
        Value::String(_) | Value::SemVer(_) => {
            for candidate in candidates {
                match (left, candidate) {
                    (Value::String(text), Value::String(other)) if !other.eq_ignore_ascii_case(text) => {}
                    _ => match option_matches(left, candidate)? {
                        (false, _) => {}
                        found => return Ok(found),
                    },
                }
            }
            Ok((false, None))
        }
        _ => Ok((candidates.any(|candidate| equals(candidate, left)), None)),
    }
}

/// Whether a Binary contains a byte, given as a number, or several, given as a Binary or a String.
fn contains_bytes(bytes: &[u8], part: &Value) -> bool {
    let contains = |part: &[u8]| part.is_empty() || any_window(bytes, part.len(), |window| window == part);
    match part {
        Value::Integer(_) | Value::Float(_) => bytes.iter().any(|byte| equals(&Value::Integer((*byte).into()), part)),
        Value::Binary(part) => contains(part.bytes()),
        Value::String(part) => contains(part.as_bytes()),
        _ => false,
    }
}

/// The case of ASCII letters does not count.
fn contains_ignoring_case(text: &str, part: &str) -> bool {
    let (text, part) = (text.as_bytes(), part.as_bytes());
    part.is_empty() || any_window(text, part.len(), |window| window.eq_ignore_ascii_case(part))
}

/// Whether `is_it` is true of any `length` bytes in a row.
fn any_window(bytes: &[u8], length: usize, is_it: impl Fn(&[u8]) -> bool) -> bool {
    bytes.windows(length).any(|window| {
        interrupt::step();
        is_it(window)
    })
}
