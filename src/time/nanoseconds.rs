//! A count of nanoseconds in 128 bits: the representation of a Timespan and a Timestamp.
//!
//! The count is stored as two machine words, so that a [`Value`](crate::value::Value) stays three words.

use std::cmp::Ordering;
use std::fmt;

use crate::error::{RUNTIME_ERROR, Result, errors};

pub(crate) const NANOS_PER_SECOND: i128 = 1_000_000_000;

/// Ordered as the count: the high word has the sign, the low word has none.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Nanoseconds {
    high: i64,
    low: u64,
}

impl Nanoseconds {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the count is cut into its two halves")]
    pub(super) fn new(count: i128) -> Nanoseconds {
        Nanoseconds { high: (count >> 64) as i64, low: count as u64 }
    }

    pub(super) fn count(self) -> i128 {
        (i128::from(self.high) << 64) | i128::from(self.low)
    }

    pub(super) fn from_seconds(seconds: i64) -> Nanoseconds {
        Nanoseconds::new(i128::from(seconds) * NANOS_PER_SECOND)
    }

    /// What lies beyond a nanosecond is cut off.
    pub(super) fn from_float_seconds(seconds: f64) -> Result<Nanoseconds> {
        whole(seconds * 1e9).map(Nanoseconds::new)
    }

    /// Rounded down, so that half a second before zero is -1.
    pub(super) fn whole_seconds(self) -> i128 {
        self.count().div_euclid(NANOS_PER_SECOND)
    }

    /// The fraction in its lowest terms, divided as Floats.
    ///
    /// Observed: Puppet 8.10, also where that is not the nearest Float.
    pub(super) fn float_seconds(self) -> f64 {
        let (mut divisor, mut rest) = (NANOS_PER_SECOND, self.count() % NANOS_PER_SECOND);
        while rest != 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        (self.count() / divisor) as f64 / (NANOS_PER_SECOND / divisor) as f64
    }

    /// [`Nanoseconds::whole_seconds`] as an Integer.
    pub(super) fn integer_seconds(self) -> Result<i64> {
        i64::try_from(self.whole_seconds()).map_err(|_| TimeError::BeyondInteger(self.whole_seconds()).into())
    }

    /// Observed: Puppet 8.11 compares whole seconds with an Integer, `Timespan(2.5) == 2`.
    pub(super) fn compare_with_integer(self, seconds: i64) -> Ordering {
        self.whole_seconds().cmp(&i128::from(seconds))
    }

    pub(super) fn plus(self, other: Nanoseconds) -> Result<Nanoseconds> {
        checked(self.count().checked_add(other.count()))
    }

    pub(super) fn minus(self, other: Nanoseconds) -> Result<Nanoseconds> {
        checked(self.count().checked_sub(other.count()))
    }
}

impl fmt::Debug for Nanoseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ns", self.count())
    }
}

/// The count, unless it was too large to be made.
pub(super) fn checked(count: Option<i128>) -> Result<Nanoseconds> {
    count.map(Nanoseconds::new).ok_or_else(|| TimeError::Overflow.into())
}

pub(super) fn whole(count: f64) -> Result<i128> {
    // 2^127 is the first that does not fit, and a Float can say it exactly.
    const END: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    if count.is_nan() {
        return Err(TimeError::NotANumber.into());
    }
    if !(-END..END).contains(&count) {
        return Err(TimeError::Overflow.into());
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range was checked above; the fraction is to be cut off")]
    Ok(count as i128)
}

errors! {
    /// What can go wrong when times are calculated.
    #[derive(Debug)]
    pub(super) enum TimeError {
        /// `Timespan(1e300)`
        Overflow => RUNTIME_ERROR, message("the time is too large: times are limited to 128 bits of nanoseconds");
        /// `Timespan(1) * (0.0 / 0.0)`
        NotANumber => RUNTIME_ERROR, message("expected a number of seconds, got NaN");
        /// `Integer(Timespan('9223372036854775808'))`
        BeyondInteger(seconds: i128) => RUNTIME_ERROR, message("{seconds} seconds do not fit into a 64-bit Integer");
    }
}
