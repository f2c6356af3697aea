//! An entry in, a reply out: an entry at the prompt is a program, a command, or `quit` or `exit`.

use std::sync::Arc;

use super::{Error, Mismatch, Session, Source, Value};
use crate::wording::padded;

/// The outcome of an entry, besides its events.
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
#[derive(Clone, Debug)]
pub struct Columns {
    /// The line above the columns.
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
                let line = padded(&cell(&self.left, row), indent) + &cell(&self.right, row);
                line.trim_end().to_owned()
            }));
        }
        lines.join("\n")
    }
}

/// A request of a command to the program around the session, which has no files, terminal or clock.
#[derive(Clone, Debug)]
pub enum Request {
    /// Run these files, in order.
    Load(Vec<String>),
    /// Read this data file into the variable, or as the last result.
    Read(String, Option<String>),
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrontendRequest {
    /// Let the user change this program in an editor, then run an entry such as `:unset Port`, and the edited program.
    Edit(String, Option<String>),
    /// Let the user change this file in an editor, from a line on, then run an entry such as `:load types.pp`.
    EditFile(String, usize, String),
    /// Write a string into a new file.
    Write {
        /// The file.
        path: String,
        /// The content of the file.
        text: String,
        /// A description of the content, for the message: `3 entries`
        what: String,
    },
    /// Write what was entered and answered into a new file, as a transcript.
    Transcript(String),
    /// Check this path, or the project.
    Check(String),
    /// List the earlier entries that contain this text; if it is a number, so many of the last entries.
    History(String),
}

#[derive(Debug, Default)]
pub(super) struct Entries {
    /// The number of programs and questions so far.
    pub(super) entered: usize,
    /// The number of values that they gave.
    pub(super) results: usize,
    pub(super) last: Option<Arc<Source>>,
    pub(super) programs: Vec<Arc<Source>>,
    pub(super) failure: Option<Error>,
    /// What was explained last, whose branches can be opened.
    pub(super) explained: Option<Mismatch>,
    /// Its text with a line for each mistake, until the next entry.
    pub(super) whole_explanation: Option<String>,
    pub(super) tour_steps: usize,
}

impl Session {
    /// The number of results so far: the last one is `$_` and has this number.
    #[doc(hidden)] // for the program
    pub fn results(&self) -> usize {
        self.entries.results
    }

    /// Makes a value `$_` and the next of `$_1`, `$_2` …
    pub(super) fn remember(&mut self, value: Value) {
        self.entries.results += 1;
        self.set_variable(&format!("_{}", self.entries.results), value.clone());
        self.set_variable("_", value);
    }

    /// The variables that programs set, without the results of entries and the facts.
    pub(super) fn named_variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        let is_result = |name: &str| name.strip_prefix('_').is_some_and(|end| end.bytes().all(|b| b.is_ascii_digit()));
        self.variables().filter(move |(name, _)| !is_result(name) && !self.is_fact(name))
    }

    /// The source of an entry, named by its number, as errors in later entries show it.
    pub(super) fn entry_source(&mut self, text: &str) -> Arc<Source> {
        self.entries.entered += 1;
        self.entries.whole_explanation = None;
        self.note_literals(text);
        Source::new(format!("entry {}", self.entries.entered), text)
    }
}
