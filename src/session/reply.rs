//! An entry in, a reply out: what is typed at the prompt is a program, a command, or one of the words that leave.

use std::sync::Arc;

use super::commands;
use super::{Event, Listener, Session};
use crate::error::Error;
use crate::text::Source;

/// What came of an entry, beside the events it told.
#[derive(Debug)]
pub enum Reply {
    /// Everything was told by events.
    Done,
    /// The entry only ends too early; the error says what is missing when no more text follows.
    Unfinished(Error),
    /// The entry is wrong, or went wrong.
    Failed(Error),
    /// What a command answers.
    Text(String),
    /// A command that is not there, or cannot be done: what is wrong, and what to write instead.
    Refused(String),
    /// The user wants to leave.
    Quit,
}

/// What a session counts of its entries.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// How many came so far.
    entered: usize,
    /// How many values they gave.
    results: usize,
}

impl Session {
    /// Takes one entry of the prompt. Values that it gives become `$_`, `$_1`, `$_2` …
    pub fn enter(&mut self, text: &str, listen: &mut Listener<'_>) -> Reply {
        let entry = text.trim();
        if let Some(command) = entry.strip_prefix(':') {
            return commands::run(self, command, listen);
        }
        if let Some(subject) = entry.strip_prefix('?') {
            return commands::run(self, &format!("doc {subject}"), listen);
        }
        match entry {
            "" => Reply::Done,
            "exit" | "quit" => Reply::Quit,
            "help" => commands::run(self, "help", listen),
            _ => self.program(text, listen),
        }
    }

    fn program(&mut self, text: &str, listen: &mut Listener<'_>) -> Reply {
        let source = self.entry_source(text);
        let mut values = Vec::new();
        let result = self.evaluate(&source, &mut |event| {
            if let Event::Value(value) = &event {
                values.push(value.clone());
            }
            listen(event);
        });
        self.entries.results += values.len();
        match result {
            Ok(_) => Reply::Done,
            Err(error) if error.is_unfinished() => Reply::Unfinished(error),
            Err(error) => Reply::Failed(error),
        }
    }

    /// The text of an entry under its number, which errors in later entries show.
    pub(super) fn entry_source(&mut self, text: &str) -> Arc<Source> {
        self.entries.entered += 1;
        Source::new(format!("entry {}", self.entries.entered), text)
    }
}
