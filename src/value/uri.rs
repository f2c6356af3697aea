//! `URI('http://example.com/a')`: RFC 3986 with relative references.

/// A reference with its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Uri {
    text: Box<str>,
}
