//! Interrupting work from outside: somebody raises an [`Interrupt`], and the work that it guards is cancelled.
//!
//! Most long-running operations cannot fail: a type comparison, an equality, building a string. So the way out is not a
//! `Result` in every signature but unwinding: [`Interrupt::guard`] runs the work, and catches what [`poll`] and
//! [`step`] throw inside it. No panic is reported, and partial results are freed on the way. State that outlives the
//! work (variables, definitions) changes in single steps, or is repaired by the caller of `guard`.
//!
//! Each thread knows its interrupt; without one nothing is ever thrown.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, thread};

use crate::error::{Error, Kind, LIMIT};

/// The issue code of interrupted work.
pub const INTERRUPTED: &str = "INTERRUPTED";

/// How many calls of [`step`] lie between two polls of the interrupt: microseconds to a millisecond.
const STEPS_BETWEEN_POLLS: u64 = 256;

/// How much nearer a [`long_step`] brings the next poll; the first of an evaluation polls.
const STEPS_OF_LONG_STEP: u64 = 16;

thread_local! {
    static GUARD: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
    static STEPS: Cell<u64> = const { Cell::new(0) };
    static NEXT_POLL: Cell<u64> = const { Cell::new(STEPS_BETWEEN_POLLS) };
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

#[derive(Default)]
struct Flag {
    is_raised: AtomicBool,
    /// The exceeded limit, if a limit raised the interrupt instead of the user.
    limit: Mutex<Option<Arc<str>>>,
    watch: Mutex<Option<Box<Watch>>>,
}

/// Says which limit is exceeded: `took longer than 5 seconds`.
type Watch = dyn FnMut() -> Option<Arc<str>> + Send;

impl fmt::Debug for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flag").field("is_raised", &self.is_raised).field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// Why guarded work has no result: the user interrupted it (`None`), or it exceeded a limit, in words.
#[derive(Clone, Debug)]
pub(crate) struct Cancelled(Option<Arc<str>>);

impl Interrupt {
    /// Asks the evaluation to stop.
    pub fn raise(&self) {
        self.0.is_raised.store(true, Ordering::Relaxed);
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

    /// Asks `watch` from now on wherever an evaluation looks whether it was asked to stop, which is every few microseconds; the
    /// limit that it names ends the evaluation.
    #[doc(hidden)] // for the program
    pub fn set_watch(&self, watch: Option<Box<Watch>>) {
        *self.0.watch.lock().unwrap_or_else(PoisonError::into_inner) = watch;
    }

    /// Whether the evaluation was asked to stop, or exceeds a limit.
    fn has_to_stop(&self) -> bool {
        let exceeded =
            || self.0.watch.lock().unwrap_or_else(PoisonError::into_inner).as_mut().and_then(|watch| watch());
        if let Some(limit) = exceeded().filter(|_| !self.is_raised()) {
            *self.0.limit.lock().unwrap_or_else(PoisonError::into_inner) = Some(limit);
            self.raise();
        }
        self.is_raised()
    }

    /// The error with which evaluations end, if they were asked to stop: `INTERRUPTED` or `LIMIT`.
    pub fn error(&self) -> Option<Error> {
        self.has_to_stop().then(|| Cancelled(self.limit()).into())
    }

    fn limit(&self) -> Option<Arc<str>> {
        self.0.limit.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs `work`, which ends early when the interrupt is raised. An inner guard takes the place of an outer one.
    ///
    /// # Panics
    /// When `work` panics.
    pub(crate) fn guard<R>(&self, work: impl FnOnce() -> R) -> Result<R, Cancelled> {
        let outer = GUARD.replace(Some(self.clone()));
        NEXT_POLL.set(STEPS.get().saturating_add(STEPS_OF_LONG_STEP));
        let outcome = catch_unwind(AssertUnwindSafe(work));
        GUARD.set(outer);
        outcome.map_err(|thrown| match thrown.downcast::<Cancelled>() {
            Ok(cancelled) => *cancelled,
            Err(defect) => resume_unwind(defect),
        })
    }

    /// As [`Interrupt::guard`], for work that may take at most `most` steps.
    pub(crate) fn guard_steps<R>(&self, most: u64, work: impl FnOnce() -> R) -> Result<R, Cancelled> {
        let outer = LAST_STEP.replace(STEPS.get().saturating_add(most));
        let outcome = self.guard(work);
        LAST_STEP.set(outer);
        outcome
    }
    fn current() -> Option<Interrupt> {
        GUARD.with_borrow(Clone::clone)
    }
}

/// Runs `work`, which nothing ends.
pub(crate) fn unguarded<R>(work: impl FnOnce() -> R) -> R {
    let (guard, last_step) = (GUARD.take(), LAST_STEP.replace(u64::MAX));
    let result = work();
    GUARD.set(guard);
    LAST_STEP.set(last_step);
    result
}

/// The guard and the step counters of a thread, to be continued on another thread.
#[derive(Debug)]
pub(crate) struct State {
    guard: Option<Interrupt>,
    steps: u64,
    last_step: u64,
}

impl State {
    pub(crate) fn current() -> State {
        State { guard: Interrupt::current(), steps: STEPS.get(), last_step: LAST_STEP.get() }
    }

    /// Continues with this state on the current thread.
    pub(crate) fn resume(self) {
        GUARD.set(self.guard);
        STEPS.set(self.steps);
        NEXT_POLL.set(self.steps);
        LAST_STEP.set(self.last_step);
    }
}
pub(crate) fn steps() -> u64 {
    STEPS.get()
}

/// Cancels the work on this thread, if it is guarded; `limit` says which limit it exceeded: `took too many steps`.
pub(crate) fn cancel(limit: &str) {
    if !thread::panicking() && Interrupt::current().is_some() {
        resume_unwind(Box::new(Cancelled(Some(limit.into()))));
    }
}

/// The elements of `elements`, with a step for each. Every loop over user data uses this or calls [`step`].
pub(crate) fn each<I: IntoIterator>(elements: I) -> impl Iterator<Item = I::Item> {
    elements.into_iter().inspect(|_| step())
}

/// Takes `count` steps at once, for a short and even loop over so many elements.
#[inline]
pub(crate) fn take_steps(count: usize) {
    let steps = STEPS.get().wrapping_add(count as u64);
    STEPS.set(steps);
    if steps >= NEXT_POLL.get() {
        poll_now();
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

/// Cancels the work on this thread if its interrupt was raised.
#[inline]
pub(crate) fn poll() {
    STEPS.set(STEPS.get().wrapping_add(1));
    poll_now();
}

/// Counts one step, and brings the next poll nearer: for what may take as long as several steps.
#[inline]
pub(crate) fn long_step() {
    NEXT_POLL.set(NEXT_POLL.get().saturating_sub(STEPS_OF_LONG_STEP));
    step();
}

fn poll_now() {
    let steps = STEPS.get();
    NEXT_POLL.set(steps.saturating_add(STEPS_BETWEEN_POLLS));
    if steps > LAST_STEP.get() {
        cancel("took too many steps");
    }
    let raised = GUARD.with_borrow(|guard| guard.as_ref().filter(|guard| guard.has_to_stop()).cloned());
    // What is freed on the way out may be walked, too.
    if let Some(interrupt) = raised.filter(|_| !thread::panicking()) {
        resume_unwind(Box::new(Cancelled(interrupt.limit())));
    }
}

/// Counts one step, and polls now and then: for loops and recursions of many short steps.
#[inline]
pub(crate) fn step() {
    take_steps(1);
}

/// Takes steps for an operation on so many bytes: copying, comparing, searching.
#[inline]
pub(crate) fn step_over_bytes(count: usize) {
    /// This many are copied, or compared, in about the time of a step.
    const STEP_BYTES: usize = 1 << 10;
    take_steps(1 + count / STEP_BYTES);
}

impl Kind for Cancelled {
    fn code(&self) -> &'static str {
        if self.0.is_some() { LIMIT } else { INTERRUPTED }
    }
}

impl fmt::Display for Cancelled {
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
