//! Hiera's interpolation: `%{facts.os.family}`, `%{lookup('key')}`, `%{alias('key')}`, `%{literal('%')}`.
//!
//! Source: Puppet reference, "Interpolate values into Hiera data".
//! Observed: Puppet 7.23 for what stays literal, for spaces and for what is rejected.

use nom::bytes::complete::{is_not, tag, take_until, take_while1};
use nom::{Parser, branch::alt, character::complete::char, sequence::delimited};

use crate::error::{RUNTIME_ERROR, Result, errors};
use crate::format;
use crate::microsyntax::{Parsed, whole};
use crate::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'t> {
    /// Literal text, also that of `%{literal('%')}`.
    Text(&'t str),
    /// `%{facts.os}`, `%{scope('facts.os')}`: a variable and a path into its value
    Variable(&'t str),
    /// `%{lookup('key')}`, `%{hiera('key')}`: the text of another key's value
    Lookup(&'t str),
    /// `%{alias('key')}`: the value of another key, which need not be a string; the only part
    Alias(&'t str),
}

errors! {
    #[derive(Debug)]
    pub(crate) enum InterpolationError {
        /// `%{nosuch('key')}`
        UnknownMethod(name: String) => RUNTIME_ERROR,
            message("calls {name}, which is not a Hiera function"),
            help("Hiera has the functions lookup, hiera, alias, literal and scope");
        /// `a%{alias('key')}`
        AliasInside(key: String) => RUNTIME_ERROR,
            message("combines `%{{alias('{key}')}}` with other text"),
            help("`%{{lookup('{key}')}}` interpolates the value as a string");
    }
}

pub(crate) fn is_open(text: &str) -> bool {
    next_opening(text).is_some()
}

pub(crate) fn parts(text: &str) -> Result<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, inside, after)) = next_opening(rest) {
        if !before.is_empty() {
            parts.push(Part::Text(before));
        }
        let part = part(inside.trim())?;
        if let Some(Part::Alias(key)) = part
            && (!before.is_empty() || !after.is_empty() || !parts.is_empty())
        {
            return Err(InterpolationError::AliasInside(key.to_owned()).into());
        }
        parts.extend(part);
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    Ok(parts)
}

/// The text before, inside and after the first `%{…}`; `None` if there is no closing brace.
fn next_opening(text: &str) -> Option<(&str, &str, &str)> {
    let inside = delimited(tag("%{"), take_until("}"), char('}'));
    let opening: Parsed<'_, _> = (take_until("%{"), inside).parse(text);
    opening.ok().map(|(after, (before, inside))| (before, inside, after))
}

/// Parses the text between the braces; `None` if it is empty: `%{}`, `%{''}`, `%{::}`.
fn part(inside: &str) -> Result<Option<Part<'_>>> {
    if let Some((method, argument)) = call(inside) {
        return match method {
            "lookup" | "hiera" => Ok(Some(Part::Lookup(argument))),
            "alias" => Ok(Some(Part::Alias(argument))),
            "scope" => Ok(Some(Part::Variable(argument.trim_start_matches("::")))),
            "literal" => Ok(Some(Part::Text(argument))),
            unknown => Err(InterpolationError::UnknownMethod(unknown.to_owned()).into()),
        };
    }
    let name = inside.trim_start_matches("::");
    Ok((!matches!(name, "" | "''" | "\"\"")).then_some(Part::Variable(name)))
}

/// The name and the quoted argument of `name('argument')`, with no spaces in between.
fn call(inside: &str) -> Option<(&str, &str)> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let single = delimited(char('\''), is_not("'"), char('\''));
    let double = delimited(char('"'), is_not("\""), char('"'));
    whole(inside, (name, delimited(char('('), alt((single, double)), char(')'))))
}

/// The text of a value inside a string: undef is empty, arrays and hashes are written as in Ruby.
pub(crate) fn text_of(value: &Value) -> Result<String> {
    match value {
        Value::Undef => Ok(String::new()),
        other => format::sprintf("%s", std::slice::from_ref(other)),
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/interpolation.rs"]
mod tests;
