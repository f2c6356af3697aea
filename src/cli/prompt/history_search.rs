//! History search: Up and Down show the entries that begin with the text before the cursor.

use rustyline::history::{History, SearchDirection};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Back,
    /// To newer entries, and finally to the typed text.
    Forth,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct HistorySearch {
    /// The typed text; entries must begin with the part before the cursor.
    typed: String,
    cursor: usize,
    at: usize,
    shown: String,
}

impl HistorySearch {
    /// Takes a step from `line`, continuing the search `before` if the line is unchanged since. Returns `None` if there is
    /// no other entry.
    pub(super) fn step(
        before: Option<&HistorySearch>,
        (line, cursor): (&str, usize),
        direction: Direction,
        history: &dyn History,
    ) -> Option<HistorySearch> {
        let (typed, cursor, at) = match before.filter(|before| before.shown == line) {
            Some(before) => (before.typed.as_str(), before.cursor, before.at),
            None => (line, cursor, history.len()),
        };
        let prefix = &typed[..cursor];
        let entry = |at: usize| {
            let found = history.get(at, SearchDirection::Reverse).ok().flatten()?;
            (found.entry.starts_with(prefix) && found.entry != line).then(|| (at, found.entry.into_owned()))
        };
        let (at, shown) = match direction {
            Direction::Back => (0..at).rev().find_map(entry)?,
            Direction::Forth if at >= history.len() => return None,
            Direction::Forth => {
                (at + 1..history.len()).find_map(entry).unwrap_or_else(|| (history.len(), typed.to_owned()))
            }
        };
        Some(HistorySearch { typed: typed.to_owned(), cursor, at, shown })
    }

    /// The line and the cursor of the last search, so that the same key continues it.
    pub(super) fn line(&self, direction: Direction) -> (&str, usize) {
        let end = match direction {
            _ if self.shown == self.typed => self.cursor,
            Direction::Back => self.shown.find('\n').unwrap_or(self.shown.len()),
            Direction::Forth => self.shown.len(),
        };
        (&self.shown, end)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/history_search.rs"]
mod tests;
