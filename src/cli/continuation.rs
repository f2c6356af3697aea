//! The prompts, and the marks in front of the lines of an entry while it is in the editor.
//!
//! The editor (rustyline) shows one prompt, in front of the first line. In front of each other line stands a mark of
//! three no-break spaces, as wide as the prompt that the highlighter draws in its place; it is taken out before the
//! entry is evaluated. What was pasted has no marks until the next key.

/// In front of the first line of an entry.
pub(super) const PROMPT: &str = ">> ";

/// In front of every other line, as it is shown.
pub(super) const CONTINUATION_PROMPT: &str = ".. ";

/// In front of every line but the first, as it stands in the editor: as wide as what is shown, and nothing that people
/// type.
pub(super) const MARK: &str = "\u{a0}\u{a0}\u{a0}";

/// As many bytes as the mark, for code that needs the places of the editor's text.
const BLANK: &str = "      ";

/// An entry behind prompts, as it stands in a transcript: a newline ends each line, and no blanks stand in front of it.
pub(super) fn prompted(entry: &str) -> String {
    let mut text = String::with_capacity(entry.len() + PROMPT.len() + 1);
    for (number, line) in entry.split('\n').enumerate() {
        text.push_str(if number == 0 { PROMPT } else { CONTINUATION_PROMPT });
        text.push_str(line);
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// What stands behind a prompt at the start of a line; a blank at the end of the line may be missing.
pub(super) fn behind<'l>(prompt: &str, line: &'l str) -> Option<&'l str> {
    line.strip_prefix(prompt).or_else(|| (line == prompt.trim_end()).then_some(""))
}

/// The entries in the lines of a session: what stands behind the prompt in their `first` line, and directly below in
/// `more` of them. Every other line is an answer.
pub(super) fn entered<'l>(
    lines: impl Iterator<Item = &'l str>,
    first: impl Fn(&'l str) -> Option<&'l str>,
    more: impl Fn(&'l str) -> Option<&'l str>,
) -> Vec<String> {
    let mut entries: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in lines {
        if let Some(typed) = first(line) {
            entries.push(typed.to_owned());
            is_open = true;
        } else if let Some(typed) = more(line).filter(|_| is_open) {
            let entry = entries.last_mut().expect("an entry is open");
            entry.push('\n');
            entry.push_str(typed);
        } else {
            is_open = false;
        }
    }
    entries
}

/// The entries in the lines of a transcript, which have no blanks at their ends.
pub(super) fn entered_in<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<String> {
    entered(lines, |line| behind(PROMPT, line), |line| behind(CONTINUATION_PROMPT, line))
}

/// A text as the editor holds it.
pub(super) fn marked(text: &str) -> String {
    text.replace('\n', &format!("\n{MARK}"))
}

/// The text that was meant, and where in it the cursor is: without the marks, also those of which a part was deleted.
pub(super) fn unmarked(line: &str, cursor: usize) -> (String, usize) {
    let mut text = String::with_capacity(line.len());
    let mut place = 0;
    let mut start = 0;
    for (number, content) in line.split_inclusive('\n').enumerate() {
        let kept = if number == 0 { content } else { without_mark(content) };
        let kept_start = start + content.len() - kept.len();
        if (start..=start + content.len()).contains(&cursor) {
            place = text.len() + cursor.saturating_sub(kept_start);
        }
        text.push_str(kept);
        start += content.len();
    }
    (text, place)
}

/// Whether every line has its mark and the cursor is in none of them.
pub(super) fn is_sound(line: &str, cursor: usize) -> bool {
    line.match_indices('\n').all(|(at, _)| {
        let start = at + 1;
        line[start..].starts_with(MARK) && !(start..start + MARK.len()).contains(&cursor)
    })
}

/// The text with blanks in place of the marks: code in which every place is that of the editor.
pub(super) fn blanked(line: &str) -> String {
    line.replace(&format!("\n{MARK}"), &format!("\n{BLANK}"))
}

fn without_mark(line: &str) -> &str {
    let blank = line.chars().take(MARK.chars().count()).take_while(|letter| MARK.contains(*letter));
    &line[blank.map(char::len_utf8).sum()..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_come_and_go() {
        let line = marked("a\nbc\n");
        assert_eq!(line, format!("a\n{MARK}bc\n{MARK}"));
        assert_eq!(unmarked(&line, line.len()), ("a\nbc\n".to_owned(), 5));
        assert_eq!(unmarked(&line, 9), ("a\nbc\n".to_owned(), 3));
        assert_eq!(blanked(&line).len(), line.len());
    }

    #[test]
    fn what_stands_behind_prompts_is_entered() {
        let lines = ["before", ">> [1,", "..", ".. 2]", "=> [1, 2]", ".. no more", ">>", ">> 3"];
        assert_eq!(entered_in(lines.into_iter()), ["[1,\n\n2]", "", "3"]);
    }

    #[test]
    fn an_entry_stands_behind_prompts() {
        assert_eq!(prompted("[1, \n\n2]"), ">> [1,\n..\n.. 2]\n");
        assert_eq!(prompted(""), ">>\n");
        assert_eq!(["> 1", ">> 1", ">>", ">>1"].map(|line| behind(PROMPT, line)), [None, Some("1"), Some(""), None]);
    }

    #[test]
    fn a_mark_may_be_missing_or_broken() {
        assert_eq!(unmarked("a\n\u{a0}\u{a0}b\nc", 3), ("a\nb\nc".to_owned(), 2));
        assert!(!is_sound("a\nb", 0));
        assert!(!is_sound(&marked("a\nb"), 4));
        assert!(is_sound(&marked("a\nb"), 8));
        assert!(is_sound(&marked("a\nb"), 1));
    }
}
