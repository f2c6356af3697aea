//! Parses JSON to values with locations.
//!
//! `serde_json` validates a source and reports syntax errors. A valid source is then read once from the start; its
//! strings and numbers are read as raw values, whose lengths determine the locations.

use rustc_hash::FxHashSet;
use serde_json::value::RawValue;

use super::{DataError, Entry, LocationTree, MAX_NESTING_LEVELS, ParsedText};
use crate::error::{Error, Kind as _, Result};
use crate::text::Span;
use crate::value::{Hash, Value};
use crate::{format, stack};

pub(super) fn parse_document(text: &str) -> Result<ParsedText> {
    let mut reader = JsonReader { text, offset: 0, warnings: Vec::new() };
    if let Err(error) = serde_json::from_str::<&RawValue>(text) {
        // A reader that builds values has better words for what is wrong.
        let error = serde_json::from_str::<serde_json::Value>(text).err().unwrap_or(error);
        return Err(reader.convert_syntax_error(0, &error));
    }
    let (value, place) = reader.read_value(0)?;
    Ok((value, place, reader.warnings))
}

/// Reads values from a text that is valid JSON; `offset` is the byte offset of the next value.
struct JsonReader<'t> {
    text: &'t str,
    offset: usize,
    warnings: Vec<Error>,
}

impl<'t> JsonReader<'t> {
    /// Skips whitespace, commas and colons, and returns the next byte: the start of a value, or a closing bracket.
    fn skip_to_next_value(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.offset..).unwrap_or_default();
        self.offset += rest.iter().take_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b':')).count();
        self.text.as_bytes().get(self.offset).copied()
    }

    fn read_value(&mut self, depth: usize) -> Result<(Value, LocationTree)> {
        let first = self.skip_to_next_value();
        let start = self.offset;
        if depth > MAX_NESTING_LEVELS {
            self.take_value_text();
            return Err(DataError::TooDeep.at(Span::new(start, self.offset)));
        }
        match first {
            Some(b'[') => {
                self.offset += 1;
                let (mut elements, mut places) = (Vec::new(), Vec::new());
                while self.skip_to_next_value().is_some_and(|byte| byte != b']') {
                    let (value, place) = stack::with_room(|| self.read_value(depth + 1))?;
                    elements.push(value);
                    places.push(place);
                }
                self.offset += 1;
                Ok((Value::from(elements), LocationTree::with_parts(Span::new(start, self.offset), places, Vec::new())))
            }
            Some(b'{') => {
                self.offset += 1;
                let (mut entries, mut places) = (Vec::new(), Vec::new());
                while self.skip_to_next_value().is_some_and(|byte| byte != b'}') {
                    let (key, LocationTree { span: key_span, .. }) = self.read_value(depth + 1)?;
                    let (value, place) = stack::with_room(|| self.read_value(depth + 1))?;
                    places.push(Entry { key: key.clone(), key_span, value_location: place });
                    entries.push((key, value));
                }
                self.offset += 1;
                let span = Span::new(start, self.offset);
                let hash = Hash::from(entries);
                let mut given: FxHashSet<&str> = FxHashSet::default();
                for Entry { key, key_span, .. } in places.iter().filter(|_| hash.len() < places.len()) {
                    if key.as_str().is_some_and(|name| !given.insert(name)) {
                        self.warnings.push(DataError::DuplicateKey(format::program_text(key)).at(*key_span));
                    }
                }
                Ok((Value::Hash(hash), LocationTree::with_parts(span, Vec::new(), places)))
            }
            _ => {
                let text = self.take_value_text();
                Ok((self.parse_scalar(text, start)?, LocationTree::leaf_location(Span::new(start, self.offset))))
            }
        }
    }

    fn take_value_text(&mut self) -> &'t str {
        let mut parts = serde_json::Deserializer::from_str(&self.text[self.offset..]).into_iter::<&RawValue>();
        let text = parts.next().and_then(Result::ok).map_or("", RawValue::get);
        self.offset += text.len();
        text
    }

    fn parse_scalar(&self, text: &'t str, start: usize) -> Result<Value> {
        // The parser makes a Float of `-0` and of an Integer that is too large.
        if let Ok(integer) = text.parse::<i64>() {
            return Ok(integer.into());
        }
        match serde_json::from_str(text).map_err(|error| self.convert_syntax_error(start, &error))? {
            serde_json::Value::Number(_) if !text.contains(['.', 'e', 'E']) => {
                Err(DataError::TooLarge.at(Span::new(start, start + text.len())))
            }
            scalar => Ok(scalar.into()),
        }
    }

    /// Converts an error that `serde_json` returned for the text from `start` on; its line and column become a span.
    fn convert_syntax_error(&self, start: usize, error: &serde_json::Error) -> Error {
        let part = &self.text[start..];
        let line_break = error.line().checked_sub(2).and_then(|line| part.match_indices('\n').nth(line));
        let line_start = line_break.map_or(0, |(at, _)| at + 1);
        let at = (start + line_start + error.column().saturating_sub(1)).min(self.text.len());
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        DataError::Syntax(words.to_owned()).at(Span::new(at, at + 1))
    }
}
