//! URIs: `URI('http://example.com/a')`, by RFC 3986, absolute or relative.
//!
//! A URI is either hierarchical, with a path, or opaque (`urn:a:b`, `mailto:a@b.c`). Parsing preserves everything but
//! the case of the scheme. The default port of the scheme is stored but not printed.

mod read;
#[cfg(feature = "url")]
mod url;

use std::fmt;

use super::Value;
use crate::error::{RUNTIME_ERROR, Result, errors};
use crate::interrupt;
use read::{is_valid_part, parse_uri};

/// An absolute or relative URI, split into its parts. `==` compares the parts; for Puppet's `==` see
/// [`Uri::equals`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Uri {
    scheme: Option<Box<str>>,
    userinfo: Option<Box<str>>,
    host: Option<Box<str>>,
    /// The port as written, otherwise the default port of the scheme; `None` if neither exists.
    port: Option<i64>,
    /// The path; empty in an opaque URI.
    path: Box<str>,
    query: Option<Box<str>>,
    fragment: Option<Box<str>>,
    /// The part of an opaque URI after the scheme, `a:b:c` in `urn:a:b:c`, instead of a path and query.
    opaque: Option<Box<str>>,
}

/// The names of the parts, in the order in which a URI is written, with `opaque` last.
pub const PARTS: [&str; 8] = ["scheme", "userinfo", "host", "port", "path", "query", "fragment", "opaque"];

impl Uri {
    /// Parses all of `text`. The empty string is valid, as a relative URI without any part.
    ///
    /// Source: RFC 3986, appendix A; brackets are allowed in queries.
    pub fn parse(text: &str) -> Result<Uri> {
        Ok(parse_uri(text).map_err(|reason| UriError::Text { text: text.into(), reason })?)
    }

    /// Creates a URI from parts by name (see [`PARTS`]). The port is an Integer, all other parts are Strings.
    pub(crate) fn from_parts<'a>(parts: impl IntoIterator<Item = (&'a str, &'a Value)>) -> Result<Uri> {
        let mut uri = Uri::default();
        let mut path = None;
        for (name, value) in parts {
            let part = match name {
                "port" if let Value::Integer(port) = value => {
                    uri.port = Some(*port);
                    continue;
                }
                "scheme" => &mut uri.scheme,
                "userinfo" => &mut uri.userinfo,
                "host" => &mut uri.host,
                "path" => &mut path,
                "query" => &mut uri.query,
                "fragment" => &mut uri.fragment,
                _ => &mut uri.opaque,
            };
            let wrong = || UriError::Part { name: name.into(), text: crate::format::text(value) };
            *part = Some(value.as_str().filter(|text| is_valid_part(name, text)).ok_or_else(wrong)?.into());
        }
        uri.scheme.iter_mut().for_each(|scheme| scheme.make_ascii_lowercase());
        let hierarchical = uri.host.is_some() || uri.port.is_some() || uri.userinfo.is_some();
        if uri.opaque.is_some() {
            let is_alone = !hierarchical && path.is_none() && uri.query.is_none();
            return if is_alone { Ok(uri) } else { Err(UriError::OpaqueWithParts.into()) };
        }
        let path = path.unwrap_or_default();
        let rooted = path.is_empty() || path.starts_with('/') || uri.is_ftp();
        if !rooted && (uri.scheme.is_some() || uri.host.is_some()) {
            return Err(UriError::Part { name: "path".into(), text: path.into() }.into());
        }
        uri.path = path;
        Ok(uri.with_implied_parts())
    }

    /// Returns the part called `name`, `undef` if the URI lacks it, or `None` if the name is not one of [`PARTS`].
    pub fn attribute(&self, name: &str) -> Option<Value> {
        let part = match name {
            "scheme" => self.scheme.as_ref(),
            "userinfo" => self.userinfo.as_ref(),
            "host" => self.host.as_ref(),
            "port" => return Some(self.port.map_or(Value::Undef, Value::Integer)),
            "path" => Some(&self.path).filter(|_| self.opaque.is_none()),
            "query" => self.query.as_ref(),
            "fragment" => self.fragment.as_ref(),
            "opaque" => self.opaque.as_ref(),
            _ => return None,
        };
        Some(part.map_or(Value::Undef, |part| Value::from(&**part)))
    }

    /// Returns the parts that the type of this URI constrains: no empty ones, no default port, the host in lower case.
    pub(crate) fn significant_parts(&self) -> impl Iterator<Item = (&'static str, Value)> {
        PARTS.into_iter().filter_map(|name| {
            let part = self.attribute(name)?;
            match &part {
                Value::Undef => None,
                Value::String(text) if text.is_empty() => None,
                Value::String(text) if name == "host" => Some((name, Value::from(text.to_lowercase()))),
                _ if name == "port" && self.port == self.default_port() => None,
                _ => Some((name, part)),
            }
        })
    }

    /// Resolves `reference` relative to this URI, as Puppet's `base + reference`.
    ///
    /// # Errors
    /// If both are relative, or if `reference` adds a query to an opaque URI.
    ///
    /// Source: RFC 3986, section 5.2.
    /// Observed: Puppet 8.11 keeps user and port of the base when the reference names only another host, does not
    /// resolve dots of the base beyond `/../`, and changes only the fragment of an opaque base.
    pub fn resolve_reference(&self, reference: &Uri) -> Result<Uri> {
        if reference.scheme.is_some() {
            return Ok(reference.clone());
        }
        if self.scheme.is_none() || reference.opaque.is_some() {
            return Err(UriError::BothRelative.into());
        }
        let mut uri = self.clone();
        let names_authority = reference.host.is_some() || reference.userinfo.is_some() || reference.port.is_some();
        if reference.path.is_empty() && reference.query.is_none() && !names_authority {
            uri.fragment = reference.fragment.clone().or(uri.fragment);
            return Ok(uri);
        }
        uri.fragment.clone_from(&reference.fragment);
        if uri.opaque.is_some() {
            return if reference.query.is_none() { Ok(uri) } else { Err(UriError::OpaqueWithParts.into()) };
        }
        let path = &reference.path;
        uri.path = if names_authority { path.clone() } else { resolve_path(&uri.path, path).into() };
        uri.query.clone_from(&reference.query);
        uri.userinfo = reference.userinfo.clone().or(uri.userinfo);
        uri.host = reference.host.clone().or(uri.host);
        uri.port = reference.port.or(uri.port);
        Ok(uri)
    }

    /// Compares two URIs as Puppet's `==` does: the case of the host is ignored, and an empty path equals `/`.
    pub fn equals(&self, other: &Uri) -> bool {
        let normalized = |uri: &Uri| {
            let mut uri = uri.clone();
            uri.host = uri.host.map(|host| host.to_lowercase().into());
            if uri.path.is_empty() && uri.opaque.is_none() {
                uri.path = "/".into();
            }
            uri
        };
        normalized(self) == normalized(other)
    }

    /// Adds the parts that the scheme implies: its default port; for `file`, an empty host instead of `localhost`.
    fn with_implied_parts(mut self) -> Uri {
        if self.opaque.is_none() {
            self.port = self.port.or(self.default_port());
        }
        if self.scheme.as_deref() == Some("file")
            && self.host.as_deref().is_none_or(|host| host.eq_ignore_ascii_case("localhost"))
        {
            self.host = Some("".into());
        }
        self
    }

    fn default_port(&self) -> Option<i64> {
        self.scheme.as_deref().and_then(read::default_port)
    }

    /// Whether the scheme is `ftp`, where the slash after the host is only a separator: `ftp://h/a` is `a` in the home
    /// directory, and `ftp://h/%2Fa` is `/a`.
    ///
    /// Source: RFC 1738, section 3.2.2.
    fn is_ftp(&self) -> bool {
        self.scheme.as_deref() == Some("ftp")
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut write = |before: &str, part: Option<&str>, after: &str| match part {
            Some(part) => write!(f, "{before}{part}{after}"),
            None => Ok(()),
        };
        let port = self.port.filter(|_| self.port != self.default_port()).map(|port| port.to_string());
        write("", self.scheme.as_deref(), ":")?;
        write("", self.opaque.as_deref(), "")?;
        write("//", self.host.as_ref().map(|_| ""), "")?;
        write("", self.userinfo.as_deref(), "@")?;
        write("", self.host.as_deref(), "")?;
        write(":", port.as_deref(), "")?;
        let encodes_root = self.is_ftp() && self.opaque.is_none();
        match self.path.strip_prefix('/') {
            Some(absolute) if encodes_root => write("/%2F", Some(absolute), "")?,
            None if encodes_root => write("/", Some(&self.path), "")?,
            Some(_) | None => write("", Some(&self.path), "")?,
        }
        write("?", self.query.as_deref(), "")?;
        write("#", self.fragment.as_deref(), "")
    }
}

errors! {
    enum UriError {
        /// `URI('http://a b')`
        Text { text: String, reason: &'static str } => RUNTIME_ERROR,
            message("'{text}' is not a valid URI: {reason}"),
            help { read::suggest_valid_uri(text).map(|meant| format!("did you mean '{meant}'?")) };
        /// `URI({'scheme' => '1'})`
        Part { name: String, text: String } => RUNTIME_ERROR, message("'{text}' is not a valid {name} of this URI");
        /// `URI({'opaque' => 'a', 'path' => '/b'})`
        OpaqueWithParts => RUNTIME_ERROR, message("an opaque URI has only the parts scheme, opaque and fragment");
        /// `URI('/a') + 'b'`
        BothRelative => RUNTIME_ERROR,
            message("a relative URI can only be added to an absolute one"),
            help("start with a URI that has a scheme, such as URI('http://host/')");
    }
}

/// Resolves the path `reference` relative to `base`. Source: RFC 3986, sections 5.2.3 and 5.2.4. Unlike there, a segment
/// `.` of `base` stays; `..` is resolved in both.
fn resolve_path(base: &str, reference: &str) -> String {
    if reference.is_empty() {
        return base.to_owned();
    }
    let absolute = reference.strip_prefix('/');
    let mut segments: Vec<&str> = Vec::new();
    if let (None, Some(slash)) = (absolute, base.rfind('/')) {
        let root = usize::from(base.starts_with('/'));
        let outer = interrupt::step_through(base[..slash].split('/')).skip(root);
        outer.for_each(|segment| push_or_pop_segment(&mut segments, segment));
    }
    for segment in interrupt::step_through(absolute.unwrap_or(reference).split('/')).filter(|segment| *segment != ".") {
        push_or_pop_segment(&mut segments, segment);
    }
    if matches!(reference.rsplit('/').next(), Some("." | "..")) {
        segments.push("");
    }
    let rooted = absolute.is_some() || base.is_empty() || base.starts_with('/');
    format!("{}{}", if rooted { "/" } else { "" }, segments.join("/"))
}

fn push_or_pop_segment<'a>(segments: &mut Vec<&'a str>, segment: &'a str) {
    if segment == ".." {
        segments.pop();
    } else {
        segments.push(segment);
    }
}
