//! The locations of the parts of a document.

use std::sync::Arc;

use crate::explain::mismatch::Step;
use crate::text::Span;
use crate::value::Value;

/// The location of a value and of its parts. Cloning shares the parts.
#[derive(Clone, Debug)]
pub struct Place {
    /// The span of the value.
    pub span: Span,
    /// The locations of the elements of an array, or the entries of a hash.
    parts: Option<Arc<(Vec<Place>, Vec<Entry>)>>,
}

#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: Value,
    pub(crate) key_span: Span,
    pub(crate) place: Place,
}

impl Place {
    pub(crate) fn leaf(span: Span) -> Place {
        Place { span, parts: None }
    }

    pub(crate) fn of_elements(span: Span, elements: Vec<Place>) -> Place {
        Place { span, parts: Some(Arc::new((elements, Vec::new()))) }
    }

    pub(crate) fn of_entries(span: Span, entries: Vec<Entry>) -> Place {
        Place { span, parts: Some(Arc::new((Vec::new(), entries))) }
    }

    pub(crate) fn elements(&self) -> &[Place] {
        self.parts.as_ref().map_or(&[], |parts| &parts.0)
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        self.parts.as_ref().map_or(&[], |parts| &parts.1)
    }

    /// The last entry with this key, which takes precedence.
    pub(crate) fn entry(&self, key: &Value) -> Option<&Entry> {
        self.entries().iter().rfind(|entry| entry.key == *key)
    }

    pub(crate) fn part(&self, path: &[Step]) -> Option<&Place> {
        path.iter().try_fold(self, |place, step| match step {
            Step::Element(at) => place.elements().get(*at),
            Step::Entry(key) => Some(&place.entry(key)?.place),
            Step::Key(_) | Step::Attribute(_) | Step::Content | Step::Inside(_) => None,
        })
    }

    /// The entry at the end of a path to a key or to its value.
    pub(crate) fn entry_at(&self, path: &[Step]) -> Option<&Entry> {
        match path.split_last()? {
            (Step::Key(key) | Step::Entry(key), path) => self.part(path)?.entry(key),
            _ => None,
        }
    }

    /// Whether this is a scalar or an empty container: short enough to be underlined.
    pub(crate) fn is_leaf(&self) -> bool {
        self.elements().is_empty() && self.entries().is_empty()
    }

    /// The location of the part at the end of a path. For an array or hash that is the value of a key, it is the
    /// location of the key, because the value may span many lines. If the path leads beyond the known parts, it is
    /// the location of the last known part.
    pub fn find(&self, path: &[Step]) -> Span {
        self.find_from(self.span, path)
    }

    /// As [`Place::find`], but `name` is the location of the name of the whole value.
    pub(crate) fn find_from(&self, name: Span, path: &[Step]) -> Span {
        let (mut place, mut name) = (self, name);
        for step in path {
            (place, name) = match step {
                Step::Element(at) if let Some(next) = place.elements().get(*at) => (next, next.span),
                Step::Entry(key) if let Some(entry) = place.entry(key) => (&entry.place, entry.key_span),
                Step::Key(key) => return place.entry(key).map_or(name, |entry| entry.key_span),
                Step::Element(_) | Step::Entry(_) | Step::Attribute(_) | Step::Content | Step::Inside(_) => break,
            };
        }
        if place.is_leaf() { place.span } else { name }
    }
}
