//! Formats and parses Timespans: `%D-%H:%M:%S.%-N`.
//!
//! A [`TimespanFormat`] is parsed once into segments: literals and fields. The field with the largest unit includes
//! all larger units (`%H` alone counts all hours); every other field is the remainder below the next larger
//! unit. The sign is written once, at the start.
//!
//! `%L` and `%N` are fractions of a second; if one of them is the largest unit, it is the total number instead.

use std::ops::Range;

use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{anychar, char, one_of};
use nom::combinator::{opt, recognize};
use nom::{AsChar, Parser, branch::alt, sequence::preceded};
use rustc_hash::FxHashSet;

use super::{MAX_WIDTH, NANOS_PER_SECOND, TimeFormatError, Timespan};
use crate::error::{Result, shorten_user_text};
use crate::limits::BoundedString;
use crate::microsyntax::{Parsed, parse_count};
use crate::{interrupt, stack};

const NANOS_PER_DAY: i128 = 24 * NANOS_PER_HOUR;
const NANOS_PER_HOUR: i128 = 60 * NANOS_PER_MINUTE;
const NANOS_PER_MINUTE: i128 = 60 * NANOS_PER_SECOND;
const NANOS_PER_MILLISECOND: i128 = NANOS_PER_SECOND / 1000;
const MAX_FRACTION_DIGITS: usize = 9;

#[derive(Debug)]
pub(crate) struct Directive {
    pub(crate) letter: char,
    pub(crate) meaning: &'static str,
    unit_nanos: i128,
    /// The next larger unit in nanoseconds: the field shows the remainder below it, unless it absorbs all larger units.
    next_unit_nanos: i128,
    /// The default width. When parsing, the maximum number of digits (at least two), unless it absorbs larger units.
    digits: usize,
}

/// All directives of Timespans, the largest unit first. (`%%` is a percent sign.)
#[rustfmt::skip]
pub(crate) static DIRECTIVES: &[Directive] = &[
    Directive { letter: 'D', meaning: "days", unit_nanos: NANOS_PER_DAY, next_unit_nanos: i128::MAX, digits: 1 },
    Directive { letter: 'H', meaning: "hours of the day", unit_nanos: NANOS_PER_HOUR, next_unit_nanos: NANOS_PER_DAY, digits: 2 },
    Directive { letter: 'M', meaning: "minutes of the hour", unit_nanos: NANOS_PER_MINUTE, next_unit_nanos: NANOS_PER_HOUR, digits: 2 },
    Directive { letter: 'S', meaning: "seconds of the minute", unit_nanos: NANOS_PER_SECOND, next_unit_nanos: NANOS_PER_MINUTE, digits: 2 },
    Directive { letter: 'L', meaning: "milliseconds of the second", unit_nanos: NANOS_PER_MILLISECOND, next_unit_nanos: NANOS_PER_SECOND, digits: 3 },
    Directive { letter: 'N', meaning: "fraction of the second", unit_nanos: 1, next_unit_nanos: NANOS_PER_SECOND, digits: MAX_FRACTION_DIGITS },
];

/// The formats that are tried in this order if none is given. The first is also the one in which Timespans are printed.
///
/// Source: language specification, "Timespan from String and format directive patterns".
#[rustfmt::skip]
pub(crate) const DEFAULT_FORMATS: [&str; 8] = [
    "%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S",
];

#[derive(Clone, Debug)]
pub(crate) struct TimespanFormat<'t> {
    text: &'t str,
    segments: Vec<FormatSegment<'t>>,
}

#[derive(Clone, Debug)]
enum FormatSegment<'t> {
    Literal(&'t str),
    Field(FormatField),
}

#[derive(Clone, Copy, Debug)]
struct FormatField {
    directive: &'static Directive,
    padding: Padding,
    width: Option<usize>,
    /// Whether the field includes all larger units: it is the first field with the largest unit of the format.
    absorbs_larger_units: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Padding {
    /// `0`, or no flag
    Zeros,
    /// `_`
    Blanks,
    Nothing,
}

impl Directive {
    fn is_fraction(&self) -> bool {
        self.unit_nanos < NANOS_PER_SECOND
    }
}

impl<'t> TimespanFormat<'t> {
    pub(crate) fn parse_format(text: &'t str) -> Result<TimespanFormat<'t>> {
        let mut segments = Vec::with_capacity(text.len() / 2);
        let mut rest = text;
        while !rest.is_empty() {
            interrupt::take_step();
            let unknown = |_| {
                let is_modifier = |c: char| c.is_dec_digit() || matches!(c, '-' | '_');
                let directive: Parsed<'_, _> =
                    recognize((char('%'), take_while(is_modifier), opt(anychar))).parse(rest);
                let directive = directive.map_or("", |(_, directive)| directive).to_owned();
                let letters = DIRECTIVES.iter().flat_map(|one| ['%', one.letter, ' ']).chain(['%', '%']).collect();
                TimeFormatError::UnknownDirective { directive, format: text.to_owned(), letters }
            };
            let (after, segment) = parse_segment(rest).map_err(unknown)?;
            if matches!(segment, FormatSegment::Field(FormatField { width: Some(width), .. }) if width > MAX_WIDTH) {
                return Err(TimeFormatError::WidthAboveLimit { format: text.to_owned() }.into());
            }
            segments.push(segment);
            rest = after;
        }
        let fields = segments.iter_mut().filter_map(|segment| match segment {
            FormatSegment::Field(field) => Some(field),
            FormatSegment::Literal(_) => None,
        });
        // The first of several equal ones is the one to absorb.
        if let Some(highest) = fields.rev().max_by_key(|field| field.directive.unit_nanos) {
            highest.absorbs_larger_units = true;
        }
        Ok(TimespanFormat { text, segments })
    }

    pub(crate) fn format(&self, span: Timespan) -> Result<String> {
        // OK because the lowest count of 128 bits is the only one without a positive counterpart, and one nanosecond
        // less is then the nearest that can be shown.
        let nanoseconds = span.nanoseconds().checked_abs().unwrap_or(i128::MAX);
        let mut out = BoundedString::default();
        out.push_str(if span.nanoseconds() < 0 { "-" } else { "" })?;
        for segment in &self.segments {
            match segment {
                FormatSegment::Literal(text) => out.push_str(text)?,
                FormatSegment::Field(field) => field.write_field(nanoseconds, &mut out)?,
            }
        }
        Ok(out.into_string())
    }

    /// Parses `text` in this format; `None` if it does not match, an error if it is too large or only a fraction.
    fn parse_text(&self, text: &str) -> Result<Option<Timespan>> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        // Most of the formats that are tried differ from the text in this already.
        let is_missing =
            |segment: &FormatSegment<'_>| matches!(segment, FormatSegment::Literal(literal) if !rest.contains(literal));
        if self.segments.iter().any(is_missing) {
            return Ok(None);
        }
        let Some(pieces) = match_segments(&self.segments, rest, &mut FxHashSet::default()) else { return Ok(None) };
        let mut sum = Some(0_i128);
        for (segment, piece) in self.segments.iter().rev().zip(pieces) {
            if let FormatSegment::Field(field) = segment {
                if field.absorbs_larger_units && field.directive.is_fraction() {
                    return Err(TimeFormatError::FractionAlone { format: self.text.to_owned() }.into());
                }
                let digits = piece.trim_start();
                let nanoseconds = if field.directive.is_fraction() {
                    let digits = &digits[..digits.len().min(MAX_FRACTION_DIGITS)];
                    digits.parse::<i128>().ok().map(|number| number * nanos_of_last_digit(digits.len()))
                } else {
                    digits.parse::<i128>().ok().and_then(|number| number.checked_mul(field.directive.unit_nanos))
                };
                sum = sum.zip(nanoseconds).and_then(|(sum, nanoseconds)| sum.checked_add(nanoseconds));
            }
        }
        let sum = sum.ok_or_else(|| TimeFormatError::TooLarge { text: text.to_owned() })?;
        Ok(Some(Timespan::from_nanoseconds(if negative { -sum } else { sum })))
    }
}

/// Parses `text` by the first of `formats` that matches.
pub(crate) fn parse(text: &str, formats: &[&str]) -> Result<Timespan> {
    let mut refused = None;
    for format in formats {
        match TimespanFormat::parse_format(format)?.parse_text(text) {
            Ok(Some(span)) => return Ok(span),
            Ok(None) => {}
            Err(error) => refused = Some(error),
        }
    }
    let formats = formats.iter().map(|format| shorten_user_text(format)).collect();
    let no_fit = || TimeFormatError::NoFit { type_: "Timespan", text: shorten_user_text(text), formats }.into();
    Err(refused.unwrap_or_else(no_fit))
}

impl FormatField {
    /// Writes the field of a Timespan of `nanoseconds` without its sign. A fraction is padded with spaces on the right.
    ///
    /// Observed: Puppet 8.11 writes zero as a single digit, and cuts zeros off the end under the flags `_` and `-`.
    /// Deviation: Puppet 8.11 drops the leading zeros of a fraction, so that it denotes another time; pcore does not.
    fn write_field(self, nanoseconds: i128, out: &mut BoundedString) -> Result<()> {
        let directive = self.directive;
        let inside = if self.absorbs_larger_units { nanoseconds } else { nanoseconds % directive.next_unit_nanos };
        let width = self.width.unwrap_or(directive.digits);
        let filled = if self.padding == Padding::Nothing { 0 } else { width };
        if !directive.is_fraction() {
            let number = (inside / directive.unit_nanos).to_string();
            let fill = if self.padding == Padding::Blanks { ' ' } else { '0' };
            out.push_repeated(fill, filled.saturating_sub(number.len()))?;
            return out.push_str(&number);
        }
        // A fraction has as many digits as the width, milliseconds have always three.
        let digits = if directive.unit_nanos == 1 { width.min(MAX_FRACTION_DIGITS) } else { directive.digits };
        let number = inside / nanos_of_last_digit(digits);
        let mut text = number.to_string();
        if !self.absorbs_larger_units && number != 0 {
            text = format!("{number:0digits$}");
            if self.padding != Padding::Zeros {
                text.truncate(text.trim_end_matches('0').len());
            }
        }
        out.push_str(&text)?;
        out.push_repeated(' ', filled.saturating_sub(text.len()))
    }

    /// Returns the range of lengths in bytes that this field can match at the start of `text`.
    fn possible_lengths(self, text: &str) -> Range<usize> {
        let (least, most) = match (self.width, self.padding) {
            (Some(width), Padding::Nothing) => (1, width),
            (Some(width), Padding::Zeros | Padding::Blanks) => (width, width),
            (None, _) if self.absorbs_larger_units => (1, usize::MAX),
            (None, _) => (1, self.directive.digits.max(2)),
        };
        let may_be_blank = |byte: &u8| self.padding == Padding::Blanks && byte.is_ascii_whitespace();
        let blanks = text.bytes().take_while(may_be_blank).count();
        let digits = text.bytes().skip(blanks).take_while(u8::is_ascii_digit).count();
        interrupt::take_steps_for_bytes(blanks + digits);
        least.max(blanks + 1)..most.min(blanks + digits) + 1
    }
}

/// Returns the nanoseconds in one unit of the last of `digits` (at most nine) digits of a second: 10⁶ for three.
fn nanos_of_last_digit(digits: usize) -> i128 {
    (digits..MAX_FRACTION_DIGITS).fold(1, |value, _| value * 10)
}

/// `segment ::= [^%]+ | "%" [-_0]? [0-9]* ("%" | <letter of a directive>)`
fn parse_segment(text: &str) -> Parsed<'_, FormatSegment<'_>> {
    let padding = opt(one_of("-_0")).map(|flag| match flag {
        Some('-') => Padding::Nothing,
        Some('_') => Padding::Blanks,
        _ => Padding::Zeros,
    });
    let directive = preceded(char('%'), (padding, opt(parse_count), anychar)).map_opt(|(padding, width, letter)| {
        if letter == '%' {
            return Some(FormatSegment::Literal("%"));
        }
        let directive = DIRECTIVES.iter().find(|directive| directive.letter == letter)?;
        Some(FormatSegment::Field(FormatField { directive, padding, width, absorbs_larger_units: false }))
    });
    alt((take_while1(|letter| letter != '%').map(FormatSegment::Literal), directive)).parse(text)
}

/// Splits `text` so that each part matches one of `segments`, and returns the parts in reverse order, or `None` if that
/// is not possible. Earlier fields match as much as possible.
///
/// `hopeless` collects the positions (numbers of remaining segments and bytes) from which no match was found. They are
/// not tried again, so the work is bounded by segments times bytes.
fn match_segments<'t>(
    segments: &[FormatSegment<'_>],
    text: &'t str,
    hopeless: &mut FxHashSet<(usize, usize)>,
) -> Option<Vec<&'t str>> {
    interrupt::take_step();
    let Some((first, others)) = segments.split_first() else { return text.is_empty().then(Vec::new) };
    let lengths = match first {
        _ if hopeless.contains(&(segments.len(), text.len())) => 0..0,
        FormatSegment::Literal(literal) if text.starts_with(*literal) => literal.len()..literal.len() + 1,
        FormatSegment::Literal(_) => 0..0,
        FormatSegment::Field(field) => field.possible_lengths(text),
    };
    let found = lengths.rev().find_map(|length| {
        let mut pieces = stack::with_room(|| match_segments(others, &text[length..], hopeless))?;
        pieces.push(&text[..length]);
        Some(pieces)
    });
    if found.is_none() {
        hopeless.insert((segments.len(), text.len()));
    }
    found
}
