//! `Timespan('1-02:03:04')`: a duration, exact to the nanosecond.

use std::cmp::Ordering;
use std::fmt;

use super::nanoseconds::{Nanoseconds, checked, whole};
use super::timespan_format;
use crate::error::Result;

/// A length of time in nanoseconds, negative ones too, in 128 bits.
///
/// The text is `days-hours:minutes:seconds.fraction`, and the fraction has at least one digit.
///
/// ```
/// use pcore::time::Timespan;
/// assert_eq!(Timespan::from_seconds(90_061).to_string(), "1-01:01:01.0");
/// ```
///
/// Deviation: the fraction is exact, where Puppet 8.11 loses the zeros after the point (`1.005` seconds print as `1.5`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timespan(Nanoseconds);

/// What a Timespan is put together from; each may overflow into the next and be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimespanParts {
    /// Turns the sum around.
    pub negative: bool,
    /// Of 24 hours.
    pub days: i64,
    /// Of 60 minutes.
    pub hours: i64,
    /// Of 60 seconds.
    pub minutes: i64,
    /// Of 1000 milliseconds.
    pub seconds: i64,
    /// Of 1000 microseconds.
    pub milliseconds: i64,
    /// Of 1000 nanoseconds.
    pub microseconds: i64,
    /// The smallest unit.
    pub nanoseconds: i64,
}

impl Timespan {
    /// A number of nanoseconds.
    pub fn from_nanoseconds(nanoseconds: i128) -> Timespan {
        Timespan(Nanoseconds::new(nanoseconds))
    }

    /// A number of seconds.
    pub fn from_seconds(seconds: i64) -> Timespan {
        Timespan(Nanoseconds::from_seconds(seconds))
    }

    /// A number of seconds with a fraction; what lies beyond a nanosecond is cut off.
    ///
    /// # Errors
    /// Not a number, or too large for 128 bits of nanoseconds.
    pub fn from_float(seconds: f64) -> Result<Timespan> {
        Nanoseconds::from_float_seconds(seconds).map(Timespan)
    }

    /// Source: language specification, "Timespan from days, hours, minutes, seconds, and fractions of a second".
    pub fn from_parts(parts: &TimespanParts) -> Timespan {
        // OK because seven Integers of 64 bits, the largest times the nanoseconds of a day, stay far below 128 bits.
        let steps = [
            (24, parts.hours),
            (60, parts.minutes),
            (60, parts.seconds),
            (1000, parts.milliseconds),
            (1000, parts.microseconds),
            (1000, parts.nanoseconds),
        ];
        let sum = steps.iter().fold(i128::from(parts.days), |sum, (factor, unit)| sum * factor + i128::from(*unit));
        Timespan::from_nanoseconds(if parts.negative { -sum } else { sum })
    }

    /// The whole span in nanoseconds.
    pub fn nanoseconds(self) -> i128 {
        self.0.count()
    }

    /// Whole seconds, rounded down.
    ///
    /// # Errors
    /// More than 64 bits hold.
    pub fn integer(self) -> Result<i64> {
        self.0.integer_seconds()
    }

    /// Seconds with their fraction, as exactly as a Float can say it.
    pub fn float(self) -> f64 {
        self.0.float_seconds()
    }

    /// How whole seconds compare with an Integer: `Timespan(2.5)` equals 2.
    pub(crate) fn compare_with_integer(self, seconds: i64) -> Ordering {
        self.0.compare_with_integer(seconds)
    }

    /// `self + other`
    pub fn plus(self, other: Timespan) -> Result<Timespan> {
        self.0.plus(other.0).map(Timespan)
    }

    /// `self - other`
    pub fn minus(self, other: Timespan) -> Result<Timespan> {
        self.0.minus(other.0).map(Timespan)
    }

    pub(crate) fn negated(self) -> Result<Timespan> {
        checked(self.nanoseconds().checked_neg()).map(Timespan)
    }

    pub(crate) fn times_integer(self, factor: i64) -> Result<Timespan> {
        checked(self.nanoseconds().checked_mul(i128::from(factor))).map(Timespan)
    }

    /// `self * factor`, calculated as a Float of nanoseconds whose fraction is cut off.
    pub(crate) fn times_float(self, factor: f64) -> Result<Timespan> {
        whole(self.nanoseconds() as f64 * factor).map(Timespan::from_nanoseconds)
    }

    /// `self / divisor`, rounded down to a nanosecond; `None` if `divisor` is zero.
    pub(crate) fn divided_by_integer(self, divisor: i64) -> Option<Result<Timespan>> {
        let divisor = i128::from(divisor);
        let nanoseconds = self.nanoseconds();
        if divisor == 0 {
            return None;
        }
        let floor = nanoseconds.checked_div(divisor).map(|quotient| {
            let is_cut = nanoseconds % divisor != 0 && (nanoseconds < 0) != (divisor < 0);
            quotient - i128::from(is_cut)
        });
        Some(checked(floor).map(Timespan))
    }

    /// `self / divisor`, calculated as a Float of nanoseconds that is rounded down; `None` if `divisor` is zero.
    pub(crate) fn divided_by_float(self, divisor: f64) -> Option<Result<Timespan>> {
        let quotient = || whole((self.nanoseconds() as f64 / divisor).floor());
        (divisor != 0.0).then(|| quotient().map(Timespan::from_nanoseconds))
    }

    /// `self / other`: how often `other` fits, which is infinite or `NaN` when it is zero.
    pub(crate) fn ratio(self, other: Timespan) -> f64 {
        self.nanoseconds() as f64 / other.nanoseconds() as f64
    }
}

/// The text that reads back.
impl fmt::Display for Timespan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // OK because the limit on strings is far.
        f.write_str(&timespan_format::Format::standard().format(*self).unwrap_or_default())
    }
}
