//! Converts between [`Uri`] and `url::Url`.
//!
//! A [`Uri`] follows RFC 3986 and keeps the original spelling. A `Url` follows the WHATWG standard: always absolute and
//! normalised, with hosts in ASCII.

use url::Url;

use super::Uri;
use super::read::{parse_uri, percent_encode};
use crate::error::{Error, Result};
use crate::value::Value;

/// Parses the printed URI as a browser does; fails for relative URIs.
impl TryFrom<&Uri> for Url {
    type Error = Error;

    fn try_from(uri: &Uri) -> Result<Url> {
        Url::parse(&uri.to_string()).map_err(|reason| Error::runtime(format!("'{uri}' is not a URL: {reason}")))
    }
}

/// Percent-encodes the characters that are allowed in a URL but not in a URI (`|`, `{` …).
impl From<Url> for Uri {
    fn from(url: Url) -> Uri {
        let text = percent_encode(url.as_str());
        parse_uri(&text).unwrap_or_else(|_| {
            let rest = text.split_once(':').map_or("", |(_, rest)| rest);
            Uri { scheme: Some(url.scheme().into()), opaque: Some(rest.into()), ..Uri::default() }
        })
    }
}

impl From<Url> for Value {
    fn from(url: Url) -> Value {
        Uri::from(url).into()
    }
}
