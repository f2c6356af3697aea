//! `Timespan('1-02:03:04')`: a duration, exact to the nanosecond.

use std::{cmp::Ordering, fmt};

use super::{NANOS_PER_SECOND, timespan_format};
use crate::error::{RUNTIME_ERROR, Result, errors};

/// A length of time in nanoseconds, negative ones too, in 128 bits.
///
/// The count is stored as two machine words, so that a [`Value`](crate::value::Value) stays three words; it is ordered as
/// the words are, because the high one has the sign.
///
/// The text is `days-hours:minutes:seconds.fraction`, and the fraction has at least one digit.
///
/// Deviation: the fraction is exact, where Puppet 8.11 loses the zeros after the point (`1.005` seconds print as `1.5`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timespan {
    high: i64,
    low: u64,
}

/// The parts of a Timespan; each may be negative, and may overflow into the next.
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
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the count is cut into its two halves")]
    pub fn from_nanoseconds(nanoseconds: i128) -> Timespan {
        Timespan { high: (nanoseconds >> 64) as i64, low: nanoseconds as u64 }
    }

    /// A number of seconds.
    pub fn from_seconds(seconds: i64) -> Timespan {
        Timespan::from_nanoseconds(i128::from(seconds) * NANOS_PER_SECOND)
    }

    /// A number of seconds with a fraction; what lies beyond a nanosecond is cut off.
    pub fn from_float(seconds: f64) -> Result<Timespan> {
        whole(seconds * 1e9)
    }

    /// The sum of all parts.
    ///
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
        (i128::from(self.high) << 64) | i128::from(self.low)
    }

    /// Rounded down, so that half a second before zero is -1.
    pub(super) fn whole_seconds(self) -> i128 {
        self.nanoseconds().div_euclid(NANOS_PER_SECOND)
    }

    /// Whole seconds, rounded down.
    pub fn integer(self) -> Result<i64> {
        i64::try_from(self.whole_seconds()).map_err(|_| TimeError::BeyondInteger(self.whole_seconds()).into())
    }

    /// The seconds as a Float, computed from the reduced fraction as in Ruby.
    ///
    /// Observed: Puppet 8.10, also where that is not the nearest Float.
    pub fn float(self) -> f64 {
        let (mut divisor, mut rest) = (NANOS_PER_SECOND, self.nanoseconds() % NANOS_PER_SECOND);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        (self.nanoseconds() / divisor) as f64 / (NANOS_PER_SECOND / divisor) as f64
    }

    /// Observed: Puppet 8.11 compares whole seconds with an Integer, `Timespan(2.5) == 2`.
    pub(crate) fn compare_with_integer(self, seconds: i64) -> Ordering {
        self.whole_seconds().cmp(&i128::from(seconds))
    }

    /// `self + other`
    pub fn plus(self, other: Timespan) -> Result<Timespan> {
        checked(self.nanoseconds().checked_add(other.nanoseconds()))
    }

    /// `self - other`
    pub fn minus(self, other: Timespan) -> Result<Timespan> {
        checked(self.nanoseconds().checked_sub(other.nanoseconds()))
    }

    pub(crate) fn negated(self) -> Result<Timespan> {
        checked(self.nanoseconds().checked_neg())
    }

    pub(crate) fn times_integer(self, factor: i64) -> Result<Timespan> {
        checked(self.nanoseconds().checked_mul(i128::from(factor)))
    }

    /// `self * factor`, calculated as a Float of nanoseconds whose fraction is cut off.
    pub(crate) fn times_float(self, factor: f64) -> Result<Timespan> {
        whole(self.nanoseconds() as f64 * factor)
    }

    /// `self / divisor`, rounded down to a nanosecond; `None` if `divisor` is zero.
    pub(crate) fn divided_by_integer(self, divisor: i64) -> Option<Result<Timespan>> {
        let count = if divisor < 0 { self.nanoseconds().checked_neg() } else { Some(self.nanoseconds()) };
        (divisor != 0).then(|| checked(count.map(|count| count.div_euclid(divisor.unsigned_abs().into()))))
    }

    /// `self / divisor`, calculated as a Float of nanoseconds that is rounded down; `None` if `divisor` is zero.
    pub(crate) fn divided_by_float(self, divisor: f64) -> Option<Result<Timespan>> {
        (divisor != 0.0).then(|| whole((self.nanoseconds() as f64 / divisor).floor()))
    }

    /// `self / other`: how often `other` fits, which is infinite or `NaN` when it is zero.
    pub(crate) fn ratio(self, other: Timespan) -> f64 {
        self.nanoseconds() as f64 / other.nanoseconds() as f64
    }
}

impl fmt::Display for Timespan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let standard = timespan_format::Format::new(timespan_format::DEFAULT_FORMATS[0]);
        // OK because the directives are known, and the limit on strings is far.
        f.write_str(&standard.and_then(|format| format.format(*self)).unwrap_or_default())
    }
}

impl fmt::Debug for Timespan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ns", self.nanoseconds())
    }
}

/// A span of so many nanoseconds; an error if the count has overflowed.
fn checked(count: Option<i128>) -> Result<Timespan> {
    count.map(Timespan::from_nanoseconds).ok_or_else(|| TimeError::Overflow.into())
}

/// A span of so many nanoseconds, rounded down.
fn whole(count: f64) -> Result<Timespan> {
    // 2^127 is the first that does not fit, and a Float can say it exactly.
    const END: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    if count.is_nan() {
        return Err(TimeError::NotANumber.into());
    }
    if !(-END..END).contains(&count) {
        return Err(TimeError::Overflow.into());
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range was checked above; the fraction is to be cut off")]
    Ok(Timespan::from_nanoseconds(count as i128))
}

errors! {
    #[derive(Debug)]
    enum TimeError {
        /// `Timespan(1e300)`
        Overflow => RUNTIME_ERROR, message("the time is too large: times are limited to 128 bits of nanoseconds");
        /// `Timespan(1) * (0.0 / 0.0)`
        NotANumber => RUNTIME_ERROR, message("expected a number of seconds, got NaN");
        /// `Integer(Timespan('9223372036854775808'))`
        BeyondInteger(seconds: i128) => RUNTIME_ERROR, message("{seconds} seconds do not fit into a 64-bit Integer");
    }
}
