//! Parses Timestamps, with Ruby's directives.
//!
//! First each directive parses as much as it can (without backtracking) into a field, then the fields are combined: a
//! century with its year, AM or PM with an hour, and the offset with the date and time.
//!
//! A space in a format matches any number of spaces, including none. Parsing supports no flags and widths: a `%` that
//! does not start a directive matches a percent sign.
//!
//! Observed: Puppet 8.11 on Ruby 3.1 and 3.2.

use std::ops::RangeInclusive;

use nom::bytes::complete::tag_no_case;
use nom::character::complete::{char, one_of, satisfy};
use nom::combinator::{map_res, not, opt, value, verify};
use nom::{AsChar, Parser, branch::alt, sequence::preceded};

use super::strftime::{directive_by_letter, parse_colons_and_letter};
use super::zone::{offset_seconds_at, parse_zone};
use super::{NANOS_PER_SECOND, TimeFormatError, Timestamp, calendar::epoch_seconds_at_midnight};
use crate::error::{Result, shorten_user_text};
use crate::microsyntax::{Parsed, StringParser, digits_at_most};

/// The formats that are tried in this order if none is given.
///
/// Source: language specification, "Timestamp from String and patterns consisting of format directives".
/// Observed: Puppet 8.11 also accepts a space instead of the `T`, and any number of fraction digits.
pub(crate) const DEFAULT_FORMATS: [&str; 10] =
    ["%FT%T.%N %Z", "%FT%T %Z", "%F %T.%N %Z", "%F %T %Z", "%F %Z", "%FT%T.%N", "%FT%T", "%F %T.%N", "%F %T", "%F"];

type Piece = for<'p, 't> fn(&'p mut ParsedFields<'t>) -> &'p mut Option<u32>;

pub(super) enum ParsedPart {
    /// A number in the given range, with at most the given number of digits, and the field to store it in.
    Number(Piece, usize, RangeInclusive<u32>),
    /// A number of at most two digits in the given range, optionally after a space, and the field to store it in.
    SpacePaddedNumber(Piece, RangeInclusive<u32>),
    Year,
    Century,
    YearOfCentury,
    /// One of the names or its first three letters, and the field to store its number from 1 in.
    Name(Piece, &'static [&'static str]),
    HalfDay,
    /// The fraction of a second: the given number of digits if a number follows in the format, otherwise all digits.
    Fraction(usize),
    /// The time since 1970 in units of the given number of nanoseconds.
    SinceEpoch(i128),
    Zone,
    WeekYear,
    /// A format of other directives and characters, which is parsed instead of this directive.
    Combination(&'static str),
}

#[derive(Debug, Default)]
pub(super) struct ParsedFields<'t> {
    year: Option<i128>,
    century: Option<i128>,
    /// The century implied by a two-digit year (69 is 1969, 68 is 2068), used if the text has no century.
    implied_century: Option<i128>,
    pub(super) month: Option<u32>,
    pub(super) day: Option<u32>,
    pub(super) day_of_year: Option<u32>,
    pub(super) hour: Option<u32>,
    is_afternoon: Option<bool>,
    pub(super) minute: Option<u32>,
    pub(super) second: Option<u32>,
    nanosecond: Option<u32>,
    /// The last number that has no effect on the result, such as a week; only its range is checked.
    pub(super) ignored: Option<u32>,
    epoch_nanoseconds: Option<i128>,
    /// The zone as written, and its offset in seconds east of Greenwich, `None` if the zone is unknown.
    zone: Option<(&'t str, Option<i64>)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ParseMode {
    /// As in Puppet 8.11, which requires a year and ignores the seconds since 1970.
    ///
    /// Deviation: Puppet also ignores the day of the year and uses January 1st; pcore reports an error instead.
    Puppet,
    /// As the specification describes the directives: `%j` and a year make a date, `%s` makes a point in time.
    Specification,
}

/// Parses `text` by the first format that matches all of it. `zone` applies if the format has none; both are an error.
pub(crate) fn parse(text: &str, formats: &[&str], zone: Option<&str>, reading: ParseMode) -> Result<Timestamp> {
    for format in formats {
        let mut pieces = ParsedFields::default();
        if let Ok(("", ())) = parse_by_format(&mut pieces, text, format) {
            return pieces.into_timestamp(text, format, zone, reading);
        }
    }
    let formats = formats.iter().map(|format| shorten_user_text(format)).collect();
    Err(TimeFormatError::NoFit { type_: "Timestamp", text: shorten_user_text(text), formats }.into())
}

impl ParsedFields<'_> {
    fn into_timestamp(self, text: &str, format: &str, zone: Option<&str>, reading: ParseMode) -> Result<Timestamp> {
        let too_large = || TimeFormatError::TooLarge { text: text.to_owned() };
        let nanosecond = i128::from(self.nanosecond.unwrap_or(0));
        if let (ParseMode::Specification, None, Some(since)) = (reading, self.year, self.epoch_nanoseconds) {
            let stamp = since.checked_add(nanosecond).map(Timestamp::from_nanoseconds);
            return stamp.ok_or_else(|| too_large().into());
        }
        let no_year = || TimeFormatError::NoYear { text: shorten_user_text(text), format: shorten_user_text(format) };
        let year = self.year.ok_or_else(no_year)?;
        let century = self.century.or(self.implied_century).unwrap_or(0);
        let year = century.checked_mul(100).and_then(|century| year.checked_add(century)).ok_or_else(too_large)?;
        let (month, day) = match (self.month, self.day, self.day_of_year, reading) {
            (None, None, Some(day), ParseMode::Specification) => (1, day),
            (None, None, Some(day), ParseMode::Puppet) if day > 1 => {
                let (text, format) = (shorten_user_text(text), shorten_user_text(format));
                return Err(TimeFormatError::DayOfYear { text, format }.into());
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
        let day_start = epoch_seconds_at_midnight(year, month, day).ok_or_else(too_large)?;
        let local = day_start.checked_add(((hour * 60 + minute) * 60 + second).into()).ok_or_else(too_large)?;
        let stamp = timestamp_of_seconds(local, nanosecond).ok_or_else(too_large)?;
        let offset = match (self.zone, zone) {
            (Some(_), Some(zone)) => {
                return Err(TimeFormatError::TwoZones { format: format.to_owned(), zone: zone.to_owned() }.into());
            }
            (Some((zone, seconds)), None) => {
                seconds.ok_or_else(|| TimeFormatError::UnknownZone { zone: zone.to_owned() })?
            }
            (None, Some(zone)) => offset_seconds_at(zone, stamp)?,
            (None, None) => 0,
        };
        let stamp = local.checked_sub(offset.into()).and_then(|seconds| timestamp_of_seconds(seconds, nanosecond));
        stamp.ok_or_else(|| too_large().into())
    }
}

fn timestamp_of_seconds(seconds: i128, nanosecond: i128) -> Option<Timestamp> {
    let nanoseconds = seconds.checked_mul(NANOS_PER_SECOND)?.checked_add(nanosecond)?;
    Some(Timestamp::from_nanoseconds(nanoseconds))
}

fn parse_by_format<'t>(pieces: &mut ParsedFields<'t>, text: &'t str, format: &str) -> Parsed<'t, ()> {
    let (mut text, mut format) = (text, format);
    while let Some(character) = format.chars().next() {
        let directive = preceded(char('%'), parse_colons_and_letter("deHImMSuUVwWy")).parse(format).ok();
        let known = directive.and_then(|(after, (_, letter))| Some((after, directive_by_letter(letter)?)));
        (text, format) = match known {
            Some((after, directive)) => (parse_part(pieces, &directive.parsed, text, after)?.0, after),
            None if character.is_ascii_whitespace() => {
                (text.trim_start_matches(|blank: char| blank.is_ascii_whitespace() || blank == '\x0b'), &format[1..])
            }
            None => (char(character).parse(text)?.0, &format[character.len_utf8()..]),
        };
    }
    Ok((text, ()))
}

fn parse_part<'t>(pieces: &mut ParsedFields<'t>, part: &ParsedPart, text: &'t str, after: &str) -> Parsed<'t, ()> {
    // If a number follows in the format, one before it must not take all digits.
    let some_or_all = |digits: usize| {
        let number = preceded((char('%'), opt(one_of("EO"))), one_of("CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy"));
        let follows: Parsed<'_, _> = alt((satisfy(AsChar::is_dec_digit), number)).parse(after);
        if follows.is_ok() { digits } else { usize::MAX }
    };
    match part {
        ParsedPart::Number(piece, most, range) => {
            parse_number_in_range(*most, range).map(|number| *piece(pieces) = Some(number)).parse(text)
        }
        ParsedPart::SpacePaddedNumber(piece, range) => preceded(opt(char(' ')), parse_number_in_range(2, range))
            .map(|number| *piece(pieces) = Some(number))
            .parse(text),
        ParsedPart::Year => parse_signed_number(some_or_all(4)).map(|year| pieces.year = Some(year)).parse(text),
        ParsedPart::Century => parse_number(some_or_all(2)).map(|century| pieces.century = Some(century)).parse(text),
        ParsedPart::YearOfCentury => {
            let (rest, year) = parse_number(2).parse(text)?;
            pieces.year = Some(year);
            pieces.implied_century = Some(if year >= 69 { 19 } else { 20 });
            Ok((rest, ()))
        }
        ParsedPart::Name(piece, names) => {
            let found = (1..).zip(*names).find_map(|(number, name)| {
                let written: Parsed<'_, _> = alt((tag_no_case(*name), tag_no_case(&name[..3]))).parse(text);
                written.ok().map(|(rest, _)| (rest, number))
            });
            let (rest, number) = found.ok_or(nom::Err::Error(()))?;
            *piece(pieces) = Some(number);
            Ok((rest, ()))
        }
        ParsedPart::HalfDay => {
            let morning = value(false, alt((tag_no_case("am"), tag_no_case("a.m."))));
            let afternoon = value(true, alt((tag_no_case("pm"), tag_no_case("p.m."))));
            alt((morning, afternoon)).map(|is_afternoon| pieces.is_afternoon = Some(is_afternoon)).parse(text)
        }
        ParsedPart::Fraction(usual) => {
            // What lies beyond a nanosecond is cut off.
            let nanoseconds = |digits| format!("{digits:0<9.9}").parse();
            let fraction = map_res(preceded(opt(char('+')), digits_at_most(some_or_all(*usual))), nanoseconds);
            fraction.map(|nanosecond| pieces.nanosecond = Some(nanosecond)).parse(text)
        }
        ParsedPart::SinceEpoch(unit) => {
            let number = preceded(not(char('+')), parse_signed_number(usize::MAX));
            let since = number.map_opt(|number| number.checked_mul(*unit));
            since.map(|since| pieces.epoch_nanoseconds = Some(since)).parse(text)
        }
        ParsedPart::Zone => parse_zone.map(|zone| pieces.zone = Some(zone)).parse(text),
        ParsedPart::WeekYear => value((), parse_signed_number(some_or_all(4))).parse(text),
        ParsedPart::Combination(format) => parse_by_format(pieces, text, format),
    }
}

fn parse_number<'t>(most: usize) -> impl StringParser<'t, i128> {
    map_res(digits_at_most(most), str::parse)
}

fn parse_signed_number<'t>(most: usize) -> impl StringParser<'t, i128> {
    (opt(one_of("+-")), parse_number(most)).map(|(sign, number)| if sign == Some('-') { -number } else { number })
}

fn parse_number_in_range<'t>(most: usize, range: &RangeInclusive<u32>) -> impl StringParser<'t, u32> {
    verify(map_res(digits_at_most(most), str::parse), move |number| range.contains(number))
}
