//! Formats Timestamps, with Ruby's directives: `%FT%T.%N %Z`.
//!
//! Each directive prints one of a few kinds of parts: a number with its default digits, a word, a fraction, an offset
//! or a combination of other directives. Flags and width work the same way for all parts of a kind, so a row of the
//! table only gives the kind and where the content comes from. The same row says what the directive parses (see
//! [`strptime`](super::strptime)).
//!
//! An unknown directive is copied unchanged.
//!
//! Observed: Puppet 8.11 on Ruby 3.1 and 3.2, every letter with every flag.

use chrono::{Datelike, Timelike};
use nom::character::complete::{anychar, char, one_of};
use nom::combinator::{consumed, opt, verify};
use nom::{Parser, branch::alt, bytes::complete::take_while, multi::many1_count, sequence::preceded};

use super::{
    MAX_WIDTH, NANOS_PER_SECOND, TimeFormatError, Timestamp, calendar::LocalDateTime, strptime::ParsedPart, zone::Zone,
};
use crate::error::Result;
use crate::limits::BoundedString;
use crate::microsyntax::{Parsed, StringParser, parse_count};

pub(crate) struct Directive {
    pub(crate) letter: char,
    pub(crate) meaning: &'static str,
    pub(super) printed: PrintedPart,
    pub(super) parsed: ParsedPart,
}

#[derive(Clone, Copy)]
pub(super) enum PrintedPart {
    /// A number, padded with zeros to the given number of digits.
    Number(fn(&LocalDateTime) -> i128, usize),
    /// A number, padded with spaces to the given number of digits.
    SpacePaddedNumber(fn(&LocalDateTime) -> i128, usize),
    /// A year, padded with zeros to four digits, or to five characters if it is negative.
    Year(fn(&LocalDateTime) -> i128),
    Word(fn(&LocalDateTime) -> &'static str),
    /// The fraction of a second, with the given number of digits unless the directive has a width.
    Fraction(usize),
    Offset,
    Combination(&'static str),
    /// The directive itself, unchanged: Ruby supports it only when parsing.
    AsWritten,
}

use PrintedPart::{AsWritten, Combination, Fraction, Number, Offset, SpacePaddedNumber, Word, Year};

/// All directives of Timestamps, with how they are printed and parsed.
/// Source: language specification, "Timestamp from String and patterns consisting of format directives".
#[rustfmt::skip]
pub(crate) static DIRECTIVES: &[Directive] = &[
    Directive { letter: 'Y', meaning: "year with century", printed: Year(LocalDateTime::year), parsed: ParsedPart::Year },
    Directive { letter: 'C', meaning: "year / 100, rounded down", printed: Number(|m| m.year().div_euclid(100), 2), parsed: ParsedPart::Century },
    Directive { letter: 'y', meaning: "year % 100 (00..99)", printed: Number(|m| m.year().rem_euclid(100), 2), parsed: ParsedPart::YearOfCentury },
    Directive { letter: 'm', meaning: "month of the year (01..12)", printed: Number(|m| m.local.month().into(), 2), parsed: ParsedPart::Number(|p| &mut p.month, 2, 1..=12) },
    Directive { letter: 'B', meaning: "full month name", printed: Word(month_name), parsed: ParsedPart::Name(|p| &mut p.month, &MONTHS) },
    Directive { letter: 'b', meaning: "abbreviated month name", printed: Word(|m| &month_name(m)[..3]), parsed: ParsedPart::Name(|p| &mut p.month, &MONTHS) },
    Directive { letter: 'h', meaning: "the same as %b", printed: Word(|m| &month_name(m)[..3]), parsed: ParsedPart::Name(|p| &mut p.month, &MONTHS) },
    Directive { letter: 'd', meaning: "day of the month (01..31)", printed: Number(|m| m.local.day().into(), 2), parsed: ParsedPart::SpacePaddedNumber(|p| &mut p.day, 1..=31) },
    Directive { letter: 'e', meaning: "day of the month ( 1..31)", printed: SpacePaddedNumber(|m| m.local.day().into(), 2), parsed: ParsedPart::SpacePaddedNumber(|p| &mut p.day, 1..=31) },
    Directive { letter: 'j', meaning: "day of the year (001..366)", printed: Number(|m| m.local.ordinal().into(), 3), parsed: ParsedPart::Number(|p| &mut p.day_of_year, 3, 1..=366) },
    Directive { letter: 'H', meaning: "hour of the day (00..23)", printed: Number(|m| m.local.hour().into(), 2), parsed: ParsedPart::SpacePaddedNumber(|p| &mut p.hour, 0..=24) },
    Directive { letter: 'k', meaning: "hour of the day ( 0..23)", printed: SpacePaddedNumber(|m| m.local.hour().into(), 2), parsed: ParsedPart::SpacePaddedNumber(|p| &mut p.hour, 0..=24) },
    Directive { letter: 'I', meaning: "hour of the half day (01..12)", printed: Number(|m| m.local.hour12().1.into(), 2), parsed: ParsedPart::SpacePaddedNumber(|p| &mut p.hour, 1..=12) },
    Directive { letter: 'l', meaning: "hour of the half day ( 1..12)", printed: SpacePaddedNumber(|m| m.local.hour12().1.into(), 2), parsed: ParsedPart::SpacePaddedNumber(|p| &mut p.hour, 1..=12) },
    Directive { letter: 'P', meaning: "am or pm", printed: Word(|m| if m.local.hour12().0 { "pm" } else { "am" }), parsed: ParsedPart::HalfDay },
    Directive { letter: 'p', meaning: "AM or PM", printed: Word(|m| if m.local.hour12().0 { "PM" } else { "AM" }), parsed: ParsedPart::HalfDay },
    Directive { letter: 'M', meaning: "minute of the hour (00..59)", printed: Number(|m| m.local.minute().into(), 2), parsed: ParsedPart::Number(|p| &mut p.minute, 2, 0..=59) },
    Directive { letter: 'S', meaning: "second of the minute (00..60)", printed: Number(|m| m.local.second().into(), 2), parsed: ParsedPart::Number(|p| &mut p.second, 2, 0..=60) },
    Directive { letter: 'L', meaning: "millisecond of the second (000..999)", printed: Fraction(3), parsed: ParsedPart::Fraction(3) },
    Directive { letter: 'N', meaning: "fraction of the second, nine digits", printed: Fraction(9), parsed: ParsedPart::Fraction(9) },
    Directive { letter: 'z', meaning: "offset from UTC (+0900, %:z +09:00, %::z +09:00:00)", printed: Offset, parsed: ParsedPart::Zone },
    Directive { letter: 'Z', meaning: "name of the time zone", printed: Word(|m| m.zone.printed_name), parsed: ParsedPart::Zone },
    Directive { letter: 'A', meaning: "full weekday name", printed: Word(weekday_name), parsed: ParsedPart::Name(|p| &mut p.ignored, &WEEKDAYS) },
    Directive { letter: 'a', meaning: "abbreviated weekday name", printed: Word(|m| &weekday_name(m)[..3]), parsed: ParsedPart::Name(|p| &mut p.ignored, &WEEKDAYS) },
    Directive { letter: 'u', meaning: "day of the week, Monday is 1 (1..7)", printed: Number(|m| ((m.weekday() + 6) % 7 + 1).into(), 1), parsed: ParsedPart::Number(|p| &mut p.ignored, 1, 1..=7) },
    Directive { letter: 'w', meaning: "day of the week, Sunday is 0 (0..6)", printed: Number(|m| m.weekday().into(), 1), parsed: ParsedPart::Number(|p| &mut p.ignored, 1, 0..=6) },
    Directive { letter: 'G', meaning: "year of the ISO week", printed: Year(LocalDateTime::iso_week_year), parsed: ParsedPart::WeekYear },
    Directive { letter: 'g', meaning: "year of the ISO week % 100 (00..99)", printed: Number(|m| m.iso_week_year().rem_euclid(100), 2), parsed: ParsedPart::Number(|p| &mut p.ignored, 2, 0..=99) },
    Directive { letter: 'V', meaning: "ISO week of the year (01..53)", printed: Number(|m| m.local.iso_week().week().into(), 2), parsed: ParsedPart::Number(|p| &mut p.ignored, 2, 1..=53) },
    Directive { letter: 'U', meaning: "week of the year, from Sunday (00..53)", printed: Number(|m| m.week_of_year(0).into(), 2), parsed: ParsedPart::Number(|p| &mut p.ignored, 2, 0..=53) },
    Directive { letter: 'W', meaning: "week of the year, from Monday (00..53)", printed: Number(|m| m.week_of_year(1).into(), 2), parsed: ParsedPart::Number(|p| &mut p.ignored, 2, 0..=53) },
    Directive { letter: 's', meaning: "seconds since 1970-01-01 00:00:00 UTC", printed: Number(|m| m.epoch_seconds, 1), parsed: ParsedPart::SinceEpoch(NANOS_PER_SECOND) },
    Directive { letter: 'Q', meaning: "milliseconds since 1970-01-01 00:00:00 UTC, read only", printed: AsWritten, parsed: ParsedPart::SinceEpoch(NANOS_PER_SECOND / 1000) },
    Directive { letter: 'n', meaning: "newline", printed: Word(|_| "\n"), parsed: ParsedPart::Combination(" ") },
    Directive { letter: 't', meaning: "tab", printed: Word(|_| "\t"), parsed: ParsedPart::Combination(" ") },
    Directive { letter: '%', meaning: "percent sign", printed: Word(|_| "%"), parsed: ParsedPart::Combination("%") },
    Directive { letter: 'c', meaning: "date and time", printed: Combination("%a %b %e %T %Y"), parsed: ParsedPart::Combination("%a %b %e %H:%M:%S %Y") },
    Directive { letter: '+', meaning: "date, time and zone, read only", printed: AsWritten, parsed: ParsedPart::Combination("%a %b %e %H:%M:%S %Z %Y") },
    Directive { letter: 'D', meaning: "date", printed: Combination("%m/%d/%y"), parsed: ParsedPart::Combination("%m/%d/%y") },
    Directive { letter: 'F', meaning: "ISO 8601 date", printed: Combination("%Y-%m-%d"), parsed: ParsedPart::Combination("%Y-%m-%d") },
    Directive { letter: 'v', meaning: "VMS date", printed: Combination("%e-%^b-%4Y"), parsed: ParsedPart::Combination("%e-%b-%Y") },
    Directive { letter: 'x', meaning: "the same as %D", printed: Combination("%m/%d/%y"), parsed: ParsedPart::Combination("%m/%d/%y") },
    Directive { letter: 'X', meaning: "the same as %T", printed: Combination("%H:%M:%S"), parsed: ParsedPart::Combination("%H:%M:%S") },
    Directive { letter: 'r', meaning: "time with AM or PM", printed: Combination("%I:%M:%S %p"), parsed: ParsedPart::Combination("%I:%M:%S %p") },
    Directive { letter: 'R', meaning: "hours and minutes", printed: Combination("%H:%M"), parsed: ParsedPart::Combination("%H:%M") },
    Directive { letter: 'T', meaning: "time", printed: Combination("%H:%M:%S"), parsed: ParsedPart::Combination("%H:%M:%S") },
];

#[rustfmt::skip]
const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
];
const WEEKDAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

#[expect(clippy::indexing_slicing, reason = "months count from 0 to 11 here")]
fn month_name(moment: &LocalDateTime) -> &'static str {
    MONTHS[moment.local.month0() as usize]
}

#[expect(clippy::indexing_slicing, reason = "a week has seven days")]
fn weekday_name(moment: &LocalDateTime) -> &'static str {
    WEEKDAYS[moment.weekday() as usize]
}

/// The format in which a Timestamp is printed by default; the resulting string parses to the same Timestamp.
pub(super) const DEFAULT_FORMAT: &str = "%FT%T.%N %Z";

/// Formats `stamp` in a zone: an offset such as `+02:00`, a name, `current` for the machine's zone, or `''` for UTC.
pub(crate) fn format(stamp: Timestamp, format: &str, zone: &str) -> Result<String> {
    let moment = LocalDateTime::from_stamp_in_zone(stamp, Zone::zone_for_printing(zone, stamp)?);
    let mut out = BoundedString::default();
    write_by_format(&moment, format, &mut out)?;
    Ok(out.into_string())
}

fn write_by_format(moment: &LocalDateTime, format: &str, out: &mut BoundedString) -> Result<()> {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at])?;
        let directive =
            preceded(char('%'), (FlagsAndWidth::parse_flags_and_width, parse_colons_and_letter("deHkIlmMSuUVwWy")));
        let unfinished = |_| TimeFormatError::Unfinished { format: format.to_owned() };
        let (after, (written, (spec, (colons, letter)))) =
            consumed(directive).parse(&rest[at..]).map_err(unfinished)?;
        if spec.width.is_some_and(|width| width > MAX_WIDTH) {
            return Err(TimeFormatError::WidthAboveLimit { format: format.to_owned() }.into());
        }
        match directive_by_letter(letter) {
            Some(directive) => spec.write_printed_part(moment, directive.printed, colons, written, out)?,
            None => out.push_str(written)?,
        }
        rest = after;
    }
    out.push_str(rest)
}

/// Returns a parser for the end of a directive: the number of colons, and the letter. `E` and `O` (Ruby's alternative
/// calendars and digits) have no effect; `digits` lists the letters that may follow `O`.
///
/// `conversion ::= ":" (":" ":"?)? "z" | "E" [cCxXyY] | "O" <digits> | <any character>`
pub(super) fn parse_colons_and_letter<'t>(digits: &'static str) -> impl StringParser<'t, (usize, char)> {
    let colons = verify(many1_count(char(':')), |colons| *colons <= 3);
    let calendar = preceded(char('E'), one_of("cCxXyY"));
    let letter = alt((calendar, preceded(char('O'), one_of(digits)), anychar));
    alt(((colons, char('z')), letter.map(|letter| (0, letter))))
}

/// The flags and the width between `%` and the letter: `-` for no padding, `_` and `0` for the padding character, `^`
/// for upper case, `#` for upper case or, if the word is in upper case already, lower case.
#[derive(Clone, Copy, Debug)]
struct FlagsAndWidth<'f> {
    flags: &'f str,
    width: Option<usize>,
}

impl<'f> FlagsAndWidth<'f> {
    /// `spec ::= [-_0^#]* [0-9]*`
    fn parse_flags_and_width(text: &'f str) -> Parsed<'f, FlagsAndWidth<'f>> {
        let flags = take_while(|flag| "-_0^#".contains(flag));
        (flags, opt(parse_count)).map(|(flags, width)| FlagsAndWidth { flags, width }).parse(text)
    }

    fn has_flag(self, flag: char) -> bool {
        self.flags.contains(flag)
    }

    /// Returns the padding character: a space for the flag `_`, zero for `0` (the last one counts), otherwise `usual`.
    fn padding_character(self, usual: char) -> char {
        match self.flags.chars().rfind(|flag| matches!(flag, '_' | '0')) {
            Some('_') => ' ',
            zero => zero.unwrap_or(usual),
        }
    }

    /// Writes the part `show` of `moment`. `colons` counts the `:` of the directive; `written` is the whole directive.
    fn write_printed_part(
        self,
        moment: &LocalDateTime,
        show: PrintedPart,
        colons: usize,
        written: &str,
        out: &mut BoundedString,
    ) -> Result<()> {
        match show {
            PrintedPart::Number(value, digits) => self.write_number(value(moment), digits, '0', out),
            PrintedPart::SpacePaddedNumber(value, digits) => self.write_number(value(moment), digits, ' ', out),
            PrintedPart::Year(value) => {
                let year = value(moment);
                self.write_number(year, if year < 0 { 5 } else { 4 }, '0', out)
            }
            PrintedPart::Word(value) => {
                let word = value(moment);
                let width = if self.has_flag('-') || word.is_empty() { 0 } else { self.width.unwrap_or(0) };
                let is_upper = word.bytes().all(|byte| byte.is_ascii_uppercase());
                match (self.has_flag('#'), self.has_flag('^')) {
                    (true, _) if is_upper => self.write_word(&word.to_ascii_lowercase(), width, out),
                    (false, false) => self.write_word(word, width, out),
                    _ => self.write_word(&word.to_ascii_uppercase(), width, out),
                }
            }
            PrintedPart::Fraction(digits) => {
                let digits = self.width.unwrap_or(digits);
                let text = format!("{:09}", moment.nanosecond);
                out.push_str(&text[..digits.min(text.len())])?;
                out.push_repeated('0', digits.saturating_sub(text.len()))
            }
            PrintedPart::Offset => self.write_offset(moment.zone, colons, out),
            PrintedPart::Combination(format) => {
                let mut text = BoundedString::default();
                write_by_format(moment, format, &mut text)?;
                let text = text.into_string();
                let text = if self.has_flag('^') { text.to_ascii_uppercase() } else { text };
                self.write_word(&text, self.width.unwrap_or(0), out)
            }
            PrintedPart::AsWritten => out.push_str(written),
        }
    }

    fn write_number(self, number: i128, digits: usize, usual_fill: char, out: &mut BoundedString) -> Result<()> {
        let width = if self.has_flag('-') { 0 } else { self.width.unwrap_or(digits) };
        let sign = if number < 0 { "-" } else { "" };
        let mut magnitude = itoa::Buffer::new();
        let magnitude = magnitude.format(number.unsigned_abs());
        write_signed_number(sign, magnitude, self.padding_character(usual_fill), width, out)
    }

    fn write_word(self, word: &str, width: usize, out: &mut BoundedString) -> Result<()> {
        out.push_repeated(self.padding_character(' '), width.saturating_sub(word.len()))?;
        out.push_str(word)
    }

    /// Writes an offset from UTC: `+0900`, or with one to three colons `+09:00`, `+09:00:00`, `+09`. Pads the hours.
    ///
    /// Observed: Ruby shows `-0000` for UTC under the flag `-`.
    fn write_offset(self, zone: Zone, colons: usize, out: &mut BoundedString) -> Result<()> {
        let magnitude = zone.offset_seconds.unsigned_abs();
        let (hours, minutes, seconds) = (magnitude / 3600, magnitude / 60 % 60, magnitude % 60);
        let is_negative = zone.offset_seconds < 0 || (self.has_flag('-') && zone == Zone::UTC);
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
        write_signed_number(sign, &hours.to_string(), self.padding_character('0'), width, out)?;
        out.push_str(&rest)
    }
}

/// Writes a signed number, padded to `width`: zeros between the sign and the digits, spaces before the sign.
fn write_signed_number(sign: &str, digits: &str, fill: char, width: usize, out: &mut BoundedString) -> Result<()> {
    let missing = width.saturating_sub(sign.len() + digits.len());
    let (before, between) = if fill == '0' { (0, missing) } else { (missing, 0) };
    out.push_repeated(' ', before)?;
    out.push_str(sign)?;
    out.push_repeated('0', between)?;
    out.push_str(digits)
}

pub(super) fn directive_by_letter(letter: char) -> Option<&'static Directive> {
    DIRECTIVES.iter().find(|directive| directive.letter == letter)
}
