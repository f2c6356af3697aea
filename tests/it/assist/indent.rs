//! How far the next line is indented.

use pcore::assist::indent::{level_of_closing_bracket, level_of_next_line};

#[test]
fn a_line_is_indented_by_the_lines_with_open_brackets() {
    assert_eq!(level_of_next_line("1 +\n"), 0);
    assert_eq!(level_of_next_line("[\n"), 1);
    assert_eq!(level_of_next_line("f({\n"), 1);
    assert_eq!(level_of_next_line("f({\n  a => [\n"), 2);
    assert_eq!(level_of_next_line("f({\n  a => [\n    1,\n  ],\n"), 1);
    assert_eq!(level_of_next_line("[1].each |$x| {\n"), 1);
}

#[test]
fn a_closing_bracket_stands_where_its_line_does() {
    assert_eq!(level_of_closing_bracket("[\n"), Some(0));
    assert_eq!(level_of_closing_bracket("f({\n  a => [\n"), Some(1));
    assert_eq!(level_of_closing_bracket("f({\n"), Some(0));
    assert_eq!(level_of_closing_bracket("1 +\n"), None);
}

#[test]
fn text_is_left_alone() {
    assert_eq!(level_of_next_line("['a\n"), 0);
    assert_eq!(level_of_next_line("[@(END)\n"), 0);
    assert_eq!(level_of_next_line("[@(END)\nx\nEND\n"), 1);
    assert_eq!(level_of_closing_bracket("[\"a\n"), None);
}
