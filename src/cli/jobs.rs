//! Processes many items on several threads, and passes on the outcomes in the order of the items.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::{collections::BTreeMap, io, thread};

/// Returns the number of threads for `parts` items: `wanted`, or all cores if that is 0, but at most one per item.
pub(super) fn thread_count(wanted: usize, parts: usize) -> usize {
    let most = if wanted == 0 { thread::available_parallelism().map_or(1, usize::from) } else { wanted };
    most.min(parts).max(1)
}

/// The maximum number of items that a thread takes at once: handing over results costs as much as a small item.
const MAX_ITEMS_PER_BATCH: usize = 16;

/// The intended number of batches per thread: with several, all threads finish at about the same time.
const BATCHES_PER_THREAD: usize = 32;

pub(super) struct WorkerHandle<'a, R> {
    next_item_index: &'a AtomicUsize,
    item_count: usize,
    batch: usize,
    /// Sends the index of the first item of a batch, and the outcomes of the batch.
    outcome_sender: Sender<(usize, Vec<R>)>,
}

impl<R> WorkerHandle<'_, R> {
    /// Takes items that no other thread has taken, calls `work` with the index of each, and sends the outcomes.
    pub(super) fn process_items(&self, mut work: impl FnMut(usize) -> R) {
        loop {
            let from = self.next_item_index.fetch_add(self.batch, Ordering::Relaxed);
            let items = from..self.item_count.min(from + self.batch);
            // After an error nobody takes the outcomes.
            if items.is_empty() || self.outcome_sender.send((from, items.map(&mut work).collect())).is_err() {
                return;
            }
        }
    }
}

/// Runs `worker` on `threads` threads, which share the items. Calls `handle_outcome` on the current thread with the
/// index and outcome of each item, in order. After an error of that, no further batch is begun.
pub(super) fn process_in_order<R: Send>(
    threads: usize,
    item_count: usize,
    worker: &(dyn Fn(&WorkerHandle<R>) + Sync),
    handle_outcome: &mut dyn FnMut(usize, R) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let batch = (item_count / threads / BATCHES_PER_THREAD).clamp(1, MAX_ITEMS_PER_BATCH);
    let (sender, outcomes) = channel();
    thread::scope(|scope| {
        let share = || WorkerHandle { next_item_index: &next, item_count, batch, outcome_sender: sender.clone() };
        let start = |share| thread::Builder::new().spawn_scoped(scope, move || worker(&share)).is_ok();
        let started = (0..threads).filter(|_| start(share())).count();
        if started == 0 {
            // The system has no thread to give.
            worker(&share());
        }
        drop(sender);
        let (mut wanted, mut early) = (0, BTreeMap::new());
        for (from, batch) in outcomes {
            early.insert(from, batch);
            while let Some(batch) = early.remove(&wanted) {
                for outcome in batch {
                    handle_outcome(wanted, outcome)?;
                    wanted += 1;
                }
            }
        }
        Ok(())
    })
}

#[cfg(test)]
#[path = "../../tests/unit/cli/jobs.rs"]
mod tests;
