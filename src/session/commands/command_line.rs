//! Parses an entry that is a command, even if it is incomplete.

use super::{Kind, Source, find};
use crate::syntax;

/// `:type 80`, `?Integer`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandLine<'t> {
    /// `type`, or its beginning; `doc` for a question mark, `definition` for two.
    pub name: &'t str,
    /// What follows the name, up to the end of the entry.
    pub argument: &'t str,
    /// The byte offset of the argument; `None` as long as the name may still continue.
    pub start: Option<usize>,
}

impl<'t> CommandLine<'t> {
    /// The command that an entry is; nothing for a program. `::Integer` is a type, and `? {` goes on in a selector.
    pub fn of(entry: &'t str) -> Option<CommandLine<'t>> {
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

    /// The kind of the argument; `None` if the command has none or does not exist.
    pub fn kind(&self) -> Option<Kind> {
        find(self.name).ok()?.argument.kind()
    }

    /// Whether the argument is code that ends too early: `:type [1,`
    pub fn is_unfinished(&self) -> bool {
        self.kind().is_some_and(Kind::is_code)
            && syntax::parse(&Source::new("entry", self.argument)).is_err_and(|error| error.is_unfinished())
    }
}
