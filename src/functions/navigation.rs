//! The path that `get` follows into data: `a.b.0`, keys and indexes separated by dots.
//!
//! A run of digits is an Integer. A key with dots or quotes in it is quoted: `a.'b.c'.0`.

use crate::error::{Error, Result};
use crate::interrupt;
use crate::limits::BoundedVec;
use crate::value::Value;

/// The keys and indexes of `path`; none for an empty one.
pub(super) fn segments(path: &str) -> Result<Vec<Value>> {
    let mut segments = BoundedVec::default();
    let mut rest = path;
    if rest.is_empty() {
        return Ok(Vec::new());
    }
    loop {
        interrupt::step();
        rest = rest.trim_start();
        let (segment, after) = if let Some(quote @ ('\'' | '"')) = rest.chars().next() {
            let (quoted, after) =
                rest[1..].split_once(quote).ok_or_else(|| malformed(path, "a quote is not closed"))?;
            if quoted.is_empty() {
                return Err(malformed(path, "a quoted key is empty"));
            }
            (Value::from(quoted), after.trim_start())
        } else {
            let (bare, after) = rest.split_at(rest.find(['.', '\'', '"']).unwrap_or(rest.len()));
            let bare = bare.trim();
            if bare.is_empty() {
                return Err(malformed(path, "a key is missing next to a dot"));
            }
            (bare_segment(bare), after)
        };
        segments.push(segment)?;
        if after.is_empty() {
            return Ok(segments.into_vec());
        }
        rest = after.strip_prefix('.').ok_or_else(|| malformed(path, "a dot is missing after a quoted key"))?;
    }
}

fn bare_segment(text: &str) -> Value {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(index) if is_integer => Value::Integer(index),
        _ => Value::from(text),
    }
}

fn malformed(path: &str, why: &str) -> Error {
    Error::runtime(format!("'{path}' is not a valid path: {why}"))
        .with_help("separate keys and indexes with dots: a.b.0, or a.'key with a dot'.0")
}
