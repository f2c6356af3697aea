//! Runs one entry of a session and reports its output, for the prompt and for transcripts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{sync::Arc, time::Instant};

use pcore::functions::Level;
use pcore::report::{self, Options, Severity};
use pcore::session::commands::{CommandLine, Kind};
use pcore::session::{Columns, Console, Event, FrontendRequest, INTERRUPTED, Reply, Request};
use pcore::text::Source;
use pcore::value::Value;
use pcore::wording::printable;

use super::show::{self, DIM, Palette};
use super::{Error, Stop, completions::explanation_of_rule, data_file, input, style::Style};

/// The message after a panic, whose own message is on standard error already.
const BUG: &str = "this is a bug in pcore; please report your input and the lines above";

#[derive(Debug)]
pub(super) enum OutputEvent {
    /// A result, with its number where results have one: `$_3`
    Value(Value, Option<usize>),
    /// A result that is never shortened.
    Whole(Value),
    /// Prose with pieces of code, the output of a command.
    Text(String),
    Columns(Columns),
    /// Output of a command that is printed unchanged.
    Verbatim(String),
    /// Lines of code, the output of a command.
    Code(String),
    Log(Level, String),
    Warning(Error),
    Failure(Error),
    /// The reason why a command cannot be run.
    Refusal(String),
    /// Text that differs from run to run, such as times.
    Aside(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// Standard output: values, notices, the text of commands.
    Out,
    /// Standard output, through the pager if it is taller than the screen.
    Page,
    /// Standard error: warnings and errors.
    Err,
}

#[derive(Debug)]
pub(super) enum EntryOutcome {
    Done,
    Failed,
    Interrupted,
    /// The entry requested something that only the prompt can do.
    Requested(FrontendRequest),
    Quit,
}

pub(super) type EventSink<'s> = dyn FnMut(OutputEvent) + Send + 's;

impl OutputEvent {
    /// The styled text and its stream. An error in `entry` itself is shown without the name of its source.
    pub(super) fn render(&self, entry: &str, style: &Style) -> (String, Stream) {
        let Style { out, err, .. } = *style;
        match self {
            OutputEvent::Value(value, number) => (style.result(value, *number), Stream::Out),
            OutputEvent::Whole(value) => (style.whole(value), Stream::Page),
            OutputEvent::Text(text) => (style.text(text), Stream::Page),
            OutputEvent::Columns(columns) => (style.text(&columns.text(style.width)), Stream::Page),
            OutputEvent::Code(text) => (style.code(text), Stream::Page),
            OutputEvent::Verbatim(text) => (printable(text).into_owned(), Stream::Page),
            OutputEvent::Log(level, text) if *level < Level::Warning => (show::log(*level, text, out), Stream::Out),
            OutputEvent::Log(level, text) => (show::log(*level, text, err), Stream::Err),
            OutputEvent::Warning(warning) => (render_problem(warning, Severity::Warning, entry, style), Stream::Err),
            // After Ctrl-C nobody needs the location.
            OutputEvent::Failure(error) if error.code() == INTERRUPTED => (err.paint(DIM, "interrupted"), Stream::Err),
            OutputEvent::Failure(error) => (render_problem(error, Severity::Error, entry, style), Stream::Err),
            OutputEvent::Refusal(message) => (style.refusal(&printable(message)), Stream::Err),
            OutputEvent::Aside(text) => (err.paint(DIM, &printable(text)), Stream::Err),
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

/// Runs an entry and whatever its command requests, unless that needs the prompt. The output goes to `sink`.
pub(super) fn run(session: &mut Console, text: &str, sink: &mut EventSink<'_>) -> EntryOutcome {
    // A bug must not end the session.
    let start = Instant::now();
    let outcome =
        catch_unwind(AssertUnwindSafe(|| evaluate_entry(session, text, sink))).unwrap_or_else(|_| refuse(BUG, sink));
    if session.settings.timing && CommandLine::of(text).is_none() {
        sink(elapsed_event(start));
    }
    outcome
}

/// Runs a file. The values of its expressions are results; those of its assignments are not.
pub(super) fn load(session: &mut Console, path: &str, sink: &mut EventSink<'_>) -> EntryOutcome {
    catch_unwind(AssertUnwindSafe(|| load_file(session, path, sink))).unwrap_or_else(|_| refuse(BUG, sink))
}

fn report_and_finish(event: OutputEvent, sink: &mut EventSink<'_>) -> EntryOutcome {
    sink(event);
    EntryOutcome::Done
}

fn refuse(message: impl Into<String>, sink: &mut EventSink<'_>) -> EntryOutcome {
    sink(OutputEvent::Refusal(message.into()));
    EntryOutcome::Failed
}

fn fail(error: Error, sink: &mut EventSink<'_>) -> EntryOutcome {
    let outcome = if error.code() == INTERRUPTED { EntryOutcome::Interrupted } else { EntryOutcome::Failed };
    sink(OutputEvent::Failure(error));
    outcome
}

fn evaluate_entry(session: &mut Console, text: &str, sink: &mut EventSink<'_>) -> EntryOutcome {
    let names_issue = |typed: &CommandLine<'_>| matches!(typed.kind(), Some(Kind::Issue | Kind::Name | Kind::Word));
    let typed = CommandLine::of(text).filter(names_issue);
    if let Some(rule) = typed.and_then(|typed| explanation_of_rule(typed.argument)) {
        return report_and_finish(OutputEvent::Text(rule), sink);
    }
    let (mut results, numbers) = (session.results(), session.settings.numbers);
    let mut numbered = |event: OutputEvent| match event {
        OutputEvent::Value(value, None) if numbers => {
            results += 1;
            OutputEvent::Value(value, Some(results))
        }
        event => event,
    };
    match session.enter(text, &mut |event| sink(numbered(event.into()))) {
        Reply::Done => EntryOutcome::Done,
        Reply::Quit => EntryOutcome::Quit,
        Reply::Text(text) => report_and_finish(OutputEvent::Text(text), sink),
        Reply::Columns(columns) => report_and_finish(OutputEvent::Columns(columns), sink),
        Reply::Code(text) => report_and_finish(OutputEvent::Code(text), sink),
        Reply::Verbatim(text) => report_and_finish(OutputEvent::Verbatim(text), sink),
        Reply::Refused(message) => refuse(message, sink),
        Reply::Unfinished(error) | Reply::Failed(error) => fail(error, sink),
        Reply::Asked(request) => match request {
            Request::Load(paths) if !paths.iter().any(|path| session.defined_by(path).is_some()) => {
                load_all(session, &paths, sink)
            }
            Request::Load(paths) | Request::Reload(paths) => {
                let before = session.checkpoint();
                session.forget_modules();
                let outcome = load_all(session, &paths, sink);
                if !matches!(outcome, EntryOutcome::Done) {
                    session.restore(before);
                    sink(OutputEvent::Text("the earlier definitions are kept".to_owned()));
                }
                outcome
            }
            Request::Time(code) => {
                let start = Instant::now();
                let outcome = evaluate_entry(session, &code, sink);
                sink(elapsed_event(start));
                outcome
            }
            Request::Read(path, variable) => {
                let read = read_data(session, &path, variable.as_deref()).map(|value| OutputEvent::Value(value, None));
                finish_entry(read.map(|event| Some(if variable.is_none() { numbered(event) } else { event })), sink)
            }
            Request::Show(value) => report_and_finish(OutputEvent::Whole(value), sink),
            Request::Frontend(request) => EntryOutcome::Requested(request),
        },
    }
}

/// Reads a file, if programs may read it.
fn read_permitted_file(session: &Console, path: &str) -> Result<Arc<Source>, Stop> {
    let file = input::expand_home(path);
    session.check_readable(&file)?;
    Ok(input::read_source(&file)?)
}

fn read_data(session: &mut Console, path: &str, variable: Option<&str>) -> Result<Value, Stop> {
    let value = data_file::parse_data_file(&read_permitted_file(session, path)?)?;
    session.keep(variable, value.clone())?;
    Ok(value)
}

/// Passes the last output event, or the error that stopped the entry, to `sink`.
fn finish_entry(result: Result<Option<OutputEvent>, Stop>, sink: &mut EventSink<'_>) -> EntryOutcome {
    match result {
        Ok(said) => {
            said.into_iter().for_each(sink);
            EntryOutcome::Done
        }
        Err(Stop::Error(error, _)) => fail(*error, sink),
        Err(Stop::Message(message, _)) => refuse(message, sink),
        Err(Stop::Io(error)) => refuse(error.to_string(), sink),
    }
}

fn elapsed_event(start: Instant) -> OutputEvent {
    OutputEvent::Aside(format!("took {:.1?}", start.elapsed()))
}

/// Loads files in order, and stops at the first one that fails.
fn load_all(session: &mut Console, paths: &[String], sink: &mut EventSink<'_>) -> EntryOutcome {
    let mut outcomes = paths.iter().map(|path| load_file(session, path, sink));
    outcomes.find(|outcome| !matches!(outcome, EntryOutcome::Done)).unwrap_or(EntryOutcome::Done)
}

fn load_file(session: &mut Console, path: &str, sink: &mut EventSink<'_>) -> EntryOutcome {
    let loaded = read_permitted_file(session, path).and_then(|source| {
        session.load(&source, &mut |event| {
            if !matches!(event, Event::Assigned(_)) {
                sink(event.into());
            }
        })?;
        Ok(session.defined_by(source.name()).map(OutputEvent::Text))
    });
    finish_entry(loaded, sink)
}

/// Renders an error. The name of its source is left out if the error is in the entry itself.
fn render_problem(error: &Error, severity: Severity, entry: &str, style: &Style) -> String {
    let current = error.source_text().map(AsRef::as_ref).filter(|source: &&Source| entry.ends_with(source.text()));
    let options = Options { is_coloured: style.err != Palette::Plain, columns: style.width, current };
    report::render(error, severity, options)
}
