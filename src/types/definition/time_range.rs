//! The type of times between two inclusive bounds, which Timespan and Timestamp share.

use crate::error::Result;
use crate::format::quote_string;
use crate::types::{Lattice, Row, Rules, Type, TypeError, check_arity, describe};
use crate::value::{Hash, Value};

/// The differences between the types Timespan and Timestamp; the code that they share is in [`TimeRange`].
pub trait TimeValue: Copy + Default + Ord + ToString {
    /// The row of the type `TimeRange<Self>`.
    const ROW: Row;

    fn time_of_value(value: &Value) -> Option<Self>;

    fn range_of_type(type_: &Type) -> Option<&TimeRange<Self>>;

    /// Returns the time written as the bound `value`: a time, seconds, a string or named arguments; otherwise `None`.
    fn from_bound(value: &Value) -> Result<Option<Self>>;

    fn construct(arguments: &[Value]) -> Result<Value>;

    fn construct_by_specification(arguments: &[Value]) -> Option<Value>;
}

/// The type of the Timespans or Timestamps (`T`) between two inclusive bounds; a bound of `None` means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TimeRange<T> {
    from: Option<T>,
    to: Option<T>,
}

impl<T: TimeValue> TimeRange<T> {
    /// The range of all times.
    pub const ALL: TimeRange<T> = TimeRange { from: None, to: None };

    /// Returns the range that contains only `time`.
    pub fn single_time(time: T) -> TimeRange<T> {
        TimeRange { from: Some(time), to: Some(time) }
    }

    /// Returns the lower bound; `None` means unlimited.
    pub fn from(self) -> Option<T> {
        self.from
    }

    /// Returns the upper bound; `None` means unlimited.
    pub fn to(self) -> Option<T> {
        self.to
    }
}

impl<T: TimeValue> Rules for TimeRange<T>
where
    TimeRange<T>: Into<Type>,
{
    const ROW: Row = T::ROW;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        check_arity(Self::NAME, arguments, 0..=2, "up to 2")?;
        let range = TimeRange { from: bound_of_argument(arguments.first())?, to: bound_of_argument(arguments.get(1))? };
        match (range.from, range.to) {
            (Some(from), Some(to)) if from > to => {
                let [from, to] = [from, to].map(|end: T| quote_string(&end.to_string()));
                Err(TypeError::Descending { from, to }.into())
            }
            _ => Ok(range.into()),
        }
    }

    /// Returns the bounds; the upper one is omitted if it is unlimited or equals the lower one. Observed: Puppet 8.11.
    fn arguments(&self) -> Vec<Value> {
        let end = |end: Option<T>| end.map_or(Value::Default, |time| Value::from(time.to_string()));
        match (self.from, self.to) {
            (None, None) => Vec::new(),
            (from, to) if to.is_none() || from == to => vec![end(from)],
            (from, to) => vec![end(from), end(to)],
        }
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        let is_inside = |time| self.from.is_none_or(|from| from <= time) && self.to.is_none_or(|to| time <= to);
        T::time_of_value(value).is_some_and(is_inside)
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        let Some(other) = T::range_of_type(other) else { return false };
        let is_low_enough = self.from.is_none_or(|from| other.from.is_some_and(|other| from <= other));
        let is_high_enough = self.to.is_none_or(|to| other.to.is_some_and(|other| other <= to));
        is_low_enough && is_high_enough
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        T::construct(arguments)
    }

    fn construct_by_specification(&self, arguments: &[Value]) -> Option<Value> {
        T::construct_by_specification(arguments)
    }
}

fn bound_of_argument<T: TimeValue>(argument: Option<&Value>) -> Result<Option<T>> {
    let Some(value) = argument.filter(|value| !matches!(value, Value::Default | Value::Undef)) else {
        return Ok(None);
    };
    let (time, type_) = (T::from_bound(value)?, T::ROW.name);
    let problem = || format!("expected a {type_}, a number of seconds or a string, got {}", describe(value));
    time.map(Some).ok_or_else(|| TypeError::invalid_parameter_error(type_, problem()).into())
}

pub(in crate::types) fn formats_of_argument<'a>(argument: Option<&'a Value>, usual: &[&'a str]) -> Vec<&'a str> {
    let given = match argument {
        Some(Value::String(format)) => vec![&**format],
        Some(Value::Array(formats)) => formats.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if given.is_empty() { usual.to_vec() } else { given }
}

pub(in crate::types) fn string_at_key<'a>(named: &'a Hash, key: &str) -> Option<&'a str> {
    named.get_str(key).and_then(Value::as_str)
}
