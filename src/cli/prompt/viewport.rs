//! Entries taller than the screen: only the rows around the cursor are drawn.
//!
//! The editor draws the whole entry after every key and moves the cursor up from its end. Excess rows would scroll away
//! each time, so only as many rows are drawn as fit. A move up stops at the top of the screen: if the cursor is above the
//! last screenful, its row is drawn at the top.

use std::cmp::Ordering;
use std::io::{self, Write as _};
use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use crate::cli::style::Screen;

const TAB: usize = 8;

/// A position on a screen of unlimited height, relative to the start of the prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) row: usize,
    pub(super) column: usize,
}

impl Position {
    /// The position of the cursor after `text` that begins here, as the editor counts it.
    pub(super) fn after(self, text: &str, columns: usize) -> Position {
        let end = text.chars().fold(self, |place, letter| place.of(letter, columns).1);
        if end.column == columns { Position { row: end.row + 1, column: 0 } } else { end }
    }

    fn of(self, letter: char, columns: usize) -> (Position, Position) {
        let width = match letter {
            '\n' => return (self, Position { row: self.row + 1, column: 0 }),
            '\t' => TAB - self.column % TAB,
            _ => letter.width().unwrap_or(0),
        };
        let drawn = if self.column + width > columns { Position { row: self.row + 1, column: 0 } } else { self };
        (drawn, Position { column: drawn.column + width, ..drawn })
    }
}

/// The rows to draw of an entry that ends at `end`, or `None` if all fit. If the entry ends at the edge of the screen, the
/// editor adds the last row itself.
pub(super) fn visible_rows(
    cursor: Position,
    end: Position,
    ends_with_newline: bool,
    screen: Screen,
) -> Option<Range<usize>> {
    let height = screen.rows.max(1);
    let rows = end.row + 1;
    if rows <= height {
        return None;
    }
    if cursor.row >= rows - height {
        return Some(rows - height..rows);
    }
    let added = usize::from(end.column == 0 && !ends_with_newline);
    Some(cursor.row..cursor.row + height.saturating_sub(added).max(1))
}

/// Moves the cursor of the terminal from a row of an entry to another one, whose last row is `end`.
pub(super) fn move_rows(from: usize, to: usize, end: usize) {
    let movement = match to.cmp(&from) {
        Ordering::Equal => return,
        Ordering::Less => format!("\x1b[{}A", from - to),
        Ordering::Greater => {
            // A newline also goes on where the screen ends.
            let newlines = "\n".repeat(end.max(to) - from);
            if end > to { format!("{newlines}\x1b[{}A", end - to) } else { newlines }
        }
    };
    let mut terminal = io::stdout().lock();
    // Without it only the screen looks wrong.
    let _ = terminal.write_all(movement.as_bytes()).and_then(|()| terminal.flush());
}

/// Cuts a text that begins at `start` to some rows; escape sequences are kept.
pub(super) fn cut(painted: &str, start: Position, columns: usize, rows: &Range<usize>) -> String {
    let mut kept = String::new();
    let mut place = start;
    let mut letters = painted.chars();
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            kept.push(letter);
            kept.extend(letters.by_ref().take_while(|letter| *letter != 'm'));
            kept.push('m');
            continue;
        }
        let (drawn, after) = place.of(letter, columns);
        if rows.contains(&drawn.row) && (letter != '\n' || rows.contains(&after.row)) {
            kept.push(letter);
        }
        place = after;
    }
    kept
}

#[cfg(test)]
#[path = "../../../tests/unit/cli/prompt/viewport.rs"]
mod tests;
