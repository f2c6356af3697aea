//! Checks long data piece by piece: the lines of JSON Lines, the elements of a top-level JSON array, the documents of a
//! YAML stream. Only a few pieces are in memory at a time, and they are first read without locations; a piece that does
//! not match is read again with them.

use std::io::{self, BufRead, Read};
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};

use memchr::memchr_iter;

use super::{Checked, Finding, against};
use crate::data::{self, Format};
use crate::error::Error;
use crate::explain::mismatch::Step;
use crate::interrupt;
use crate::limits::{self, Limit, LimitError};
use crate::text::{Source, Span};
use crate::types::Type;

/// How data is made of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// A JSON value in each line.
    Lines,
    /// The elements of one JSON array.
    Elements,
    /// YAML documents, separated by `---`.
    Documents,
}

#[derive(Default)]
struct Piece {
    text: String,
    /// Its place among the elements of an array.
    number: usize,
    lines_before: usize,
    /// The number of characters before it on its first line.
    columns_before: usize,
    /// The end of the text before it on its first line, in ASCII.
    before: String,
    /// The start of the text after it on its last line.
    after: String,
}

impl Piece {
    /// The piece as a source that is shown with its surroundings, which are blank in its text.
    fn source(&self, name: &str) -> Arc<Source> {
        let Piece { text, before, after, .. } = self;
        let blank = format!("{}{text}", " ".repeat(before.len()));
        let source = Source::part(name, blank, self.lines_before, self.columns_before.saturating_sub(before.len()));
        if before.is_empty() && after.is_empty() {
            source
        } else {
            source.shown_as(format!("{before}{text}{after}")).into()
        }
    }
}

/// The maximum number of bytes of a line that are shown before and after a piece.
const SURROUNDINGS: usize = 80;

const SYNTAX_ERROR: &str = "SYNTAX_ERROR";

const BATCH_BYTES: usize = 1 << 18;

/// Checks each piece against a type, in order; `each` is given the number of lines before a piece, and its outcome. Uses up
/// to `jobs` threads.
///
/// ```
/// use pcore::check::{Pieces, check_pieces};
/// let port: pcore::types::Type = "Integer[1, 65535]".parse()?;
/// let mut fine = Vec::new();
/// let mut each = |line: usize, checked: pcore::check::Checked| {
///     fine.push((line, checked.is_fine()));
///     Ok(())
/// };
/// check_pieces(&mut "80\n0\n".as_bytes(), "ports.jsonl", Pieces::Lines, &port, 1, &mut each).expect("memory is readable");
/// assert_eq!(fine, [(0, true), (1, false)]);
/// # Ok::<(), pcore::error::Error>(())
/// ```
///
/// # Errors
/// The input cannot be read, or `each` failed.
pub fn check_pieces(
    input: &mut dyn BufRead,
    name: &str,
    pieces: Pieces,
    type_: &Type,
    jobs: usize,
    each: &mut dyn FnMut(usize, Checked) -> io::Result<()>,
) -> io::Result<()> {
    let (line, column, count, state) = (0, 0, 0, State::Start);
    let mut reader = Reader { input, name, pieces, line, column, count, state, rest: String::new(), read: Vec::new() };
    let format = if pieces == Pieces::Documents { Format::Yaml } else { Format::Json };
    let is_element = pieces == Pieces::Elements;
    let check = |piece: &Piece| check_piece(name, piece, format, type_, is_element);
    loop {
        let (mut batch, mut bytes, mut next) = (Vec::new(), 0, reader.next());
        while let Ok(Some(piece)) = next {
            bytes += piece.text.len();
            batch.push(piece);
            next = if bytes < BATCH_BYTES { reader.next() } else { Ok(None) };
        }
        let outcomes = in_parallel(&batch, jobs, &check);
        for (piece, checked) in batch.iter().zip(outcomes) {
            let is_wrong = is_element && checked.findings.iter().any(|finding| finding.error.code() == SYNTAX_ERROR);
            each(piece.lines_before, checked)?;
            // Where the following elements begin is not known.
            if is_wrong {
                return Ok(());
            }
        }
        match next {
            // An error of ours is about the text, any other about its reading.
            Err(error) => return each(reader.line, Checked::unreadable(error.downcast::<Error>()?)),
            Ok(_) if bytes < BATCH_BYTES => return Ok(()),
            Ok(_) => {}
        }
    }
}

fn in_parallel(batch: &[Piece], jobs: usize, check: &(impl Fn(&Piece) -> Checked + Sync)) -> Vec<Checked> {
    let check_all = |pieces: &[Piece]| pieces.iter().map(check).collect::<Vec<_>>();
    if jobs <= 1 || batch.len() < 2 * jobs {
        return check_all(batch);
    }
    thread::scope(|scope| {
        let start = |pieces| {
            let watch = interrupt::State::current();
            let work = move || {
                watch.resume();
                check_all(pieces)
            };
            // Where the system has no thread to give, this one does the work.
            thread::Builder::new().spawn_scoped(scope, work).map_err(|_| check_all(pieces))
        };
        let threads: Vec<_> = batch.chunks(batch.len().div_ceil(jobs)).map(start).collect();
        let outcome = |thread: ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        threads.into_iter().flat_map(|thread| thread.map_or_else(|checked| checked, outcome)).collect()
    })
}

/// Checks the value of a text against a type. The text is read with locations only if something is wrong.
pub fn check_text(format: Format, source: &Arc<Source>, type_: &Type) -> Checked {
    quick_check(format, source.text(), type_).unwrap_or_else(|| check_with_locations(format, source, type_))
}

/// The outcome for a text in JSON that is a value of the type, with nothing wrong.
fn quick_check(format: Format, text: &str, type_: &Type) -> Option<Checked> {
    let value = if format == Format::Json { data::json_value(text)? } else { return None };
    type_.has_instance(&value).then(|| Checked { compared: 1, ..Checked::default() })
}

fn check_with_locations(format: Format, source: &Arc<Source>, type_: &Type) -> Checked {
    data::read(format, source).map_or_else(Checked::unreadable, |document| against(&document, type_))
}

fn check_piece(name: &str, piece: &Piece, format: Format, type_: &Type, is_element: bool) -> Checked {
    if let Some(fine) = quick_check(format, &piece.text, type_) {
        return fine;
    }
    let mut checked = check_with_locations(format, &piece.source(name), type_);
    for finding in checked.findings.iter_mut().filter(|_| is_element) {
        if let Some(mismatch) = &mut finding.mismatch {
            mismatch.path.insert(0, Step::Element(piece.number));
            finding.error = finding.error.clone().reworded(super::message(mismatch));
        }
    }
    checked
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Inside,
    Ended,
}

struct Reader<'r> {
    input: &'r mut dyn BufRead,
    name: &'r str,
    pieces: Pieces,
    line: usize,
    column: usize,
    count: usize,
    state: State,
    /// The rest of a line that was read too far.
    rest: String,
    /// The end of what was read of the current line.
    read: Vec<u8>,
}

impl Reader<'_> {
    fn next(&mut self) -> io::Result<Option<Piece>> {
        match self.pieces {
            Pieces::Lines => self.next_line(),
            Pieces::Documents => self.next_document(),
            Pieces::Elements => self.next_element(),
        }
    }

    fn wrong(&self, message: &str) -> io::Error {
        self.stop(Error::new(SYNTAX_ERROR, message))
    }

    fn stop(&self, error: Error) -> io::Error {
        let source = Source::part(self.name, "", self.line, self.column);
        io::Error::other(error.at(Span::default()).in_source(&source))
    }

    /// Reads a line with its end; none at the end of the input. Of its piece so many bytes are there already.
    fn line(&mut self, before: usize) -> io::Result<Option<String>> {
        let most = limits::length_of(Limit::Source).saturating_sub(before);
        let mut bytes = Vec::new();
        (&mut self.input).take(most.saturating_add(1) as u64).read_until(b'\n', &mut bytes)?;
        if bytes.len() > most {
            return Err(self.stop(LimitError::Source.into()));
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        String::from_utf8(bytes).map(Some).map_err(|_| self.wrong("this line is not valid UTF-8"))
    }

    fn next_line(&mut self) -> io::Result<Option<Piece>> {
        while let Some(text) = self.line(0)? {
            if !text.trim().is_empty() {
                return Ok(Some(Piece { text, lines_before: self.line - 1, ..Piece::default() }));
            }
        }
        Ok(None)
    }

    fn next_document(&mut self) -> io::Result<Option<Piece>> {
        if self.state == State::Ended {
            return Ok(None);
        }
        // What follows the mark that ended the last document, whose line was counted.
        let mut text = std::mem::take(&mut self.rest);
        let lines_before = self.line - usize::from(!text.is_empty());
        while let Some(line) = self.line(text.len())? {
            let is_mark = line.trim_end() == "---" || line.starts_with("--- ");
            if !is_mark {
                text.push_str(&line);
                continue;
            }
            let has_content = text.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
            let rest = format!("   {}", line.strip_prefix("---").unwrap_or_default());
            self.count += 1;
            if has_content || self.count > 1 {
                self.rest = rest;
                return Ok(Some(Piece { text, lines_before, ..Piece::default() }));
            }
            text.push_str(&rest);
        }
        self.state = State::Ended;
        let is_there = !text.trim().is_empty() || self.count > 1;
        Ok(is_there.then(|| Piece { text, lines_before, ..Piece::default() }))
    }

    fn next_element(&mut self) -> io::Result<Option<Piece>> {
        match (self.state, self.peek()?) {
            (State::Start, Some(b'[')) => {
                self.skip(1)?;
                self.state = State::Inside;
                return self.next_element();
            }
            (State::Start, _) => return Err(self.wrong("expected an array")),
            (State::Inside, Some(b']')) if self.count == 0 => {
                self.skip(1)?;
                self.state = State::Ended;
                return self.next_element();
            }
            (State::Inside, None) => return Err(self.wrong("unexpected end of input: expected an element or ]")),
            (State::Inside, Some(_)) => {}
            (State::Ended, Some(_)) => return Err(self.wrong("unexpected text behind the array")),
            (State::Ended, None) => return Ok(None),
        }
        let (lines_before, columns_before) = (self.line, self.column);
        let before = self.read.rsplit(|byte| !byte.is_ascii()).next().unwrap_or_default();
        let before = String::from_utf8_lossy(before).into_owned();
        let mut bytes = Vec::new();
        let end = self.element(&mut bytes)?;
        if bytes.len() > limits::length_of(Limit::Source) {
            return Err(self.stop(LimitError::Source.into()));
        }
        // What is wrong with an element without an end is found when it is read.
        if end != Some(b',') {
            self.state = State::Ended;
        }
        if end.is_none() && data::read(Format::Json, &Source::new(self.name, String::from_utf8_lossy(&bytes))).is_ok() {
            return Err(self.wrong("unexpected end of input: expected , or ]"));
        }
        let number = self.count;
        self.count += 1;
        let after = if end.is_some() { self.following()? } else { String::new() };
        let text = String::from_utf8(bytes).map_err(|_| self.wrong("an element is not valid UTF-8"))?;
        Ok(Some(Piece { text, number, lines_before, columns_before, before, after }))
    }

    fn peek(&mut self) -> io::Result<Option<u8>> {
        loop {
            let buffer = self.input.fill_buf()?;
            match buffer.first().copied() {
                None => return Ok(None),
                Some(byte) if byte.is_ascii_whitespace() => self.skip(1)?,
                Some(byte) => return Ok(Some(byte)),
            }
        }
    }

    /// Consumes so many bytes, of which the buffer has enough.
    fn skip(&mut self, count: usize) -> io::Result<()> {
        let part = self.input.fill_buf()?;
        let part = part.get(..count).unwrap_or(part);
        let line = part.iter().rposition(|byte| *byte == b'\n').and_then(|last| part.get(last + 1..));
        if line.is_some() {
            self.line += memchr_iter(b'\n', part).count();
            self.column = 0;
            self.read.clear();
        }
        let line = line.unwrap_or(part);
        // The bytes that continue a character are not counted.
        self.column += line.iter().filter(|byte| *byte & 0xc0 != 0x80).count();
        self.read.extend_from_slice(line.get(line.len().saturating_sub(SURROUNDINGS)..).unwrap_or(line));
        self.read.drain(..self.read.len().saturating_sub(SURROUNDINGS));
        self.input.consume(count);
        Ok(())
    }

    /// The start of the text after an element on its line, as far as it was read ahead; it begins with the separator.
    fn following(&mut self) -> io::Result<String> {
        let separator = self.read.last().copied().unwrap_or(b' ');
        let ahead = self.input.fill_buf()?;
        let line = ahead.split(|byte| *byte == b'\n' || !byte.is_ascii()).next().unwrap_or_default();
        let line = line.get(..SURROUNDINGS).unwrap_or(line);
        Ok(String::from_utf8_lossy(&[&[separator], line].concat()).into_owned())
    }

    /// Reads up to the comma or bracket after an element, which is returned separately; `None` at the end of the
    /// input.
    fn element(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<u8>> {
        let (mut depth, mut in_string, mut is_escaped) = (0_usize, false, false);
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                return Ok(None);
            }
            let end = buffer.iter().position(|byte| {
                match byte {
                    _ if is_escaped => is_escaped = false,
                    b'\\' if in_string => is_escaped = true,
                    b'"' => in_string = !in_string,
                    _ if in_string => {}
                    b'[' | b'{' => depth += 1,
                    b']' | b',' if depth == 0 => return true,
                    b']' | b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                false
            });
            let part = buffer.get(..end.unwrap_or(buffer.len())).unwrap_or_default();
            let (taken, byte) = (part.len(), buffer.get(part.len()).copied());
            bytes.extend_from_slice(part);
            if bytes.len() > limits::length_of(Limit::Source) {
                return Ok(None);
            }
            self.skip(taken + usize::from(end.is_some()))?;
            if end.is_some() {
                return Ok(byte);
            }
        }
    }
}

/// The element type and the size of a type that is an Array.
#[doc(hidden)] // for the program
pub fn element_type(type_: &Type) -> Option<(Type, i64, i64)> {
    match &*type_.behind_aliases() {
        Type::Array(array) => Some((array.element().clone(), array.size().from(), array.size().to())),
        _ => None,
    }
}

impl Checked {
    /// The finding for an array of a length that the type does not allow, if so.
    #[doc(hidden)] // for the program
    pub fn of_size(name: &str, count: usize, least: i64, most: i64) -> Option<Checked> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        if (least..=most).contains(&count) {
            return None;
        }
        let expected = if count < least { format!("at least {least}") } else { format!("at most {most}") };
        let source = Source::new(name, "");
        let message = format!("expected {expected} elements, got {count}");
        let error = Error::new(super::TYPE_MISMATCH, message).at(Span::default()).in_source(&source);
        Some(Checked { findings: vec![Finding::error(error)], compared: 1, ..Checked::default() })
    }
}
