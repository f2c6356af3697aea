//! Work on many items by several threads. The outcomes come in the order of the items.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::{io, thread};

/// How many threads to start for so many parts of the work; `wanted` is 0 for all cores.
pub(super) fn threads(wanted: usize, parts: usize) -> usize {
    let most = if wanted == 0 { thread::available_parallelism().map_or(1, usize::from) } else { wanted };
    most.min(parts).max(1)
}

/// How many items a thread takes at most at once: waking the one that waits for the outcomes takes as long as a small item.
const MAX_BATCH: usize = 16;

/// How many batches there are for each thread, so that all are done at about the same time.
const BATCHES: usize = 32;

/// The items that are left, as one thread sees them.
pub(super) struct Share<'a, R> {
    next: &'a AtomicUsize,
    count: usize,
    batch: usize,
    /// Receives the outcomes of a batch and the number of its first item; returns whether to continue. The iterator may be
    /// lazy: each `next` then does the work of one item.
    take: &'a dyn Fn(usize, &mut dyn Iterator<Item = R>) -> bool,
}

impl<R> Share<'_, R> {
    /// Does `work` for each item that no other thread has taken, by its number.
    pub(super) fn each(&self, mut work: impl FnMut(usize) -> R) {
        loop {
            let from = self.next.fetch_add(self.batch, Ordering::Relaxed);
            let items = from..self.count.min(from + self.batch);
            if items.is_empty() || !(self.take)(from, &mut items.map(&mut work)) {
                return;
            }
        }
    }
}

/// Runs `worker` on `threads` threads, including the current one, which share `count` items. Calls `each` on the current
/// thread, in item order.
///
/// # Errors
/// Those of `each`, after which no further item is begun.
///
/// # Panics
/// When `worker` panics.
pub(super) fn in_order<R: Send>(
    threads: usize,
    count: usize,
    worker: &(dyn Fn(&Share<R>) + Sync),
    each: &mut dyn FnMut(usize, R) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let batch = if threads == 1 { 1 } else { (count / threads / BATCHES).clamp(1, MAX_BATCH) };
    let (sender, outcomes) = channel();
    let in_turn = RefCell::new(InTurn { each, wanted: 0, early: BTreeMap::new(), ended: Ok(()) });
    thread::scope(|scope| {
        for _ in 1..threads {
            let (sender, next) = (sender.clone(), &next);
            // Where the system has no thread to give, the others do its work.
            let _ = thread::Builder::new().spawn_scoped(scope, move || {
                let take = |from, outcomes: &mut dyn Iterator<Item = R>| {
                    sender.send((from, outcomes.collect::<Vec<_>>())).is_ok()
                };
                worker(&Share { next, count, batch, take: &take });
            });
        }
        drop(sender);
        let take = |from, own: &mut dyn Iterator<Item = R>| {
            let mut in_turn = in_turn.borrow_mut();
            in_turn.add(from, own);
            for (from, batch) in outcomes.try_iter() {
                in_turn.add(from, batch);
            }
            in_turn.ended.is_ok()
        };
        worker(&Share { next: &next, count, batch, take: &take });
        let mut in_turn = in_turn.into_inner();
        while in_turn.ended.is_ok()
            && let Ok((from, batch)) = outcomes.recv()
        {
            in_turn.add(from, batch);
        }
        // The other threads stop when their channel is closed.
        drop(outcomes);
        in_turn.ended
    })
}

/// Passes outcomes on in item order.
struct InTurn<'e, R> {
    each: &'e mut dyn FnMut(usize, R) -> io::Result<()>,
    /// The number of the next item to pass on.
    wanted: usize,
    /// Batches that arrived early, by the number of their first item.
    early: BTreeMap<usize, Vec<R>>,
    ended: io::Result<()>,
}

impl<R> InTurn<'_, R> {
    fn add(&mut self, from: usize, batch: impl IntoIterator<Item = R>) {
        if from == self.wanted {
            self.forward(batch);
        } else {
            self.early.insert(from, batch.into_iter().collect());
        }
        while let Some(batch) = self.early.remove(&self.wanted) {
            self.forward(batch);
        }
    }

    fn forward(&mut self, batch: impl IntoIterator<Item = R>) {
        let mut batch = batch.into_iter();
        while self.ended.is_ok()
            && let Some(outcome) = batch.next()
        {
            self.ended = (self.each)(self.wanted, outcome);
            self.wanted += 1;
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/cli/jobs.rs"]
mod tests;
