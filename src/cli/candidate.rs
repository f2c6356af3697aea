//! What may be typed next, and the list in which it is shown: name, kind and summary in columns, the likelier first.

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

/// A candidate before it is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// How likely it is meant, the likelier the lower.
    pub(super) rank: Rank,
    /// What stands in the line when it is taken.
    pub(super) text: String,
    /// What stands in the list, where that is something else.
    pub(super) label: Option<String>,
    /// What it is: `function`
    pub(super) kind: &'static str,
    pub(super) summary: String,
}

impl Row {
    pub(super) fn new(rank: Rank, text: impl Into<String>, kind: &'static str) -> Row {
        Row { rank, text: text.into(), label: None, kind, summary: String::new() }
    }

    pub(super) fn explained(self, summary: impl Into<String>) -> Row {
        Row { summary: summary.into(), ..self }
    }

    fn name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.text)
    }
}

/// How likely a candidate is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// It fits what is known of this place.
    Known,
    /// It comes from the session.
    Own,
    /// It is in the tables.
    Common,
    /// It is rarely meant.
    Rare,
}

/// The candidates in the order and as they are shown, for a terminal of so many columns.
pub(super) fn listed(mut rows: Vec<Row>, columns: usize) -> Vec<Candidate> {
    rows.sort_by(|one, other| (one.rank, &one.text).cmp(&(other.rank, &other.text)));
    rows.dedup_by(|one, other| one.text == other.text);
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

    #[test]
    fn the_list_has_columns_and_ends_at_the_edge_of_the_screen() {
        let row = |rank, name: &str, summary: &str| Row::new(rank, name, "type").explained(summary);
        let shown = |rows: Vec<Row>| listed(rows, 20).into_iter().map(|row| row.shown).collect::<Vec<_>>();
        assert_eq!(
            shown(vec![row(Rank::Common, "日本", "a\nb"), row(Rank::Known, "abc", "d\u{1b}[1m")]),
            ["abc   type  d\u{fffd}[1m", "日本  type  a b"]
        );
        assert_eq!(shown(vec![row(Rank::Own, "a", "日本語日本語")]), ["a  type  日本語日…"]);
        let many = (0..=MAX_EXPLAINED).map(|number| row(Rank::Own, &format!("{number:02}"), "summary"));
        assert_eq!(shown(many.collect())[0], "00  type");
    }
}
