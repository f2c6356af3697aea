//! From values to text: the `%p` form that reads back, the plain form of interpolation, and `String.new`'s directives.

use crate::value::Value;

/// The `%p` text: what a program would have to say to get the value.
pub fn program_text(value: &Value) -> String {
    format!("{value:?}")
}

/// The text that interpolation and `notice` show.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        other => program_text(other),
    }
}
