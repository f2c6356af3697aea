//! The helper of the editor: completion, hints and highlighting.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::time::Instant;

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
use super::viewport::{self, Position, visible_rows};
use super::{CONTINUATION_PROMPT, Screen, UnicodeWidthStr, continuation, paint, paste};
use crate::cli::show::Palette;

#[derive(Default)]
pub(super) struct PromptHelper {
    pub(super) palette: Palette,
    /// The symbols of the session, renewed before each entry.
    pub(super) symbols: SymbolIndex,
    pub(super) prompt_width: usize,
    /// Whether the last result was `false`.
    pub(super) is_after_false: bool,
    keys: Keys,
    menu: RefCell<Option<Menu>>,
    /// The new line, when a key does more than complete a word.
    line: RefCell<Option<(String, usize)>>,
    /// The line and the cursor as they were drawn last, and the columns of the screen as the editor knows them.
    last: RefCell<(String, usize, usize)>,
    /// Whether the editor has just requested a hint: it draws the line next.
    is_hinted: Cell<bool>,
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
        let end = Position { row: 0, column: self.prompt_width }.after(line, screen.columns);
        let rows = screen.rows.checked_sub(end.row + 1).filter(|rows| *rows > 0)?;
        Some(PromptHint::below(&menu.shown(screen.columns, rows, self.palette)))
    }

    pub(super) fn begins(&self) {
        self.last.take();
        self.is_hinted.take();
    }

    /// Remembers what is drawn. Where the window has another width than the editor knows, the terminal has wrapped the line
    /// anew, while the editor is about to clear the rows that there were: the cursor is moved to where it expects it.
    fn draws(&self, line: &str, cursor: usize) {
        let Some(Screen { columns, .. }) = screen() else { return };
        let mut last = self.last.borrow_mut();
        let (text, at, known) = (&*last.0, last.1, last.2);
        let row = |columns: usize, text: &str| Position { row: 0, column: self.prompt_width }.after(text, columns).row;
        if known != columns {
            let before = &text[..at];
            viewport::move_rows(row(columns, before), row(known, before), row(known, text));
        }
        // A key may be drawn before the editor hears of the new width. Then it draws the same line again, if that is not in
        // one row anyway.
        let hears = (text, at) == (line, cursor) || row(known, text) + row(columns, text) == 0;
        *last = (line.to_owned(), cursor, if hears { columns } else { known });
    }

    fn drawn<'l>(&self, line: &'l str, cursor: usize) -> Cow<'l, str> {
        let is_finished = self.is_finished.get();
        let painted = |line: &str| {
            let cursor = (!is_finished).then_some(cursor);
            paint::painted(line, cursor, &self.symbols, self.palette)
        };
        let Some(screen) = screen() else { return Cow::Owned(painted(line)) };
        // At last everything is drawn, for the scrollback: the cursor is at the end then.
        if is_finished && cursor == line.len() {
            return Cow::Owned(painted(&self.in_full(line, screen)));
        }
        let start = Position { row: 0, column: self.prompt_width };
        let place = start.after(&line[..cursor], screen.columns);
        let end = place.after(&line[cursor..], screen.columns);
        let painted = painted(line);
        let Some(rows) = visible_rows(place, end, line.ends_with('\n'), screen) else { return Cow::Owned(painted) };
        // The prompt is on the screen already.
        let erased = if rows.start > 0 { ERASE_LINE } else { "" };
        Cow::Owned(format!("{erased}{}", viewport::cut(&painted, start, screen.columns, &rows)))
    }

    /// A finished entry, in which pasted lines have prompts, too, unless that changes the number of rows, which the editor
    /// has counted.
    fn in_full<'l>(&self, line: &'l str, screen: Screen) -> Cow<'l, str> {
        if continuation::is_padded(line, line.len()) || paste::is_session(line, &self.keys.state().prompt) {
            return Cow::Borrowed(line);
        }
        let (text, _) = continuation::strip_padding(line, line.len());
        let prompt = self.prompt_width.max(CONTINUATION_PROMPT.len());
        let is_narrow = text.split('\n').all(|line| line.width() + prompt < screen.columns);
        if is_narrow { Cow::Owned(continuation::pad(&text)) } else { Cow::Borrowed(line) }
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
        self.draws(line, cursor);
        self.is_hinted.set(true);
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
        if !self.is_hinted.take() {
            self.draws(line, cursor);
        }
        let drawn = self.drawn(line, cursor);
        self.keys.state().drawn = Some(Instant::now());
        drawn
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.is_finished.set(kind == CmdKind::ForcedRefresh);
        self.palette != Palette::Plain || line.contains('\n')
    }
}

const ERASE_LINE: &str = "\r\x1b[K";

pub(super) fn screen() -> Option<Screen> {
    let (Width(columns), Height(rows)) = terminal_size::terminal_size()?;
    Some(Screen { columns: columns.into(), rows: rows.into() })
}
