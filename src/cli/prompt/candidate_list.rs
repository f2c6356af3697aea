//! The list of candidates: label, kind and summary in columns.

use std::fs;

use pcore::assist::{Candidate, CandidateKind, Rank};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::super::input::expanded;

/// With more candidates than this, summaries are left out, so that the editor can show several columns.
const MAX_EXPLAINED: usize = 16;

/// A candidate in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ListedCandidate {
    /// The text to insert.
    pub(super) text: String,
    /// The line of the list.
    pub(super) shown: String,
}

impl rustyline::completion::Candidate for ListedCandidate {
    fn display(&self) -> &str {
        &self.shown
    }

    fn replacement(&self) -> &str {
        &self.text
    }
}

/// The list for a terminal of so many columns.
pub(super) fn listed(candidates: &[Candidate], columns: usize) -> Vec<ListedCandidate> {
    let labels = candidates.iter().map(|candidate| candidate.label.width()).max().unwrap_or(0);
    let kinds = candidates.iter().map(|candidate| candidate.kind.to_string().width()).max().unwrap_or(0);
    let has_summaries = candidates.len() <= MAX_EXPLAINED;
    let shown = |Candidate { label, kind, summary, .. }: &Candidate| {
        let padding = " ".repeat(labels - label.width());
        let line = if has_summaries && !summary.is_empty() {
            cut(&format!("{label}{padding}  {kind:kinds$}  {summary}"), columns)
        } else {
            format!("{label}{padding}  {kind}")
        };
        // Control characters are not for lists.
        line.replace('\n', " ").replace(char::is_control, "\u{fffd}")
    };
    candidates
        .iter()
        .map(|candidate| ListedCandidate { shown: shown(candidate), text: candidate.text.clone() })
        .collect()
}

/// The files whose paths begin with `typed`, by the part after its last slash.
pub(super) fn files(typed: &str) -> Vec<Candidate> {
    let (folder, beginning) = typed
        .rsplit_once('/')
        .map_or((".", typed), |(folder, rest)| (if folder.is_empty() { "/" } else { folder }, rest));
    let entries = fs::read_dir(expanded(folder)).into_iter().flatten().flatten();
    let candidates = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let is_shown = name.starts_with(beginning) && (!name.starts_with('.') || beginning.starts_with('.'));
        let is_folder = entry.path().is_dir();
        let (text, kind) = if is_folder { (name + "/", CandidateKind::Folder) } else { (name, CandidateKind::File) };
        is_shown.then(|| Candidate::new(Rank::BuiltIn, text, kind))
    });
    let mut candidates: Vec<Candidate> = candidates.collect();
    candidates.sort_by(|one, other| one.text.cmp(&other.text));
    candidates
}

/// Cuts a line so that the last column stays free.
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
    use pcore::assist::{SymbolIndex, complete};
    use pcore::session::Console;

    #[test]
    fn the_list_has_columns_and_ends_at_the_edge_of_the_screen() {
        let row =
            |rank, name: &str, summary: &str| Candidate::new(rank, name, CandidateKind::Type).with_summary(summary);
        let shown = |rows: Vec<Candidate>| listed(&rows, 20).into_iter().map(|row| row.shown).collect::<Vec<_>>();
        assert_eq!(
            shown(vec![row(Rank::Expected, "abc", "d\u{1b}[1m"), row(Rank::BuiltIn, "日本", "a\nb")]),
            ["abc   type  d\u{fffd}[1m", "日本  type  a b"]
        );
        assert_eq!(shown(vec![row(Rank::Session, "a", "日本語日本語")]), ["a  type  日本語日…"]);
        let many = (0..=MAX_EXPLAINED).map(|number| row(Rank::Session, &format!("{number:02}"), "summary"));
        assert_eq!(shown(many.collect())[0], "00  type");
    }

    #[test]
    fn the_list_says_what_the_candidates_are() {
        let shown = |before: &str| {
            let symbols = SymbolIndex::of(&Console::default());
            listed(&complete(before, before.len(), &symbols).candidates, 40)
                .into_iter()
                .map(|candidate| candidate.shown)
                .collect::<Vec<_>>()
        };
        assert_eq!(shown("1 =~ Boo"), ["Boolean  type  true or false, optional…"]);
        assert_eq!(shown("[1].redu"), ["reduce  function  combines all element…"]);
        assert_eq!(shown("1 =~ ")[..2], ["Annotation    type", "Any           type"]);
    }
}
