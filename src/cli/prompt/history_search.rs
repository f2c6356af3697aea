//! History search: Up and Down show the entries that begin with the text before the cursor.

use rustyline::history::{History, SearchDirection};

/// The direction of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// To older entries.
    Back,
    /// To newer entries, and finally to the typed text.
    Forth,
}

/// The state of a search.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HistorySearch {
    /// The typed text; entries must begin with the part before the cursor.
    typed: String,
    cursor: usize,
    /// The index of the shown entry.
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

    /// The line and the cursor in it, so that the same key takes the next step.
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
mod tests {
    use super::*;
    use rustyline::history::MemHistory;

    /// What is shown after each of `directions`, with a bar for the cursor.
    fn shown(typed: &str, cursor: usize, directions: &[Direction]) -> Vec<String> {
        let mut history = MemHistory::new();
        for entry in ["a1", "b1", "a2\nx", "a3"] {
            history.add(entry).unwrap();
        }
        let (mut line, mut cursor) = (typed.to_owned(), cursor);
        let mut search = None;
        let mut all = Vec::new();
        for direction in directions {
            if let Some(step) = HistorySearch::step(search.as_ref(), (&line, cursor), *direction, &history) {
                let (text, place) = step.line(*direction);
                (line, cursor) = (text.to_owned(), place);
                search = Some(step);
            }
            all.push(format!("{}|{}", &line[..cursor], &line[cursor..]));
        }
        all
    }

    use Direction::{Back, Forth};

    #[test]
    fn up_and_down_go_through_all_entries_when_nothing_is_typed() {
        assert_eq!(shown("", 0, &[Back, Back, Back, Back, Back]), ["a3|", "a2|\nx", "b1|", "a1|", "a1|"]);
        assert_eq!(shown("", 0, &[Back, Back, Forth, Forth, Forth]), ["a3|", "a2|\nx", "a3|", "|", "|"]);
    }

    #[test]
    fn what_stands_before_the_cursor_is_looked_for() {
        assert_eq!(shown("b", 1, &[Back, Back, Forth]), ["b1|", "b1|", "b|"]);
        assert_eq!(
            shown("ax", 1, &[Back, Back, Back, Forth, Forth, Forth]),
            ["a3|", "a2|\nx", "a1|", "a2\nx|", "a3|", "a|x"]
        );
        assert_eq!(shown("c", 1, &[Back, Forth]), ["c|", "c|"]);
    }

    #[test]
    fn the_same_entry_is_not_shown_again() {
        assert_eq!(shown("a3", 2, &[Back]), ["a3|"]);
        assert_eq!(shown("a3", 1, &[Back]), ["a2|\nx"]);
    }
}
