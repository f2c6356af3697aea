//! Parses URIs into their parts, and checks the characters of each part. Errors suggest how to write the host only if
//! the feature `url` is enabled.
//!
//! Source: RFC 3986, appendix A; brackets are allowed in queries.

use std::{fmt::Write as _, net::Ipv6Addr};

use nom::character::complete::{char, hex_digit1, one_of, satisfy};
use nom::combinator::{rest, value};
use nom::{AsChar, branch::alt, multi::many0_count};

use super::Uri;
use crate::microsyntax::parse_whole_string;

/// Parses a URI: splits off fragment and query at the right, scheme and authority at the left; the rest is the path.
pub(super) fn parse_uri<'t>(text: &'t str) -> Result<Uri, &'static str> {
    let mut uri = Uri::default();
    let split = |text: &'t str, mark| text.split_once(mark).map_or((text, None), |(text, part)| (text, Some(part)));
    let (rest, fragment) = split(text, '#');
    let (mut rest, query) = split(rest, '?');
    uri.fragment = check_uri_part("fragment", fragment, "a character in the fragment must be percent-encoded")?;
    let query = check_uri_part("query", query, "a character in the query must be percent-encoded")?;
    let first_segment = rest.split('/').next().unwrap_or_default();
    if let Some((scheme, _)) = first_segment.split_once(':') {
        if !is_valid_scheme(scheme) {
            return Err("the scheme before ':' must be a letter and then letters, digits, '+', '-' or '.'");
        }
        uri.scheme = Some(scheme.to_ascii_lowercase().into());
        rest = &rest[scheme.len() + 1..];
        if !rest.is_empty() && !rest.starts_with('/') {
            return add_opaque_part(uri, rest, query);
        }
    }
    if let Some(after) = rest.strip_prefix("//") {
        let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
        parse_authority(&mut uri, authority)?;
        rest = path;
    }
    uri.path =
        check_uri_part("path", Some(rest), "a character in the path must be percent-encoded")?.unwrap_or_default();
    if uri.is_ftp() {
        let relative = rest.strip_prefix('/').unwrap_or(rest);
        let absolute = relative.strip_prefix("%2F").or(relative.strip_prefix('/'));
        uri.path = absolute.map_or_else(|| relative.into(), |absolute| format!("/{absolute}").into());
    }
    if uri.scheme.as_deref() == Some("mailto") {
        return Err("mailto: needs an address");
    }
    uri.query = query;
    Ok(uri.with_implied_parts())
}

fn check_uri_part(name: &str, text: Option<&str>, reason: &'static str) -> Result<Option<Box<str>>, &'static str> {
    if text.is_none_or(|text| is_valid_part(name, text)) { Ok(text.map(Box::from)) } else { Err(reason) }
}

/// Sets the opaque part of `uri` to `rest` and the query, for example `a:b:c?d` for `urn:a:b:c?d`.
fn add_opaque_part(mut uri: Uri, rest: &str, query: Option<Box<str>>) -> Result<Uri, &'static str> {
    check_uri_part("path", Some(rest), "a character after the scheme must be percent-encoded")?;
    if uri.scheme.as_deref() == Some("mailto") && !rest.contains('@') {
        return Err("mailto: needs an address with '@'");
    }
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    uri.opaque = Some(format!("{rest}{query}").into());
    Ok(uri)
}

/// Parses an authority such as `bob:pwd@www.example.com:23`, and sets its parts in `uri`.
fn parse_authority(uri: &mut Uri, authority: &str) -> Result<(), &'static str> {
    let (userinfo, host_and_port) =
        authority.split_once('@').map_or((None, authority), |(userinfo, rest)| (Some(userinfo), rest));
    // The colons of an address in brackets part no port.
    let address = host_and_port.rfind(']').unwrap_or(0);
    let colon = host_and_port[address..].find(':').map(|colon| address + colon);
    let (host, port) = host_and_port.split_at(colon.unwrap_or(host_and_port.len()));
    let userinfo = check_uri_part("userinfo", userinfo, "a character in the user information must be percent-encoded")?;
    uri.userinfo = userinfo.filter(|userinfo| !userinfo.is_empty());
    let reason = "the host must be a name, an IPv4 address or an IPv6 address in brackets";
    uri.host = check_uri_part("host", Some(host), reason)?.filter(|host| !host.is_empty());
    let digits = port.strip_prefix(':').unwrap_or_default();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("the port must be digits");
    }
    uri.port = if digits.is_empty() { None } else { Some(digits.parse().map_err(|_| "the port is too large")?) };
    Ok(())
}

/// Whether each character of `text` is allowed in all parts of a URI, is one of `also`, or is percent-encoded.
fn has_only_allowed_characters(text: &str, also: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-._~!$&'()*+,;=".contains(c) || also.contains(c);
    let hex_digit = || satisfy(AsChar::is_hex_digit);
    let encoded = (char('%'), hex_digit(), hex_digit());
    parse_whole_string(text, many0_count(alt((value((), satisfy(is_plain)), value((), encoded))))).is_some()
}

pub(super) fn is_valid_part(name: &str, text: &str) -> bool {
    match name {
        "scheme" => is_valid_scheme(text),
        "userinfo" => has_only_allowed_characters(text, ":"),
        "host" => is_valid_host(text),
        "path" => has_only_allowed_characters(text, ":@/"),
        "query" => has_only_allowed_characters(text, ":@/?[]"),
        "fragment" => has_only_allowed_characters(text, ":@/?"),
        "opaque" => is_valid_part("query", text) && !text.starts_with('/'),
        _ => false,
    }
}

fn is_valid_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// Whether `text` is a name, an IPv4 address, or an IPv6 or later address in brackets.
fn is_valid_host(text: &str) -> bool {
    let Some(address) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) else {
        return has_only_allowed_characters(text, "");
    };
    let is_future =
        |address: &str| !address.is_empty() && !address.contains('%') && has_only_allowed_characters(address, ":");
    let future = parse_whole_string(address, (one_of("vV"), hex_digit1, char('.'), rest));
    address.parse::<Ipv6Addr>().is_ok() || future.is_some_and(|(.., address)| is_future(address))
}

/// Returns the default port of `scheme`. Source: the WHATWG standard, "special schemes"; for LDAP the IANA registry.
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

/// Returns `text` as a valid URI with percent-encoded characters and the host in ASCII, or `None` if that fails:
/// `http://xn--bcher-kva.example/%C3%BC` for `http://bücher.example/ü`.
pub(super) fn suggest_valid_uri(text: &str) -> Option<String> {
    /// The maximum length in bytes; a longer string was hardly written by hand, and gets no suggestion.
    const MAX_SUGGESTION_BYTES: usize = 4 << 10;
    if text.len() > MAX_SUGGESTION_BYTES {
        return None;
    }
    #[cfg(feature = "url")]
    let text = &::url::Url::parse(text).map_or_else(|_| text.to_owned(), String::from);
    let text = percent_encode(text);
    parse_uri(&text).is_ok().then_some(text)
}

/// Percent-encodes the characters of `text` that are not allowed anywhere in a URI.
pub(super) fn percent_encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for (at, letter) in text.char_indices() {
        let is_encoded = letter == '%' && text.get(at..at + 3).is_some_and(|code| is_valid_part("query", code));
        let mut buffer = [0; 4];
        let bytes = letter.encode_utf8(&mut buffer);
        if is_encoded || letter == '#' || is_valid_part("query", bytes) {
            encoded.push(letter);
        } else {
            for byte in bytes.bytes() {
                let _ = write!(encoded, "%{byte:02X}"); // OK because writing to a String does not fail.
            }
        }
    }
    encoded
}
