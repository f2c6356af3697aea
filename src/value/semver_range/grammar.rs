//! Parses version ranges: one function per production, and the interval of each comparator.

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

/// A version whose last numbers may be missing (`None`): `1`, `1.2`, `1.2.x`, `1.2.3-rc+b`.
struct PartialVersion {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    prerelease: Prerelease,
    build: BuildMetadata,
}

impl PartialVersion {
    fn lowest_version(&self) -> Version {
        let number = |number: Option<u64>| number.unwrap_or(0);
        let numbers = Version::new(number(self.major), number(self.minor), number(self.patch));
        Version { pre: self.prerelease.clone(), build: self.build.clone(), ..numbers }
    }

    /// Returns the upper bound of the versions that start with these numbers: 1.3.0 for `1.2`; `None` beyond 64 bits.
    fn upper_bound(&self) -> Option<Bound<Version>> {
        Some(match (self.major, self.minor) {
            (None, _) => Unbounded,
            (Some(major), None) => Excluded(Version::new(major.checked_add(1)?, 0, 0)),
            (Some(major), Some(minor)) => Excluded(Version::new(major, minor.checked_add(1)?, 0)),
        })
    }

    fn compatible_upper_bound(&self) -> Option<Bound<Version>> {
        match (self.major, self.minor) {
            (Some(major), Some(_)) if major > 0 => Some(Excluded(Version::new(major.checked_add(1)?, 0, 0))),
            _ => self.upper_bound(),
        }
    }
}

/// Returns the interval of a comparator and a partial version: `~` accepts other patch versions, `^` all compatible
/// versions. `None` if a number of the upper bound overflows 64 bits.
fn interval_of_comparison(comparator: &str, partial: &PartialVersion) -> Option<Interval> {
    let lowest = partial.lowest_version();
    let everywhere = partial.major.is_none();
    Some(match (comparator, partial.patch.map(|_| partial.lowest_version())) {
        ("=", Some(version)) => Interval::from_version(&version),
        (">" | "<", _) if everywhere => Interval::empty_interval(),
        (">=" | "<=", _) if everywhere => Interval::from_bounds(Unbounded, Unbounded),
        _ if everywhere => Interval::ALL,
        (">", Some(version)) => Interval::from_bounds(Excluded(version), Unbounded),
        (">", None) => match partial.upper_bound()? {
            Excluded(next) => Interval::from_bounds(Included(next), Unbounded),
            Included(_) | Unbounded => Interval::empty_interval(),
        },
        (">=", _) => Interval::from_bounds(Included(lowest), Unbounded),
        ("<", _) => Interval::from_bounds(Unbounded, Excluded(lowest)),
        ("<=", Some(version)) => Interval::from_bounds(Unbounded, Included(version)),
        ("<=", None) => Interval::from_bounds(Unbounded, partial.upper_bound()?),
        ("^", _) => Interval::from_bounds(Included(lowest), partial.compatible_upper_bound()?),
        // `=`, `~` and `~>`.
        _ => Interval::from_bounds(Included(lowest), partial.upper_bound()?),
    })
}

/// alternatives = alternative { "||" alternative }; a version matches the range if it matches one interval
pub(super) fn parse_alternatives(input: &str) -> Parsed<'_, Vec<Interval>> {
    separated_list1(delimited(multispace0, tag("||"), multispace0), parse_alternative).parse(input)
}

/// alternative = hyphenated | [ comparison { spaces comparison } ]; returns the intersection of the comparisons
fn parse_alternative(input: &str) -> Parsed<'_, Interval> {
    let comparisons = separated_list0(multispace1, parse_comparison);
    let narrowed = |all: Vec<Interval>| all.into_iter().fold(Interval::ALL, Interval::intersection);
    alt((parse_hyphenated_range, map(comparisons, narrowed))).parse(input)
}

/// hyphenated = partial spaces "-" spaces partial; both ends are included: `1.0.0 - 2.0.0`
fn parse_hyphenated_range(input: &str) -> Parsed<'_, Interval> {
    let between = (multispace1, char('-'), multispace1);
    let end = || map(parse_partial_version, |end| Included(end.lowest_version()));
    map(separated_pair(end(), between, end()), |(lower, upper)| Interval::from_bounds(lower, upper)).parse(input)
}

/// comparison = [ comparator ( "v" | spaces ) ] partial; no comparator means `=`
fn parse_comparison(input: &str) -> Parsed<'_, Interval> {
    let comparator = opt(terminated(parse_comparator, alt((tag("v"), multispace0))));
    let comparison = (comparator.map(|comparator| comparator.unwrap_or("=")), parse_partial_version);
    map_opt(comparison, |(comparator, partial)| interval_of_comparison(comparator, &partial)).parse(input)
}

/// comparator = ">=" | "<=" | ">" | "<" | "=" | "~>" | "~" | "^"
fn parse_comparator(input: &str) -> Parsed<'_, &str> {
    alt([">=", "<=", ">", "<", "=", "~>", "~", "^"].map(tag)).parse(input)
}

/// partial = number [ "." number [ "." number [ "-" qualifier ] [ "+" qualifier ] ] ]: `1`, `1.x`, `1.2.3-rc`
fn parse_partial_version(input: &str) -> Parsed<'_, PartialVersion> {
    interrupt::take_step();
    let after_point = || preceded(char('.'), parse_number_or_wildcard);
    let prerelease = map_opt(preceded(char('-'), parse_qualifier), |text| Prerelease::new(text).ok());
    let build = map_opt(preceded(char('+'), parse_qualifier), |text| BuildMetadata::new(text).ok());
    let patch = (after_point(), opt(prerelease), opt(build));
    let (rest, (major, minor_and_patch)) = (parse_number_or_wildcard, opt((after_point(), opt(patch)))).parse(input)?;
    let (minor, patch) = minor_and_patch.unwrap_or_default();
    let (patch, prerelease, build) = patch.unwrap_or_default();
    // What follows `x` says nothing.
    let minor = major.and(minor);
    let patch = minor.and(patch);
    let (prerelease, build) = if patch.is_some() { (prerelease, build) } else { (None, None) };
    let (prerelease, build) = (prerelease.unwrap_or_default(), build.unwrap_or_default());
    Ok((rest, PartialVersion { major, minor, patch, prerelease, build }))
}

/// number = "x" | "X" | "*" | "0" | digits without a leading zero; the first three are `None`
fn parse_number_or_wildcard(input: &str) -> Parsed<'_, Option<u64>> {
    let no_leading_zero = |digits: &&str| *digits == "0" || !digits.starts_with('0');
    let number = map_opt(verify(digit1, no_leading_zero), |digits: &str| digits.parse().ok().map(Some));
    alt((value(None, one_of("xX*")), number)).parse(input)
}

/// qualifier = the letters, digits, hyphens and dots of a pre-release or build
fn parse_qualifier(input: &str) -> Parsed<'_, &str> {
    take_while1(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.').parse(input)
}
