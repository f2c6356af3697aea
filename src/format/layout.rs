//! Pretty printing of `%p` strings: a line that is too long is broken at its brackets and commas.
//!
//! Puppet code consists of nested groups in brackets with commas between their items, whether it is an array, a hash, a
//! type or an instance. So the layout needs no values. It writes each group into the rest of the line, or with one item
//! per line, or, if the group has square brackets and only short items without brackets, with as many items per line as
//! fit. A group that contains only one other group, as in `Struct[{…}]`, is broken together with it. Only the spaces
//! between items change, so the result is still valid Puppet code.

use rustc_hash::FxHashMap;
use unicode_width::UnicodeWidthStr;

use super::program_text::REDACTED;
use crate::stack;

/// The maximum length in bytes of a string that is broken into lines; a longer one would take long, and stays as it is.
const MAX_TEXT_BYTES: usize = 4 << 20;

const INDENT_COLUMNS: usize = 2;

const ITEM_SEPARATOR: &str = ", ";

/// Items in square brackets share lines if each takes at most the line width divided by this; if not, each has its own.
const SHORT_ITEM_WIDTH_DIVISOR: usize = 3;

/// Breaks Puppet code or a printed value into lines of at most `width` terminal columns, if its brackets and commas
/// allow that; see [`pretty_print()`](super::pretty_print()). A `text` longer than 4 MiB is returned unchanged.
pub fn break_into_lines(text: &str, width: usize) -> String {
    if text.len() > MAX_TEXT_BYTES || text.width() <= width {
        return text.to_owned();
    }
    let mut writer =
        LayoutWriter { text, group_ends: ends_of_groups(text), width, out: String::new(), column: 0, depth: 0 };
    writer.write_items(0, text.len(), |_, _| true);
    writer.out
}

struct LayoutWriter<'t> {
    text: &'t str,
    /// The byte offset after the closing bracket of each group, by the byte offset of its opening bracket.
    group_ends: FxHashMap<usize, usize>,
    width: usize,
    out: String,
    column: usize,
    depth: usize,
}

impl LayoutWriter<'_> {
    fn append_to_line(&mut self, piece: &str) {
        self.out.push_str(piece);
        self.column += piece.width();
    }

    /// Starts a line, indented by `depth` levels but at most by half of the width, so that deep groups have room.
    fn start_new_line(&mut self) {
        self.column = (INDENT_COLUMNS * self.depth).min(self.width / 2);
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', self.column));
    }

    /// Writes the items from byte `at` to `end`; `stays` decides if the item at a byte offset stays on the same line.
    fn write_items(&mut self, mut at: usize, end: usize, stays: impl Fn(&Self, usize) -> bool) {
        while at < end
            && let Some(piece) = token_at(self.text, at)
        {
            // Only groups are there: of a string that was cut off nothing is known behind the bracket.
            if let Some(&end) = self.group_ends.get(&at) {
                stack::with_room(|| self.write_group(at, end));
                at = end;
                continue;
            }
            at += piece.len();
            if piece == ITEM_SEPARATOR {
                self.append_to_line(",");
                if stays(self, at) { self.append_to_line(" ") } else { self.start_new_line() }
            } else {
                self.append_to_line(piece);
            }
        }
    }

    fn write_group(&mut self, start: usize, end: usize) {
        /// The number of bytes per column above which a group is assumed not to fit, without measuring its width.
        const MAX_BYTES_PER_COLUMN: usize = 32;
        let (text, inside) = (self.text, start + 1..end - 1);
        let group = &text[start..end];
        // What follows it up to the next comma or bracket, and one more for that.
        let fits = || self.column + group.width() + item_at(text, end).width() < self.width;
        if inside.is_empty() || group.len() <= MAX_BYTES_PER_COLUMN * self.width && fits() {
            return self.append_to_line(group);
        }
        self.append_to_line(&text[start..inside.start]);
        if self.group_ends.get(&inside.start) == Some(&inside.end) {
            stack::with_room(|| self.write_group(inside.start, inside.end));
        } else {
            self.depth += 1;
            self.start_new_line();
            let is_filled = group.starts_with('[') && self.has_only_short_items(inside.start);
            // One more for the space, and for the comma or bracket behind the item.
            let fits = |writer: &Self, at: usize| writer.column + item_at(text, at).width() + 2 <= writer.width;
            self.write_items(inside.start, inside.end, |writer, at| is_filled && fits(writer, at));
            self.depth -= 1;
            self.start_new_line();
        }
        self.append_to_line(&text[inside.end..end]);
    }

    /// Whether all items from byte `at` to the end of the group are short, see [`SHORT_ITEM_WIDTH_DIVISOR`], and not groups.
    fn has_only_short_items(&self, mut at: usize) -> bool {
        loop {
            let item = item_at(self.text, at);
            at += item.len();
            match token_at(self.text, at) {
                _ if item.width() > self.width / SHORT_ITEM_WIDTH_DIVISOR => return false,
                Some(ITEM_SEPARATOR) => at += ITEM_SEPARATOR.len(),
                other => return matches!(other, Some("]" | "}" | ")")),
            }
        }
    }
}

fn ends_of_groups(text: &str) -> FxHashMap<usize, usize> {
    let (mut ends, mut open, mut at) = (FxHashMap::default(), Vec::new(), 0);
    while let Some(piece) = token_at(text, at) {
        match piece {
            "[" | "{" | "(" => open.push(at),
            "]" | "}" | ")" => ends.extend(open.pop().map(|start| (start, at + 1))),
            _ => {}
        }
        at += piece.len();
    }
    ends
}

/// Returns the part of `text` from byte `start` to the next comma or bracket, which is excluded.
fn item_at(text: &str, start: usize) -> &str {
    let mut end = start;
    while let Some(piece) = token_at(text, end)
        && !matches!(piece, ITEM_SEPARATOR | "[" | "{" | "(" | "]" | "}" | ")")
    {
        end += piece.len();
    }
    &text[start..end]
}

/// Returns the token at byte `at`: a bracket, an [`ITEM_SEPARATOR`], a whole string or regular expression,
/// [`REDACTED`], or any other character. `None` at the end of `text`.
fn token_at(text: &str, at: usize) -> Option<&str> {
    let rest = &text[at..];
    let first = rest.chars().next()?;
    let length = match first {
        ',' if rest.starts_with(ITEM_SEPARATOR) => ITEM_SEPARATOR.len(),
        '\'' | '"' | '/' => delimited_length(rest, first),
        'S' if rest.starts_with(REDACTED) => REDACTED.len(),
        other => other.len_utf8(),
    };
    Some(&rest[..length])
}

/// Returns the length of the quoted string or regular expression at the start of `text`, including its delimiters.
fn delimited_length(text: &str, delimiter: char) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        if char::from(byte) == delimiter && !escaped {
            return at + 1;
        }
        escaped = byte == b'\\' && !escaped;
    }
    text.len()
}
