//! To and from `url::Url`.
//!
//! A [`Uri`] is RFC 3986 and keeps what was written; a `Url` follows the WHATWG standard: always absolute, normalised,
//! with hosts in their ASCII form.

use url::Url;

use super::Uri;
use super::read::{encoded, read};
use crate::error::{Error, Result};
use crate::value::Value;

/// Parses the URI as a browser does.
impl TryFrom<&Uri> for Url {
    type Error = Error;

    fn try_from(uri: &Uri) -> Result<Url> {
        Url::parse(&uri.to_string()).map_err(|reason| Error::runtime(format!("'{uri}' is not a URL: {reason}")))
    }
}

/// Percent-encodes characters that a URL may contain but a URI may not (`|`, `{` …).
impl From<Url> for Uri {
    fn from(url: Url) -> Uri {
        let text = encoded(url.as_str());
        read(&text).unwrap_or_else(|_| {
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
