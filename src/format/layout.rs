//! Pretty printing of `%p` output: a line that is too long is broken at its brackets and commas.
//!
//! Puppet code is a nest of bracketed groups with commas between their items, whether it is an array, a hash, a type or
//! an instance. So the layout needs no values: each group is written into the rest of the line, or with one item per
//! line, or, if the items of a square bracket are short and have no brackets themselves, with as many items per line as
//! fit. A group that contains only one other group, as in `Struct[{…}]`, is broken together with that. Only spaces between
//! items change, so that the result still reads back.

use rustc_hash::FxHashMap;
use unicode_width::UnicodeWidthStr;

use super::program_text::REDACTED;
use crate::stack;

/// The maximum length in bytes of a text that is laid out; longer ones would block the prompt.
const MAX_BYTES: usize = 4 << 20;

const INDENTATION: usize = 2;

/// The separator of two items.
const COMMA: &str = ", ";

/// The minimum number of items per line for which a line is filled.
const LEAST_ITEMS_IN_LINE: usize = 3;

/// The text of a program or of a value in lines of at most `width` columns of a terminal, where its brackets and commas
/// allow, as [`layout()`](super::layout()) has it. Text longer than 4 MiB is returned unchanged.
pub fn lay_out(text: &str, width: usize) -> String {
    if text.len() > MAX_BYTES || text.width() <= width {
        return text.to_owned();
    }
    let mut writer = Writer { text, ends: ends_of_groups(text), width, out: String::new(), column: 0, depth: 0 };
    writer.write_items(0, text.len(), |_, _| true);
    writer.out
}

struct Writer<'t> {
    text: &'t str,
    /// The byte offset of the end of each group, by the offset of its start.
    ends: FxHashMap<usize, usize>,
    width: usize,
    out: String,
    column: usize,
    depth: usize,
}

impl Writer<'_> {
    fn write(&mut self, piece: &str) {
        self.out.push_str(piece);
        self.column += piece.width();
    }

    /// Starts a new line, indented to at most half of the width so that deeply nested groups have room.
    fn new_line(&mut self) {
        self.column = (INDENTATION * self.depth).min(self.width / 2);
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', self.column));
    }

    /// Writes the items between two byte offsets; `stays` says whether the item at an offset stays on the line.
    fn write_items(&mut self, mut at: usize, end: usize, stays: impl Fn(&Self, usize) -> bool) {
        while at < end
            && let Some(piece) = piece(self.text, at)
        {
            // Only groups are there: of a string that was cut off nothing is known behind the bracket.
            if let Some(&end) = self.ends.get(&at) {
                stack::with_room(|| self.write_group(at, end));
                at = end;
                continue;
            }
            at += piece.len();
            if piece == COMMA {
                self.write(",");
                if stays(self, at) { self.write(" ") } else { self.new_line() }
            } else {
                self.write(piece);
            }
        }
    }

    fn write_group(&mut self, start: usize, end: usize) {
        /// The maximum number of bytes per column; longer groups cannot fit and are not measured.
        const MOST_BYTES: usize = 32;
        let (text, inside) = (self.text, start + 1..end - 1);
        let group = &text[start..end];
        // What follows it up to the next comma or bracket, and one more for that.
        let fits = || self.column + group.width() + item(text, end).width() < self.width;
        if inside.is_empty() || group.len() <= MOST_BYTES * self.width && fits() {
            return self.write(group);
        }
        self.write(&text[start..inside.start]);
        if self.ends.get(&inside.start) == Some(&inside.end) {
            stack::with_room(|| self.write_group(inside.start, inside.end));
        } else {
            self.depth += 1;
            self.new_line();
            let is_filled = group.starts_with('[') && self.is_plain(inside.start);
            // One more for the space, and for the comma or bracket behind the item.
            let fits = |writer: &Self, at: usize| writer.column + item(text, at).width() + 2 <= writer.width;
            self.write_items(inside.start, inside.end, |writer, at| is_filled && fits(writer, at));
            self.depth -= 1;
            self.new_line();
        }
        self.write(&text[inside.end..end]);
    }

    /// Whether all items from the byte offset `at` to the end of the group are short and have no brackets.
    fn is_plain(&self, mut at: usize) -> bool {
        loop {
            let item = item(self.text, at);
            at += item.len();
            match piece(self.text, at) {
                _ if item.width() > self.width / LEAST_ITEMS_IN_LINE => return false,
                Some(COMMA) => at += COMMA.len(),
                other => return matches!(other, Some("]" | "}" | ")")),
            }
        }
    }
}

/// The byte offsets of the ends of all closed groups, by the offsets of their starts.
fn ends_of_groups(text: &str) -> FxHashMap<usize, usize> {
    let (mut ends, mut open, mut at) = (FxHashMap::default(), Vec::new(), 0);
    while let Some(piece) = piece(text, at) {
        match piece {
            "[" | "{" | "(" => open.push(at),
            "]" | "}" | ")" => ends.extend(open.pop().map(|start| (start, at + 1))),
            _ => {}
        }
        at += piece.len();
    }
    ends
}

/// The text at a byte offset up to the next comma or bracket.
fn item(text: &str, start: usize) -> &str {
    let mut end = start;
    while let Some(piece) = piece(text, end)
        && !matches!(piece, COMMA | "[" | "{" | "(" | "]" | "}" | ")")
    {
        end += piece.len();
    }
    &text[start..end]
}

/// The smallest piece of text that the layout looks at: a bracket, a [`COMMA`], a whole string or regular expression,
/// or any other character. `None` at the end of the text.
fn piece(text: &str, at: usize) -> Option<&str> {
    let rest = &text[at..];
    let first = rest.chars().next()?;
    let length = match first {
        ',' if rest.starts_with(COMMA) => COMMA.len(),
        '\'' | '"' | '/' => delimited(rest, first),
        'S' if rest.starts_with(REDACTED) => REDACTED.len(),
        other => other.len_utf8(),
    };
    Some(&rest[..length])
}

/// The length of the string or regular expression at the start of `text`, with its delimiters.
fn delimited(text: &str, delimiter: char) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        if char::from(byte) == delimiter && !escaped {
            return at + 1;
        }
        escaped = byte == b'\\' && !escaped;
    }
    text.len()
}
