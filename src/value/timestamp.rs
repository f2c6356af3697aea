//! `Timestamp('2016-08-24')`: a point in time, exact to the nanosecond.

/// Seconds and nanoseconds since 1970-01-01 00:00:00 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp {
    seconds: i64,
    nanoseconds: u32,
}
