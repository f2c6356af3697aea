//! `SemVer('1.2.3-rc.1+b5')`: a semantic version. Ranges of them are in [`super::semver_range`].

use std::{cmp::Ordering, fmt};

use semver::{BuildMetadata, Prerelease, Version};

use crate::error::{RUNTIME_ERROR, Result, errors};

/// A semantic version. Both Rust's and Puppet's `==` compare the build metadata as well.
///
/// Range: each number is at most 2^64 - 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SemVer(pub(crate) Version);

impl SemVer {
    /// Reads all of `text` by semver.org 2.0: three numbers without leading zeros, then `-prerelease` and `+build`.
    pub fn parse(text: &str) -> Result<SemVer> {
        let reason = |error: semver::Error| VersionError::Version { text: text.into(), reason: error.to_string() };
        Ok(SemVer(Version::parse(text).map_err(reason)?))
    }

    /// The version of the given segments. An empty `prerelease` or `build` is none.
    pub fn new(major: u64, minor: u64, patch: u64, prerelease: &str, build: &str) -> Result<SemVer> {
        let invalid = |segment: &'static str, text: &str| VersionError::Qualifier { segment, text: text.into() };
        let pre = Prerelease::new(prerelease).map_err(|_| invalid("prerelease", prerelease))?;
        let build = BuildMetadata::new(build).map_err(|_| invalid("build", build))?;
        Ok(SemVer(Version { major, minor, patch, pre, build }))
    }

    /// Compares by precedence: a pre-release comes before its release; build metadata is ignored.
    ///
    /// Source: semver.org 2.0, item 11.
    pub fn precedence(&self, other: &SemVer) -> Ordering {
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
