//! Renders errors for terminals: message, source line with a caret, other locations, help. Needs the feature `report`.

use std::{ops::Range, ptr, sync::Arc};

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};

use crate::error::{Error, Label, RUNTIME_ERROR};
use crate::text::{Source, Span};
use crate::wording::{strip_colour_codes, to_printable, wrap_line};

/// The minimum width of a report in columns, however narrow the screen is.
const MIN_REPORT_COLUMNS: usize = 40;

/// The maximum bytes of source shown before the first and after the last location of an error; longer lines are cut.
const MAX_CONTEXT_BYTES: usize = 2000;

/// Whether a report is about an error or a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The report starts with `error: …`; the error stops the evaluation or fails the check.
    Error,
    /// The report starts with `warning: …`; the evaluation continues.
    Warning,
}

/// Options of [`render`]: colours, width, and the source that needs no name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'s> {
    /// Whether the report has ANSI colours.
    pub is_coloured: bool,
    /// The width of the screen: longer messages are wrapped, and longer source lines are cut around the error.
    pub columns: Option<usize>,
    /// The source that the user has just typed: its excerpts are shown without its name.
    pub unnamed_source: Option<&'s Source>,
}

/// Formats `error` as a report of several lines, without a newline at the end.
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
    let message = to_printable(error.message());
    let mut title = level.primary_title(&*message);
    // The code of errors that have no other says nothing.
    if error.code() != RUNTIME_ERROR {
        title = title.id(error.code());
    }
    let mut group = Group::with_title(title);
    if let (Some(source), Some(span)) = (error.source_text(), error.span()) {
        group = group.element(annotated_excerpt(source, options.unnamed_source, error, Some(span)));
        let mut shown = vec![source];
        for other in error.labels().iter().filter_map(Label::source_text) {
            if !shown.iter().any(|shown| Arc::ptr_eq(shown, other)) {
                group = group.element(annotated_excerpt(other, options.unnamed_source, error, None));
                shown.push(other);
            }
        }
    }
    group = group.elements(error.help().iter().map(|help| Level::HELP.message(to_printable(help))));
    let mut renderer = if options.is_coloured { Renderer::styled() } else { Renderer::plain() };
    let columns = options.columns.map(|columns| columns.max(MIN_REPORT_COLUMNS));
    if let Some(columns) = columns {
        renderer = renderer.term_width(columns);
    }
    let report = correct_printed_column(renderer.render(&[group]), error);
    let report = if let Some(columns) = columns { wrap_message_and_help(&report, columns) } else { report };
    // The code is dimmed.
    let code = format!("[{}]", error.code());
    if options.is_coloured { report.replacen(&code, &format!("\x1b[0m\x1b[2m{code}\x1b[0m\x1b[1m"), 1) } else { report }
}

/// Corrects the column of `error` in `report`: the renderer counts from the start of the excerpt, not of the line.
fn correct_printed_column(report: String, error: &Error) -> String {
    let (Some(source), Some(position)) = (error.source_text(), error.position()) else { return report };
    let places = marked_locations(source, error, error.span());
    let start = source.position(excerpt_range(source.shown_text(), &places).start);
    if start.column == 1 || position.line > start.line {
        return report;
    }
    let place = |column: usize| format!("{}:{}:{column}", to_printable(source.name()), position.line);
    report.replacen(&place(position.column - (start.column - 1)), &place(position.column), 1)
}

/// Wraps the message and the help in `report` at spaces. Excerpts of the source keep their lines.
fn wrap_message_and_help(report: &str, columns: usize) -> String {
    const HELP_PREFIX: &str = "= help: ";
    let lines = report.split('\n').enumerate().map(|(number, line)| {
        let shown = strip_colour_codes(line);
        match shown.find(HELP_PREFIX) {
            Some(at) if shown[..at].trim().is_empty() => wrap_line(line, columns, at + HELP_PREFIX.len()),
            _ if number == 0 => wrap_line(line, columns, 4),
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn annotated_excerpt<'e>(
    source: &'e Arc<Source>,
    unnamed_source: Option<&Source>,
    error: &'e Error,
    primary_span: Option<Span>,
) -> Snippet<'e, Annotation<'e>> {
    let places = marked_locations(source, error, primary_span);
    let lines = excerpt_range(source.shown_text(), &places);
    let annotations = places.into_iter().map(|(kind, place, text)| {
        kind.span(place.start - lines.start..place.end - lines.start).label(text.map(to_printable))
    });
    let first_line = source.position(lines.start).line;
    let snippet = Snippet::source(&source.shown_text()[lines.clone()]).line_start(first_line).annotations(annotations);
    let is_current = unnamed_source.is_some_and(|current| ptr::eq(current, &raw const **source));
    if is_current { snippet } else { snippet.path(to_printable(source.name())) }
}

/// A marked location in a source: the kind of mark, the byte range, and the label if there is one.
type MarkedLocation<'e> = (AnnotationKind, Range<usize>, Option<&'e str>);

fn marked_locations<'e>(source: &Arc<Source>, error: &'e Error, primary: Option<Span>) -> Vec<MarkedLocation<'e>> {
    let here = error.labels().iter().filter(|label| label.source_text().is_some_and(|one| Arc::ptr_eq(source, one)));
    let labels = here.map(|label| (AnnotationKind::Context, clamped_range(source, label.span), Some(&*label.text)));
    labels.chain(primary.map(|span| (AnnotationKind::Primary, clamped_range(source, span), None))).collect()
}

/// Returns the byte range in `text` of the lines with `places` and one line before and after, the excerpt to render.
fn excerpt_range(text: &str, places: &[MarkedLocation<'_>]) -> Range<usize> {
    let first = places.iter().map(|(_, place, _)| place.start).min().unwrap_or(0);
    let last = places.iter().map(|(_, place, _)| place.end).max().unwrap_or(text.len());
    let before = &text[text.floor_char_boundary(first.saturating_sub(MAX_CONTEXT_BYTES))..first];
    let after = &text[last..text.ceil_char_boundary(last + MAX_CONTEXT_BYTES)];
    let lines_before = before.rmatch_indices('\n').nth(1).map_or(before, |(at, _)| &before[at + 1..]);
    let lines_after = after.match_indices('\n').nth(1).map_or(after, |(at, _)| &after[..=at]);
    first - lines_before.len()..last + lines_after.len()
}

/// Returns `span` as a byte range within the shown text of `source`, moved back to character boundaries.
fn clamped_range(source: &Source, span: Span) -> Range<usize> {
    let text = source.shown_text();
    let boundary = |end: usize| (0..=end.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let start = boundary(span.range().start);
    start..boundary(span.range().end).max(start)
}
