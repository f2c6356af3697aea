//! Limits of time and memory: a thread watches the clock and the memory of the process, and interrupts each evaluation that
//! exceeds its limits.
//!
//! The thread starts with the first evaluation. It then looks every few milliseconds, and sleeps while there is nothing to
//! watch.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

use pcore::limits::{Limit, Limits};
use pcore::session::Interrupt;

/// How often the thread looks. A program can fill about 10 MiB in that time by copying strings.
const LOOK_EVERY: Duration = Duration::from_millis(2);

static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());

struct Watched {
    number: u64,
    since: Instant,
    interrupt: Interrupt,
    limits: Limits,
    is_timed: bool,
    /// The memory of the process at the first look.
    memory_before: Option<u64>,
}

/// The number of an evaluation, which is under watch until this is dropped.
pub(super) struct Watch(u64);

/// Raises `interrupt` when the limit on memory, or on time if it `is_timed`, is exceeded before the watch is dropped.
/// Interactive use has Ctrl-C instead of a limit on time.
pub(super) fn watch(interrupt: Interrupt, limits: Limits, is_timed: bool) -> Watch {
    static THREAD: OnceLock<Option<Thread>> = OnceLock::new();
    static NEXT: AtomicU64 = AtomicU64::new(0);
    // It is not joined: the end of the process ends it.
    let thread = THREAD.get_or_init(|| Some(thread::Builder::new().spawn(watch_all).ok()?.thread().clone()));
    if thread.is_none() {
        interrupt.raise_limit("cannot be limited: the system has no thread to watch it");
    }
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    watched().push(Watched { number, since: Instant::now(), interrupt, limits, is_timed, memory_before: None });
    thread.iter().for_each(Thread::unpark);
    Watch(number)
}

impl Drop for Watch {
    fn drop(&mut self) {
        watched().retain(|watched| watched.number != self.0);
    }
}

fn watched() -> MutexGuard<'static, Vec<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch_all() {
    loop {
        let mut watched = watched();
        watched.iter_mut().for_each(Watched::check);
        let is_idle = watched.is_empty();
        drop(watched);
        if is_idle { thread::park() } else { thread::sleep(LOOK_EVERY) }
    }
}

impl Watched {
    fn check(&mut self) {
        let most = |limit: Limit| limit.row().describe(self.limits.of(limit));
        if self.is_timed && self.since.elapsed() > Duration::from_millis(self.limits.of(Limit::Time)) {
            self.interrupt.raise_limit(&format!("took longer than {}", most(Limit::Time)));
            return;
        }
        let memory = memory();
        if memory.saturating_sub(*self.memory_before.get_or_insert(memory)) > self.limits.of(Limit::Memory) {
            self.interrupt.raise_limit(&format!("took more than {} of memory", most(Limit::Memory)));
        }
    }
}

/// The resident memory of the process in bytes; 0 where the system has no /proc, so that only time is limited.
fn memory() -> u64 {
    const PAGE_BYTES: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_ascii_whitespace().nth(1).and_then(|resident| resident.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE_BYTES
}
