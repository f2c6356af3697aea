//! A progress bar on standard error, for work that takes more than a second on a terminal.

use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(1);

const PERIOD: Duration = Duration::from_millis(100);

const COLUMNS: usize = 30;

const CLEAR_LINE: &str = "\r\x1b[2K";

pub(super) struct Progress {
    pub(super) done: Counter,
    total: u64,
    unit: &'static str,
    /// The unit is 2 to this power.
    shift: u32,
    /// When the bar is drawn next; `None` if standard error is not a terminal.
    due: Option<Instant>,
    is_shown: bool,
}

impl Progress {
    pub(super) fn of_files(count: usize) -> Progress {
        Progress::new(count as u64, "files", 0)
    }

    pub(super) fn of_bytes(count: u64) -> Progress {
        Progress::new(count, "MiB", 20)
    }

    fn new(total: u64, unit: &'static str, shift: u32) -> Progress {
        let due = io::stderr().is_terminal().then(|| Instant::now() + PATIENCE);
        Progress { done: Counter::default(), total, unit, shift, due, is_shown: false }
    }

    /// Updates the bar, if the work has taken long.
    pub(super) fn look(&mut self) {
        if self.due.is_some_and(|due| Instant::now() >= due) {
            self.due = Some(Instant::now() + PERIOD);
            self.is_shown = true;
            draw(&format!("{CLEAR_LINE}{}", self.line()));
        }
    }

    /// Writes something without the bar in between.
    pub(super) fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.clear();
        let result = write();
        if self.is_shown {
            draw(&self.line());
        }
        result
    }

    /// `===============>               300 of 600 files`
    fn line(&self) -> String {
        let done = self.done.0.load(Ordering::Relaxed).min(self.total);
        let filled = (COLUMNS as u64 * done).checked_div(self.total).unwrap_or(0);
        let bar = format!("{:=<1$}>", "", usize::try_from(filled).unwrap_or(COLUMNS));
        let count = format!("{} of {} {}", done >> self.shift, self.total >> self.shift, self.unit);
        format!("{bar:<0$} {count}", COLUMNS + 1)
    }

    fn clear(&self) {
        if self.is_shown {
            draw(CLEAR_LINE);
        }
    }
}

fn draw(text: &str) {
    // Whoever closes standard error sees no bar.
    let _ = io::stderr().write_all(text.as_bytes());
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// How much is done. Clones count together.
#[derive(Clone, Default)]
pub(super) struct Counter(Arc<AtomicU64>);

impl Counter {
    pub(super) fn add(&self, count: usize) {
        self.0.fetch_add(count as u64, Ordering::Relaxed);
    }

    /// A file whose bytes count as they are read.
    pub(super) fn reading(&self, file: File) -> Counted {
        Counted { file, counter: self.clone() }
    }
}

pub(super) struct Counted {
    file: File,
    counter: Counter,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.counter.add(count);
        Ok(count)
    }
}
