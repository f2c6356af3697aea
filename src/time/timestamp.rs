//! `Timestamp('2016-08-24')`: a point in time, exact to the nanosecond.

use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{cmp::Ordering, fmt};

use super::{Timespan, strftime};
use crate::error::Result;

/// Nanoseconds since 1970-01-01 00:00:00 UTC, in 128 bits. There are no leap seconds.
///
/// The text has nine digits of a second and the zone: `2016-08-24T12:13:14.000000000 UTC`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(Timespan);

impl Timestamp {
    /// The time on the clock of the machine. This is the only place that asks for it.
    pub fn now() -> Timestamp {
        // A clock beyond 128 bits of nanoseconds shows the last of them.
        let count = |duration: Duration| i128::try_from(duration.as_nanos()).unwrap_or(i128::MAX);
        Timestamp::from_nanoseconds(match SystemTime::now().duration_since(UNIX_EPOCH) {
            Ok(since) => count(since),
            Err(before) => -count(before.duration()),
        })
    }

    /// A number of nanoseconds since 1970.
    pub fn from_nanoseconds(nanoseconds: i128) -> Timestamp {
        Timestamp(Timespan::from_nanoseconds(nanoseconds))
    }

    /// A number of seconds since 1970.
    pub fn from_seconds(seconds: i64) -> Timestamp {
        Timestamp(Timespan::from_seconds(seconds))
    }

    /// A number of seconds since 1970 with a fraction; what lies beyond a nanosecond is cut off.
    pub fn from_float(seconds: f64) -> Result<Timestamp> {
        Timespan::from_float(seconds).map(Timestamp)
    }

    /// Nanoseconds since 1970.
    pub fn nanoseconds(self) -> i128 {
        self.0.nanoseconds()
    }

    /// Whole seconds since 1970, rounded down.
    pub fn integer(self) -> Result<i64> {
        self.0.integer()
    }

    /// Seconds since 1970 with their fraction, as the nearest Float.
    pub fn float(self) -> f64 {
        self.0.float()
    }

    /// How whole seconds compare with an Integer: `Timestamp(2.5)` equals 2.
    pub(crate) fn compare_with_integer(self, seconds: i64) -> Ordering {
        self.0.compare_with_integer(seconds)
    }

    /// `self + span`
    pub fn plus(self, span: Timespan) -> Result<Timestamp> {
        self.0.plus(span).map(Timestamp)
    }

    /// `self - span`
    pub fn minus(self, span: Timespan) -> Result<Timestamp> {
        self.0.minus(span).map(Timestamp)
    }

    /// `self - earlier`
    pub fn since(self, earlier: Timestamp) -> Result<Timespan> {
        self.0.minus(earlier.0)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // OK because every directive is known, and the limit is far.
        f.write_str(&strftime::format(*self, strftime::STANDARD, "").unwrap_or_default())
    }
}
