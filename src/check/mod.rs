//! Validates data against types: a whole document against one type, the keys of Hiera data against the class parameters
//! they set, and the declarations of Puppet files.
//!
//! A mismatch is reported in terms of the document: the location of the part, and whether adding or removing quotes
//! would fix it.

mod attributes;
mod bodies;
mod declarations;
mod fix;
mod hidden;
mod hiera_config;
mod hiera_data;
mod hiera_schema;
mod hierarchy;
mod index;
mod interface;
mod lint;
mod metadata;
mod placement;
mod program;
mod references;
mod repairs;
mod ruby;
mod ruby_types;
mod schema;
mod stream;
mod usage;
mod versions;

use std::sync::Arc;

use crate::data::{Document, Place};
use crate::error::Error;
use crate::explain::mismatch::{Mismatch, Step, code, explain};
use crate::limits;
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::Value;
use crate::wording::counted;
pub(crate) use attributes::attribute_names;
pub use fix::{Edit, Fix, Fixed};
pub use hiera_data::{Checker, RubyFiles};
pub use interface::Interface;
pub use lint::{RULES, Rule};
pub use program::Program;
pub use schema::schema;
pub use stream::{Pieces, check_pieces, check_text};
pub use versions::{Change, Comparison, Part, compare};

const TYPE_MISMATCH: &str = "TYPE_MISMATCH";

/// An error or a warning about a document.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Whether it is an error rather than a warning.
    pub is_error: bool,
    /// The error, with its location.
    pub error: Error,
    /// The part that does not fit, where that is what is wrong.
    pub mismatch: Option<Mismatch>,
    /// What to change in the file, if that is clear.
    pub fix: Option<Fix>,
}

impl Finding {
    pub(crate) fn error(error: Error) -> Finding {
        Finding { is_error: true, error, mismatch: None, fix: None }
    }

    pub(crate) fn warning(error: Error) -> Finding {
        Finding { is_error: false, error, mismatch: None, fix: None }
    }
}

/// The result of checking one document.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The findings, in the order of the source.
    pub findings: Vec<Finding>,
    /// How many values were compared with a type, and names with what is declared.
    pub compared: usize,
    /// The reasons why something was not checked, once for each occurrence.
    pub unjudged: Vec<Unjudged>,
}

/// Why something could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Unjudged {
    /// A key of Hiera data without `::`, which is not the parameter of a class.
    PlainKey,
    /// A key that only `lookup` reads.
    LookupKey,
    /// A key that data which cannot be read may have.
    UnseenKey,
    /// A name in a module that was not found.
    MissingModule(String),
    /// A value that is complete only at run time.
    RunTime,
    /// A function that may be part of a module that was not found.
    UnknownFunction(String),
    /// A type that may be part of a module that was not found.
    UnknownType(String),
    /// A variable that may be a fact of a module that was not found.
    UnknownVariable(String),
    /// A file that is not Hiera data.
    NotHieraData,
    /// A plan of Bolt, whose functions are not known.
    Plan,
}

impl Unjudged {
    /// The number of times, and the reason.
    pub fn counted(&self, count: usize) -> String {
        let (thing, rest) = match self {
            Unjudged::PlainKey => ("key", "without a class".to_owned()),
            Unjudged::LookupKey => ("key", "read by lookup".to_owned()),
            Unjudged::UnseenKey => ("key", "that data which cannot be read may have".to_owned()),
            Unjudged::MissingModule(module) => ("name", format!("in the missing module {module}")),
            Unjudged::RunTime => ("value", "known only at run time".to_owned()),
            Unjudged::UnknownFunction(name) => ("call", format!("of the unknown function {name}")),
            Unjudged::UnknownType(name) => ("use", format!("of the unknown type {name}")),
            Unjudged::UnknownVariable(name) => ("use", format!("of the unknown variable ${name}")),
            Unjudged::NotHieraData => ("file", "without Hiera data".to_owned()),
            Unjudged::Plan => ("Bolt plan", String::new()),
        };
        format!("{} {rest}", counted(count, thing)).trim_end().to_owned()
    }
}

impl Checked {
    /// A document that cannot be read.
    #[doc(hidden)] // for the program
    pub fn unreadable(error: Error) -> Checked {
        Checked { findings: vec![Finding::error(error)], ..Checked::default() }
    }

    /// Whether there are no errors.
    pub fn is_fine(&self) -> bool {
        self.findings.iter().all(|finding| !finding.is_error)
    }

    fn error(&mut self, source: &Arc<Source>, span: Span, error: Error) {
        self.findings.push(Finding::error(placed(error, source, span)));
    }

    /// Adds something in a source that is most likely a mistake.
    fn warning(&mut self, source: &Arc<Source>, span: Span, error: Error) {
        self.findings.push(Finding::warning(placed(error, source, span)));
    }

    fn sort(&mut self) {
        self.findings.sort_by_key(|finding| finding.error.span().map(|span| span.start));
    }
}

/// Checks a whole document against a type.
///
/// ```
/// use pcore::{check::against, data::{Format, read}, text::Source};
/// let document = read(Format::Yaml, &Source::new("web.yaml", "name: web\nport: 0\n"))?;
/// let checked = against(&document, &"Struct[{name => String[1], port => Integer[1, 65535]}]".parse()?);
/// let error = &checked.findings[0].error;
/// assert_eq!((error.position().unwrap().line, error.code()), (2, "TYPE_MISMATCH"));
/// # Ok::<(), pcore::Error>(())
/// ```
pub fn against(document: &Document, type_: &Type) -> Checked {
    fix::verified(document, |document| compared(document, type_))
}

fn compared(document: &Document, type_: &Type) -> Checked {
    let mut checked = Checked { findings: warnings(document), compared: 1, ..Checked::default() };
    checked.findings.extend(wrong_parts(type_, &document.value).into_iter().map(|wrong| finding(document, wrong)));
    let shown = (type_.clone(), document.value.clone(), document.place.clone());
    hidden::hide(&document.source, [shown], false, &mut checked);
    checked.sort();
    checked
}

fn warnings(document: &Document) -> Vec<Finding> {
    document.warnings.iter().cloned().map(Finding::warning).collect()
}

/// A part of a value that does not match, and the type of the collection that it is in.
struct WrongPart {
    mismatch: Mismatch,
    within: Type,
    /// Whether a repair further up would do as well: brackets around a collection that this is in, or none.
    has_rival: bool,
}

impl WrongPart {
    fn all_of(whole: &Mismatch) -> Vec<WrongPart> {
        let (mut parts, mut pending) = (Vec::new(), vec![(whole, &whole.expected, false)]);
        while let Some((mismatch, within, has_rival)) = pending.pop() {
            // Observed: Puppet 7.23 gives a parameter any value where its type is a Variant without types.
            let is_any = matches!(&mismatch.expected, Type::Variant(variant) if variant.types().is_empty());
            if mismatch.causes.is_empty() && !is_any {
                parts.push(WrongPart { mismatch: mismatch.clone(), within: within.clone(), has_rival });
            }
            let has_rival = has_rival || repairs::may_need_brackets(mismatch);
            pending.extend(mismatch.causes.iter().rev().map(|cause| (cause, &mismatch.expected, has_rival)));
        }
        parts
    }

    /// The same part of a larger value.
    fn below(mut self, steps: &[Step]) -> WrongPart {
        self.mismatch.path.splice(..0, steps.iter().cloned());
        self
    }
}

fn wrong_parts(type_: &Type, value: &Value) -> Vec<WrongPart> {
    explain(type_, value).map_or_else(Vec::new, |mismatch| WrongPart::all_of(&mismatch))
}

/// A mismatch of a part of the document, with the way to it from the whole.
fn finding(document: &Document, wrong: WrongPart) -> Finding {
    let fix = repairs::fix(document, &wrong);
    let mismatch = wrong.mismatch;
    let span = first_line(&document.source, document.place.find(&mismatch.path));
    let error = placed(Error::new(TYPE_MISMATCH, message(&mismatch)), &document.source, span);
    let error = advice(document, span, &mismatch).into_iter().fold(error, Error::with_help);
    Finding { is_error: true, error, mismatch: Some(mismatch), fix }
}

/// `'web::port' expected Integer, got String '80'`
fn message(mismatch: &Mismatch) -> String {
    match code(mismatch.place()) {
        path if path.is_empty() => mismatch.problem(),
        path => format!("{path}: {}", mismatch.problem()),
    }
}

/// The advice to add or remove quotes, if that makes the value match.
fn advice(document: &Document, span: Span, mismatch: &Mismatch) -> Option<String> {
    let (expected, got) = (&mismatch.expected, &mismatch.found);
    let is_program = document.format.is_none();
    if let Some(suggestion) = mismatch.suggestions.iter().find(|suggestion| is_program || !suggestion.is_code) {
        return Some(suggestion.text.clone());
    }
    let written = document.source.slice(span);
    match got {
        Value::String(text) if written.starts_with(['"', '\'']) => {
            let value = document.format?.plain(text).filter(|value| expected.has_instance(value));
            value.map(|_| format!("remove the quotes: {text}"))
        }
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
            let in_quotes = !written.is_empty() && expected.has_instance(&Value::from(written));
            in_quotes.then(|| format!("quote it: '{written}'"))
        }
        _ => None,
    }
}

fn first_line(source: &Source, span: Span) -> Span {
    let line = source.slice(span).split('\n').next().unwrap_or_default();
    Span::new(span.range().start, span.range().start + line.len())
}

#[expect(clippy::expect_used, reason = "the text is a constant")]
fn constant_type(text: &str) -> Type {
    limits::unlimited(|| text.parse()).expect("a constant type is valid")
}

fn placed(error: Error, source: &Arc<Source>, span: Span) -> Error {
    error.at(first_line(source, span)).in_source(source)
}

impl Document {
    fn of_program(source: &Arc<Source>, value: Value, place: Place) -> Document {
        Document { source: source.clone(), value, place, warnings: Vec::new(), format: None }
    }
}
