//! The helper of the editor: completion, hints and highlighting.

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

use super::candidate_list::{Menu, files, listed};
use super::hint::{self, PromptHint};
use super::keys::{Edit, Keys};
use super::{CONTINUATION_PROMPT, Screen, UnicodeWidthStr, continuation, paint, paste};
use crate::cli::show::Palette;

#[derive(Default)]
pub(super) struct PromptHelper {
    pub(super) palette: Palette,
    /// The symbols of the session, renewed before each entry.
    pub(super) symbols: SymbolIndex,
    /// Whether the last result was `false`.
    pub(super) is_after_false: bool,
    keys: Keys,
    menu: RefCell<Option<Menu>>,
    /// The new line, when a key does more than complete a word.
    line: RefCell<Option<(String, usize)>>,
    /// Whether the entry is finished: it is drawn for the last time, without a cursor.
    is_finished: Cell<bool>,
}

impl PromptHelper {
    pub(super) fn new(keys: Keys) -> PromptHelper {
        PromptHelper { keys, ..PromptHelper::default() }
    }

    fn edited(&self, edit: Edit, line: &str, cursor: usize) -> Option<(String, usize)> {
        match edit {
            Edit::Line { text, cursor } => {
                self.menu.take();
                Some((text, cursor))
            }
            Edit::Discard | Edit::OpenEditor => None,
            Edit::Complete(direction) => {
                let mut menu = self.menu.borrow_mut();
                match menu.as_mut().filter(|menu| menu.is_at(line, cursor) && menu.has_choice()) {
                    Some(menu) => menu.step(direction),
                    None => {
                        let (start, candidates) = self.candidates(line, cursor);
                        *menu = Menu::new(line, start..cursor, candidates);
                    }
                }
                self.keys.state().is_choosing = menu.as_ref().is_some_and(Menu::is_choosing);
                menu.as_ref().map(|menu| (menu.line.clone(), menu.cursor()))
            }
        }
    }

    fn candidates(&self, line: &str, cursor: usize) -> (usize, Vec<Pair>) {
        let columns = screen().map_or(80, |screen| screen.columns);
        let completion = complete(&continuation::with_spaces(line), cursor, &self.symbols);
        let Some(path) = completion.path else {
            return (completion.range.start, listed(&completion.candidates, columns));
        };
        let name = path.rsplit_once('/').map_or(&*path, |(_, name)| name);
        (cursor - name.len(), listed(&files(&path), columns))
    }

    fn shown_menu(&self, line: &str, cursor: usize) -> Option<PromptHint> {
        let menu = self.menu.borrow();
        let menu = menu.as_ref().filter(|menu| menu.is_at(line, cursor) && menu.has_choice())?;
        let screen = screen()?;
        let taken = screen.rows_of(&format!("{}{line}", self.keys.state().prompt));
        let rows = screen.rows.checked_sub(taken).filter(|rows| *rows > 0)?;
        Some(PromptHint::below(&menu.shown(screen.columns, rows, self.palette)))
    }

    fn drawn(&self, line: &str, cursor: usize) -> String {
        let is_finished = self.is_finished.get();
        let is_at_end = is_finished && cursor == line.len();
        let whole = screen().filter(|_| is_at_end).and_then(|screen| self.in_full(line, screen));
        let cursor = (!is_finished).then_some(cursor);
        paint::painted(whole.as_deref().unwrap_or(line), cursor, &self.symbols, self.palette)
    }

    /// A finished entry, in which pasted lines have prompts, too; `None` if that changes the number of rows, which the editor
    /// has counted.
    fn in_full(&self, line: &str, screen: Screen) -> Option<String> {
        let text = continuation::strip_padding(line);
        let state = self.keys.state();
        let columns = state.prompt.width().max(CONTINUATION_PROMPT.len());
        let is_narrow = text.split('\n').all(|line| line.width() + columns < screen.columns);
        (is_narrow && !paste::is_session(line, &state.prompt)).then(|| continuation::pad(&text))
    }
}

impl Helper for PromptHelper {}

impl Validator for PromptHelper {}

impl Completer for PromptHelper {
    type Candidate = Pair;

    fn complete(&self, line: &str, cursor: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        self.line.take();
        let edit = self.keys.state().edit.take();
        if let Some(edit) = edit {
            let edited = self.edited(edit, line, cursor);
            // Without a candidate the editor does not call `update`.
            let nothing = |_| Pair { display: String::new(), replacement: String::new() };
            let candidates = edited.iter().map(nothing).collect();
            self.line.replace(edited);
            return Ok((cursor, candidates));
        }
        Ok(self.candidates(line, cursor))
    }

    fn update(&self, line: &mut LineBuffer, start: usize, elected: &str, changes: &mut Changeset) {
        match self.line.take() {
            Some((text, cursor)) => line.update(&text, cursor, changes),
            None => line.replace(start..line.pos(), elected, changes),
        }
    }
}

impl Hinter for PromptHelper {
    type Hint = PromptHint;

    fn hint(&self, line: &str, cursor: usize, context: &Context<'_>) -> Option<PromptHint> {
        if let Some(menu) = self.shown_menu(line, cursor) {
            return Some(menu);
        }
        // Without colours a hint looks like typed text.
        if cursor != line.len() || self.palette == Palette::Plain {
            return None;
        }
        if line.is_empty() && self.is_after_false {
            return Some(PromptHint::why(self.palette));
        }
        let history = context.history();
        let entries =
            (0..history.len()).rev().filter_map(|at| history.get(at, SearchDirection::Reverse).ok().flatten());
        hint::hint(line, &self.symbols, entries.map(|found| found.entry), self.palette)
    }
}

impl Highlighter for PromptHelper {
    fn highlight<'l>(&self, line: &'l str, cursor: usize) -> Cow<'l, str> {
        let drawn = self.drawn(line, cursor);
        self.keys.state().drawn = Some(Instant::now());
        Cow::Owned(drawn)
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.is_finished.set(kind == CmdKind::ForcedRefresh);
        self.palette != Palette::Plain || line.contains('\n')
    }
}

pub(super) fn screen() -> Option<Screen> {
    let (Width(columns), Height(rows)) = terminal_size::terminal_size()?;
    Some(Screen { columns: columns.into(), rows: rows.into() })
}
