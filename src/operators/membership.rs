//! `in`: finds a part of a String, an element of an Array or a key of a Hash, by equality, by type or by pattern.

use super::matching::{Matched, find_first_match, is_version_in_range, option_matches};
use super::{equality::equals, error::OperandError};
use crate::interrupt;
use crate::types::Lattice;
use crate::value::Value;

pub(crate) fn is_in(left: &Value, right: &Value) -> Result<(bool, Matched), OperandError> {
    match (left, right) {
        (Value::String(part), Value::String(text)) => {
            Ok((contains_part(text.as_bytes(), part.as_bytes(), <[u8]>::eq_ignore_ascii_case), None))
        }
        (Value::Regexp(regexp), Value::String(_)) => find_first_match(regexp, [right]),
        (_, Value::Array(elements)) => find_in_elements(left, elements.iter()),
        (Value::String(_), Value::Hash(hash)) if hash.get(left).is_some() => Ok((true, None)),
        (_, Value::Hash(hash)) => find_in_elements(left, hash.keys()),
        (_, Value::SemVerRange(range)) => Ok((is_version_in_range(left, range), None)),
        (_, Value::Binary(binary)) => Ok((contains_bytes(binary.bytes(), left), None)),
        _ => Ok((false, None)),
    }
}

fn find_in_elements<'a>(
    left: &Value,
    all: impl Iterator<Item = &'a Value> + Clone,
) -> Result<(bool, Matched), OperandError> {
    // Observed: Puppet 8.11 looks for instances of a type, never for the type itself.
    if let Value::Type(type_) = left {
        let mut lattice = Lattice::default();
        let found = lattice.has_matching_element(type_, all, true);
        return Ok((lattice.result_unless_unusable(found).map_err(OperandError::at_left)?, None));
    }
    let mut candidates = interrupt::step_through(all);
    match left {
        Value::Regexp(regexp) => find_first_match(regexp, candidates),
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

/// Whether `bytes` contain `part`: a number is one byte, a Binary or String a sequence of bytes.
fn contains_bytes(bytes: &[u8], part: &Value) -> bool {
    let contains = |part: &[u8]| contains_part(bytes, part, <[u8]>::eq);
    match part {
        Value::Integer(_) | Value::Float(_) => bytes.iter().any(|byte| equals(&Value::Integer((*byte).into()), part)),
        Value::Binary(part) => contains(part.bytes()),
        Value::String(part) => contains(part.as_bytes()),
        _ => false,
    }
}

fn contains_part(bytes: &[u8], part: &[u8], equals: impl Fn(&[u8], &[u8]) -> bool) -> bool {
    part.is_empty() || interrupt::step_through(bytes.windows(part.len())).any(|window| equals(window, part))
}
