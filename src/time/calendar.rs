//! Points in time as dates and times of day, and back.
//!
//! chrono calculates. It supports half a million years, but 128 bits of nanoseconds reach much further. The Gregorian
//! calendar repeats after 400 years, with its weekdays: so chrono is used for one such cycle, and the cycles are added
//! to the year.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveDateTime};

use super::{NANOS_PER_SECOND, Timestamp, zone::Zone};

const YEARS_PER_CYCLE: i128 = 400;
const DAYS_PER_CYCLE: i128 = 146_097;
const SECONDS_PER_CYCLE: i128 = DAYS_PER_CYCLE * SECONDS_PER_DAY;
const SECONDS_PER_DAY: i128 = 86_400;

/// A point in time as the clocks and calendars of a zone show it. Years are those of the Gregorian calendar, also before
/// it was made; the year before 1 is 0.
#[derive(Debug)]
pub(super) struct Moment {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    pub(super) epoch_seconds: i128,
    /// The date and time within a cycle of 400 years from 1970 on: its years are not those of the moment.
    pub(super) local: NaiveDateTime,
    cycle: i128,
    pub(super) nanosecond: u32,
    pub(super) zone: Zone,
}

impl Moment {
    #[expect(
        clippy::expect_used,
        reason = "remainders are below what divides, and chrono knows the years 1970 to 2370"
    )]
    pub(super) fn new(stamp: Timestamp, zone: Zone) -> Moment {
        let epoch_seconds = stamp.nanoseconds().div_euclid(NANOS_PER_SECOND);
        let nanosecond = u32::try_from(stamp.nanoseconds().rem_euclid(NANOS_PER_SECOND)).expect("below a second");
        let local_seconds = epoch_seconds + i128::from(zone.offset_seconds);
        let in_cycle = i64::try_from(local_seconds.rem_euclid(SECONDS_PER_CYCLE)).expect("400 years fit in 64 bits");
        let local = DateTime::from_timestamp(in_cycle, 0).expect("chrono knows the years 1970 to 2370").naive_utc();
        Moment { epoch_seconds, local, cycle: local_seconds.div_euclid(SECONDS_PER_CYCLE), nanosecond, zone }
    }

    pub(super) fn year(&self) -> i128 {
        self.in_its_cycle(self.local.year())
    }

    pub(super) fn week_year(&self) -> i128 {
        self.in_its_cycle(self.local.iso_week().year())
    }

    /// The week of the year when weeks start so many days after Sunday; the days before the first are in week 0.
    pub(super) fn week_from(&self, days_after_sunday: u32) -> u32 {
        (self.local.ordinal() + 6 - (self.weekday() + 7 - days_after_sunday) % 7) / 7
    }

    /// Sunday is 0.
    pub(super) fn weekday(&self) -> u32 {
        self.local.weekday().num_days_from_sunday()
    }

    fn in_its_cycle(&self, year: i32) -> i128 {
        i128::from(year) + self.cycle * YEARS_PER_CYCLE
    }
}

/// Seconds from 1970 to the start of a day. Days beyond the end of the month run into the next one, as the 30th of
/// February does.
///
/// `None` if there is no such month, or the seconds do not fit into 128 bits.
pub(super) fn day_seconds(year: i128, month: u32, day: u32) -> Option<i128> {
    let in_cycle = i32::try_from(year.rem_euclid(YEARS_PER_CYCLE)).ok()?;
    let first = NaiveDate::from_ymd_opt(in_cycle, month, 1)?;
    let date = first.checked_add_days(Days::new(u64::from(day.checked_sub(1)?)))?;
    let days = i128::from(date.signed_duration_since(NaiveDate::default()).num_days());
    let cycles = year.div_euclid(YEARS_PER_CYCLE).checked_mul(SECONDS_PER_CYCLE)?;
    cycles.checked_add(days * SECONDS_PER_DAY)
}
