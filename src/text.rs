//! Sources and places in them: byte spans, lines and columns.
//!
//! Nothing here knows what the text means.

use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;

/// A half-open range of bytes in one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end`. Sources are limited to 4 GiB, which [`Source::new`] checks.
    pub fn new(start: usize, end: usize) -> Span {
        let narrow = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: narrow(start), end: narrow(end) }
    }

    /// The smallest span that holds both.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The span as a range for slicing.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column: both start at 1, and columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// 1 for the first line.
    pub line: usize,
    /// 1 for the first character of the line.
    pub column: usize,
}

/// A named string: a file, an entry at the prompt, a function's signature.
#[derive(Debug)]
pub struct Source {
    name: String,
    text: String,
    /// The text as reports show it, if that differs: with masked secrets, or with all of its last line.
    shown: Option<String>,
    line_starts: OnceLock<Vec<usize>>,
    /// For a part of a longer text: the number of lines before it, and of columns in its first line.
    before: (usize, usize),
}

impl Source {
    /// A source called `name`, which is shown in errors.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Source> {
        Source::part(name, text, 0, 0)
    }

    /// A part of a longer source: `lines` lines are before it, and `columns` columns on its first line.
    #[doc(hidden)] // for the program
    pub fn part(name: impl Into<String>, text: impl Into<String>, lines: usize, columns: usize) -> Arc<Source> {
        let (name, text) = (name.into(), text.into());
        Arc::new(Source { name, text, shown: None, line_starts: OnceLock::new(), before: (lines, columns) })
    }

    /// The same source, shown in reports as `shown`: as many bytes, and perhaps the rest of the last line.
    pub(crate) fn shown_as(&self, shown: String) -> Source {
        let (name, text) = (self.name.clone(), self.text.clone());
        Source { name, text, shown: Some(shown), line_starts: OnceLock::new(), before: self.before }
    }

    /// The number of its first line in the whole source, from 1.
    #[doc(hidden)] // for the program
    pub fn first_line(&self) -> usize {
        self.before.0 + 1
    }

    /// The name shown in errors.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole text as reports show it: without secrets.
    pub fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.text)
    }

    /// Whether reports mask the whole text of `span`, which has at least two bytes.
    pub(crate) fn hides(&self, span: Span) -> bool {
        let shown = self.shown().get(span.range()).unwrap_or_default();
        shown.len() > 1 && shown.bytes().all(|byte| byte == b'*') && shown != self.slice(span)
    }

    /// The text of `span`; empty when the span is not one of this source.
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Line and column of the byte at `offset`.
    pub fn position(&self, offset: usize) -> Position {
        let starts = self.line_starts.get_or_init(|| {
            let after_newlines = memchr_iter(b'\n', self.text.as_bytes()).map(|at| at + 1);
            std::iter::once(0).chain(after_newlines).collect()
        });
        let line = starts.partition_point(|&start| start <= offset);
        let start = line.checked_sub(1).and_then(|at| starts.get(at)).copied().unwrap_or(0);
        let column = self.text.get(start..offset).map_or(0, |before| before.chars().count()) + 1;
        let (lines, columns) = self.before;
        Position { line: line + lines, column: if line == 1 { column + columns } else { column } }
    }
}
