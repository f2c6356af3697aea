//! One entry of a session and what is answered, as the prompt shows it and transcripts hold it.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pcore::error::Error;
use pcore::format;
use pcore::functions::Level;
use pcore::session::{Event, INTERRUPTED, Reply, Session};
use pcore::text::Source;

use super::errand;
use super::show::{self, Palette, Weight};

/// What is said of a panic, whose own message is on standard error already.
const DEFECT: &str = "pcore has a defect here: please report what you typed and the lines above";

/// Which of the two streams a text belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    /// Values, notices, what commands answer.
    Out,
    /// Warnings and errors.
    Err,
}

/// What came of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// All went well.
    Answer,
    /// An error was told.
    Error,
    /// The user wants to leave.
    Quit,
}

/// How answers look.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    /// The colours of standard output.
    pub(super) out: Palette,
    /// The colours of standard error.
    pub(super) err: Palette,
}

/// Where texts go, in order. When it breaks, nothing more is told.
pub(super) type Sink<'s> = dyn FnMut(String, Stream) -> ControlFlow<()> + Send + 's;

/// Gives `text` to the session, carries out what a command asks for, and tells `sink` every text that is answered.
pub(super) fn run(session: &mut Session, text: &str, look: Look, sink: &mut Sink<'_>) -> Told {
    let mut teller = Teller { look, sink, flow: ControlFlow::Continue(()) };
    let answer = AssertUnwindSafe(|| {
        let reply = session.enter(text, &mut |event| teller.event(event, text));
        match reply {
            Reply::Done => Told::Answer,
            Reply::Quit => Told::Quit,
            Reply::Text(text) => teller.answer(text),
            Reply::Refused(message) => teller.refusal(&message),
            Reply::Asked(request) => errand::run(request, session, &mut teller),
            Reply::Unfinished(error) | Reply::Failed(error) => teller.failure(&error, text),
        }
    });
    // A defect of ours must not take the session away.
    catch_unwind(answer).unwrap_or_else(|_| teller.refusal(DEFECT))
}

/// Lays out what there is to tell and hands it to a sink.
pub(super) struct Teller<'s, 'f> {
    look: Look,
    sink: &'s mut Sink<'f>,
    flow: ControlFlow<()>,
}

impl Teller<'_, '_> {
    /// What happens while `entry`, or a file when that is empty, is evaluated.
    pub(super) fn event(&mut self, event: Event, entry: &str) {
        let Look { out, err } = self.look;
        match event {
            Event::Value(value) | Event::Assigned(value) => {
                self.tell(format!("{} {}", out.mark("=>"), format::program_text(&value)), Stream::Out);
            }
            Event::Log(level, text) if level < Level::Warning => self.tell(show::log(level, &text, out), Stream::Out),
            Event::Log(level, text) => self.tell(show::log(level, &text, err), Stream::Err),
            Event::Warning(warning) => self.tell(problem(&warning, Weight::Warning, entry, err), Stream::Err),
        }
    }

    /// What a command answers.
    pub(super) fn answer(&mut self, text: String) -> Told {
        self.tell(text, Stream::Out);
        Told::Answer
    }

    /// Why something cannot be done.
    pub(super) fn refusal(&mut self, message: &str) -> Told {
        self.tell(format!("{} {message}", self.look.err.error("error:")), Stream::Err);
        Told::Error
    }

    /// An error in `entry`, or in a file when that is empty.
    pub(super) fn failure(&mut self, error: &Error, entry: &str) -> Told {
        // Who pressed Ctrl-C knows where the program was.
        let text = match error.issue() {
            INTERRUPTED => self.look.err.dim("interrupted"),
            _ => problem(error, Weight::Error, entry, self.look.err),
        };
        self.tell(text, Stream::Err);
        Told::Error
    }

    fn tell(&mut self, text: String, stream: Stream) {
        if self.flow.is_continue() {
            self.flow = (self.sink)(text, stream);
        }
    }
}

/// An error, with the name of its source only where that is not the entry itself.
fn problem(error: &Error, weight: Weight, entry: &str, palette: Palette) -> String {
    let current = error.source_text().map(AsRef::as_ref).filter(|source: &&Source| entry.ends_with(source.text()));
    show::error(error, weight, current, palette)
}
