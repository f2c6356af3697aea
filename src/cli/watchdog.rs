//! Limits of time and memory: a thread watches the clock and the memory of the process, and interrupts an evaluation that
//! exceeds them.
//!
//! The thread is started, and woken, by the first evaluation that takes longer than the shortest. It then looks every few
//! milliseconds, and sleeps when it finds nothing to watch: a stream of short evaluations hardly ever wakes it.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use pcore::limits::{Limit, Limits};
use pcore::session::Interrupt;

/// How often the thread looks. A program can fill about 10 MiB in that time by copying strings.
const LOOK_EVERY: Duration = Duration::from_millis(2);

/// The thread that watches evaluations, one at a time.
pub(super) struct Watchdog {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    watched: Option<Watched>,
    thread: Thread,
}

/// What the thread does.
#[derive(Default)]
enum Thread {
    #[default]
    NotStarted,
    Asleep,
    /// It looks again soon.
    Awake,
}

struct Watched {
    interrupt: Interrupt,
    since: Instant,
    limits: Limits,
    is_timed: bool,
    /// The memory of the process at the first look.
    memory_before: Option<u64>,
}

/// An evaluation under watch, until it is dropped.
pub(super) struct Watch<'a> {
    shared: &'a Shared,
    interrupt: Interrupt,
}

impl Watchdog {
    /// A watchdog with nothing to watch yet.
    pub(super) fn new() -> Watchdog {
        Watchdog { shared: Arc::default() }
    }

    /// Raises `interrupt` when the limit on memory, or on time if it `is_timed`, is exceeded before the watch is dropped.
    /// Interactive use has Ctrl-C instead of a limit on time.
    pub(super) fn watch(&mut self, interrupt: Interrupt, limits: Limits, is_timed: bool) -> Watch<'_> {
        let (shared, since) = (Arc::clone(&self.shared), Instant::now());
        let raised = interrupt.clone();
        // The shortest evaluations are over before there is anything to watch.
        interrupt.when_long(move || {
            shared.begin(Watched { interrupt: raised, since, limits, is_timed, memory_before: None });
        });
        Watch { shared: &self.shared, interrupt }
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.interrupt.when_long(|| ());
        self.shared.state().watched = None;
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(self: Arc<Shared>, watched: Watched) {
        let mut state = self.state();
        let interrupt = watched.interrupt.clone();
        state.watched = Some(watched);
        let before = std::mem::replace(&mut state.thread, Thread::Awake);
        drop(state);
        match before {
            Thread::NotStarted => {
                let shared = Arc::clone(&self);
                // It is not joined: the end of the process ends it.
                if thread::Builder::new().spawn(move || shared.watch_loop()).is_err() {
                    *self.state() = State::default();
                    interrupt.raise_limit("cannot be limited: the system has no thread to watch it");
                }
            }
            Thread::Asleep => self.woken.notify_one(),
            Thread::Awake => {}
        }
    }

    fn watch_loop(&self) {
        let mut state = self.state();
        loop {
            state = if let Some(watched) = &mut state.watched {
                watched.check();
                drop(state);
                thread::sleep(LOOK_EVERY);
                self.state()
            } else {
                state.thread = Thread::Asleep;
                self.woken.wait(state).unwrap_or_else(PoisonError::into_inner)
            };
        }
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
