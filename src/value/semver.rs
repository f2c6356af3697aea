//! `SemVer('1.2.3')` and `SemVerRange('>=1.0.0 <2.0.0')`.

/// A semantic version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SemVer(pub(crate) semver::Version);

/// A contiguous range of versions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SemVerRange {
    /// As given.
    text: Box<str>,
}
