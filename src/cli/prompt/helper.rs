//! What helps while typing: completion, hints and colours, as the editor asks for them.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use pcore::assist::{SymbolIndex, complete};
use rustyline::completion::Completer;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::SearchDirection;
use rustyline::line_buffer::LineBuffer;
use rustyline::{Changeset, Context, Helper, Validator};
use terminal_size::{Height, Width};

use super::super::continuation::{self, CONTINUATION_PROMPT, PROMPT};
use super::candidate_list::{ListedCandidate, files, listed};
use super::hint::{self, Hinted};
use super::history_search::Browsing;
use super::keys::{Edit, Keys};
use super::paint;
use super::paste;
use super::viewport::{self, Place, window};
use crate::cli::show::Palette;
use crate::cli::style::Screen;

/// The helper of the editor.
#[derive(Helper, Validator)]
pub(super) struct Assistant {
    pub(super) palette: Palette,
    /// The symbols of the session, renewed before each entry.
    pub(super) symbols: SymbolIndex,
    /// How many columns stand in front of the first line.
    pub(super) prompt_width: usize,
    keys: Keys,
    browsing: RefCell<Option<Browsing>>,
    /// What the line becomes, when a key wants more than to complete a word.
    line: RefCell<Option<(String, usize)>>,
    /// Whether the entry is finished: it is drawn for the last time, without a cursor.
    is_finished: Cell<bool>,
}

impl Assistant {
    pub(super) fn new(palette: Palette, keys: Keys) -> Assistant {
        Assistant {
            palette,
            symbols: SymbolIndex::default(),
            prompt_width: PROMPT.len(),
            keys,
            browsing: RefCell::default(),
            line: RefCell::default(),
            is_finished: Cell::new(false),
        }
    }

    /// The line, and the place of the cursor in it, that an edit makes.
    fn edited(&self, edit: Edit, line: &str, cursor: usize, context: &Context<'_>) -> Option<(String, usize)> {
        match edit {
            Edit::Line { text, cursor } => Some((text, cursor)),
            Edit::Browse(direction) => {
                let mut browsing = self.browsing.borrow_mut();
                let step = Browsing::step(browsing.as_ref(), (line, cursor), direction, context.history())?;
                let (text, cursor) = browsing.insert(step).line(direction);
                Some((text.to_owned(), cursor))
            }
        }
    }
}

impl Assistant {
    /// The line as it is drawn, as far as the screen has room for it.
    fn drawn<'l>(&self, line: &'l str, cursor: usize) -> Cow<'l, str> {
        let is_finished = self.is_finished.get();
        let painted = |line: &str| {
            let cursor = (!is_finished).then_some(cursor);
            paint::painted(line, cursor, &self.symbols, self.palette)
        };
        let Some(screen) = screen() else { return Cow::Owned(painted(line)) };
        // Everything is drawn for whoever looks back, but only once: at last the cursor is at the end.
        if is_finished && cursor == line.len() {
            return Cow::Owned(painted(&self.in_full(line, screen)));
        }
        let start = Place { row: 0, column: self.prompt_width };
        let place = start.behind(&line[..cursor], screen.columns);
        let end = place.behind(&line[cursor..], screen.columns);
        let painted = painted(line);
        let Some(rows) = window(place, end, line.ends_with('\n'), screen) else { return Cow::Owned(painted) };
        // The prompt is there already.
        let erased = if rows.start > 0 { ERASE_LINE } else { "" };
        Cow::Owned(format!("{erased}{}", viewport::cut(&painted, start, screen.columns, &rows)))
    }

    /// A finished entry, in which lines that were pasted have prompts, too. The editor has counted the rows without
    /// them: that must still be right.
    fn in_full<'l>(&self, line: &'l str, screen: Screen) -> Cow<'l, str> {
        if continuation::is_sound(line, line.len()) || paste::is_session(line, &self.keys.prompt()) {
            return Cow::Borrowed(line);
        }
        let (text, _) = continuation::unmarked(line, line.len());
        if viewport::is_narrow(text.split('\n'), self.prompt_width.max(CONTINUATION_PROMPT.len()), screen) {
            Cow::Owned(continuation::marked(&text))
        } else {
            Cow::Borrowed(line)
        }
    }
}

impl Completer for Assistant {
    type Candidate = ListedCandidate;

    fn complete(
        &self,
        line: &str,
        cursor: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<ListedCandidate>)> {
        self.line.take();
        if let Some(edit) = self.keys.take_edit() {
            let edited = self.edited(edit, line, cursor, context);
            // The editor does not ask for an update without a candidate.
            let candidates = edited.iter().map(|_| ListedCandidate::default()).collect();
            self.line.replace(edited);
            return Ok((cursor, candidates));
        }
        let columns = screen().map_or(80, |screen| screen.columns);
        let completion = complete(&continuation::blanked(line), cursor, &self.symbols);
        let Some(path) = completion.path else {
            return Ok((completion.range.start, listed(&completion.candidates, columns)));
        };
        let name = path.rsplit_once('/').map_or(&*path, |(_, name)| name);
        Ok((cursor - name.len(), listed(&files(&path), columns)))
    }

    fn update(&self, line: &mut LineBuffer, start: usize, elected: &str, changes: &mut Changeset) {
        match self.line.take() {
            Some((text, cursor)) => line.update(&text, cursor, changes),
            None => line.replace(start..line.pos(), elected, changes),
        }
    }
}

impl Hinter for Assistant {
    type Hint = Hinted;

    fn hint(&self, line: &str, cursor: usize, context: &Context<'_>) -> Option<Hinted> {
        // Without colours nobody could tell a hint from what is typed.
        if cursor != line.len() || self.palette == Palette::Plain {
            return None;
        }
        let history = context.history();
        let entries =
            (0..history.len()).rev().filter_map(|at| history.get(at, SearchDirection::Reverse).ok().flatten());
        hint::hint(line, &self.symbols, entries.map(|found| found.entry), self.palette)
    }
}

impl Highlighter for Assistant {
    fn highlight<'l>(&self, line: &'l str, cursor: usize) -> Cow<'l, str> {
        let drawn = self.drawn(line, cursor);
        self.keys.line_is_drawn();
        drawn
    }

    fn highlight_char(&self, line: &str, _: usize, kind: CmdKind) -> bool {
        self.is_finished.set(kind == CmdKind::ForcedRefresh);
        self.palette == Palette::Coloured || line.contains('\n')
    }
}

/// Back to the start of the line, which becomes empty.
const ERASE_LINE: &str = "\r\x1b[K";

/// The terminal, as large as it is now.
fn screen() -> Option<Screen> {
    let (Width(columns), Height(rows)) = terminal_size::terminal_size()?;
    Some(Screen { columns: columns.into(), rows: rows.into() })
}
