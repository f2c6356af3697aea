//! Parses Hiera's interpolations: `%{facts.os.family}`, `%{lookup('key')}`, `%{alias('key')}`, `%{literal('%')}`.
//!
//! Source: Puppet reference, "Interpolate values into Hiera data".
//! Observed: Puppet 7.23 for what stays literal, for spaces and for what is rejected.

use nom::bytes::complete::{is_not, tag, take_until, take_while1};
use nom::{Parser, branch::alt, character::complete::char, sequence::delimited};

use crate::error::{Error, Result};
use crate::format;
use crate::microsyntax::{Parsed, parse_whole_string};
use crate::value::Value;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StringPart<'t> {
    /// Literal text, including that of `%{literal('%')}`.
    Text(&'t str),
    /// `%{facts.os}`, `%{scope('facts.os')}`: a variable and a path into its value
    Variable(&'t str),
    /// `%{lookup('key')}`, `%{hiera('key')}`: the value of another key, as a string
    Lookup(&'t str),
    /// `%{alias('key')}`: the value of another key, of any type; the string has no other parts
    Alias(&'t str),
}

pub(crate) fn has_interpolation(text: &str) -> bool {
    split_interpolation(text).is_some()
}

pub(crate) fn parse_string_parts(text: &str) -> Result<Vec<StringPart<'_>>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, inside, after)) = split_interpolation(rest) {
        parts.extend((!before.is_empty()).then_some(StringPart::Text(before)));
        let part = parse_interpolation(inside.trim())?;
        if let Some(StringPart::Alias(key)) = part
            && (!before.is_empty() || !after.is_empty() || !parts.is_empty())
        {
            let error = Error::runtime(format!("combines `%{{alias('{key}')}}` with other text"));
            return Err(error.with_help(format!("`%{{lookup('{key}')}}` interpolates the value as a string")));
        }
        parts.extend(part);
        rest = after;
    }
    parts.extend((!rest.is_empty()).then_some(StringPart::Text(rest)));
    Ok(parts)
}

/// Returns the text before, inside and after the first `%{…}` with a closing brace; `None` if there is none.
fn split_interpolation(text: &str) -> Option<(&str, &str, &str)> {
    let inside = delimited(tag("%{"), take_until("}"), char('}'));
    let opening: Parsed<'_, _> = (take_until("%{"), inside).parse(text);
    opening.ok().map(|(after, (before, inside))| (before, inside, after))
}

/// Parses the text between the braces of `%{…}`; returns `None` for an empty name: `%{}`, `%{''}`, `%{::}`.
fn parse_interpolation(inside: &str) -> Result<Option<StringPart<'_>>> {
    if let Some((method, argument)) = parse_call(inside) {
        return match method {
            "lookup" | "hiera" => Ok(Some(StringPart::Lookup(argument))),
            "alias" => Ok(Some(StringPart::Alias(argument))),
            "scope" => Ok(Some(StringPart::Variable(argument.trim_start_matches("::")))),
            "literal" => Ok(Some(StringPart::Text(argument))),
            unknown => Err(Error::runtime(format!("calls {unknown}, which is not a Hiera function"))
                .with_help("Hiera has the functions lookup, hiera, alias, literal and scope")),
        };
    }
    let name = inside.trim_start_matches("::");
    Ok((!matches!(name, "" | "''" | "\"\"")).then_some(StringPart::Variable(name)))
}

/// Parses `name('argument')`, without spaces, and returns the name and the argument without its quotes.
fn parse_call(inside: &str) -> Option<(&str, &str)> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let single = delimited(char('\''), is_not("'"), char('\''));
    let double = delimited(char('"'), is_not("\""), char('"'));
    parse_whole_string(inside, (name, delimited(char('('), alt((single, double)), char(')'))))
}

/// Returns the text that an interpolation inserts for `value`: none for undef, Ruby's format for arrays and hashes.
pub(crate) fn interpolated_text(value: &Value) -> Result<String> {
    if value.is_undef() { Ok(String::new()) } else { format::sprintf("%s", std::slice::from_ref(value)) }
}

#[cfg(test)]
#[path = "../../../tests/unit/interpolation.rs"]
mod tests;
