//! Entries that are higher than the terminal: only the part around the cursor is drawn.
//!
//! The editor draws a whole entry after every key and moves the cursor from its end. What does not fit would scroll
//! away each time, so as many lines are drawn as fit. A move upwards ends at the top of the screen: when the cursor is
//! above everything that fits behind it, its line is drawn there.

use std::ops::Range;

use unicode_width::UnicodeWidthStr;

/// Columns and rows of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) columns: usize,
    pub(super) rows: usize,
}

/// What is drawn of an entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Window {
    /// The numbers of the lines.
    pub(super) lines: Range<usize>,
    /// How many empty rows fill the screen behind them.
    pub(super) padding: usize,
}

/// The lines to draw of an entry with the cursor in line `cursor`; none when all fit. Each is as wide as it is drawn.
pub(super) fn window<'l>(lines: impl Iterator<Item = &'l str>, cursor: usize, size: Size) -> Option<Window> {
    let heights: Vec<usize> = lines.map(|line| height(line, size)).collect();
    if heights.iter().sum::<usize>() <= size.rows {
        return None;
    }
    let from_end = fitting(heights.iter().rev(), size.rows);
    let start = heights.len() - from_end;
    if cursor >= start {
        return Some(Window { lines: start..heights.len(), padding: 0 });
    }
    let count = fitting(heights[cursor..].iter(), size.rows);
    let drawn: usize = heights[cursor..cursor + count].iter().sum();
    Some(Window { lines: cursor..cursor + count, padding: size.rows.saturating_sub(drawn) })
}

/// Whether no line takes more than one row, with something `more` columns wide in front of it.
pub(super) fn is_narrow<'l>(mut lines: impl Iterator<Item = &'l str>, more: usize, size: Size) -> bool {
    lines.all(|line| line.width() + more < size.columns)
}

/// How many of the first lines fit in so many rows; at least one.
fn fitting<'h>(heights: impl Iterator<Item = &'h usize>, rows: usize) -> usize {
    let sums = heights.scan(0, |sum, height| {
        *sum += height;
        Some(*sum)
    });
    sums.take_while(|sum| *sum <= rows).count().max(1)
}

fn height(line: &str, size: Size) -> usize {
    line.width().div_ceil(size.columns.max(1)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(lines: &str, cursor: usize) -> Option<(Range<usize>, usize)> {
        let size = Size { columns: 4, rows: 3 };
        window(lines.lines(), cursor, size).map(|window| (window.lines, window.padding))
    }

    #[test]
    fn what_fits_is_drawn_whole() {
        assert_eq!(drawn("a\nb\nc", 0), None);
        assert_eq!(drawn("abcd\nabcde", 0), None);
    }

    #[test]
    fn the_end_is_drawn_when_the_cursor_is_in_it() {
        assert_eq!(drawn("a\nb\nc\nd", 3), Some((1..4, 0)));
        assert_eq!(drawn("a\nb\nc\nd", 1), Some((1..4, 0)));
        assert_eq!(drawn("a\nb\nabcde\nd", 3), Some((2..4, 0)));
    }

    #[test]
    fn the_line_of_the_cursor_stands_at_the_top_otherwise() {
        assert_eq!(drawn("a\nb\nc\nd\ne", 1), Some((1..4, 0)));
        assert_eq!(drawn("a\nb\nabcde\nabcde\nd", 0), Some((0..2, 1)));
        assert_eq!(drawn("日本語日本語日本\nb\nc", 0), Some((0..1, 0)));
    }
}
