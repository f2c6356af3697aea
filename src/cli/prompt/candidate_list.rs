//! What may be typed next, and the list in which it is shown: name, kind and summary in columns, the likelier first.

use std::fs;

use super::super::input::expanded;
use pcore::assist::candidates::{Rank, Row};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// With more candidates than this, their summaries are left out: the names then stand side by side.
const MAX_EXPLAINED: usize = 16;

/// What may be typed next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Candidate {
    /// What stands in the line when it is taken.
    pub(super) text: String,
    /// What stands in the list.
    pub(super) shown: String,
}

impl rustyline::completion::Candidate for Candidate {
    fn display(&self) -> &str {
        &self.shown
    }

    fn replacement(&self) -> &str {
        &self.text
    }
}

/// The candidates in the order and as they are shown, for a terminal of so many columns.
pub(super) fn listed(rows: &[Row], columns: usize) -> Vec<Candidate> {
    let names = rows.iter().map(|row| row.name().width()).max().unwrap_or(0);
    let kinds = rows.iter().map(|row| row.kind.width()).max().unwrap_or(0);
    let explains = rows.len() <= MAX_EXPLAINED;
    let shown = |row: &Row| {
        let name = row.name();
        let blank = " ".repeat(names - name.width());
        let line = if explains && !row.summary.is_empty() {
            cut(&format!("{name}{blank}  {:kinds$}  {}", row.kind, row.summary), columns)
        } else {
            format!("{name}{blank}  {}", row.kind)
        };
        // What controls a terminal is not for lists.
        line.replace('\n', " ").replace(char::is_control, "\u{fffd}")
    };
    rows.iter().map(|row| Candidate { shown: shown(row), text: row.text.clone() }).collect()
}

/// The files whose path begins with `typed`, by the part behind its last slash.
pub(super) fn files(typed: &str) -> Vec<Row> {
    let (folder, beginning) = typed
        .rsplit_once('/')
        .map_or((".", typed), |(folder, rest)| (if folder.is_empty() { "/" } else { folder }, rest));
    let entries = fs::read_dir(expanded(folder)).into_iter().flatten().flatten();
    let rows = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let is_shown = name.starts_with(beginning) && (!name.starts_with('.') || beginning.starts_with('.'));
        let is_folder = entry.path().is_dir();
        let (text, kind) = if is_folder { (name + "/", "folder") } else { (name, "file") };
        is_shown.then(|| Row::new(Rank::Common, text, kind))
    });
    let mut rows: Vec<Row> = rows.collect();
    rows.sort_by(|one, other| one.text.cmp(&other.text));
    rows
}

/// A line that leaves the last of so many columns free.
fn cut(line: &str, columns: usize) -> String {
    if line.width() < columns {
        return line.to_owned();
    }
    let mut free = columns.saturating_sub(2);
    let fits = |letter: &char| {
        let width = letter.width().unwrap_or(0);
        let fits = width <= free;
        free -= if fits { width } else { 0 };
        fits
    };
    line.chars().take_while(fits).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use pcore::assist::completion::candidates;
    use pcore::assist::symbols::Names;
    use pcore::session::Session;

    #[test]
    fn the_list_has_columns_and_ends_at_the_edge_of_the_screen() {
        let row = |rank, name: &str, summary: &str| Row::new(rank, name, "type").explained(summary);
        let shown = |rows: Vec<Row>| listed(&rows, 20).into_iter().map(|row| row.shown).collect::<Vec<_>>();
        assert_eq!(
            shown(vec![row(Rank::Known, "abc", "d\u{1b}[1m"), row(Rank::Common, "日本", "a\nb")]),
            ["abc   type  d\u{fffd}[1m", "日本  type  a b"]
        );
        assert_eq!(shown(vec![row(Rank::Own, "a", "日本語日本語")]), ["a  type  日本語日…"]);
        let many = (0..=MAX_EXPLAINED).map(|number| row(Rank::Own, &format!("{number:02}"), "summary"));
        assert_eq!(shown(many.collect())[0], "00  type");
    }

    #[test]
    fn the_list_says_what_the_candidates_are() {
        let shown = |before: &str| {
            let names = Names::of(&Session::default());
            listed(&candidates(before, "", &names).1, 40)
                .into_iter()
                .map(|candidate| candidate.shown)
                .collect::<Vec<_>>()
        };
        assert_eq!(shown("1 =~ Boo"), ["Boolean  type  true and false, or one …"]);
        assert_eq!(shown("[1].redu"), ["reduce  function  what remains when th…"]);
        assert_eq!(shown("1 =~ ")[..2], ["Annotation    type", "Any           type"]);
    }
}
