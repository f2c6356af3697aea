//! The screens of the manual: blocks tagged `screen` in `transcripts/screens.md` are what a terminal shows.
//!
//! The comment in front of a block says the size of the terminal and what is typed: `⏎` is Enter, `⇥` is Tab.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use super::terminal::{Home, Kind, Terminal, USUAL};

/// A block and the comment in front of it.
struct Screen<'t> {
    columns: u16,
    rows: u16,
    keys: &'t str,
    shown: Vec<&'t str>,
}

/// Finds `<!-- 80x24 1 + 1⏎ -->`, then the block.
fn screens(text: &str) -> Vec<Screen<'_>> {
    let mut screens = Vec::new();
    for part in text.split("<!-- ").skip(1) {
        let (comment, rest) = part.split_once(" -->\n").unwrap();
        let (size, keys) = comment.split_once(' ').unwrap();
        let (columns, rows) = size.split_once('x').unwrap();
        let (_, rest) = rest.split_once("```screen\n").unwrap();
        let (shown, _) = rest.split_once("\n```").unwrap();
        screens.push(Screen {
            columns: columns.parse().unwrap(),
            rows: rows.parse().unwrap(),
            keys,
            shown: shown.lines().collect(),
        });
    }
    screens
}

#[test]
fn the_screens_of_the_manual_are_what_a_terminal_shows() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("transcripts/screens.md")).unwrap();
    let screens = screens(&text);
    assert_eq!(screens.len(), text.matches("```screen").count());
    for (number, screen) in screens.iter().enumerate() {
        let kind = Kind { rows: screen.rows, columns: screen.columns, ..USUAL };
        let mut terminal = Terminal::start(&Home::new(&format!("screen {number}")), kind);
        for keys in screen.keys.split_inclusive('⇥') {
            terminal.keys(&keys.replace('⏎', "\r").replace('⇥', ""));
            if keys.ends_with('⇥') {
                // What comes at once with other keys is taken for pasted.
                thread::sleep(Duration::from_millis(50));
                terminal.keys("\t");
            }
        }
        terminal.shows(&screen.shown);
    }
}
