//! An entry in, a reply out: an entry at the prompt is a program, a command, or `quit` or `exit`.

use std::sync::Arc;

use super::Session;
use crate::error::Error;
use crate::text::Source;
use crate::types::relation::mismatch::Mismatch;
use crate::value::Value;

/// The outcome of an entry, besides its events.
/// ```
/// use pcore::session::{Console, Reply};
/// let reply = Console::default().enter(":type [1, 'a']", &mut |_| {});
/// assert!(matches!(reply, Reply::Code(type_) if type_ == "Tuple[Integer[1, 1], String]"));
/// ```
#[derive(Debug)]
pub enum Reply {
    /// Everything was reported by events.
    Done,
    /// The entry needs more input; the error says what is missing if none follows.
    Unfinished(Error),
    /// The entry is wrong or failed.
    Failed(Error),
    /// The answer of a command in words and pieces of code; its lines may be wrapped.
    Text(String),
    /// A list in two columns.
    Columns(Columns),
    /// The answer of a command, to be shown as it is.
    Verbatim(String),
    /// The answer of a command in lines of code, which may be wrapped and coloured.
    Code(String),
    /// A command that is unknown or cannot be run: what is wrong, and what to write instead.
    Refused(String),
    /// A request to the program that has access to files and the terminal.
    Asked(Request),
    /// The user wants to leave.
    Quit,
}

/// A heading above two columns of lines.
///
/// ```
/// let columns = pcore::session::Columns {
///     heading: "both".into(),
///     left: vec!["a".into(), "bb".into()],
///     right: vec!["1".into()],
/// };
/// assert_eq!(columns.text(None), "both\na  1\nbb");
/// ```
#[derive(Clone, Debug)]
pub struct Columns {
    /// The line above them.
    pub heading: String,
    /// The lines of the column on the left.
    pub left: Vec<String>,
    /// The lines of the column on the right.
    pub right: Vec<String>,
}

impl Columns {
    /// The lines of both columns, side by side if they fit into `width` characters, otherwise one below the other.
    pub fn text(&self, width: Option<usize>) -> String {
        let longest = |lines: &[String]| lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let indent = longest(&self.left) + 1;
        let mut lines = vec![self.heading.clone()];
        if width.is_some_and(|width| width < indent + longest(&self.right)) {
            lines.extend_from_slice(&self.left);
            lines.extend_from_slice(&self.right);
        } else {
            let cell = |column: &[String], row: usize| column.get(row).cloned().unwrap_or_default();
            let rows = 0..self.left.len().max(self.right.len());
            lines.extend(rows.map(|row| {
                let line = format!("{:indent$}{}", cell(&self.left, row), cell(&self.right, row));
                line.trim_end().to_owned()
            }));
        }
        lines.join("\n")
    }
}

/// A request of a command to the program around the session, which has no files, terminal or clock.
/// ```
/// use pcore::session::{Console, Reply, Request};
/// let reply = Console::default().enter(":load site.pp", &mut |_| {});
/// assert!(matches!(reply, Reply::Asked(Request::Load(files)) if files == ["site.pp"]));
/// ```
#[derive(Clone, Debug)]
pub enum Request {
    /// Run these files, in order.
    Load(Vec<String>),
    /// Run these files again, in order; keep what was there if one fails.
    Reload(Vec<String>),
    /// Evaluate this program as an entry, and show how long it took.
    Time(String),
    /// Show all of a value, however long it is.
    Show(Value),
    /// What only a prompt can do.
    Frontend(FrontendRequest),
}

/// A request to the prompt: the user's editor and history, new files.
/// ```
/// use pcore::session::{Console, FrontendRequest, Reply, Request};
/// let reply = Console::default().enter(":history port", &mut |_| {});
/// assert!(matches!(reply, Reply::Asked(Request::Frontend(FrontendRequest::History(text))) if text == "port"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrontendRequest {
    /// Let the user change this program in an editor, and take what comes back as an entry.
    Edit(String),
    /// Let the user change this file in an editor, and run it.
    EditFile(String),
    /// Write a string into a new file.
    Write {
        /// The file.
        path: String,
        /// All that will be in it.
        text: String,
        /// What is written, for the message: `3 entries`
        what: String,
    },
    /// Write what was entered and answered into a new file, as a transcript.
    Transcript(String),
    /// List the earlier entries that contain this text, or as many as it says.
    History(String),
}

/// What a session counts of its entries.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// How many came so far.
    entered: usize,
    /// How many values they gave.
    results: usize,
    /// The last program.
    pub(super) last: Option<Arc<Source>>,
    /// The programs that went well.
    pub(super) programs: Vec<Arc<Source>>,
    /// The error of the last program.
    pub(super) failure: Option<Error>,
    /// What was explained last, whose branches can be opened.
    pub(super) explained: Option<Mismatch>,
    /// How many steps of the tour were shown.
    pub(super) tour_steps: usize,
}

impl Entries {
    /// How many programs and questions came so far, and how many values they gave.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.entered, self.results)
    }
}

impl Session {
    /// Makes a value `$_` and the next of `$_1`, `$_2` …
    pub(super) fn remember(&mut self, value: Value) {
        self.entries.results += 1;
        self.set_variable(&format!("_{}", self.entries.results), value.clone());
        self.set_variable("_", value);
    }

    /// The variables that programs set, without the results of entries and the facts.
    pub(super) fn named_variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        let is_result =
            |name: &str| name.strip_prefix('_').is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_digit()));
        self.variables().filter(move |(name, _)| !is_result(name) && !self.is_fact(name))
    }

    /// The text of an entry under its number, which errors in later entries show.
    pub(super) fn entry_source(&mut self, text: &str) -> Arc<Source> {
        self.entries.entered += 1;
        Source::new(format!("entry {}", self.entries.entered), text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format;
    use crate::session::{Console, Event};

    /// What an entry gives: the values, then the reply.
    #[track_caller]
    fn told(session: &mut Console, entry: &str) -> (Vec<String>, String) {
        let mut values = Vec::new();
        let reply = session.enter(entry, &mut |event| {
            if let Event::Value(value) | Event::Assigned(value) = event {
                values.push(format::program_text(&value));
            }
        });
        let reply = match reply {
            Reply::Done => "done".to_owned(),
            Reply::Unfinished(_) => "unfinished".to_owned(),
            Reply::Failed(error) => format!("error {}", error.code()),
            Reply::Text(text) | Reply::Code(text) | Reply::Verbatim(text) => text,
            Reply::Columns(columns) => columns.text(None),
            Reply::Refused(message) => format!("refused: {message}"),
            Reply::Asked(request) => format!("{request:?}"),
            Reply::Quit => "quit".to_owned(),
        };
        (values, reply)
    }

    #[test]
    fn results_have_names() {
        let mut session = Console::default();
        assert_eq!(told(&mut session, "1 + 1\n'two'"), (vec!["2".into(), "'two'".into()], "done".into()));
        assert_eq!(told(&mut session, "[$_1, $_2, $_]"), (vec!["[2, 'two', 'two']".into()], "done".into()));
        assert_eq!(told(&mut session, "$_"), (vec!["[2, 'two', 'two']".into()], "done".into()));
    }

    #[test]
    fn words_that_leave_leave() {
        for entry in ["exit", " quit ", ":quit", ":q"] {
            assert_eq!(told(&mut Console::default(), entry), (vec![], "quit".into()), "{entry}");
        }
    }

    #[test]
    fn an_entry_that_ends_too_early_is_unfinished() {
        for entry in ["[1,", "1 +", "if true {", "'text", "$x =", "@(END)\ntext", "f(1) |$x|", "\"${", "/* note"] {
            assert_eq!(told(&mut Console::default(), entry).1, "unfinished", "{entry}");
        }
        assert_eq!(told(&mut Console::default(), "::Integer").1, "done");
        assert_eq!(told(&mut Console::default(), "[1))").1, "error SYNTAX_ERROR");
    }

    #[test]
    fn what_was_bound_before_an_error_stays() {
        let mut session = Console::default();
        assert_eq!(told(&mut session, "$x = 1\n$y = $x / 0").1, "error DIV_BY_ZERO");
        assert_eq!(told(&mut session, ":vars").1, "$x = 1");
    }

    #[test]
    fn a_name_can_be_freed() {
        let mut session = Console::default();
        told(&mut session, "$x = 1\ntype Port = Integer[1]\nfunction f() { 1 }");
        assert_eq!(told(&mut session, "$x = 2").1, "error ILLEGAL_REASSIGNMENT");
        assert_eq!(told(&mut session, ":aliases").1, "type Port = Integer[1]");
        for freed in [":unset $x", ":unset Port", ":unset f"] {
            assert_eq!(told(&mut session, freed).1, "done");
        }
        let again = "$x = 2\ntype Port = Integer[2]\nfunction f() { 2 }\n[$x, f(), Port =~ Type]";
        assert_eq!(told(&mut session, again), (vec!["2".into(), "[2, 2, true]".into()], "done".into()));
        assert_eq!(told(&mut session, ":reset").1, "done");
        assert_eq!(told(&mut session, ":vars").1, "no variables yet");
    }

    #[test]
    fn why_explains_the_last_question() {
        let mut session = Console::default();
        assert_eq!(told(&mut session, ":why").1, "refused: nothing to explain yet; try `:why '80' =~ Integer`");
        told(&mut session, "$x = '80' =~ Integer");
        let why = "String '80' is not of type Integer\n  Integer('80') would match";
        assert_eq!(told(&mut session, ":why").1, why);
        assert_eq!(told(&mut session, ":why 80 =~ Integer").1, "it does match: Integer 80 is of type Integer");
    }
}
