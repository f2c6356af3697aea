//! Why a value does not fit a type.

use super::Type;
use crate::format;
use crate::value::Value;

/// How long the text of a value may become in a message, in characters.
const MAX_VALUE_CHARACTERS: usize = 60;

/// A value as messages name it: its type and its text, shortened; never the content of a Sensitive.
pub(crate) fn described(value: &Value) -> String {
    let text = match value {
        Value::Undef | Value::Default | Value::Sensitive(_) => return shortened(format::program_text(value)),
        Value::Type(type_) => return format!("the type {}", shortened(type_.to_string())),
        other => format::program_text(other),
    };
    format!("{} {}", Type::of(value).name(), shortened(text))
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(MAX_VALUE_CHARACTERS) {
        None => text,
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
