//! Formats and parses times: one engine for spans ([`timespan_format`]), one for points in time ([`strftime`]), each
//! with one table of directives whose rows both write and read.
//!
//! A directive is `%`, flags, a width and a letter. Spans support one flag of `- 0 _`; stamps support Ruby's `- 0 ^ _ #
//! :` in any number.

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
/// use pcore::time;
/// assert_eq!(time::span_directives().next(), Some(('D', "days")));
/// ```
pub fn span_directives() -> impl Iterator<Item = (char, &'static str)> {
    timespan_format::DIRECTIVES.iter().map(|directive| (directive.letter, directive.meaning))
}

/// The letters of a Timestamp's format and what each shows.
/// ```
/// assert!(pcore::time::stamp_directives().any(|(letter, _)| letter == 'Y'));
/// ```
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
                write!(f, "expected one of the directives {letters} in the format '{format}', got '{directive}'")
            }
            Self::WidthAboveLimit { format } => {
                write!(f, "the format '{format}' has a width greater than {MAX_WIDTH}")
            }
            Self::Unfinished { format } => {
                write!(f, "the format '{format}' ends after `%`: expected a letter")
            }
            Self::NoFit { type_, text, formats } => match formats.as_slice() {
                [format] => write!(f, "'{text}' is not a {type_} in the format '{format}'"),
                formats => {
                    let formats = formats.join("', '");
                    write!(f, "'{text}' is not a {type_} in any of the formats '{formats}'")
                }
            },
            Self::FractionAlone { format } => {
                write!(f, "the format '{format}' has a fraction, but none of %D, %H, %M and %S")
            }
            Self::TooLarge { text } => {
                write!(f, "'{text}' does not fit into 128 bits of nanoseconds")
            }
            Self::NoYear { text, format } => {
                write!(f, "the format '{format}' has no year, so '{text}' is not a Timestamp")
            }
            Self::DayOfYear { text, format } => {
                write!(
                    f,
                    "Puppet 8 ignores the day of the year when parsing '{text}' with '{format}', and uses January 1st"
                )
            }
            Self::NoSuchTime { text } => {
                write!(f, "'{text}' is not a time of day: expected at most 24:00:00")
            }
            Self::UnknownZone { zone } => write!(f, "unknown time zone '{zone}': expected a name or an offset"),
            Self::ZoneOutOfRange { zone } => {
                write!(f, "'{zone}' is not a valid offset: expected less than a day and minutes below 60")
            }
            Self::TwoZones { format, zone } => {
                write!(f, "expected one time zone, got '{zone}' and another from the format '{format}'")
            }
        }
    }
}

impl Kind for TimeFormatError {
    fn code(&self) -> &'static str {
        RUNTIME_ERROR
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NoFit { .. } => {
                Some("pass the format as the second argument, or a list of formats to try".to_owned())
            }
            Self::UnknownZone { .. } => Some("zones are written '+02:00', 'EST' or 'current'".to_owned()),
            Self::TwoZones { .. } => Some("omit the zone, or remove %z and %Z from the format".to_owned()),
            Self::DayOfYear { .. } => Some("use the month and the day instead: %m and %d".to_owned()),
            Self::Unfinished { .. } => Some("write a literal percent sign as `%%`".to_owned()),
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
