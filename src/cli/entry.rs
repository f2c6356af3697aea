//! One entry of a session and what is answered, as the prompt shows it and transcripts hold it.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use pcore::error::Error;
use pcore::functions::Level;
use pcore::report::{self, Options, Severity};
use pcore::session::{Errand, Event, INTERRUPTED, Reply, Request, Session};
use pcore::text::Source;
use pcore::value::Value;

use super::input;
use super::show::{self, Palette, visible_controls};
use super::style::Look;

/// What is said of a panic, whose own message is on standard error already.
const DEFECT: &str = "pcore has a defect here: please report what you typed and the lines above";

/// Something that is told while an entry is answered.
#[derive(Debug)]
pub(super) enum Said {
    /// A result.
    Value(Value),
    /// A result, however long it is.
    Whole(Value),
    /// What a command answers in words and pieces of code.
    Text(String),
    /// What a command answers, as it is.
    Verbatim(String),
    /// What a command answers in lines of code.
    Code(String),
    /// What a log function says.
    Log(Level, String),
    /// A warning of the evaluator.
    Warning(Error),
    /// What is wrong with the entry or a file.
    Failure(Error),
    /// Why something cannot be done.
    Refusal(String),
    /// What differs from run to run, as times do.
    Aside(String),
}

/// Where a text goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// Values, notices, what commands answer.
    Out,
    /// The same, where it may be higher than the screen.
    Page,
    /// Warnings and errors.
    Err,
}

/// What came of an entry.
#[derive(Debug)]
pub(super) enum Told {
    /// All went well.
    Answer,
    /// An error was told.
    Error,
    /// The user pressed Ctrl-C.
    Interrupted,
    /// What only a prompt can do is asked for.
    Asked(Errand),
    /// The user wants to leave.
    Quit,
}

/// Hears what is told, in order. When it breaks, nothing more is told.
pub(super) type Sink<'s> = dyn FnMut(Said) -> ControlFlow<()> + Send + 's;

impl Said {
    /// The text and where it goes; an error in `entry` itself shows without the name of its source.
    pub(super) fn shown(&self, entry: &str, look: &Look) -> (String, Stream) {
        let Look { out, err, .. } = *look;
        match self {
            Said::Value(value) => (look.result(value), Stream::Out),
            Said::Whole(value) => (look.whole(value), Stream::Page),
            Said::Text(text) => (look.told(text), Stream::Out),
            Said::Code(text) => (look.code(text), Stream::Out),
            Said::Verbatim(text) => (visible_controls(text).into_owned(), Stream::Out),
            Said::Log(level, text) if *level < Level::Warning => {
                (show::log(*level, &visible_controls(text), out), Stream::Out)
            }
            Said::Log(level, text) => (show::log(*level, &visible_controls(text), err), Stream::Err),
            Said::Warning(warning) => (problem(warning, Severity::Warning, entry, look), Stream::Err),
            // Who pressed Ctrl-C knows where the program was.
            Said::Failure(error) if error.issue() == INTERRUPTED => (err.dim("interrupted"), Stream::Err),
            Said::Failure(error) => (problem(error, Severity::Error, entry, look), Stream::Err),
            Said::Refusal(message) => (look.refusal(&visible_controls(message)), Stream::Err),
            Said::Aside(text) => (err.dim(text), Stream::Err),
        }
    }
}

impl Said {
    /// Whether it is a warning or an error.
    pub(super) fn is_problem(&self) -> bool {
        match self {
            Said::Warning(_) | Said::Failure(_) | Said::Refusal(_) => true,
            Said::Log(level, _) => *level >= Level::Warning,
            Said::Value(_) | Said::Whole(_) | Said::Text(_) | Said::Code(_) | Said::Verbatim(_) | Said::Aside(_) => {
                false
            }
        }
    }
}

impl From<Event> for Said {
    fn from(event: Event) -> Said {
        match event {
            Event::Value(value) | Event::Assigned(value) => Said::Value(value),
            Event::Log(level, text) => Said::Log(level, text),
            Event::Warning(warning) => Said::Warning(warning),
        }
    }
}

/// Gives `text` to the session, does what a command asks for as far as that needs no prompt, and tells `sink` all that
/// is answered.
pub(super) fn run(session: &mut Session, text: &str, sink: &mut Sink<'_>) -> Told {
    let mut teller = Teller { sink, flow: ControlFlow::Continue(()) };
    // A defect of ours must not take the session away.
    catch_unwind(AssertUnwindSafe(|| enter(session, text, &mut teller))).unwrap_or_else(|_| teller.refuses(DEFECT))
}

/// Runs a file: its values are told as results, what its variables are set to is not.
pub(super) fn load(session: &mut Session, path: &str, sink: &mut Sink<'_>) -> Told {
    let mut teller = Teller { sink, flow: ControlFlow::Continue(()) };
    catch_unwind(AssertUnwindSafe(|| read_and_load(session, path, &mut teller)))
        .unwrap_or_else(|_| teller.refuses(DEFECT))
}

/// Hands what is told to a sink, until that breaks.
struct Teller<'s, 'f> {
    sink: &'s mut Sink<'f>,
    flow: ControlFlow<()>,
}

impl Teller<'_, '_> {
    fn tell(&mut self, said: Said) {
        if self.flow.is_continue() {
            self.flow = (self.sink)(said);
        }
    }

    fn answers(&mut self, said: Said) -> Told {
        self.tell(said);
        Told::Answer
    }

    fn refuses(&mut self, message: impl Into<String>) -> Told {
        self.tell(Said::Refusal(message.into()));
        Told::Error
    }

    fn fails(&mut self, error: Error) -> Told {
        let told = if error.issue() == INTERRUPTED { Told::Interrupted } else { Told::Error };
        self.tell(Said::Failure(error));
        told
    }
}

fn enter(session: &mut Session, text: &str, teller: &mut Teller<'_, '_>) -> Told {
    match session.enter(text, &mut |event| teller.tell(event.into())) {
        Reply::Done => Told::Answer,
        Reply::Quit => Told::Quit,
        Reply::Text(text) => teller.answers(Said::Text(text)),
        Reply::Code(text) => teller.answers(Said::Code(text)),
        Reply::Verbatim(text) => teller.answers(Said::Verbatim(text)),
        Reply::Refused(message) => teller.refuses(message),
        Reply::Unfinished(error) | Reply::Failed(error) => teller.fails(error),
        Reply::Asked(request) => match request {
            Request::Load(paths) => load_all(session, &paths, teller),
            Request::Time(code) => {
                let start = Instant::now();
                let told = enter(session, &code, teller);
                teller.tell(Said::Aside(format!("took {:.1?}", start.elapsed())));
                told
            }
            Request::Show(value) => teller.answers(Said::Whole(value)),
            Request::Errand(errand) => Told::Asked(errand),
        },
    }
}

/// Runs files until one of them fails.
fn load_all(session: &mut Session, paths: &[String], teller: &mut Teller<'_, '_>) -> Told {
    for path in paths {
        match read_and_load(session, path, teller) {
            Told::Answer => {}
            stopped => return stopped,
        }
    }
    Told::Answer
}

fn read_and_load(session: &mut Session, path: &str, teller: &mut Teller<'_, '_>) -> Told {
    let source = match input::file(&input::expanded(path)) {
        Ok(source) => source,
        Err(message) => return teller.refuses(message),
    };
    let result = session.load(&source, &mut |event| {
        if !matches!(event, Event::Assigned(_)) {
            teller.tell(event.into());
        }
    });
    if let Err(error) = result {
        return teller.fails(error);
    }
    match session.defined_by(source.name()) {
        Some(defined) => teller.answers(Said::Text(defined)),
        None => Told::Answer,
    }
}

/// An error, with the name of its source only where that is not the entry itself.
fn problem(error: &Error, severity: Severity, entry: &str, look: &Look) -> String {
    let current = error.source_text().map(AsRef::as_ref).filter(|source: &&Source| entry.ends_with(source.text()));
    let options = Options { is_coloured: look.err == Palette::Coloured, columns: look.width, current };
    report::render(error, severity, options)
}
