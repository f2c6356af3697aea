//! `SemVerRange('>=1.0.0 <2.0.0')`: a range of semantic versions.
//!
//! The text is read as node's ranges are: comparators stand side by side and narrow each other, `||` stands between
//! alternatives, and `~`, `^`, `x` and ` - ` are short for comparators. Reading leaves one [`Interval`] an alternative;
//! the text is kept for printing alone, so that `1.x` and `^1.0.0` are the same range.
//!
//! A pre-release is in an interval only when an end of the interval is a pre-release of the same three numbers:
//! `>=1.0.0` is asked for by people who want releases. Only `*` lets all in.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Bound::{self, Excluded, Included, Unbounded};

use nom::branch::alt;
use nom::bytes::complete::{tag, take_while1};
use nom::character::complete::{char, digit1, multispace0, multispace1, one_of};
use nom::combinator::{all_consuming, map, map_opt, opt, recognize, value, verify};
use nom::multi::{separated_list0, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser};
use semver::{BuildMetadata, Prerelease, Version};

use super::SemVer;
use crate::error::{Error, Result};

/// A range of versions with the text that made it.
///
/// Two are equal when they have the same ends, however they were written.
#[derive(Clone, Debug)]
pub struct SemVerRange {
    text: Box<str>,
    alternatives: Box<[Interval]>,
}

impl SemVerRange {
    /// Reads all of `text`.
    ///
    /// ```
    /// use pcore::value::{SemVer, SemVerRange};
    /// let range = SemVerRange::parse("~1.2").unwrap();
    /// assert!(range.includes(&SemVer::parse("1.2.9").unwrap()));
    /// assert!(!range.includes(&SemVer::parse("1.3.0").unwrap()));
    /// ```
    ///
    /// Source: the node-semver range grammar.
    /// Observed: Puppet 8.11 takes `^0.0.3` as `>=0.0.3 <0.1.0`, and the text may have alternatives, though the
    /// specification says that it may not.
    pub fn parse(text: &str) -> Result<SemVerRange> {
        let (_, alternatives) = all_consuming(alternatives).parse(text).map_err(|_| {
            Error::runtime(format!("'{text}' is no range of versions"))
                .with_help("write one like '>=1.0.0 <2.0.0', '1.0.0 - 2.0.0', '1.x', '~1.2' or '^1.2.3'")
        })?;
        let alternatives = alternatives.into_iter().filter(|interval| !interval.is_empty()).collect();
        Ok(SemVerRange { text: text.into(), alternatives })
    }

    /// The range between two ends; `None` is open.
    pub fn between(min: Option<&SemVer>, max: Option<&SemVer>, exclude_max: bool) -> SemVerRange {
        let max = max.map(|max| max.0.clone());
        let upper = if exclude_max { max.map_or(Unbounded, Excluded) } else { max.map_or(Unbounded, Included) };
        let lower = min.map_or(Unbounded, |min| Included(min.0.clone()));
        SemVerRange::from(Interval { lower, upper, every_prerelease: false })
    }

    /// The range of one version.
    pub fn only(version: &SemVer) -> SemVerRange {
        SemVerRange { text: version.to_string().into(), alternatives: [Interval::only(&version.0)].into() }
    }

    /// The range of every version, `*`.
    pub fn all() -> SemVerRange {
        Interval::ALL.into()
    }

    /// Whether `version` is in the range.
    pub fn includes(&self, version: &SemVer) -> bool {
        self.alternatives.iter().any(|interval| interval.includes(&version.0))
    }

    /// Whether the ends of `other` are within the ends of this range.
    pub fn covers(&self, other: &SemVerRange) -> bool {
        let covered = |inner| self.alternatives.iter().any(|outer| outer.covers(inner));
        other.alternatives.iter().all(covered)
    }

    /// The one range that both make together, when they overlap or touch and nothing is lost by it: `>=1.2.3-rc` does
    /// not melt into `>=1.0.0`, which has no pre-releases.
    pub fn merged(&self, other: &SemVerRange) -> Option<SemVerRange> {
        match (&*self.alternatives, &*other.alternatives) {
            ([a], [b]) => Some(a.merged(b)?.into()),
            _ => None,
        }
    }
}

/// The text as given; of a range that was computed, the shortest one that says it.
impl fmt::Display for SemVerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<Interval> for SemVerRange {
    fn from(interval: Interval) -> SemVerRange {
        SemVerRange { text: interval.to_string().into(), alternatives: [interval].into() }
    }
}

impl PartialEq for SemVerRange {
    fn eq(&self, other: &SemVerRange) -> bool {
        self.alternatives == other.alternatives
    }
}

impl Eq for SemVerRange {}

impl Hash for SemVerRange {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.alternatives.hash(state);
    }
}

/// All versions between two ends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Interval {
    lower: Bound<Version>,
    upper: Bound<Version>,
    /// `*` lets pre-releases in that neither end asks for.
    every_prerelease: bool,
}

impl Interval {
    const ALL: Interval = Interval { lower: Unbounded, upper: Unbounded, every_prerelease: true };

    fn new(lower: Bound<Version>, upper: Bound<Version>) -> Interval {
        Interval { lower, upper, every_prerelease: false }
    }

    fn only(version: &Version) -> Interval {
        Interval::new(Included(version.clone()), Included(version.clone()))
    }

    /// No version is below `0.0.0-0` and not at it.
    fn nothing() -> Interval {
        Interval::new(Unbounded, Excluded(Version { pre: prerelease("0"), ..Version::new(0, 0, 0) }))
    }

    fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Unbounded, Excluded(upper)) => *upper == Version { pre: prerelease("0"), ..Version::new(0, 0, 0) },
            (Unbounded, _) | (_, Unbounded) => false,
            (Included(lower), Included(upper)) => lower.cmp_precedence(upper).is_gt(),
            (Included(lower) | Excluded(lower), Included(upper) | Excluded(upper)) => {
                lower.cmp_precedence(upper).is_ge()
            }
        }
    }

    fn includes(&self, version: &Version) -> bool {
        if self.every_prerelease {
            return true;
        }
        if let (Included(lower), Included(upper)) = (&self.lower, &self.upper)
            && lower == upper
        {
            return version == lower;
        }
        let above = match &self.lower {
            Unbounded => true,
            Included(lower) => version.cmp_precedence(lower).is_ge(),
            Excluded(lower) => version.cmp_precedence(lower).is_gt(),
        };
        let below = match &self.upper {
            Unbounded => true,
            Included(upper) => version.cmp_precedence(upper).is_le(),
            Excluded(upper) => version.cmp_precedence(upper).is_lt(),
        };
        let numbers = |of: &Version| (of.major, of.minor, of.patch);
        let asked_for = || self.prerelease_ends().any(|end| numbers(end) == numbers(version));
        above && below && (version.pre.is_empty() || asked_for())
    }

    /// The ends that are pre-releases.
    fn prerelease_ends(&self) -> impl Iterator<Item = &Version> {
        let ends = [&self.lower, &self.upper].into_iter();
        ends.filter_map(|end| match end {
            Included(version) | Excluded(version) => Some(version),
            Unbounded => None,
        })
        .filter(|version| !version.pre.is_empty())
    }

    fn covers(&self, inner: &Interval) -> bool {
        compare_lower(&self.lower, &inner.lower).is_le() && compare_upper(&self.upper, &inner.upper).is_ge()
    }

    fn intersected(self, other: Interval) -> Interval {
        let lower = if compare_lower(&self.lower, &other.lower).is_ge() { self.lower } else { other.lower };
        let upper = if compare_upper(&self.upper, &other.upper).is_le() { self.upper } else { other.upper };
        Interval { lower, upper, every_prerelease: self.every_prerelease && other.every_prerelease }
    }

    fn merged(&self, other: &Interval) -> Option<Interval> {
        if self.every_prerelease || other.every_prerelease {
            return Some(Interval::ALL);
        }
        let touches = |a: &Interval, b: &Interval| match (&a.upper, &b.lower) {
            (Unbounded, _) | (_, Unbounded) => true,
            (Excluded(upper), Excluded(lower)) => upper.cmp_precedence(lower).is_gt(),
            (Included(upper) | Excluded(upper), Included(lower) | Excluded(lower)) => {
                upper.cmp_precedence(lower).is_ge()
            }
        };
        if !touches(self, other) || !touches(other, self) {
            return None;
        }
        let lower = if compare_lower(&self.lower, &other.lower).is_le() { &self.lower } else { &other.lower };
        let upper = if compare_upper(&self.upper, &other.upper).is_ge() { &self.upper } else { &other.upper };
        let merged = Interval::new(lower.clone(), upper.clone());
        let kept = |end: &Version| merged.prerelease_ends().any(|kept| kept == end);
        let nothing_is_lost = self.prerelease_ends().chain(other.prerelease_ends()).all(kept);
        nothing_is_lost.then_some(merged)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.lower, &self.upper) {
            (Unbounded, Unbounded) if self.every_prerelease => f.write_str("*"),
            (Unbounded, Unbounded) => f.write_str(">=*"),
            (Included(lower), Included(upper)) => write!(f, "{lower} - {upper}"),
            (Included(lower), Unbounded) => write!(f, ">={lower}"),
            (Excluded(lower), Unbounded) => write!(f, ">{lower}"),
            (Unbounded, Included(upper)) => write!(f, "<={upper}"),
            (Unbounded, Excluded(upper)) => write!(f, "<{upper}"),
            (Included(lower), Excluded(upper)) => write!(f, ">={lower} <{upper}"),
            (Excluded(lower), Included(upper)) => write!(f, ">{lower} <={upper}"),
            (Excluded(lower), Excluded(upper)) => write!(f, ">{lower} <{upper}"),
        }
    }
}

/// Which lower end lets more in: `Less` when `a` does.
fn compare_lower(a: &Bound<Version>, b: &Bound<Version>) -> Ordering {
    match (a, b) {
        (Unbounded, Unbounded) => Ordering::Equal,
        (Unbounded, _) => Ordering::Less,
        (_, Unbounded) => Ordering::Greater,
        (Included(a), Included(b)) | (Excluded(a), Excluded(b)) => a.cmp_precedence(b),
        (Included(a), Excluded(b)) => a.cmp_precedence(b).then(Ordering::Less),
        (Excluded(a), Included(b)) => a.cmp_precedence(b).then(Ordering::Greater),
    }
}

/// Which upper end lets more in: `Greater` when `a` does.
fn compare_upper(a: &Bound<Version>, b: &Bound<Version>) -> Ordering {
    match (a, b) {
        (Unbounded, Unbounded) => Ordering::Equal,
        (Unbounded, _) => Ordering::Greater,
        (_, Unbounded) => Ordering::Less,
        (Included(a), Included(b)) | (Excluded(a), Excluded(b)) => a.cmp_precedence(b),
        (Included(a), Excluded(b)) => a.cmp_precedence(b).then(Ordering::Greater),
        (Excluded(a), Included(b)) => a.cmp_precedence(b).then(Ordering::Less),
    }
}

fn prerelease(text: &str) -> Prerelease {
    Prerelease::new(text).expect("the callers write them out")
}

/// `1`, `1.2`, `1.2.x`, `1.2.3-rc+b`: a version that may be cut short. A number that is not there is `None`, and so are
/// all after it.
struct Partial {
    major: Option<u64>,
    minor: Option<u64>,
    patch: Option<u64>,
    prerelease: Prerelease,
    build: BuildMetadata,
}

impl Partial {
    /// The version, when no number is left out.
    fn complete(&self) -> Option<Version> {
        self.patch.map(|_| self.lowest())
    }

    /// The lowest release that it stands for.
    fn lowest(&self) -> Version {
        let number = |number: Option<u64>| number.unwrap_or(0);
        let numbers = Version::new(number(self.major), number(self.minor), number(self.patch));
        Version { pre: self.prerelease.clone(), build: self.build.clone(), ..numbers }
    }

    /// The first release above all that it stands for.
    fn next(&self) -> Option<Bound<Version>> {
        Some(match (self.major, self.minor) {
            (None, _) => Unbounded,
            (Some(major), None) => Excluded(Version::new(major.checked_add(1)?, 0, 0)),
            (Some(major), Some(minor)) => Excluded(Version::new(major, minor.checked_add(1)?, 0)),
        })
    }

    /// The first release above all that are compatible with it.
    fn next_incompatible(&self) -> Option<Bound<Version>> {
        match (self.major, self.minor) {
            (Some(major), Some(_)) if major > 0 => Some(Excluded(Version::new(major.checked_add(1)?, 0, 0))),
            _ => self.next(),
        }
    }
}

#[derive(Clone, Copy)]
enum Comparator {
    /// `=1.2.3`, `1.2.3`
    Equal,
    /// `>1.2.3`
    Above,
    /// `>=1.2.3`
    AtLeast,
    /// `<1.2.3`
    Below,
    /// `<=1.2.3`
    AtMost,
    /// `~1.2.3`, `~>1.2.3`: patches
    Reasonable,
    /// `^1.2.3`: everything compatible
    Compatible,
}

impl Comparator {
    /// Nothing when a number has no successor in 64 bits.
    fn interval(self, partial: &Partial) -> Option<Interval> {
        let lowest = partial.lowest();
        let everywhere = partial.major.is_none();
        Some(match (self, partial.complete()) {
            (Comparator::Equal, Some(version)) => Interval::only(&version),
            (Comparator::Equal | Comparator::Reasonable | Comparator::Compatible, _) if everywhere => Interval::ALL,
            (Comparator::Equal | Comparator::Reasonable, _) => Interval::new(Included(lowest), partial.next()?),
            (Comparator::Compatible, _) => Interval::new(Included(lowest), partial.next_incompatible()?),
            (Comparator::Above | Comparator::Below, _) if everywhere => Interval::nothing(),
            (Comparator::AtLeast | Comparator::AtMost, _) if everywhere => Interval::new(Unbounded, Unbounded),
            (Comparator::Above, Some(version)) => Interval::new(Excluded(version), Unbounded),
            (Comparator::Above, None) => match partial.next()? {
                Excluded(next) => Interval::new(Included(next), Unbounded),
                Included(_) | Unbounded => Interval::nothing(),
            },
            (Comparator::AtLeast, _) => Interval::new(Included(lowest), Unbounded),
            (Comparator::Below, _) => Interval::new(Unbounded, Excluded(lowest)),
            (Comparator::AtMost, Some(version)) => Interval::new(Unbounded, Included(version)),
            (Comparator::AtMost, None) => Interval::new(Unbounded, partial.next()?),
        })
    }
}

/// alternatives = alternative { "||" alternative }
fn alternatives(input: &str) -> IResult<&str, Vec<Interval>> {
    separated_list1(delimited(multispace0, tag("||"), multispace0), alternative).parse(input)
}

/// alternative = hyphenated | [ comparison { blanks comparison } ]
fn alternative(input: &str) -> IResult<&str, Interval> {
    let comparisons = separated_list0(multispace1, comparison);
    let narrowed = |all: Vec<Interval>| all.into_iter().fold(Interval::ALL, Interval::intersected);
    alt((hyphenated, map(comparisons, narrowed))).parse(input)
}

/// hyphenated = partial blanks "-" blanks partial
fn hyphenated(input: &str) -> IResult<&str, Interval> {
    let (rest, lower) = terminated(partial, (multispace1, char('-'), multispace1)).parse(input)?;
    let (rest, upper) = partial(rest)?;
    Ok((rest, Interval::new(Included(lower.lowest()), Included(upper.lowest()))))
}

/// comparison = [ comparator blanks ] partial
fn comparison(input: &str) -> IResult<&str, Interval> {
    map_opt((opt(terminated(comparator, multispace0)), partial), |(comparator, partial)| {
        comparator.unwrap_or(Comparator::Equal).interval(&partial)
    })
    .parse(input)
}

/// comparator = ">=" | "<=" | ">" | "<" | "=" | "~>" | "~" | "^"
fn comparator(input: &str) -> IResult<&str, Comparator> {
    alt((
        value(Comparator::AtLeast, tag(">=")),
        value(Comparator::AtMost, tag("<=")),
        value(Comparator::Above, tag(">")),
        value(Comparator::Below, tag("<")),
        value(Comparator::Equal, tag("=")),
        value(Comparator::Reasonable, tag("~>")),
        value(Comparator::Reasonable, tag("~")),
        value(Comparator::Compatible, tag("^")),
    ))
    .parse(input)
}

/// partial = number [ "." number [ "." number [ "-" qualifier ] [ "+" qualifier ] ] ]
fn partial(input: &str) -> IResult<&str, Partial> {
    let (rest, major) = number(input)?;
    let (rest, minor) = opt(preceded(char('.'), number)).parse(rest)?;
    let (rest, patch) = if minor.is_some() { opt(preceded(char('.'), number)).parse(rest)? } else { (rest, None) };
    let (rest, prerelease, build) = if patch.is_some() {
        let (rest, prerelease) =
            opt(map_opt(preceded(char('-'), qualifier), |text| Prerelease::new(text).ok())).parse(rest)?;
        let (rest, build) =
            opt(map_opt(preceded(char('+'), qualifier), |text| BuildMetadata::new(text).ok())).parse(rest)?;
        (rest, prerelease, build)
    } else {
        (rest, None, None)
    };
    let minor = major.and(minor.flatten());
    let patch = minor.and(patch.flatten());
    // What qualifies `1.2.x` qualifies nothing.
    let (prerelease, build) = if patch.is_some() { (prerelease, build) } else { (None, None) };
    let (prerelease, build) = (prerelease.unwrap_or_default(), build.unwrap_or_default());
    Ok((rest, Partial { major, minor, patch, prerelease, build }))
}

/// number = "x" | "X" | "*" | "0" | digits without a leading zero; the first three are `None`
fn number(input: &str) -> IResult<&str, Option<u64>> {
    let no_leading_zero = |digits: &&str| *digits == "0" || !digits.starts_with('0');
    alt((
        value(None, one_of("xX*")),
        map_opt(verify(digit1, no_leading_zero), |digits: &str| digits.parse().ok().map(Some)),
    ))
    .parse(input)
}

/// qualifier = the letters, digits, hyphens and dots of a pre-release or build
fn qualifier(input: &str) -> IResult<&str, &str> {
    recognize(take_while1(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == '.')).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> SemVerRange {
        SemVerRange::parse(text).unwrap()
    }

    #[test]
    fn shorthands_stand_for_ends() {
        for (text, ends) in [
            ("1.2.3", "1.2.3 - 1.2.3"),
            ("1.x", ">=1.0.0 <2.0.0"),
            ("1.2", ">=1.2.0 <1.3.0"),
            ("= 1", ">=1.0.0 <2.0.0"),
            (">1.x", ">=2.0.0"),
            (">1.2.3", ">1.2.3"),
            ("<=1", "<2.0.0"),
            ("<1", "<1.0.0"),
            ("~1.2.3-beta", ">=1.2.3-beta <1.3.0"),
            ("~> 1.2", ">=1.2.0 <1.3.0"),
            ("^1.2.3", ">=1.2.3 <2.0.0"),
            ("^0", ">=0.0.0 <1.0.0"),
            ("^0.0.3", ">=0.0.3 <0.1.0"),
            ("1.2 - 2.3", "1.2.0 - 2.3.0"),
            (">=1.0.0 <1.5.0 >1.1.0", ">1.1.0 <1.5.0"),
            ("x.1.2", "*"),
            (">=*", ">=*"),
        ] {
            assert_eq!(range(text).alternatives[0].to_string(), ends, "{text}");
        }
    }

    #[test]
    fn empty_ranges_have_no_interval() {
        for text in [">2 <1", ">*", "<*", ">1.0.0 <1.0.0"] {
            assert_eq!(range(text).alternatives.len(), 0, "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["v1.0.0", " 1.2", "1.2 ", "1.2-2", "1.", "1.2.3.4", "01.2.3", ">=", "=>1", ">=1<2", "1.2-beta"] {
            let message = format!("'{text}' is no range of versions");
            assert_eq!(SemVerRange::parse(text).unwrap_err().message(), message);
        }
    }

    #[test]
    fn merging_keeps_every_version() {
        let merged = |a, b| range(a).merged(&range(b)).map(|merged| merged.to_string());
        let is = |text: &str| Some(text.to_string());
        assert_eq!(merged(">=1.0.0 <2.5.0", ">=2.0.0 <3.0.0"), is(">=1.0.0 <3.0.0"));
        assert_eq!(merged("1.x", "2.x"), is(">=1.0.0 <3.0.0"));
        assert_eq!(merged("<1.0.0", ">1.0.0"), None);
        assert_eq!(merged("1.0.0 - 2.0.0", ">2.0.0"), is(">=1.0.0"));
        assert_eq!(merged("~1.2.3-beta", "^1.2.3"), is(">=1.2.3-beta <2.0.0"));
        assert_eq!(merged("~1.2.3-beta", "1.2.x"), None);
        assert_eq!(merged("*", "1"), is("*"));
    }
}
