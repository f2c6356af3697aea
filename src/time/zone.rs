//! Time zones: an offset from UTC, written as such or by a name.
//!
//! Names are fixed offsets, as in Ruby: `EST` is -05:00 in summer too. There is no zone database, so `Europe/Stockholm`
//! is unknown.

use chrono::{DateTime, Local, Offset, Utc};
use nom::bytes::complete::{tag_no_case, take_while};
use nom::character::complete::{alpha1, char, digit1, one_of};
use nom::combinator::{consumed, not, opt, recognize, verify};
use nom::{Parser, branch::alt, multi::many0_count, sequence::preceded};

use super::{NANOS_PER_SECOND, TimeFormatError, Timestamp};
use crate::error::Result;
use crate::microsyntax::Parsed;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    /// East of Greenwich is positive; less than a day.
    pub(super) offset_seconds: i32,
    /// The text of `%Z`: empty except for the default zone.
    pub(super) name: &'static str,
}

impl Zone {
    pub(super) const UTC: Zone = Zone { offset_seconds: 0, name: "UTC" };

    /// The zone to show `stamp` in: `''` is UTC, `current` that of the machine, others as for [`offset_seconds`].
    pub(super) fn for_showing(text: &str, stamp: Timestamp) -> Result<Zone> {
        if text.is_empty() {
            return Ok(Zone::UTC);
        }
        let offset_seconds = i32::try_from(offset_seconds(text, stamp)?).unwrap_or(i32::MAX);
        if offset_seconds.unsigned_abs() >= SECONDS_PER_DAY || has_odd_minutes(text) {
            return Err(TimeFormatError::ZoneOutOfRange { zone: text.to_owned() }.into());
        }
        Ok(Zone { offset_seconds, name: "" })
    }
}

const SECONDS_PER_HOUR: i64 = 3600;
const SECONDS_PER_DAY: u32 = 86_400;

/// Observed: Puppet 8.11 rejects `+02:75` when it shows a time, and takes `+0275`.
fn has_odd_minutes(text: &str) -> bool {
    matches!(text.as_bytes(), [b'+' | b'-', _, _, b':', tens, _] if !(b'0'..=b'5').contains(tens))
}

/// Seconds east of Greenwich: `+02:00`, `-0930`, `EST`, `UTC+3`, `Eastern Daylight Time`, or `current` for the zone that
/// the machine has at `stamp`.
pub(super) fn offset_seconds(text: &str, stamp: Timestamp) -> Result<i64> {
    if text.eq_ignore_ascii_case("current") {
        return Ok(machine_offset_seconds(stamp));
    }
    let known = zone(text).ok().and_then(|(_, (_, seconds))| seconds);
    known.ok_or_else(|| TimeFormatError::UnknownZone { zone: text.to_owned() }.into())
}

/// Times that chrono does not know are shown in UTC.
fn machine_offset_seconds(stamp: Timestamp) -> i64 {
    let seconds = i64::try_from(stamp.nanoseconds().div_euclid(NANOS_PER_SECOND)).ok();
    let known = seconds.and_then(|seconds| DateTime::<Utc>::from_timestamp(seconds, 0));
    known.map_or(0, |utc| utc.with_timezone(&Local).offset().fix().local_minus_utc().into())
}

/// A zone as written, and its seconds east of Greenwich; `None` if the name is unknown, or the offset beyond 64 bits.
///
/// `zone ::= ("UTC" | "GMT")? offset | words`
pub(super) fn zone(text: &str) -> Parsed<'_, (&str, Option<i64>)> {
    let utc = alt((tag_no_case("utc"), tag_no_case("gmt")));
    consumed(alt((preceded(opt(utc), offset), words.map(named_offset_seconds)))).parse(text)
}

/// `+9` and `+09` are hours, `+930` and `+0930` hours and minutes, `+093015` with seconds, `+9.5` parts of an hour.
///
/// `offset ::= [+-] [0-9]+ ([.,] [0-9]+ | ":" [0-9]+ (":" [0-9]+)?)?`
fn offset(text: &str) -> Parsed<'_, Option<i64>> {
    let after_colon = || preceded(char(':'), digit1);
    let (rest, (sign, whole)) = (one_of("+-"), digit1).parse(text)?;
    let (rest, magnitude) = alt((
        preceded(one_of(".,"), digit1).map(|fraction| with_fraction(whole, fraction)),
        (after_colon(), opt(after_colon()))
            .map(|(minutes, seconds)| in_seconds([whole, minutes, seconds.unwrap_or("")])),
        |rest| Ok((rest, without_colons(whole))),
    ))
    .parse(rest)?;
    Ok((rest, magnitude.map(|magnitude| if sign == '-' { -magnitude } else { magnitude })))
}

/// Hours, minutes and seconds as seconds. No digits are 0.
fn in_seconds(parts: [&str; 3]) -> Option<i64> {
    parts.into_iter().try_fold(0_i64, |sum, digits| {
        let number = if digits.is_empty() { 0 } else { digits.parse().ok()? };
        sum.checked_mul(60)?.checked_add(number)
    })
}

/// `930`, `0930`, `093015`
fn without_colons(digits: &str) -> Option<i64> {
    let (hours, rest) = digits.split_at(2 - digits.len() % 2);
    in_seconds([hours, rest.get(..2).unwrap_or(""), rest.get(2..4).unwrap_or("")])
}

fn with_fraction(hours: &str, fraction: &str) -> Option<i64> {
    // Seven digits of an hour are finer than a second.
    let digits = fraction.get(..7).unwrap_or(fraction);
    let scale = 10_i64.checked_pow(u32::try_from(digits.len()).ok()?)?;
    in_seconds([hours, "", ""])?.checked_add(digits.parse::<i64>().ok()? * SECONDS_PER_HOUR / scale)
}

/// One word, or several that end as `E. Africa Standard Time` or `est dst` do.
///
/// ```ebnf
/// words ::= word space (!kind word space)* kind | word
/// kind ::= ("standard" | "daylight") space "time" | "dst"
/// space ::= "."? [ \t\n\f\r]*
/// ```
fn words(text: &str) -> Parsed<'_, &str> {
    let is = |wanted: &'static str| verify(alpha1, move |word: &str| word.eq_ignore_ascii_case(wanted));
    let space = || (opt(char('.')), take_while(|c: char| c.is_ascii_whitespace()));
    let time = || (alt((is("standard"), is("daylight"))), space(), is("time"));
    let kind = || alt((recognize(time()), is("dst")));
    let others = many0_count((not(kind()), alpha1, space()));
    alt((recognize((alpha1, space(), others, kind())), alpha1)).parse(text)
}

fn named_offset_seconds(name: &str) -> Option<i64> {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_ascii_whitespace().collect();
    let (words, summer) = match words.as_slice() {
        [words @ .., "daylight", "time"] | [words @ .., "dst"] => (words, SECONDS_PER_HOUR),
        [words @ .., "standard", "time"] | words => (words, 0),
    };
    let minutes = super::zone_names::minutes_east(&words.join(" "))?;
    Some(i64::from(minutes) * 60 + summer)
}
