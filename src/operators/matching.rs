//! `=~`: matches a value against a type, a String against a regular expression, a version against a range.

use super::equality::equals;
use super::error::{OperandError, OperatorError};
use crate::error::LIMIT;
use crate::regexp::{Captures, Regexp};
use crate::stack;
use crate::value::{EcoString, SemVer, SemVerRange, Value};

#[derive(Clone, Debug)]
pub(crate) struct MatchVariables {
    captures: Captures,
    subject: EcoString,
}

impl MatchVariables {
    pub(crate) fn all_group_values(&self) -> impl Iterator<Item = Value> {
        (0..self.captures.len()).map(|number| self.group_value(number))
    }

    /// Returns the text of group `number`; undef if the group did not take part in the match.
    pub(crate) fn group_value(&self, number: usize) -> Value {
        self.captures.group_text(number, &self.subject).map_or(Value::Undef, Value::from)
    }
}

/// The match variables that a successful match of a regular expression sets; `None` for any other match.
pub(crate) type Matched = Option<MatchVariables>;

pub(crate) fn matches(left: &Value, right: &Value) -> Result<(bool, Matched), OperandError> {
    match right {
        Value::Type(type_) => Ok((type_.try_has_instance(left).map_err(OperandError::at_whole)?, None)),
        Value::Regexp(regexp) => match_regexp(left, right, regexp),
        Value::SemVerRange(range) => Ok((is_version_in_range(left, range), None)),
        Value::String(text) => {
            let regexp = Regexp::new_cached(text).map_err(|error| match error.code() {
                LIMIT => error,
                _ => OperatorError::MatchBadPattern { text: text.to_string(), reason: error.to_string() }.into(),
            });
            match_regexp(left, right, &*regexp.map_err(OperandError::at_right)?)
        }
        other => Err(OperandError::at_right(OperatorError::MatchNotPattern(other.clone()))),
    }
}

pub(super) fn is_version_in_range(value: &Value, range: &SemVerRange) -> bool {
    match value {
        Value::SemVer(version) => range.includes(version),
        Value::String(text) => SemVer::parse(text).is_ok_and(|version| range.includes(&version)),
        _ => false,
    }
}

/// Searches `left` for `regexp`; `right` is the right operand as given, for error messages.
fn match_regexp(left: &Value, right: &Value, regexp: &Regexp) -> Result<(bool, Matched), OperandError> {
    let Value::String(text) = left else {
        return Err(OperandError::at_left(OperatorError::MatchNotString { left: left.clone(), right: right.clone() }));
    };
    let found = find_regexp_match(text, regexp)?;
    Ok((found.is_some(), found))
}

fn find_regexp_match(text: &EcoString, regexp: &Regexp) -> Result<Matched, OperandError> {
    let captures = regexp.captures(text).map_err(OperandError::at_whole)?;
    Ok(captures.map(|captures| MatchVariables { captures, subject: text.clone() }))
}

pub(super) fn find_first_match<'a>(
    regexp: &Regexp,
    candidates: impl IntoIterator<Item = &'a Value>,
) -> Result<(bool, Matched), OperandError> {
    for candidate in candidates {
        if let Value::String(text) = candidate
            && let Some(found) = find_regexp_match(text, regexp)?
        {
            return Ok((true, Some(found)));
        }
    }
    Ok((false, None))
}

/// Whether `value` matches an option of `case` or of a selector.
///
/// A type matches its instances, a Regexp the Strings in which it is found, `default` anything. Arrays match element by
/// element, Hashes by the keys of the option (a missing key is undef). Other options match equal values.
pub(crate) fn option_matches(value: &Value, option: &Value) -> Result<(bool, Matched), OperandError> {
    match (value, option) {
        (_, Value::Type(type_)) => Ok((type_.try_has_instance(value).map_err(OperandError::at_whole)?, None)),
        (Value::String(_), Value::Regexp(regexp)) => match_regexp(value, option, regexp),
        (_, Value::Regexp(_)) => Ok((false, None)),
        (_, Value::Default) => Ok((true, None)),
        (Value::Array(values), Value::Array(options)) => {
            if values.len() != options.len() {
                return Ok((false, None));
            }
            stack::with_room(|| match_all_pairs(values.iter().zip(options.iter())))
        }
        (Value::Hash(values), Value::Hash(options)) => {
            let pairs = options.iter().map(|(key, option)| (values.get(key).unwrap_or(&Value::Undef), option));
            stack::with_room(|| match_all_pairs(pairs))
        }
        (_, Value::SemVerRange(range)) => Ok((is_version_in_range(value, range), None)),
        (Value::String(text), Value::SemVer(version)) => {
            Ok((SemVer::parse(text).is_ok_and(|text| text == **version), None))
        }
        _ => Ok((equals(value, option), None)),
    }
}

fn match_all_pairs<'a>(pairs: impl Iterator<Item = (&'a Value, &'a Value)>) -> Result<(bool, Matched), OperandError> {
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
