//! One entry of a session and what is answered, as the prompt shows it and transcripts hold it.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

use pcore::error::Error;
use pcore::format;
use pcore::functions::Level;
use pcore::session::{Event, INTERRUPTED, Reply, Session};
use pcore::text::Source;

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

/// Gives `text` to the session and tells `sink` every text that is answered, in order. When the sink breaks, nothing
/// more is told.
pub(super) fn run(
    session: &mut Session,
    text: &str,
    look: Look,
    sink: &mut (dyn FnMut(String, Stream) -> ControlFlow<()> + Send),
) -> Told {
    let mut flow = ControlFlow::Continue(());
    let mut tell = |text: String, stream: Stream| {
        if flow.is_continue() {
            flow = sink(text, stream);
        }
    };
    let enter = AssertUnwindSafe(|| {
        session.enter(text, &mut |event| match event {
            Event::Value(value) | Event::Assigned(value) => {
                tell(format!("{} {}", look.out.mark("=>"), format::program_text(&value)), Stream::Out);
            }
            Event::Log(level, text) if level < Level::Warning => tell(show::log(level, &text, look.out), Stream::Out),
            Event::Log(level, text) => tell(show::log(level, &text, look.err), Stream::Err),
            Event::Warning(warning) => tell(problem(&warning, Weight::Warning, text, look.err), Stream::Err),
        })
    });
    // A defect of ours must not take the session away.
    let Ok(reply) = catch_unwind(enter) else {
        tell(format!("{} {DEFECT}", look.err.error("error:")), Stream::Err);
        return Told::Error;
    };
    match reply {
        Reply::Done => Told::Answer,
        Reply::Quit => Told::Quit,
        Reply::Text(text) => {
            tell(text, Stream::Out);
            Told::Answer
        }
        Reply::Refused(message) => {
            tell(format!("{} {message}", look.err.error("error:")), Stream::Err);
            Told::Error
        }
        // Who pressed Ctrl-C knows where the program was.
        Reply::Failed(error) if error.issue() == INTERRUPTED => {
            tell(look.err.dim("interrupted"), Stream::Err);
            Told::Error
        }
        Reply::Unfinished(error) | Reply::Failed(error) => {
            tell(problem(&error, Weight::Error, text, look.err), Stream::Err);
            Told::Error
        }
    }
}

/// An error, with the name of its source only where that is not the entry itself.
fn problem(error: &Error, weight: Weight, entry: &str, palette: Palette) -> String {
    let current = error.source_text().map(AsRef::as_ref).filter(|source: &&Source| entry.ends_with(source.text()));
    show::error(error, weight, current, palette)
}
