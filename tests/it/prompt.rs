//! The prompt as people see it: what they press, and what the screen shows then.

use super::terminal::{Home, Kind, Terminal, USUAL};

#[test]
fn an_unfinished_entry_goes_on_in_the_next_line_indented() {
    let mut terminal = Terminal::start(&Home::new("continuation"), USUAL);
    terminal.types("$x = {\r");
    terminal.shows(&[">> $x = {", ".."]);
    assert_eq!(terminal.position(), (1, 5));
    terminal.types("'a' => [\r1,\r],\r}");
    terminal.shows(&[">> $x = {", "..   'a' => [", "..     1,", "..   ],", ".. }"]);
    terminal.keys("\r");
    terminal.shows(&[">> $x = {", "..   'a' => [", "..     1,", "..   ],", ".. }", "=> {'a' => [1]}", ">>"]);
}

#[test]
fn ctrl_c_drops_an_entry() {
    let mut terminal = Terminal::start(&Home::new("drop"), USUAL);
    terminal.keys("[1,\r2");
    terminal.shows(&[">> [1,", ".. 2"]);
    terminal.keys("\x03");
    terminal.shows(&[">> [1,", ".. 2", ">>"]);
    terminal.keys("3\r");
    terminal.shows(&[">> [1,", ".. 2", ">> 3", "=> 3", ">>"]);
}

#[test]
fn ctrl_c_leaves_no_hint_behind() {
    let mut terminal = Terminal::start(&Home::new("hint"), USUAL);
    terminal.keys("Integer[");
    terminal.shows(&[">> Integer[from, to]"]);
    terminal.keys("\x03");
    terminal.shows(&[">> Integer[", ">>"]);
}

#[test]
fn ctrl_c_ends_an_evaluation_and_keeps_what_there_is() {
    let mut terminal = Terminal::start(&Home::new("interrupt"), USUAL);
    terminal.keys("$kept = 1\r");
    terminal.shows(&[">> $kept = 1", "=> 1", ">>"]);
    let endless = "Integer[1, 1000000000000].each |$x| { }";
    terminal.keys(&format!("{endless}\r"));
    terminal.wait(|screen| screen.cursor_position() == (3, 0));
    terminal.keys("\x03");
    let line = format!(">> {endless}");
    terminal.shows(&[">> $kept = 1", "=> 1", &line, "^Cinterrupted", ">>"]);
    terminal.keys("$kept\r");
    terminal.shows(&[">> $kept = 1", "=> 1", &line, "^Cinterrupted", ">> $kept", "=> 1", ">>"]);
}

#[test]
fn ctrl_d_leaves() {
    let mut terminal = Terminal::start(&Home::new("leave"), USUAL);
    terminal.keys("\x04");
    assert_eq!(terminal.ends(), 0);
}
