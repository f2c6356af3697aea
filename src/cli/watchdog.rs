//! Limits of time and memory: a thread watches the clock and the memory of the process, and interrupts an evaluation that
//! exceeds them.

use std::sync::{Arc, Condvar, Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pcore::limits::{Limit, Limits};
use pcore::session::Interrupt;

/// How often the thread looks. A program can fill about 10 MiB in that time.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The thread that watches evaluations, one at a time.
pub(super) struct Watchdog {
    shared: Arc<Shared>,
}

struct Shared {
    watched: Mutex<Option<Watched>>,
    changed: Condvar,
    /// Whether the thread is there.
    is_awake: Once,
}

struct Watched {
    interrupt: Interrupt,
    since: Instant,
    limits: Limits,
    is_timed: bool,
    memory_before: u64,
}

/// An evaluation under watch, until it is dropped.
pub(super) struct Watch<'a> {
    shared: &'a Shared,
    interrupt: Interrupt,
}

impl Watchdog {
    /// Starts the thread, with nothing to watch yet.
    pub(super) fn start() -> Watchdog {
        let shared = Shared { watched: Mutex::new(None), changed: Condvar::new(), is_awake: Once::new() };
        Watchdog { shared: Arc::new(shared) }
    }

    /// Raises `interrupt` when the limit on memory, or on time if it `is_timed`, is exceeded before the watch is dropped.
    /// Interactive use has Ctrl-C instead of a limit on time.
    pub(super) fn watch(&mut self, interrupt: Interrupt, limits: Limits, is_timed: bool) -> Watch<'_> {
        let (shared, since) = (Arc::clone(&self.shared), Instant::now());
        let raised = interrupt.clone();
        // The shortest evaluations are over before there is anything to watch.
        interrupt.when_long(move || {
            let watched = Watched { interrupt: raised, since, limits, is_timed, memory_before: memory() };
            *shared.watched.lock().unwrap_or_else(PoisonError::into_inner) = Some(watched);
            let seen_by_thread = Arc::clone(&shared);
            // It is not joined: the end of the process ends it.
            shared.is_awake.call_once(|| drop(thread::spawn(move || seen_by_thread.watch_loop())));
            shared.changed.notify_one();
        });
        Watch { shared: &self.shared, interrupt }
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.interrupt.when_long(|| ());
        *self.shared.watched.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Shared {
    fn watch_loop(&self) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            watched = match &*watched {
                None => self.changed.wait(watched).unwrap_or_else(PoisonError::into_inner),
                Some(request) => {
                    request.check();
                    self.changed.wait_timeout(watched, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

impl Watched {
    fn check(&self) {
        let most = |limit: Limit| limit.row().describe(self.limits.of(limit));
        if self.is_timed && self.since.elapsed() > Duration::from_millis(self.limits.of(Limit::Time)) {
            self.interrupt.raise_limit(&format!("took longer than {}", most(Limit::Time)));
        } else if memory().saturating_sub(self.memory_before) > self.limits.of(Limit::Memory) {
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
