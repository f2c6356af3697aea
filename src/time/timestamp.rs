//! `Timestamp('2016-08-24')`: a point in time, exact to the nanosecond.

use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{cmp::Ordering, fmt};

use super::{Timespan, strftime};
use crate::error::Result;

/// A point in time: nanoseconds since 1970-01-01 00:00:00 UTC, in 128 bits. There are no leap seconds.
///
/// It prints with nine digits of the second and the zone: `2016-08-24T12:13:14.000000000 UTC`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(Timespan);

impl Timestamp {
    /// Returns the current time of the system clock. The clock is read nowhere else.
    pub fn now() -> Timestamp {
        // A clock beyond 128 bits of nanoseconds shows the last of them.
        let count = |duration: Duration| i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX);
        Timestamp::from_nanoseconds(match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => count(since),
            Err(before) => -count(before.duration()),
        })
    }

    /// Creates a Timestamp from nanoseconds since 1970.
    pub fn from_nanoseconds(nanoseconds: i128) -> Timestamp {
        Timestamp(Timespan::from_nanoseconds(nanoseconds))
    }

    /// Creates a Timestamp from seconds since 1970.
    pub fn from_seconds(seconds: i64) -> Timestamp {
        Timestamp(Timespan::from_seconds(seconds))
    }

    /// Creates a Timestamp from seconds since 1970 with a fraction, which is truncated to nanoseconds.
    pub fn from_float(seconds: f64) -> Result<Timestamp> {
        Timespan::from_float(seconds).map(Timestamp)
    }

    /// Returns the nanoseconds since 1970.
    pub fn nanoseconds(self) -> i128 {
        self.0.nanoseconds()
    }

    /// Returns the seconds since 1970, rounded down. Fails if the number does not fit into 64 bits.
    pub fn to_integer(self) -> Result<i64> {
        self.0.to_integer()
    }

    /// Returns the seconds since 1970 with their fraction as a Float.
    pub fn to_float(self) -> f64 {
        self.0.to_float()
    }

    /// Compares the whole seconds since 1970 with `seconds`: `Timestamp(2.5)` equals 2.
    pub(crate) fn compare_with_integer(self, seconds: i64) -> Ordering {
        self.0.compare_with_integer(seconds)
    }

    /// Returns `self + span`, or an error if the sum is too large.
    pub fn plus(self, span: Timespan) -> Result<Timestamp> {
        self.0.plus(span).map(Timestamp)
    }

    /// Returns `self - span`, or an error if the difference is too large.
    pub fn minus(self, span: Timespan) -> Result<Timestamp> {
        self.0.minus(span).map(Timestamp)
    }

    /// Returns `self - earlier`, or an error if the difference is too large.
    pub fn since(self, earlier: Timestamp) -> Result<Timespan> {
        self.0.minus(earlier.0)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // OK because every directive is known, and the limit is far.
        f.write_str(&strftime::format(*self, strftime::DEFAULT_FORMAT, "").unwrap_or_default())
    }
}
