//! Splits pasted text into entries. The text is a session with prompts and output, or a program with commands between
//! its lines. A session has the standard prompt or the user's prompt, `own`.

use pcore::session::Console;
use pcore::session::commands::CommandLine;
use pcore::syntax;
use pcore::text::Source;

use super::super::continuation::{self, PROMPT};

/// Returns the entries in `text`, in order; a typed text is a single entry. `own` is the user's prompt.
pub(super) fn split_into_entries(text: &str, own: &str) -> Vec<String> {
    let mut entries =
        if is_pasted_session(text, own) { entries_after_prompts(text, own) } else { split_at_commands(text) };
    entries.retain(|entry| !entry.trim().is_empty());
    entries
}

fn split_at_commands(text: &str) -> Vec<String> {
    let mut entries = vec![String::new()];
    for line in text.split_inclusive('\n') {
        let Some(entry) = entries.last_mut() else { break };
        let is_finished = match CommandLine::parse(entry) {
            Some(command) => !command.is_unfinished(),
            // Inside a program a colon belongs to it, and so does every line that is not a command.
            None => {
                CommandLine::parse(line).is_some()
                    && !entry.trim().is_empty()
                    && syntax::parse(&Source::new("entry", entry.as_str())).is_ok()
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

/// Whether `text` has lines with prompts and is not valid Puppet code, where `>>` is an operator.
pub(super) fn is_pasted_session(text: &str, own: &str) -> bool {
    !entries_after_prompts(text, own).is_empty()
        && syntax::parse(&Source::new("entry", text)).is_err_and(|error| !error.is_unfinished())
}

/// Whether a line is a result in a pasted session: it starts with `=> ` or `$_1 => `, as no entry does.
pub(super) fn is_output_line(text: &str) -> bool {
    let number = text.strip_prefix("$_").map(|rest| rest.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    number.and_then(|rest| rest.strip_prefix(' ')).unwrap_or(text).starts_with("=> ")
}

pub(super) fn is_unfinished(text: &str, prompt: &str) -> bool {
    split_into_entries(text, prompt).last().is_some_and(|entry| match CommandLine::parse(entry) {
        Some(command) => command.is_unfinished(),
        None => Console::is_unfinished(entry),
    })
}

/// Whether `text` ends with an empty line after other lines, which submits even an unfinished entry.
pub(super) fn ends_with_empty_line(text: &str) -> bool {
    text.rsplit_once('\n').is_some_and(|(_, last)| last.trim().is_empty())
}

fn entries_after_prompts(text: &str, own: &str) -> Vec<String> {
    let inputs = continuation::entries_of_session(text.lines().map(str::trim_start), &[PROMPT, own]);
    inputs.into_iter().map(|(_, entry)| entry).collect()
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/paste.rs"]
mod tests;
