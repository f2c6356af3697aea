//! Validates data against types: a whole document against one type, the keys of Hiera data against the class parameters
//! they set, and the declarations of Puppet files.
//!
//! A mismatch is reported in terms of the document: the location of the part, and whether adding or removing quotes
//! would fix it.

mod declarations;
mod hiera_data;
mod literal_spans;

use crate::data::{Document, Place};
use crate::error::Error;
use crate::text::{Source, Span};
use crate::types::Type;
use crate::types::relation::mismatch::{Mismatch, Reason, Step, code, mismatches};
use crate::value::Value;
pub use hiera_data::Checker;

/// The issue code of data that does not fit.
const TYPE_MISMATCH: &str = "TYPE_MISMATCH";

/// Something to tell about a document.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Whether it makes the document wrong.
    pub is_error: bool,
    /// What is wrong, and where.
    pub error: Error,
    /// The part that does not fit, where that is what is wrong.
    pub mismatch: Option<Mismatch>,
}

impl Finding {
    /// Something that makes the document wrong.
    pub fn error(error: Error) -> Finding {
        Finding { is_error: true, error, mismatch: None }
    }

    /// Something that is most likely a mistake.
    pub fn warning(error: Error) -> Finding {
        Finding { is_error: false, error, mismatch: None }
    }
}

/// What came of checking one document.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// In the order of the text.
    pub findings: Vec<Finding>,
    /// How many values were compared with a type.
    pub compared: usize,
}

impl Checked {
    /// A document that cannot be read.
    pub fn unreadable(error: Error) -> Checked {
        Checked { findings: vec![Finding::error(error)], compared: 0 }
    }

    /// Whether nothing makes the document wrong.
    pub fn is_fine(&self) -> bool {
        self.findings.iter().all(|finding| !finding.is_error)
    }

    fn sort(&mut self) {
        self.findings.sort_by_key(|finding| finding.error.span().map(|span| span.start));
    }
}

/// A whole document against a type.
pub fn against(document: &Document, type_: &Type) -> Checked {
    let mut checked = Checked { findings: warnings(document), compared: 1 };
    let mismatches = mismatches(type_, &document.value);
    checked.findings.extend(mismatches.into_iter().map(|mismatch| finding(document, mismatch)));
    checked.sort();
    checked
}

fn warnings(document: &Document) -> Vec<Finding> {
    document.warnings.iter().cloned().map(Finding::warning).collect()
}

/// A mismatch of a part of the document, with the way to it from the whole.
fn finding(document: &Document, mismatch: Mismatch) -> Finding {
    let span = place_of(&mismatch, &document.place, document.place.span);
    told_of(document, span, mismatch)
}

/// Where what is wrong stands in a value that stands at `place`, and is called by what stands at `name`.
fn place_of(mismatch: &Mismatch, place: &Place, name: Span) -> Span {
    match &mismatch.reason {
        Reason::UnknownKey(key) | Reason::MisspelledKey(key, _) => {
            place.find_from(name, &[&mismatch.path[..], &[Step::Key(key.clone())]].concat())
        }
        _ => place.find_from(name, &mismatch.path),
    }
}

/// A mismatch at a place, with the way to it from the whole document.
fn told_of(document: &Document, span: Span, mismatch: Mismatch) -> Finding {
    let span = first_line(&document.source, span);
    let mut error = Error::coded(TYPE_MISMATCH, message(&mismatch)).at(span).in_source(&document.source);
    if let Some(advice) = advice(document, span, &mismatch) {
        error = error.with_help(advice);
    }
    Finding { is_error: true, error, mismatch: Some(mismatch) }
}

/// `'web::port' expected Integer, got String '80'`
fn message(mismatch: &Mismatch) -> String {
    match code(&mismatch.path) {
        path if path.is_empty() => mismatch.problem(),
        path => format!("{path}: {}", mismatch.problem()),
    }
}

/// What to write instead: with or without quotes, where that is what is wrong.
fn advice(document: &Document, span: Span, mismatch: &Mismatch) -> Option<String> {
    let (expected, got) = (&mismatch.expected, &mismatch.found);
    let is_program = document.plain.is_none();
    if let Some(suggestion) = mismatch.suggestions.iter().find(|suggestion| is_program || !suggestion.is_code) {
        return Some(suggestion.text.clone());
    }
    let written = document.source.slice(span);
    match got {
        Value::String(text) => match document.plain.and_then(|plain| plain(text)) {
            Some(value) if written.starts_with(['"', '\'']) && expected.has_instance(&value) => {
                Some(format!("remove the quotes: {text}"))
            }
            _ => None,
        },
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
            let in_quotes = !written.is_empty() && expected.has_instance(&Value::from(written));
            in_quotes.then(|| format!("quote it: '{written}'"))
        }
        _ => None,
    }
}

/// The part of a span in its first line: a caret needs no more.
fn first_line(source: &Source, span: Span) -> Span {
    match source.slice(span).find('\n') {
        Some(end) => Span { end: span.start + u32::try_from(end).unwrap_or(u32::MAX), ..span },
        None => span,
    }
}

impl Document {
    /// A value of a Puppet program, whose parts stand at `place`.
    fn of_program(source: &std::sync::Arc<Source>, value: Value, place: Place) -> Document {
        Document { source: source.clone(), value, place, warnings: Vec::new(), plain: None }
    }
}
