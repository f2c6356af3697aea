//! The helper that the editor (rustyline) calls for completion, hints and highlighting.

use std::cell::{Cell, RefCell};
use std::{borrow::Cow, time::Instant};

use pcore::assist::{SymbolIndex, complete};
use rustyline::completion::{Completer, Pair};
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::SearchDirection;
use rustyline::line_buffer::LineBuffer;
use rustyline::validate::Validator;
use rustyline::{Changeset, Context, Helper};
use terminal_size::{Height, Width};

use super::candidate_list::{CompletionMenu, file_candidates, to_editor_pairs};
use super::hint::{self, PromptHint};
use super::keys::{KeyBindings, PendingEdit};
use super::{CONTINUATION_PROMPT, ScreenSize, UnicodeWidthStr, continuation, paint, paste};
use crate::cli::show::{DIM, Palette};

#[derive(Default)]
pub(super) struct PromptHelper {
    pub(super) palette: Palette,
    /// The symbols of the session, renewed before each entry.
    pub(super) symbols: SymbolIndex,
    pub(super) is_last_result_false: bool,
    keys: KeyBindings,
    menu: RefCell<Option<CompletionMenu>>,
    /// The whole entry and cursor that a key handler wants instead of the current ones, until the editor applies them.
    pending_line: RefCell<Option<(String, usize)>>,
    /// Whether the entry was submitted: it is then drawn for the last time, without a cursor.
    is_entry_finished: Cell<bool>,
}

impl PromptHelper {
    pub(super) fn new(keys: KeyBindings) -> PromptHelper {
        PromptHelper { keys, ..PromptHelper::default() }
    }

    fn apply_pending_edit(&self, edit: PendingEdit, line: &str, cursor: usize) -> Option<(String, usize)> {
        match edit {
            PendingEdit::Line { text, cursor } => {
                self.menu.take();
                Some((text, cursor))
            }
            PendingEdit::Discard | PendingEdit::OpenEditor => None,
            PendingEdit::Complete(direction) => {
                let mut menu = self.menu.borrow_mut();
                match menu.as_mut().filter(|menu| menu.is_open_at(line, cursor)) {
                    Some(menu) => menu.select_next(direction),
                    None => {
                        let (start, candidates) = self.candidates_at_cursor(line, cursor);
                        *menu = CompletionMenu::from_candidates(line, start..cursor, candidates);
                    }
                }
                self.keys.lock_state().is_choosing = menu.as_ref().is_some_and(CompletionMenu::is_candidate_selected);
                menu.as_ref().map(|menu| (menu.line(), menu.cursor_offset()))
            }
        }
    }

    fn candidates_at_cursor(&self, line: &str, cursor: usize) -> (usize, Vec<Pair>) {
        let columns = screen_size().map_or(80, |screen| screen.columns);
        let completion = complete(&continuation::padding_to_spaces(line), cursor, &self.symbols);
        let Some(path) = completion.typed_path else {
            return (completion.range.start, to_editor_pairs(&completion.candidates, columns));
        };
        let name = path.rsplit_once('/').map_or(&*path, |(_, name)| name);
        (cursor - name.len(), to_editor_pairs(&file_candidates(&path), columns))
    }

    fn menu_as_hint(&self, line: &str, cursor: usize) -> Option<PromptHint> {
        let menu = self.menu.borrow();
        let menu = menu.as_ref().filter(|menu| menu.is_open_at(line, cursor))?;
        let screen = screen_size()?;
        let taken = screen.rows_of_text(&format!("{}{line}", self.keys.lock_state().prompt));
        let rows = screen.rows.checked_sub(taken).filter(|rows| *rows > 0)?;
        let rows = menu.render_rows(screen.columns, rows, self.palette);
        Some(PromptHint { shown_text: format!("\n{rows}"), inserted: None })
    }

    fn painted_line(&self, line: &str, cursor: usize) -> String {
        let is_finished = self.is_entry_finished.get();
        let is_at_end = is_finished && cursor == line.len();
        let whole = screen_size().filter(|_| is_at_end).and_then(|screen| self.pad_finished_entry(line, screen));
        let cursor = (!is_finished).then_some(cursor);
        paint::paint_entry(whole.as_deref().unwrap_or(line), cursor, &self.symbols, self.palette)
    }

    /// Returns the finished entry `line` with padding on each further line, also on pasted ones, to draw prompts there;
    /// `None` if this could change the number of rows that the editor has counted, or if a session was pasted.
    fn pad_finished_entry(&self, line: &str, screen: ScreenSize) -> Option<String> {
        let text = continuation::strip_prompt_padding(line);
        let state = self.keys.lock_state();
        let columns = state.prompt.width().max(CONTINUATION_PROMPT.len());
        let is_narrow = text.split('\n').all(|line| line.width() + columns < screen.columns);
        (is_narrow && !paste::is_pasted_session(line, &state.prompt)).then(|| continuation::add_padding(&text))
    }
}

impl Helper for PromptHelper {}

impl Validator for PromptHelper {}

impl Completer for PromptHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, cursor: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        self.pending_line.take();
        let edit = self.keys.lock_state().pending_edit.take();
        if let Some(edit) = edit {
            let edited = self.apply_pending_edit(edit, line, cursor);
            // Without a candidate the editor does not call `update`.
            let nothing = |_| Pair { display: String::new(), replacement: String::new() };
            let candidates = edited.iter().map(nothing).collect();
            self.pending_line.replace(edited);
            return Ok((cursor, candidates));
        }
        Ok(self.candidates_at_cursor(line, cursor))
    }

    fn update(&self, line: &mut LineBuffer, start: usize, elected: &str, changes: &mut Changeset) {
        match self.pending_line.take() {
            Some((text, cursor)) => line.update(&text, cursor, changes),
            None => line.replace(start..line.pos(), elected, changes),
        }
    }
}

impl Hinter for PromptHelper {
    type Hint = PromptHint;

    fn hint(&self, line: &str, cursor: usize, context: &Context<'_>) -> Option<PromptHint> {
        if let Some(menu) = self.menu_as_hint(line, cursor) {
            return Some(menu);
        }
        // Without colours a hint looks like typed text.
        if cursor != line.len() || self.palette == Palette::Plain {
            return None;
        }
        if line.is_empty() && self.is_last_result_false {
            let shown = self.palette.paint_text(DIM, ":why explains");
            return Some(PromptHint { shown_text: shown, inserted: Some(":why".to_owned()) });
        }
        let history = context.history();
        let entries =
            (0..history.len()).rev().filter_map(|at| history.get(at, SearchDirection::Reverse).ok().flatten());
        hint::hint_after(line, &self.symbols, entries.map(|found| found.entry), self.palette)
    }
}

impl Highlighter for PromptHelper {
    fn highlight<'l>(&self, line: &'l str, cursor: usize) -> Cow<'l, str> {
        let drawn = self.painted_line(line, cursor);
        self.keys.lock_state().last_draw_time = Some(Instant::now());
        Cow::Owned(drawn)
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.is_entry_finished.set(kind == CmdKind::ForcedRefresh);
        self.palette != Palette::Plain || line.contains('\n')
    }
}

pub(super) fn screen_size() -> Option<ScreenSize> {
    let (Width(columns), Height(rows)) = terminal_size::terminal_size()?;
    Some(ScreenSize { columns: columns.into(), rows: rows.into() })
}
