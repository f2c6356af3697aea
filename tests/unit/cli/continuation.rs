//! Tests of `cli::continuation`, of which it is a module.

use super::*;

#[test]
fn marks_come_and_go() {
    let line = add_padding("a\nbc\n");
    assert_eq!(line, format!("a\n{PADDING}bc\n{PADDING}"));
    assert_eq!(strip_prompt_padding(&line), "a\nbc\n");
    assert_eq!(strip_prompt_padding(&line[..9]), "a\nb");
    assert_eq!(padding_to_spaces(&line).len(), line.len());
}

#[test]
fn what_stands_behind_prompts_is_entered() {
    let lines = ["before", ">> [1,", "..", ".. 2]", "=> [1, 2]", ".. no more", ">>", ">> 3"];
    let entries = [(2, "[1,\n\n2]".to_owned()), (7, String::new()), (8, "3".to_owned())];
    assert_eq!(entries_of_session(lines.into_iter(), &[PROMPT]), entries);
}

#[test]
fn an_entry_stands_behind_prompts() {
    assert_eq!(add_prompts("[1, \n\n2]"), ">> [1,\n..\n.. 2]\n");
    assert_eq!(add_prompts(""), ">>\n");
    assert_eq!(["> 1", ">> 1", ">>", ">>1"].map(|line| strip_prompt(PROMPT, line)), [None, Some("1"), Some(""), None]);
}

#[test]
fn a_mark_may_be_missing_or_broken() {
    assert_eq!(strip_prompt_padding("a\n\u{a0}\u{a0}b\nc"), "a\nb\nc");
    assert_eq!(strip_prompt_padding("a\n\u{a0}"), "a\n");
    assert_eq!(strip_prompt_padding("a"), "a");
}
