//! `shellquote`: quotes words for a Unix shell.

use super::legacy_arguments::to_legacy;
use super::{Call, Flow, Function};
use crate::error::{Error, Result};
use crate::limits::check_string_bytes;
use crate::operators::describe;
use crate::types::example;
use crate::value::Value;
use crate::{interrupt, stack};

pub(super) const FUNCTIONS: &[Function] = &[Function {
    name: "shellquote",
    summary: "joins the words with spaces, quoting each one where a shell requires it",
    signatures: &["(Any *$words) >> String"],
    examples: &[
        example("shellquote('a b', 'c')", "'\"a b\" c'"),
        example("shellquote(['a', ['$b']])", r"'a \'$b\''"),
        example("shellquote(5)", "error RUNTIME_ERROR"),
    ],
    body: shellquote,
}];

fn shellquote(call: &mut Call<'_>) -> Result<Value, Flow> {
    let mut words = Vec::new();
    let arguments = call.arguments.iter().map(to_legacy).collect::<Result<Vec<Value>>>()?;
    quote_all(&arguments, &mut words)?;
    check_string_bytes(interrupt::each(&words).map(|word| word.len() + 1).sum())?;
    Ok(words.join(" ").into())
}

fn quote_all(values: &[Value], words: &mut Vec<String>) -> Result<()> {
    for value in interrupt::each(values) {
        match value {
            Value::Array(inner) => stack::with_room(|| quote_all(inner, words))?,
            Value::String(word) => words.push(quoted(word)),
            other => {
                return Err(Error::runtime(format!("expected a String, got {}", describe(other)))
                    .with_help("interpolate other values into a string: \"${value}\""));
            }
        }
    }
    Ok(())
}

/// Bare where every character is harmless, else in the quotes that need no escaping, double ones first.
fn quoted(word: &str) -> String {
    let is_harmless = |c: char| c.is_ascii_alphanumeric() || "@%_+=:,./-".contains(c);
    let is_special_in_quotes = |c: char| matches!(c, '"' | '`' | '$' | '\\' | '!');
    if !word.is_empty() && word.chars().all(is_harmless) {
        word.to_owned()
    } else if !word.contains(is_special_in_quotes) {
        format!("\"{word}\"")
    } else if !word.contains('\'') {
        format!("'{word}'")
    } else {
        let escaped: String =
            word.chars().flat_map(|c| is_special_in_quotes(c).then_some('\\').into_iter().chain([c])).collect();
        format!("\"{escaped}\"")
    }
}
