//! Runs one entry of a session and passes its output to a sink, for the prompt and for transcripts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{sync::Arc, time::Instant};

use pcore::functions::Level;
use pcore::report::{self, Options, Severity};
use pcore::session::commands::{CommandLine, Kind};
use pcore::session::{Columns, Console, Event, FrontendRequest, INTERRUPTED, Reply, Request};
use pcore::text::Source;
use pcore::value::Value;
use pcore::wording::to_printable;

use super::show::{self, DIM, Palette};
use super::{Error, StopReason, completions::explain_lint_rule, data_file, input, style::OutputStyle};

/// The message after a panic, whose own message is already on standard error.
const BUG_MESSAGE: &str = "this is a bug in pcore; please report your input and the lines above";

#[derive(Debug)]
pub(super) enum OutputEvent {
    /// A result, and its number if results are numbered: `3` for `$_3`.
    Value(Value, Option<usize>),
    Whole(Value),
    /// Output of a command: prose with pieces of code.
    Text(String),
    Columns(Columns),
    Verbatim(String),
    Code(String),
    Log(Level, String),
    Warning(Error),
    Failure(Error),
    /// An error without a location: the reason why a command could not be performed.
    Refusal(String),
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
            OutputEvent::Value(value, number) => (style.render_result(value, *number), OutputStream::Out),
            OutputEvent::Whole(value) => (style.render_whole_value(value), OutputStream::Page),
            OutputEvent::Text(text) => (style.render_text(text), OutputStream::Page),
            OutputEvent::Columns(columns) => (style.render_text(&columns.to_text(style.width)), OutputStream::Page),
            OutputEvent::Code(text) => (style.render_code(text), OutputStream::Page),
            OutputEvent::Verbatim(text) => (to_printable(text).into_owned(), OutputStream::Page),
            OutputEvent::Log(level, text) if *level < Level::Warning => {
                (show::format_log_message(*level, text, out), OutputStream::Out)
            }
            OutputEvent::Log(level, text) => (show::format_log_message(*level, text, err), OutputStream::Err),
            OutputEvent::Warning(warning) => {
                (render_problem(warning, Severity::Warning, entry, style), OutputStream::Err)
            }
            // After Ctrl-C nobody needs the location.
            OutputEvent::Failure(error) if error.code() == INTERRUPTED => {
                (err.paint_text(DIM, "interrupted"), OutputStream::Err)
            }
            OutputEvent::Failure(error) => (render_problem(error, Severity::Error, entry, style), OutputStream::Err),
            OutputEvent::Refusal(message) => (style.render_refusal(&to_printable(message)), OutputStream::Err),
            OutputEvent::Aside(text) => (err.paint_text(DIM, &to_printable(text)), OutputStream::Err),
        }
    }

    pub(super) fn is_problem(&self) -> bool {
        match self {
            OutputEvent::Warning(_) | OutputEvent::Failure(_) | OutputEvent::Refusal(_) => true,
            OutputEvent::Log(level, _) => *level >= Level::Warning,
            _ => false,
        }
    }
}

impl From<Event> for OutputEvent {
    fn from(event: Event) -> OutputEvent {
        match event {
            Event::Value(value) | Event::Assigned(value) => OutputEvent::Value(value, None),
            Event::Log { level, message, .. } => OutputEvent::Log(level, message),
            Event::Warning(warning) => OutputEvent::Warning(warning),
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

/// Calls `run` and passes its error to `sink`. A panic is reported as an error: a bug must not end the session.
fn run_and_report_error(
    session: &mut Console,
    sink: &mut EventSink<'_>,
    run: impl FnOnce(&mut Console, &mut EventSink<'_>) -> Result<EntryOutcome, StopReason>,
) -> EntryOutcome {
    let result = catch_unwind(AssertUnwindSafe(|| run(session, sink)));
    let (outcome, event) = match result.unwrap_or_else(|_| Err(BUG_MESSAGE.to_owned().into())) {
        Ok(outcome) => return outcome,
        Err(StopReason::Error(error, _)) if error.code() == INTERRUPTED => {
            (EntryOutcome::Interrupted, OutputEvent::Failure(*error))
        }
        Err(StopReason::Error(error, _)) => (EntryOutcome::Failed, OutputEvent::Failure(*error)),
        Err(StopReason::Message(message, _)) => (EntryOutcome::Failed, OutputEvent::Refusal(message)),
        Err(StopReason::Io(error)) => (EntryOutcome::Failed, OutputEvent::Refusal(error.to_string())),
    };
    sink(event);
    outcome
}

fn evaluate_entry(session: &mut Console, text: &str, sink: &mut EventSink<'_>) -> Result<EntryOutcome, StopReason> {
    let names_issue =
        |typed: &CommandLine<'_>| matches!(typed.argument_kind(), Some(Kind::Issue | Kind::Name | Kind::Word));
    let typed = CommandLine::parse(text).filter(names_issue);
    if let Some(rule) = typed.and_then(|typed| explain_lint_rule(typed.argument)) {
        sink(OutputEvent::Text(rule));
        return Ok(EntryOutcome::Done);
    }
    let (mut results, numbers) = (session.result_count(), session.settings.are_results_numbered);
    let mut numbered = |event: OutputEvent| match event {
        OutputEvent::Value(value, None) if numbers => {
            results += 1;
            OutputEvent::Value(value, Some(results))
        }
        event => event,
    };
    let answer = match session.enter(text, &mut |event| sink(numbered(event.into()))) {
        Reply::Done => return Ok(EntryOutcome::Done),
        Reply::Quit => return Ok(EntryOutcome::Quit),
        Reply::Text(text) => OutputEvent::Text(text),
        Reply::Columns(columns) => OutputEvent::Columns(columns),
        Reply::Code(text) => OutputEvent::Code(text),
        Reply::Verbatim(text) => OutputEvent::Verbatim(text),
        Reply::Refused(message) => return Err(message.into()),
        Reply::Unfinished(error) | Reply::Failed(error) => return Err(error.into()),
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
                    sink(OutputEvent::Text("the earlier definitions are kept".to_owned()));
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
                let event = OutputEvent::Value(value, None);
                if variable.is_none() { numbered(event) } else { event }
            }
            Request::Show(value) => OutputEvent::Whole(value),
            Request::Frontend(request) => return Ok(EntryOutcome::Requested(request)),
        },
    };
    sink(answer);
    Ok(EntryOutcome::Done)
}

fn read_permitted_file(session: &Console, path: &str) -> Result<Arc<Source>, StopReason> {
    let file = input::expand_home(path);
    session.check_readable(&file)?;
    Ok(input::read_source(&file)?)
}

fn elapsed_time_event(start: Instant) -> OutputEvent {
    OutputEvent::Aside(format!("took {:.1?}", start.elapsed()))
}

fn load_files(session: &mut Console, paths: &[String], sink: &mut EventSink<'_>) -> Result<EntryOutcome, StopReason> {
    for path in paths {
        let source = read_permitted_file(session, path)?;
        session.load(&source, &mut |event| {
            if !matches!(event, Event::Assigned(_)) {
                sink(event.into());
            }
        })?;
        session.describe_loaded_file(source.name()).map(OutputEvent::Text).into_iter().for_each(&mut *sink);
    }
    Ok(EntryOutcome::Done)
}

/// Formats `error` as a report, without the name of its source if the error is in `entry` itself.
fn render_problem(error: &Error, severity: Severity, entry: &str, style: &OutputStyle) -> String {
    let current = error.source_text().map(AsRef::as_ref).filter(|source: &&Source| entry.ends_with(source.text()));
    let options = Options { is_coloured: style.err != Palette::Plain, columns: style.width, unnamed_source: current };
    report::render(error, severity, options)
}
