//! Time zones: an offset from UTC, written as such or by a name.
//!
//! Names are fixed offsets, as in Ruby: `EST` is -05:00 in summer too. There is no zone database, so `Europe/Stockholm`
//! is unknown.

use chrono::{DateTime, Local, Offset, Utc};

use super::{NANOS_PER_SECOND, TimeFormatError, Timestamp};
use crate::error::Result;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Zone {
    /// East of Greenwich is positive; less than a day.
    pub(super) offset_seconds: i32,
    /// The text of `%Z`: empty except for the default zone.
    pub(super) name: &'static str,
}

impl Zone {
    pub(super) const UTC: Zone = Zone { offset_seconds: 0, name: "UTC" };

    /// The zone in which `stamp` is to be shown: `''` is UTC, `current` the zone of the machine, all others as
    /// [`offset_seconds`] takes them.
    pub(super) fn for_showing(text: &str, stamp: Timestamp) -> Result<Zone> {
        if text.is_empty() {
            return Ok(Zone::UTC);
        }
        let out_of_range = || TimeFormatError::ZoneOutOfRange { zone: text.to_owned() };
        let offset = offset_seconds(text, stamp)?;
        let offset_seconds = i32::try_from(offset).map_err(|_| out_of_range())?;
        if offset_seconds.abs() >= SECONDS_PER_DAY || has_odd_minutes(text) {
            return Err(out_of_range().into());
        }
        Ok(Zone { offset_seconds, name: "" })
    }
}

const SECONDS_PER_HOUR: i64 = 3600;
const SECONDS_PER_DAY: i32 = 86_400;

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
    let known = zone_prefix(text).and_then(|(zone, _)| named_offset_seconds(zone));
    known.ok_or_else(|| TimeFormatError::UnknownZone { zone: text.to_owned() }.into())
}

/// Times that chrono does not know are shown in UTC.
fn machine_offset_seconds(stamp: Timestamp) -> i64 {
    let seconds = i64::try_from(stamp.nanoseconds().div_euclid(NANOS_PER_SECOND)).ok();
    let known = seconds.and_then(|seconds| DateTime::<Utc>::from_timestamp(seconds, 0));
    known.map_or(0, |utc| utc.with_timezone(&Local).offset().fix().local_minus_utc().into())
}

/// The longest prefix of `text` that has the form of a zone, and the rest. The zone may still be unknown.
///
/// Written like a zone are: `+09`, `-9:30`, `+093015`, `+9.5`, the same after `UTC` or `GMT`, and words: one, or several
/// that end in `standard time`, `daylight time` or `dst`.
pub(super) fn zone_prefix(text: &str) -> Option<(&str, &str)> {
    let utc = text.get(..3).filter(|start| start.eq_ignore_ascii_case("utc") || start.eq_ignore_ascii_case("gmt"));
    let sign_at = utc.map_or(0, str::len);
    if let Some(length) = numeric_length(&text[sign_at..]) {
        return Some(text.split_at(sign_at + length));
    }
    let end = words_length(text)?;
    Some(text.split_at(end))
}

/// The length of `+09:30:15`, `+0930`, `+9.5`.
fn numeric_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    if !matches!(bytes.first()?, b'+' | b'-') {
        return None;
    }
    let digits = |from: usize| bytes.iter().skip(from).take_while(|byte| byte.is_ascii_digit()).count();
    let mut end = 1 + digits(1);
    if end == 1 {
        return None;
    }
    match bytes.get(end) {
        Some(b'.' | b',') if digits(end + 1) > 0 => end += 1 + digits(end + 1),
        Some(b':') => {
            for _ in 0..2 {
                if bytes.get(end) == Some(&b':') && digits(end + 1) > 0 {
                    end += 1 + digits(end + 1);
                }
            }
        }
        _ => {}
    }
    Some(end)
}

/// The length of `EST`, `est dst`, `E. Africa Standard Time`.
fn words_length(text: &str) -> Option<usize> {
    let word = |from: usize| text[from..].bytes().take_while(u8::is_ascii_alphabetic).count();
    let blanks = |from: usize| text[from..].bytes().take_while(u8::is_ascii_whitespace).count();
    let first = word(0);
    if first == 0 {
        return None;
    }
    let mut end = first;
    let mut last_word = "";
    loop {
        // A single letter may have a point: `E. Africa`.
        let point = usize::from(text[end..].starts_with('.'));
        let from = end + point + blanks(end + point);
        let length = word(from);
        if length == 0 || from == end {
            break;
        }
        let next = &text[from..from + length];
        end = from + length;
        if next.eq_ignore_ascii_case("dst") || is_pair(last_word, next) {
            return Some(end);
        }
        last_word = next;
    }
    Some(first)
}

/// `standard time`, `daylight time`
fn is_pair(first: &str, second: &str) -> bool {
    let is_kind = first.eq_ignore_ascii_case("standard") || first.eq_ignore_ascii_case("daylight");
    is_kind && second.eq_ignore_ascii_case("time")
}

/// The offset of a zone; `None` if its name is unknown.
pub(super) fn named_offset_seconds(zone: &str) -> Option<i64> {
    let is_utc =
        zone.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("utc") || start.eq_ignore_ascii_case("gmt"));
    let after_utc = if is_utc { &zone[3..] } else { zone };
    if after_utc.starts_with(['+', '-']) {
        return numeric_offset_seconds(after_utc);
    }
    let lower = zone.to_ascii_lowercase();
    let words: Vec<&str> = lower.split_ascii_whitespace().collect();
    let (words, summer) = match words.as_slice() {
        [words @ .., "daylight", "time"] | [words @ .., "dst"] => (words, SECONDS_PER_HOUR),
        [words @ .., "standard", "time"] | words => (words, 0),
    };
    let name = words.join(" ");
    let minutes = super::zone_names::minutes_east(&name)?;
    Some(i64::from(minutes) * 60 + summer)
}

/// `+9` and `+09` are hours, `+930` and `+0930` hours and minutes, `+093015` with seconds, `+9.5` parts of an hour.
fn numeric_offset_seconds(text: &str) -> Option<i64> {
    let (sign, text) = if let Some(text) = text.strip_prefix('-') { (-1, text) } else { (1, &text[1..]) };
    let number = |digits: &str| if digits.is_empty() { Some(0) } else { digits.parse::<i64>().ok() };
    let seconds = |hours: &str, minutes: &str, seconds: &str| -> Option<i64> {
        let minutes = number(hours)?.checked_mul(60)?.checked_add(number(minutes)?)?;
        minutes.checked_mul(60)?.checked_add(number(seconds)?)
    };
    let magnitude = if text.contains(':') {
        let mut parts = text.splitn(3, ':');
        seconds(parts.next()?, parts.next().unwrap_or(""), parts.next().unwrap_or(""))?
    } else if let Some((hours, fraction)) = text.split_once(['.', ',']) {
        // Seven digits of an hour are finer than a second.
        let digits = fraction.get(..fraction.len().min(7))?;
        let scale = 10_i64.checked_pow(u32::try_from(digits.len()).ok()?)?;
        seconds(hours, "", "")?.checked_add(number(digits)? * SECONDS_PER_HOUR / scale)?
    } else {
        let hours = if text.len() % 2 == 0 { 2 } else { 1 };
        let part = |from: usize| text.get(from..text.len().min(from + 2)).unwrap_or("");
        seconds(&text[..hours.min(text.len())], part(hours), part(hours + 2))?
    };
    Some(sign * magnitude)
}
