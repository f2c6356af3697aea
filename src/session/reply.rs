//! The reply to an entry at the prompt, and the requests of commands to the program that drives the session.

use std::sync::Arc;

use super::{Error, Mismatch, Session, Source, Value};
use crate::wording::pad_to_width;

/// The outcome of an entry, besides the events of its evaluation.
#[derive(Debug)]
pub enum Reply {
    /// There is nothing to show besides the events.
    Done,
    /// The entry is incomplete. The error applies if no more input follows.
    Unfinished(Error),
    /// The entry is wrong or failed.
    Failed(Error),
    /// Output of a command in words and pieces of code; its lines may be wrapped.
    Text(String),
    /// Output of a command in two columns.
    Columns(Columns),
    /// Output of a command that is shown unchanged.
    Verbatim(String),
    /// Output of a command in lines of Puppet code, which may be wrapped and coloured.
    Code(String),
    /// The command is unknown or cannot be run. The message says why, and what to write instead.
    Refused(String),
    /// A request to the program that drives the session, which has access to files and the terminal.
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
    /// Returns the heading and the columns, side by side if they fit into `width` characters, else one below the other.
    pub fn to_text(&self, width: Option<usize>) -> String {
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
                let line = pad_to_width(&cell(&self.left, row), indent) + &cell(&self.right, row);
                line.trim_end().to_owned()
            }));
        }
        lines.join("\n")
    }
}

/// A request to the program that drives the session. The session itself has no access to files, terminal or clock.
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
    /// A request that only an interactive prompt can fulfil.
    Frontend(FrontendRequest),
}

/// A request to the interactive prompt, which has the user's editor and history and writes files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrontendRequest {
    /// Open this program in an editor; then run this entry, such as `:unset Port`, if any, and the edited program.
    Edit(String, Option<String>),
    /// Open this file in an editor at this line; then run this entry, such as `:load types.pp`.
    EditFile(String, usize, String),
    /// Write a string into a new file.
    Write {
        /// The path of the file to create.
        path: String,
        /// The content of the new file.
        text: String,
        /// A description of the content, for the message: `3 entries`
        what: String,
    },
    /// Write all entries and their output into a new file with this path, as a transcript.
    Transcript(String),
    /// Check the files at this path or, if it is empty, the project.
    Check(String),
    /// List the earlier entries that contain this string or, if it is a number, that many of the last entries.
    History(String),
}

#[derive(Debug, Default)]
pub(super) struct EntryHistory {
    /// The number of entries so far that were evaluated as code.
    pub(super) entry_count: usize,
    /// The number of results so far, which are `$_1`, `$_2` …
    pub(super) result_count: usize,
    pub(super) last_entry: Option<Arc<Source>>,
    pub(super) successful_programs: Vec<Arc<Source>>,
    pub(super) last_error: Option<Error>,
    /// The mismatch that was explained last; `:why 2` expands its second folded branch.
    pub(super) last_mismatch: Option<Mismatch>,
    /// The full text of the last explanation, with a line for each mistake; `None` after the next entry.
    pub(super) last_full_explanation: Option<String>,
    pub(super) last_tour_step: usize,
}

impl Session {
    /// Returns the number of results so far. The last result is `$_`, and also `$_3` if the number is 3.
    #[doc(hidden)] // for the program
    pub fn result_count(&self) -> usize {
        self.entries.result_count
    }

    pub(super) fn store_result(&mut self, value: Value) {
        self.entries.result_count += 1;
        self.set_variable(&format!("_{}", self.entries.result_count), value.clone());
        self.set_variable("_", value);
    }

    /// Returns the variables that programs set, without facts and the results of entries such as `$_1`.
    pub(super) fn user_variables(&self) -> impl Iterator<Item = (&str, &Value)> {
        let is_result = |name: &str| name.strip_prefix('_').is_some_and(|end| end.bytes().all(|b| b.is_ascii_digit()));
        self.variables().filter(move |(name, _)| !is_result(name) && !self.is_fact(name))
    }

    pub(super) fn next_entry_source(&mut self, text: &str) -> Arc<Source> {
        self.entries.entry_count += 1;
        self.entries.last_full_explanation = None;
        self.note_sensitive_literals(text);
        Source::new(format!("entry {}", self.entries.entry_count), text)
    }
}
