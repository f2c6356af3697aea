//! `shellquote`: quotes words for a Unix shell.

use super::{Call, Flow, legacy_arguments::to_legacy_argument};
use crate::error::{Error, Result};
use crate::limits::BoundedString;
use crate::operators::describe;
use crate::value::Value;
use crate::{interrupt, stack};

functions! {
    /// joins the words with spaces, quoting each one where a shell requires it
    "shellquote" ["(Any *$words) >> String"] {
        "shellquote('a b', 'c')" => "'\"a b\" c'",
        "shellquote(['a', ['$b']])" => r"'a \'$b\''",
        "shellquote(5)" => "error RUNTIME_ERROR",
    } => shellquote;
}

fn shellquote(call: &mut Call<'_>) -> Result<Value, Flow> {
    let arguments = call.arguments.iter().map(to_legacy_argument).collect::<Result<Vec<Value>>>()?;
    let mut words = BoundedString::default();
    append_quoted_words(&arguments, &mut words)?;
    let words = words.into_string();
    Ok(words.strip_suffix(' ').unwrap_or(&words).into())
}

fn append_quoted_words(values: &[Value], words: &mut BoundedString) -> Result<()> {
    for value in interrupt::step_through(values) {
        match value {
            Value::Array(inner) => stack::with_room(|| append_quoted_words(inner, words))?,
            Value::String(word) => {
                append_quoted_word(word, words)?;
                words.push_str(" ")?;
            }
            other => {
                return Err(Error::runtime(format!("expected a String, got {}", describe(other)))
                    .with_help("interpolate other values into a string: \"${value}\""));
            }
        }
    }
    Ok(())
}

/// Appends `word` to `out`, in quotes if the shell needs them; prefers the kind of quotes that needs no escapes.
fn append_quoted_word(word: &str, out: &mut BoundedString) -> Result<()> {
    let has = |wanted: fn(u8) -> bool| interrupt::step_through(word.bytes()).any(wanted);
    let is_harmful = |byte: u8| !(byte.is_ascii_alphanumeric() || b"@%_+=:,./-".contains(&byte));
    if !word.is_empty() && !has(is_harmful) {
        return out.push_str(word);
    }
    let (quote, escaped): (_, &[char]) = match has(|byte| b"\"`$\\!".contains(&byte)) {
        false => ("\"", &[]),
        true if !has(|byte| byte == b'\'') => ("'", &[]),
        true => ("\"", &['"', '`', '$', '\\', '!']),
    };
    out.push_str(quote)?;
    let mut rest = word;
    while let Some(at) = rest.find(escaped) {
        out.push_str(&rest[..at])?;
        out.push_str("\\")?;
        out.push_str(&rest[at..=at])?;
        rest = &rest[at + 1..];
    }
    out.push_str(rest)?;
    out.push_str(quote)
}
