//! Qualified names and their parts.

use std::borrow::Cow;

/// A name without the colons in front.
pub(super) fn plain_name(name: &str) -> &str {
    let mut name = name;
    while let Some(rest) = name.strip_prefix("::") {
        name = rest;
    }
    name
}

/// A name without leading colons, in lower case.
pub(super) fn lower_name(name: &str) -> Cow<'_, str> {
    let name = plain_name(name);
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) }
}

/// `web` of `web::port`
pub(super) fn module_of(name: &str) -> &str {
    name.split_once("::").map_or(name, |(module, _)| module)
}
