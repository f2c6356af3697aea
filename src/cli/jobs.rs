//! Work on many items by several threads. The outcomes come in the order of the items.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::{io, thread};

/// How many threads to start for so many parts of the work; `wanted` is 0 for all cores.
pub(super) fn threads(wanted: usize, parts: usize) -> usize {
    let most = if wanted == 0 { thread::available_parallelism().map_or(1, usize::from) } else { wanted };
    most.min(parts).max(1)
}

/// The items that are left, as one thread sees them.
pub(super) struct Share<'a, R> {
    next: &'a AtomicUsize,
    count: usize,
    outcomes: Sender<(usize, R)>,
}

impl<R> Share<'_, R> {
    /// Does `work` for each item that no other thread has taken, by its number.
    pub(super) fn each(&self, mut work: impl FnMut(usize) -> R) {
        loop {
            let at = self.next.fetch_add(1, Ordering::Relaxed);
            if at >= self.count || self.outcomes.send((at, work(at))).is_err() {
                return;
            }
        }
    }
}

/// Runs `worker` on so many threads, which share `count` items. `each` is called on this thread, in the order of the items.
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
    let (sender, outcomes) = channel();
    thread::scope(|scope| {
        for _ in 0..threads {
            let share = Share { next: &next, count, outcomes: sender.clone() };
            scope.spawn(move || worker(&share));
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (at, outcome) in outcomes {
            early.insert(at, outcome);
            while let Some(outcome) = early.remove(&wanted) {
                each(wanted, outcome)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_come_in_order_whoever_is_done_first() {
        for threads in [1, 2, 7] {
            let mut outcomes = Vec::new();
            let worker = |share: &Share<usize>| {
                share.each(|at| {
                    thread::sleep(std::time::Duration::from_micros(u64::from(at % 3 == 0) * 300));
                    at * at
                });
            };
            let mut each = |at: usize, square: usize| {
                outcomes.push((at, square));
                Ok(())
            };
            in_order(threads, 40, &worker, &mut each).unwrap();
            assert_eq!(outcomes, (0..40).map(|at| (at, at * at)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_ends_the_work() {
        let worker = |share: &Share<()>| share.each(|_| ());
        let mut each = |at: usize, ()| if at == 3 { Err(io::Error::other("full")) } else { Ok(()) };
        assert_eq!(in_order(2, 1_000_000, &worker, &mut each).unwrap_err().to_string(), "full");
    }
}
