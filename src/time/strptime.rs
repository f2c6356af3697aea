//! Parses Timestamps, with Ruby's directives.
//!
//! First the pieces are read, each directive as far as possible (without backtracking), then they are combined: a
//! century with its year, AM and PM with an hour, an offset with the whole.
//!
//! A space in a format matches any number of spaces, including none. Parsing has no flags and widths: a `%` that starts
//! no directive matches itself.
//!
//! Observed: Puppet 8.11 on Ruby 3.1 and 3.2.

use super::calendar::day_seconds;
use super::strftime::{MONTHS, WEEKDAYS, named};
use super::zone::{named_offset_seconds, offset_seconds, zone_prefix};
use super::{NANOS_PER_SECOND, TimeFormatError, Timestamp};
use crate::error::{Result, quoted};

/// The formats that are tried when none is given.
///
/// Source: language specification, "Timestamp from String and patterns consisting of format directives".
/// Observed: Puppet 8.11 takes a space for the `T` too, and reads all digits of a second.
pub(crate) const DEFAULT_FORMATS: [&str; 10] =
    ["%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z", "%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

#[derive(Clone, Copy, Debug)]
pub(super) enum Read {
    Year,
    Century,
    YearOfCentury,
    Month,
    MonthName,
    Day,
    DayOfYear,
    Hour,
    HourOfHalfDay,
    HalfDay,
    Minute,
    Second,
    /// A fraction of a second: so many digits if another number follows, else all digits.
    Fraction(usize),
    EpochSeconds,
    EpochMilliseconds,
    Zone,
    WeekdayName,
    WeekYear,
    /// A number that must be valid but does not affect the date.
    Ignored {
        digits: usize,
        least: u32,
        most: u32,
    },
    Blanks,
    Percent,
    Combination(&'static str),
}

#[derive(Clone, Debug, Default)]
struct Pieces {
    year: Option<i128>,
    century: Option<i128>,
    /// The century implied by a two-digit year: 69 is 1969, 68 is 2068.
    usual_century: Option<i128>,
    month: Option<u32>,
    day: Option<u32>,
    day_of_year: Option<u32>,
    hour: Option<u32>,
    is_afternoon: Option<bool>,
    minute: Option<u32>,
    second: Option<u32>,
    nanosecond: Option<u32>,
    epoch_nanoseconds: Option<i128>,
    zone: Option<String>,
}

/// How much of what was read counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As Puppet 8.11, which needs a year and does not look at the seconds since 1970.
    ///
    /// Deviation: Puppet does not look at the day of the year either and takes January 1st; we reject.
    Puppet,
    /// As the specification lists the directives: `%j` is a date with its year, `%s` is a point in time.
    Specification,
}

/// Parses `text` by the first format that matches; `zone` is used if the text names no zone.
pub(crate) fn parse(text: &str, formats: &[&str], zone: Option<&str>, reading: Reading) -> Result<Timestamp> {
    for format in formats {
        let mut pieces = Pieces::default();
        let rest = read(&mut pieces, text, format);
        if rest == Some("") {
            return pieces.stamp(text, format, zone, reading);
        }
    }
    let formats = formats.iter().map(|format| quoted(format)).collect();
    Err(TimeFormatError::NoFit { type_: "Timestamp", text: quoted(text), formats }.into())
}

impl Pieces {
    fn stamp(self, text: &str, format: &str, zone: Option<&str>, reading: Reading) -> Result<Timestamp> {
        let too_large = || TimeFormatError::TooLarge { text: text.to_owned() };
        let nanosecond = i128::from(self.nanosecond.unwrap_or(0));
        if let (Reading::Specification, None, Some(since)) = (reading, self.year, self.epoch_nanoseconds) {
            let stamp = since.checked_add(nanosecond).map(Timestamp::from_nanoseconds);
            return stamp.ok_or_else(|| too_large().into());
        }
        let year = self.year.ok_or_else(|| TimeFormatError::NoYear { text: quoted(text), format: quoted(format) })?;
        let century = self.century.or(self.usual_century).unwrap_or(0);
        let year = century.checked_mul(100).and_then(|century| year.checked_add(century)).ok_or_else(too_large)?;
        let (month, day) = match (self.month, self.day, self.day_of_year, reading) {
            (None, None, Some(day), Reading::Specification) => (1, day),
            (None, None, Some(day), Reading::Puppet) if day > 1 => {
                return Err(TimeFormatError::DayOfYear { text: quoted(text), format: quoted(format) }.into());
            }
            (month, day, ..) => (month.unwrap_or(1), day.unwrap_or(1)),
        };
        let hour = match (self.hour, self.is_afternoon) {
            (Some(hour), Some(is_afternoon)) => hour % 12 + if is_afternoon { 12 } else { 0 },
            (hour, _) => hour.unwrap_or(0),
        };
        let (minute, second) = (self.minute.unwrap_or(0), self.second.unwrap_or(0));
        if hour == 24 && (minute, second) != (0, 0) {
            return Err(TimeFormatError::NoSuchTime { text: text.to_owned() }.into());
        }
        let local = day_seconds(year, month, day)
            .and_then(|start| start.checked_add(i128::from((hour * 60 + minute) * 60 + second)))
            .ok_or_else(too_large)?;
        let stamp = at(local, nanosecond).ok_or_else(too_large)?;
        let offset = match (self.zone, zone) {
            (Some(_), Some(zone)) => {
                return Err(TimeFormatError::TwoZones { format: format.to_owned(), zone: zone.to_owned() }.into());
            }
            (Some(zone), None) => named_offset_seconds(&zone).ok_or(TimeFormatError::UnknownZone { zone })?,
            (None, Some(zone)) => offset_seconds(zone, stamp)?,
            (None, None) => 0,
        };
        local.checked_sub(offset.into()).and_then(|seconds| at(seconds, nanosecond)).ok_or_else(|| too_large().into())
    }
}

fn at(seconds: i128, nanosecond: i128) -> Option<Timestamp> {
    let nanoseconds = seconds.checked_mul(NANOS_PER_SECOND)?.checked_add(nanosecond)?;
    Some(Timestamp::from_nanoseconds(nanoseconds))
}

fn read<'a>(pieces: &mut Pieces, text: &'a str, format: &str) -> Option<&'a str> {
    let mut text = text;
    let mut format = format;
    while let Some(character) = format.chars().next() {
        let after = &format[character.len_utf8()..];
        if character.is_ascii_whitespace() {
            text = without_blanks(text);
        } else if let Some((directive, after)) = directive(format) {
            text = read_directive(pieces, directive, text, after)?;
            format = after;
            continue;
        } else {
            text = text.strip_prefix(character)?;
        }
        format = after;
    }
    Some(text)
}

/// The directive that `format` starts with, and what follows it.
fn directive(format: &str) -> Option<(Read, &str)> {
    let spec = format.strip_prefix('%')?;
    let colons = spec.bytes().take_while(|&byte| byte == b':').count();
    if colons > 0 {
        return spec[colons..].strip_prefix('z').filter(|_| colons <= 3).map(|after| (Read::Zone, after));
    }
    let spec = match spec.as_bytes() {
        [b'E', letter, ..] if b"cCxXyY".contains(letter) => &spec[1..],
        [b'O', letter, ..] if b"deHImMSuUVwWy".contains(letter) => &spec[1..],
        _ => spec,
    };
    let letter = spec.chars().next()?;
    Some((named(letter)?.read, &spec[letter.len_utf8()..]))
}

/// Whether what follows in a format starts with a digit, so that a number before it must not take all digits.
fn number_follows(format: &str) -> bool {
    if format.starts_with(|character: char| character.is_ascii_digit()) {
        return true;
    }
    let letters = format.strip_prefix('%').map(|spec| spec.strip_prefix(['E', 'O']).unwrap_or(spec));
    letters.is_some_and(|letters| letters.starts_with(|letter| "CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(letter)))
}

fn read_directive<'a>(pieces: &mut Pieces, directive: Read, text: &'a str, after: &str) -> Option<&'a str> {
    let some_or_all = |digits: usize| if number_follows(after) { digits } else { usize::MAX };
    match directive {
        Read::Year => {
            let (year, rest) = signed(text, some_or_all(4))?;
            pieces.year = Some(year);
            Some(rest)
        }
        Read::Century => {
            let (century, rest) = digits(text, some_or_all(2))?;
            pieces.century = Some(century);
            Some(rest)
        }
        Read::YearOfCentury => {
            let (year, rest) = digits(text, 2)?;
            pieces.year = Some(year);
            pieces.usual_century = Some(if year >= 69 { 19 } else { 20 });
            Some(rest)
        }
        Read::Month => within(&mut pieces.month, text, 2, 1, 12),
        Read::MonthName => {
            let (index, rest) = name(text, &MONTHS)?;
            pieces.month = Some(index + 1);
            Some(rest)
        }
        Read::Day => within(&mut pieces.day, without_one_blank(text), 2, 1, 31),
        Read::DayOfYear => within(&mut pieces.day_of_year, text, 3, 1, 366),
        Read::Hour => within(&mut pieces.hour, without_one_blank(text), 2, 0, 24),
        Read::HourOfHalfDay => within(&mut pieces.hour, without_one_blank(text), 2, 1, 12),
        Read::HalfDay => {
            let (is_afternoon, rest) = half_day(text)?;
            pieces.is_afternoon = Some(is_afternoon);
            Some(rest)
        }
        Read::Minute => within(&mut pieces.minute, text, 2, 0, 59),
        Read::Second => within(&mut pieces.second, text, 2, 0, 60),
        Read::Fraction(usual) => {
            let text = text.strip_prefix('+').unwrap_or(text);
            let length = text.bytes().take(some_or_all(usual)).take_while(u8::is_ascii_digit).count();
            // What lies beyond a nanosecond is cut off.
            let nanoseconds = format!("{:0<9.9}", &text[..length]);
            pieces.nanosecond = Some(nanoseconds.parse().ok().filter(|_| length > 0)?);
            Some(&text[length..])
        }
        Read::EpochSeconds => since_epoch(&mut pieces.epoch_nanoseconds, text, NANOS_PER_SECOND),
        Read::EpochMilliseconds => since_epoch(&mut pieces.epoch_nanoseconds, text, NANOS_PER_SECOND / 1000),
        Read::Zone => {
            let (zone, rest) = zone_prefix(text)?;
            pieces.zone = Some(zone.to_owned());
            Some(rest)
        }
        Read::WeekdayName => name(text, &WEEKDAYS).map(|(_, rest)| rest),
        Read::WeekYear => signed(text, some_or_all(4)).map(|(_, rest)| rest),
        Read::Ignored { digits, least, most } => within(&mut None, text, digits, least, most),
        Read::Blanks => Some(without_blanks(text)),
        Read::Percent => text.strip_prefix('%'),
        // The formats of combinations hold no combinations.
        Read::Combination(format) => read(pieces, text, format),
    }
}

fn without_blanks(text: &str) -> &str {
    text.trim_start_matches(|character: char| character.is_ascii_whitespace() || character == '\x0b')
}

/// The text without the space that may replace the first of two digits.
fn without_one_blank(text: &str) -> &str {
    match text.as_bytes() {
        [b' ', b'0'..=b'9', ..] => &text[1..],
        _ => text,
    }
}

/// A number of up to `most` digits.
fn digits(text: &str, most: usize) -> Option<(i128, &str)> {
    let length = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    Some((text[..length].parse().ok()?, &text[length..]))
}

fn signed(text: &str, most: usize) -> Option<(i128, &str)> {
    let (sign, text) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    digits(text, most).map(|(number, rest)| (sign * number, rest))
}

/// A number of units since 1970, put where it belongs.
fn since_epoch<'a>(piece: &mut Option<i128>, text: &'a str, unit: i128) -> Option<&'a str> {
    let (number, rest) = if text.starts_with('+') { None } else { signed(text, usize::MAX) }?;
    *piece = Some(number.checked_mul(unit)?);
    Some(rest)
}

/// A number between two inclusive ends, put where it belongs.
fn within<'a>(piece: &mut Option<u32>, text: &'a str, most_digits: usize, least: u32, most: u32) -> Option<&'a str> {
    let (number, rest) = digits(text, most_digits)?;
    let number = u32::try_from(number).ok().filter(|number| (least..=most).contains(number))?;
    *piece = Some(number);
    Some(rest)
}

/// The place of a name in the list, written in full or with its first three letters, in any case.
fn name<'a>(text: &'a str, names: &[&str]) -> Option<(u32, &'a str)> {
    let starts = |name: &str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    (0..).zip(names).find_map(|(index, name)| {
        let length = if starts(name) { name.len() } else { 3 };
        starts(&name[..length]).then(|| (index, &text[length..]))
    })
}

/// `am`, `P.M.`
fn half_day(text: &str) -> Option<(bool, &str)> {
    ["am", "a.m.", "pm", "p.m."].into_iter().find_map(|name| {
        let start = text.get(..name.len())?;
        start.eq_ignore_ascii_case(name).then(|| (name.starts_with('p'), &text[name.len()..]))
    })
}
