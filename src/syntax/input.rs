//! The input of the parsers: a part of the source.
//!
//! nom's own parsers read [`Input`], which is a place, an end and a reference to [`State`]. What a parser recognises is
//! an `Input` as well, so it knows its text, its span, and where to put the node it makes.

use std::cmp::Ordering;
use std::str::{CharIndices, Chars};

use nom::error::{ErrorKind, ParseError};
use nom::{Compare, CompareResult, Needed, Offset};

use super::errors::{Expected, SyntaxError};
use super::state::{Heredocs, State};
use super::tree::{Expression, Id, Node};
use crate::text::Span;

/// Why a parser gives no result; the state has the details.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Something else was expected at this offset.
    Expected(u32),
    /// The text is invalid under every alternative, or the stack is used up: see [`State::refusal`].
    Refused,
    /// The error is in the list of the state already.
    Recorded,
}

pub(super) type Parsed<'a, T> = nom::IResult<Input<'a>, T, Stop>;

impl ParseError<Input<'_>> for Stop {
    fn from_error_kind(input: Input<'_>, _: ErrorKind) -> Stop {
        Stop::Expected(input.start())
    }

    fn append(_: Input<'_>, _: ErrorKind, other: Stop) -> Stop {
        other
    }
}

/// Refuses `text` with an error that no further input can mend.
#[cold]
pub(super) fn refuse<T>(error: SyntaxError, text: Input<'_>) -> Parsed<'_, T> {
    text.state.refusal.set(Some(error.at(text.span())));
    Err(nom::Err::Failure(Stop::Refused))
}

/// A part of the source: what is still to be read, or what was recognised.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    pub(super) state: &'a State<'a>,
    /// Where it starts in the source, and where it ends, in one number: two words pass through registers, three do not.
    place: u64,
}

impl<'a> Input<'a> {
    pub(super) fn new(state: &'a State<'a>) -> Input<'a> {
        Input { state, place: 0 }.between(0, Span::new(0, state.source.len()).end)
    }

    /// The part of the source between two places.
    fn between(self, start: u32, end: u32) -> Input<'a> {
        Input { place: u64::from(start) << 32 | u64::from(end), ..self }
    }

    pub(super) fn start(self) -> u32 {
        (self.place >> 32) as u32
    }

    fn end(self) -> u32 {
        (self.place & 0xFFFF_FFFF) as u32
    }

    pub(super) fn text(self) -> &'a str {
        &self.state.source[self.start() as usize..self.end() as usize]
    }

    pub(super) fn before(self) -> &'a str {
        &self.state.source[..self.start() as usize]
    }

    pub(super) fn first(self) -> Option<char> {
        match self.state.source.as_bytes().get(self.start() as usize) {
            _ if self.start() >= self.end() => None,
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            _ => self.text().chars().next(),
        }
    }

    #[expect(clippy::indexing_slicing, reason = "the part is within the source")]
    fn bytes(self) -> &'a [u8] {
        &self.state.source.as_bytes()[self.start() as usize..self.end() as usize]
    }

    pub(super) fn starts_with(self, text: &str) -> bool {
        // The first byte decides most of the time.
        self.bytes().first() == text.as_bytes().first() && self.bytes().starts_with(text.as_bytes())
    }

    /// What stands behind `text`, if it starts with that.
    pub(super) fn behind(self, text: &str) -> Option<Input<'a>> {
        self.starts_with(text).then(|| nom::Input::take_from(&self, text.len()))
    }

    pub(super) fn span(self) -> Span {
        Span { start: self.start(), end: self.end() }
    }

    pub(super) fn until(self, later: Input<'a>) -> Input<'a> {
        self.between(self.start(), later.start())
    }

    /// What starts at `start` and ends where this does.
    pub(super) fn moved_to(self, start: u32) -> Input<'a> {
        self.between(start.min(self.end()), self.end())
    }

    pub(super) fn place(self) -> Input<'a> {
        self.until(self)
    }

    /// The span from here to the end of the last token, without the white space after it.
    pub(super) fn span_to_last_token(self) -> Span {
        Span { start: self.start(), end: self.state.last_end.get().max(self.start()) }
    }

    pub(super) fn ends_token(self) -> Input<'a> {
        self.state.last_end.set(self.start());
        self
    }

    pub(super) fn after_last_token(self) -> Input<'a> {
        self.moved_to(self.state.last_end.get())
    }

    /// Gives up here, and notes what would have been right.
    pub(super) fn expected<T>(self, what: Expected) -> Parsed<'a, T> {
        self.note(what);
        self.mismatch()
    }

    pub(super) fn mismatch<T>(self) -> Parsed<'a, T> {
        Err(nom::Err::Error(Stop::Expected(self.start())))
    }

    /// Notes that `what` would have been right here.
    pub(super) fn note(self, what: Expected) {
        let (furthest, expected) = self.state.furthest.get();
        match self.start().cmp(&furthest) {
            Ordering::Less => {}
            Ordering::Equal => self.state.furthest.set((furthest, expected | what.bit())),
            Ordering::Greater => self.state.furthest.set((self.start(), what.bit())),
        }
    }

    pub(super) fn node(self, span: Span, expression: Expression) -> Id {
        self.node_at(span, span.start, expression)
    }

    /// A new node of the tree that is known by a place other than its start, such as its operator.
    pub(super) fn node_at(self, span: Span, place: u32, expression: Expression) -> Id {
        let mut nodes = self.state.nodes.borrow_mut();
        let id = Id::at(nodes.len());
        // Built in its place in the vector.
        nodes.extend(std::iter::once_with(|| Node { span, place, expression }));
        id
    }

    /// What `see` says of a node made before. It must not make or look at other nodes.
    #[expect(clippy::indexing_slicing, reason = "the node was made before")]
    pub(super) fn look<T>(self, id: Id, see: impl FnOnce(&mut Node) -> T) -> T {
        see(&mut self.state.nodes.borrow_mut()[id.index()])
    }

    /// The span of a node made before.
    pub(super) fn span_of(self, id: Id) -> Span {
        self.look(id, |node| node.span)
    }

    /// Remembers that the backslash here and what follows it are no escape. A text may be read twice.
    pub(super) fn warns_of_escape(self) {
        let length: usize = self.text().chars().take(2).map(char::len_utf8).sum();
        let span = nom::Input::take(&self, length).span();
        let mut known = self.state.unknown_escapes.borrow_mut();
        if !known.contains(&span) {
            known.push(span);
        }
    }

    /// The end of this line, and where the text of a heredoc announced here starts; `None` on the last line.
    pub(super) fn heredoc_start(self) -> Option<(u32, u32)> {
        // Many heredocs may be announced in one line.
        let known = self.state.heredocs.get().filter(|known| known.newline < self.end());
        let newline = match known {
            Some(known) if (known.start..=known.newline).contains(&self.start()) => known.newline,
            _ => self.start() + Span::new(self.text().find('\n')?, 0).start,
        };
        let pending = known.filter(|known| known.newline == newline);
        Some((newline, pending.map_or(newline + 1, |known| known.resume)))
    }

    /// Remembers that reading goes on at `resume` after the newline at `newline`.
    pub(super) fn resumes_after(self, newline: u32, resume: u32) {
        let known = self.state.heredocs.get().filter(|known| known.newline == newline);
        let start = known.map_or(self.start(), |known| known.start);
        self.state.heredocs.set(Some(Heredocs { start, newline, resume }));
    }

    /// The place after the texts of the heredocs that the line before announced.
    pub(super) fn after_heredocs(self) -> Input<'a> {
        match self.state.heredocs.get() {
            Some(heredocs) if heredocs.newline + 1 == self.start() => self.moved_to(heredocs.resume),
            _ => self,
        }
    }
}

impl<'a> nom::Input for Input<'a> {
    type Item = char;
    type Iter = Chars<'a>;
    type IterIndices = CharIndices<'a>;

    fn input_len(&self) -> usize {
        (self.end() - self.start()) as usize
    }

    fn take(&self, count: usize) -> Input<'a> {
        self.between(self.start(), self.start() + Span::new(count, 0).start)
    }

    fn take_from(&self, count: usize) -> Input<'a> {
        self.between(self.start() + Span::new(count, 0).start, self.end())
    }

    fn take_split(&self, count: usize) -> (Input<'a>, Input<'a>) {
        (self.take_from(count), self.take(count))
    }

    fn position<P: Fn(char) -> bool>(&self, predicate: P) -> Option<usize> {
        let stops = |byte: u8| !byte.is_ascii() || predicate(char::from(byte));
        let at = self.bytes().iter().position(|byte| stops(*byte))?;
        match self.bytes().get(at) {
            Some(byte) if byte.is_ascii() => Some(at),
            // Characters beyond ASCII are rare.
            _ => Some(at + self.text()[at..].find(predicate)?),
        }
    }

    fn iter_elements(&self) -> Chars<'a> {
        self.text().chars()
    }

    fn iter_indices(&self) -> CharIndices<'a> {
        self.text().char_indices()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        self.text().slice_index(count)
    }
}

impl Offset for Input<'_> {
    fn offset(&self, second: &Self) -> usize {
        (second.start() - self.start()) as usize
    }
}

impl Compare<&str> for Input<'_> {
    fn compare(&self, text: &str) -> CompareResult {
        if self.starts_with(text) { CompareResult::Ok } else { CompareResult::Error }
    }

    fn compare_no_case(&self, text: &str) -> CompareResult {
        self.text().compare_no_case(text)
    }
}
