//! `=~`: a value against a type, a String against a regular expression, a version against a range.

use super::equality::equals;
use super::error::{OperandError, OperatorError};
use crate::error::LIMIT;
use crate::regexp::{Captures, Regexp};
use crate::stack;
use crate::value::{EcoString, SemVer, SemVerRange, Value};

/// The captures of a match, and their subject: the source of the match variables.
#[derive(Clone, Debug)]
pub(crate) struct MatchVariables {
    captures: Captures,
    subject: EcoString,
}

impl MatchVariables {
    pub(crate) fn groups(&self) -> impl Iterator<Item = Value> {
        (0..self.captures.len()).map(|number| self.group(number))
    }

    /// `$0`, `$1`, …; undef for a group that took no part.
    pub(crate) fn group(&self, number: usize) -> Value {
        self.captures.text(number, &self.subject).map_or(Value::Undef, Value::from)
    }
}

/// The captures, if a regular expression was used and matched.
pub(crate) type Matched = Option<MatchVariables>;

/// Whether `left =~ right`, and the match for the match variables when a regular expression decided it.
pub(crate) fn matches(left: &Value, right: &Value) -> Result<(bool, Matched), OperandError> {
    match right {
        Value::Type(type_) => Ok((type_.test_instance(left).map_err(OperandError::whole)?, None)),
        Value::Regexp(regexp) => against(left, right, regexp),
        Value::SemVerRange(range) => Ok((is_version_in(left, range), None)),
        Value::String(text) => {
            let regexp = Regexp::from_string(text).map_err(|error| {
                if error.code() == LIMIT {
                    return OperandError::right(error);
                }
                OperandError::right(OperatorError::MatchBadPattern {
                    text: text.to_string(),
                    reason: error.to_string(),
                })
            })?;
            against(left, right, &regexp)
        }
        other => Err(OperandError::right(OperatorError::MatchNotPattern(other.clone()))),
    }
}

/// Whether `value` is a version, or the text of one, in `range`.
pub(super) fn is_version_in(value: &Value, range: &SemVerRange) -> bool {
    match value {
        Value::SemVer(version) => range.includes(version),
        Value::String(text) => SemVer::parse(text).is_ok_and(|version| range.includes(&version)),
        _ => false,
    }
}

/// Whether `left` matches the regular expression that `right` is, or is the text of.
fn against(left: &Value, right: &Value, regexp: &Regexp) -> Result<(bool, Matched), OperandError> {
    let Value::String(text) = left else {
        return Err(OperandError::left(OperatorError::MatchNotString { left: left.clone(), right: right.clone() }));
    };
    let found = found_in(text, regexp)?;
    Ok((found.is_some(), found))
}

fn found_in(text: &EcoString, regexp: &Regexp) -> Result<Matched, OperandError> {
    let captures = regexp.captures(text).map_err(OperandError::whole)?;
    Ok(captures.map(|captures| MatchVariables { captures, subject: text.clone() }))
}

/// The first of the `candidates` that is a String in which `pattern`, a Regexp, is found.
pub(super) fn search<'a>(
    pattern: &Value,
    candidates: impl IntoIterator<Item = &'a Value>,
) -> Result<(bool, Matched), OperandError> {
    let Value::Regexp(regexp) = pattern else { return Ok((false, None)) };
    for candidate in candidates {
        if let Value::String(text) = candidate
            && let Some(found) = found_in(text, regexp)?
        {
            return Ok((true, Some(found)));
        }
    }
    Ok((false, None))
}

/// Whether `value` matches an option of `case` or of a selector.
///
/// A type matches its instances, a Regexp the Strings it is found in, an Array and a Hash element by element, `default`
/// anything, and everything else what equals it. Of a Hash the keys of the option count, and one that is missing is undef.
pub(crate) fn option_matches(value: &Value, option: &Value) -> Result<(bool, Matched), OperandError> {
    match (value, option) {
        (_, Value::Type(type_)) => Ok((type_.test_instance(value).map_err(OperandError::whole)?, None)),
        (Value::String(_), Value::Regexp(regexp)) => against(value, option, regexp),
        (_, Value::Regexp(_)) => Ok((false, None)),
        (_, Value::Default) => Ok((true, None)),
        (Value::Array(values), Value::Array(options)) => {
            if values.len() != options.len() {
                return Ok((false, None));
            }
            stack::with_room(|| all_match(values.iter().zip(options.iter())))
        }
        (Value::Hash(values), Value::Hash(options)) => {
            let pairs = options.iter().map(|(key, option)| (values.get(key).unwrap_or(&Value::Undef), option));
            stack::with_room(|| all_match(pairs))
        }
        (_, Value::SemVerRange(range)) => Ok((is_version_in(value, range), None)),
        (Value::String(text), Value::SemVer(version)) => {
            Ok((SemVer::parse(text).is_ok_and(|text| text == **version), None))
        }
        _ => Ok((equals(value, option), None)),
    }
}

/// Whether every element matches its option. The captures are those of the last regular expression.
fn all_match<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> Result<(bool, Matched), OperandError> {
    let mut last = None;
    for (value, option) in pairs {
        let (matched, captures) = option_matches(value, option)?;
        if !matched {
            return Ok((false, None));
        }
        last = captures.or(last);
    }
    Ok((true, last))
}
