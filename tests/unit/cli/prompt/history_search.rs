//! Tests of `cli::prompt::history_search`, of which it is a module.

use super::*;
use rustyline::history::MemHistory;

/// What is shown after each of `directions`, with a bar for the cursor.
fn shown(typed: &str, cursor: usize, directions: &[Direction]) -> Vec<String> {
    let mut history = MemHistory::new();
    for entry in ["a1", "b1", "a2\nx", "a3"] {
        history.add(entry).unwrap();
    }
    let (mut line, mut cursor) = (typed.to_owned(), cursor);
    let mut search = None;
    let mut all = Vec::new();
    for direction in directions {
        if let Some(step) = HistorySearch::step(search.as_ref(), (&line, cursor), *direction, &history) {
            let (text, place) = step.line(*direction);
            (line, cursor) = (text.to_owned(), place);
            search = Some(step);
        }
        all.push(format!("{}|{}", &line[..cursor], &line[cursor..]));
    }
    all
}

use Direction::{Back, Forth};

#[test]
fn up_and_down_go_through_all_entries_when_nothing_is_typed() {
    assert_eq!(shown("", 0, &[Back, Back, Back, Back, Back]), ["a3|", "a2|\nx", "b1|", "a1|", "a1|"]);
    assert_eq!(shown("", 0, &[Back, Back, Forth, Forth, Forth]), ["a3|", "a2|\nx", "a3|", "|", "|"]);
}

#[test]
fn what_stands_before_the_cursor_is_looked_for() {
    assert_eq!(shown("b", 1, &[Back, Back, Forth]), ["b1|", "b1|", "b|"]);
    assert_eq!(
        shown("ax", 1, &[Back, Back, Back, Forth, Forth, Forth]),
        ["a3|", "a2|\nx", "a1|", "a2\nx|", "a3|", "a|x"]
    );
    assert_eq!(shown("c", 1, &[Back, Forth]), ["c|", "c|"]);
}

#[test]
fn the_same_entry_is_not_shown_again() {
    assert_eq!(shown("a3", 2, &[Back]), ["a3|"]);
    assert_eq!(shown("a3", 1, &[Back]), ["a2|\nx"]);
}
