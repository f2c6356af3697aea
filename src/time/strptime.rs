//! Parses Timestamps, with Ruby's directives.
//!
//! First the pieces are read, each directive as far as possible (without backtracking), then they are combined: a
//! century with its year, AM and PM with an hour, an offset with the whole.
//!
//! A space in a format matches any number of spaces, including none. Parsing has no flags and widths: a `%` that starts
//! no directive matches itself.
//!
//! Observed: Puppet 8.11 on Ruby 3.1 and 3.2.

use std::ops::RangeInclusive;

use nom::bytes::complete::{tag_no_case, take_while};
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{map_res, not, opt, value, verify};
use nom::{AsChar, Parser, branch::alt, sequence::preceded};

use super::strftime::{MONTHS, WEEKDAYS, conversion, named};
use super::zone::{offset_seconds, zone};
use super::{NANOS_PER_SECOND, TimeFormatError, Timestamp, calendar::day_seconds};
use crate::error::{Result, quoted};
use crate::microsyntax::{Parsed, Rule, digits};

/// The formats that are tried when none is given.
///
/// Source: language specification, "Timestamp from String and patterns consisting of format directives".
/// Observed: Puppet 8.11 takes a space for the `T` too, and reads all digits of a second.
pub(crate) const DEFAULT_FORMATS: [&str; 10] =
    ["%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z", "%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

type Piece = for<'p, 't> fn(&'p mut Pieces<'t>) -> &'p mut Option<u32>;

pub(super) enum Read {
    /// A number in a range, of up to so many digits, and the piece that it is.
    Number(Piece, usize, RangeInclusive<u32>),
    /// The same for two digits, perhaps after a space.
    BlankNumber(Piece, RangeInclusive<u32>),
    Year,
    Century,
    YearOfCentury,
    MonthName,
    HalfDay,
    /// So many digits when a number follows, else all.
    Fraction(usize),
    /// A number of units of so many nanoseconds since 1970.
    SinceEpoch(i128),
    Zone,
    WeekdayName,
    WeekYear,
    Blanks,
    Percent,
    Combination(&'static str),
}

/// What was read of a time.
#[derive(Debug, Default)]
pub(super) struct Pieces<'t> {
    year: Option<i128>,
    century: Option<i128>,
    /// The century implied by a two-digit year: 69 is 1969, 68 is 2068.
    usual_century: Option<i128>,
    pub(super) month: Option<u32>,
    pub(super) day: Option<u32>,
    pub(super) day_of_year: Option<u32>,
    pub(super) hour: Option<u32>,
    is_afternoon: Option<bool>,
    pub(super) minute: Option<u32>,
    pub(super) second: Option<u32>,
    nanosecond: Option<u32>,
    /// The last number that has to be in range and says nothing about the date.
    pub(super) ignored: Option<u32>,
    epoch_nanoseconds: Option<i128>,
    /// The zone as written, and its seconds east of Greenwich.
    zone: Option<(&'t str, Option<i64>)>,
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
        if let Ok(("", ())) = read(&mut pieces, text, format) {
            return pieces.stamp(text, format, zone, reading);
        }
    }
    let formats = formats.iter().map(|format| quoted(format)).collect();
    Err(TimeFormatError::NoFit { type_: "Timestamp", text: quoted(text), formats }.into())
}

impl Pieces<'_> {
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
            (Some((zone, seconds)), None) => {
                seconds.ok_or_else(|| TimeFormatError::UnknownZone { zone: zone.to_owned() })?
            }
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

fn read<'t>(pieces: &mut Pieces<'t>, text: &'t str, format: &str) -> Parsed<'t, ()> {
    let (mut text, mut format) = (text, format);
    while let Some(character) = format.chars().next() {
        let directive = preceded(char('%'), conversion("deHImMSuUVwWy")).parse(format).ok();
        let known = directive.and_then(|(after, (_, letter))| Some((after, named(letter)?)));
        (text, format) = match known {
            Some((after, directive)) => (read_directive(pieces, &directive.read, text, after)?.0, after),
            None if character.is_ascii_whitespace() => (blanks(text)?.0, &format[1..]),
            None => (char(character).parse(text)?.0, &format[character.len_utf8()..]),
        };
    }
    Ok((text, ()))
}

/// Whether what follows in a format starts with a digit, so that a number before it must not take all digits.
fn number_follows(format: &str) -> bool {
    let number = preceded((char('%'), opt(one_of("EO"))), one_of("CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy"));
    let follows: Parsed<'_, _> = alt((satisfy(AsChar::is_dec_digit), number)).parse(format);
    follows.is_ok()
}

fn read_directive<'t>(pieces: &mut Pieces<'t>, directive: &Read, text: &'t str, after: &str) -> Parsed<'t, ()> {
    let some_or_all = |digits: usize| if number_follows(after) { digits } else { usize::MAX };
    match directive {
        Read::Number(piece, most, range) => {
            within(*most, range).map(|number| *piece(pieces) = Some(number)).parse(text)
        }
        Read::BlankNumber(piece, range) => {
            preceded(opt(char(' ')), within(2, range)).map(|number| *piece(pieces) = Some(number)).parse(text)
        }
        Read::Year => signed(some_or_all(4)).map(|year| pieces.year = Some(year)).parse(text),
        Read::Century => number(some_or_all(2)).map(|century| pieces.century = Some(century)).parse(text),
        Read::YearOfCentury => {
            let (rest, year) = number(2).parse(text)?;
            pieces.year = Some(year);
            pieces.usual_century = Some(if year >= 69 { 19 } else { 20 });
            Ok((rest, ()))
        }
        Read::MonthName => name(&MONTHS).map(|month| pieces.month = Some(month)).parse(text),
        Read::HalfDay => half_day.map(|is_afternoon| pieces.is_afternoon = Some(is_afternoon)).parse(text),
        Read::Fraction(usual) => {
            // What lies beyond a nanosecond is cut off.
            let nanoseconds = |digits| format!("{digits:0<9.9}").parse();
            let fraction = map_res(preceded(opt(char('+')), digits(some_or_all(*usual))), nanoseconds);
            fraction.map(|nanosecond| pieces.nanosecond = Some(nanosecond)).parse(text)
        }
        Read::SinceEpoch(unit) => {
            let number = preceded(not(char('+')), signed(usize::MAX));
            let since = number.map_opt(|number| number.checked_mul(*unit));
            since.map(|since| pieces.epoch_nanoseconds = Some(since)).parse(text)
        }
        Read::Zone => zone.map(|zone| pieces.zone = Some(zone)).parse(text),
        Read::WeekdayName => value((), name(&WEEKDAYS)).parse(text),
        Read::WeekYear => value((), signed(some_or_all(4))).parse(text),
        Read::Blanks => blanks(text),
        Read::Percent => value((), char('%')).parse(text),
        // The formats of combinations hold no combinations.
        Read::Combination(format) => read(pieces, text, format),
    }
}

fn blanks(text: &str) -> Parsed<'_, ()> {
    value((), take_while(|character: char| character.is_ascii_whitespace() || character == '\x0b')).parse(text)
}

/// A number of up to `most` digits.
fn number<'t>(most: usize) -> impl Rule<'t, i128> {
    map_res(digits(most), str::parse)
}

fn signed<'t>(most: usize) -> impl Rule<'t, i128> {
    (opt(one_of("+-")), number(most)).map(|(sign, number)| if sign == Some('-') { -number } else { number })
}

/// A number in a range, of up to `most` digits.
fn within<'t>(most: usize, range: &RangeInclusive<u32>) -> impl Rule<'t, u32> {
    verify(map_res(digits(most), str::parse), move |number| range.contains(number))
}

/// The number of a name in the list, from 1 on, written in full or with its first three letters, in any case.
fn name<'t>(names: &[&'static str]) -> impl Rule<'t, u32> {
    move |text| {
        let found = (1..).zip(names).find_map(|(number, name)| {
            let written: Parsed<'_, _> = alt((tag_no_case(*name), tag_no_case(&name[..3]))).parse(text);
            written.ok().map(|(rest, _)| (rest, number))
        });
        found.ok_or(nom::Err::Error(()))
    }
}

/// `am`, `P.M.`: whether it is the second half.
fn half_day(text: &str) -> Parsed<'_, bool> {
    let morning = alt((tag_no_case("am"), tag_no_case("a.m.")));
    let afternoon = alt((tag_no_case("pm"), tag_no_case("p.m.")));
    alt((value(false, morning), value(true, afternoon))).parse(text)
}
