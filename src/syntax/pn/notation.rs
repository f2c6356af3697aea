//! The two notations of PN, text and JSON: brackets, words and strings.

use std::fmt::Write as _;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    Text,
    Json,
}

#[derive(Clone, Copy)]
pub(super) enum Bracket {
    List,
    Vector,
    Map,
}

/// What is written so far. Items are separated when the next one starts.
pub(super) struct Out {
    pub(super) text: String,
    notation: Notation,
    /// Whether the next item is the first in its bracket.
    is_first: bool,
}

impl Out {
    pub(super) fn new(notation: Notation) -> Out {
        Out { text: String::new(), notation, is_first: true }
    }

    fn separate(&mut self) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.text.push(if self.notation == Notation::Text { ' ' } else { ',' });
        }
    }

    pub(super) fn open(&mut self, bracket: Bracket) {
        self.separate();
        self.text.push_str(match (self.notation, bracket) {
            (Notation::Text, Bracket::List) => "(",
            (_, Bracket::Vector) => "[",
            (Notation::Text, Bracket::Map) => "{",
            (Notation::Json, Bracket::List) => r#"{"^":["#,
            (Notation::Json, Bracket::Map) => r##"{"#":["##,
        });
        self.is_first = true;
    }

    pub(super) fn close(&mut self, bracket: Bracket) {
        self.text.push_str(match (self.notation, bracket) {
            (Notation::Text, Bracket::List) => ")",
            (_, Bracket::Vector) => "]",
            (Notation::Text, Bracket::Map) => "}",
            (Notation::Json, Bracket::List | Bracket::Map) => "]}",
        });
        self.is_first = false;
    }

    /// `nil`, a number, a Boolean.
    pub(super) fn literal(&mut self, text: &str, json: &str) {
        self.separate();
        self.text.push_str(if self.notation == Notation::Text { text } else { json });
    }

    /// The head of a list, or the key of an entry, behind a colon.
    pub(super) fn word(&mut self, colon: &str, word: &str) {
        match self.notation {
            Notation::Text => {
                self.separate();
                self.text.push_str(colon);
                self.text.push_str(word);
            }
            Notation::Json => self.string(word),
        }
    }

    pub(super) fn string(&mut self, text: &str) {
        self.separate();
        self.text.push('"');
        for character in text.chars() {
            match (character, self.notation) {
                ('"', _) => self.text.push_str("\\\""),
                ('\\', _) => self.text.push_str("\\\\"),
                ('\t', _) => self.text.push_str("\\t"),
                ('\n', _) => self.text.push_str("\\n"),
                ('\r', _) => self.text.push_str("\\r"),
                // OK because Strings take every text.
                ('\0'..='\x1F', Notation::Text) => drop(write!(self.text, "\\o{:03o}", u32::from(character))),
                ('\0'..='\x1F', Notation::Json) => drop(write!(self.text, "\\u{:04x}", u32::from(character))),
                _ => self.text.push(character),
            }
        }
        self.text.push('"');
    }
}

/// The shortest digits that give the number back, with an exponent from 1e15 on and below 1e-4.
pub(super) fn float(value: f64) -> String {
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0); // OK because Rust writes an integer there.
    if (-4..15).contains(&exponent) {
        return format!("{value:?}");
    }
    let point = if digits.contains('.') { "" } else { ".0" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}{point}e{sign}{:02}", exponent.abs())
}
