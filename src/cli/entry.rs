//! Runs one entry of a session and passes its output to a sink, for the prompt and for transcripts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{sync::Arc, time::Instant};

use pcore::functions::Level;
use pcore::report::{self, Options, Severity};
use pcore::session::commands::{CommandLine, Kind};
use pcore::session::{Console, Event, FrontendRequest, INTERRUPTED, Reply, Request};
use pcore::text::Source;
use pcore::value::Value;
use pcore::wording::to_printable;

use super::show::{self, DIM, Palette};
use super::{Error, completions::explain_lint_rule, data_file, input, style::OutputStyle};

/// The message after a panic, whose own message is already on standard error.
const BUG_MESSAGE: &str = "this is a bug in pcore; please report your input and the lines above";

#[derive(Debug)]
pub(super) enum OutputEvent {
    /// An event, with the number of its value if results are numbered: `3` for `$_3`.
    Event(Event, Option<usize>),
    /// The reply to an entry, or the reason why it failed.
    Reply(Reply),
    /// Output that differs from run to run, such as times.
    Aside(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OutputStream {
    /// Standard output: values, notices, the output of commands.
    Out,
    /// Standard output; through the pager if the text is taller than the screen.
    Page,
    Err,
}

#[derive(Debug)]
pub(super) enum EntryOutcome {
    Done,
    Failed,
    Interrupted,
    Requested(FrontendRequest),
    Quit,
}

pub(super) type EventSink<'s> = dyn FnMut(OutputEvent) + Send + 's;

impl OutputEvent {
    /// Returns the styled text and the stream to write it to. Errors in `entry` itself have no source name.
    pub(super) fn render(&self, entry: &str, style: &OutputStyle) -> (String, OutputStream) {
        let OutputStyle { out, err, .. } = *style;
        match self {
            OutputEvent::Event(Event::Value(value) | Event::Assigned(value), number) => {
                (style.render_result(value, *number), OutputStream::Out)
            }
            OutputEvent::Event(Event::Log { level, message, .. }, _) if *level < Level::Warning => {
                (show::format_log_message(*level, message, out), OutputStream::Out)
            }
            OutputEvent::Event(Event::Log { level, message, .. }, _) => {
                (show::format_log_message(*level, message, err), OutputStream::Err)
            }
            OutputEvent::Event(Event::Warning(warning), _) => {
                (render_problem(warning, Severity::Warning, entry, style), OutputStream::Err)
            }
            OutputEvent::Aside(text) => (err.paint_text(DIM, &to_printable(text)), OutputStream::Err),
            OutputEvent::Reply(reply) => match reply {
                Reply::Asked(Request::Show(value)) => (style.render_whole_value(value), OutputStream::Page),
                Reply::Text(text) => (style.render_text(text), OutputStream::Page),
                Reply::Columns(columns) => (style.render_text(&columns.to_text(style.width)), OutputStream::Page),
                Reply::Code(text) => (style.render_code(text), OutputStream::Page),
                Reply::Verbatim(text) => (to_printable(text).into_owned(), OutputStream::Page),
                Reply::Refused(message) => (style.render_refusal(&to_printable(message)), OutputStream::Err),
                // After Ctrl-C nobody needs the location.
                Reply::Failed(error) if error.code() == INTERRUPTED => {
                    (err.paint_text(DIM, "interrupted"), OutputStream::Err)
                }
                Reply::Failed(error) | Reply::Unfinished(error) => {
                    (render_problem(error, Severity::Error, entry, style), OutputStream::Err)
                }
                Reply::Done | Reply::Quit | Reply::Asked(_) => (String::new(), OutputStream::Out),
            },
        }
    }

    pub(super) fn value(&self) -> Option<&Value> {
        match self {
            OutputEvent::Event(Event::Value(value) | Event::Assigned(value), _) => Some(value),
            _ => None,
        }
    }

    pub(super) fn is_problem(&self) -> bool {
        match self {
            OutputEvent::Event(Event::Log { level, .. }, _) => *level >= Level::Warning,
            OutputEvent::Event(Event::Warning(_), _) | OutputEvent::Reply(Reply::Failed(_) | Reply::Refused(_)) => true,
            _ => false,
        }
    }
}

/// Evaluates the entry `text` or performs its command, and passes the output to `sink`.
pub(super) fn run_entry(session: &mut Console, text: &str, sink: &mut EventSink<'_>) -> EntryOutcome {
    let start = Instant::now();
    let outcome = run_and_report_error(session, sink, |session, sink| evaluate_entry(session, text, sink));
    if session.settings.is_timing_shown && CommandLine::parse(text).is_none() {
        sink(elapsed_time_event(start));
    }
    outcome
}

pub(super) fn run_file(session: &mut Console, path: &str, sink: &mut EventSink<'_>) -> EntryOutcome {
    run_and_report_error(session, sink, |session, sink| load_files(session, &[path.to_owned()], sink))
}

/// Calls `run` and passes its error to `sink`. A panic is an error, too: a bug must not end the session.
fn run_and_report_error(
    session: &mut Console,
    sink: &mut EventSink<'_>,
    run: impl FnOnce(&mut Console, &mut EventSink<'_>) -> Result<EntryOutcome, Reply>,
) -> EntryOutcome {
    let result = catch_unwind(AssertUnwindSafe(|| run(session, sink)));
    let failure = match result.unwrap_or_else(|_| Err(Reply::Refused(BUG_MESSAGE.to_owned()))) {
        Ok(outcome) => return outcome,
        Err(failure) => failure,
    };
    let is_interrupted = matches!(&failure, Reply::Failed(error) if error.code() == INTERRUPTED);
    sink(OutputEvent::Reply(failure));
    if is_interrupted { EntryOutcome::Interrupted } else { EntryOutcome::Failed }
}

fn evaluate_entry(session: &mut Console, text: &str, sink: &mut EventSink<'_>) -> Result<EntryOutcome, Reply> {
    let names_issue =
        |typed: &CommandLine<'_>| matches!(typed.argument_kind(), Some(Kind::Issue | Kind::Name | Kind::Word));
    let typed = CommandLine::parse(text).filter(names_issue);
    if let Some(rule) = typed.and_then(|typed| explain_lint_rule(typed.argument)) {
        sink(OutputEvent::Reply(Reply::Text(rule)));
        return Ok(EntryOutcome::Done);
    }
    let (mut results, numbers) = (session.result_count(), session.settings.are_results_numbered);
    let mut numbered = |event: Event| {
        let is_numbered = numbers && matches!(event, Event::Value(_) | Event::Assigned(_));
        results += usize::from(is_numbered);
        OutputEvent::Event(event, is_numbered.then_some(results))
    };
    let answer = match session.enter(text, &mut |event| sink(numbered(event))) {
        Reply::Done => return Ok(EntryOutcome::Done),
        Reply::Quit => return Ok(EntryOutcome::Quit),
        failure @ (Reply::Refused(_) | Reply::Unfinished(_) | Reply::Failed(_)) => return Err(failure),
        Reply::Asked(request) => match request {
            Request::Load(paths) if !paths.iter().any(|path| session.describe_loaded_file(path).is_some()) => {
                return load_files(session, &paths, sink);
            }
            Request::Load(paths) | Request::Reload(paths) => {
                let before = session.checkpoint();
                session.forget_modules();
                let outcome = run_and_report_error(session, sink, |session, sink| load_files(session, &paths, sink));
                if !matches!(outcome, EntryOutcome::Done) {
                    session.restore(before);
                    sink(OutputEvent::Reply(Reply::Text("the earlier definitions are kept".to_owned())));
                }
                return Ok(outcome);
            }
            Request::Time(code) => {
                let start = Instant::now();
                let outcome = run_and_report_error(session, sink, |session, sink| evaluate_entry(session, &code, sink));
                sink(elapsed_time_event(start));
                return Ok(outcome);
            }
            Request::Read(path, variable) => {
                let value = data_file::parse_data_file(&read_permitted_file(session, &path)?)?;
                session.store_value(variable.as_deref(), value.clone())?;
                let event = Event::Value(value);
                if variable.is_none() { numbered(event) } else { OutputEvent::Event(event, None) }
            }
            Request::Show(_) => OutputEvent::Reply(Reply::Asked(request)),
            Request::Frontend(request) => return Ok(EntryOutcome::Requested(request)),
        },
        reply => OutputEvent::Reply(reply),
    };
    sink(answer);
    Ok(EntryOutcome::Done)
}

fn read_permitted_file(session: &Console, path: &str) -> Result<Arc<Source>, Reply> {
    let file = input::expand_home(path);
    session.check_readable(&file)?;
    input::read_source(&file).map_err(Reply::Refused)
}

fn elapsed_time_event(start: Instant) -> OutputEvent {
    OutputEvent::Aside(format!("took {:.1?}", start.elapsed()))
}

fn load_files(session: &mut Console, paths: &[String], sink: &mut EventSink<'_>) -> Result<EntryOutcome, Reply> {
    for path in paths {
        let source = read_permitted_file(session, path)?;
        session.load(&source, &mut |event| {
            if !matches!(event, Event::Assigned(_)) {
                sink(OutputEvent::Event(event, None));
            }
        })?;
        let defined = session.describe_loaded_file(source.name()).map(Reply::Text).map(OutputEvent::Reply);
        defined.into_iter().for_each(&mut *sink);
    }
    Ok(EntryOutcome::Done)
}

/// Formats `error` as a report, without the name of its source if the error is in `entry` itself.
fn render_problem(error: &Error, severity: Severity, entry: &str, style: &OutputStyle) -> String {
    let current = error.source_text().map(AsRef::as_ref).filter(|source: &&Source| entry.ends_with(source.text()));
    let options = Options { is_coloured: style.err != Palette::Plain, columns: style.width, unnamed_source: current };
    report::render(error, severity, options)
}
