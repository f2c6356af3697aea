//! Limits on what a program may use up, and the error for exceeding them.
//!
//! The table holds every limit with its default; `--limit`, `:set` and
//! [`Session::builder`](crate::session::Session::builder) read it. The limits of a session are in force on the thread that
//! works for it, so that whatever grows with the user's data can be checked anywhere.

#![expect(clippy::indexing_slicing, reason = "the limits are those of the table")]

use std::cell::Cell;
use std::fmt::{self, Write};

use ecow::EcoVec;

use crate::error::{Error, LIMIT, Result};
use crate::interrupt::{self, Cancelled, Interrupt};

/// A row of the table.
#[derive(Debug)]
pub struct Row {
    /// What is limited.
    pub limit: Limit,
    /// `elements`
    pub name: &'static str,
    /// One line, lower case, no full stop.
    pub summary: &'static str,
    /// The default value, in the unit of the limit.
    pub default: u64,
    unit: Unit,
}

#[derive(Debug)]
enum Unit {
    /// `10000000 elements`
    Count(&'static str),
    /// `64 MiB`
    Bytes,
    /// `5000 ms`
    Milliseconds,
}

const MIB: u64 = 1 << 20;

/// The longest regular expression, in bytes: the tree and the program of one take hundreds of times its length.
pub(crate) const MAX_PATTERN_BYTES: usize = 128 << 10;

/// The limits and their table, a row for each: `Name "name" "summary" default, unit;`.
macro_rules! limits {
    ($($limit:ident $name:literal $summary:literal $default:expr, $unit:expr;)+) => {
        /// What can be limited.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum Limit {
            $(#[doc = $summary] $limit,)+
        }

        /// Every limit, in the order of [`Limit`].
        pub static TABLE: [Row; COUNT] = [$(
            Row { limit: Limit::$limit, name: $name, summary: $summary, default: $default, unit: $unit },
        )+];

        const COUNT: usize = [$(Limit::$limit),+].len();
    };
}

// Memory and time are watched over by `pcore`, not by the library.
limits! {
    Elements "elements" "elements of an array, entries of a hash" 10_000_000, Unit::Count("elements");
    String "string" "bytes of a string that a program makes, and of a file that it reads" 64 * MIB, Unit::Bytes;
    Output "output" "bytes of everything that a request returns: notices, messages, values" 128 * MIB, Unit::Bytes;
    Source "source" "bytes of a program, a data file, or a line of `pcore batch`" 256 * MIB, Unit::Bytes;
    Memory "memory" "memory an evaluation may add to the process" 768 * MIB, Unit::Bytes;
    Time "time" "milliseconds for a batch request; 40000 for `pcore check` and an entry of `pcore test`, no limit for programs"
        5_000, Unit::Milliseconds;
    Steps "steps" "approximate number of elements visited" u64::MAX, Unit::Count("steps");
}

impl Row {
    /// A quantity in the unit of this limit: `64 MiB`.
    pub fn describe(&self, quantity: u64) -> String {
        match self.unit {
            Unit::Count(unit) => format!("{quantity} {unit}"),
            Unit::Bytes if quantity.is_multiple_of(MIB) => format!("{} MiB", quantity / MIB),
            Unit::Bytes => format!("{quantity} bytes"),
            Unit::Milliseconds if quantity == 1000 => "1 second".to_owned(),
            Unit::Milliseconds if quantity.is_multiple_of(1000) => format!("{} seconds", quantity / 1000),
            Unit::Milliseconds => format!("{quantity} ms"),
        }
    }
}

impl Limit {
    /// The row of this limit.
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// Parses the number of a limit: `1000`, `64M`.
#[doc(hidden)] // for the program
pub fn number(written: &str) -> Option<u64> {
    let shift = match written.as_bytes().last()? {
        b'K' => 10,
        b'M' => 20,
        b'G' => 30,
        _ => 0,
    };
    let digits = if shift == 0 { written } else { written.get(..written.len() - 1)? };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// The limits of a session.
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
    /// Sets one limit.
    #[must_use]
    pub fn with(mut self, limit: Limit, most: u64) -> Limits {
        self.0[limit as usize] = most;
        self
    }

    /// The value of one limit.
    pub fn of(&self, limit: Limit) -> u64 {
        self.0[limit as usize]
    }

    /// The value of one limit as a `usize`.
    pub fn length_of(&self, limit: Limit) -> usize {
        usize::try_from(self.of(limit)).unwrap_or(usize::MAX)
    }

    /// Puts these limits in force on this thread outside of sessions: for reading files.
    #[doc(hidden)] // for the program
    pub fn enforce(self) {
        IN_FORCE.set(self);
    }

    /// Runs `work` with these limits in force, until it ends or the interrupt is raised.
    pub(crate) fn guard<R>(&self, interrupt: &Interrupt, work: impl FnOnce() -> R) -> Result<R, Cancelled> {
        let outer = (IN_FORCE.replace(*self), OUTPUT.replace(0));
        let outcome = interrupt.guard_steps(self.of(Limit::Steps), work);
        IN_FORCE.set(outer.0);
        OUTPUT.set(outer.1);
        outcome
    }
}

/// Runs `work` without limits and interrupts: it makes a constant that later evaluations share.
pub(crate) fn unlimited<R>(work: impl FnOnce() -> R) -> R {
    let outer = IN_FORCE.replace(Limits::default());
    let made = interrupt::unguarded(work);
    IN_FORCE.set(outer);
    made
}

thread_local! {
    static IN_FORCE: Cell<Limits> = Cell::new(Limits::default());
    /// The bytes of output since the work began.
    static OUTPUT: Cell<u64> = const { Cell::new(0) };
}

/// The limits of work on a thread, its output so far and its guard, to be continued on another thread.
#[derive(Debug)]
pub(crate) struct State(Limits, u64, interrupt::State);

impl State {
    pub(crate) fn current() -> State {
        State(IN_FORCE.get(), OUTPUT.get(), interrupt::State::current())
    }

    pub(crate) fn resume(self) {
        IN_FORCE.set(self.0);
        OUTPUT.set(self.1);
        self.2.resume();
    }
}

/// The value of a limit that is in force on this thread.
#[doc(hidden)] // for the program
pub fn of(limit: Limit) -> u64 {
    IN_FORCE.with(|limits| limits.get().of(limit))
}

/// The value of one limit as a `usize`.
#[doc(hidden)] // for the program
pub fn length_of(limit: Limit) -> usize {
    IN_FORCE.with(|limits| limits.get().length_of(limit))
}

/// The error for what is beyond a limit.
#[doc(hidden)] // for the program
pub fn exceeded(limit: Limit) -> Error {
    let most = limit.row().describe(of(limit));
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

pub(crate) fn check_elements(count: usize) -> Result<()> {
    if count > length_of(Limit::Elements) { Err(exceeded(Limit::Elements)) } else { Ok(()) }
}

/// Rejects a string that is longer than allowed before it is made.
pub(crate) fn check_string_bytes(bytes: usize) -> Result<()> {
    if bytes > length_of(Limit::String) { Err(exceeded(Limit::String)) } else { Ok(()) }
}

pub(crate) fn too_long(_: fmt::Error) -> Error {
    exceeded(Limit::String)
}

/// Counts the output of a program, and cancels the program beyond the limit.
pub(crate) fn count_output(bytes: usize) {
    let said = OUTPUT.get().saturating_add(bytes as u64);
    OUTPUT.set(said);
    if said > of(Limit::Output) {
        interrupt::cancel(&format!("returned more than {}", Limit::Output.row().describe(of(Limit::Output))));
    }
}

/// A vector that grows in a loop, up to the limit on elements.
pub(crate) struct BoundedVec<T> {
    elements: EcoVec<T>,
    most: usize,
}

impl<T> Default for BoundedVec<T> {
    fn default() -> BoundedVec<T> {
        BoundedVec { elements: EcoVec::new(), most: length_of(Limit::Elements) }
    }
}

impl<T: Clone> BoundedVec<T> {
    #[inline]
    pub(crate) fn push(&mut self, element: T) -> Result<()> {
        if self.elements.len() >= self.most {
            return Err(exceeded(Limit::Elements));
        }
        self.elements.push(element);
        Ok(())
    }

    pub(crate) fn into_elements(self) -> EcoVec<T> {
        self.elements
    }

    pub(crate) fn into_vec(self) -> Vec<T> {
        self.elements.into_iter().collect()
    }

    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }
}

/// The one way to make a string of values: it grows up to the limit on strings, and looks at the interrupt as it does. A
/// value may share its parts: forty arrays of two elements, each twice the one before, print as 2⁴⁰ elements.
///
/// A `fmt::Error` from it always means that [`Limit::String`] is reached.
pub(crate) struct BoundedString {
    text: String,
    most: usize,
}

impl Default for BoundedString {
    fn default() -> BoundedString {
        BoundedString::of_at_most(length_of(Limit::String))
    }
}

impl BoundedString {
    /// The initial capacity, enough for most strings.
    pub(crate) const USUAL_BYTES: usize = 64;

    /// A string with another limit, which keeps what fits.
    pub(crate) fn of_at_most(bytes: usize) -> BoundedString {
        BoundedString { text: String::with_capacity(BoundedString::USUAL_BYTES), most: bytes }
    }

    #[inline]
    pub(crate) fn push_str(&mut self, piece: &str) -> Result<()> {
        self.write_str(piece).map_err(too_long)
    }

    pub(crate) fn fill(&mut self, character: char, count: usize) -> Result<()> {
        let bytes = count.saturating_mul(character.len_utf8());
        if bytes > self.room() {
            return Err(too_long(fmt::Error));
        }
        interrupt::step_over_bytes(bytes);
        self.text.extend(std::iter::repeat_n(character, count));
        Ok(())
    }

    pub(crate) fn written(mut self, write: impl FnOnce(&mut BoundedString) -> fmt::Result) -> Result<String> {
        write(&mut self).map_err(too_long)?;
        Ok(self.text)
    }

    pub(crate) fn into_string(self) -> String {
        self.text
    }

    fn room(&self) -> usize {
        self.most.saturating_sub(self.text.len())
    }

    fn write_beginning(&mut self, piece: &str) -> fmt::Result {
        let end = piece.floor_char_boundary(self.room());
        self.text.push_str(&piece[..end]);
        Err(fmt::Error)
    }
}

impl fmt::Write for BoundedString {
    #[inline]
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        interrupt::step_over_bytes(piece.len());
        if piece.len() > self.room() {
            return self.write_beginning(piece);
        }
        self.text.push_str(piece);
        Ok(())
    }
}
