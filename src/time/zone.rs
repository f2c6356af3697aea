//! Time zones: offsets from UTC, given as numbers or by name.
//!
//! Names are fixed offsets, as in Ruby: `EST` is -05:00 in summer as well. Without a time zone database,
//! `Europe/Stockholm` is unknown.

use chrono::{DateTime, Local, Offset, Utc};
use nom::bytes::complete::{tag_no_case, take_while};
use nom::character::complete::{alpha1, char, digit1, one_of};
use nom::combinator::{consumed, not, opt, recognize, verify};
use nom::{Parser, branch::alt, multi::many0_count, sequence::preceded};

use super::{NANOS_PER_SECOND, TimeFormatError, Timestamp, zone_names::ZONE_NAMES_BY_OFFSET};
use crate::error::Result;
use crate::microsyntax::Parsed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    /// The offset from UTC in seconds, positive to the east; its absolute value is less than a day.
    pub(super) offset_seconds: i32,
    /// The string that `%Z` prints: `UTC` for the default zone, otherwise empty.
    pub(super) printed_name: &'static str,
}

impl Zone {
    pub(super) const UTC: Zone = Zone { offset_seconds: 0, printed_name: "UTC" };

    /// Returns the zone in which to print `stamp`: `''` is UTC; for other strings see [`offset_seconds_at`].
    pub(super) fn zone_for_printing(text: &str, stamp: Timestamp) -> Result<Zone> {
        if text.is_empty() {
            return Ok(Zone::UTC);
        }
        let offset_seconds = i32::try_from(offset_seconds_at(text, stamp)?).unwrap_or(i32::MAX);
        // Observed: Puppet 8.11 prints in `+0275`, not in `+02:75`.
        let has_invalid_minutes =
            matches!(text.as_bytes(), [b'+' | b'-', _, _, b':', tens, _] if !(b'0'..=b'5').contains(tens));
        if offset_seconds.unsigned_abs() >= SECONDS_PER_DAY || has_invalid_minutes {
            return Err(TimeFormatError::ZoneOutOfRange { zone: text.to_owned() }.into());
        }
        Ok(Zone { offset_seconds, printed_name: "" })
    }
}

const SECONDS_PER_HOUR: i64 = 3600;
const SECONDS_PER_DAY: u32 = 86_400;

/// Parses a zone and returns its offset in seconds east of Greenwich: `+02:00`, `-0930`, `EST`, `UTC+3`, `Eastern
/// Daylight Time`, or `current` for the offset of the machine's zone at `stamp`.
pub(super) fn offset_seconds_at(text: &str, stamp: Timestamp) -> Result<i64> {
    if text.eq_ignore_ascii_case("current") {
        let seconds = i64::try_from(stamp.nanoseconds().div_euclid(NANOS_PER_SECOND)).ok();
        let known = seconds.and_then(|seconds| DateTime::<Utc>::from_timestamp(seconds, 0));
        // Chrono does not know all times.
        return Ok(known.map_or(0, |utc| utc.with_timezone(&Local).offset().fix().local_minus_utc().into()));
    }
    let known = parse_zone(text).ok().and_then(|(_, (_, seconds))| seconds);
    known.ok_or_else(|| TimeFormatError::UnknownZone { zone: text.to_owned() }.into())
}

/// Parses a zone; returns it as written and its seconds east of Greenwich, `None` if unknown or beyond 64 bits.
///
/// `zone ::= ("UTC" | "GMT")? offset | words`
pub(super) fn parse_zone(text: &str) -> Parsed<'_, (&str, Option<i64>)> {
    let utc = alt((tag_no_case("utc"), tag_no_case("gmt")));
    consumed(alt((preceded(opt(utc), parse_offset), parse_zone_name.map(offset_seconds_of_name)))).parse(text)
}

/// Parses an offset: `+9` and `+09` are hours, `+930` and `+0930` add minutes, `+093015` seconds; `+9.5` is 9½ hours.
///
/// `offset ::= [+-] [0-9]+ ([.,] [0-9]+ | ":" [0-9]+ (":" [0-9]+)?)?`
fn parse_offset(text: &str) -> Parsed<'_, Option<i64>> {
    let after_colon = || preceded(char(':'), digit1);
    // `930`, `0930`, `093015`
    let without_colons = |digits: &str| {
        let (hours, rest) = digits.split_at(2 - digits.len() % 2);
        seconds_of_offset_parts([hours, rest.get(..2).unwrap_or(""), rest.get(2..4).unwrap_or("")])
    };
    let (rest, (sign, whole)) = (one_of("+-"), digit1).parse(text)?;
    let (rest, magnitude) = alt((
        preceded(one_of(".,"), digit1).map(|fraction| seconds_of_decimal_hours(whole, fraction)),
        (after_colon(), opt(after_colon()))
            .map(|(minutes, seconds)| seconds_of_offset_parts([whole, minutes, seconds.unwrap_or("")])),
        |rest| Ok((rest, without_colons(whole))),
    ))
    .parse(rest)?;
    Ok((rest, magnitude.map(|magnitude| if sign == '-' { -magnitude } else { magnitude })))
}

fn seconds_of_offset_parts(parts: [&str; 3]) -> Option<i64> {
    parts.into_iter().try_fold(0_i64, |sum, digits| {
        let number = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        sum.checked_mul(60)?.checked_add(number)
    })
}

fn seconds_of_decimal_hours(hours: &str, fraction: &str) -> Option<i64> {
    // Seven digits of an hour are finer than a second.
    let digits = fraction.get(..7).unwrap_or(fraction);
    let scale = 10_i64.checked_pow(u32::try_from(digits.len()).ok()?)?;
    seconds_of_offset_parts([hours, "", ""])?.checked_add(digits.parse::<i64>().ok()? * SECONDS_PER_HOUR / scale)
}

/// Parses a zone name: one word, or several that end like `E. Africa Standard Time` or `est dst`.
///
/// ```ebnf
/// words ::= word space (!kind word space)* kind | word
/// kind ::= ("standard" | "daylight") space "time" | "dst"
/// space ::= "."? [ \t\n\f\r]*
/// ```
fn parse_zone_name(text: &str) -> Parsed<'_, &str> {
    let is = |wanted: &'static str| verify(alpha1, move |word: &str| word.eq_ignore_ascii_case(wanted));
    let space = || (opt(char('.')), take_while(|c: char| c.is_ascii_whitespace()));
    let time = || (alt((is("standard"), is("daylight"))), space(), is("time"));
    let kind = || alt((recognize(time()), is("dst")));
    let others = many0_count((not(kind()), alpha1, space()));
    alt((recognize((alpha1, space(), others, kind())), alpha1)).parse(text)
}

fn offset_seconds_of_name(name: &str) -> Option<i64> {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_ascii_whitespace().collect();
    let (words, summer) = match words.as_slice() {
        [words @ .., "daylight", "time"] | [words @ .., "dst"] => (words, SECONDS_PER_HOUR),
        [words @ .., "standard", "time"] | words => (words, 0),
    };
    let name = words.join(" ");
    let (minutes, _) = ZONE_NAMES_BY_OFFSET.iter().find(|(_, names)| names.split(", ").any(|known| known == name))?;
    Some(i64::from(*minutes) * 60 + summer)
}
