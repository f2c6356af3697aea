//! An entry in, a reply out: what is typed at the prompt is a program, a command, or one of the words that leave.

use std::sync::Arc;

use super::commands;
use super::{Event, Listener, Session};
use crate::error::Error;
use crate::text::Source;
use crate::value::Value;

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
        for value in values {
            self.remember(value);
        }
        match result {
            Ok(_) => Reply::Done,
            Err(error) if error.is_unfinished() => Reply::Unfinished(error),
            Err(error) => Reply::Failed(with_way_out(error)),
        }
    }

    /// Makes a value `$_` and the next of `$_1`, `$_2` …
    fn remember(&mut self, value: Value) {
        self.entries.results += 1;
        self.set_variable(&format!("_{}", self.entries.results), value.clone());
        self.set_variable("_", value);
    }

    /// The variables that programs set, without the results of entries.
    pub(super) fn named_variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        let is_result =
            |name: &str| name.strip_prefix('_').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
        self.variables().filter(move |(name, _)| !is_result(name))
    }

    /// The text of an entry under its number, which errors in later entries show.
    pub(super) fn entry_source(&mut self, text: &str) -> Arc<Source> {
        self.entries.entered += 1;
        Source::new(format!("entry {}", self.entries.entered), text)
    }
}

/// What is set once in a program can be set anew at the prompt, when the user says so.
fn with_way_out(error: Error) -> Error {
    match error.issue() {
        "ILLEGAL_REASSIGNMENT" => error.with_help("at the prompt, `:unset $name` frees the name of a variable"),
        "RESOURCE_REDEFINITION" => error.with_help("at the prompt, `:unset Name` frees the name of a type or function"),
        _ => error,
    }
}
