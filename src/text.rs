//! Sources, and locations in them: byte spans, lines and columns.
//!
//! This module does not parse: it only maps offsets to lines and columns.

use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;

/// A half-open range of bytes in one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The offset of the first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Returns the span of the bytes `start..end`. Offsets that do not fit in a `u32` become `u32::MAX`.
    pub fn new(start: usize, end: usize) -> Span {
        let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: narrow(start), end: narrow(end) }
    }

    /// Returns the smallest span that contains both `self` and `other`.
    #[must_use]
    pub fn union(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the span as a range of `usize`, for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line number and a column number. Both start at 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The number of the line; the first line is 1.
    pub line: usize,
    /// The number of the character in the line; the first one is 1.
    pub column: usize,
}

/// A named string to parse: the content of a file, an entry at the prompt, a function's signature.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    /// The text as reports show it, if it differs: with masked secrets, and perhaps with more of its last line.
    shown_text: Option<String>,
    line_starts: OnceLock<Vec<usize>>,
    /// For a part of a longer text: the number of lines before it, and of columns before it on its first line.
    start_offset: (usize, usize),
}

impl Source {
    /// Creates a source. Errors show its `name`.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Source> {
        Source::with_offset(name, text, 0, 0)
    }

    /// Creates a source for a part of a file: `lines` lines, and `columns` columns of its first line, precede it.
    #[doc(hidden)] // for the program
    pub fn with_offset(name: impl Into<String>, text: impl Into<String>, lines: usize, columns: usize) -> Arc<Source> {
        let (name, text) = (name.into(), text.into());
        Arc::new(Source { name, text, shown_text: None, line_starts: OnceLock::new(), start_offset: (lines, columns) })
    }

    /// Returns this source with `shown` as the text for reports: as long as the text, or longer only in the last line.
    pub(crate) fn with_shown_text(&self, shown: String) -> Source {
        let (name, text) = (self.name.clone(), self.text.clone());
        Source { name, text, shown_text: Some(shown), line_starts: OnceLock::new(), start_offset: self.start_offset }
    }

    /// Returns the name that errors show.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text that was passed to [`Source::new`], including secrets.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text as reports show it: with masked secrets.
    pub fn shown_text(&self) -> &str {
        self.shown_text.as_deref().unwrap_or(&self.text)
    }

    /// Whether reports show only asterisks for the text of `span`; `false` if it has fewer than two bytes.
    pub(crate) fn is_masked(&self, span: Span) -> bool {
        let shown = self.shown_text().get(span.range()).unwrap_or_default();
        shown.len() > 1 && shown.bytes().all(|byte| byte == b'*') && shown != self.slice(span)
    }

    /// Returns the text of `span`, or an empty string if `span` does not fit this source.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Returns the line and column of the byte at `offset`.
    pub fn position(&self, offset: usize) -> Position {
        let starts = self.line_starts.get_or_init(|| {
            let after_newlines = memchr_iter(b'\n', self.text.as_bytes()).map(|at| at + 1);
            std::iter::once(0).chain(after_newlines).collect()
        });
        let line = starts.partition_point(|&start| start <= offset);
        let start = line.checked_sub(1).and_then(|at| starts.get(at)).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count()) + 1;
        let (lines, columns) = self.start_offset;
        Position { line: line + lines, column: if line == 1 { column + columns } else { column } }
    }
}
