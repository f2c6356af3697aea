//! Checks long input piece by piece: each line of JSON Lines, or each document of a YAML stream. Only a batch of pieces
//! is in memory at a time.

use std::io::{self, BufRead, Read};
use std::thread::{self, ScopedJoinHandle};
use std::{panic::resume_unwind, sync::Arc};

use super::{Checked, against};
use crate::data::{self, Format};
use crate::error::Error;
use crate::interrupt;
use crate::limits::{self, Limit};
use crate::text::{Source, Span};
use crate::types::Type;

/// How the input is divided into pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// Each line is a JSON value.
    Lines,
    /// Each piece is a YAML document; `---` separates the documents.
    Documents,
}

struct Piece {
    text: String,
    lines_before: usize,
}

const BATCH_BYTES: usize = 1 << 18;

/// Checks each piece of the input against a type, in order, on up to `jobs` threads. Calls `each` with the number of
/// lines before the piece and the result.
///
/// ```
/// use pcore::check::{PieceKind, check_pieces};
/// let port: pcore::types::Type = "Integer[1, 65535]".parse()?;
/// let mut fine = Vec::new();
/// let mut each = |line: usize, checked: pcore::check::Checked| {
///     fine.push((line, checked.has_no_errors()));
///     Ok(())
/// };
/// check_pieces(&mut "80\n0\n".as_bytes(), "ports.jsonl", PieceKind::Lines, &port, 1, &mut each).expect("memory is readable");
/// assert_eq!(fine, [(0, true), (1, false)]);
/// # Ok::<(), pcore::error::Error>(())
/// ```
///
/// # Errors
/// The input cannot be read, or `each` failed.
pub fn check_pieces(
    input: &mut dyn BufRead,
    name: &str,
    pieces: PieceKind,
    type_: &Type,
    jobs: usize,
    each: &mut dyn FnMut(usize, Checked) -> io::Result<()>,
) -> io::Result<()> {
    let mut reader = PieceReader {
        input,
        source_name: name,
        piece_kind: pieces,
        lines_read: 0,
        separator_count: 0,
        is_ended: false,
        rest_of_line: String::new(),
    };
    let format = if pieces == PieceKind::Documents { Format::Yaml } else { Format::Json };
    let check = |piece: &Piece| {
        check_data_source(format, &Source::with_offset(name, &*piece.text, piece.lines_before, 0), type_)
    };
    loop {
        let (mut batch, mut bytes, mut next) = (Vec::new(), 0, reader.next_piece());
        while let Ok(Some(piece)) = next {
            bytes += piece.text.len();
            batch.push(piece);
            next = if bytes < BATCH_BYTES { reader.next_piece() } else { Ok(None) };
        }
        for (piece, checked) in batch.iter().zip(check_in_parallel(&batch, jobs, &check)) {
            each(piece.lines_before, checked)?;
        }
        match next {
            // An error of ours is about the text, any other about its reading.
            Err(error) => return each(reader.lines_read, Checked::from_read_error(error.downcast::<Error>()?)),
            Ok(_) if bytes < BATCH_BYTES => return Ok(()),
            Ok(_) => {}
        }
    }
}

fn check_in_parallel(batch: &[Piece], jobs: usize, check: &(impl Fn(&Piece) -> Checked + Sync)) -> Vec<Checked> {
    let check_all = |pieces: &[Piece]| pieces.iter().map(check).collect::<Vec<_>>();
    if jobs <= 1 || batch.len() < 2 * jobs {
        return check_all(batch);
    }
    thread::scope(|scope| {
        let start = |pieces| {
            let restore_interrupt_state = interrupt::capture_thread_state();
            let work = move || {
                restore_interrupt_state();
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

/// Parses `source` as data in `format` and checks its value against a type.
pub fn check_data_source(format: Format, source: &Arc<Source>, type_: &Type) -> Checked {
    data::read(format, source).map_or_else(Checked::from_read_error, |document| against(&document, type_))
}

struct PieceReader<'r> {
    input: &'r mut dyn BufRead,
    source_name: &'r str,
    piece_kind: PieceKind,
    lines_read: usize,
    separator_count: usize,
    is_ended: bool,
    /// The rest of the line with the last `---`, which belongs to the next document.
    rest_of_line: String,
}

impl PieceReader<'_> {
    fn error_at_current_line(&self, error: Error) -> io::Error {
        let source = Source::with_offset(self.source_name, "", self.lines_read, 0);
        io::Error::other(error.at(Span::default()).in_source(&source))
    }

    /// Reads a line with its line break, or `None` at the end. Fails if the piece, `before` bytes so far, is too long.
    fn read_line(&mut self, before: usize) -> io::Result<Option<String>> {
        let most = limits::current_limit_as_usize(Limit::Source).saturating_sub(before);
        let mut bytes = Vec::new();
        (&mut self.input).take(most.saturating_add(1) as u64).read_until(b'\n', &mut bytes)?;
        if bytes.len() > most {
            return Err(self.error_at_current_line(limits::limit_error(Limit::Source)));
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        self.lines_read += 1;
        let wrong = || self.error_at_current_line(Error::new("SYNTAX_ERROR", "this line is not valid UTF-8"));
        String::from_utf8(bytes).map(Some).map_err(|_| wrong())
    }

    fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        if self.is_ended {
            return Ok(None);
        }
        // What follows the mark that ended the last document, whose line was counted.
        let mut text = std::mem::take(&mut self.rest_of_line);
        let lines_before = self.lines_read - usize::from(!text.is_empty());
        while let Some(line) = self.read_line(text.len())? {
            match self.piece_kind {
                PieceKind::Lines if line.trim().is_empty() => continue,
                PieceKind::Lines => return Ok(Some(Piece { text: line, lines_before: self.lines_read - 1 })),
                PieceKind::Documents => {}
            }
            if line.trim_end() != "---" && !line.starts_with("--- ") {
                text.push_str(&line);
                continue;
            }
            let has_content = text.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
            let rest = format!("   {}", line.strip_prefix("---").unwrap_or_default());
            self.separator_count += 1;
            if has_content || self.separator_count > 1 {
                self.rest_of_line = rest;
                return Ok(Some(Piece { text, lines_before }));
            }
            text.push_str(&rest);
        }
        self.is_ended = true;
        Ok((!text.trim().is_empty() || self.separator_count > 1).then_some(Piece { text, lines_before }))
    }
}
