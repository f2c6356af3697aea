//! Pretty printing of `%p` output: a line that is too long is broken at its brackets and commas.
//!
//! Puppet code is a nest of bracketed groups with commas between their items, whether it is an array, a hash, a type or
//! an instance. So the layout needs no values: one pass over the finished string measures the groups, a second one
//! writes each into the rest of the line, or with one item per line, or, if the items of a square bracket are short and
//! have no brackets themselves, with as many items per line as fit. Only spaces between items change, so that the
//! result still reads back. There is no recursion, and both passes are linear.

use rustc_hash::FxHashMap;
use unicode_width::UnicodeWidthStr;

use super::program_text::REDACTED;

/// The longest text that is laid out, in bytes. Measuring more would block the prompt.
const MAX_BYTES: usize = 4 << 20;

const INDENTATION: usize = 2;

/// The fewest items per line for which a group is filled.
const LEAST_ITEMS_IN_LINE: usize = 3;

/// The text of a program or of a value in lines of at most `width` columns of a terminal, where its brackets and commas
/// allow, as [`layout()`](super::layout()) has it. Text longer than 4 MiB is returned unchanged.
pub fn lay_out(text: &str, width: usize) -> String {
    if text.len() > MAX_BYTES || text.width() <= width {
        return text.to_owned();
    }
    let groups = measured(text, width / LEAST_ITEMS_IN_LINE);
    let out = String::with_capacity(text.len() + text.len() / 4);
    let mut writer = Writer { out, column: 0, open: Vec::new(), depth: 0, most: width / 2 };
    let mut at = 0;
    while let Some((token, piece)) = token(text, at) {
        match token {
            Token::Open => {
                let group = groups.get(&at);
                // What follows it up to the next comma or bracket, and one more for that.
                let fits = |group: &Group| writer.column + group.width + item_width(text, group.end) < width;
                if let Some(group) = group.filter(|group| group.width == "[]".len() || fits(group)) {
                    writer.write(&text[at..group.end]);
                    at = group.end;
                    continue;
                }
                writer.write(piece);
                // Of a string that was cut off nothing is known behind the bracket.
                if let Some(group) = group {
                    writer.enter(group.shape);
                }
            }
            Token::Close => {
                writer.leave();
                writer.write(piece);
            }
            Token::Comma => {
                writer.write(",");
                // The space after it.
                at += 1;
                // One more for the space, and for the comma or bracket behind the item.
                let fits = || writer.column + item_width(text, at + 1) + 2 <= width;
                if writer.open.is_empty() || (writer.is_filling() && fits()) {
                    writer.write(" ");
                } else {
                    writer.new_line();
                }
            }
            Token::Other => writer.write(piece),
        }
        at += piece.len();
    }
    writer.out
}

struct Writer {
    out: String,
    /// How many columns the line has.
    column: usize,
    open: Vec<Shape>,
    depth: usize,
    /// Lines are not indented more than that, so that deep nests do not become mostly spaces.
    most: usize,
}

impl Writer {
    fn write(&mut self, piece: &str) {
        self.out.push_str(piece);
        self.column += piece.width();
    }

    fn enter(&mut self, shape: Shape) {
        self.open.push(shape);
        if shape != Shape::Hugging {
            self.depth += 1;
            self.new_line();
        }
    }

    fn leave(&mut self) {
        if self.open.pop().is_some_and(|shape| shape != Shape::Hugging) {
            self.depth -= 1;
            self.new_line();
        }
    }

    fn is_filling(&self) -> bool {
        self.open.last() == Some(&Shape::Filled)
    }

    fn new_line(&mut self) {
        let indentation = (INDENTATION * self.depth).min(self.most);
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indentation));
        self.column = indentation;
    }
}

struct Group {
    end: usize,
    width: usize,
    /// The shape of the group if it does not fit in a line.
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// The group contains only one other group, as in `Struct[{…}]`: both are broken together.
    Hugging,
    /// An item on each line.
    Listed,
    /// As many items in each line as fit.
    Filled,
}

/// A group while it is measured.
struct Measured {
    /// Where it begins, in bytes and in columns.
    start: usize,
    column: usize,
    /// The column of the start of its last item.
    item: usize,
    /// Whether all items so far are short and without brackets.
    is_plain: bool,
}

impl Measured {
    fn item_ends(&mut self, column: usize, short: usize) {
        self.is_plain &= column - self.item <= short;
        // The comma and the space.
        self.item = column + 2;
    }
}

/// All groups that are closed, by the bytes at which they begin. Items of up to `short` columns are short.
fn measured(text: &str, short: usize) -> FxHashMap<usize, Group> {
    let mut groups: FxHashMap<usize, Group> = FxHashMap::default();
    let mut open: Vec<Measured> = Vec::new();
    let (mut at, mut column) = (0, 0);
    while let Some((token, piece)) = token(text, at) {
        match (token, open.last_mut()) {
            (Token::Open, outer) => {
                if let Some(outer) = outer {
                    outer.is_plain = false;
                }
                let is_plain = piece == "[";
                open.push(Measured { start: at, column, item: column + 1, is_plain });
            }
            (Token::Close, Some(group)) => {
                group.item_ends(column, short);
                let hugs = groups.get(&(group.start + 1)).is_some_and(|inner| inner.end == at);
                let shape = match (hugs, group.is_plain) {
                    (true, _) => Shape::Hugging,
                    (false, true) => Shape::Filled,
                    (false, false) => Shape::Listed,
                };
                groups.insert(group.start, Group { end: at + 1, width: column + 1 - group.column, shape });
                open.pop();
            }
            (Token::Comma, Some(group)) => group.item_ends(column, short),
            (Token::Close | Token::Comma, None) | (Token::Other, _) => {}
        }
        column += piece.width();
        at += piece.len();
    }
    groups
}

/// The width of the item at a byte offset, in a group without nested groups.
fn item_width(text: &str, start: usize) -> usize {
    let mut end = start;
    while let Some((Token::Other, piece)) = token(text, end) {
        end += piece.len();
    }
    text[start..end].width()
}

/// The smallest piece of text that the layout looks at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Token {
    Open,
    Close,
    Comma,
    /// Anything else: a string, a regular expression, a character.
    Other,
}

fn token(text: &str, at: usize) -> Option<(Token, &str)> {
    let rest = &text[at..];
    let first = rest.chars().next()?;
    let (token, length) = match first {
        '[' | '{' | '(' => (Token::Open, 1),
        ']' | '}' | ')' => (Token::Close, 1),
        ',' if rest.starts_with(", ") => (Token::Comma, 1),
        '\'' | '"' | '/' => (Token::Other, delimited(rest, first)),
        'S' if rest.starts_with(REDACTED) => (Token::Other, REDACTED.len()),
        other => (Token::Other, other.len_utf8()),
    };
    Some((token, &rest[..length]))
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
