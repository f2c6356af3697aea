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

use chrono::{Datelike, Timelike};
use nom::character::complete::{anychar, char, one_of};
use nom::combinator::{consumed, opt, verify};
use nom::{Parser, branch::alt, bytes::complete::take_while, multi::many1_count, sequence::preceded};

use super::{MAX_WIDTH, NANOS_PER_SECOND, TimeFormatError, Timestamp, calendar::Moment, strptime::Read, zone::Zone};
use crate::error::Result;
use crate::limits::BoundedString;
use crate::microsyntax::{Parsed, Rule, count};

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
    Word(fn(&Moment) -> &'static str),
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
    Directive { letter: 'm', meaning: "month of the year (01..12)", show: Number(|m| m.local.month().into(), 2), read: Read::Number(|p| &mut p.month, 2, 1..=12) },
    Directive { letter: 'B', meaning: "full month name", show: Word(month_name), read: Read::MonthName },
    Directive { letter: 'b', meaning: "abbreviated month name", show: Word(|m| &month_name(m)[..3]), read: Read::MonthName },
    Directive { letter: 'h', meaning: "the same as %b", show: Word(|m| &month_name(m)[..3]), read: Read::MonthName },
    Directive { letter: 'd', meaning: "day of the month (01..31)", show: Number(|m| m.local.day().into(), 2), read: Read::BlankNumber(|p| &mut p.day, 1..=31) },
    Directive { letter: 'e', meaning: "day of the month ( 1..31)", show: BlankNumber(|m| m.local.day().into(), 2), read: Read::BlankNumber(|p| &mut p.day, 1..=31) },
    Directive { letter: 'j', meaning: "day of the year (001..366)", show: Number(|m| m.local.ordinal().into(), 3), read: Read::Number(|p| &mut p.day_of_year, 3, 1..=366) },
    Directive { letter: 'H', meaning: "hour of the day (00..23)", show: Number(|m| m.local.hour().into(), 2), read: Read::BlankNumber(|p| &mut p.hour, 0..=24) },
    Directive { letter: 'k', meaning: "hour of the day ( 0..23)", show: BlankNumber(|m| m.local.hour().into(), 2), read: Read::BlankNumber(|p| &mut p.hour, 0..=24) },
    Directive { letter: 'I', meaning: "hour of the half day (01..12)", show: Number(|m| m.local.hour12().1.into(), 2), read: Read::BlankNumber(|p| &mut p.hour, 1..=12) },
    Directive { letter: 'l', meaning: "hour of the half day ( 1..12)", show: BlankNumber(|m| m.local.hour12().1.into(), 2), read: Read::BlankNumber(|p| &mut p.hour, 1..=12) },
    Directive { letter: 'P', meaning: "am or pm", show: Word(|m| if m.local.hour12().0 { "pm" } else { "am" }), read: Read::HalfDay },
    Directive { letter: 'p', meaning: "AM or PM", show: Word(|m| if m.local.hour12().0 { "PM" } else { "AM" }), read: Read::HalfDay },
    Directive { letter: 'M', meaning: "minute of the hour (00..59)", show: Number(|m| m.local.minute().into(), 2), read: Read::Number(|p| &mut p.minute, 2, 0..=59) },
    Directive { letter: 'S', meaning: "second of the minute (00..60)", show: Number(|m| m.local.second().into(), 2), read: Read::Number(|p| &mut p.second, 2, 0..=60) },
    Directive { letter: 'L', meaning: "millisecond of the second (000..999)", show: Fraction(3), read: Read::Fraction(3) },
    Directive { letter: 'N', meaning: "fraction of the second, nine digits", show: Fraction(9), read: Read::Fraction(9) },
    Directive { letter: 'z', meaning: "offset from UTC (+0900, %:z +09:00, %::z +09:00:00)", show: Offset, read: Read::Zone },
    Directive { letter: 'Z', meaning: "name of the time zone", show: Word(|m| m.zone.name), read: Read::Zone },
    Directive { letter: 'A', meaning: "full weekday name", show: Word(weekday_name), read: Read::WeekdayName },
    Directive { letter: 'a', meaning: "abbreviated weekday name", show: Word(|m| &weekday_name(m)[..3]), read: Read::WeekdayName },
    Directive { letter: 'u', meaning: "day of the week, Monday is 1 (1..7)", show: Number(|m| ((m.weekday() + 6) % 7 + 1).into(), 1), read: Read::Number(|p| &mut p.ignored, 1, 1..=7) },
    Directive { letter: 'w', meaning: "day of the week, Sunday is 0 (0..6)", show: Number(|m| m.weekday().into(), 1), read: Read::Number(|p| &mut p.ignored, 1, 0..=6) },
    Directive { letter: 'G', meaning: "year of the ISO week", show: Year(Moment::week_year), read: Read::WeekYear },
    Directive { letter: 'g', meaning: "year of the ISO week % 100 (00..99)", show: Number(|m| m.week_year().rem_euclid(100), 2), read: Read::Number(|p| &mut p.ignored, 2, 0..=99) },
    Directive { letter: 'V', meaning: "ISO week of the year (01..53)", show: Number(|m| m.local.iso_week().week().into(), 2), read: Read::Number(|p| &mut p.ignored, 2, 1..=53) },
    Directive { letter: 'U', meaning: "week of the year, from Sunday (00..53)", show: Number(|m| m.week_from(0).into(), 2), read: Read::Number(|p| &mut p.ignored, 2, 0..=53) },
    Directive { letter: 'W', meaning: "week of the year, from Monday (00..53)", show: Number(|m| m.week_from(1).into(), 2), read: Read::Number(|p| &mut p.ignored, 2, 0..=53) },
    Directive { letter: 's', meaning: "seconds since 1970-01-01 00:00:00 UTC", show: Number(|m| m.epoch_seconds, 1), read: Read::SinceEpoch(NANOS_PER_SECOND) },
    Directive { letter: 'Q', meaning: "milliseconds since 1970-01-01 00:00:00 UTC, read only", show: AsWritten, read: Read::SinceEpoch(NANOS_PER_SECOND / 1000) },
    Directive { letter: 'n', meaning: "newline", show: Word(|_| "\n"), read: Read::Blanks },
    Directive { letter: 't', meaning: "tab", show: Word(|_| "\t"), read: Read::Blanks },
    Directive { letter: '%', meaning: "percent sign", show: Word(|_| "%"), read: Read::Percent },
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

#[expect(clippy::indexing_slicing, reason = "months count from 0 to 11 here")]
fn month_name(moment: &Moment) -> &'static str {
    MONTHS[moment.local.month0() as usize]
}

#[expect(clippy::indexing_slicing, reason = "a week has seven days")]
fn weekday_name(moment: &Moment) -> &'static str {
    WEEKDAYS[moment.weekday() as usize]
}

/// The format of the text that reads back.
pub(super) const STANDARD: &str = "%FT%T.%N %Z";

/// The stamp as the format shows it, in a zone: an offset, a name, `current` of the machine, or UTC when empty.
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
        let directive = preceded(char('%'), (Spec::read, conversion("deHkIlmMSuUVwWy")));
        let unfinished = |_| TimeFormatError::Unfinished { format: format.to_owned() };
        let (after, (written, (spec, (colons, letter)))) =
            consumed(directive).parse(&rest[at..]).map_err(unfinished)?;
        if spec.width.is_some_and(|width| width > MAX_WIDTH) {
            return Err(TimeFormatError::WidthAboveLimit { format: format.to_owned() }.into());
        }
        match named(letter) {
            Some(directive) => spec.write(moment, directive.show, colons, written, out)?,
            None => out.push_str(written)?,
        }
        rest = after;
    }
    out.push_str(rest)
}

/// The letter of a directive, and the number of colons before it. `E` and `O` ask for another calendar and for other
/// digits, which changes nothing; `digits` are the letters that may follow `O`.
///
/// `conversion ::= ":" (":" ":"?)? "z" | "E" [cCxXyY] | "O" <digits> | <any character>`
pub(super) fn conversion<'t>(digits: &'static str) -> impl Rule<'t, (usize, char)> {
    let colons = verify(many1_count(char(':')), |colons| *colons <= 3);
    let calendar = preceded(char('E'), one_of("cCxXyY"));
    let letter = alt((calendar, preceded(char('O'), one_of(digits)), anychar));
    alt(((colons, char('z')), letter.map(|letter| (0, letter))))
}

/// The flags and the width between `%` and the letter: `-` for no filling, `_` and `0` for what to fill with, `^` for upper
/// case, `#` for the other case.
#[derive(Clone, Copy, Debug)]
struct Spec<'f> {
    flags: &'f str,
    width: Option<usize>,
}

impl<'f> Spec<'f> {
    /// `spec ::= [-_0^#]* [0-9]*`
    fn read(text: &'f str) -> Parsed<'f, Spec<'f>> {
        let flags = take_while(|flag| "-_0^#".contains(flag));
        (flags, opt(count)).map(|(flags, width)| Spec { flags, width }).parse(text)
    }

    fn has(self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// What to fill with: as the last flag says.
    fn fill(self, usual: char) -> char {
        match self.flags.chars().rfind(|flag| matches!(flag, '_' | '0')) {
            Some('_') => ' ',
            zero => zero.unwrap_or(usual),
        }
    }

    /// `written` is the directive itself.
    fn write(self, moment: &Moment, show: Show, colons: usize, written: &str, out: &mut BoundedString) -> Result<()> {
        match show {
            Show::Number(value, digits) => self.write_number(value(moment), digits, '0', out),
            Show::BlankNumber(value, digits) => self.write_number(value(moment), digits, ' ', out),
            Show::Year(value) => {
                let year = value(moment);
                self.write_number(year, if year < 0 { 5 } else { 4 }, '0', out)
            }
            Show::Word(value) => {
                let word = value(moment);
                let width = if self.has('-') || word.is_empty() { 0 } else { self.width.unwrap_or(0) };
                let is_upper = word.bytes().all(|byte| byte.is_ascii_uppercase());
                match (self.has('#'), self.has('^')) {
                    (true, _) if is_upper => self.write_word(&word.to_ascii_lowercase(), width, out),
                    (false, false) => self.write_word(word, width, out),
                    _ => self.write_word(&word.to_ascii_uppercase(), width, out),
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
                let text = if self.has('^') { text.to_ascii_uppercase() } else { text };
                self.write_word(&text, self.width.unwrap_or(0), out)
            }
            Show::AsWritten => out.push_str(written),
        }
    }

    fn write_number(self, number: i128, digits: usize, usual_fill: char, out: &mut BoundedString) -> Result<()> {
        let width = if self.has('-') { 0 } else { self.width.unwrap_or(digits) };
        let sign = if number < 0 { "-" } else { "" };
        let mut magnitude = itoa::Buffer::new();
        let magnitude = magnitude.format(number.unsigned_abs());
        write_signed(sign, magnitude, self.fill(usual_fill), width, out)
    }

    fn write_word(self, word: &str, width: usize, out: &mut BoundedString) -> Result<()> {
        out.fill(self.fill(' '), width.saturating_sub(word.len()))?;
        out.push_str(word)
    }

    /// `+0900`, `+09:00`, `+09:00:00`, `+09` after no, one, two, three colons; the hours take up the width.
    ///
    /// Observed: Ruby shows `-0000` for UTC under the flag `-`.
    fn write_offset(self, zone: Zone, colons: usize, out: &mut BoundedString) -> Result<()> {
        let magnitude = zone.offset_seconds.unsigned_abs();
        let (hours, minutes, seconds) = (magnitude / 3600, magnitude / 60 % 60, magnitude % 60);
        let is_negative = zone.offset_seconds < 0 || (self.has('-') && zone == Zone::UTC);
        let rest = match colons {
            0 => format!("{minutes:02}"),
            1 => format!(":{minutes:02}"),
            2 => format!(":{minutes:02}:{seconds:02}"),
            _ if seconds > 0 => format!(":{minutes:02}:{seconds:02}"),
            _ if minutes > 0 => format!(":{minutes:02}"),
            _ => String::new(),
        };
        let width = self.width.unwrap_or(0).saturating_sub(rest.len()).max("+00".len());
        let sign = if is_negative { "-" } else { "+" };
        write_signed(sign, &hours.to_string(), self.fill('0'), width, out)?;
        out.push_str(&rest)
    }
}

/// Zeros go between the sign and the digits, spaces before the sign.
fn write_signed(sign: &str, digits: &str, fill: char, width: usize, out: &mut BoundedString) -> Result<()> {
    let missing = width.saturating_sub(sign.len() + digits.len());
    let (before, between) = if fill == '0' { (0, missing) } else { (missing, 0) };
    out.fill(' ', before)?;
    out.push_str(sign)?;
    out.fill('0', between)?;
    out.push_str(digits)
}

pub(super) fn named(letter: char) -> Option<&'static Directive> {
    DIRECTIVES.iter().find(|directive| directive.letter == letter)
}
