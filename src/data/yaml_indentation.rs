//! A repair for YAML whose flow collections and quoted strings continue left of the mapping they are in:
//!
//! ```yaml
//! web:
//!   ports: [
//!     80,
//! ]
//! ```
//!
//! The parser rejects such lines, as YAML 1.2 does; Ruby accepts them. Indenting them changes no value, because
//! leading spaces mean nothing inside flow collections and quoted strings.
//!
//! Observed: Psych 4.0.3.

/// A text with more indentation, and where the additional spaces are.
#[derive(Debug, Default)]
pub(super) struct Indented {
    pub(super) text: String,
    /// For each line that was indented: the byte in `text` after the added spaces, and how many were added so far.
    added: Vec<(usize, usize)>,
}

impl Indented {
    /// The byte of the original text that a byte of the indented text was.
    pub(super) fn original(&self, at: usize) -> usize {
        let last = self.added.partition_point(|(from, _)| *from <= at).checked_sub(1);
        at - last.and_then(|last| self.added.get(last)).map_or(0, |(_, added)| *added)
    }

    /// Indents all continuation lines of flow collections and quoted strings as far as these begin.
    pub(super) fn of(original: &str) -> Indented {
        let mut indented = Indented::default();
        let mut scan = Scan::default();
        for line in original.split_inclusive('\n') {
            if let Some(column) = scan.inside_since() {
                indented.text.extend(std::iter::repeat_n(' ', column));
                let before = indented.added.last().map_or(0, |(_, added)| *added);
                indented.added.push((indented.text.len(), before + column));
            }
            indented.text.push_str(line);
            scan.line(line);
        }
        indented
    }
}

#[derive(Default)]
struct Scan {
    depth: usize,
    quote: Option<u8>,
    /// The column in which the outermost of them began.
    since: usize,
    /// The indentation that ends a block scalar.
    block: Option<usize>,
}

impl Scan {
    fn inside_since(&self) -> Option<usize> {
        (self.depth > 0 || self.quote.is_some()).then_some(self.since + 1)
    }

    fn line(&mut self, line: &str) {
        let indentation = line.len() - line.trim_start_matches(' ').len();
        if let Some(end) = self.block {
            if line.trim().is_empty() || indentation > end {
                return;
            }
            self.block = None;
        }
        let bytes = line.as_bytes();
        // Whether a value may begin here: quotes and brackets inside of plain text mean nothing.
        let (mut at, mut may_begin) = (0, true);
        while let Some(&byte) = bytes.get(at) {
            match (self.quote, byte) {
                (Some(b'"'), b'\\') => at += 1,
                (Some(b'\''), b'\'') if bytes.get(at + 1) == Some(&b'\'') => at += 1,
                (Some(quote), byte) if quote == byte => (self.quote, may_begin) = (None, false),
                (Some(_), _) | (None, b' ' | b'\t' | b'\r' | b'\n') => {}
                (None, b'#') if at.checked_sub(1).and_then(|at| bytes.get(at)).is_none_or(u8::is_ascii_whitespace) => {
                    return;
                }
                (None, b'"' | b'\'') if may_begin => self.open(at, |scan| scan.quote = Some(byte)),
                (None, b'[' | b'{') if may_begin => self.open(at, |scan| scan.depth += 1),
                (None, b']' | b'}') if self.depth > 0 => (self.depth, may_begin) = (self.depth - 1, false),
                (None, b',') if self.depth > 0 => may_begin = true,
                (None, b':' | b'-' | b'?') if bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace) => may_begin = true,
                (None, b'|' | b'>') if may_begin && self.depth == 0 => {
                    self.block = Some(indentation);
                    return;
                }
                // An anchor or a tag may precede the value.
                (None, b'&' | b'!') if may_begin => {
                    at += bytes.iter().skip(at).take_while(|byte| !byte.is_ascii_whitespace()).count() - 1;
                }
                (None, _) => may_begin = false,
            }
            at += 1;
        }
    }

    fn open(&mut self, column: usize, open: impl FnOnce(&mut Scan)) {
        if self.inside_since().is_none() {
            self.since = column;
        }
        open(self);
    }
}
