//! Hiera's interpolation: `%{facts.os.family}`, `%{lookup('key')}`, `%{alias('key')}`, `%{literal('%')}`.
//!
//! Source: Puppet reference, "Interpolate values into Hiera data".
//! Observed: Puppet 7.23 for what stays literal, for spaces and for what is rejected.

use crate::error::{RUNTIME_ERROR, Result, errors};
use crate::format;
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

/// The parts of a string in order.
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
    let (before, from) = text.split_once("%{")?;
    let (inside, after) = from.split_once('}')?;
    Some((before, inside, after))
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
    let (method, from) = inside.split_once('(')?;
    let quoted = from.strip_suffix(')')?;
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '\'' | '"'))?;
    let argument = quoted[1..].strip_suffix(quote)?;
    let is_word = !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    (is_word && !argument.is_empty() && !argument.contains(quote)).then_some((method, argument))
}

/// The text of a value inside of another text: undef is empty, arrays and hashes look as Ruby writes them.
pub(crate) fn text_of(value: &Value) -> Result<String> {
    match value {
        Value::Undef => Ok(String::new()),
        other => format::sprintf("%s", std::slice::from_ref(other)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_apart_where_hiera_fills_them_in() {
        let table: [(&str, &[Part<'_>]); 12] = [
            ("plain", &[Part::Text("plain")]),
            ("a%{x}b", &[Part::Text("a"), Part::Variable("x"), Part::Text("b")]),
            ("%{::facts.os}", &[Part::Variable("facts.os")]),
            ("%{ scope('x') }", &[Part::Variable("x")]),
            ("%{lookup('a.b')}%{hiera(\"it's\")}", &[Part::Lookup("a.b"), Part::Lookup("it's")]),
            ("%{alias('a')}", &[Part::Alias("a")]),
            ("%{literal('%')}{x}", &[Part::Text("%"), Part::Text("{x}")]),
            ("%{}%{''}%{\"\"}%{::}%{ }", &[]),
            ("%%{x}", &[Part::Text("%"), Part::Variable("x")]),
            ("100% %{x", &[Part::Text("100% %{x")]),
            ("%{lookup( 'a')}", &[Part::Variable("lookup( 'a')")]),
            ("%{lookup('')}", &[Part::Variable("lookup('')")]),
        ];
        for (text, expected) in table {
            assert_eq!(parts(text).unwrap(), expected, "{text}");
        }
    }

    #[test]
    fn an_alias_is_a_whole_text() {
        for text in ["a%{alias('k')}", "%{alias('k')} ", "%{alias('k')}%{alias('k')}", "%{x}%{alias('k')}"] {
            assert_eq!(parts(text).unwrap_err().message(), "combines `%{alias('k')}` with other text", "{text}");
        }
        assert_eq!(parts("%{foo('k')}").unwrap_err().message(), "calls foo, which is not a Hiera function");
    }
}
