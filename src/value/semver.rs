//! Semantic versions: `SemVer('1.2.3-rc.1+b5')`. For ranges of versions see [`super::semver_range`].

use std::{cmp::Ordering, fmt};

use semver::{BuildMetadata, Prerelease, Version};

use crate::error::{RUNTIME_ERROR, Result, errors};

/// A semantic version. The `==` of Rust and of Puppet also compare the build metadata.
///
/// Each number is at most 2^64 - 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SemVer(pub(crate) Version);

impl SemVer {
    /// Parses all of `text` as in semver.org 2.0: three numbers without leading zeros, then `-prerelease` and `+build`.
    pub fn parse(text: &str) -> Result<SemVer> {
        let reason = |error: semver::Error| VersionError::Version { text: text.into(), reason: error.to_string() };
        Ok(SemVer(Version::parse(text).map_err(reason)?))
    }

    /// Creates a version from its parts. An empty `prerelease` or `build` is omitted.
    pub fn new(major: u64, minor: u64, patch: u64, prerelease: &str, build: &str) -> Result<SemVer> {
        let invalid = |segment: &'static str, text: &str| VersionError::Qualifier { segment, text: text.into() };
        let pre = Prerelease::new(prerelease).map_err(|_| invalid("prerelease", prerelease))?;
        let build = BuildMetadata::new(build).map_err(|_| invalid("build", build))?;
        Ok(SemVer(Version { major, minor, patch, pre, build }))
    }

    /// Compares versions by precedence: a pre-release is lower than its release, and build metadata is ignored.
    ///
    /// Source: semver.org 2.0, item 11.
    pub fn cmp_precedence(&self, other: &SemVer) -> Ordering {
        self.0.cmp_precedence(&other.0)
    }
}

impl fmt::Display for SemVer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

errors! {
    enum VersionError {
        /// `SemVer('1.2')`
        Version { text: String, reason: String } => RUNTIME_ERROR,
            message("'{text}' is not a semantic version: {reason}"),
            help("write three numbers, such as '1.2.3', '1.2.3-rc.1' or '1.2.3+b5'");
        /// `SemVer(1, 2, 3, 'a..b')`
        Qualifier { segment: &'static str, text: String } => RUNTIME_ERROR,
            message("'{text}' is not a valid {segment}: expected letters, digits and '-', separated by dots");
    }
}
