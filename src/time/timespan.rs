//! `Timespan('1-02:03:04')`: a duration, exact to the nanosecond.

use std::{cmp::Ordering, fmt};

use super::{NANOS_PER_SECOND, timespan_format};
use crate::error::{RUNTIME_ERROR, Result, errors};

/// A length of time in nanoseconds, in 128 bits; may be negative.
///
/// The number is stored as two machine words, so that a [`Value`](crate::value::Value) needs only three. The derived
/// order is correct, because the high word has the sign.
///
/// It prints as `days-hours:minutes:seconds.fraction`; the fraction has at least one digit.
///
/// Deviation: the fraction is exact, where Puppet 8.11 loses the zeros after the point (`1.005` seconds print as `1.5`).
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timespan {
    high_bits: i64,
    low_bits: u64,
}

/// The parts of a Timespan. Each may be negative, and may exceed the next larger unit (90 minutes).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimespanParts {
    /// Whether to negate the sum of the other parts.
    pub negative: bool,
    /// The number of days of 24 hours.
    pub days: i64,
    /// The number of hours (60 minutes).
    pub hours: i64,
    /// The number of minutes (60 seconds).
    pub minutes: i64,
    /// The number of whole seconds.
    pub seconds: i64,
    /// The number of thousandths of a second.
    pub milliseconds: i64,
    /// The number of millionths of a second.
    pub microseconds: i64,
    /// The number of billionths of a second.
    pub nanoseconds: i64,
}

impl Timespan {
    /// Creates a Timespan from a number of nanoseconds.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the count is cut into its two halves")]
    pub fn from_nanoseconds(nanoseconds: i128) -> Timespan {
        Timespan { high_bits: (nanoseconds >> 64) as i64, low_bits: nanoseconds as u64 }
    }

    /// Creates a Timespan from a number of seconds.
    pub fn from_seconds(seconds: i64) -> Timespan {
        Timespan::from_nanoseconds(i128::from(seconds) * NANOS_PER_SECOND)
    }

    /// Creates a Timespan from seconds, truncated to nanoseconds. Fails for NaN and for numbers that are too large.
    pub fn from_float(seconds: f64) -> Result<Timespan> {
        timespan_from_float_nanos(seconds * 1e9)
    }

    /// Creates a Timespan from the sum of all parts, negated if `negative` is set.
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

    /// Returns the length in nanoseconds.
    pub fn nanoseconds(self) -> i128 {
        (i128::from(self.high_bits) << 64) | i128::from(self.low_bits)
    }

    /// Returns the length in seconds, rounded down: -1 for minus half a second.
    pub(super) fn whole_seconds(self) -> i128 {
        self.nanoseconds().div_euclid(NANOS_PER_SECOND)
    }

    /// Returns the length in seconds, rounded down. Fails if the number does not fit into 64 bits.
    pub fn to_integer(self) -> Result<i64> {
        i64::try_from(self.whole_seconds()).map_err(|_| TimeError::BeyondInteger(self.whole_seconds()).into())
    }

    /// Returns the length in seconds as a Float, computed from the reduced fraction as in Ruby.
    ///
    /// Observed: Puppet 8.10, also where that is not the nearest Float.
    pub fn to_float(self) -> f64 {
        let (mut divisor, mut rest) = (NANOS_PER_SECOND, self.nanoseconds() % NANOS_PER_SECOND);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        (self.nanoseconds() / divisor) as f64 / (NANOS_PER_SECOND / divisor) as f64
    }

    /// Compares the whole seconds with `seconds`. Observed: Puppet 8.11, `Timespan(2.5) == 2` is true.
    pub(crate) fn compare_with_integer(self, seconds: i64) -> Ordering {
        self.whole_seconds().cmp(&i128::from(seconds))
    }

    /// Returns `self + other`, or an error if the sum is too large.
    pub fn plus(self, other: Timespan) -> Result<Timespan> {
        timespan_or_overflow(self.nanoseconds().checked_add(other.nanoseconds()))
    }

    /// Returns `self - other`, or an error if the difference is too large.
    pub fn minus(self, other: Timespan) -> Result<Timespan> {
        timespan_or_overflow(self.nanoseconds().checked_sub(other.nanoseconds()))
    }

    pub(crate) fn negated(self) -> Result<Timespan> {
        timespan_or_overflow(self.nanoseconds().checked_neg())
    }

    pub(crate) fn times_integer(self, factor: i64) -> Result<Timespan> {
        timespan_or_overflow(self.nanoseconds().checked_mul(i128::from(factor)))
    }

    /// Returns `self * factor`, computed as a Float of nanoseconds and truncated.
    pub(crate) fn times_float(self, factor: f64) -> Result<Timespan> {
        timespan_from_float_nanos(self.nanoseconds() as f64 * factor)
    }

    /// Returns `self / divisor` in nanoseconds, rounded down, or `None` if `divisor` is zero.
    pub(crate) fn divided_by_integer(self, divisor: i64) -> Option<Result<Timespan>> {
        let count = if divisor < 0 { self.nanoseconds().checked_neg() } else { Some(self.nanoseconds()) };
        (divisor != 0).then(|| timespan_or_overflow(count.map(|count| count.div_euclid(divisor.unsigned_abs().into()))))
    }

    /// Returns `self / divisor`, computed as a Float of nanoseconds and rounded down, or `None` if `divisor` is zero.
    pub(crate) fn divided_by_float(self, divisor: f64) -> Option<Result<Timespan>> {
        (divisor != 0.0).then(|| timespan_from_float_nanos((self.nanoseconds() as f64 / divisor).floor()))
    }

    pub(crate) fn ratio_to(self, other: Timespan) -> f64 {
        self.nanoseconds() as f64 / other.nanoseconds() as f64
    }
}

impl fmt::Display for Timespan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let standard = timespan_format::TimespanFormat::parse_format(timespan_format::DEFAULT_FORMATS[0]);
        // OK because the directives are known, and the limit on strings is far.
        f.write_str(&standard.and_then(|format| format.format(*self)).unwrap_or_default())
    }
}

impl fmt::Debug for Timespan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ns", self.nanoseconds())
    }
}

fn timespan_or_overflow(count: Option<i128>) -> Result<Timespan> {
    count.map(Timespan::from_nanoseconds).ok_or_else(|| TimeError::Overflow.into())
}

fn timespan_from_float_nanos(count: f64) -> Result<Timespan> {
    // 2^127 is the first that does not fit, and a Float can say it exactly.
    const TWO_POW_127: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    if count.is_nan() {
        return Err(TimeError::NotANumber.into());
    }
    if !(-TWO_POW_127..TWO_POW_127).contains(&count) {
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
