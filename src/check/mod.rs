//! Validates data against types: a whole document against one type, the keys of Hiera data against the class parameters
//! they set, and the declarations of Puppet files.
//!
//! Each mismatch is reported with its location in the document, and with advice if adding or removing quotes fixes it.

mod attributes;
mod bodies;
mod cycles;
mod declarations;
mod fix;
mod hidden;
mod hiera_config;
mod hiera_data;
mod hiera_keys;
mod hiera_schema;
mod hierarchy;
mod index;
mod interface;
mod lint;
mod metadata;
mod placement;
mod program;
mod puppetfile;
mod references;
mod repairs;
mod ruby;
mod ruby_types;
mod schema;
mod stream;
mod usage;
mod versions;

use std::sync::Arc;

use crate::data::{Document, LocationTree};
use crate::error::Error;
use crate::explain::mismatch::{Mismatch, Step, explain, path_as_code};
use crate::limits;
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::Value;
use crate::wording::pluralize;
pub(crate) use attributes::core_attribute_names;
pub use fix::{Edit, Fix, FixedSource};
pub use hiera_data::{Checker, SharedRubyFiles};
pub use interface::Interface;
pub use lint::{RULES, Rule};
pub use program::Program;
pub use puppetfile::Puppetfile;
pub use schema::schema;
pub use stream::{PieceKind, check_data_source, check_pieces};
pub use versions::{Change, Comparison, VersionPart, compare_modules};

const TYPE_MISMATCH: &str = "TYPE_MISMATCH";

/// An error or a warning about a checked file.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Whether it is an error rather than a warning.
    pub is_error: bool,
    /// The message, with its location in the file.
    pub error: Error,
    /// The type mismatch that is reported, or `None` if the finding is about something else.
    pub mismatch: Option<Mismatch>,
    /// The edits that remove the finding, or `None` if no fix is certain.
    pub fix: Option<Fix>,
}

impl Finding {
    pub(crate) fn from_error(error: Error) -> Finding {
        Finding { is_error: true, error, mismatch: None, fix: None }
    }

    pub(crate) fn from_warning(error: Error) -> Finding {
        Finding { is_error: false, error, mismatch: None, fix: None }
    }

    fn help(&mut self, help: impl Into<String>) {
        self.error.add_help(help);
    }

    fn help_if(&mut self, help: Option<String>) {
        if let Some(help) = help {
            self.help(help);
        }
    }
}

/// The result of checking one file.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// The findings, in the order of the source.
    pub findings: Vec<Finding>,
    /// The number of comparisons made: of values with types, and of names with declarations.
    pub compared: usize,
    /// One reason for each thing in the file that could not be checked.
    pub unjudged: Vec<UncheckedReason>,
}

/// The reason why something in a file could not be checked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum UncheckedReason {
    /// A key of Hiera data that does not name a parameter of a known class, such as a key without `::`.
    PlainKey,
    /// A key of Hiera data that is not a class parameter, but that code or other data looks up by name.
    LookupKey,
    /// A key that is looked up and that may be set in Hiera data which pcore cannot read.
    UnseenKey,
    /// A name that belongs to a module that is not installed. Contains the name of the module.
    MissingModule(String),
    /// A value that is known only at run time.
    RunTime,
    /// A call of an unknown function, which a missing module may define. Contains the function's name.
    UnknownFunction(String),
    /// A use of an unknown type, which a missing module may define. Contains the type's name.
    UnknownType(String),
    /// A use of an unknown variable, which may be a fact of a missing module. Contains the variable's name.
    UnknownVariable(String),
    /// A file that does not contain Hiera data, or a `hiera.yaml` of version 3.
    NotHieraData,
    /// A Bolt plan. Plans are not checked, because the functions of Bolt are not known.
    Plan,
}

impl UncheckedReason {
    /// Returns the reason with `count` as a phrase for the summary, such as `3 keys without a class`.
    pub fn describe_count(&self, count: usize) -> String {
        let (thing, rest) = match self {
            UncheckedReason::PlainKey => ("key", "without a class".to_owned()),
            UncheckedReason::LookupKey => ("key", "read by lookup".to_owned()),
            UncheckedReason::UnseenKey => ("key", "that data which cannot be read may have".to_owned()),
            UncheckedReason::MissingModule(module) => ("name", format!("in the missing module {module}")),
            UncheckedReason::RunTime => ("value", "known only at run time".to_owned()),
            UncheckedReason::UnknownFunction(name) => ("call", format!("of the unknown function {name}")),
            UncheckedReason::UnknownType(name) => ("use", format!("of the unknown type {name}")),
            UncheckedReason::UnknownVariable(name) => ("use", format!("of the unknown variable ${name}")),
            UncheckedReason::NotHieraData => ("file", "without Hiera data".to_owned()),
            UncheckedReason::Plan => ("Bolt plan", String::new()),
        };
        format!("{} {rest}", pluralize(count, thing)).trim_end().to_owned()
    }
}

impl Checked {
    /// Returns the result for a file that cannot be read or parsed: `error` is its only finding.
    #[doc(hidden)] // for the program
    pub fn from_read_error(error: Error) -> Checked {
        Checked { findings: vec![Finding::from_error(error)], ..Checked::default() }
    }

    /// Whether no finding is an error; warnings are allowed.
    pub fn has_no_errors(&self) -> bool {
        self.findings.iter().all(|finding| !finding.is_error)
    }

    fn from_warnings_of_document(document: &Document) -> Checked {
        let findings = document.warnings.iter().cloned().map(Finding::from_warning).collect();
        Checked { findings, ..Checked::default() }
    }

    fn add_error(&mut self, source: &Arc<Source>, span: Span, error: Error) -> &mut Finding {
        self.findings.push_mut(Finding::from_error(attach_location(error, source, span)))
    }

    fn add_warning(&mut self, source: &Arc<Source>, span: Span, error: Error) -> &mut Finding {
        self.findings.push_mut(Finding::from_warning(attach_location(error, source, span)))
    }

    fn sort_findings(&mut self) {
        self.findings.sort_by_key(|finding| finding.error.span().map(|span| span.start));
    }
}

/// Checks the value of a whole document against a type.
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
    fix::check_and_verify_fixes(document, |document| check_against_type(document, type_))
}

fn check_against_type(document: &Document, type_: &Type) -> Checked {
    let mut checked = Checked { compared: 1, ..Checked::from_warnings_of_document(document) };
    let wrong = mismatched_parts(type_, &document.value).into_iter();
    checked.findings.extend(wrong.map(|wrong| mismatch_finding(document, wrong)));
    let shown = (type_.clone(), document.value.clone(), document.place.clone());
    hidden::hide_sensitive_values(&document.source, [shown], false, &mut checked);
    checked.sort_findings();
    checked
}

/// A part of a value that does not match its type, and the type of the collection that directly contains the part.
struct MismatchedPart {
    mismatch: Mismatch,
    collection_type: Type,
    /// Whether adding or removing brackets around an enclosing value could also fix the mismatch.
    has_competing_fix: bool,
}

impl MismatchedPart {
    fn innermost_parts(whole: &Mismatch) -> Vec<MismatchedPart> {
        let (mut parts, mut pending) = (Vec::new(), vec![(whole, &whole.expected, false)]);
        while let Some((mismatch, within, has_rival)) = pending.pop() {
            // Observed: Puppet 7.23 gives a parameter any value where its type is a Variant without types.
            let is_any = matches!(&mismatch.expected, Type::Variant(variant) if variant.types().is_empty());
            if mismatch.causes.is_empty() && !is_any {
                parts.push(MismatchedPart {
                    mismatch: mismatch.clone(),
                    collection_type: within.clone(),
                    has_competing_fix: has_rival,
                });
            }
            let has_rival = has_rival || repairs::may_need_brackets(mismatch);
            pending.extend(mismatch.causes.iter().rev().map(|cause| (cause, &mismatch.expected, has_rival)));
        }
        parts
    }

    fn with_path_prefix(mut self, steps: &[Step]) -> MismatchedPart {
        self.mismatch.path.splice(..0, steps.iter().cloned());
        self
    }
}

fn mismatched_parts(type_: &Type, value: &Value) -> Vec<MismatchedPart> {
    explain(type_, value).map_or_else(Vec::new, |mismatch| MismatchedPart::innermost_parts(&mismatch))
}

fn mismatch_finding(document: &Document, wrong: MismatchedPart) -> Finding {
    let fix = repairs::propose_fix(document, &wrong);
    let mismatch = wrong.mismatch;
    let span = first_line_of_span(&document.source, document.place.span_at_path(&mismatch.path));
    let error = attach_location(Error::new(TYPE_MISMATCH, mismatch_message(&mismatch)), &document.source, span);
    let error = mismatch_advice(document, span, &mismatch).into_iter().fold(error, Error::with_help);
    Finding { is_error: true, error, mismatch: Some(mismatch), fix }
}

/// Returns the message for a mismatch: its path and problem, as in `'web::port' expected Integer, got String '80'`.
fn mismatch_message(mismatch: &Mismatch) -> String {
    match path_as_code(mismatch.path_to_found()) {
        path if path.is_empty() => mismatch.problem(),
        path => format!("{path}: {}", mismatch.problem()),
    }
}

/// Returns the help for a mismatch: a suggested value, or the advice to add or remove quotes if the value then matches.
fn mismatch_advice(document: &Document, span: Span, mismatch: &Mismatch) -> Option<String> {
    let (expected, got) = (&mismatch.expected, &mismatch.found);
    let is_program = document.format.is_none();
    if let Some(suggestion) = mismatch.suggestions.iter().find(|suggestion| is_program || !suggestion.is_code) {
        return Some(suggestion.text.clone());
    }
    let written = document.source.slice(span);
    match got {
        Value::String(text) if written.starts_with(['"', '\'']) => {
            let value = document.format?.parse_unquoted(text).filter(|value| expected.has_instance(value));
            value.map(|_| format!("remove the quotes: {text}"))
        }
        Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
            let in_quotes = !written.is_empty() && expected.has_instance(&Value::from(written));
            in_quotes.then(|| format!("quote it: '{written}'"))
        }
        _ => None,
    }
}

fn first_line_of_span(source: &Source, span: Span) -> Span {
    let line = source.slice(span).split('\n').next().unwrap_or_default();
    Span::new(span.range().start, span.range().start + line.len())
}

#[expect(clippy::expect_used, reason = "the text is a constant")]
fn parse_constant_type(text: &str) -> Type {
    limits::run_with_default_limits(|| text.parse()).expect("a constant type is valid")
}

fn attach_location(error: Error, source: &Arc<Source>, span: Span) -> Error {
    error.at(first_line_of_span(source, span)).in_source(source)
}

impl Document {
    fn from_program(source: &Arc<Source>, value: Value, place: LocationTree) -> Document {
        Document { source: source.clone(), value, place, warnings: Vec::new(), format: None }
    }
}
