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

/// A name without the colons in front, in lower case.
pub(super) fn lower_name(name: &str) -> Cow<'_, str> {
    let name = plain_name(name);
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) }
}

/// `web` of `web::port`
pub(super) fn module_of(name: &str) -> &str {
    name.split_once("::").map_or(name, |(module, _)| module)
}

/// `Web::Port` for `web::port`
pub(super) fn capitalized(name: &str) -> String {
    let parts = name.split("::").map(|part| {
        let mut letters = part.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect::<String>()).unwrap_or_default()
    });
    parts.collect::<Vec<_>>().join("::")
}
