//! Errors as text for people: message, source line with a caret, further locations, advice. Needs the feature `report`.

use std::{ops::Range, ptr, sync::Arc};

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use crate::error::{Error, Label, RUNTIME_ERROR};
use crate::text::{Source, Span};
use crate::wording::{printable, without_escapes, wrap};

/// Narrower reports would show too little of a line.
const LEAST_COLUMNS: usize = 40;

/// So much is shown at most before and after the places of an error.
const MOST_BYTES: usize = 2000;

/// How an error affects the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// `error: …`: it ends the program.
    Error,
    /// `warning: …`: the program goes on.
    Warning,
}

/// How a report looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'s> {
    /// Whether the report has ANSI colours.
    pub is_coloured: bool,
    /// The width of the screen: of a longer line only the part around the error is shown.
    pub columns: Option<usize>,
    /// The source that the reader has just typed, whose name is left out.
    pub current: Option<&'s Source>,
}

/// Writes a report of an error, in several lines without a newline at the end.
///
/// ```
/// use pcore::report::{Options, Severity, render};
/// use pcore::session::Session;
/// use pcore::text::Source;
///
/// let source = Source::new("site.pp", "[1, 2");
/// let error = Session::default().evaluate(&source, &mut |_| {}).unwrap_err();
/// let report = render(&error, Severity::Error, Options::default());
/// assert!(report.contains("site.pp:1:6"), "{report}");
/// ```
pub fn render(error: &Error, severity: Severity, options: Options<'_>) -> String {
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let message = printable(error.message());
    let mut title = level.primary_title(&*message);
    // The code of errors that have no other says nothing.
    if error.code() != RUNTIME_ERROR {
        title = title.id(error.code());
    }
    let mut group = Group::with_title(title);
    if let (Some(source), Some(span)) = (error.source_text(), error.span()) {
        group = group.element(snippet(source, options.current, error, Some(span)));
        let mut shown = vec![source];
        for other in error.labels().iter().filter_map(Label::source_text) {
            if !shown.iter().any(|shown| Arc::ptr_eq(shown, other)) {
                group = group.element(snippet(other, options.current, error, None));
                shown.push(other);
            }
        }
    }
    group = group.elements(error.help().iter().map(|help| Level::HELP.message(printable(help))));
    let mut renderer = if options.is_coloured { Renderer::styled() } else { Renderer::plain() };
    let columns = options.columns.map(|columns| columns.max(LEAST_COLUMNS));
    if let Some(columns) = columns {
        renderer = renderer.term_width(columns);
    }
    let report = with_columns_before(renderer.render(&[group]), error);
    let report = if let Some(columns) = columns { wrapped(&report, columns) } else { report };
    if options.is_coloured { dim_issue(&report, error.code()) } else { report }
}

/// Corrects the column of an error in a text that begins within its line: the renderer counts from its beginning.
fn with_columns_before(report: String, error: &Error) -> String {
    let (Some(source), Some(position)) = (error.source_text(), error.position()) else { return report };
    let places = places(source, error, error.span());
    let start = source.position(lines_around(source.shown(), &places).start);
    if start.column == 1 || position.line > start.line {
        return report;
    }
    let place = |column: usize| format!("{}:{}:{column}", printable(source.name()), position.line);
    report.replacen(&place(position.column - (start.column - 1)), &place(position.column), 1)
}

/// Wraps the message and the advice at spaces; excerpts of the source keep their lines.
fn wrapped(report: &str, columns: usize) -> String {
    const HELP: &str = "= help: ";
    let lines = report.split('\n').enumerate().map(|(number, line)| {
        let shown = without_escapes(line);
        match shown.find(HELP) {
            Some(at) if shown[..at].trim().is_empty() => wrap(line, columns, at + HELP.len()),
            _ if number == 0 => wrap(line, columns, 4),
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A source with the primary location of an error, if that is in it, and the further ones.
fn snippet<'e>(
    source: &'e Arc<Source>,
    current: Option<&Source>,
    error: &'e Error,
    primary: Option<Span>,
) -> Snippet<'e, Annotation<'e>> {
    let places = places(source, error, primary);
    let lines = lines_around(source.shown(), &places);
    let annotations = places.into_iter().map(|(kind, place, text)| {
        kind.span(place.start - lines.start..place.end - lines.start).label(text.map(printable))
    });
    let first_line = source.position(lines.start).line;
    let snippet = Snippet::source(&source.shown()[lines.clone()]).line_start(first_line).annotations(annotations);
    let is_current = current.is_some_and(|current| ptr::eq(current, &raw const **source));
    if is_current { snippet } else { snippet.path(printable(source.name())) }
}

/// What is marked, where, and with which text.
type Place<'e> = (AnnotationKind, Range<usize>, Option<&'e str>);

/// The places of an error in a source.
fn places<'e>(source: &Arc<Source>, error: &'e Error, primary: Option<Span>) -> Vec<Place<'e>> {
    let here = error.labels().iter().filter(|label| label.source_text().is_some_and(|one| Arc::ptr_eq(source, one)));
    let labels = here.map(|label| (AnnotationKind::Context, visible(source, label.span), Some(&*label.text)));
    labels.chain(primary.map(|span| (AnnotationKind::Primary, visible(source, span), None))).collect()
}

/// The lines of some places with one more on each side: the renderer would look through the whole text.
fn lines_around(text: &str, places: &[Place<'_>]) -> Range<usize> {
    let first = places.iter().map(|(_, place, _)| place.start).min().unwrap_or(0);
    let last = places.iter().map(|(_, place, _)| place.end).max().unwrap_or(text.len());
    let before = &text[text.floor_char_boundary(first.saturating_sub(MOST_BYTES))..first];
    let after = &text[last..text.ceil_char_boundary(last + MOST_BYTES)];
    let lines_before = before.rmatch_indices('\n').nth(1).map_or(before, |(at, _)| &before[at + 1..]);
    let lines_after = after.match_indices('\n').nth(1).map_or(after, |(at, _)| &after[..=at]);
    first - lines_before.len()..last + lines_after.len()
}

/// The span as the renderer needs it: on whole characters, within the text.
fn visible(source: &Source, span: Span) -> Range<usize> {
    let text = source.shown();
    let boundary = |end: usize| (0..=end.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let start = boundary(span.range().start);
    start..boundary(span.range().end).max(start)
}

fn dim_issue(report: &str, issue: &str) -> String {
    report.replacen(&format!("[{issue}]"), &format!("\x1b[0m\x1b[2m[{issue}]\x1b[0m\x1b[1m"), 1)
}
