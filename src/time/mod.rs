//! Times as text and back: one engine for spans ([`timespan_format`]), one for points in time ([`strftime`]), each with one table of
//! directives whose rows both write and read.
//!
//! A directive is `%`, flags, a width and a letter. Spans take one flag of `- 0 _`; stamps take Ruby's
//! `- 0 ^ _ # :` in any number.

mod calendar;
mod nanoseconds;
pub(crate) mod strftime;
pub(crate) mod strptime;
pub mod timespan;
pub(crate) mod timespan_format;
pub mod timestamp;
mod zone;
mod zone_names;

use std::fmt;

pub(crate) use nanoseconds::NANOS_PER_SECOND;
pub use timespan::{Timespan, TimespanParts};
pub use timestamp::Timestamp;

use crate::error::{Kind, RUNTIME_ERROR};

/// The letters of a Timespan's format and what each shows, the highest unit first.
///
/// ```
/// use pcore::format::time;
/// assert_eq!(time::span_directives().next(), Some(('D', "days")));
/// ```
pub fn span_directives() -> impl Iterator<Item = (char, &'static str)> {
    timespan_format::DIRECTIVES.iter().map(|directive| (directive.letter, directive.meaning))
}

/// The letters of a Timestamp's format and what each shows.
pub fn stamp_directives() -> impl Iterator<Item = (char, &'static str)> {
    strftime::DIRECTIVES.iter().map(|directive| (directive.letter, directive.meaning))
}

/// A directive may ask for no more than this, so that a format of a few letters cannot fill the memory.
pub(crate) const MAX_WIDTH: usize = 1 << 20;

/// What can go wrong when times are written and read.
#[derive(Clone, Debug)]
pub(crate) enum TimeFormatError {
    /// `strftime(Timespan(1), '%Q')`
    UnknownDirective { directive: String, format: String, letters: String },
    /// `strftime(Timestamp(1), '%99999999999d')`
    WidthAboveLimit { format: String },
    /// `strftime(Timestamp(1), '%10')`
    Unfinished { format: String },
    /// `Timespan('x', '%S')`, `Timespan('x')`
    NoFit { type_: &'static str, text: String, formats: Vec<String> },
    /// `Timespan('5', '%N')`
    FractionAlone { format: String },
    /// `Timespan('99999999999999999999999999999999999999999', '%D')`
    TooLarge { text: String },
    /// `Timestamp('10:00', '%R')`
    NoYear { text: String, format: String },
    /// `Timestamp('2016 250', '%Y %j')`
    DayOfYear { text: String, format: String },
    /// `Timestamp('2016-01-01T24:30:00')`
    NoSuchTime { text: String },
    /// `strftime(Timestamp(0), '%F', 'foo')`
    UnknownZone { zone: String },
    /// `strftime(Timestamp(0), '%F', '+24:00')`
    ZoneOutOfRange { zone: String },
    /// `Timestamp('2016 PST', '%Y %Z', 'EST')`
    TwoZones { format: String, zone: String },
}

impl fmt::Display for TimeFormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownDirective { directive, format, letters } => {
                write!(f, "expected a directive of {letters} in the format '{format}', got '{directive}'")
            }
            Self::WidthAboveLimit { format } => {
                write!(f, "expected widths up to {MAX_WIDTH} in the format '{format}', got a larger one")
            }
            Self::Unfinished { format } => {
                write!(f, "expected a letter after the last `%` of the format '{format}', got its end")
            }
            Self::NoFit { type_, text, formats } => match formats.as_slice() {
                [format] => write!(f, "expected the text of a {type_} in the format '{format}', got '{text}'"),
                formats => {
                    let formats = formats.join("', '");
                    write!(f, "expected the text of a {type_} in one of the formats '{formats}', got '{text}'")
                }
            },
            Self::FractionAlone { format } => {
                write!(f, "expected %D, %H, %M or %S beside the fraction in the format '{format}', got none of them")
            }
            Self::TooLarge { text } => {
                write!(f, "expected a time within 128 bits of nanoseconds, got '{text}'")
            }
            Self::NoYear { text, format } => {
                write!(f, "expected a format that reads at least a year, got '{format}' for '{text}'")
            }
            Self::DayOfYear { text, format } => {
                write!(
                    f,
                    "Puppet 8 ignores the day of the year that '{format}' reads from '{text}', and takes January 1st"
                )
            }
            Self::NoSuchTime { text } => {
                write!(f, "expected a time of day up to 24:00:00, got '{text}'")
            }
            Self::UnknownZone { zone } => write!(f, "expected the name or offset of a time zone, got '{zone}'"),
            Self::ZoneOutOfRange { zone } => {
                write!(f, "expected an offset of less than a day and minutes below 60, got '{zone}'")
            }
            Self::TwoZones { format, zone } => {
                write!(f, "expected one time zone, got '{zone}' and the one that the format '{format}' reads")
            }
        }
    }
}

impl Kind for TimeFormatError {
    fn issue(&self) -> &'static str {
        RUNTIME_ERROR
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NoFit { .. } => Some("give the format as second argument, or a list of formats to try".to_owned()),
            Self::UnknownZone { .. } => Some("zones are written '+02:00', 'EST' or 'current'".to_owned()),
            Self::TwoZones { .. } => Some("leave out the zone, or %z and %Z".to_owned()),
            Self::DayOfYear { .. } => Some("read the month and the day, %m and %d".to_owned()),
            Self::Unfinished { .. } => Some("a percent sign is written `%%`".to_owned()),
            Self::UnknownDirective { .. }
            | Self::WidthAboveLimit { .. }
            | Self::FractionAlone { .. }
            | Self::TooLarge { .. }
            | Self::NoYear { .. }
            | Self::NoSuchTime { .. }
            | Self::ZoneOutOfRange { .. } => None,
        }
    }
}
