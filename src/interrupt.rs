//! Interrupting work from outside: somebody raises an [`Interrupt`], and the work that it watches ends.
//!
//! Most long-running operations cannot fail: a type comparison, an equality, building a string. So the way out is not a
//! `Result` in every signature but unwinding: [`Interrupt::watch`] runs the work, and catches what [`look`] and
//! [`step`] throw inside it. No panic is reported, and partial results are freed on the way. State that outlives the
//! work (variables, definitions) changes in single steps, or is repaired by the caller of `watch`.
//!
//! Each thread knows its interrupt; without one nothing is ever thrown.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, thread};

use crate::error::{Error, Kind, LIMIT};

/// The issue code of work that somebody stopped.
pub const INTERRUPTED: &str = "INTERRUPTED";

/// How many calls of [`step`] lie between two looks at the interrupt: microseconds to a millisecond.
const STEPS_BETWEEN_LOOKS: u64 = 256;

/// How many elements of a loop are counted before they are added to the steps of the thread.
const STEPS_COUNTED_APART: usize = 64;

thread_local! {
    static WATCHED_BY: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
    static STEPS: Cell<u64> = const { Cell::new(0) };
    /// The number of steps at which the next look is due.
    static NEXT_LOOK: Cell<u64> = const { Cell::new(STEPS_BETWEEN_LOOKS) };
    /// The number of steps at which the work ends.
    static LAST_STEP: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Ends an evaluation from outside: another thread, or the handler of Ctrl-C, raises it, and the evaluation stops with an
/// error. Cloning shares the flag.
///
/// ```
/// use std::{thread, time::Duration};
/// use pcore::{Session, session::Interrupt};
///
/// let interrupt = Interrupt::default();
/// let mut session = Session::builder().interrupt(interrupt.clone()).build();
/// thread::spawn(move || {
///     thread::sleep(Duration::from_millis(20));
///     interrupt.raise();
/// });
/// let endless = session.eval("Integer[0, 9223372036854775806].each |$n| { }");
/// assert_eq!(endless.unwrap_err().code(), "INTERRUPTED");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    is_raised: AtomicBool,
    /// What was exceeded, when it was not the user who asked.
    limit: Mutex<Option<Arc<str>>>,
}

/// Why work under a watch has no result: the user asked for its end (none), or it exceeded a limit, in words.
#[derive(Clone, Debug)]
pub(crate) struct Ended(Option<Arc<str>>);

impl Interrupt {
    /// Asks the evaluation to stop.
    pub fn raise(&self) {
        self.0.is_raised.store(true, Ordering::Relaxed);
    }

    /// Asks the evaluation to stop with the code `LIMIT` and this reason: `took longer than 5 seconds`.
    pub fn raise_limit(&self, limit: &str) {
        *self.0.limit.lock().unwrap_or_else(PoisonError::into_inner) = Some(limit.into());
        self.raise();
    }

    /// Withdraws the request, before the next evaluation.
    pub fn clear(&self) {
        *self.0.limit.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.0.is_raised.store(false, Ordering::Relaxed);
    }

    /// Whether the evaluation was asked to stop.
    pub fn is_raised(&self) -> bool {
        self.0.is_raised.load(Ordering::Relaxed)
    }

    /// The error with which evaluations end, if they were asked to stop: `INTERRUPTED` or `LIMIT`.
    pub fn error(&self) -> Option<Error> {
        self.is_raised().then(|| Ended(self.limit()).into())
    }

    /// The limit that was exceeded.
    fn limit(&self) -> Option<Arc<str>> {
        self.0.limit.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs `work`, which ends early when the interrupt is raised. An inner watch takes the place of an outer one.
    ///
    /// # Panics
    /// When `work` panics.
    pub(crate) fn watch<R>(&self, work: impl FnOnce() -> R) -> Result<R, Ended> {
        let outer = WATCHED_BY.replace(Some(self.clone()));
        let outcome = catch_unwind(AssertUnwindSafe(work));
        WATCHED_BY.set(outer);
        outcome.map_err(|thrown| match thrown.downcast::<Ended>() {
            Ok(ended) => *ended,
            Err(defect) => resume_unwind(defect),
        })
    }

    /// The same for work that ends after so many steps.
    pub(crate) fn watch_steps<R>(&self, most: u64, work: impl FnOnce() -> R) -> Result<R, Ended> {
        let outer = LAST_STEP.replace(STEPS.get().saturating_add(most));
        let outcome = self.watch(work);
        LAST_STEP.set(outer);
        outcome
    }

    /// What watches this thread.
    fn current() -> Option<Interrupt> {
        WATCHED_BY.with_borrow(Clone::clone)
    }
}

/// Runs `work`, which nothing ends.
pub(crate) fn unwatched<R>(work: impl FnOnce() -> R) -> R {
    let (watch, last_step) = (WATCHED_BY.take(), LAST_STEP.replace(u64::MAX));
    let result = work();
    WATCHED_BY.set(watch);
    LAST_STEP.set(last_step);
    result
}

/// What watches over a thread, and how far it got: for a thread that goes on with its work.
#[derive(Debug)]
pub(crate) struct State {
    watch: Option<Interrupt>,
    steps: u64,
    last_step: u64,
}

impl State {
    pub(crate) fn current() -> State {
        State { watch: Interrupt::current(), steps: STEPS.get(), last_step: LAST_STEP.get() }
    }

    /// Makes it that of this thread.
    pub(crate) fn resume(self) {
        WATCHED_BY.set(self.watch);
        STEPS.set(self.steps);
        NEXT_LOOK.set(self.steps);
        LAST_STEP.set(self.last_step);
    }
}

/// How many steps this thread has taken.
pub(crate) fn steps() -> u64 {
    STEPS.get()
}

/// Ends the work here because of what `limit` says, where it is watched.
pub(crate) fn end(limit: &str) {
    if !thread::panicking() && Interrupt::current().is_some() {
        resume_unwind(Box::new(Ended(Some(limit.into()))));
    }
}

/// The elements of `elements`, with a step for each of them: every loop over what users can make large goes through this
/// or calls [`step`].
#[inline]
pub(crate) fn each<I: IntoIterator>(elements: I) -> impl Iterator<Item = I::Item> {
    Each { elements: elements.into_iter(), counted: 0 }
}

/// See [`each`].
struct Each<I> {
    elements: I,
    /// Steps that the thread does not know of yet.
    counted: usize,
}

impl<I: Iterator> Iterator for Each<I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        let element = self.elements.next()?;
        self.counted += 1;
        if self.counted == STEPS_COUNTED_APART {
            self.counted = 0;
            take_steps(STEPS_COUNTED_APART);
        }
        Some(element)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.elements.size_hint()
    }
}

impl<I> Drop for Each<I> {
    #[inline]
    fn drop(&mut self) {
        // Short loops inside of another are to be noticed, too. What is dropped while work ends does not end it again.
        take_steps(self.counted);
    }
}

/// Takes `count` steps at once, for a short and even loop over so many elements.
#[inline]
pub(crate) fn take_steps(count: usize) {
    let steps = STEPS.get().wrapping_add(count as u64);
    STEPS.set(steps);
    if steps >= NEXT_LOOK.get() {
        look_now();
    }
}

/// The elements of all parts, one part after the other, with a step for each of them.
pub(crate) fn copied<T: Clone>(parts: &[&[T]]) -> Vec<T> {
    /// How many elements are copied at once.
    const CHUNK: usize = 4096;
    let mut copy = Vec::with_capacity(parts.iter().map(|part| part.len()).sum());
    for chunk in parts.iter().flat_map(|part| part.chunks(CHUNK)) {
        take_steps(chunk.len());
        copy.extend_from_slice(chunk);
    }
    copy
}

/// Ends the work here when its interrupt was raised. For loops each turn of which may take long.
#[inline]
pub(crate) fn look() {
    STEPS.set(STEPS.get().wrapping_add(1));
    look_now();
}

fn look_now() {
    let steps = STEPS.get();
    NEXT_LOOK.set(steps.saturating_add(STEPS_BETWEEN_LOOKS));
    if steps > LAST_STEP.get() {
        end("took too many steps");
    }
    let raised = WATCHED_BY.with_borrow(|watch| watch.as_ref().filter(|watch| watch.is_raised()).cloned());
    // What is freed on the way out may be walked, too.
    if let Some(interrupt) = raised.filter(|_| !thread::panicking()) {
        resume_unwind(Box::new(Ended(interrupt.limit())));
    }
}

/// Looks now and then. For loops and recursions of many short steps.
#[inline]
pub(crate) fn step() {
    take_steps(1);
}

/// Takes steps for work that goes over so many bytes at once: copying, comparing, searching.
#[inline]
pub(crate) fn step_over_bytes(count: usize) {
    /// This many are copied, or compared, in about the time of a step.
    const STEP_BYTES: usize = 1 << 10;
    take_steps(1 + count / STEP_BYTES);
}

impl Kind for Ended {
    fn code(&self) -> &'static str {
        if self.0.is_some() { LIMIT } else { INTERRUPTED }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            None => f.write_str("interrupted"),
            Some(limit) => write!(f, "the evaluation {limit}"),
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/interrupt.rs"]
mod tests;
