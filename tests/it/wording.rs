//! The pieces of messages.

use pcore::wording::{nearest, pluralize, to_printable};

#[test]
fn characters_that_control_the_terminal_are_replaced() {
    assert_eq!(to_printable("caf\u{e9}\tau lait\n"), "caf\u{e9}\tau lait\n");
    assert_eq!(to_printable("\u{1b}[31m\r\u{202e}cod\u{2066}"), "␛[31m␍\\u{202E}cod\\u{2066}");
}

#[test]
fn misspelt_names_are_recognized() {
    assert_eq!(nearest("Interger", ["String", "Integer"]), Some("Integer"));
    assert_eq!(nearest("Enmu", ["Enum", "Any"]), Some("Enum"));
    assert_eq!(nearest("None", ["Node", "Zone"]), None);
}

#[test]
fn nouns_are_in_the_singular_or_plural() {
    assert_eq!(
        [pluralize(1, "file"), pluralize(2, "entry"), pluralize(0, "alias")],
        ["1 file", "2 entries", "0 aliases"]
    );
    assert_eq!([pluralize(1, "branch"), pluralize(2, "branch")], ["1 branch", "2 branches"]);
}
