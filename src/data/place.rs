//! The locations of the values in a document.

use std::sync::Arc;

use crate::explain::mismatch::Step;
use crate::text::Span;
use crate::value::Value;

/// The location of a value in a document, with the locations of its elements or entries, which clones share.
#[derive(Clone, Debug)]
pub struct LocationTree {
    /// The span of the value.
    pub span: Span,
    parts: Option<Arc<(Vec<LocationTree>, Vec<Entry>)>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Value,
    pub(crate) key_span: Span,
    pub(crate) value_location: LocationTree,
}

impl LocationTree {
    pub(crate) fn leaf_location(span: Span) -> LocationTree {
        LocationTree { span, parts: None }
    }

    /// Returns the location of an array with `elements`, or of a hash with `entries`; the other of the two is empty.
    pub(crate) fn with_parts(span: Span, elements: Vec<LocationTree>, entries: Vec<Entry>) -> LocationTree {
        LocationTree { span, parts: Some(Arc::new((elements, entries))) }
    }

    pub(crate) fn elements(&self) -> &[LocationTree] {
        self.parts.as_ref().map_or(&[], |parts| &parts.0)
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        self.parts.as_ref().map_or(&[], |parts| &parts.1)
    }

    /// Returns the last entry with the key `key`, which overrides earlier ones; `None` if there is none.
    pub(crate) fn last_entry(&self, key: &Value) -> Option<&Entry> {
        self.entries().iter().rfind(|entry| entry.key == *key)
    }

    pub(crate) fn location_at_path(&self, path: &[Step]) -> Option<&LocationTree> {
        path.iter().try_fold(self, |place, step| match step {
            Step::Element(at) => place.elements().get(*at),
            Step::Entry(key) => Some(&place.last_entry(key)?.value_location),
            Step::Key(_) | Step::Attribute(_) | Step::Content | Step::Inside(_) => None,
        })
    }

    /// Returns the hash entry, with its locations, whose key or value is at the end of `path`; `None` if there is none.
    pub(crate) fn entry_at_path(&self, path: &[Step]) -> Option<&Entry> {
        match path.split_last()? {
            (Step::Key(key) | Step::Entry(key), path) => self.location_at_path(path)?.last_entry(key),
            _ => None,
        }
    }

    /// Whether the value has no elements or entries; such a value is short enough to be underlined as a whole.
    pub(crate) fn is_leaf(&self) -> bool {
        self.elements().is_empty() && self.entries().is_empty()
    }

    /// Returns the location of the value at the end of `path`; for an array or hash under a key, that of the key,
    /// because the value may span many lines. If there is none, returns the location of the last value on the way.
    pub fn span_at_path(&self, path: &[Step]) -> Span {
        self.span_at_path_or(self.span, path)
    }

    /// Like [`LocationTree::span_at_path`], but returns the span `name` instead of that of a whole array or hash.
    pub(crate) fn span_at_path_or(&self, name: Span, path: &[Step]) -> Span {
        let (mut place, mut name) = (self, name);
        for step in path {
            (place, name) = match step {
                Step::Element(at) if let Some(next) = place.elements().get(*at) => (next, next.span),
                Step::Entry(key) if let Some(entry) = place.last_entry(key) => (&entry.value_location, entry.key_span),
                Step::Key(key) => return place.last_entry(key).map_or(name, |entry| entry.key_span),
                Step::Element(_) | Step::Entry(_) | Step::Attribute(_) | Step::Content | Step::Inside(_) => break,
            };
        }
        if place.is_leaf() { place.span } else { name }
    }
}
