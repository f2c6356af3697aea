//! The list of completion candidates: label, kind and summary in columns.

use std::{fs, ops::Range};

use pcore::assist::{Candidate, CandidateKind, Rank};
use rustyline::completion::{Pair, longest_common_prefix};
use unicode_width::UnicodeWidthStr;

use super::super::show::{DIM, MARKER_STYLE, Palette};
use super::{super::input::expand_home, super::style::length_within_columns, keys::Direction};

/// The maximum number of candidates with summaries; more candidates are listed in several columns.
const MAX_WITH_SUMMARIES: usize = 16;

pub(super) struct CompletionMenu {
    around: (String, String),
    /// The typed part of the word, or the common beginning of all candidates if that is longer.
    typed_word: String,
    candidates: Vec<Pair>,
    selected: Option<usize>,
}

impl CompletionMenu {
    pub(super) fn from_candidates(line: &str, range: Range<usize>, candidates: Vec<Pair>) -> Option<CompletionMenu> {
        candidates.first()?;
        let common = longest_common_prefix(&candidates).unwrap_or_default();
        let is_longer = common.len() > range.len() || candidates.len() == 1;
        let typed = if is_longer { common.to_owned() } else { line[range.clone()].to_owned() };
        let around = (line[..range.start].to_owned(), line[range.end..].to_owned());
        Some(CompletionMenu { around, typed_word: typed, candidates, selected: None })
    }

    pub(super) fn is_candidate_selected(&self) -> bool {
        self.candidates.len() > 1 && self.selected.is_some()
    }

    pub(super) fn cursor_offset(&self) -> usize {
        self.line().len() - self.around.1.len()
    }

    /// Whether `line` and `cursor` are as this menu has set them: the user has not edited the line since.
    pub(super) fn is_open_at(&self, line: &str, cursor: usize) -> bool {
        self.candidates.len() > 1 && self.line() == line && self.cursor_offset() == cursor
    }

    /// Selects the next candidate in `direction`. After the last one, selects none and restores the typed word.
    pub(super) fn select_next(&mut self, direction: Direction) {
        let count = self.candidates.len();
        self.selected = match (direction, self.selected) {
            (Direction::Forth, None) => Some(0),
            (Direction::Forth, Some(at)) => Some(at + 1).filter(|at| *at < count),
            (Direction::Back, None) => count.checked_sub(1),
            (Direction::Back, Some(at)) => at.checked_sub(1),
        };
    }

    /// Returns the whole entry with the selected candidate or, if none is selected, the typed word.
    pub(super) fn line(&self) -> String {
        let selected = self.selected.and_then(|at| self.candidates.get(at));
        let word = selected.map_or(&self.typed_word, |candidate| &candidate.replacement);
        format!("{}{word}{}", self.around.0, self.around.1)
    }

    /// Formats the candidates in columns; if they need more than `rows` rows, only those around the selected one.
    pub(super) fn render_rows(&self, columns: usize, rows: usize, palette: Palette) -> String {
        const COLUMN_GAP: usize = 2;
        let widest = self.candidates.iter().map(|candidate| candidate.display.width()).max().unwrap_or(0) + COLUMN_GAP;
        let cells = self.candidates.iter().enumerate().map(|(at, Pair { display, .. })| {
            let padding = " ".repeat(widest - display.width());
            if self.selected == Some(at) {
                palette.paint_text(MARKER_STYLE, display) + &padding
            } else {
                format!("{display}{padding}")
            }
        });
        let cells: Vec<String> = cells.collect();
        let across = ((columns + COLUMN_GAP - 1) / widest).max(1);
        let mut lines: Vec<String> = cells.chunks(across).map(|row| row.concat().trim_end().to_owned()).collect();
        if lines.len() > rows {
            // The last row says how many there are.
            let room = rows.saturating_sub(1).max(1);
            let first = (self.selected.unwrap_or(0) / across + 1).saturating_sub(room);
            lines = lines.into_iter().skip(first).take(room).collect();
            lines.extend((rows > 1).then(|| palette.paint_text(DIM, &format!("… {} in all", self.candidates.len()))));
        }
        lines.join("\n")
    }
}

/// Returns each candidate as a line of the list, at most `columns` wide, and its replacement in the editor.
pub(super) fn to_editor_pairs(candidates: &[Candidate], columns: usize) -> Vec<Pair> {
    let labels = candidates.iter().map(|candidate| candidate.label.width()).max().unwrap_or(0);
    let kinds = candidates.iter().map(|candidate| candidate.kind.to_string().width()).max().unwrap_or(0);
    let has_summaries = candidates.len() <= MAX_WITH_SUMMARIES;
    let shown = |Candidate { label, kind, summary, .. }: &Candidate| {
        let padding = " ".repeat(labels - label.width());
        let mut line = format!("{label}{padding}  {kind}");
        if has_summaries && !summary.is_empty() {
            line = format!("{label}{padding}  {kind:kinds$}  {summary}");
            // The last column stays free.
            if line.width() >= columns {
                line.truncate(length_within_columns(&line, columns.saturating_sub(2)));
                line.push('…');
            }
        }
        // Control characters are not for lists.
        line.replace('\n', " ").replace(char::is_control, "\u{fffd}")
    };
    let pair = |candidate: &Candidate| Pair { display: shown(candidate), replacement: candidate.text.clone() };
    candidates.iter().map(pair).collect()
}

pub(super) fn file_candidates(typed: &str) -> Vec<Candidate> {
    let (folder, beginning) = typed
        .rsplit_once('/')
        .map_or((".", typed), |(folder, rest)| (if folder.is_empty() { "/" } else { folder }, rest));
    let entries = fs::read_dir(expand_home(folder)).into_iter().flatten().flatten();
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

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/candidate_list.rs"]
mod tests;
