//! Parses entries that are commands, such as `:type 80`, also while they are still being typed, and recorded sessions.

use super::{Kind, Source, find_command};
use crate::syntax;

/// An entry that is a command, with its name and argument: `:type 80`, `?Integer`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandLine<'t> {
    /// The name as typed, perhaps abbreviated: `type`. For `?` it is `doc`, for `??` it is `definition`.
    pub name: &'t str,
    /// What follows the name, up to the end of the entry.
    pub argument: &'t str,
    /// The byte offset of the argument; `None` as long as the name may still continue.
    pub start: Option<usize>,
}

impl<'t> CommandLine<'t> {
    /// Parses a command; returns `None` for a program, such as `::Integer` or a selector that continues with `? {`.
    pub fn parse(entry: &'t str) -> Option<CommandLine<'t>> {
        let from = |rest: &'t str| {
            let argument = rest.trim_start();
            (argument, Some(entry.len() - argument.len()))
        };
        let typed = entry.trim_start();
        if let Some(subject) = typed.strip_prefix('?') {
            // `??` alone is the operator of other languages.
            let begins_name = |letter: char| letter.is_alphabetic() || matches!(letter, '$' | ':' | '_');
            let (name, subject) = match subject.strip_prefix('?').filter(|name| name.starts_with(begins_name)) {
                Some(subject) => ("definition", subject),
                None => ("doc", subject),
            };
            let (argument, start) = from(subject);
            return (!argument.starts_with('{')).then_some(CommandLine { name, argument, start });
        }
        let command = typed.strip_prefix(':').filter(|command| !command.starts_with(':'))?.trim_start();
        let end = command.find(char::is_whitespace);
        let (name, (argument, start)) = end.map_or((command, ("", None)), |at| (&command[..at], from(&command[at..])));
        Some(CommandLine { name, argument, start })
    }

    /// Returns the kind of the argument; `None` if the command has no argument or does not exist.
    pub fn argument_kind(&self) -> Option<Kind> {
        find_command(self.name).ok()?.argument.kind()
    }

    /// Whether the argument is code that ends too early, as in `:type [1,`.
    pub fn is_unfinished(&self) -> bool {
        self.argument_kind().is_some_and(Kind::is_code)
            && syntax::parse(&Source::new("entry", self.argument)).is_err_and(|error| error.is_unfinished())
    }
}

pub const PROMPT: &str = ">> ";

pub const CONTINUATION_PROMPT: &str = ".. ";

/// Returns the rest of `line` after `prompt`, whose trailing space may be missing; `None` without that prompt.
pub fn strip_prompt<'l>(prompt: &str, line: &'l str) -> Option<&'l str> {
    line.strip_prefix(prompt).or_else(|| (line == prompt.trim_end()).then_some(""))
}

/// Returns the entries in a recorded session, each with the number of its first line. An entry starts with one of
/// `prompts` and goes on with continuation prompts; all other lines are output.
pub fn entries_of_session<'l>(lines: impl Iterator<Item = &'l str>, prompts: &[&str]) -> Vec<(usize, String)> {
    let mut entries: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (number, line) in lines.enumerate() {
        if let Some(typed) = prompts.iter().find_map(|prompt| strip_prompt(prompt, line)) {
            entries.push((number + 1, typed.to_owned()));
            is_open = true;
        } else if let Some(typed) = strip_prompt(CONTINUATION_PROMPT, line).filter(|_| is_open) {
            entries.last_mut().into_iter().for_each(|(_, entry)| entry.extend(["\n", typed]));
        } else {
            is_open = false;
        }
    }
    entries
}
