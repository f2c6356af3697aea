//! Splits pasted text into entries: a session with prompts and output, or a program with commands between its lines. A
//! session has the standard prompt or the user's `own`.

use std::sync::Arc;

use pcore::session::Console;
use pcore::session::commands::CommandLine;
use pcore::syntax;
use pcore::text::Source;

use super::super::continuation::{self, PROMPT};

/// The entries in a text, in order; typed text is a single entry.
pub(super) fn entries(text: &str, own: &str) -> Vec<String> {
    let mut entries = if is_session(text, own) { inputs(text, own) } else { split(text) };
    entries.retain(|entry| !entry.trim().is_empty());
    entries
}

/// The parts of a text: each command is one, and what is before, between and after them.
fn split(text: &str) -> Vec<String> {
    let mut entries = vec![String::new()];
    for line in text.split_inclusive('\n') {
        let Some(entry) = entries.last_mut() else { break };
        let is_finished = match CommandLine::of(entry) {
            Some(command) => !command.is_unfinished(),
            // Inside a program a colon belongs to it, and so does every line that is not a command.
            None => {
                CommandLine::of(line).is_some() && !entry.trim().is_empty() && syntax::parse(&source(entry)).is_ok()
            }
        };
        if is_finished {
            entries.push(line.to_owned());
        } else {
            entry.push_str(line);
        }
    }
    entries
}

/// Whether a text has prompts and is not valid otherwise: `>>` is an operator, too.
pub(super) fn is_session(text: &str, own: &str) -> bool {
    !inputs(text, own).is_empty() && syntax::parse(&source(text)).is_err_and(|error| !error.is_unfinished())
}

/// Whether a line is output: no entry begins like that.
pub(super) fn is_output(text: &str) -> bool {
    let number = text.strip_prefix("$_").map(|rest| rest.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    number.and_then(|rest| rest.strip_prefix(' ')).unwrap_or(text).starts_with("=> ")
}

/// Whether a text needs more lines because its last entry is unfinished.
pub(super) fn is_unfinished(text: &str, prompt: &str) -> bool {
    entries(text, prompt).last().is_some_and(|entry| match CommandLine::of(entry) {
        Some(command) => command.is_unfinished(),
        None => Console::is_unfinished(entry),
    })
}

/// Whether an empty line submits the text.
pub(super) fn is_forced(text: &str) -> bool {
    text.rsplit_once('\n').is_some_and(|(_, last)| last.trim().is_empty())
}

/// The entries of a session that was pasted with its prompts and answers; the answers are left out.
fn inputs(text: &str, own: &str) -> Vec<String> {
    let inputs = continuation::entries_of_session(text.lines().map(str::trim_start), &[PROMPT, own]);
    inputs.into_iter().map(|(_, entry)| entry).collect()
}

fn source(text: &str) -> Arc<Source> {
    Source::new("entry", text)
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/paste.rs"]
mod tests;
