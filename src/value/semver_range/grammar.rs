//! The text of a range: one function a production, and the interval that each comparator means.

use std::ops::Bound::{self, Excluded, Included, Unbounded};

use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, digit1, multispace0, multispace1, one_of};
use nom::combinator::{map, map_opt, opt, value, verify};
use nom::multi::{separated_list0, separated_list1};
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use nom::{Parser, branch::alt};
use semver::{BuildMetadata, Prerelease, Version};

use super::Interval;
use crate::interrupt;
use crate::microsyntax::Parsed;

/// `1`, `1.2`, `1.2.x`, `1.2.3-rc+b`: a version whose last numbers may be missing.
struct Partial {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    prerelease: Prerelease,
    build: BuildMetadata,
}

impl Partial {
    fn complete(&self) -> Option<Version> {
        self.patch.map(|_| self.lowest())
    }

    /// The lowest release that this partial version includes.
    fn lowest(&self) -> Version {
        let number = |number: Option<u64>| number.unwrap_or(0);
        let numbers = Version::new(number(self.major), number(self.minor), number(self.patch));
        Version { pre: self.prerelease.clone(), build: self.build.clone(), ..numbers }
    }

    /// The upper end: the first release after all versions that this partial version includes.
    fn next(&self) -> Option<Bound<Version>> {
        Some(match (self.major, self.minor) {
            (None, _) => Unbounded,
            (Some(major), None) => Excluded(Version::new(major.checked_add(1)?, 0, 0)),
            (Some(major), Some(minor)) => Excluded(Version::new(major, minor.checked_add(1)?, 0)),
        })
    }

    /// The upper end: the first release after all that are compatible with this version.
    fn next_incompatible(&self) -> Option<Bound<Version>> {
        match (self.major, self.minor) {
            (Some(major), Some(_)) if major > 0 => Some(Excluded(Version::new(major.checked_add(1)?, 0, 0))),
            _ => self.next(),
        }
    }
}

/// The interval for a comparator and a partial version: `~` accepts other patches, `^` all compatible versions. `None`
/// if a number has no successor in 64 bits.
fn interval(comparator: &str, partial: &Partial) -> Option<Interval> {
    let lowest = partial.lowest();
    let everywhere = partial.major.is_none();
    Some(match (comparator, partial.complete()) {
        ("=", Some(version)) => Interval::only(&version),
        (">" | "<", _) if everywhere => Interval::nothing(),
        (">=" | "<=", _) if everywhere => Interval::new(Unbounded, Unbounded),
        _ if everywhere => Interval::ALL,
        (">", Some(version)) => Interval::new(Excluded(version), Unbounded),
        (">", None) => match partial.next()? {
            Excluded(next) => Interval::new(Included(next), Unbounded),
            Included(_) | Unbounded => Interval::nothing(),
        },
        (">=", _) => Interval::new(Included(lowest), Unbounded),
        ("<", _) => Interval::new(Unbounded, Excluded(lowest)),
        ("<=", Some(version)) => Interval::new(Unbounded, Included(version)),
        ("<=", None) => Interval::new(Unbounded, partial.next()?),
        ("^", _) => Interval::new(Included(lowest), partial.next_incompatible()?),
        // `=`, `~` and `~>`.
        _ => Interval::new(Included(lowest), partial.next()?),
    })
}

/// alternatives = alternative { "||" alternative }
pub(super) fn alternatives(input: &str) -> Parsed<'_, Vec<Interval>> {
    separated_list1(delimited(multispace0, tag("||"), multispace0), alternative).parse(input)
}

/// alternative = hyphenated | [ comparison { blanks comparison } ]
fn alternative(input: &str) -> Parsed<'_, Interval> {
    let comparisons = separated_list0(multispace1, comparison);
    let narrowed = |all: Vec<Interval>| all.into_iter().fold(Interval::ALL, Interval::intersected);
    alt((hyphenated, map(comparisons, narrowed))).parse(input)
}

/// hyphenated = partial blanks "-" blanks partial
fn hyphenated(input: &str) -> Parsed<'_, Interval> {
    let between = (multispace1, char('-'), multispace1);
    let end = || map(partial, |end| Included(end.lowest()));
    map(separated_pair(end(), between, end()), |(lower, upper)| Interval::new(lower, upper)).parse(input)
}

/// comparison = [ comparator ( "v" | blanks ) ] partial
fn comparison(input: &str) -> Parsed<'_, Interval> {
    map_opt((opt(terminated(comparator, alt((tag("v"), multispace0)))), partial), |(comparator, partial)| {
        interval(comparator.unwrap_or("="), &partial)
    })
    .parse(input)
}

/// comparator = ">=" | "<=" | ">" | "<" | "=" | "~>" | "~" | "^"
fn comparator(input: &str) -> Parsed<'_, &str> {
    alt([">=", "<=", ">", "<", "=", "~>", "~", "^"].map(tag)).parse(input)
}

/// partial = number [ "." number [ "." number [ "-" qualifier ] [ "+" qualifier ] ] ]
fn partial(input: &str) -> Parsed<'_, Partial> {
    interrupt::step();
    let after_point = || preceded(char('.'), number);
    let prerelease = map_opt(preceded(char('-'), qualifier), |text| Prerelease::new(text).ok());
    let build = map_opt(preceded(char('+'), qualifier), |text| BuildMetadata::new(text).ok());
    let patch = (after_point(), opt(prerelease), opt(build));
    let (rest, (major, minor_and_patch)) = (number, opt((after_point(), opt(patch)))).parse(input)?;
    let (minor, patch) = minor_and_patch.unwrap_or_default();
    let (patch, prerelease, build) = patch.unwrap_or_default();
    // What follows `x` says nothing.
    let minor = major.and(minor);
    let patch = minor.and(patch);
    let (prerelease, build) = if patch.is_some() { (prerelease, build) } else { (None, None) };
    let (prerelease, build) = (prerelease.unwrap_or_default(), build.unwrap_or_default());
    Ok((rest, Partial { major, minor, patch, prerelease, build }))
}

/// number = "x" | "X" | "*" | "0" | digits without a leading zero; the first three are `None`
fn number(input: &str) -> Parsed<'_, Option<u64>> {
    let no_leading_zero = |digits: &&str| *digits == "0" || !digits.starts_with('0');
    alt((
        value(None, one_of("xX*")),
        map_opt(verify(digit1, no_leading_zero), |digits: &str| digits.parse().ok().map(Some)),
    ))
    .parse(input)
}

/// qualifier = the letters, digits, hyphens and dots of a pre-release or build
fn qualifier(input: &str) -> Parsed<'_, &str> {
    take_while1(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.').parse(input)
}
