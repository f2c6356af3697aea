//! Deep recursion: if the stack of a thread is nearly used up, the work continues on a fresh one.
//!
//! Programs, values and types nest as deeply as users nest them, and the natural way to walk them is recursion.
//! [`with_room`] wraps each recursive step, where an interrupt may end the work. It compares the address of a local
//! variable with the lowest address that this thread should reach, and runs the step on a new thread with a large stack
//! if there is no room left. The caller waits, so nothing runs in parallel.

use std::{cell::Cell, fs::File, io::Read, thread};

use crate::secrets::Secrets;
use crate::{interrupt, limits};

/// Stack of each further segment: enough for tens of thousands of levels. Only what is touched takes memory.
const SEGMENT_BYTES: usize = 48 << 20;

/// How many further segments an evaluation may use. Leaving them takes a fifth of a second.
const MAX_SEGMENTS: usize = 1;

/// How much of the first thread's stack is used at most: the smallest default stack of a Rust thread is 2 MiB.
const FIRST_SEGMENT_BYTES: usize = 1 << 20;

/// Kept free for everything that happens between two calls of [`with_room`].
const RESERVE_BYTES: usize = 256 << 10;

/// The same on a further segment, which ends hard: 200 nested groups of a regular expression take most of it.
const SEGMENT_RESERVE_BYTES: usize = 1 << 20;

thread_local! {
    /// The lowest address that this thread may use; `usize::MAX` until it is computed at the first call.
    static FLOOR: Cell<usize> = const { Cell::new(usize::MAX) };
    /// How many segments are below this thread.
    static SEGMENTS: Cell<usize> = const { Cell::new(0) };
}

/// Runs `step` with enough stack left for it, here or on a new thread.
///
/// # Panics
/// When `step` panics, and when the system has no memory for another stack where nothing is watched.
#[inline]
pub fn with_room<R: Send>(step: impl FnOnce() -> R + Send) -> R {
    if has_room() {
        return step();
    }
    if SEGMENTS.get() >= MAX_SEGMENTS {
        interrupt::cancel("nests too deeply");
    }
    try_on_new_segment(step).unwrap_or_else(|_| {
        interrupt::cancel("nests too deeply for the memory that the system gives");
        panic!("there is no memory for another stack")
    })
}

/// As [`with_room`] for a destructor, which must not be interrupted, however deep it goes.
#[inline]
pub(crate) fn with_room_to_drop(step: impl FnOnce() + Send) {
    if has_room_to_drop() || is_first_call() {
        step();
    } else if let Err(step) = interrupt::unguarded(|| try_on_new_segment(step)) {
        // Memory that is not freed is better than a stack that overflows.
        std::mem::forget(step);
    }
}
/// Whether a destructor may recurse. Before the first call of [`with_room`] on a thread, it should not.
#[inline]
pub(crate) fn has_room_to_drop() -> bool {
    address_of_frame() > FLOOR.get()
}

#[inline]
pub(crate) fn has_room() -> bool {
    interrupt::step();
    address_of_frame() > FLOOR.with(Cell::get) || is_first_call()
}

/// Whether this thread's floor was unknown, and there is room above it now that it is known.
fn is_first_call() -> bool {
    if FLOOR.get() != usize::MAX {
        return false;
    }
    let frame = address_of_frame();
    let end = end_of_stack(frame).map_or(0, |end| end + RESERVE_BYTES);
    FLOOR.set(frame.saturating_sub(FIRST_SEGMENT_BYTES - RESERVE_BYTES).max(end));
    frame > FLOOR.get()
}

/// The lowest address of the stack with this `frame`, as Linux says; `None` elsewhere.
fn end_of_stack(frame: usize) -> Option<usize> {
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

/// Runs `step`, which may need much stack at once, on a new thread; here, if the system has no memory for a thread.
pub(crate) fn on_new_segment<R: Send>(step: impl FnOnce() -> R + Send) -> R {
    try_on_new_segment(step).unwrap_or_else(|step| match step {
        Some(step) => step(),
        None => panic!("the work is done once"),
    })
}

/// Runs `step` on a new thread; gives it back if the system has no memory for a thread.
pub(crate) fn try_on_new_segment<R: Send, F: FnOnce() -> R + Send>(step: F) -> Result<R, Option<F>> {
    let (mut step, mut result) = (Some(step), None);
    run_on_new_segment(&mut || result = step.take().map(|step| step()));
    result.ok_or(step)
}

/// Runs `work` on a new thread, unless the system has no memory for one. It is compiled once, whatever the work returns.
fn run_on_new_segment(work: &mut (dyn FnMut() + Send)) {
    let state = limits::State::current();
    let secrets = Secrets::current().unwrap_or_default();
    let segments = SEGMENTS.get() + 1;
    let work = move || {
        SEGMENTS.set(segments);
        state.resume();
        FLOOR.set(address_of_frame().saturating_sub(SEGMENT_BYTES - SEGMENT_RESERVE_BYTES));
        secrets.watch(work);
        limits::State::current()
    };
    thread::scope(|scope| {
        let Ok(segment) = thread::Builder::new().stack_size(SEGMENT_BYTES).spawn_scoped(scope, work) else { return };
        match segment.join() {
            Ok(state) => state.resume(),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
}

#[inline]
fn address_of_frame() -> usize {
    let marker = 0_u8;
    std::ptr::from_ref(std::hint::black_box(&marker)) as usize
}

#[cfg(test)]
#[path = "../tests/unit/stack.rs"]
mod tests;
