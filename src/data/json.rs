//! JSON with locations: each part is parsed from its raw text, whose address gives the location.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::{DataError, Document, Entry, MAX_NESTING_LEVELS, Place};
use crate::error::{Error, Result};
use crate::format;
use crate::stack;
use crate::text::{Source, Span};
use crate::value::{Hash, Value};

/// Reads a whole text.
pub(super) fn read(source: &Arc<Source>) -> Result<Document> {
    let mut reader = Reader { text: source.text(), warnings: Vec::new() };
    let whole: &RawValue = serde_json::from_str(source.text()).map_err(|error| {
        // A reader that builds values has better words for what is wrong.
        let error = serde_json::from_str::<serde_json::Value>(source.text()).err().unwrap_or(error);
        reader.syntax_error(0, &error)
    })?;
    let (value, place) = reader.part(whole, 0)?;
    let warnings = reader.warnings.into_iter().map(|warning| warning.in_source(source)).collect();
    Ok(Document { source: source.clone(), value, place, warnings, plain: Some(plain) })
}

/// What a string stands for without quotes.
fn plain(text: &str) -> Option<Value> {
    let raw: Box<RawValue> = serde_json::from_str(text).ok()?;
    let (value, _) = Reader { text: raw.get(), warnings: Vec::new() }.part(&raw, 0).ok()?;
    Some(value)
}

struct Reader<'t> {
    text: &'t str,
    warnings: Vec<Error>,
}

impl<'t> Reader<'t> {
    fn part(&mut self, raw: &'t RawValue, depth: usize) -> Result<(Value, Place)> {
        let text = raw.get();
        let start = text.as_ptr() as usize - self.text.as_ptr() as usize;
        let span = Span::new(start, start + text.len());
        if depth > MAX_NESTING_LEVELS {
            return Err(Error::from(DataError::TooDeep).at(span));
        }
        match text.as_bytes().first() {
            Some(b'[') => {
                let raws: Vec<&'t RawValue> = self.parsed(text, start)?;
                let parts = raws.into_iter().map(|raw| stack::with_room(|| self.part(raw, depth + 1)));
                let (values, places): (Vec<Value>, Vec<Place>) = parts.collect::<Result<Vec<_>>>()?.into_iter().unzip();
                Ok((Value::from(values), Place::of_elements(span, places)))
            }
            Some(b'{') => {
                let members: Members<'t> = self.parsed(text, start)?;
                let (mut hash, mut places) = (Hash::default(), Vec::new());
                for (key, raw) in members.0 {
                    let (key, key_place) = self.part(key, depth + 1)?;
                    let (value, place) = stack::with_room(|| self.part(raw, depth + 1))?;
                    if hash.get(&key).is_some() {
                        let twice = DataError::Twice(format::program_text(&key));
                        self.warnings.push(Error::from(twice).at(key_place.span));
                    }
                    hash.insert(key.clone(), value);
                    places.push(Entry { key, key_span: key_place.span, place });
                }
                Ok((Value::Hash(hash), Place::of_entries(span, places)))
            }
            Some(b'"') => {
                let string: Cow<'_, str> = self.parsed(text, start)?;
                Ok((Value::from(&*string), Place::leaf(span)))
            }
            Some(b't') => Ok((true.into(), Place::leaf(span))),
            Some(b'f') => Ok((false.into(), Place::leaf(span))),
            Some(b'n') | None => Ok((Value::Undef, Place::leaf(span))),
            Some(_) if text.contains(['.', 'e', 'E']) => {
                Ok((Value::Float(self.parsed(text, start)?), Place::leaf(span)))
            }
            Some(_) => match text.parse::<i64>() {
                Ok(number) => Ok((number.into(), Place::leaf(span))),
                Err(_) => Err(Error::from(DataError::TooLarge).at(span)),
            },
        }
    }

    fn parsed<T: Deserialize<'t>>(&self, text: &'t str, start: usize) -> Result<T> {
        serde_json::from_str(text).map_err(|error| self.syntax_error(start, &error))
    }

    /// The error of a part of the text that begins at `start`, without the place that its words end with.
    fn syntax_error(&self, start: usize, error: &serde_json::Error) -> Error {
        let part = &self.text[start..];
        let line_start = match error.line() {
            0 | 1 => 0,
            line => part.match_indices('\n').nth(line - 2).map_or(0, |(at, _)| at + 1),
        };
        let at = (start + line_start + error.column().saturating_sub(1)).min(self.text.len());
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default();
        Error::from(DataError::Syntax(words.to_owned())).at(Span::new(at, at + 1))
    }
}

/// The members of an object in order, also those that are given twice.
struct Members<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(MembersVisitor).map(Members)
    }
}

struct MembersVisitor;

impl<'t> Visitor<'t> for MembersVisitor {
    type Value = Vec<(&'t RawValue, &'t RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}
