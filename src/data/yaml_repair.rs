//! Repairs YAML that Ruby accepts but the YAML 1.2 parser rejects: tabs after a colon, comments directly after a quote
//! or bracket, and flow collections and quoted strings with lines that are indented less than the mapping around them:
//!
//! ```yaml
//! web:
//!   ports: [
//!     80,
//! ]
//! ```
//!
//! Such lines are indented, and such tabs and comments are replaced by spaces. Values do not change: leading spaces
//! have no meaning inside flow collections and quoted strings.
//!
//! Observed: Psych 4.0.3.

#[derive(Debug, Default)]
pub(super) struct RepairedYaml {
    pub(super) text: String,
    /// For each indented line: the offset in `text` after the added spaces, and the sum of all added so far.
    added_spaces: Vec<(usize, usize)>,
    bracket_depth: usize,
    open_quote: Option<char>,
    /// The column where the outermost collection or string that is not yet closed began.
    outermost_column: usize,
    /// The number of spaces at or below which the indentation of a line ends the current block scalar, if any.
    block_scalar_indent: Option<usize>,
}

impl RepairedYaml {
    /// Repairs tabs and comments in `original`; if `indents` is true, also indents lines in collections and strings.
    pub(super) fn repair_text(original: &str, indents: bool) -> RepairedYaml {
        let mut repaired = RepairedYaml::default();
        for line in original.split_inclusive('\n') {
            if indents && repaired.is_in_collection_or_string() {
                let column = repaired.outermost_column + 1;
                repaired.text.extend(std::iter::repeat_n(' ', column));
                let before = repaired.added_spaces.last().map_or(0, |(_, added)| *added);
                repaired.added_spaces.push((repaired.text.len(), before + column));
            }
            let line = repaired.repair_line(line);
            repaired.text.push_str(&line);
        }
        repaired
    }

    pub(super) fn original_offset(&self, at: usize) -> usize {
        let last = self.added_spaces.partition_point(|(from, _)| *from <= at).checked_sub(1);
        at - last.and_then(|last| self.added_spaces.get(last)).map_or(0, |(_, added)| *added)
    }

    fn is_in_collection_or_string(&self) -> bool {
        self.bracket_depth > 0 || self.open_quote.is_some()
    }

    /// Returns `line` with spaces for tabs after colons, and for a comment directly after a quote or bracket.
    fn repair_line(&mut self, line: &str) -> String {
        let mut repaired = line.to_owned();
        let indentation = line.len() - line.trim_start_matches(' ').len();
        if self.block_scalar_indent.is_some_and(|end| line.trim().is_empty() || indentation > end) {
            return repaired;
        }
        self.block_scalar_indent = None;
        let bytes = line.as_bytes();
        // Whether a value may begin here: quotes and brackets inside of plain text mean nothing.
        let (mut at, mut may_begin) = (0, true);
        // The place after the last quote or bracket that ended something.
        let mut ended = None;
        while let Some(&byte) = bytes.get(at) {
            let next = bytes.get(at + 1);
            match (self.open_quote, char::from(byte)) {
                (Some('"'), '\\') => at += 1,
                (Some('\''), '\'') if next == Some(&b'\'') => at += 1,
                (Some(quote), byte) if quote == byte => {
                    (self.open_quote, may_begin, ended) = (None, false, Some(at + 1));
                }
                (Some(_), _) | (None, ' ' | '\t' | '\r' | '\n') => {}
                (None, '#') if bytes.get(at.wrapping_sub(1)).is_none_or(u8::is_ascii_whitespace) => break,
                (None, '#') if ended == Some(at) => {
                    let comment = at..line.trim_end_matches(['\r', '\n']).len();
                    repaired.replace_range(comment.clone(), &" ".repeat(comment.len()));
                    break;
                }
                (None, sign @ ('"' | '\'' | '[' | '{')) if may_begin => {
                    if !self.is_in_collection_or_string() {
                        self.outermost_column = at;
                    }
                    match sign {
                        '[' | '{' => self.bracket_depth += 1,
                        quote => self.open_quote = Some(quote),
                    }
                }
                (None, ']' | '}') if self.bracket_depth > 0 => {
                    (self.bracket_depth, may_begin, ended) = (self.bracket_depth - 1, false, Some(at + 1));
                }
                (None, ',') if self.bracket_depth > 0 => (may_begin, ended) = (true, Some(at + 1)),
                (None, sign @ (':' | '-' | '?')) if next.is_none_or(u8::is_ascii_whitespace) => {
                    may_begin = true;
                    let tabs = bytes.iter().skip(at + 1).take_while(|byte| **byte == b'\t').count();
                    if sign == ':' {
                        repaired.replace_range(at + 1..=at + tabs, &" ".repeat(tabs));
                    }
                }
                (None, '|' | '>') if may_begin && self.bracket_depth == 0 => {
                    self.block_scalar_indent = Some(indentation);
                    break;
                }
                // An anchor or a tag may precede the value.
                (None, '&' | '!') if may_begin => {
                    at += bytes.iter().skip(at).take_while(|byte| !byte.is_ascii_whitespace()).count() - 1;
                }
                (None, _) => may_begin = false,
            }
            at += 1;
        }
        repaired
    }
}
