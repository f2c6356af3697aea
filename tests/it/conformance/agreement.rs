//! Our answer to a recorded program, and what counts as agreement.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use pcore::error::Error;
use pcore::format;
use pcore::functions::Level;
use pcore::session::{Event, Mode, Session, Strictness};
use pcore::syntax;
use pcore::text::Source;
use pcore::value::Value;

use super::recorded::{Answer, Group, Recorded};

/// Puppet's issue codes that stand for "some error": what is right there is a clear error of any code.
const CATCH_ALL: &[&str] = &["RUNTIME_ERROR", "Puppet::Error"];

/// What we say to a program.
#[derive(Debug, PartialEq)]
pub(super) enum Ours {
    Answer(Answer),
    /// A defect, whatever was recorded.
    Panic(String),
}

impl fmt::Display for Ours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // A deviation is about the code; the line may move.
            Ours::Answer(Answer::Error { issue, .. }) => write!(f, "error {issue}"),
            Ours::Answer(answer) => write!(f, "{answer}"),
            Ours::Panic(message) => write!(f, "panic: {message}"),
        }
    }
}

/// Whether `ours` is right where `recorded` was recorded.
pub(super) fn agrees(recorded: &Recorded, ours: &Ours) -> bool {
    let Ours::Answer(ours) = ours else { return false };
    match (&recorded.answer, ours) {
        (Answer::Error { issue, .. }, _) if issue == "PUPPET_BREAKS_DOWN" => true,
        (Answer::Error { issue, .. }, Answer::Error { .. }) if CATCH_ALL.contains(&issue.as_str()) => true,
        (Answer::Error { issue, line }, Answer::Error { issue: our_issue, line: our_line }) => {
            issue == our_issue && (line.is_none() || line == our_line)
        }
        (expected @ Answer::Value { .. }, ours) => expected == ours,
        (Answer::Error { .. }, Answer::Value { .. }) => false,
    }
}

/// Answers the programs of one group, each in a fresh session; a preamble is evaluated once for all of them.
pub(super) struct Runner {
    prepared: Option<Session>,
}

impl Runner {
    pub(super) fn new(group: &Group) -> Runner {
        let preamble = group.preamble();
        let prepared = (!preamble.is_empty()).then(|| {
            let mut session = Session::new(Strictness::Error);
            // What is wrong with the preamble shows in the answers.
            let _ = session.evaluate(&Source::new("preamble", preamble), &mut |_| {});
            session
        });
        Runner { prepared }
    }

    pub(super) fn answer(&mut self, recorded: &Recorded) -> Ours {
        let answer = AssertUnwindSafe(|| {
            let source = Source::new("recorded", recorded.code.as_str());
            if recorded.parse_only {
                return parse(&source);
            }
            // The programs of a matrix bind nothing, so one session serves them all.
            if let Some(session) = &mut self.prepared {
                return evaluate(session, &source);
            }
            let mut session = Session::new(recorded.strictness);
            session.set_variable("facts", facts());
            if recorded.strictness == Strictness::Error {
                session.mode = Mode::Program;
            }
            evaluate(&mut session, &source)
        });
        match catch_unwind(answer) {
            Ok(answer) => Ours::Answer(answer),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                Ours::Panic(
                    text.or_else(|| panic.downcast_ref().map(|text: &&str| (*text).to_owned())).unwrap_or_default(),
                )
            }
        }
    }
}

/// Our answer to a program of its own, under strictness `error`.
pub(super) fn answer(program: &str) -> Ours {
    let mut session = Session::new(Strictness::Error);
    session.mode = Mode::Program;
    Ours::Answer(evaluate(&mut session, &Source::new("decision", program)))
}

fn evaluate(session: &mut Session, source: &Arc<Source>) -> Answer {
    let mut notices = Vec::new();
    let result = session.evaluate(source, &mut |event| match event {
        Event::Log { level: Level::Notice, message, .. } => notices.push(message),
        Event::Log { level, message, .. } if level > Level::Notice => {
            notices.push(format!("{}: {message}", level.name()));
        }
        Event::Log { .. } | Event::Warning(_) | Event::Value(_) | Event::Assigned(_) => {}
    });
    match result {
        Ok(value) => Answer::Value { text: format::program_text(&value), notices },
        Err(error) => failure(&error),
    }
}

/// The facts of the node that the answers were recorded on.
fn facts() -> Value {
    let one = |key: &str, value: Value| Value::Hash([(Value::from(key), value)].into_iter().collect());
    one("os", one("family", Value::from("Debian")))
}

fn parse(source: &Arc<Source>) -> Answer {
    match syntax::parse(source) {
        Ok(tree) => Answer::Value { text: syntax::pn::to_pn(&tree), notices: Vec::new() },
        Err(error) => failure(&error),
    }
}

fn failure(error: &Error) -> Answer {
    let line = error.position().map(|position| position.line as u64);
    Answer::Error { issue: error.code().to_owned(), line }
}
