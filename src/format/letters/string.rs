//! The letters of String: case, trimming and quotes.
//!
//! Case is changed character by character, by Unicode's full mappings.

use super::super::quote::{write_double_quoted, write_quoted};
use super::{Directive, Letter, Piece, letter, strict, text, written};
use crate::interrupt;
use crate::value::Value;

pub(super) const LETTERS: &[Letter] = &[
    letter("s", "the string unchanged", |value, _| strict(text_of(value).to_owned())),
    letter("p", "in single quotes, as Puppet code; in double quotes with #", |value, directive| {
        let quote = if directive.field.alternate { write_double_quoted } else { write_quoted };
        written(|out| quote(out, text_of(value)), text)
    }),
    letter("C", "each segment between :: capitalized; quoted with #", |value, directive| {
        changed(capitalized_segments(text_of(value)), directive)
    }),
    letter("c", "capitalized; quoted with #", |value, directive| changed(capitalized(text_of(value)), directive)),
    letter("d", "lower case; quoted with #", |value, directive| changed(lower_case(text_of(value)), directive)),
    letter("u", "upper case; quoted with #", |value, directive| changed(upper_case(text_of(value)), directive)),
    letter("t", "without leading and trailing spaces; quoted with #", |value, directive| {
        changed(trimmed(text_of(value)).to_owned(), directive)
    }),
];

fn text_of(value: &Value) -> &str {
    let Value::String(text) = value else { unreachable!("the row is String's") };
    text
}

/// Delimiters are an error here, unless the text is quoted.
fn changed(changed: String, directive: &Directive) -> Piece {
    if directive.field.alternate { written(|out| write_quoted(out, &changed), text) } else { strict(changed) }
}

/// `hELLO` becomes `Hello`.
fn capitalized(text: &str) -> String {
    let mut chars = interrupt::each(text.chars());
    let first = chars.next().into_iter().flat_map(title_case);
    first.chain(chars.flat_map(char::to_lowercase)).collect()
}

/// `a::b` becomes `A::B`. Empty segments at the end are dropped.
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

fn lower_case(text: &str) -> String {
    interrupt::each(text.chars()).flat_map(char::to_lowercase).collect()
}

fn upper_case(text: &str) -> String {
    interrupt::each(text.chars()).flat_map(char::to_uppercase).collect()
}

/// Without the ASCII spaces and zero characters at both ends.
fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_ascii_whitespace() || matches!(c, '\x0b' | '\0'))
}

/// The character as the first one of a word: `ß` is `Ss`, and the digraphs have a form between the cases.
pub(crate) fn title_case(c: char) -> impl Iterator<Item = char> {
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
