//! The letters of String: case, trimming and quotes.
//!
//! Case is changed character by character, by Unicode's full mappings.

use super::super::quote::{quoted, write_double_quoted};
use super::{Directive, FormatError, Letter, lenient, letter, try_program_text};
use crate::error::Result;
use crate::interrupt;
use crate::limits::BoundedString;
use crate::value::{EcoString, Value};

pub(super) const LETTERS: &[Letter] = &[
    letter("s", "the string unchanged", |out, value, directive| directive.field.write_text(out, text_of(value))),
    lenient("p", "in single quotes, as Puppet code; in double quotes with #", |out, value, directive| {
        let double_quoted = || BoundedString::default().written(|out| write_double_quoted(out, text_of(value)));
        let text = if directive.field.alternate { double_quoted() } else { try_program_text(value) };
        directive.field.write_text(out, &text?)
    }),
    lenient("C", "each segment between :: capitalized; quoted with #", |out, value, directive| {
        write_changed(out, &capitalized_segments(text_of(value)), directive)
    }),
    lenient("c", "capitalized; quoted with #", |out, value, directive| {
        write_changed(out, &capitalized(text_of(value)), directive)
    }),
    lenient("d", "lower case; quoted with #", |out, value, directive| {
        write_changed(out, &lower_case(text_of(value)), directive)
    }),
    lenient("u", "upper case; quoted with #", |out, value, directive| {
        write_changed(out, &upper_case(text_of(value)), directive)
    }),
    lenient("t", "without leading and trailing spaces; quoted with #", |out, value, directive| {
        write_changed(out, text_of(value).trim_matches(is_white_space), directive)
    }),
];

fn text_of(value: &Value) -> &str {
    let Value::String(text) = value else { unreachable!("the row is String's") };
    text
}

/// Writes a string that a letter has changed, quoted with the flag `#`. Without it, delimiters are an error.
fn write_changed(out: &mut BoundedString, changed: &str, directive: &Directive) -> Result<()> {
    match directive.delimiters {
        _ if directive.field.alternate => directive.field.write_text(out, &quoted(changed)),
        None => directive.field.write_text(out, changed),
        Some(_) => Err(FormatError::Delimiters { letter: directive.letter, type_name: "String" }.into()),
    }
}

/// Capitalizes a string: `hELLO` becomes `Hello`.
pub(crate) fn capitalized(text: &str) -> EcoString {
    let mut chars = text.chars();
    let mut result: EcoString = chars.next().into_iter().flat_map(title_case).collect();
    result.push_str(&lower_case(chars.as_str()));
    result
}

/// Capitalizes each segment: `a::b` becomes `A::B`. Empty segments at the end are dropped.
pub(in crate::format) fn capitalized_segments(text: &str) -> String {
    let mut out = String::new();
    let mut end = 0;
    for (at, segment) in interrupt::each(text.split("::")).enumerate() {
        out.push_str(if at > 0 { "::" } else { "" });
        out.push_str(&capitalized(segment));
        end = if segment.is_empty() { end } else { out.len() };
    }
    out.truncate(end);
    out
}

/// Changes a string to lower case. As in Ruby, a Greek sigma at the end of a word gets no special form.
pub(crate) fn lower_case(text: &str) -> EcoString {
    if text.is_ascii() {
        return text.to_ascii_lowercase().into();
    }
    interrupt::each(text.chars()).flat_map(char::to_lowercase).collect()
}

pub(crate) fn upper_case(text: &str) -> EcoString {
    if text.is_ascii() {
        return text.to_ascii_uppercase().into();
    }
    interrupt::each(text.chars()).flat_map(char::to_uppercase).collect()
}

/// Whether Ruby's `strip` removes the character.
pub(crate) fn is_white_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r' | '\0')
}

/// The title case of a character: `ß` becomes `Ss`, and digraphs have a form between upper and lower case.
fn title_case(c: char) -> impl Iterator<Item = char> {
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
