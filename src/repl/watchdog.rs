//! The limits of one batch request, checked file, source or entry: a thread looks at the clock and at the memory of the process, and
//! interrupts the evaluation that goes beyond.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pcore::session::Interrupt;

/// How long one batch request or the check of a file may take. Where somebody is waiting, there is Ctrl-C.
pub(super) const TIME_LIMIT: Duration = Duration::from_secs(5);

/// By how many bytes one evaluation may let the process grow. What it fills until it notices stays below 1 GiB.
const MEMORY_LIMIT_BYTES: u64 = 768 << 20;

/// How often the thread looks. A program can fill about 10 MiB in that time.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The thread that watches evaluations, one at a time.
pub(super) struct Watchdog {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    watched: Option<Watched>,
    /// Whether the thread waits to be woken: nothing was watched for a while.
    is_asleep: bool,
}

struct Watched {
    interrupt: Interrupt,
    since: Instant,
    time_limit: Option<Duration>,
    /// How much memory there was when the thread first looked.
    memory_before: Option<u64>,
}

/// An evaluation under watch, until it is dropped.
pub(super) struct Watch<'a>(&'a Shared);

impl Watchdog {
    /// A watchdog with nothing to do yet.
    pub(super) fn start() -> Watchdog {
        let state = Mutex::new(State { watched: None, is_asleep: false });
        let shared = Arc::new(Shared { state, changed: Condvar::new() });
        let seen_by_thread = Arc::clone(&shared);
        // It is not joined: the end of the process ends it.
        thread::spawn(move || seen_by_thread.look());
        Watchdog { shared }
    }

    /// Raises `interrupt` when the limit on memory, or on time where there is one, is exceeded before the watch is
    /// dropped.
    pub(super) fn watch(&mut self, interrupt: Interrupt, time_limit: Option<Duration>) -> Watch<'_> {
        let mut state = self.shared.lock();
        state.watched = Some(Watched { interrupt, since: Instant::now(), time_limit, memory_before: None });
        // Most evaluations are over before the thread looks: waking it for each would take longer than they do.
        if std::mem::take(&mut state.is_asleep) {
            self.shared.changed.notify_one();
        }
        drop(state);
        Watch(&self.shared)
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.0.lock().watched = None;
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self) {
        let mut state = self.lock();
        loop {
            let was_idle = state.watched.is_none();
            state = self.changed.wait_timeout(state, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
            match &mut state.watched {
                Some(watched) => watched.judge(),
                None if was_idle => {
                    state.is_asleep = true;
                    while state.is_asleep {
                        state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                    }
                }
                None => {}
            }
        }
    }
}

impl Watched {
    fn judge(&mut self) {
        let memory = memory();
        let memory_before = *self.memory_before.get_or_insert(memory);
        if self.time_limit.is_some_and(|limit| self.since.elapsed() > limit) {
            self.interrupt.raise_limit("took longer than 5 seconds");
        } else if memory.saturating_sub(memory_before) > MEMORY_LIMIT_BYTES {
            self.interrupt.raise_limit("took more than 768 MiB of memory");
        }
    }
}

/// The bytes of memory that the process has, where the system tells: elsewhere only the time is limited.
fn memory() -> u64 {
    const PAGE_BYTES: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_ascii_whitespace().nth(1).and_then(|resident| resident.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE_BYTES
}
