//! Limits of time and memory: each evaluation regularly checks the clock and the memory of the process.

use std::time::{Duration, Instant};
use std::{fs::File, io::Read};

use pcore::limits::{Limit, Limits};
use pcore::session::Interrupt;

/// How often the memory is measured. A program can fill about 10 MiB in that time by copying strings.
const MEMORY_CHECK_INTERVAL: Duration = Duration::from_millis(2);

pub(super) struct WatchGuard(Interrupt);

impl Drop for WatchGuard {
    fn drop(&mut self) {
        self.0.set_limit_watch(None);
    }
}

/// Raises `interrupt` when the limit of memory or time is exceeded before the returned guard is dropped.
pub(super) fn watch_limits(interrupt: Interrupt, limits: Limits) -> WatchGuard {
    let since = Instant::now();
    let mut next_look = MEMORY_CHECK_INTERVAL;
    let mut memory_before = None;
    let most = move |limit: Limit| limit.row().format_quantity(limits.get(limit));
    interrupt.set_limit_watch(Some(Box::new(move || {
        let elapsed = since.elapsed();
        if elapsed > Duration::from_millis(limits.get(Limit::Time)) {
            return Some(format!("took longer than {}", most(Limit::Time)).into());
        }
        if elapsed < next_look {
            return None;
        }
        next_look = elapsed + MEMORY_CHECK_INTERVAL;
        let memory = resident_memory();
        let added = memory.saturating_sub(*memory_before.get_or_insert(memory));
        (added > limits.get(Limit::Memory)).then(|| format!("took more than {} of memory", most(Limit::Memory)).into())
    })));
    WatchGuard(interrupt)
}

/// Returns the resident memory of the process in bytes; 0 on systems without `/proc`, where only time is limited.
fn resident_memory() -> u64 {
    const PAGE_BYTES: u64 = 4096;
    // On the stack: a string that is freed here last would keep the allocator from giving back what is below it.
    let mut buffer = [0; 128];
    let length = File::open("/proc/self/statm").and_then(|mut file| file.read(&mut buffer)).unwrap_or(0);
    let statm = buffer.get(..length).and_then(|text| std::str::from_utf8(text).ok()).unwrap_or_default();
    let pages = statm.split_ascii_whitespace().nth(1).and_then(|resident| resident.parse::<u64>().ok());
    pages.unwrap_or(0) * PAGE_BYTES
}
