//! Tests of `cli::prompt::paste`, of which it is a module.

use super::*;

fn entries(text: &str) -> Vec<String> {
    super::split_into_entries(text, PROMPT)
}

#[test]
fn a_session_may_have_the_prompt_of_the_user() {
    assert_eq!(super::split_into_entries("pp> [1,\n.. 2]\n=> [1, 2]\npp> $_", "pp> "), ["[1,\n2]", "$_"]);
    assert_eq!(super::split_into_entries(">> 1", "pp> "), ["1"]);
}

#[test]
fn what_is_typed_is_one_entry() {
    for text in
        ["1 + 1", "[1,\n\n 2]", ":type 80", "$x ? {\n :a => 1 }", "$x\n ? { 1 => 2 }", "1\n>> 2", "$a = 1\n$b = 2"]
    {
        assert_eq!(entries(text), [text]);
    }
    assert_eq!(entries(" \n"), Vec::<String>::new());
}

#[test]
fn of_a_session_the_inputs_are_taken() {
    let session = "pcore 1.0; :help shows the commands\n>> type A = Integer\n>> [1,\n.. 2]\n=> [1, 2]\n>>\n>> $x\n\
        error: unknown variable `$x`\n  |\n1 | $x\n  | ^^\n>> :type\n.. \n";
    assert_eq!(entries(session), ["type A = Integer", "[1,\n2]", "$x", ":type\n"]);
    assert_eq!(entries(">> 1"), ["1"]);
}

#[test]
fn a_command_is_an_entry_of_its_own() {
    assert_eq!(entries("$a = 1\n:type $a\n$b = {\n:c => 1\n}\n"), ["$a = 1\n", ":type $a\n", "$b = {\n:c => 1\n}\n"]);
    assert_eq!(entries(":help\n1 + 1"), [":help\n", "1 + 1"]);
    assert_eq!(entries(":type [1,\n2]\n3"), [":type [1,\n2]\n", "3"]);
    assert_eq!(entries(":load [1,\n2]"), [":load [1,\n", "2]"]);
}

#[test]
fn no_entry_begins_like_output() {
    assert!(is_output_line("=> 1"));
    assert!(!is_output_line("1"));
}
