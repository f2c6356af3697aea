//! The common part of the types Timespan and Timestamp: a range between two inclusive bounds.

use super::arguments;
use super::error::TypeError;
use crate::error::Result;
use crate::format::quoted;
use crate::time::strptime::Reading;
use crate::time::{Timespan, Timestamp};
use crate::types::relation::mismatch::describe;
use crate::value::{Hash, Value};

/// A value that such a range is made of.
pub(in crate::types) trait Time: Copy + Ord + ToString {
    /// `Timespan`
    const NAME: &'static str;

    /// The time that stands as an end between the brackets: a time, a number of seconds, a string, or named arguments;
    /// nothing for any other value.
    fn from_end(value: &Value) -> Result<Option<Self>>;
}

/// Times between two inclusive ends; an end left open has no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::types) struct TimeRange<T> {
    pub(in crate::types) from: Option<T>,
    pub(in crate::types) to: Option<T>,
}

impl<T: Time> TimeRange<T> {
    pub(in crate::types) const ALL: TimeRange<T> = TimeRange { from: None, to: None };

    /// The range that holds one time.
    pub(in crate::types) fn only(time: T) -> TimeRange<T> {
        TimeRange { from: Some(time), to: Some(time) }
    }

    /// # Errors
    /// More than two arguments, an argument that is not a time, `from` above `to`.
    pub(in crate::types) fn from_arguments(arguments: &[Value]) -> Result<TimeRange<T>> {
        arguments::arity(T::NAME, arguments, 0..=2, "up to 2")?;
        let range = TimeRange { from: end(arguments.first())?, to: end(arguments.get(1))? };
        match (range.from, range.to) {
            (Some(from), Some(to)) if from > to => {
                let [from, to] = [from, to].map(|end: T| quoted(&end.to_string()));
                Err(TypeError::Descending { from, to }.into())
            }
            _ => Ok(range),
        }
    }

    /// The parameters in brackets.
    ///
    /// Observed: Puppet 8.11 writes a range of one time like one without an upper end.
    pub(in crate::types) fn arguments(&self) -> Vec<Value> {
        let end = |end: Option<T>| end.map_or(Value::Default, |time| Value::from(time.to_string()));
        match (self.from, self.to) {
            (None, None) => Vec::new(),
            (from, to) if to.is_none() || from == to => vec![end(from)],
            (from, to) => vec![end(from), end(to)],
        }
    }

    pub(in crate::types) fn contains(&self, time: T) -> bool {
        self.from.is_none_or(|from| from <= time) && self.to.is_none_or(|to| time <= to)
    }

    /// Whether every time of `other` is in this range.
    pub(in crate::types) fn accepts(&self, other: &TimeRange<T>) -> bool {
        let is_low_enough = self.from.is_none_or(|from| other.from.is_some_and(|other| from <= other));
        let is_high_enough = self.to.is_none_or(|to| other.to.is_some_and(|other| other <= to));
        is_low_enough && is_high_enough
    }
}

/// What stands at one end; `None` if it is open.
fn end<T: Time>(argument: Option<&Value>) -> Result<Option<T>> {
    let Some(value) = argument.filter(|value| !matches!(value, Value::Default | Value::Undef)) else {
        return Ok(None);
    };
    let time = T::from_end(value)?;
    let problem = || format!("expected a {}, a number of seconds or a string, got {}", T::NAME, describe(value));
    time.map(Some).ok_or_else(|| TypeError::Content { type_: T::NAME, problem: problem() }.into())
}

/// The formats in a `format` argument: one, or a list; none when it is absent.
pub(in crate::types) fn formats(argument: Option<&Value>) -> Vec<&str> {
    match argument {
        Some(Value::String(format)) => vec![format],
        Some(Value::Array(formats)) => formats.iter().filter_map(text).collect(),
        _ => Vec::new(),
    }
}

/// The text of a String.
pub(in crate::types) fn text(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// The text under `key` of named arguments.
pub(in crate::types) fn text_at<'a>(named: &'a Hash, key: &str) -> Option<&'a str> {
    named.get_str(key).and_then(text)
}

impl Time for Timespan {
    const NAME: &'static str = "Timespan";

    fn from_end(value: &Value) -> Result<Option<Timespan>> {
        crate::types::timespan::from_argument(value)
    }
}

impl Time for Timestamp {
    const NAME: &'static str = "Timestamp";

    fn from_end(value: &Value) -> Result<Option<Timestamp>> {
        crate::types::timestamp::from_argument(value, Reading::Puppet)
    }
}
