//! The limits of one batch request: a thread looks at the clock and at the memory of the process, and interrupts the
//! evaluation that goes beyond.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pcore::session::Interrupt;

/// How long one request may take.
const TIME_LIMIT: Duration = Duration::from_secs(5);

/// By how many bytes one request may let the process grow.
const MEMORY_LIMIT_BYTES: u64 = 1 << 30;

/// How often the thread looks. A program can fill about 10 MiB in that time.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// The thread that watches requests, one at a time.
pub(super) struct Watchdog {
    shared: Arc<Shared>,
}

struct Shared {
    watched: Mutex<Option<Watched>>,
    changed: Condvar,
}

struct Watched {
    interrupt: Interrupt,
    since: Instant,
    memory_before: u64,
    exceeded: Option<&'static str>,
}

/// A request under watch, until it is dropped.
pub(super) struct Watch<'a>(&'a Shared);

impl Watchdog {
    /// A watchdog with nothing to do yet.
    pub(super) fn start() -> Watchdog {
        let shared = Arc::new(Shared { watched: Mutex::new(None), changed: Condvar::new() });
        let seen_by_thread = Arc::clone(&shared);
        // It is not joined: the end of the process ends it.
        thread::spawn(move || seen_by_thread.look());
        Watchdog { shared }
    }

    /// Raises `interrupt` when a limit is exceeded before the watch is dropped.
    pub(super) fn watch(&mut self, interrupt: Interrupt) -> Watch<'_> {
        let watched = Watched { interrupt, since: Instant::now(), memory_before: memory(), exceeded: None };
        *self.shared.watched.lock().unwrap_or_else(PoisonError::into_inner) = Some(watched);
        self.shared.changed.notify_one();
        Watch(&self.shared)
    }
}

impl Watch<'_> {
    /// The limit that was exceeded, in words.
    pub(super) fn exceeded(&self) -> Option<&'static str> {
        self.0.watched.lock().unwrap_or_else(PoisonError::into_inner).as_ref()?.exceeded
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        *self.0.watched.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Shared {
    fn look(&self) {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            watched = match &mut *watched {
                None => self.changed.wait(watched).unwrap_or_else(PoisonError::into_inner),
                Some(request) => {
                    request.judge();
                    self.changed.wait_timeout(watched, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

impl Watched {
    fn judge(&mut self) {
        if self.since.elapsed() > TIME_LIMIT {
            self.exceeded = Some("took longer than 5 seconds");
        } else if memory().saturating_sub(self.memory_before) > MEMORY_LIMIT_BYTES {
            self.exceeded = Some("took more than 1 GiB of memory");
        }
        if self.exceeded.is_some() {
            self.interrupt.raise();
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
