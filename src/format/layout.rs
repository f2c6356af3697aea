//! `%p` text over several lines, for people: what is too long for a line is broken at its brackets and commas.
//!
//! The text of a program is a nest of bracketed groups with commas between their items, whether it is of an array, a
//! hash, a type or an instance. So the layout needs to know no values: one pass over the finished text measures the
//! groups, a second one writes each either in the rest of the line or with an item on each line. Only blanks between
//! items change, so that the text still reads back. Nothing recurses, and both passes are linear.

use super::plain::REDACTED;

/// Blanks by which the items of a broken group are indented.
const INDENTATION: usize = 2;

/// `text` in lines of at most `width` characters, where its brackets and commas allow.
pub(super) fn laid_out(text: &str, width: usize) -> String {
    if text.chars().nth(width).is_none() {
        return text.to_owned();
    }
    let groups = measured(text);
    let out = String::with_capacity(text.len() + text.len() / 4);
    let mut writer = Writer { out, column: 0, open: Vec::new(), depth: 0, most: width / 2 };
    let mut next_group = 0;
    let mut at = 0;
    while let Some(token) = Token::at(text, at) {
        match token {
            Token::Open => {
                let group = &groups[next_group];
                // One more for the comma or bracket behind it.
                if group.is_empty() || writer.column + group.width < width {
                    writer.write(&text[at..group.end]);
                    at = group.end;
                    next_group = group.next;
                    continue;
                }
                writer.write(&text[at..=at]);
                writer.enter(group.hugs);
                next_group += 1;
            }
            Token::Close => {
                writer.leave();
                writer.write(&text[at..=at]);
            }
            Token::Comma => {
                writer.write(",");
                writer.new_line();
                // The blank after it.
                at += 1;
            }
            Token::Other(length) => writer.write(&text[at..at + length]),
        }
        at += token.length();
    }
    writer.out
}

struct Writer {
    out: String,
    /// How many characters stand in the line.
    column: usize,
    /// For each open group that is broken, whether it hugs its only item.
    open: Vec<bool>,
    /// How many of them do not.
    depth: usize,
    /// Lines are not indented more than that, so that deep nests do not become mostly blanks.
    most: usize,
}

impl Writer {
    fn write(&mut self, piece: &str) {
        self.out.push_str(piece);
        self.column += piece.chars().count();
    }

    fn enter(&mut self, hugs: bool) {
        self.open.push(hugs);
        if !hugs {
            self.depth += 1;
            self.new_line();
        }
    }

    fn leave(&mut self) {
        if self.open.pop() == Some(false) {
            self.depth -= 1;
            self.new_line();
        }
    }

    fn new_line(&mut self) {
        let indentation = (INDENTATION * self.depth).min(self.most);
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', indentation));
        self.column = indentation;
    }
}

/// A pair of brackets and what stands between them.
struct Group {
    /// The first byte after it.
    end: usize,
    /// How many characters it takes in one line.
    width: usize,
    /// Whether all of it is one other group, as in `Struct[{…}]`: then both are broken as one.
    hugs: bool,
    /// The number of the first group after it.
    next: usize,
}

impl Group {
    fn is_empty(&self) -> bool {
        self.width == 2
    }
}

/// All groups, in the order of their opening brackets.
fn measured(text: &str) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    // The number of each open group, where it begins in bytes and in characters.
    let mut open: Vec<(usize, usize, usize)> = Vec::new();
    let (mut at, mut characters) = (0, 0);
    while let Some(token) = Token::at(text, at) {
        let length = token.length();
        match token {
            Token::Open => {
                open.push((groups.len(), at, characters));
                groups.push(Group { end: text.len(), width: usize::MAX, hugs: false, next: 0 });
            }
            Token::Close => {
                if let Some((number, start, first)) = open.pop() {
                    let next = groups.len();
                    let inner = groups.get(number + 1);
                    let hugs = inner.is_some_and(|inner| {
                        matches!(Token::at(text, start + 1), Some(Token::Open)) && inner.end == at
                    });
                    groups[number] = Group { end: at + 1, width: characters + 1 - first, hugs, next };
                }
            }
            Token::Comma | Token::Other(_) => {}
        }
        characters += text[at..at + length].chars().count();
        at += length;
    }
    groups
}

/// The smallest piece of text that the layout looks at.
#[derive(Clone, Copy)]
enum Token {
    Open,
    Close,
    /// Between two items.
    Comma,
    /// So many bytes of anything else: a string, a regular expression, a character.
    Other(usize),
}

impl Token {
    fn at(text: &str, at: usize) -> Option<Token> {
        let rest = &text[at..];
        let first = rest.chars().next()?;
        Some(match first {
            '[' | '{' | '(' => Token::Open,
            ']' | '}' | ')' => Token::Close,
            ',' if rest.starts_with(", ") => Token::Comma,
            '\'' | '"' | '/' => Token::Other(delimited(rest, first)),
            'S' if rest.starts_with(REDACTED) => Token::Other(REDACTED.len()),
            other => Token::Other(other.len_utf8()),
        })
    }

    fn length(self) -> usize {
        match self {
            Token::Open | Token::Close | Token::Comma => 1,
            Token::Other(length) => length,
        }
    }
}

/// The length of the string or regular expression at the start of `text`, with its delimiters.
fn delimited(text: &str, delimiter: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == delimiter && !escaped {
            return at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::laid_out;

    #[test]
    fn what_fits_stays_in_one_line() {
        assert_eq!(laid_out("[1, 2]", 6), "[1, 2]");
        assert_eq!(laid_out("[1, 2]", 5), "[\n  1,\n  2\n]");
    }

    #[test]
    fn only_groups_that_are_too_long_are_broken() {
        let text = "{'name' => 'web', 'ports' => [80, 443], 'empty' => {}}";
        assert_eq!(laid_out(text, 30), "{\n  'name' => 'web',\n  'ports' => [80, 443],\n  'empty' => {}\n}");
    }

    #[test]
    fn a_group_that_is_all_of_another_is_broken_with_it() {
        let text = "Struct[{'name' => String[1], 'port' => Integer[1, 65535]}]";
        assert_eq!(laid_out(text, 40), "Struct[{\n  'name' => String[1],\n  'port' => Integer[1, 65535]\n}]");
    }

    #[test]
    fn brackets_in_strings_and_regular_expressions_are_text() {
        let text = r#"['a\', [', "b\", [", /[,] \/ [/, Sensitive [value redacted], 1]"#;
        let lines = r#"[|  'a\', [',|  "b\", [",|  /[,] \/ [/,|  Sensitive [value redacted],|  1|]"#;
        assert_eq!(laid_out(text, 10), lines.replace('|', "\n"));
    }

    #[test]
    fn deep_nests_are_laid_out() {
        let text = "[".repeat(10_000) + "1" + &"]".repeat(10_000);
        assert_eq!(laid_out(&text, 80), "[".repeat(10_000) + "\n  1\n" + &"]".repeat(10_000));
        let text = "[1, ".repeat(10_000) + "1" + &"]".repeat(10_000);
        let lines = laid_out(&text, 10);
        assert_eq!(lines.lines().count(), 30_001);
        assert_eq!(lines.lines().nth(5), Some("     1,"));
    }
}
