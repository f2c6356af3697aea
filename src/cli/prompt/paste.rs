//! What was pasted: a session with its prompts and answers, or a program with commands between its lines, becomes the
//! entries that somebody would have typed. In a session stands the usual prompt, or the user's `own`.

use std::sync::Arc;

use pcore::session::commands::CommandLine;
use pcore::syntax;
use pcore::text::Source;

use super::super::continuation::{self, CONTINUATION_PROMPT, PROMPT};

/// The entries in a text, in order; one that is typed is the only one.
pub(super) fn entries(text: &str, own: &str) -> Vec<String> {
    if is_session(text, own) {
        return inputs(text, own);
    }
    let mut entries = vec![String::new()];
    for line in text.split_inclusive('\n') {
        let entry = entries.last_mut().expect("there is always one entry");
        let is_finished = match CommandLine::of(entry) {
            Some(command) => !command.is_unfinished(),
            // In the middle of a program a colon belongs to it, and a line that is none goes on with it.
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
    entries.retain(|entry| !entry.trim().is_empty());
    entries
}

/// Whether a text has prompts in it, and makes no sense otherwise: `>>` is an operator, too.
pub(super) fn is_session(text: &str, own: &str) -> bool {
    text.lines().any(|line| first_input(line, own).is_some())
        && syntax::parse(&source(text)).is_err_and(|error| !error.is_unfinished())
}

/// Whether a line is nothing but an answer: no entry begins so.
pub(super) fn is_answer(text: &str) -> bool {
    text.starts_with("=> ")
}

/// What stands behind the prompts; everything else is an answer.
fn inputs(text: &str, own: &str) -> Vec<String> {
    let mut entries =
        continuation::entered(text.lines(), |line| first_input(line, own), |line| input(line, CONTINUATION_PROMPT));
    entries.retain(|entry| !entry.trim().is_empty());
    entries
}

/// What was typed in the first line of an entry.
fn first_input<'l>(line: &'l str, own: &str) -> Option<&'l str> {
    input(line, PROMPT).or_else(|| input(line, own))
}

/// What was typed in a line behind `prompt`.
fn input<'l>(line: &'l str, prompt: &str) -> Option<&'l str> {
    continuation::behind(prompt, line.trim_start())
}

fn source(text: &str) -> Arc<Source> {
    Source::new("entry", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Vec<String> {
        super::entries(text, PROMPT)
    }

    #[test]
    fn a_session_may_have_the_prompt_of_the_user() {
        assert_eq!(super::entries("pp> [1,\n.. 2]\n=> [1, 2]\npp> $_", "pp> "), ["[1,\n2]", "$_"]);
        assert_eq!(super::entries(">> 1", "pp> "), ["1"]);
    }

    #[test]
    fn what_is_typed_is_one_entry() {
        for text in
            ["1 + 1", "[1,\n\n 2]", ":type 80", "$x ? {\n :a => 1 }", "$x\n ? { 1 => 2 }", "1\n>> 2", "$a = 1\n$b = 2"]
        {
            assert_eq!(entries(text), [text]);
        }
        assert_eq!(entries(" \n"), Vec::<String>::new());
    }

    #[test]
    fn of_a_session_the_inputs_are_taken() {
        let session = "pcore 1.0; :help shows the commands\n>> type A = Integer\n>> [1,\n.. 2]\n=> [1, 2]\n>>\n>> $x\n\
            error: unknown variable `$x`\n  |\n1 | $x\n  | ^^\n>> :type\n.. \n";
        assert_eq!(entries(session), ["type A = Integer", "[1,\n2]", "$x", ":type\n"]);
        assert_eq!(entries(">> 1"), ["1"]);
    }

    #[test]
    fn a_command_is_an_entry_of_its_own() {
        assert_eq!(
            entries("$a = 1\n:type $a\n$b = {\n:c => 1\n}\n"),
            ["$a = 1\n", ":type $a\n", "$b = {\n:c => 1\n}\n"]
        );
        assert_eq!(entries(":help\n1 + 1"), [":help\n", "1 + 1"]);
        assert_eq!(entries(":type [1,\n2]\n3"), [":type [1,\n2]\n", "3"]);
        assert_eq!(entries(":load [1,\n2]"), [":load [1,\n", "2]"]);
    }

    #[test]
    fn no_entry_begins_with_an_answer() {
        assert!(is_answer("=> 1"));
        assert!(!is_answer("1"));
    }
}
