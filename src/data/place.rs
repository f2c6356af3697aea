//! The locations of the values in a document.

use std::sync::Arc;

use crate::explain::mismatch::Step;
use crate::text::Span;
use crate::value::Value;

/// The location of a value in a document, and of the parts of the value. Cloning shares the parts.
#[derive(Clone, Debug)]
pub struct Place {
    /// The span of the value.
    pub span: Span,
    parts: Option<Arc<(Vec<Place>, Vec<Entry>)>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Value,
    pub(crate) key_span: Span,
    pub(crate) place: Place,
}

impl Place {
    pub(crate) fn without_parts(span: Span) -> Place {
        Place { span, parts: None }
    }

    pub(crate) fn from_elements(span: Span, elements: Vec<Place>) -> Place {
        Place { span, parts: Some(Arc::new((elements, Vec::new()))) }
    }

    pub(crate) fn from_entries(span: Span, entries: Vec<Entry>) -> Place {
        Place { span, parts: Some(Arc::new((Vec::new(), entries))) }
    }

    pub(crate) fn elements(&self) -> &[Place] {
        self.parts.as_ref().map_or(&[], |parts| &parts.0)
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        self.parts.as_ref().map_or(&[], |parts| &parts.1)
    }

    /// Returns the last entry with this key, which takes precedence over earlier ones; `None` if there is none.
    pub(crate) fn last_entry(&self, key: &Value) -> Option<&Entry> {
        self.entries().iter().rfind(|entry| entry.key == *key)
    }

    pub(crate) fn part_at_path(&self, path: &[Step]) -> Option<&Place> {
        path.iter().try_fold(self, |place, step| match step {
            Step::Element(at) => place.elements().get(*at),
            Step::Entry(key) => Some(&place.last_entry(key)?.place),
            Step::Key(_) | Step::Attribute(_) | Step::Content | Step::Inside(_) => None,
        })
    }

    /// Returns the hash entry at the end of `path`, which leads to the key or to the value of the entry.
    pub(crate) fn entry_at_path(&self, path: &[Step]) -> Option<&Entry> {
        match path.split_last()? {
            (Step::Key(key) | Step::Entry(key), path) => self.part_at_path(path)?.last_entry(key),
            _ => None,
        }
    }

    /// Whether the value is a scalar or an empty array or hash: its source is short enough to be underlined.
    pub(crate) fn is_leaf(&self) -> bool {
        self.elements().is_empty() && self.entries().is_empty()
    }

    /// Returns the location of the part at the end of `path`. For an array or hash under a key, returns the location
    /// of the key, because the value may span many lines. If the path leads beyond the known parts, returns the
    /// location of the last known part.
    pub fn span_at_path(&self, path: &[Step]) -> Span {
        self.span_near_path(self.span, path)
    }

    /// Like [`Place::span_at_path`], but returns `name` instead of the location of the whole array or hash.
    pub(crate) fn span_near_path(&self, name: Span, path: &[Step]) -> Span {
        let (mut place, mut name) = (self, name);
        for step in path {
            (place, name) = match step {
                Step::Element(at) if let Some(next) = place.elements().get(*at) => (next, next.span),
                Step::Entry(key) if let Some(entry) = place.last_entry(key) => (&entry.place, entry.key_span),
                Step::Key(key) => return place.last_entry(key).map_or(name, |entry| entry.key_span),
                Step::Element(_) | Step::Entry(_) | Step::Attribute(_) | Step::Content | Step::Inside(_) => break,
            };
        }
        if place.is_leaf() { place.span } else { name }
    }
}
