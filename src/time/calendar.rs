//! Converts points in time to dates and times of day, and back.
//!
//! chrono does the calculations. It supports about half a million years, but 128 bits of nanoseconds reach much
//! further. The Gregorian calendar, with its weekdays, repeats every 400 years. So chrono calculates within one such
//! cycle, and the years of the other cycles are added.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime};

use super::{NANOS_PER_SECOND, Timestamp, zone::Zone};

const YEARS_PER_CYCLE: i128 = 400;
const DAYS_PER_CYCLE: i128 = 146_097;
const SECONDS_PER_CYCLE: i128 = DAYS_PER_CYCLE * SECONDS_PER_DAY;
const SECONDS_PER_DAY: i128 = 86_400;

/// A point in time in a time zone. Years follow the proleptic Gregorian calendar, in which year 0 precedes year 1.
#[derive(Debug)]
pub(super) struct LocalDateTime {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    pub(super) epoch_seconds: i128,
    /// The local date and time moved to the cycle of 400 years that starts in 1970: its year is not the actual one.
    pub(super) local: NaiveDateTime,
    cycle: i128,
    pub(super) nanosecond: u32,
    pub(super) zone: Zone,
}

impl LocalDateTime {
    #[expect(clippy::expect_used, reason = "remainders are below the divisor, and chrono knows these years")]
    pub(super) fn from_stamp_in_zone(stamp: Timestamp, zone: Zone) -> LocalDateTime {
        let epoch_seconds = stamp.nanoseconds().div_euclid(NANOS_PER_SECOND);
        let nanosecond = u32::try_from(stamp.nanoseconds().rem_euclid(NANOS_PER_SECOND)).expect("below a second");
        let local_seconds = epoch_seconds + i128::from(zone.offset_seconds);
        let in_cycle = i64::try_from(local_seconds.rem_euclid(SECONDS_PER_CYCLE)).expect("400 years fit in 64 bits");
        let local = DateTime::from_timestamp(in_cycle, 0).expect("chrono knows the years 1970 to 2370").naive_utc();
        LocalDateTime { epoch_seconds, local, cycle: local_seconds.div_euclid(SECONDS_PER_CYCLE), nanosecond, zone }
    }

    pub(super) fn year(&self) -> i128 {
        self.actual_year(self.local.year())
    }

    pub(super) fn iso_week_year(&self) -> i128 {
        self.actual_year(self.local.iso_week().year())
    }

    /// Returns the week of the year; weeks start `days_after_sunday` days after Sunday. 0 before the first such day.
    pub(super) fn week_of_year(&self, days_after_sunday: u32) -> u32 {
        (self.local.ordinal() + 6 - (self.weekday() + 7 - days_after_sunday) % 7) / 7
    }

    /// Returns the day of the week, from 0 for Sunday to 6 for Saturday.
    pub(super) fn weekday(&self) -> u32 {
        self.local.weekday().num_days_from_sunday()
    }

    fn actual_year(&self, year: i32) -> i128 {
        i128::from(year) + self.cycle * YEARS_PER_CYCLE
    }
}

/// Returns the seconds from 1970 to the start of a day. A day beyond the end of its month counts as a day of the next
/// month: February 30th is March 1st or 2nd.
///
/// `None` if the month is not in 1..=12, the day is 0, or the seconds do not fit into 128 bits.
pub(super) fn epoch_seconds_at_midnight(year: i128, month: u32, day: u32) -> Option<i128> {
    let in_cycle = i32::try_from(year.rem_euclid(YEARS_PER_CYCLE)).ok()?;
    let first = NaiveDate::from_ymd_opt(in_cycle, month, 1)?;
    let date = first.checked_add_days(Days::new(u64::from(day.checked_sub(1)?)))?;
    let days = i128::from(date.signed_duration_since(NaiveDate::default()).num_days());
    let cycles = year.div_euclid(YEARS_PER_CYCLE).checked_mul(SECONDS_PER_CYCLE)?;
    cycles.checked_add(days * SECONDS_PER_DAY)
}
