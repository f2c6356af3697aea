//! Writes PN values in the two notations of PN, text and JSON.

use std::fmt::Write as _;

use serde_json::Value as Json;

use crate::microsyntax::float_text;
use crate::stack::with_room;

pub(super) enum Pn {
    /// `nil`, a number, a Boolean or a string.
    Literal(Json),
    /// The head of a list, or the key of an entry. The first field is the prefix in text notation: empty or a colon.
    Word(&'static str, String),
    /// `(head …)`
    List(Vec<Pn>),
    /// `[…]`
    Vector(Vec<Pn>),
    /// `{:key …}`
    Map(Vec<Pn>),
}

impl Pn {
    pub(super) fn into_text_or_json(self, is_json: bool) -> String {
        let mut out = String::new();
        self.write_value(is_json, &mut out);
        out
    }

    /// Writes the value to `out` and drops each part once it is written, as parts may be nested deeply.
    fn write_value(self, is_json: bool, out: &mut String) {
        let (open, close, items) = match self {
            Pn::List(items) if is_json => (r#"{"^":["#, "]}", items),
            Pn::List(items) => ("(", ")", items),
            Pn::Map(items) if is_json => (r##"{"#":["##, "]}", items),
            Pn::Map(items) => ("{", "}", items),
            Pn::Vector(items) => ("[", "]", items),
            Pn::Word(colon, word) if !is_json => return out.extend([colon, &word]),
            Pn::Word(_, text) | Pn::Literal(Json::String(text)) => return write_string(&text, is_json, out),
            Pn::Literal(Json::Null) if !is_json => return out.push_str("nil"),
            Pn::Literal(Json::Number(number)) if !is_json && number.is_f64() => {
                return out.push_str(&float_text(number.as_f64().unwrap_or_default()));
            }
            Pn::Literal(literal) => return out.push_str(&literal.to_string()),
        };
        out.push_str(open);
        for (index, item) in items.into_iter().enumerate() {
            let separator = if is_json { "," } else { " " };
            out.push_str(if index > 0 { separator } else { "" });
            with_room(|| item.write_value(is_json, out));
        }
        out.push_str(close);
    }
}

fn write_string(text: &str, is_json: bool, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            // OK because Strings take every text.
            '\0'..='\x1F' if is_json => drop(write!(out, "\\u{:04x}", u32::from(character))),
            '\0'..='\x1F' => drop(write!(out, "\\o{:03o}", u32::from(character))),
            _ => out.push(character),
        }
    }
    out.push('"');
}
