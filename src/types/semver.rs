//! `SemVer[version-ranges]`: semantic versions, optionally within one of several ranges; `SemVerRange`: the ranges.

use std::sync::Arc;

use super::{Lattice, Rules, Type, TypeError, arguments_in_order, check_arity, row};
use crate::error::{Error, Result};
use crate::value::{SemVer, SemVerRange, Value};

/// Versions in at least one of some ranges; all versions if there are no ranges.
///
/// Overlapping and adjacent ranges are merged when the type is created.
///
/// Source: language specification, "`SemVer[version-ranges]`".
/// Observed: Puppet 8.11 puts a merged range behind those that it did not touch.
/// Deviation: Puppet swaps the ends in the text of a merged range; ours are in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SemVerType {
    ranges: Arc<[SemVerRange]>,
}

impl SemVerType {
    /// Returns the ranges, one of which must contain the version; none for the bare type.
    pub fn ranges(&self) -> &[SemVerRange] {
        &self.ranges
    }

    /// Creates the type of the versions in at least one of `ranges`.
    pub fn new(ranges: impl IntoIterator<Item = SemVerRange>) -> SemVerType {
        let mut apart: Vec<SemVerRange> = Vec::new();
        for mut range in ranges {
            // What was made one may touch one more.
            while let Some((at, merged)) =
                apart.iter().enumerate().find_map(|(at, other)| Some((at, other.union(&range)?)))
            {
                apart.remove(at);
                range = merged;
            }
            apart.push(range);
        }
        SemVerType { ranges: apart.into() }
    }
}

impl Rules for SemVerType {
    row! {
        "SemVer" ["version-range, …"] below "Scalar": "semantic versions, optionally within one of several ranges";
        "SemVer('1.2.3') =~ SemVer['1.x', '3.x']" => "true",
        "SemVer['1.x', '2.x']" => "SemVer['>=1.0.0 <3.0.0']",
        "SemVer(1, 2, 3, 'rc.1')" => "SemVer('1.2.3-rc.1')",
        "SemVer['nonsense']" => "error RUNTIME_ERROR",
        "SemVer('1.2')" => "error RUNTIME_ERROR",
        // Observed: Puppet 8.11 takes no undef for the qualifiers, which the specification makes Optional.
        optional by specification,
        new "(String[1] $version)",
        new r"(Integer[0] $major, Integer[0] $minor, Integer[0] $patch, Pattern[/\A[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*\z/] $prerelease = undef, Pattern[/\A[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*\z/] $build = undef)",
        new r"(Struct[{major => Integer[0], minor => Integer[0], patch => Integer[0], Optional[prerelease] => Pattern[/\A[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*\z/], Optional[build] => Pattern[/\A[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*\z/]}] $parts)",
    }
    const IS_GENERAL: bool = true;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        check_arity(Self::NAME, arguments, 1..=usize::MAX, "at least 1")?;
        let range = |argument: &Value| match argument {
            Value::String(text) if text.is_empty() => Ok(Ok(SemVerRange::all_versions())),
            Value::String(text) => Ok(SemVerRange::parse(text)),
            Value::SemVerRange(range) => Ok(Ok((**range).clone())),
            Value::SemVer(version) => Ok(Ok(SemVerRange::only_version(version))),
            other => Err(TypeError::wrong_parameter(Self::NAME, "a version, a range or a string with one", other)),
        };
        // A value that is not a range is reported before a string that cannot be parsed.
        let ranges = arguments.iter().map(range).collect::<Result<Vec<Result<_>>, _>>()?;
        Ok(SemVerType::new(ranges.into_iter().collect::<Result<Vec<SemVerRange>>>()?).into())
    }

    fn arguments(&self) -> Vec<Value> {
        self.ranges.iter().map(|range| Value::from(range.to_string())).collect()
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        let Value::SemVer(version) = value else { return false };
        self.ranges.is_empty() || self.ranges.iter().any(|range| range.includes(version))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        let Type::SemVer(other) = other else { return false };
        let covered = |inner: &SemVerRange| self.ranges.iter().any(|outer| outer.covers(inner));
        self.ranges.is_empty() || (!other.ranges.is_empty() && other.ranges.iter().all(covered))
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let version =
            match arguments_in_order(Self::NAME, arguments, &["major", "minor", "patch", "prerelease", "build"])? {
                [Some(Value::String(text)), None, ..] => SemVer::parse(text)?,
                [Some(major), Some(minor), Some(patch), prerelease, build]
                    if [prerelease, build].iter().flatten().all(|text| text.is_undef() || text.as_str().is_some()) =>
                {
                    let number = |value: &Value| u64::try_from(value.as_integer()?).ok();
                    let (Some(major), Some(minor), Some(patch)) = (number(major), number(minor), number(patch)) else {
                        return Err(Error::runtime("the numbers of a version must be Integers from 0"));
                    };
                    let text = |given: Option<_>| given.and_then(Value::as_str).unwrap_or_default();
                    SemVer::new(major, minor, patch, text(prerelease), text(build))?
                }
                _ => return Err(Error::runtime("expected a version as a string, or its three numbers")),
            };
        Ok(Value::SemVer(Arc::new(version)))
    }
}

/// The type of all version ranges.
///
/// Source: language specification, "`SemVerRange`".
/// Deviation: Puppet swaps the ends in the text of a range made of two versions; ours prints `1.0.0 - 2.0.0`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SemVerRangeType;

impl Rules for SemVerRangeType {
    row! {
        "SemVerRange" below "Any": "ranges of semantic versions";
        "SemVer('1.9.0') =~ SemVerRange('^1.2.3')" => "true",
        "SemVerRange(SemVer('1.0.0'), SemVer('2.0.0'))" => "SemVerRange('1.0.0 - 2.0.0')",
        "SemVerRange({min => SemVer('1.0.0')})" => "SemVerRange('>=1.0.0')",
        "SemVerRange('>=')" => "error RUNTIME_ERROR",
        // Observed: Puppet 8.11 takes no undef for `exclude_max`, which the specification makes Optional.
        optional by specification,
        new "(String[1] $range)",
        new "(Variant[Default, SemVer] $min, Variant[Default, SemVer] $max, Boolean $exclude_max = false)",
        new "(Struct[{min => Variant[Default, SemVer], Optional[max] => Variant[Default, SemVer], Optional[exclude_max] => Boolean}] $ends)",
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::SemVerRange(_))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        matches!(other, Type::SemVerRange(_))
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let expected =
            || Error::runtime("expected a version range as a string, or its two ends, each a SemVer or default");
        let end = |value: Option<&Value>| match value {
            Some(Value::SemVer(version)) => Ok(Some(version.clone())),
            None | Some(Value::Default) => Ok(None),
            Some(_) => Err(expected()),
        };
        let range = match (arguments, arguments_in_order(Self::NAME, arguments, &["min", "max", "exclude_max"])?) {
            ([Value::String(text)], _) => SemVerRange::parse(text)?,
            // By position, the upper end must be said.
            ([Value::Hash(_)] | [_, _, ..], [min @ Some(_), max, exclude_max]) => {
                let exclude_max = exclude_max.is_some_and(Value::is_true);
                SemVerRange::between(end(min)?.as_deref(), end(max)?.as_deref(), exclude_max)
            }
            _ => return Err(expected()),
        };
        Ok(Value::SemVerRange(Arc::new(range)))
    }
}
