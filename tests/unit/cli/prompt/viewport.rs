//! Tests of `cli::prompt::viewport`, of which it is a module.

use super::*;

/// What is drawn on a screen of three rows and four columns, with the cursor in front of the bar.
fn drawn(text: &str) -> Option<String> {
    let screen = Screen { columns: 4, rows: 3 };
    let (before, after) = text.split_once('|').expect("there is a cursor");
    let start = Position { row: 0, column: 1 };
    let cursor = start.after(before, screen.columns);
    let end = cursor.after(after, screen.columns);
    let rows = visible_rows(cursor, end, after.ends_with('\n'), screen)?;
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
    let shown = cut(painted, Position::default(), 4, &(1..2));
    assert_eq!(shown, "\u{1b}[31m\u{1b}[0m\u{1b}[32mef\u{1b}[0m");
}

#[test]
fn tabs_reach_to_their_stops() {
    let start = Position { row: 0, column: 3 };
    assert_eq!(start.after("\ta", 80), Position { row: 0, column: 9 });
}
