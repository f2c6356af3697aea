//! Ranges of semantic versions: `SemVerRange('>=1.0.0 <2.0.0')`.
//!
//! The syntax is that of node-semver: comparisons next to each other must all match, `||` separates
//! alternatives, and `~`, `^`, `x` and ` - ` are short forms of comparisons. Parsing makes one [`Interval`] per
//! alternative; the string is kept only for printing, so `1.x` and `^1.0.0` are the same range.
//!
//! A pre-release matches an interval only if a bound is a pre-release of the same three numbers, because users who
//! write `>=1.0.0` want releases. Only `*` matches all pre-releases.

mod grammar;

use std::cmp::Ordering::{self, Greater, Less};
use std::fmt;
use std::ops::Bound::{self, Excluded, Included, Unbounded};

use semver::Version;

use super::SemVer;
use crate::error::{Error, Result};
use crate::microsyntax::parse_whole_string;
use crate::types::definition::NotCompared;

/// A range of versions, and the string that it was parsed from.
///
/// Two ranges are equal if they have the same bounds; their strings may differ.
///
/// ```
/// use pcore::value::{SemVer, SemVerRange};
/// let supported = SemVerRange::parse(">=7.24.0 <9.0.0")?;
/// assert!(supported.includes(&SemVer::parse("8.10.0")?));
/// assert_eq!(supported.to_string(), ">=7.24.0 <9.0.0");
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SemVerRange {
    text: NotCompared<Box<str>>,
    alternatives: Box<[Interval]>,
}

impl SemVerRange {
    /// Parses all of `text`.
    ///
    /// Source: the node-semver range grammar.
    /// Observed: Puppet 8.11 takes `^0.0.3` as `>=0.0.3 <0.1.0`, and the text may have alternatives, though the
    /// specification says that it may not.
    pub fn parse(text: &str) -> Result<SemVerRange> {
        let alternatives = parse_whole_string(text, grammar::parse_alternatives).ok_or_else(|| {
            Error::runtime(format!("'{text}' is not a version range"))
                .with_help("write a range such as '>=1.0.0 <2.0.0', '1.0.0 - 2.0.0', '1.x', '~1.2' or '^1.2.3'")
        })?;
        let alternatives = alternatives.into_iter().filter(|interval| !interval.is_empty()).collect();
        Ok(SemVerRange { text: NotCompared(text.into()), alternatives })
    }

    /// Returns the range from `min` to `max`, without `max` if `exclude_max`. `None` leaves that side unbounded.
    pub fn between(min: Option<&SemVer>, max: Option<&SemVer>, exclude_max: bool) -> SemVerRange {
        let max = max.map(|max| max.0.clone());
        let upper = if exclude_max { max.map_or(Unbounded, Excluded) } else { max.map_or(Unbounded, Included) };
        let lower = min.map_or(Unbounded, |min| Included(min.0.clone()));
        Interval::from_bounds(lower, upper).into()
    }

    /// Returns the range that only includes `version`.
    pub fn only_version(version: &SemVer) -> SemVerRange {
        let text = NotCompared(version.to_string().into());
        SemVerRange { text, alternatives: [Interval::from_version(&version.0)].into() }
    }

    /// Returns the range `*`, which includes every version.
    pub fn all_versions() -> SemVerRange {
        Interval::ALL.into()
    }

    /// Whether `version` is in the range.
    pub fn includes(&self, version: &SemVer) -> bool {
        self.alternatives.iter().any(|interval| interval.includes(&version.0))
    }

    /// Whether the bounds of each alternative of `other` lie within those of one of this range; ignores pre-releases.
    pub fn covers(&self, other: &SemVerRange) -> bool {
        let covered = |inner| self.alternatives.iter().any(|outer| outer.covers(inner));
        other.alternatives.iter().all(covered)
    }

    /// Whether the range includes no version, as `>= 2.0.0 < 1.0.0`.
    pub(crate) fn is_empty(&self) -> bool {
        self.alternatives.is_empty()
    }

    /// Returns the union of two ranges that overlap or touch. `None` if they do not, or one interval cannot express the
    /// union: `>=1.2.3-rc` is not merged with `>=1.0.0`, which excludes pre-releases.
    pub fn union(&self, other: &SemVerRange) -> Option<SemVerRange> {
        match (&*self.alternatives, &*other.alternatives) {
            ([a], [b]) => Some(a.union(b)?.into()),
            _ => None,
        }
    }
}

/// Prints the string that was parsed; for a computed range, the shortest equivalent.
impl fmt::Display for SemVerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text.0)
    }
}

impl From<Interval> for SemVerRange {
    fn from(interval: Interval) -> SemVerRange {
        let text = NotCompared(interval.to_string().into());
        SemVerRange { text, alternatives: Some(interval).into_iter().filter(|interval| !interval.is_empty()).collect() }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Interval {
    lower: Bound<Version>,
    upper: Bound<Version>,
    /// Whether all pre-releases match, as for `*`; otherwise only those with the three numbers of a pre-release bound.
    allows_all_prereleases: bool,
}

impl Interval {
    const ALL: Interval = Interval { lower: Unbounded, upper: Unbounded, allows_all_prereleases: true };

    fn from_bounds(lower: Bound<Version>, upper: Bound<Version>) -> Interval {
        Interval { lower, upper, allows_all_prereleases: false }
    }

    fn from_version(version: &Version) -> Interval {
        Interval::from_bounds(Included(version.clone()), Included(version.clone()))
    }

    /// Returns an empty interval: no version is above and below the same one.
    fn empty_interval() -> Interval {
        Interval::from_bounds(Excluded(Version::new(0, 0, 0)), Excluded(Version::new(0, 0, 0)))
    }

    fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            // No version is lower.
            (Unbounded, Excluded(upper)) if upper.to_string() == "0.0.0-0" => true,
            (Unbounded, _) | (_, Unbounded) => false,
            (Included(lower), Included(upper)) => lower.cmp_precedence(upper).is_gt(),
            (Included(lower) | Excluded(lower), Included(upper) | Excluded(upper)) => {
                lower.cmp_precedence(upper).is_ge()
            }
        }
    }

    fn includes(&self, version: &Version) -> bool {
        if self.allows_all_prereleases {
            return true;
        }
        if let Some(only) = self.single_version() {
            return version == only;
        }
        let numbers = |of: &Version| (of.major, of.minor, of.patch);
        let asked_for = || self.prerelease_bounds().any(|end| numbers(end) == numbers(version));
        is_at_least_as_wide(self.lower.as_ref(), Included(version), Less)
            && is_at_least_as_wide(self.upper.as_ref(), Included(version), Greater)
            && (version.pre.is_empty() || asked_for())
    }

    /// Returns the version if the interval includes only one version (and only with this build metadata), or `None`.
    fn single_version(&self) -> Option<&Version> {
        match (&self.lower, &self.upper) {
            (Included(lower), Included(upper)) if lower == upper => Some(lower),
            _ => None,
        }
    }

    fn prerelease_bounds(&self) -> impl Iterator<Item = &Version> {
        let ends = [&self.lower, &self.upper].into_iter();
        ends.filter_map(|end| match end {
            Included(version) | Excluded(version) => Some(version).filter(|version| !version.pre.is_empty()),
            Unbounded => None,
        })
    }

    fn covers(&self, inner: &Interval) -> bool {
        is_at_least_as_wide(self.lower.as_ref(), inner.lower.as_ref(), Less)
            && is_at_least_as_wide(self.upper.as_ref(), inner.upper.as_ref(), Greater)
    }

    fn intersection(self, other: Interval) -> Interval {
        let narrower = |a: Bound<Version>, b: Bound<Version>, outwards| {
            if is_at_least_as_wide(b.as_ref(), a.as_ref(), outwards) { a } else { b }
        };
        let (lower, upper) = (narrower(self.lower, other.lower, Less), narrower(self.upper, other.upper, Greater));
        Interval { lower, upper, allows_all_prereleases: self.allows_all_prereleases && other.allows_all_prereleases }
    }

    fn union(&self, other: &Interval) -> Option<Interval> {
        if self.allows_all_prereleases || other.allows_all_prereleases {
            return Some(Interval::ALL);
        }
        for (one, other) in [(self, other), (other, self)] {
            // At an end of a range that has more versions, a build does not count.
            if let Some(version) = one.single_version()
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
            if is_at_least_as_wide(a.as_ref(), b.as_ref(), outwards) { a.clone() } else { b.clone() }
        };
        let merged =
            Interval::from_bounds(wider(&self.lower, &other.lower, Less), wider(&self.upper, &other.upper, Greater));
        let kept = |end: &Version| merged.prerelease_bounds().any(|kept| kept == end);
        let nothing_is_lost = self.prerelease_bounds().chain(other.prerelease_bounds()).all(kept);
        nothing_is_lost.then_some(merged)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.lower, &self.upper) {
            (Unbounded, Unbounded) if self.allows_all_prereleases => f.write_str("*"),
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

/// Whether the bound `a` allows all versions that `b` allows. `outwards`: `Less` for lower bounds, `Greater` for upper.
fn is_at_least_as_wide(a: Bound<&Version>, b: Bound<&Version>, outwards: Ordering) -> bool {
    match (a, b) {
        (Unbounded, _) => true,
        (_, Unbounded) => false,
        (Excluded(a), Included(b)) => a.cmp_precedence(b) == outwards,
        (Included(a) | Excluded(a), Included(b) | Excluded(b)) => a.cmp_precedence(b) != outwards.reverse(),
    }
}
