//! Prompts, and the padding of continuation lines in the editor.
//!
//! The editor (rustyline) shows one prompt, before the first line. Every further line starts with a padding of three
//! no-break spaces, as wide as the continuation prompt that the highlighter draws instead. It is stripped before the
//! entry is evaluated. Pasted lines get their padding when the next key is pressed.

pub(super) use pcore::session::commands::{CONTINUATION_PROMPT, PROMPT, entries_of_session, strip_prompt};

/// The padding before each further line of an entry in the editor: as wide as the prompt, and never typed by users.
pub(super) const PADDING: &str = "\u{a0}\u{a0}\u{a0}";

/// Spaces that replace the padding in code: as many bytes as the padding, so that the editor's offsets stay valid.
const PADDING_AS_SPACES: &str = "      ";

/// Returns `entry` with a prompt before each line, as in a transcript, and without trailing spaces.
pub(super) fn add_prompts(entry: &str) -> String {
    trimmed_lines(&format!("{PROMPT}{}", entry.replace('\n', &format!("\n{CONTINUATION_PROMPT}"))))
}

pub(super) fn trimmed_lines(output: &str) -> String {
    output.split('\n').flat_map(|line| [line.trim_end(), "\n"]).collect()
}

pub(super) fn add_padding(text: &str) -> String {
    text.replace('\n', &format!("\n{PADDING}"))
}

/// Removes the padding from each line after the first, even a padding that the user has partly deleted.
pub(super) fn strip_prompt_padding(line: &str) -> String {
    let mut lines = line.split('\n');
    lines.next().into_iter().chain(lines.flat_map(|line| ["\n", line_without_padding(line)])).collect()
}

pub(super) fn padding_to_spaces(line: &str) -> String {
    line.replace(&format!("\n{PADDING}"), &format!("\n{PADDING_AS_SPACES}"))
}

fn line_without_padding(line: &str) -> &str {
    let blank = line.chars().take(PADDING.chars().count()).take_while(|letter| PADDING.contains(*letter));
    &line[blank.map(char::len_utf8).sum()..]
}

#[cfg(test)]
#[path = "../../tests/unit/cli/continuation.rs"]
mod tests;
