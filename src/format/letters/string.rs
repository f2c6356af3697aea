//! The format letters of String: change of case, trimming and quotes.
//!
//! Case is changed character by character with the full mappings of Unicode.

use super::super::quote::{quote_string, write_double_quoted};
use super::{Directive, FormatError, LetterGroup, lenient_letters, letter_group, try_program_text};
use crate::error::Result;
use crate::interrupt;
use crate::limits::BoundedString;
use crate::value::{EcoString, Value};

pub(super) const LETTERS: &[LetterGroup] = &[
    letter_group("s", "the string unchanged", |out, value, directive| {
        directive.options.write_text(out, unwrap_string(value))
    }),
    lenient_letters("p", "in single quotes, as Puppet code; in double quotes with #", |out, value, directive| {
        let double_quoted =
            || BoundedString::default().write_into_string(|out| write_double_quoted(out, unwrap_string(value)));
        let text = if directive.options.alternate { double_quoted() } else { try_program_text(value) };
        directive.options.write_text(out, &text?)
    }),
    lenient_letters("C", "each segment between :: capitalized; quoted with #", |out, value, directive| {
        write_quoted_if_alternate(out, &capitalize_segments(unwrap_string(value)), directive)
    }),
    lenient_letters("c", "capitalized; quoted with #", |out, value, directive| {
        write_quoted_if_alternate(out, &capitalize(unwrap_string(value)), directive)
    }),
    lenient_letters("d", "lower case; quoted with #", |out, value, directive| {
        write_quoted_if_alternate(out, &to_lower_case(unwrap_string(value)), directive)
    }),
    lenient_letters("u", "upper case; quoted with #", |out, value, directive| {
        write_quoted_if_alternate(out, &to_upper_case(unwrap_string(value)), directive)
    }),
    lenient_letters("t", "without leading and trailing spaces; quoted with #", |out, value, directive| {
        write_quoted_if_alternate(out, unwrap_string(value).trim_matches(is_white_space), directive)
    }),
];

fn unwrap_string(value: &Value) -> &str {
    let Value::String(text) = value else { unreachable!("the row is String's") };
    text
}

fn write_quoted_if_alternate(out: &mut BoundedString, changed: &str, directive: &Directive) -> Result<()> {
    match directive.delimiters {
        _ if directive.options.alternate => directive.options.write_text(out, &quote_string(changed)),
        None => directive.options.write_text(out, changed),
        Some(_) => Err(FormatError::Delimiters { letter: directive.letter, type_name: "String" }.into()),
    }
}

/// Returns a string with its first letter in upper case and the rest in lower case: `hELLO` becomes `Hello`.
pub(crate) fn capitalize(text: &str) -> EcoString {
    let mut chars = text.chars();
    let mut result: EcoString = chars.next().into_iter().flat_map(to_title_case).collect();
    result.push_str(&to_lower_case(chars.as_str()));
    result
}

/// Capitalizes each `::`-separated segment: `a::b` becomes `A::B`. Empty segments at the end are dropped.
pub(in crate::format) fn capitalize_segments(text: &str) -> String {
    let mut out = String::new();
    let mut end = 0;
    for (at, segment) in interrupt::step_through(text.split("::")).enumerate() {
        out.push_str(if at > 0 { "::" } else { "" });
        out.push_str(&capitalize(segment));
        end = if segment.is_empty() { end } else { out.len() };
    }
    out.truncate(end);
    out
}

/// Returns `text` in lower case. As in Ruby, a Greek sigma at the end of a word gets no special form.
pub(crate) fn to_lower_case(text: &str) -> EcoString {
    if text.is_ascii() {
        return text.to_ascii_lowercase().into();
    }
    interrupt::step_through(text.chars()).flat_map(char::to_lowercase).collect()
}

pub(crate) fn to_upper_case(text: &str) -> EcoString {
    if text.is_ascii() {
        return text.to_ascii_uppercase().into();
    }
    interrupt::step_through(text.chars()).flat_map(char::to_uppercase).collect()
}

/// Whether Ruby's `String#strip` removes `character`: ASCII white space and NUL.
pub(crate) fn is_white_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r' | '\0')
}

/// Returns a character in title case, as at the start of a capitalized word: `ß` becomes `Ss`, `ǆ` becomes `ǅ`.
fn to_title_case(c: char) -> impl Iterator<Item = char> {
    let digraph = match c {
        'Ǆ' | 'ǅ' | 'ǆ' => Some('ǅ'),
        'Ǉ' | 'ǈ' | 'ǉ' => Some('ǈ'),
        'Ǌ' | 'ǋ' | 'ǌ' => Some('ǋ'),
        'Ǳ' | 'ǲ' | 'ǳ' => Some('ǲ'),
        _ => None,
    };
    let mut upper = c.to_uppercase();
    let first = digraph.or_else(|| upper.next());
    let rest = upper.filter(move |_| digraph.is_none());
    first.into_iter().chain(rest.flat_map(char::to_lowercase))
}
