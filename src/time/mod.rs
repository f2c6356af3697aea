//! Formats and parses times: [`timespan_format`] for Timespans, [`strftime`] and [`strptime`] for Timestamps. Each kind
//! has one table of directives, whose rows define both how to format and how to parse.
//!
//! A directive is `%`, flags, a width and a letter. Timespans support one of the flags `- 0 _`; Timestamps support any
//! number of Ruby's flags `- 0 ^ _ # :`.

mod calendar;
pub(crate) mod strftime;
pub(crate) mod strptime;
pub mod timespan;
pub(crate) mod timespan_format;
pub mod timestamp;
mod zone;
mod zone_names;

pub use timespan::{Timespan, TimespanParts};
pub use timestamp::Timestamp;

use crate::error::{RUNTIME_ERROR, errors};

/// Returns each directive letter of a Timespan format with its meaning, the largest unit first.
pub fn timespan_directives() -> impl Iterator<Item = (char, &'static str)> {
    timespan_format::DIRECTIVES.iter().map(|directive| (directive.letter, directive.meaning))
}

/// Returns each directive letter of a Timestamp format with its meaning.
pub fn timestamp_directives() -> impl Iterator<Item = (char, &'static str)> {
    strftime::DIRECTIVES.iter().map(|directive| (directive.letter, directive.meaning))
}

pub(crate) const NANOS_PER_SECOND: i128 = 1_000_000_000;

/// The maximum width of a directive, so that a short format cannot produce a huge string; a larger width is an error.
pub(crate) const MAX_WIDTH: usize = 1 << 20;

errors! {
    #[derive(Clone, Debug)]
    pub(crate) enum TimeFormatError {
        /// `strftime(Timespan(1), '%Q')`
        UnknownDirective { directive: String, format: String, letters: String } => RUNTIME_ERROR,
            message("expected one of the directives {letters} in the format '{format}', got '{directive}'");
        /// `strftime(Timestamp(1), '%99999999999d')`
        WidthAboveLimit { format: String } => RUNTIME_ERROR,
            message("the format '{format}' has a width greater than {MAX_WIDTH}");
        /// `strftime(Timestamp(1), '%10')`
        Unfinished { format: String } => RUNTIME_ERROR,
            message("the format '{format}' ends after `%`: expected a letter"),
            help("write a literal percent sign as `%%`");
        /// `Timespan('x', '%S')`, `Timespan('x')`
        NoFit { type_: &'static str, text: String, formats: Vec<String> } => RUNTIME_ERROR,
            message("'{text}' is not a {type_} in {} '{}'", {
                if formats.len() == 1 { "the format" } else { "any of the formats" }
            }, formats.join("', '")),
            help("{}", match (&formats[..], *type_) {
                ([format], _) if !format.contains('%') => "each field of a format starts with `%`: '%d/%m/%Y', '%H:%M'",
                ([_], _) => "the format has to describe the whole string; of a list, the first format that does is taken",
                (_, "Timespan") => "write '1-12:30:00' for a day, hours, minutes and seconds, or pass a format: '%Hh%Mm'",
                _ => "write a day of the calendar, such as '2026-01-31' or '2026-01-31 12:30:00', or pass a format",
            });
        /// `Timespan('5', '%N')`
        FractionAlone { format: String } => RUNTIME_ERROR,
            message("the format '{format}' has a fraction, but none of %D, %H, %M and %S");
        /// `Timespan('99999999999999999999999999999999999999999', '%D')`
        TooLarge { text: String } => RUNTIME_ERROR, message("'{text}' does not fit into 128 bits of nanoseconds");
        /// `Timestamp('10:00', '%R')`
        NoYear { text: String, format: String } => RUNTIME_ERROR,
            message("the format '{format}' has no year, so '{text}' is not a Timestamp");
        /// `Timestamp('2016 250', '%Y %j')`
        DayOfYear { text: String, format: String } => RUNTIME_ERROR,
            message("Puppet 8 ignores the day of the year when parsing '{text}' with '{format}', and uses January 1st"),
            help("use the month and the day instead: %m and %d");
        /// `Timestamp('2016-01-01T24:30:00')`
        NoSuchTime { text: String } => RUNTIME_ERROR,
            message("'{text}' is not a time of day: expected at most 24:00:00");
        /// `strftime(Timestamp(0), '%F', 'foo')`
        UnknownZone { zone: String } => RUNTIME_ERROR,
            message("unknown time zone '{zone}': expected a name or an offset"),
            help("zones are written '+02:00', 'EST' or 'current'");
        /// `strftime(Timestamp(0), '%F', '+24:00')`
        ZoneOutOfRange { zone: String } => RUNTIME_ERROR,
            message("'{zone}' is not a valid offset: expected less than a day and minutes below 60");
        /// `Timestamp('2016 PST', '%Y %Z', 'EST')`
        TwoZones { format: String, zone: String } => RUNTIME_ERROR,
            message("expected one time zone, got '{zone}' and another from the format '{format}'"),
            help("omit the zone, or remove %z and %Z from the format");
    }
}
