//! To and from `url::Url`, and what the url crate knows about schemes and hosts.
//!
//! A [`Uri`] is RFC 3986 and keeps what was written; a `Url` follows the WHATWG standard: always absolute, normalised,
//! with hosts in their ASCII form. Without the feature `url` there are no conversions, and no advice about hosts.

use std::fmt::Write as _;
use std::net::Ipv6Addr;

#[cfg(feature = "url")]
use url::Url;

use super::read::{is_query, read};
#[cfg(feature = "url")]
use super::{Hierarchy, Uri};
#[cfg(feature = "url")]
use crate::error::{Error, Result};
#[cfg(feature = "url")]
use crate::value::Value;

#[cfg(feature = "url")]
/// Reads the URI as a browser would.
///
/// ```
/// use pcore::value::Uri;
/// let url = url::Url::try_from(&Uri::parse("HTTP://Example.com/a/../b")?)?;
/// assert_eq!(url.as_str(), "http://example.com/b");
/// assert!(url::Url::try_from(&Uri::parse("../b")?).is_err());
/// # Ok::<(), pcore::error::Error>(())
/// ```
///
/// # Errors
/// The URI is relative (resolve it with [`Uri::resolved`]), or its host or port is not one of a URL.
impl TryFrom<&Uri> for Url {
    type Error = Error;

    fn try_from(uri: &Uri) -> Result<Url> {
        Url::parse(&uri.to_string()).map_err(|reason| Error::runtime(format!("'{uri}' is not a URL: {reason}")))
    }
}

#[cfg(feature = "url")]
/// What a URL may hold but a URI may not (`|`, `{` …) is percent-encoded.
impl From<Url> for Uri {
    fn from(url: Url) -> Uri {
        let text = encoded(url.as_str());
        read(&text).unwrap_or_else(|_| {
            let rest = text.split_once(':').map_or("", |(_, rest)| rest);
            Uri { scheme: Some(url.scheme().into()), hierarchy: Hierarchy::Opaque(rest.into()), ..Uri::default() }
        })
    }
}

#[cfg(feature = "url")]
impl From<Url> for Value {
    fn from(url: Url) -> Value {
        Uri::from(url).into()
    }
}

#[cfg(feature = "url")]
impl Uri {
    /// What this reference means in a document at `base`, by the WHATWG standard. Puppet's own rule, which keeps more of
    /// the base, is [`Uri::merged`].
    ///
    /// # Errors
    /// The base is opaque, or the result has an invalid host or port.
    pub fn resolved(&self, base: &Url) -> Result<Url> {
        let join = base.join(&self.to_string());
        join.map_err(|reason| Error::runtime(format!("'{self}' cannot be resolved against '{base}': {reason}")))
    }
}

/// The port that a scheme implies.
///
/// Source: the WHATWG standard, "special schemes"; of `ldap` and `ldaps` the IANA registry, as far as Ruby knows it.
pub(super) fn default_port(scheme: &str) -> Option<i64> {
    match scheme {
        "ldap" => Some(389),
        "ldaps" => Some(636),
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        _ => None,
    }
}

/// Whether `[…]` holds an IPv6 address.
pub(super) fn is_ipv6(host: &str) -> bool {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).is_some_and(|host| host.parse::<Ipv6Addr>().is_ok())
}

/// The URI that somebody most likely meant who wrote characters that must be percent-encoded, or a host with other letters
/// than ASCII: `http://bücher.example/ü` is `http://xn--bcher-kva.example/%C3%BC`.
pub(super) fn suggested(text: &str) -> Option<String> {
    /// The maximum length of a misspelt URL to correct: longer ones were not written by hand.
    const MAX_BYTES: usize = 4 << 10;
    if text.len() > MAX_BYTES {
        return None;
    }
    #[cfg(feature = "url")]
    let text = &Url::parse(text).map_or_else(|_| text.to_owned(), String::from);
    let text = encoded(text);
    read(&text).is_ok().then_some(text)
}

/// The text with everything percent-encoded that no part of a URI may hold.
fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        let is_encoded = letter == '%' && text.get(at..at + 3).is_some_and(is_query);
        let mut buffer = [0; 4];
        let bytes = letter.encode_utf8(&mut buffer);
        if is_encoded || letter == '#' || is_query(bytes) {
            encoded.push(letter);
        } else {
            for byte in bytes.bytes() {
                let _ = write!(encoded, "%{byte:02X}"); // OK because writing to a String does not fail.
            }
        }
    }
    encoded
}
