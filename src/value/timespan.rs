//! `Timespan('1-02:03:04')`: a length of time, exact to the nanosecond.

/// Nanoseconds, negative ones too. Kept as two numbers so that a value stays three words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timespan {
    seconds: i64,
    nanoseconds: u32,
}
