//! Qualified names and their parts.

use std::borrow::Cow;

use memchr::{memchr_iter, memrchr_iter};

/// A name without leading colons.
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
    let name_bytes = name.as_bytes();
    let end = memchr_iter(b':', name_bytes).find(|at| name_bytes.get(at + 1) == Some(&b':'));
    end.map_or(name, |end| &name[..end])
}

/// `web` and `port` of `web::port`; `None` for a name of one part
pub(super) fn split_last(name: &str) -> Option<(&str, &str)> {
    let name_bytes = name.as_bytes();
    let at = memrchr_iter(b':', name_bytes).find(|at| *at > 0 && name_bytes.get(at - 1) == Some(&b':'))?;
    Some((&name[..at - 1], &name[at + 1..]))
}
