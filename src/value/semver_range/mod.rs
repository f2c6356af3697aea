//! `SemVerRange('>=1.0.0 <2.0.0')`: a range of semantic versions.
//!
//! The text is read as node's ranges are: comparators stand side by side and narrow each other, `||` stands between
//! alternatives, and `~`, `^`, `x` and ` - ` are short for comparators. Reading leaves one [`Interval`] an alternative;
//! the text is kept for printing alone, so that `1.x` and `^1.0.0` are the same range.
//!
//! A pre-release is in an interval only when an end of the interval is a pre-release of the same three numbers:
//! `>=1.0.0` is requested by people who want releases. Only `*` lets all in.

mod grammar;

use std::cmp::Ordering::{self, Greater, Less};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Bound::{self, Excluded, Included, Unbounded};

use semver::{Prerelease, Version};

use super::SemVer;
use crate::error::{Error, Result};
use crate::microsyntax::whole;

/// A range of versions with the text that made it.
///
/// Two ranges are equal when they have the same ends, whatever their text.
///
/// ```
/// use pcore::value::{SemVer, SemVerRange};
/// let supported = SemVerRange::parse(">=7.24.0 <9.0.0")?;
/// assert!(supported.includes(&SemVer::parse("8.10.0")?));
/// assert_eq!(supported.to_string(), ">=7.24.0 <9.0.0");
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct SemVerRange {
    text: Box<str>,
    alternatives: Box<[Interval]>,
}

impl SemVerRange {
    /// Reads all of `text`.
    ///
    /// Source: the node-semver range grammar.
    /// Observed: Puppet 8.11 takes `^0.0.3` as `>=0.0.3 <0.1.0`, and the text may have alternatives, though the
    /// specification says that it may not.
    pub fn parse(text: &str) -> Result<SemVerRange> {
        let alternatives = whole(text, grammar::alternatives).ok_or_else(|| {
            Error::runtime(format!("'{text}' is not a version range"))
                .with_help("write a range such as '>=1.0.0 <2.0.0', '1.0.0 - 2.0.0', '1.x', '~1.2' or '^1.2.3'")
        })?;
        let alternatives = alternatives.into_iter().filter(|interval| !interval.is_empty()).collect();
        Ok(SemVerRange { text: text.into(), alternatives })
    }

    /// The range from `min` to `max`; `None` leaves that end open.
    pub fn between(min: Option<&SemVer>, max: Option<&SemVer>, exclude_max: bool) -> SemVerRange {
        let max = max.map(|max| max.0.clone());
        let upper = if exclude_max { max.map_or(Unbounded, Excluded) } else { max.map_or(Unbounded, Included) };
        let lower = min.map_or(Unbounded, |min| Included(min.0.clone()));
        Interval::new(lower, upper).into()
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

    /// Whether no version is in the range: `>= 2.0.0 < 1.0.0`.
    pub(crate) fn is_empty(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// The union of two ranges that overlap or touch; `None` if one range cannot express it: `>=1.2.3-rc` is not merged
    /// with `>=1.0.0`, which excludes pre-releases.
    pub fn merged(&self, other: &SemVerRange) -> Option<SemVerRange> {
        match (&*self.alternatives, &*other.alternatives) {
            ([a], [b]) => Some(a.merged(b)?.into()),
            _ => None,
        }
    }
}

/// The text as given; for a computed range, the shortest equivalent text.
impl fmt::Display for SemVerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<Interval> for SemVerRange {
    fn from(interval: Interval) -> SemVerRange {
        let text = interval.to_string().into();
        SemVerRange { text, alternatives: Some(interval).into_iter().filter(|interval| !interval.is_empty()).collect() }
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

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Interval {
    lower: Bound<Version>,
    upper: Bound<Version>,
    /// Whether all pre-releases match, as for `*`, instead of only those of a version that is an end of the interval.
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

    /// The empty interval: versions below `0.0.0-0`, the lowest of all.
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
        if let Some(only) = self.single() {
            return version == only;
        }
        let numbers = |of: &Version| (of.major, of.minor, of.patch);
        let asked_for = || self.prerelease_ends().any(|end| numbers(end) == numbers(version));
        reaches(self.lower.as_ref(), Included(version), Less)
            && reaches(self.upper.as_ref(), Included(version), Greater)
            && (version.pre.is_empty() || asked_for())
    }

    /// The version, if the interval has only one; its build metadata counts as well.
    fn single(&self) -> Option<&Version> {
        match (&self.lower, &self.upper) {
            (Included(lower), Included(upper)) if lower == upper => Some(lower),
            _ => None,
        }
    }

    fn prerelease_ends(&self) -> impl Iterator<Item = &Version> {
        let ends = [&self.lower, &self.upper].into_iter();
        ends.filter_map(|end| match end {
            Included(version) | Excluded(version) => Some(version),
            Unbounded => None,
        })
        .filter(|version| !version.pre.is_empty())
    }

    fn covers(&self, inner: &Interval) -> bool {
        reaches(self.lower.as_ref(), inner.lower.as_ref(), Less)
            && reaches(self.upper.as_ref(), inner.upper.as_ref(), Greater)
    }

    fn intersected(self, other: Interval) -> Interval {
        let lower = if reaches(other.lower.as_ref(), self.lower.as_ref(), Less) { self.lower } else { other.lower };
        let upper = if reaches(other.upper.as_ref(), self.upper.as_ref(), Greater) { self.upper } else { other.upper };
        Interval { lower, upper, every_prerelease: self.every_prerelease && other.every_prerelease }
    }

    fn merged(&self, other: &Interval) -> Option<Interval> {
        if self.every_prerelease || other.every_prerelease {
            return Some(Interval::ALL);
        }
        for (one, other) in [(self, other), (other, self)] {
            // At an end of a range that has more versions, a build does not count.
            if let Some(version) = one.single()
                && !version.build.is_empty()
            {
                return other.includes(version).then(|| other.clone());
            }
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
        let wider = |a: &Bound<Version>, b: &Bound<Version>, outwards| {
            if reaches(a.as_ref(), b.as_ref(), outwards) { a.clone() } else { b.clone() }
        };
        let merged = Interval::new(wider(&self.lower, &other.lower, Less), wider(&self.upper, &other.upper, Greater));
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

/// Whether the end `a` is as far `outwards` as `b`, or farther: `Less` for lower ends, `Greater` for upper ones.
fn reaches(a: Bound<&Version>, b: Bound<&Version>, outwards: Ordering) -> bool {
    match (a, b) {
        (Unbounded, _) => true,
        (_, Unbounded) => false,
        (Excluded(a), Included(b)) => a.cmp_precedence(b) == outwards,
        (Included(a) | Excluded(a), Included(b) | Excluded(b)) => a.cmp_precedence(b) != outwards.reverse(),
    }
}

#[expect(clippy::expect_used, reason = "the text is a constant")]
fn prerelease(text: &'static str) -> Prerelease {
    Prerelease::new(text).expect("a pre-release")
}
