//! `versioncmp`: compares version strings of any kind, part by part.
//!
//! A version is split into runs of digits, dots, hyphens and runs of everything else. The first pair of parts that
//! differ decides: a hyphen comes first, then a dot; numbers compare by value, unless one of them starts with a zero;
//! everything else compares by its letters, ignoring case. Versions with a common prefix are compared as strings.

use std::cmp::Ordering;

use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::is_not;
use nom::character::complete::{digit1, one_of};
use nom::combinator::recognize;

use crate::microsyntax::Parsed;
use crate::value::Value;

functions! {
    /// returns -1, 0 or 1 if the first version is older than, equal to or newer than the second
    "versioncmp" ["(String $a, String $b, Boolean $ignore_trailing_zeroes = false) >> Integer"] {
        "versioncmp('1.10', '1.9')" => "1",
        "versioncmp('1.0', '1', true)" => "0",
        "versioncmp('1.0.0', '1.0-', true)" => "0",
        "versioncmp('1.0', 1)" => "error RUNTIME_ERROR",
    } => |call| Ok(versioncmp(call.arguments));
}

fn versioncmp(arguments: &[Value]) -> Value {
    let [Value::String(a), Value::String(b), options @ ..] = arguments else { return Value::Undef };
    let order = if options.first() == Some(&Value::Boolean(true)) {
        order(&without_trailing_zeroes(a), &without_trailing_zeroes(b))
    } else {
        order(a, b)
    };
    Value::Integer(order as i64)
}

/// The version without hyphens at its end, and without zeros and points before the first hyphen.
///
/// Observed: Puppet 8.11 for the hyphens.
fn without_trailing_zeroes(version: &str) -> String {
    let version = version.trim_end_matches('-');
    let (numbers, rest) = version.split_at(version.find('-').unwrap_or(version.len()));
    format!("{}{rest}", numbers.trim_end_matches(['0', '.']))
}

/// A separator, a number, or what is between them.
fn part(version: &str) -> Parsed<'_, &str> {
    alt((recognize(one_of("-.")), digit1, is_not("-.0123456789"))).parse(version)
}

fn parts(mut version: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let found;
        (version, found) = part(version).ok()?;
        Some(found)
    })
}

fn order(a: &str, b: &str) -> Ordering {
    let differing = parts(a).zip(parts(b)).find(|(a, b)| a != b);
    differing.map_or_else(|| a.cmp(b), |(a, b)| order_of_parts(a, b))
}

fn order_of_parts(a: &str, b: &str) -> Ordering {
    // OK to look at one side alone: equal parts do not come here.
    let separators_first = |separator: &str| match (a == separator, b == separator) {
        (true, _) => Some(Ordering::Less),
        (_, true) => Some(Ordering::Greater),
        _ => None,
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = a.starts_with('0') || b.starts_with('0');
    separators_first("-").or_else(|| separators_first(".")).unwrap_or_else(|| {
        if digits(a) && digits(b) && !leading_zero {
            // Without leading zeros the longer number is the greater one, however long they are.
            a.len().cmp(&b.len()).then_with(|| a.cmp(b))
        } else {
            a.to_uppercase().cmp(&b.to_uppercase())
        }
    })
}
