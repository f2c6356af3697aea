//! Limits on the resources that a program may use, and the errors for exceeding them.
//!
//! The table contains every limit with its default; `--limit`, `:set` and
//! [`Session::builder`](crate::session::Session::builder) use it. The limits of a session apply to the thread that runs
//! its programs, so code that handles the user's data can check them anywhere.

#![expect(clippy::indexing_slicing, reason = "the limits are those of the table")]

use std::cell::Cell;
use std::fmt::{self, Write};

use ecow::EcoVec;

use crate::error::{Error, LIMIT, Result};
use crate::interrupt::{self, Interrupt};

/// A row of [`TABLE`]: a limit with its name, description, default and unit.
#[derive(Debug)]
pub struct Row {
    /// The limit that this row describes.
    pub limit: Limit,
    /// The name in options and settings, such as `elements`.
    pub name: &'static str,
    /// A description in one line, in lower case and without a full stop.
    pub summary: &'static str,
    /// The default value, in the unit of the limit.
    pub default: u64,
    unit: LimitUnit,
}

#[derive(Debug)]
enum LimitUnit {
    /// A count with its noun: `10000000 elements`
    Count(&'static str),
    Bytes,
    Milliseconds,
}

const MIB: u64 = 1 << 20;

/// The maximum length of a regular expression in bytes. Longer ones are rejected: compiled, they take too much memory.
pub(crate) const MAX_PATTERN_BYTES: usize = 128 << 10;

/// Generates `Limit` and `TABLE` from a row for each limit: `Name "name" "summary" default, unit;`.
macro_rules! limits {
    ($($limit:ident $name:literal $summary:literal $default:expr, $unit:expr;)+) => {
        /// A resource that is limited.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Limit {
            $(#[doc = $summary] $limit,)+
        }

        /// All limits, in the order of [`Limit`].
        pub static TABLE: [Row; COUNT] = [$(
            Row { limit: Limit::$limit, name: $name, summary: $summary, default: $default, unit: $unit },
        )+];

        const COUNT: usize = [$(Limit::$limit),+].len();
    };
}

// Memory and time are watched over by `pcore`, not by the library.
limits! {
    Elements "elements" "elements of an array, entries of a hash" 10_000_000, LimitUnit::Count("elements");
    String "string" "bytes of a string that a program makes, and of a file that it reads" 64 * MIB, LimitUnit::Bytes;
    Output "output" "bytes of everything that a request returns: notices, messages, values" 128 * MIB, LimitUnit::Bytes;
    Source "source" "bytes of a program, a data file, or a line of `pcore batch`" 256 * MIB, LimitUnit::Bytes;
    Memory "memory" "memory an evaluation may add to the process" 768 * MIB, LimitUnit::Bytes;
    Time "time" "milliseconds for a batch request; 40000 for `pcore check` and an entry of `pcore test`, no limit for programs"
        5_000, LimitUnit::Milliseconds;
    Steps "steps" "approximate number of elements visited" u64::MAX, LimitUnit::Count("steps");
}

impl Row {
    /// Formats a quantity in the unit of this limit: `64 MiB`.
    pub fn format_quantity(&self, quantity: u64) -> String {
        match self.unit {
            LimitUnit::Count(unit) => format!("{quantity} {unit}"),
            LimitUnit::Bytes if quantity.is_multiple_of(MIB) => format!("{} MiB", quantity / MIB),
            LimitUnit::Bytes => format!("{quantity} bytes"),
            LimitUnit::Milliseconds if quantity == 1000 => "1 second".to_owned(),
            LimitUnit::Milliseconds if quantity.is_multiple_of(1000) => format!("{} seconds", quantity / 1000),
            LimitUnit::Milliseconds => format!("{quantity} ms"),
        }
    }
}

impl Limit {
    /// Returns the row of this limit in [`TABLE`].
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// Parses the value of a limit, such as `1000` or `64M`; `None` if it is invalid.
#[doc(hidden)] // for the program
pub fn parse_quantity(written: &str) -> Option<u64> {
    let shift = match written.as_bytes().last()? {
        b'K' => 10,
        b'M' => 20,
        b'G' => 30,
        _ => 0,
    };
    let digits = if shift == 0 { written } else { written.get(..written.len() - 1)? };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// The values of all limits of a session.
///
/// ```
/// use pcore::limits::{Limit, Limits};
/// use pcore::session::Session;
///
/// let limits = Limits::default().with(Limit::Elements, 1000);
/// let mut session = Session::builder().limits(limits).build();
/// assert_eq!(session.eval("Array(Integer[1, 1000]).length")?, 1000.into());
/// assert_eq!(session.eval("Array(Integer[1, 1001])").unwrap_err().code(), "LIMIT");
/// # Ok::<(), pcore::error::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits([u64; COUNT]);

impl Default for Limits {
    fn default() -> Limits {
        Limits(TABLE.each_ref().map(|row| row.default))
    }
}

impl Limits {
    /// Returns these limits with `limit` set to `most`.
    #[must_use]
    pub fn with(mut self, limit: Limit, most: u64) -> Limits {
        self.0[limit as usize] = most;
        self
    }

    /// Returns the value of one limit.
    pub fn get(&self, limit: Limit) -> u64 {
        self.0[limit as usize]
    }

    /// Returns the value of one limit as a `usize`.
    pub fn get_as_usize(&self, limit: Limit) -> usize {
        usize::try_from(self.get(limit)).unwrap_or(usize::MAX)
    }

    /// Sets the limits of the current thread for code outside of sessions, such as reading files.
    #[doc(hidden)] // for the program
    pub fn apply_to_thread(self) {
        CURRENT_LIMITS.set((self, 0));
    }

    pub(crate) fn run_within<R>(&self, interrupt: &Interrupt, work: impl FnOnce() -> R) -> Result<R> {
        let outer = CURRENT_LIMITS.replace((*self, 0));
        let outcome = interrupt.run_with_step_limit(self.get(Limit::Steps), work);
        CURRENT_LIMITS.set(outer);
        outcome
    }
}

/// Runs `work` with the default limits and no interrupt, to compute a constant that later evaluations share.
pub(crate) fn run_with_default_limits<R>(work: impl FnOnce() -> R) -> R {
    let outer = CURRENT_LIMITS.replace((Limits::default(), 0));
    let made = interrupt::run_uninterruptible(work);
    CURRENT_LIMITS.set(outer);
    made
}

thread_local! {
    /// The limits of the current work, and the bytes of output that it has written.
    static CURRENT_LIMITS: Cell<(Limits, u64)> = Cell::new((Limits::default(), 0));
}

/// Captures the limits, the size of the output and the interrupt state of this thread; the result sets those of the
/// thread that calls it, which continues the work.
pub(crate) fn capture_thread_state() -> impl FnOnce() + Send {
    let (limits, restore_interrupt_state) = (CURRENT_LIMITS.get(), interrupt::capture_thread_state());
    move || {
        CURRENT_LIMITS.set(limits);
        restore_interrupt_state();
    }
}

/// Returns the value of a limit on the current thread.
#[doc(hidden)] // for the program
pub fn current_limit(limit: Limit) -> u64 {
    CURRENT_LIMITS.with(|current| current.get().0.get(limit))
}

/// Returns the value of a limit on the current thread as a `usize`.
#[doc(hidden)] // for the program
pub fn current_limit_as_usize(limit: Limit) -> usize {
    CURRENT_LIMITS.with(|current| current.get().0.get_as_usize(limit))
}

/// Returns the error for exceeding `limit`, with its value on the current thread.
#[doc(hidden)] // for the program
pub fn limit_error(limit: Limit) -> Error {
    let most = limit.row().format_quantity(current_limit(limit));
    let (message, help) = match limit {
        Limit::Elements => {
            ("a collection grew beyond", "reduce the number of elements: use filter, slice or break() earlier")
        }
        Limit::String => ("a string grew beyond", ""),
        Limit::Output => ("the output grew beyond", ""),
        Limit::Source => ("the input is longer than", ""),
        Limit::Time => {
            let help = "this file was not checked; `--limit time=MILLISECONDS` sets the time for all files";
            ("the check took longer than", help)
        }
        Limit::Memory | Limit::Steps => ("the evaluation took more than", ""),
    };
    let error = Error::new(LIMIT, format!("{message} {most}"));
    if help.is_empty() { error } else { error.with_help(help) }
}

pub(crate) fn check_element_count(count: usize) -> Result<()> {
    if count > current_limit_as_usize(Limit::Elements) { Err(limit_error(Limit::Elements)) } else { Ok(()) }
}

/// Returns an error if a string of `bytes` bytes exceeds [`Limit::String`]; to be called before the string is made.
pub(crate) fn check_string_bytes(bytes: usize) -> Result<()> {
    if bytes > current_limit_as_usize(Limit::String) { Err(limit_error(Limit::String)) } else { Ok(()) }
}

pub(crate) fn string_limit_error(_: fmt::Error) -> Error {
    limit_error(Limit::String)
}

/// Adds `bytes` to the size of the program's output, and cancels the program if it exceeds the limit on output.
pub(crate) fn count_output_bytes(bytes: usize) {
    let (limits, before) = CURRENT_LIMITS.get();
    let (said, most) = (before.saturating_add(bytes as u64), limits.get(Limit::Output));
    CURRENT_LIMITS.set((limits, said));
    if said > most {
        interrupt::cancel_current_work(&format!("returned more than {}", Limit::Output.row().format_quantity(most)));
    }
}

pub(crate) struct BoundedVec<T> {
    elements: EcoVec<T>,
    max_elements: usize,
}

impl<T> Default for BoundedVec<T> {
    fn default() -> BoundedVec<T> {
        BoundedVec { elements: EcoVec::new(), max_elements: current_limit_as_usize(Limit::Elements) }
    }
}

impl<T: Clone> BoundedVec<T> {
    #[inline]
    pub(crate) fn push(&mut self, element: T) -> Result<()> {
        if self.elements.len() >= self.max_elements {
            return Err(limit_error(Limit::Elements));
        }
        self.elements.push(element);
        Ok(())
    }

    pub(crate) fn into_eco_vec(self) -> EcoVec<T> {
        self.elements
    }

    pub(crate) fn into_vec(self) -> Vec<T> {
        self.elements.into_iter().collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }
}

/// A string that cannot grow beyond a limit; writing to it can be interrupted. Required for all strings that are made
/// from values: forty arrays, each with the previous one twice, print as 2⁴⁰ elements.
///
/// Writing returns a `fmt::Error` only if the limit, by default [`Limit::String`], is reached.
pub(crate) struct BoundedString {
    text: String,
    max_bytes: usize,
}

impl Default for BoundedString {
    fn default() -> BoundedString {
        BoundedString::with_max_bytes(current_limit_as_usize(Limit::String))
    }
}

impl BoundedString {
    /// The initial capacity in bytes, which is enough for most strings.
    pub(crate) const INITIAL_CAPACITY_BYTES: usize = 64;

    /// Creates an empty string that keeps at most `bytes` bytes: a write beyond them adds what fits, and fails.
    pub(crate) fn with_max_bytes(bytes: usize) -> BoundedString {
        BoundedString { text: String::with_capacity(BoundedString::INITIAL_CAPACITY_BYTES), max_bytes: bytes }
    }

    #[inline]
    pub(crate) fn push_str(&mut self, piece: &str) -> Result<()> {
        self.write_str(piece).map_err(string_limit_error)
    }

    pub(crate) fn push_repeated(&mut self, character: char, count: usize) -> Result<()> {
        let bytes = count.saturating_mul(character.len_utf8());
        if bytes > self.remaining_bytes() {
            return Err(string_limit_error(fmt::Error));
        }
        interrupt::take_steps_for_bytes(bytes);
        self.text.extend(std::iter::repeat_n(character, count));
        Ok(())
    }

    pub(crate) fn write_into_string(mut self, write: impl FnOnce(&mut BoundedString) -> fmt::Result) -> Result<String> {
        write(&mut self).map_err(string_limit_error)?;
        Ok(self.text)
    }

    pub(crate) fn into_string(self) -> String {
        self.text
    }

    fn remaining_bytes(&self) -> usize {
        self.max_bytes.saturating_sub(self.text.len())
    }

    fn write_fitting_part(&mut self, piece: &str) -> fmt::Result {
        let end = piece.floor_char_boundary(self.remaining_bytes());
        self.text.push_str(&piece[..end]);
        Err(fmt::Error)
    }
}

impl fmt::Write for BoundedString {
    #[inline]
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        interrupt::take_steps_for_bytes(piece.len());
        if piece.len() > self.remaining_bytes() {
            return self.write_fitting_part(piece);
        }
        self.text.push_str(piece);
        Ok(())
    }
}
