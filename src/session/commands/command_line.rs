//! Parses an entry that is a command, even if it is incomplete.

use super::{Kind, find};
use crate::syntax;
use crate::text::Source;

/// `:type 80`, `?Integer`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandLine<'t> {
    /// `type`, or its beginning; `doc` for a question mark.
    pub name: &'t str,
    /// What follows the name, up to the end of the entry.
    pub argument: &'t str,
    /// Where in the entry that starts. Nothing as long as the name may still go on.
    pub start: Option<usize>,
}

impl<'t> CommandLine<'t> {
    /// The command that an entry is; nothing for a program. `::Integer` is a type, and `? {` goes on in a selector.
    ///
    /// ```
    /// use pcore::session::commands::CommandLine;
    /// let typed = CommandLine::of(":type  80").unwrap();
    /// assert_eq!((typed.name, typed.argument, typed.start), ("type", "80", Some(7)));
    /// assert_eq!(CommandLine::of("?Integer").unwrap().name, "doc");
    /// assert_eq!(CommandLine::of("::Integer"), None);
    /// ```
    pub fn of(entry: &'t str) -> Option<CommandLine<'t>> {
        let from = |rest: &'t str| {
            let argument = rest.trim_start();
            (argument, Some(entry.len() - argument.len()))
        };
        let typed = entry.trim_start();
        if let Some(subject) = typed.strip_prefix('?') {
            let (argument, start) = from(subject);
            return (!argument.starts_with('{')).then_some(CommandLine { name: "doc", argument, start });
        }
        let command = typed.strip_prefix(':').filter(|command| !command.starts_with(':'))?.trim_start();
        let end = command.find(char::is_whitespace);
        let (name, (argument, start)) =
            end.map_or((command, ("", None)), |end| (&command[..end], from(&command[end..])));
        Some(CommandLine { name, argument, start })
    }

    /// What the argument is; `None` if the command takes none, or is none.
    pub fn kind(&self) -> Option<Kind> {
        find(self.name).ok()?.argument.kind()
    }

    /// Whether the argument is code that ends too early: `:type [1,`
    pub fn is_unfinished(&self) -> bool {
        self.kind().is_some_and(Kind::is_code)
            && syntax::parse(&Source::new("entry", self.argument)).is_err_and(|error| error.is_unfinished())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_takes_code_may_be_unfinished() {
        let is_unfinished = |entry: &str| CommandLine::of(entry).is_some_and(|typed| typed.is_unfinished());
        for entry in [":type [1,", ":ast if true {", " :why 'a", ":sub Integer[1,", ":time [1].each |$x| {\n"] {
            assert!(is_unfinished(entry), "{entry}");
        }
        for entry in [":type", ":type [1))", ":type [1]", ":load [", ":history 'a", "?Integer[", ":quit [", "[1,"] {
            assert!(!is_unfinished(entry), "{entry}");
        }
    }

    #[test]
    fn what_only_looks_like_a_command_is_none() {
        for entry in ["::Integer", "? { 1 => 2 }", "?{}", "a:b", ""] {
            assert_eq!(CommandLine::of(entry), None, "{entry}");
        }
        assert_eq!(CommandLine::of(" : q"), Some(CommandLine { name: "q", argument: "", start: None }));
        assert_eq!(CommandLine::of(":"), Some(CommandLine { name: "", argument: "", start: None }));
    }
}
