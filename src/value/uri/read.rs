//! The text of a URI taken apart, and which characters each part may have.
//!
//! Source: RFC 3986, appendix A; brackets are allowed in queries.

use super::url::is_ipv6;
use super::{Hierarchy, Uri};

/// Reads from both ends: fragment and query from the right, scheme and authority from the left; the rest is the path.
pub(super) fn read(text: &str) -> Result<Uri, &'static str> {
    let part = |part: &str| Some(Box::<str>::from(part));
    let mut uri = Uri::default();
    let (rest, fragment) = split_last_part(text, '#');
    let (mut rest, query) = split_last_part(rest, '?');
    if !fragment.is_none_or(is_fragment) {
        return Err("a character in the fragment must be percent-encoded");
    }
    if !query.is_none_or(is_query) {
        return Err("a character in the query must be percent-encoded");
    }
    uri.fragment = fragment.and_then(part);
    let first_segment = rest.split('/').next().unwrap_or_default();
    if let Some((scheme, _)) = first_segment.split_once(':') {
        if !is_scheme(scheme) {
            return Err("the scheme before ':' must be a letter and then letters, digits, '+', '-' or '.'");
        }
        uri.scheme = Some(scheme.to_ascii_lowercase().into());
        rest = &rest[scheme.len() + 1..];
        if !rest.is_empty() && !rest.starts_with('/') {
            return read_opaque(uri, rest, query);
        }
    }
    if let Some(after) = rest.strip_prefix("//") {
        let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
        read_authority(&mut uri, authority)?;
        rest = path;
    }
    if !is_path(rest) {
        return Err("a character in the path must be percent-encoded");
    }
    let path = if uri.has_encoded_root() {
        let path = rest.strip_prefix('/').unwrap_or(rest);
        match path.strip_prefix("%2F").or(path.strip_prefix('/')) {
            Some(absolute) => format!("/{absolute}"),
            None => path.to_owned(),
        }
    } else {
        rest.to_owned()
    };
    if uri.scheme.as_deref() == Some("mailto") {
        return Err("mailto: needs an address");
    }
    uri.hierarchy = Hierarchy::Path { path: path.into(), query: query.and_then(part) };
    Ok(uri.completed())
}

/// `a:b:c?d` of `urn:a:b:c?d`: a query belongs to it.
fn read_opaque(mut uri: Uri, rest: &str, query: Option<&str>) -> Result<Uri, &'static str> {
    if !is_path(rest) {
        return Err("a character after the scheme must be percent-encoded");
    }
    if uri.scheme.as_deref() == Some("mailto") && !rest.contains('@') {
        return Err("mailto: needs an address with '@'");
    }
    let opaque = query.map_or_else(|| rest.to_owned(), |query| format!("{rest}?{query}"));
    uri.hierarchy = Hierarchy::Opaque(opaque.into());
    Ok(uri)
}

/// `bob:pwd@www.example.com:23`
fn read_authority(uri: &mut Uri, authority: &str) -> Result<(), &'static str> {
    let (userinfo, host_and_port) =
        authority.split_once('@').map_or((None, authority), |(userinfo, rest)| (Some(userinfo), rest));
    // The colons of an address in brackets part no port.
    let after_address = host_and_port.rfind(']').unwrap_or(0);
    let (host, port) = match host_and_port[after_address..].find(':') {
        Some(colon) => (&host_and_port[..after_address + colon], Some(&host_and_port[after_address + colon + 1..])),
        None => (host_and_port, None),
    };
    if !userinfo.is_none_or(is_userinfo) {
        return Err("a character in the user information must be percent-encoded");
    }
    if !is_host(host) {
        return Err("the host must be a name, an IPv4 address or an IPv6 address in brackets");
    }
    uri.userinfo = userinfo.filter(|userinfo| !userinfo.is_empty()).map(Box::from);
    uri.host = Some(host).filter(|host| !host.is_empty()).map(Box::from);
    uri.port = match port {
        None | Some("") => None,
        Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(digits.parse().map_err(|_| "the port is too large")?)
        }
        Some(_) => return Err("the port must be digits"),
    };
    Ok(())
}

/// Splits at the first `mark`: returns the text after it and the text before it.
fn split_last_part(text: &str, mark: char) -> (&str, Option<&str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}

/// Whether every character of `text` is unreserved, a sub-delimiter, one of `also`, or percent-encoded.
fn consists_of(text: &str, also: &[u8]) -> bool {
    let bytes = text.as_bytes();
    let hex_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b'%' => hex_digit(at + 1) && hex_digit(at + 2),
        b'-' | b'.' | b'_' | b'~' | b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=' => true,
        byte => byte.is_ascii_alphanumeric() || also.contains(byte),
    })
}

/// A letter, and then letters, digits, `+`, `-` and `.`.
pub(super) fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// `bob:pwd`
pub(super) fn is_userinfo(text: &str) -> bool {
    consists_of(text, b":")
}

/// A name, an IPv4 address, or an IPv6 or later address in brackets.
pub(super) fn is_host(text: &str) -> bool {
    let Some(address) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) else {
        return consists_of(text, b"");
    };
    let future = address.strip_prefix(['v', 'V']).and_then(|future| future.split_once('.'));
    is_ipv6(text)
        || future.is_some_and(|(version, address)| {
            let hex = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
            hex && !address.is_empty() && !address.contains('%') && consists_of(address, b":")
        })
}

/// Segments and slashes.
pub(super) fn is_path(text: &str) -> bool {
    consists_of(text, b":@/")
}

/// Also the opaque part of a URI.
pub(super) fn is_query(text: &str) -> bool {
    consists_of(text, b":@/?[]")
}

/// Whether a string may follow `#`.
pub(super) fn is_fragment(text: &str) -> bool {
    consists_of(text, b":@/?")
}
