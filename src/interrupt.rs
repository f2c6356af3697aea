//! Cancels running work from outside: another thread raises an [`Interrupt`], and the work that it guards ends early.
//!
//! Most long-running operations, such as comparing types or building a string, do not return a `Result`. So work is
//! cancelled by unwinding: [`Interrupt::run_interruptible`] runs the work, and catches the panic with which [`poll`] or
//! [`take_step`] ends it. The panic is not reported, and partial results are dropped. State that outlives the work
//! (variables, definitions) changes in single steps, or is repaired by the caller of `run_interruptible`.
//!
//! Each thread has its own current interrupt; without one, work is never cancelled.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::{fmt, thread};

use crate::error::{Error, LIMIT, Result};

/// The error code of interrupted work.
pub const INTERRUPTED: &str = "INTERRUPTED";

/// The number of steps (units of work, such as an element) between two polls, which are at most a millisecond apart.
const STEPS_BETWEEN_POLLS: u64 = 256;

/// By how many steps a [`take_long_step`] hastens the next poll; also the number of steps before the first poll.
const STEPS_OF_LONG_STEP: u64 = 16;

thread_local! {
    static CURRENT_INTERRUPT: RefCell<Option<Interrupt>> = const { RefCell::new(None) };
    static STEP_COUNT: Cell<u64> = const { Cell::new(0) };
    static NEXT_POLL_STEP: Cell<u64> = const { Cell::new(STEPS_BETWEEN_POLLS) };
    /// The value of `STEP_COUNT` beyond which the work on this thread is cancelled.
    static LAST_ALLOWED_STEP: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Stops an evaluation from another thread or from the handler of Ctrl-C: after `raise`, the evaluation returns an
/// error. Clones share one flag.
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
pub struct Interrupt(Arc<InterruptFlag>);

#[derive(Default)]
struct InterruptFlag {
    is_raised: AtomicBool,
    /// The exceeded limit, if a limit raised the interrupt instead of the user.
    limit: Mutex<Option<Arc<str>>>,
    limit_watch: Mutex<Option<Box<LimitWatch>>>,
}

/// Returns the limit that is exceeded, as in `took longer than 5 seconds`; `None` if no limit is.
type LimitWatch = dyn FnMut() -> Option<Arc<str>> + Send;

impl fmt::Debug for InterruptFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Flag").field("is_raised", &self.is_raised).field("limit", &self.limit).finish_non_exhaustive()
    }
}

/// The reason why guarded work was cancelled: the limit that it exceeded, or `None` if the user interrupted it.
struct Cancelled(Option<Arc<str>>);

impl From<Cancelled> for Error {
    fn from(Cancelled(limit): Cancelled) -> Error {
        match limit {
            None => Error::new(INTERRUPTED, "interrupted"),
            Some(limit) => Error::new(LIMIT, format!("the evaluation {limit}")),
        }
    }
}

impl Interrupt {
    /// Asks the evaluation to stop as soon as possible.
    pub fn raise(&self) {
        self.0.is_raised.store(true, Ordering::Relaxed);
    }

    /// Withdraws the request to stop, so that the next evaluation can run.
    pub fn clear(&self) {
        *self.0.limit.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.0.is_raised.store(false, Ordering::Relaxed);
    }

    /// Whether the evaluation was asked to stop.
    pub fn is_raised(&self) -> bool {
        self.0.is_raised.load(Ordering::Relaxed)
    }

    /// Sets a callback that a running evaluation calls every few microseconds. When `watch` returns an exceeded limit,
    /// the evaluation ends. `None` removes the callback.
    #[doc(hidden)] // for the program
    pub fn set_limit_watch(&self, watch: Option<Box<LimitWatch>>) {
        *self.0.limit_watch.lock().unwrap_or_else(PoisonError::into_inner) = watch;
    }

    fn has_to_stop(&self) -> bool {
        let exceeded =
            self.0.limit_watch.lock().unwrap_or_else(PoisonError::into_inner).as_mut().and_then(|watch| watch());
        if let Some(limit) = exceeded.filter(|_| !self.is_raised()) {
            *self.0.limit.lock().unwrap_or_else(PoisonError::into_inner) = Some(limit);
            self.raise();
        }
        self.is_raised()
    }

    /// Returns the error of an evaluation that has to stop, `INTERRUPTED` or `LIMIT`; `None` if it may go on.
    pub fn stop_error(&self) -> Option<Error> {
        self.has_to_stop().then(|| Cancelled(self.exceeded_limit()).into())
    }

    fn exceeded_limit(&self) -> Option<Arc<str>> {
        self.0.limit.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Runs `work`; returns `INTERRUPTED` or `LIMIT` if the interrupt ends it early. A nested call uses only its own.
    ///
    /// # Panics
    /// When `work` panics.
    pub(crate) fn run_interruptible<R>(&self, work: impl FnOnce() -> R) -> Result<R> {
        let outer = CURRENT_INTERRUPT.replace(Some(self.clone()));
        NEXT_POLL_STEP.set(STEP_COUNT.get().saturating_add(STEPS_OF_LONG_STEP));
        let outcome = catch_unwind(AssertUnwindSafe(work));
        CURRENT_INTERRUPT.set(outer);
        outcome.map_err(|thrown| match thrown.downcast::<Cancelled>() {
            Ok(cancelled) => (*cancelled).into(),
            Err(defect) => resume_unwind(defect),
        })
    }

    pub(crate) fn run_with_step_limit<R>(&self, most: u64, work: impl FnOnce() -> R) -> Result<R> {
        let outer = LAST_ALLOWED_STEP.replace(STEP_COUNT.get().saturating_add(most));
        let outcome = self.run_interruptible(work);
        LAST_ALLOWED_STEP.set(outer);
        outcome
    }

    fn current_interrupt() -> Option<Interrupt> {
        CURRENT_INTERRUPT.with_borrow(Clone::clone)
    }
}

pub(crate) fn run_uninterruptible<R>(work: impl FnOnce() -> R) -> R {
    let (guard, last_step) = (CURRENT_INTERRUPT.take(), LAST_ALLOWED_STEP.replace(u64::MAX));
    let result = work();
    CURRENT_INTERRUPT.set(guard);
    LAST_ALLOWED_STEP.set(last_step);
    result
}

/// Captures the interrupt and the step counters of this thread; the result sets those of the thread that calls it.
pub(crate) fn capture_thread_state() -> impl FnOnce() + Send {
    let (interrupt, steps, last_allowed) = (Interrupt::current_interrupt(), STEP_COUNT.get(), LAST_ALLOWED_STEP.get());
    move || {
        CURRENT_INTERRUPT.set(interrupt);
        STEP_COUNT.set(steps);
        NEXT_POLL_STEP.set(steps);
        LAST_ALLOWED_STEP.set(last_allowed);
    }
}

pub(crate) fn step_count() -> u64 {
    STEP_COUNT.get()
}

/// Cancels the work that runs under an interrupt on this thread, if any. `limit` is the reason: `took too many steps`.
pub(crate) fn cancel_current_work(limit: &str) {
    if !thread::panicking() && Interrupt::current_interrupt().is_some() {
        resume_unwind(Box::new(Cancelled(Some(limit.into()))));
    }
}

/// Yields `elements`, and counts a step for each, so that the loop can be cancelled. All loops over user data use this.
pub(crate) fn step_through<I: IntoIterator>(elements: I) -> impl Iterator<Item = I::Item> {
    elements.into_iter().inspect(|_| take_step())
}

/// Counts `count` steps at once, for a short loop with `count` iterations, and polls the interrupt if that is due.
#[inline]
pub(crate) fn take_steps(count: usize) {
    let steps = STEP_COUNT.get().wrapping_add(count as u64);
    STEP_COUNT.set(steps);
    if steps >= NEXT_POLL_STEP.get() {
        poll_now();
    }
}

pub(crate) fn concatenate_slices<T: Clone>(parts: &[&[T]]) -> Vec<T> {
    const CHUNK_ELEMENTS: usize = 4096;
    let mut copy = Vec::with_capacity(parts.iter().map(|part| part.len()).sum());
    for chunk in parts.iter().flat_map(|part| part.chunks(CHUNK_ELEMENTS)) {
        take_steps(chunk.len());
        copy.extend_from_slice(chunk);
    }
    copy
}

/// Checks now, without waiting for more steps: cancels the work if its interrupt was raised or a limit is exceeded.
#[inline]
pub(crate) fn poll() {
    STEP_COUNT.set(STEP_COUNT.get().wrapping_add(1));
    poll_now();
}

/// Counts a step of an operation that lasts as long as several steps, so that the next poll happens earlier.
#[inline]
pub(crate) fn take_long_step() {
    NEXT_POLL_STEP.set(NEXT_POLL_STEP.get().saturating_sub(STEPS_OF_LONG_STEP));
    take_step();
}

fn poll_now() {
    let steps = STEP_COUNT.get();
    NEXT_POLL_STEP.set(steps.saturating_add(STEPS_BETWEEN_POLLS));
    if steps > LAST_ALLOWED_STEP.get() {
        cancel_current_work("took too many steps");
    }
    let raised = CURRENT_INTERRUPT.with_borrow(|guard| guard.as_ref().filter(|guard| guard.has_to_stop()).cloned());
    // What is freed on the way out may be walked, too.
    if let Some(interrupt) = raised.filter(|_| !thread::panicking()) {
        resume_unwind(Box::new(Cancelled(interrupt.exceeded_limit())));
    }
}

/// Counts one step, and polls the interrupt every [`STEPS_BETWEEN_POLLS`] steps: for short loop bodies and recursions.
#[inline]
pub(crate) fn take_step() {
    take_steps(1);
}

#[inline]
pub(crate) fn take_steps_for_bytes(count: usize) {
    /// The number of bytes that are copied or compared in about the time of a step.
    const BYTES_PER_STEP: usize = 1 << 10;
    take_steps(1 + count / BYTES_PER_STEP);
}

#[cfg(test)]
#[path = "../tests/unit/interrupt.rs"]
mod tests;
