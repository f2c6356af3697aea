//! Wraps prose and code to the width of a screen. Code that fits in a line stays in one; longer code is laid out.

use pcore::format;
use pcore::syntax::tokens::{Kind, tokens};
use unicode_width::UnicodeWidthStr;

const HANGING_INDENT: &str = "    ";

/// The maximum width of paragraphs, even if other lines may be longer or are not wrapped.
const MAX_PROSE_COLUMNS: usize = 80;

/// Wraps `line` to `width` columns, only at spaces outside of brackets and strings, so that code can be copied.
pub(super) fn wrap_line(line: &str, width: usize) -> String {
    // A paragraph of sentences, whose further lines are not indented.
    let is_prose =
        line.ends_with('.') && line.trim_start().starts_with(|first: char| first.is_uppercase() || first == '`');
    let width = if is_prose { width.min(MAX_PROSE_COLUMNS) } else { width };
    if line.width() <= width {
        return line.to_owned();
    }
    let text = line.trim_start();
    let indentation = &line[..line.len() - text.len()];
    let width = width.saturating_sub(indentation.len());
    let hanging = if is_prose { String::new() } else { hanging_indentation(text, width) };
    let mut lines = Vec::new();
    let mut current = String::new();
    for (blank, piece) in split_outside_brackets(text) {
        let joined = format!("{current}{blank}{piece}");
        if joined.width() <= width {
            current = joined;
        } else if hanging.len() + piece.width() <= width {
            lines.push(std::mem::replace(&mut current, format!("{hanging}{piece}")));
        } else {
            let laid_out = format::break_into_lines(&joined, width);
            lines.extend(laid_out.split('\n').map(str::to_owned));
            current = lines.pop().unwrap_or_default();
        }
    }
    lines.push(current);
    indentation.to_owned() + &lines.join(&format!("\n{indentation}"))
}

/// Returns the indentation of all but the first line of wrapped `text`; in a table row, up to the second column.
fn hanging_indentation(text: &str, width: usize) -> String {
    let name = text.split("  ").next().unwrap_or_default();
    let column = text.len() - text[name.len()..].trim_start().len();
    let is_row = name.len() < text.len() && !name.contains(". ") && column <= width / 2;
    if is_row { " ".repeat(text[..column].width()) } else { HANGING_INDENT.to_owned() }
}

/// Splits `text` at spaces outside of brackets and strings. Returns each piece with the spaces before it.
fn split_outside_brackets(text: &str) -> Vec<(&str, &str)> {
    let mut pieces = Vec::new();
    let (mut start, mut blank, mut end) = (0, "", 0);
    // Whether each open bracket is code: a parenthesis after a word and a space is a remark.
    let mut open = Vec::new();
    for token in tokens(&mask_apostrophes_and_hashes(text)) {
        let span = token.span.range();
        let follows_blank = span.start > end || span.start == 0;
        if !open.contains(&true) && span.start > end {
            pieces.push((blank, &text[start..end]));
            (start, blank) = (span.start, &text[end..span.start]);
        }
        match token.kind {
            Kind::Open => open.push(!(follows_blank && &text[span.clone()] == "(")),
            Kind::Close => {
                open.pop();
            }
            _ => {}
        }
        end = span.end;
    }
    pieces.push((blank, &text[start..]));
    pieces
}

/// Replaces each apostrophe inside of a word, and each `#`, by `_`: prose has no strings or comments.
fn mask_apostrophes_and_hashes(text: &str) -> String {
    let bytes = text.as_bytes();
    let is_letter = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_alphabetic);
    let is_inside = |at: usize| is_letter(at.checked_sub(1)) && is_letter(Some(at + 1));
    text.char_indices().map(|(at, c)| if c == '#' || c == '\'' && is_inside(at) { '_' } else { c }).collect()
}

#[cfg(test)]
#[path = "../../tests/unit/cli/wrap.rs"]
mod tests;
