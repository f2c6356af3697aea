//! Tests of `cli::continuation`, of which it is a module.

use super::*;

#[test]
fn marks_come_and_go() {
    let line = pad("a\nbc\n");
    assert_eq!(line, format!("a\n{PADDING}bc\n{PADDING}"));
    assert_eq!(strip_padding(&line, line.len()), ("a\nbc\n".to_owned(), 5));
    assert_eq!(strip_padding(&line, 9), ("a\nbc\n".to_owned(), 3));
    assert_eq!(with_spaces(&line).len(), line.len());
}

#[test]
fn what_stands_behind_prompts_is_entered() {
    let lines = ["before", ">> [1,", "..", ".. 2]", "=> [1, 2]", ".. no more", ">>", ">> 3"];
    let entries = [(2, "[1,\n\n2]".to_owned()), (7, String::new()), (8, "3".to_owned())];
    assert_eq!(transcript_inputs(lines.into_iter()), entries);
}

#[test]
fn an_entry_stands_behind_prompts() {
    assert_eq!(with_prompts("[1, \n\n2]"), ">> [1,\n..\n.. 2]\n");
    assert_eq!(with_prompts(""), ">>\n");
    assert_eq!(["> 1", ">> 1", ">>", ">>1"].map(|line| after_prompt(PROMPT, line)), [None, Some("1"), Some(""), None]);
}

#[test]
fn a_mark_may_be_missing_or_broken() {
    assert_eq!(strip_padding("a\n\u{a0}\u{a0}b\nc", 3), ("a\nb\nc".to_owned(), 2));
    assert!(!is_padded("a\nb", 0));
    assert!(!is_padded(&pad("a\nb"), 4));
    assert!(is_padded(&pad("a\nb"), 8));
    assert!(is_padded(&pad("a\nb"), 1));
}
