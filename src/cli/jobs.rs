//! Work on many items by several threads. The outcomes come in the order of the items.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::{io, thread};

/// The number of threads for a number of items; `wanted` is 0 for all cores.
pub(super) fn threads(wanted: usize, parts: usize) -> usize {
    let most = if wanted == 0 { thread::available_parallelism().map_or(1, usize::from) } else { wanted };
    most.min(parts).max(1)
}

/// The remaining items, as one thread sees them.
pub(super) struct Share<'a, R> {
    next: &'a AtomicUsize,
    count: usize,
    /// Takes the number of an item, and its outcome.
    outcomes: Sender<(usize, R)>,
}

impl<R> Share<'_, R> {
    /// Does `work` for each item that no other thread has taken, by its number.
    pub(super) fn each(&self, mut work: impl FnMut(usize) -> R) {
        loop {
            let item = self.next.fetch_add(1, Ordering::Relaxed);
            // After an error nobody takes the outcomes.
            if item >= self.count || self.outcomes.send((item, work(item))).is_err() {
                return;
            }
        }
    }
}

/// Runs `worker` on `threads` threads, which share `count` items. Calls `each` on the current thread, in item order; after
/// an error no further item is begun.
pub(super) fn in_order<R: Send>(
    threads: usize,
    count: usize,
    worker: &(dyn Fn(&Share<R>) + Sync),
    each: &mut dyn FnMut(usize, R) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, outcomes) = channel();
    thread::scope(|scope| {
        let share = || Share { next: &next, count, outcomes: sender.clone() };
        let start = |share| thread::Builder::new().spawn_scoped(scope, move || worker(&share)).is_ok();
        let started = (0..threads).filter(|_| start(share())).count();
        if started == 0 {
            // The system has no thread to give.
            worker(&share());
        }
        drop(sender);
        let (mut wanted, mut early) = (0, BTreeMap::new());
        for (item, outcome) in outcomes {
            early.insert(item, outcome);
            while let Some(outcome) = early.remove(&wanted) {
                each(wanted, outcome)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
#[path = "../../tests/unit/cli/jobs.rs"]
mod tests;
