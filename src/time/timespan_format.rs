//! Formats and parses Timespans: `%D-%H:%M:%S.%-N`.
//!
//! A [`Format`] is parsed once into segments: literals and fields. The largest unit among the fields includes
//! everything above it (`%H` alone counts all the hours); every other field shows the remainder below the next larger
//! unit. The sign is written once, at the start.
//!
//! `%L` and `%N` are fractions of a second unless they are the largest unit themselves; then they count.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::{MAX_WIDTH, TimeFormatError, Timespan};
use crate::error::{Error, Result, quoted};
use crate::interrupt;
use crate::limits::BoundedString;

const NANOS_PER_DAY: i128 = 24 * NANOS_PER_HOUR;
const NANOS_PER_HOUR: i128 = 60 * NANOS_PER_MINUTE;
const NANOS_PER_MINUTE: i128 = 60 * NANOS_PER_SECOND;
const NANOS_PER_SECOND: i128 = 1000 * NANOS_PER_MILLISECOND;
const NANOS_PER_MILLISECOND: i128 = 1_000_000;

/// Digits of a second after the point.
const NANO_DIGITS: usize = 9;

#[derive(Debug)]
pub(crate) struct Directive {
    pub(crate) letter: char,
    pub(crate) meaning: &'static str,
    unit: i128,
    /// The next larger unit, in nanoseconds, which swallows the rest unless this unit is the highest of a format.
    within: i128,
    /// How many digits are written without a width.
    digits: usize,
    /// How many digits at most are read without a width, unless this unit is the highest.
    reads: usize,
    kind: DirectiveKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DirectiveKind {
    /// A number of units, filled on its left.
    Count,
    /// Milliseconds, a fraction of always three digits.
    Milliseconds,
    /// A fraction of a second, with as many digits as the width.
    Fraction,
}

/// Every directive, the highest magnitude first. `%%` is a percent sign.
#[rustfmt::skip]
pub(crate) static DIRECTIVES: &[Directive] = &[
    Directive { letter: 'D', meaning: "days", unit: NANOS_PER_DAY, within: i128::MAX, digits: 1, reads: 2, kind: DirectiveKind::Count },
    Directive { letter: 'H', meaning: "hours of the day", unit: NANOS_PER_HOUR, within: NANOS_PER_DAY, digits: 2, reads: 2, kind: DirectiveKind::Count },
    Directive { letter: 'M', meaning: "minutes of the hour", unit: NANOS_PER_MINUTE, within: NANOS_PER_HOUR, digits: 2, reads: 2, kind: DirectiveKind::Count },
    Directive { letter: 'S', meaning: "seconds of the minute", unit: NANOS_PER_SECOND, within: NANOS_PER_MINUTE, digits: 2, reads: 2, kind: DirectiveKind::Count },
    Directive { letter: 'L', meaning: "milliseconds of the second", unit: NANOS_PER_MILLISECOND, within: NANOS_PER_SECOND, digits: 3, reads: 3, kind: DirectiveKind::Milliseconds },
    Directive { letter: 'N', meaning: "fraction of the second", unit: 1, within: NANOS_PER_SECOND, digits: NANO_DIGITS, reads: NANO_DIGITS, kind: DirectiveKind::Fraction },
];

/// The formats that are tried when none is given.
///
/// Source: language specification, "Timespan from String and format directive patterns".
pub(crate) static DEFAULT_FORMATS: LazyLock<Vec<Format>> = LazyLock::new(|| {
    ["%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S"]
        .into_iter()
        .filter_map(|text| Format::new(text).ok()) // OK because they use known directives.
        .collect()
});

/// A format, understood.
#[derive(Clone, Debug)]
pub(crate) struct Format {
    text: String,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
enum Segment {
    Literal(String),
    Field(Field),
}

#[derive(Clone, Copy, Debug)]
struct Field {
    directive: &'static Directive,
    padding: Padding,
    width: Option<usize>,
    /// Whether this is the highest unit of the format, at its first place.
    absorbs: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Padding {
    /// `0`, or no flag
    Zeros,
    /// `_`
    Blanks,
    Nothing,
}

impl Format {
    /// The format of the standard text, `%D-%H:%M:%S.%-N`.
    #[expect(clippy::indexing_slicing, reason = "there is a first default format")]
    pub(crate) fn standard() -> &'static Format {
        &DEFAULT_FORMATS[0]
    }

    /// Reads a format.
    pub(crate) fn new(text: &str) -> Result<Format> {
        let mut segments: Vec<Segment> = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find('%') {
            interrupt::step();
            push_literal(&mut segments, &rest[..at]);
            let (segment, after) = directive(&rest[at + 1..]).ok_or_else(|| unknown_directive(&rest[at..], text))?;
            match segment {
                Segment::Literal(percent) => push_literal(&mut segments, &percent),
                Segment::Field(Field { width: Some(width), .. }) if width > MAX_WIDTH => {
                    return Err(TimeFormatError::WidthAboveLimit { format: text.to_owned() }.into());
                }
                field @ Segment::Field(_) => segments.push(field),
            }
            rest = after;
        }
        push_literal(&mut segments, rest);
        let fields = segments.iter_mut().filter_map(|segment| match segment {
            Segment::Field(field) => Some(field),
            Segment::Literal(_) => None,
        });
        // The first of several equal ones is the one to absorb.
        if let Some(highest) = fields.rev().max_by_key(|field| field.directive.unit) {
            highest.absorbs = true;
        }
        Ok(Format { text: text.to_owned(), segments })
    }

    pub(crate) fn format(&self, span: Timespan) -> Result<String> {
        // OK because the lowest count of 128 bits is the only one without a positive counterpart, and one nanosecond
        // less is then the nearest that can be shown.
        let nanoseconds = span.nanoseconds().checked_abs().unwrap_or(i128::MAX);
        let mut out = BoundedString::default();
        if span.nanoseconds() < 0 {
            out.push_str("-")?;
        }
        for segment in &self.segments {
            match segment {
                Segment::Literal(text) => out.push_str(text)?,
                Segment::Field(field) => field.write(nanoseconds, &mut out)?,
            }
        }
        Ok(out.into_string())
    }

    /// Parses `text` in this format; `None` if it does not match.
    fn read(&self, text: &str) -> Result<Option<Timespan>> {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let Some(lengths) = fit(&self.segments, rest) else { return Ok(None) };
        let mut at = 0;
        let mut sum = Some(0_i128);
        let mut highest = 0;
        for (segment, length) in self.segments.iter().zip(lengths) {
            if let Segment::Field(field) = segment {
                let nanoseconds = field.nanoseconds(rest[at..at + length].trim_start());
                sum = sum.zip(nanoseconds).and_then(|(sum, nanoseconds)| sum.checked_add(nanoseconds));
                highest = highest.max(field.directive.unit);
            }
            at += length;
        }
        if highest > 0 && highest < NANOS_PER_SECOND {
            return Err(TimeFormatError::FractionAlone { format: self.text.clone() }.into());
        }
        let sum = sum.ok_or_else(|| TimeFormatError::TooLarge { text: text.to_owned() })?;
        Ok(Some(Timespan::from_nanoseconds(if negative { -sum } else { sum })))
    }
}

/// Parses `text` by the first format that matches.
pub(crate) fn parse(text: &str, formats: &[&str]) -> Result<Timespan> {
    let mut refused = None;
    for format in formats {
        match Format::new(format)?.read(text) {
            Ok(Some(span)) => return Ok(span),
            Ok(None) => {}
            Err(error) => refused = Some(error),
        }
    }
    Err(refused.unwrap_or_else(|| no_fit(text, formats.iter().map(|format| quoted(format)).collect())))
}

/// Parses `text` by the first of the [`DEFAULT_FORMATS`] that matches.
pub(crate) fn parse_standard(text: &str) -> Result<Timespan> {
    for format in DEFAULT_FORMATS.iter() {
        if let Some(span) = format.read(text)? {
            return Ok(span);
        }
    }
    Err(no_fit(text, DEFAULT_FORMATS.iter().map(|format| format.text.clone()).collect()))
}

fn no_fit(text: &str, formats: Vec<String>) -> Error {
    TimeFormatError::NoFit { type_: "Timespan", text: quoted(text), formats }.into()
}

impl Field {
    fn write(self, nanoseconds: i128, out: &mut BoundedString) -> Result<()> {
        let directive = self.directive;
        let inside = if self.absorbs { nanoseconds } else { nanoseconds % directive.within };
        let width = self.width.unwrap_or(directive.digits);
        match directive.kind {
            DirectiveKind::Count => {
                let number = (inside / directive.unit).to_string();
                let missing = width.saturating_sub(number.len());
                match self.padding {
                    Padding::Zeros => out.fill('0', missing)?,
                    Padding::Blanks => out.fill(' ', missing)?,
                    Padding::Nothing => {}
                }
                out.push_str(&number)
            }
            DirectiveKind::Milliseconds => self.write_digits(inside / directive.unit, 3, width, out),
            DirectiveKind::Fraction => {
                let digits = width.min(NANO_DIGITS);
                self.write_digits(inside / nanos_per_digit(digits), digits, width, out)
            }
        }
    }

    /// Digits after the point, filled with spaces on the right up to `width`.
    ///
    /// Observed: Puppet 8.11 writes zero as a single digit, and cuts zeros off the end under the flags `_` and `-`.
    /// Deviation: Puppet 8.11 loses the zeros at the front of a fraction, which then shows another time.
    fn write_digits(self, number: i128, digits: usize, width: usize, out: &mut BoundedString) -> Result<()> {
        let mut text = number.to_string();
        if !self.absorbs && number != 0 {
            text = format!("{}{text}", "0".repeat(digits.saturating_sub(text.len())));
            if self.padding != Padding::Zeros {
                text.truncate(text.trim_end_matches('0').len());
            }
        }
        out.push_str(&text)?;
        let filled = if self.padding == Padding::Nothing { 0 } else { width };
        out.fill(' ', filled.saturating_sub(text.len()))
    }

    /// The minimum and maximum number of bytes that the field matches.
    fn length(self) -> (usize, usize) {
        match (self.width, self.padding) {
            (Some(width), Padding::Nothing) => (1, width),
            (Some(width), Padding::Zeros | Padding::Blanks) => (width, width),
            (None, _) if self.absorbs => (1, usize::MAX),
            (None, _) => (1, self.directive.reads),
        }
    }

    fn reach(self, text: &[u8]) -> usize {
        let blanks = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let blanks = if self.padding == Padding::Blanks { blanks } else { 0 };
        let digits = text.iter().skip(blanks).take_while(|byte| byte.is_ascii_digit()).count();
        interrupt::step_over_bytes(blanks + digits);
        if digits == 0 { 0 } else { blanks + digits }
    }

    /// The nanoseconds of `digits` in this unit.
    fn nanoseconds(self, digits: &str) -> Option<i128> {
        match self.directive.kind {
            DirectiveKind::Count => digits.parse::<i128>().ok()?.checked_mul(self.directive.unit),
            DirectiveKind::Milliseconds | DirectiveKind::Fraction => {
                let digits = &digits[..digits.len().min(NANO_DIGITS)];
                Some(digits.parse::<i128>().ok()? * nanos_per_digit(digits.len()))
            }
        }
    }
}

/// The place value of the last of `digits` digits after the point; there are at most nine.
fn nanos_per_digit(digits: usize) -> i128 {
    (digits..NANO_DIGITS).fold(1, |value, _| value * 10)
}

/// Parses the segment after a `%`; returns it and the rest of the format.
fn directive(text: &str) -> Option<(Segment, &str)> {
    let (padding, text) = match text.as_bytes().first()? {
        b'-' => (Padding::Nothing, &text[1..]),
        b'_' => (Padding::Blanks, &text[1..]),
        b'0' => (Padding::Zeros, &text[1..]),
        _ => (Padding::Zeros, text),
    };
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let width = (digits > 0).then(|| text[..digits].parse().unwrap_or(usize::MAX));
    let letter = text[digits..].chars().next()?;
    let after = &text[digits + letter.len_utf8()..];
    if letter == '%' {
        return Some((Segment::Literal("%".to_owned()), after));
    }
    let directive = DIRECTIVES.iter().find(|directive| directive.letter == letter)?;
    Some((Segment::Field(Field { directive, padding, width, absorbs: false }), after))
}

fn unknown_directive(at_percent: &str, format: &str) -> TimeFormatError {
    let is_modifier = |c: char| c.is_ascii_digit() || matches!(c, '-' | '_');
    let letter = at_percent[1..].find(|c| !is_modifier(c)).map(|at| at + 1);
    let end = letter.map_or(at_percent.len(), |at| at + at_percent[at..].chars().next().map_or(0, char::len_utf8));
    TimeFormatError::UnknownDirective {
        directive: at_percent[..end].to_owned(),
        format: format.to_owned(),
        letters: DIRECTIVES.iter().flat_map(|directive| ['%', directive.letter, ' ']).chain(['%', '%']).collect(),
    }
}

fn push_literal(segments: &mut Vec<Segment>, text: &str) {
    match segments.last_mut() {
        _ if text.is_empty() => {}
        Some(Segment::Literal(literal)) => literal.push_str(text),
        _ => segments.push(Segment::Literal(text.to_owned())),
    }
}

/// Matches `text` against the segments, each as long as possible; returns the length of each match.
///
/// Tries the longest first and goes back; a place from which the rest was seen not to fit is not tried again, so the
/// work is bounded by segments times bytes.
fn fit(segments: &[Segment], text: &str) -> Option<Vec<usize>> {
    let bytes = text.as_bytes();
    let mut hopeless: HashSet<(usize, usize)> = HashSet::new();
    // For each segment on the way: where it starts, and the lengths still to be tried.
    let mut way: Vec<(usize, Range<usize>)> = Vec::with_capacity(segments.len() + 1);
    let mut at = 0;
    loop {
        interrupt::step();
        let index = way.len();
        if index == segments.len() {
            if at == bytes.len() {
                let ends = way.iter().map(|(start, _)| *start).skip(1).chain([at]);
                return Some(way.iter().zip(ends).map(|((start, _), end)| end - start).collect());
            }
            way.push((at, 0..0));
        } else if hopeless.contains(&(index, at)) {
            way.push((at, 0..0));
        } else {
            way.push((at, lengths(segments.get(index)?, bytes.get(at..)?)));
        }
        loop {
            let index_of_last = way.len().checked_sub(1)?;
            let (start, remaining) = way.last_mut()?;
            if let Some(length) = remaining.next_back() {
                at = *start + length;
                break;
            }
            hopeless.insert((index_of_last, *start));
            way.pop();
        }
    }
}

/// Every length that the segment can take from the start of `text`.
fn lengths(segment: &Segment, text: &[u8]) -> Range<usize> {
    match segment {
        Segment::Literal(literal) if text.starts_with(literal.as_bytes()) => literal.len()..literal.len() + 1,
        Segment::Literal(_) => 0..0,
        Segment::Field(field) => {
            let (least, most) = field.length();
            let first_digit = text.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            least.max(first_digit + 1)..field.reach(text).min(most) + 1
        }
    }
}
