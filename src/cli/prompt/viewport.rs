//! Entries that are higher than the screen: only the rows around the cursor are drawn.
//!
//! The editor draws a whole entry after every key and moves the cursor from its end. What does not fit would scroll
//! away each time, so as many rows are drawn as fit. A move upwards ends at the top of the screen: when the cursor is
//! above everything that fits before the end, its row is drawn there.

use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use crate::cli::style::Screen;

/// From one tab stop to the next.
const TAB: usize = 8;

/// A place on a screen without a bottom, counted from where the prompt begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) row: usize,
    pub(super) column: usize,
}

impl Place {
    /// Where the cursor stands behind `text` that begins here, as the editor counts.
    pub(super) fn behind(self, text: &str, columns: usize) -> Place {
        let end = text.chars().fold(self, |place, letter| place.of(letter, columns).1);
        if end.column == columns { Place { row: end.row + 1, column: 0 } } else { end }
    }

    /// Where a letter is drawn, and the place behind it.
    fn of(self, letter: char, columns: usize) -> (Place, Place) {
        let width = match letter {
            '\n' => return (self, Place { row: self.row + 1, column: 0 }),
            '\t' => TAB - self.column % TAB,
            _ => letter.width().unwrap_or(0),
        };
        let drawn = if self.column + width > columns { Place { row: self.row + 1, column: 0 } } else { self };
        (drawn, Place { column: drawn.column + width, ..drawn })
    }
}

/// The rows to draw of an entry that ends at `end`, with the cursor at `cursor`; none when all fit. Where the entry ends
/// at the edge of the screen, the editor itself adds the last row.
pub(super) fn window(cursor: Place, end: Place, ends_with_newline: bool, screen: Screen) -> Option<Range<usize>> {
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

/// Some rows of a text that begins at `start`, with all its colours.
pub(super) fn cut(painted: &str, start: Place, columns: usize, rows: &Range<usize>) -> String {
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
        let (drawn, behind) = place.of(letter, columns);
        if rows.contains(&drawn.row) && (letter != '\n' || rows.contains(&behind.row)) {
            kept.push(letter);
        }
        place = behind;
    }
    kept
}

/// Whether no line takes more than one row, with something `more` columns wide in front of it.
pub(super) fn is_narrow<'l>(mut lines: impl Iterator<Item = &'l str>, more: usize, screen: Screen) -> bool {
    lines.all(|line| line.width() + more < screen.columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is drawn on a screen of three rows and four columns, with the cursor in front of the bar.
    fn drawn(text: &str) -> Option<String> {
        let screen = Screen { columns: 4, rows: 3 };
        let (before, after) = text.split_once('|').expect("there is a cursor");
        let start = Place { row: 0, column: 1 };
        let cursor = start.behind(before, screen.columns);
        let end = cursor.behind(after, screen.columns);
        let rows = window(cursor, end, after.ends_with('\n'), screen)?;
        Some(cut(&format!("{before}{after}"), start, screen.columns, &rows))
    }

    #[test]
    fn what_fits_is_drawn_whole() {
        assert_eq!(drawn("a|\nb\nc"), None);
        assert_eq!(drawn("abc|d\nabc"), None);
    }

    #[test]
    fn the_end_is_drawn_when_the_cursor_is_in_it() {
        assert_eq!(drawn("a\nb\nc\nd|").as_deref(), Some("b\nc\nd"));
        assert_eq!(drawn("a\nb|\nc\nd").as_deref(), Some("b\nc\nd"));
        assert_eq!(drawn("a\nb\nabcde\nd|").as_deref(), Some("abcde\nd"));
        assert_eq!(drawn("abcdefghijklmnop|").as_deref(), Some("hijklmnop"));
    }

    #[test]
    fn the_row_of_the_cursor_stands_at_the_top_otherwise() {
        assert_eq!(drawn("a\nb|\nc\nd\ne").as_deref(), Some("b\nc\nd"));
        assert_eq!(drawn("|abcdefghijklmnop").as_deref(), Some("abcdefghijk"));
        // Behind the last row the editor adds another.
        assert_eq!(drawn("|abcdefghijklmno").as_deref(), Some("abcdefg"));
        assert_eq!(drawn("|日本語日本語\nb").as_deref(), Some("日本語日本"));
    }

    #[test]
    fn colours_are_kept() {
        let painted = "\u{1b}[31mabc\u{1b}[0md\n\u{1b}[32mef\u{1b}[0m";
        let shown = cut(painted, Place::default(), 4, &(1..2));
        assert_eq!(shown, "\u{1b}[31m\u{1b}[0m\u{1b}[32mef\u{1b}[0m");
    }

    #[test]
    fn tabs_reach_to_their_stops() {
        let start = Place { row: 0, column: 3 };
        assert_eq!(start.behind("\ta", 80), Place { row: 0, column: 9 });
    }
}
