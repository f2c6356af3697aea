//! A session as its user sees it: entries with commands, and settings for whoever shows the results.

use std::ops::{Deref, DerefMut};

use super::commands::{self, CommandLine};
use super::settings::Settings;
use super::{Event, Listener, Reply, Session};

/// A [`Session`] with the commands of the prompt and the settings that only concern how results are shown.
///
/// A console is used like its session.
///
/// ```
/// use pcore::session::{Console, Reply};
///
/// let mut console = Console::default();
/// console.enter("$port = 80", &mut |_| {});
/// let Reply::Code(type_) = console.enter(":type $port", &mut |_| {}) else { panic!("an answer") };
/// assert_eq!(type_, "Integer[80, 80]");
/// assert_eq!(console.eval("$port + 1")?, 81.into());
/// # Ok::<(), pcore::error::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Console {
    /// What evaluates.
    pub session: Session,
    /// How results are shown and lines are edited.
    pub settings: Settings,
}

impl From<Session> for Console {
    fn from(session: Session) -> Console {
        Console { session, settings: Settings::default() }
    }
}

impl Deref for Console {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}

impl DerefMut for Console {
    fn deref_mut(&mut self) -> &mut Session {
        &mut self.session
    }
}

impl Console {
    /// Takes one entry of the prompt. Values that it gives become `$_`, `$_1`, `$_2` …
    pub fn enter(&mut self, text: &str, listen: &mut Listener<'_>) -> Reply {
        let reply = self.session.interrupt.clone().watch(|| self.entry(text, listen));
        reply.unwrap_or_else(|ended| Reply::Failed(ended.into()))
    }

    fn entry(&mut self, text: &str, listen: &mut Listener<'_>) -> Reply {
        if let Some(command) = CommandLine::of(text) {
            return commands::run(self, &command, listen);
        }
        match text.trim() {
            "" => Reply::Done,
            "exit" | "quit" => Reply::Quit,
            "help" => commands::run(self, &CommandLine { name: "help", argument: "", start: None }, listen),
            _ => self.program(text, listen),
        }
    }

    fn program(&mut self, text: &str, listen: &mut Listener<'_>) -> Reply {
        let source = self.entry_source(text);
        self.entries.last = Some(source.clone());
        let mut values = Vec::new();
        let result = self.evaluate(&source, &mut |event| {
            if let Event::Value(value) | Event::Assigned(value) = &event {
                values.push(value.clone());
            }
            listen(event);
        });
        for value in values {
            self.remember(value);
        }
        self.entries.failure = result.as_ref().err().filter(|error| !error.is_unfinished()).cloned();
        match result {
            Ok(_) => {
                self.entries.programs.push(source);
                Reply::Done
            }
            Err(error) if error.is_unfinished() => Reply::Unfinished(error),
            Err(error) => Reply::Failed(error),
        }
    }
}
