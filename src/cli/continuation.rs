//! Prompts, and the padding of continuation lines in the editor.
//!
//! The editor (rustyline) shows one prompt, before the first line. Every further line starts with a padding of three
//! no-break spaces, as wide as the continuation prompt that the highlighter draws instead; it is stripped before the entry
//! is evaluated. Pasted lines get their padding at the next key.

pub(super) const PROMPT: &str = ">> ";

pub(super) const CONTINUATION_PROMPT: &str = ".. ";

/// The padding of every further line in the editor: as wide as the prompt, and of characters that nobody types.
pub(super) const PADDING: &str = "\u{a0}\u{a0}\u{a0}";

/// Spaces in place of the padding: as many bytes, so that the editor's offsets stay valid.
const SPACES: &str = "      ";

/// An entry with prompts, as in a transcript: each line ends with a newline and has no trailing spaces.
pub(super) fn with_prompts(entry: &str) -> String {
    let mut text = String::with_capacity(entry.len() + PROMPT.len() + 1);
    for (number, line) in entry.split('\n').enumerate() {
        text.push_str(if number == 0 { PROMPT } else { CONTINUATION_PROMPT });
        text.push_str(line);
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
}

/// Appends the lines of `output` to `text`, without trailing spaces.
pub(super) fn add_output(text: &mut String, output: &str) {
    for line in output.split('\n') {
        text.push_str(line.trim_end());
        text.push('\n');
    }
}

/// The rest of a line after a prompt, whose trailing space may be missing.
pub(super) fn after_prompt<'l>(prompt: &str, line: &'l str) -> Option<&'l str> {
    line.strip_prefix(prompt).or_else(|| (line == prompt.trim_end()).then_some(""))
}

/// The entries in a recorded session, each with the number of its first line. Lines that start with none of `prompts`
/// are output.
pub(super) fn entries_of_session<'l>(lines: impl Iterator<Item = &'l str>, prompts: &[&str]) -> Vec<(usize, String)> {
    let mut entries: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    for (number, line) in lines.enumerate() {
        if let Some(typed) = prompts.iter().find_map(|prompt| after_prompt(prompt, line)) {
            entries.push((number + 1, typed.to_owned()));
            is_open = true;
        } else if let Some(typed) = after_prompt(CONTINUATION_PROMPT, line).filter(|_| is_open) {
            entries.last_mut().into_iter().for_each(|(_, entry)| entry.extend(["\n", typed]));
        } else {
            is_open = false;
        }
    }
    entries
}

pub(super) fn pad(text: &str) -> String {
    text.replace('\n', &format!("\n{PADDING}"))
}

/// Strips the padding, even where a part of it was deleted.
pub(super) fn strip_padding(line: &str) -> String {
    let mut lines = line.split('\n');
    lines.next().into_iter().chain(lines.flat_map(|line| ["\n", without_padding(line)])).collect()
}

/// Replaces the padding by spaces, so that the text is code with the same offsets.
pub(super) fn with_spaces(line: &str) -> String {
    line.replace(&format!("\n{PADDING}"), &format!("\n{SPACES}"))
}

fn without_padding(line: &str) -> &str {
    let blank = line.chars().take(PADDING.chars().count()).take_while(|letter| PADDING.contains(*letter));
    &line[blank.map(char::len_utf8).sum()..]
}

#[cfg(test)]
#[path = "../../tests/unit/cli/continuation.rs"]
mod tests;
