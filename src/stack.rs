//! Deep recursion: when the stack of a thread is nearly full, the recursion continues on a new thread.
//!
//! Programs, values and types nest as deeply as users nest them, and the natural way to walk them is recursion.
//! [`with_room`] wraps each recursive step; an interrupt can end the evaluation there. It compares the address
//! of a local variable with the lowest address that this thread should use, and runs the step on a new thread with a
//! large stack if too little is left. The caller waits, so nothing runs in parallel.

use std::{cell::Cell, fs::File, io::Read, thread};

use crate::secrets::Secrets;
use crate::{interrupt, limits};

/// The stack size of each further thread: enough for tens of thousands of levels. Only used pages take memory.
const EXTRA_STACK_BYTES: usize = 48 << 20;

/// The maximum number of further threads of an evaluation, which fails if it needs more. Each takes 0.2 s to end.
const MAX_EXTRA_STACKS: usize = 1;

/// The bytes of the first thread's stack after which a new thread continues: Rust's smallest default stack is 2 MiB.
const MAX_FIRST_STACK_BYTES: usize = 1 << 20;

/// The bytes of stack kept free for the code between two calls of [`with_room`].
const STACK_RESERVE_BYTES: usize = 256 << 10;

/// The bytes of stack kept free on a further thread: 200 nested groups of a regular expression need most of them.
const EXTRA_STACK_RESERVE_BYTES: usize = 1 << 20;

thread_local! {
    /// The lowest stack address that this thread may use; `usize::MAX` until the first call computes it.
    static STACK_FLOOR: Cell<usize> = const { Cell::new(usize::MAX) };
    /// The number of threads that wait for this one to continue their recursion.
    static EXTRA_STACK_COUNT: Cell<usize> = const { Cell::new(0) };
}

/// Runs `step` on this thread or, if its stack is nearly full, on a new one, and returns the result.
///
/// # Panics
/// When `step` panics, or when the system has no memory for another stack and no guarded evaluation is running.
#[inline]
pub fn with_room<R: Send>(step: impl FnOnce() -> R + Send) -> R {
    if has_enough_stack() {
        return step();
    }
    if EXTRA_STACK_COUNT.get() >= MAX_EXTRA_STACKS {
        interrupt::cancel_current_work("nests too deeply");
    }
    try_run_on_new_stack(step).unwrap_or_else(|_| {
        interrupt::cancel_current_work("nests too deeply for the memory that the system gives");
        panic!("there is no memory for another stack")
    })
}

/// Like [`with_room`], but for destructors: never interrupted. Leaks what `step` owns if memory runs out.
#[inline]
pub(crate) fn drop_with_enough_stack(step: impl FnOnce() + Send) {
    if has_enough_stack_to_drop() || initialise_stack_floor() {
        step();
    } else if let Err(step) = interrupt::run_uninterruptible(|| try_run_on_new_stack(step)) {
        // Memory that is not freed is better than a stack that overflows.
        std::mem::forget(step);
    }
}
/// Whether the stack has room for a destructor to recurse; `false` before the first [`with_room`] on this thread.
#[inline]
pub(crate) fn has_enough_stack_to_drop() -> bool {
    current_frame_address() > STACK_FLOOR.get()
}

#[inline]
pub(crate) fn has_enough_stack() -> bool {
    interrupt::take_step();
    current_frame_address() > STACK_FLOOR.with(Cell::get) || initialise_stack_floor()
}

/// Computes this thread's [`STACK_FLOOR`] if unknown, and returns whether the stack has room. `false` if it was known.
fn initialise_stack_floor() -> bool {
    if STACK_FLOOR.get() != usize::MAX {
        return false;
    }
    let frame = current_frame_address();
    let end = lowest_stack_address(frame).map_or(0, |end| end + STACK_RESERVE_BYTES);
    STACK_FLOOR.set(frame.saturating_sub(MAX_FIRST_STACK_BYTES - STACK_RESERVE_BYTES).max(end));
    frame > STACK_FLOOR.get()
}

/// Returns the lowest address of the stack that contains the address `frame`, from `/proc`; `None` on other systems.
fn lowest_stack_address(frame: usize) -> Option<usize> {
    let read = |file| {
        let mut text = String::with_capacity(8 << 10);
        File::open(file).and_then(|mut file| file.read_to_string(&mut text)).ok().map(|_| text)
    };
    let maps = read("/proc/self/maps")?;
    let (start, end, line) = maps.lines().find_map(|line| {
        let (from, to) = line.split_once(' ')?.0.split_once('-')?;
        let [from, to] = [from, to].map(|address| usize::from_str_radix(address, 16).ok());
        (from?..to?).contains(&frame).then_some((to?, from?, line))
    })?;
    if !line.ends_with("[stack]") {
        return Some(end);
    }
    // That of the first thread grows up to a limit.
    let limits = read("/proc/self/limits")?;
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max stack size"))?.split_whitespace().next()?;
    Some(limit.parse().map_or(0, |limit: usize| start.saturating_sub(limit)))
}

/// Runs `step`, which may need much stack at once, on a new thread, or on this one if no thread can be started.
pub(crate) fn run_on_new_stack<R: Send>(step: impl FnOnce() -> R + Send) -> R {
    try_run_on_new_stack(step).unwrap_or_else(|step| match step {
        Some(step) => step(),
        None => panic!("the work is done once"),
    })
}

/// Runs `step` on a new thread and returns its result; returns `step` as the error if no thread can be started.
pub(crate) fn try_run_on_new_stack<R: Send, F: FnOnce() -> R + Send>(step: F) -> Result<R, Option<F>> {
    let (mut step, mut result) = (Some(step), None);
    spawn_and_join(&mut || result = step.take().map(|step| step()));
    result.ok_or(step)
}

/// Runs `work` on a new thread and waits; does nothing if none can be started. Not generic, so it is compiled once.
fn spawn_and_join(work: &mut (dyn FnMut() + Send)) {
    let restore_limits = limits::capture_thread_state();
    let secrets = Secrets::current().unwrap_or_default();
    let segments = EXTRA_STACK_COUNT.get() + 1;
    let work = move || {
        EXTRA_STACK_COUNT.set(segments);
        restore_limits();
        STACK_FLOOR.set(current_frame_address().saturating_sub(EXTRA_STACK_BYTES - EXTRA_STACK_RESERVE_BYTES));
        secrets.run_as_current(work);
        limits::capture_thread_state()
    };
    thread::scope(|scope| {
        let Ok(segment) = thread::Builder::new().stack_size(EXTRA_STACK_BYTES).spawn_scoped(scope, work) else {
            return;
        };
        match segment.join() {
            Ok(restore_limits) => restore_limits(),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
}

#[inline]
fn current_frame_address() -> usize {
    let marker = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&marker)) as usize
}

#[cfg(test)]
#[path = "../tests/unit/stack.rs"]
mod tests;
