//! Formats Timestamps, with Ruby's directives: `%FT%T.%N %Z`.
//!
//! A directive prints one of a few things: a number with its usual digits, a word, a fraction, an offset or a
//! combination of other directives. Flags and width are applied to each of these in one way, so a row of the table only
//! says which it is and where it comes from. The same row says what the directive parses (see
//! [`strptime`](super::strptime)).
//!
//! An unknown directive is copied unchanged.
//!
//! Observed: Puppet 8.11 on Ruby 3.1 and 3.2, every letter with every flag.

use super::calendar::Moment;
use super::strptime::Read;
use super::zone::Zone;
use super::{MAX_WIDTH, TimeFormatError, Timestamp};
use crate::error::Result;
use crate::limits::BoundedString;

/// A row of the table: what one letter shows and reads.
pub(crate) struct Directive {
    pub(crate) letter: char,
    pub(crate) meaning: &'static str,
    pub(super) show: Show,
    pub(super) read: Read,
}

/// The part of a time that a directive shows.
#[derive(Clone, Copy)]
pub(super) enum Show {
    /// A number, filled with zeros to so many digits.
    Number(fn(&Moment) -> i128, usize),
    /// A number, filled with spaces to so many digits.
    BlankNumber(fn(&Moment) -> i128, usize),
    /// The year, which has a digit more when it is negative.
    Year(fn(&Moment) -> i128),
    /// A word, and what the flag `#` makes of it.
    Word(fn(&Moment) -> &'static str, fn(&str) -> String),
    /// A fraction of the second, so many digits.
    Fraction(usize),
    Offset,
    Combination(&'static str),
    /// The directive itself: Ruby parses it but does not format it.
    AsWritten,
}

use Show::{AsWritten, BlankNumber, Combination, Fraction, Number, Offset, Word, Year};

/// Every directive.
///
/// Source: language specification, "Timestamp from String and patterns consisting of format directives".
#[rustfmt::skip]
pub(crate) static DIRECTIVES: &[Directive] = &[
    Directive { letter: 'Y', meaning: "year with century", show: Year(Moment::year), read: Read::Year },
    Directive { letter: 'C', meaning: "year / 100, rounded down", show: Number(|m| m.year().div_euclid(100), 2), read: Read::Century },
    Directive { letter: 'y', meaning: "year % 100 (00..99)", show: Number(|m| m.year().rem_euclid(100), 2), read: Read::YearOfCentury },
    Directive { letter: 'm', meaning: "month of the year (01..12)", show: Number(|m| m.month().into(), 2), read: Read::Month },
    Directive { letter: 'B', meaning: "full month name", show: Word(month_name, upper), read: Read::MonthName },
    Directive { letter: 'b', meaning: "abbreviated month name", show: Word(|m| &month_name(m)[..3], upper), read: Read::MonthName },
    Directive { letter: 'h', meaning: "the same as %b", show: Word(|m| &month_name(m)[..3], upper), read: Read::MonthName },
    Directive { letter: 'd', meaning: "day of the month (01..31)", show: Number(|m| m.day().into(), 2), read: Read::Day },
    Directive { letter: 'e', meaning: "day of the month ( 1..31)", show: BlankNumber(|m| m.day().into(), 2), read: Read::Day },
    Directive { letter: 'j', meaning: "day of the year (001..366)", show: Number(|m| m.day_of_year().into(), 3), read: Read::DayOfYear },
    Directive { letter: 'H', meaning: "hour of the day (00..23)", show: Number(|m| m.hour().into(), 2), read: Read::Hour },
    Directive { letter: 'k', meaning: "hour of the day ( 0..23)", show: BlankNumber(|m| m.hour().into(), 2), read: Read::Hour },
    Directive { letter: 'I', meaning: "hour of the half day (01..12)", show: Number(|m| m.hour_of_half_day().into(), 2), read: Read::HourOfHalfDay },
    Directive { letter: 'l', meaning: "hour of the half day ( 1..12)", show: BlankNumber(|m| m.hour_of_half_day().into(), 2), read: Read::HourOfHalfDay },
    Directive { letter: 'P', meaning: "am or pm", show: Word(|m| if m.is_afternoon() { "pm" } else { "am" }, upper), read: Read::HalfDay },
    Directive { letter: 'p', meaning: "AM or PM", show: Word(|m| if m.is_afternoon() { "PM" } else { "AM" }, lower), read: Read::HalfDay },
    Directive { letter: 'M', meaning: "minute of the hour (00..59)", show: Number(|m| m.minute().into(), 2), read: Read::Minute },
    Directive { letter: 'S', meaning: "second of the minute (00..60)", show: Number(|m| m.second().into(), 2), read: Read::Second },
    Directive { letter: 'L', meaning: "millisecond of the second (000..999)", show: Fraction(3), read: Read::Fraction(3) },
    Directive { letter: 'N', meaning: "fraction of the second, nine digits", show: Fraction(9), read: Read::Fraction(9) },
    Directive { letter: 'z', meaning: "offset from UTC (+0900, %:z +09:00, %::z +09:00:00)", show: Offset, read: Read::Zone },
    Directive { letter: 'Z', meaning: "name of the time zone", show: Word(|m| m.zone.name, lower), read: Read::Zone },
    Directive { letter: 'A', meaning: "full weekday name", show: Word(weekday_name, upper), read: Read::WeekdayName },
    Directive { letter: 'a', meaning: "abbreviated weekday name", show: Word(|m| &weekday_name(m)[..3], upper), read: Read::WeekdayName },
    Directive { letter: 'u', meaning: "day of the week, Monday is 1 (1..7)", show: Number(|m| ((m.weekday() + 6) % 7 + 1).into(), 1), read: Read::Ignored { digits: 1, least: 1, most: 7 } },
    Directive { letter: 'w', meaning: "day of the week, Sunday is 0 (0..6)", show: Number(|m| m.weekday().into(), 1), read: Read::Ignored { digits: 1, least: 0, most: 6 } },
    Directive { letter: 'G', meaning: "year of the ISO week", show: Year(Moment::week_year), read: Read::WeekYear },
    Directive { letter: 'g', meaning: "year of the ISO week % 100 (00..99)", show: Number(|m| m.week_year().rem_euclid(100), 2), read: Read::Ignored { digits: 2, least: 0, most: 99 } },
    Directive { letter: 'V', meaning: "ISO week of the year (01..53)", show: Number(|m| m.week().into(), 2), read: Read::Ignored { digits: 2, least: 1, most: 53 } },
    Directive { letter: 'U', meaning: "week of the year, from Sunday (00..53)", show: Number(|m| m.week_from(0).into(), 2), read: Read::Ignored { digits: 2, least: 0, most: 53 } },
    Directive { letter: 'W', meaning: "week of the year, from Monday (00..53)", show: Number(|m| m.week_from(1).into(), 2), read: Read::Ignored { digits: 2, least: 0, most: 53 } },
    Directive { letter: 's', meaning: "seconds since 1970-01-01 00:00:00 UTC", show: Number(|m| m.epoch_seconds, 1), read: Read::EpochSeconds },
    Directive { letter: 'Q', meaning: "milliseconds since 1970-01-01 00:00:00 UTC, read only", show: AsWritten, read: Read::EpochMilliseconds },
    Directive { letter: 'n', meaning: "newline", show: Word(|_| "\n", str::to_owned), read: Read::Blanks },
    Directive { letter: 't', meaning: "tab", show: Word(|_| "\t", str::to_owned), read: Read::Blanks },
    Directive { letter: '%', meaning: "percent sign", show: Word(|_| "%", str::to_owned), read: Read::Percent },
    Directive { letter: 'c', meaning: "date and time", show: Combination("%a %b %e %T %Y"), read: Read::Combination("%a %b %e %H:%M:%S %Y") },
    Directive { letter: '+', meaning: "date, time and zone, read only", show: AsWritten, read: Read::Combination("%a %b %e %H:%M:%S %Z %Y") },
    Directive { letter: 'D', meaning: "date", show: Combination("%m/%d/%y"), read: Read::Combination("%m/%d/%y") },
    Directive { letter: 'F', meaning: "ISO 8601 date", show: Combination("%Y-%m-%d"), read: Read::Combination("%Y-%m-%d") },
    Directive { letter: 'v', meaning: "VMS date", show: Combination("%e-%^b-%4Y"), read: Read::Combination("%e-%b-%Y") },
    Directive { letter: 'x', meaning: "the same as %D", show: Combination("%m/%d/%y"), read: Read::Combination("%m/%d/%y") },
    Directive { letter: 'X', meaning: "the same as %T", show: Combination("%H:%M:%S"), read: Read::Combination("%H:%M:%S") },
    Directive { letter: 'r', meaning: "time with AM or PM", show: Combination("%I:%M:%S %p"), read: Read::Combination("%I:%M:%S %p") },
    Directive { letter: 'R', meaning: "hours and minutes", show: Combination("%H:%M"), read: Read::Combination("%H:%M") },
    Directive { letter: 'T', meaning: "time", show: Combination("%H:%M:%S"), read: Read::Combination("%H:%M:%S") },
];

#[rustfmt::skip]
pub(super) const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
];
pub(super) const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

#[expect(clippy::indexing_slicing, reason = "months count from 1 to 12")]
fn month_name(moment: &Moment) -> &'static str {
    MONTHS[moment.month() as usize - 1]
}

#[expect(clippy::indexing_slicing, reason = "a week has seven days")]
fn weekday_name(moment: &Moment) -> &'static str {
    WEEKDAYS[moment.weekday() as usize]
}

fn upper(text: &str) -> String {
    text.to_ascii_uppercase()
}

fn lower(text: &str) -> String {
    text.to_ascii_lowercase()
}

/// `%FT%T.%N %Z` in UTC: the text that reads back.
pub(crate) fn standard_text(stamp: Timestamp) -> String {
    let moment = Moment::new(stamp, Zone::UTC);
    let mut out = BoundedString::default();
    let _ = write(&moment, "%FT%T.%N %Z", &mut out); // Every directive is known, and the limit is far.
    out.into_string()
}

/// The stamp as the format shows it, in a zone: an offset, a name, `current` for the zone of the machine, or UTC when
/// `zone` is empty.
pub(crate) fn format(stamp: Timestamp, format: &str, zone: &str) -> Result<String> {
    let moment = Moment::new(stamp, Zone::for_showing(zone, stamp)?);
    let mut out = BoundedString::default();
    write(&moment, format, &mut out)?;
    Ok(out.into_string())
}

fn write(moment: &Moment, format: &str, out: &mut BoundedString) -> Result<()> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at])?;
        let (spec, letter) = Spec::read(&rest[at + 1..]);
        let (length, directive) = directive(letter);
        let end = rest.len() - letter.len() + length;
        if length == 0 {
            return Err(TimeFormatError::Unfinished { format: format.to_owned() }.into());
        }
        if spec.width.is_some_and(|width| width > MAX_WIDTH) {
            return Err(TimeFormatError::WidthAboveLimit { format: format.to_owned() }.into());
        }
        match directive {
            Some((directive, colons)) => spec.write(moment, directive.show, colons, &rest[at..end], out)?,
            None => out.push_str(&rest[at..end])?,
        }
        rest = &rest[end..];
    }
    out.push_str(rest)
}

/// Parses the letters after the flags and the width: returns their length and the directive, with its number of
/// colons.
fn directive(text: &str) -> (usize, Option<(&'static Directive, usize)>) {
    let colons = text.bytes().take_while(|&byte| byte == b':').count();
    let is_offset = (1..=3).contains(&colons) && text[colons..].starts_with('z');
    let is_modified = match text.as_bytes() {
        // Another calendar and other digits, which changes nothing.
        [b'E', letter, ..] => b"cCxXyY".contains(letter),
        [b'O', letter, ..] => b"deHkIlmMSuUVwWy".contains(letter),
        _ => false,
    };
    let before = if is_offset { colons } else { usize::from(is_modified) };
    if colons > 0 && !is_offset {
        return (colons, None);
    }
    let Some(letter) = text[before..].chars().next() else { return (0, None) };
    (before + letter.len_utf8(), named(letter).map(|directive| (directive, colons)))
}

/// The flags and the width between `%` and the letter.
#[derive(Clone, Copy, Debug, Default)]
struct Spec {
    /// `-`: no filling.
    bare: bool,
    /// `_` or `0`, whichever comes last.
    fill: Option<char>,
    /// `^`
    upper: bool,
    /// `#`
    change_case: bool,
    width: Option<usize>,
}

impl Spec {
    /// Parses the flags and the width after a `%`; returns the rest of the format, too.
    fn read(text: &str) -> (Spec, &str) {
        let mut spec = Spec::default();
        let flags = text.bytes().take_while(|byte| b"-_0^#".contains(byte)).count();
        for flag in text[..flags].bytes() {
            match flag {
                b'-' => spec.bare = true,
                b'_' => spec.fill = Some(' '),
                b'0' => spec.fill = Some('0'),
                b'^' => spec.upper = true,
                _ => spec.change_case = true,
            }
        }
        let text = &text[flags..];
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        spec.width = (digits > 0).then(|| text[..digits].parse().unwrap_or(usize::MAX));
        (spec, &text[digits..])
    }

    /// `text` is the directive as it was written.
    fn write(self, moment: &Moment, show: Show, colons: usize, text: &str, out: &mut BoundedString) -> Result<()> {
        match show {
            Show::Number(value, digits) => self.write_number(value(moment), digits, '0', out),
            Show::BlankNumber(value, digits) => self.write_number(value(moment), digits, ' ', out),
            Show::Year(value) => {
                let year = value(moment);
                self.write_number(year, if year < 0 { 5 } else { 4 }, '0', out)
            }
            Show::Word(value, changed) => {
                let word = value(moment);
                let width = if self.bare || word.is_empty() { 0 } else { self.width.unwrap_or(0) };
                match (self.change_case, self.upper) {
                    (true, _) => self.write_word(&changed(word), width, out),
                    (false, true) => self.write_word(&upper(word), width, out),
                    (false, false) => self.write_word(word, width, out),
                }
            }
            Show::Fraction(digits) => {
                let digits = self.width.unwrap_or(digits);
                let text = format!("{:09}", moment.nanosecond);
                out.push_str(&text[..digits.min(text.len())])?;
                out.fill('0', digits.saturating_sub(text.len()))
            }
            Show::Offset => self.write_offset(moment.zone, colons, out),
            Show::Combination(format) => {
                let mut text = BoundedString::default();
                write(moment, format, &mut text)?;
                let text = text.into_string();
                let text = if self.upper { upper(&text) } else { text };
                self.write_word(&text, self.width.unwrap_or(0), out)
            }
            Show::AsWritten => out.push_str(text),
        }
    }

    fn write_number(self, number: i128, digits: usize, usual_fill: char, out: &mut BoundedString) -> Result<()> {
        let mut digits_of = itoa::Buffer::new();
        let magnitude = digits_of.format(number.unsigned_abs());
        let sign = if number < 0 { "-" } else { "" };
        let width = if self.bare { 0 } else { self.width.unwrap_or(digits) };
        let fill = self.fill.unwrap_or(usual_fill);
        let missing = width.saturating_sub(sign.len() + magnitude.len());
        if fill == '0' {
            out.push_str(sign)?;
            out.fill(fill, missing)?;
        } else {
            out.fill(fill, missing)?;
            out.push_str(sign)?;
        }
        out.push_str(magnitude)
    }

    fn write_word(self, word: &str, width: usize, out: &mut BoundedString) -> Result<()> {
        out.fill(self.fill.unwrap_or(' '), width.saturating_sub(word.len()))?;
        out.push_str(word)
    }

    /// `+0900`, `+09:00`, `+09:00:00`, `+09` after no, one, two, three colons; the hours take up the width.
    ///
    /// Observed: Ruby shows `-0000` for UTC under the flag `-`.
    fn write_offset(self, zone: Zone, colons: usize, out: &mut BoundedString) -> Result<()> {
        let magnitude = zone.offset_seconds.unsigned_abs();
        let (hours, minutes, seconds) = (magnitude / 3600, magnitude / 60 % 60, magnitude % 60);
        let is_negative = zone.offset_seconds < 0 || (self.bare && zone == Zone::UTC);
        let sign = if is_negative { "-" } else { "+" };
        let rest = match colons {
            0 => format!("{minutes:02}"),
            1 => format!(":{minutes:02}"),
            2 => format!(":{minutes:02}:{seconds:02}"),
            _ if seconds > 0 => format!(":{minutes:02}:{seconds:02}"),
            _ if minutes > 0 => format!(":{minutes:02}"),
            _ => String::new(),
        };
        let width = self.width.unwrap_or(0).saturating_sub(rest.len()).max("+00".len());
        if self.fill == Some(' ') {
            let hours = hours.to_string();
            out.fill(' ', width - 1 - hours.len())?;
            out.push_str(sign)?;
            out.push_str(&hours)?;
        } else {
            out.push_str(sign)?;
            let hours = hours.to_string();
            out.fill('0', (width - 1).saturating_sub(hours.len()))?;
            out.push_str(&hours)?;
        }
        out.push_str(&rest)
    }
}

pub(super) fn named(letter: char) -> Option<&'static Directive> {
    DIRECTIVES.iter().find(|directive| directive.letter == letter)
}
