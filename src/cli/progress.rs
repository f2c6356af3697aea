//! A progress bar on standard error, for work that takes more than a second on a terminal.

use std::fs::File;
use std::io::{self, IsTerminal, Seek, Write};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(1);

const PERIOD: Duration = Duration::from_millis(100);

const COLUMNS: usize = 30;

const CLEAR_LINE: &str = "\r\x1b[2K";

pub(super) struct Progress {
    /// How much is done, unless it is read from a file.
    pub(super) done: u64,
    file: Option<File>,
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
        let due = io::stderr().is_terminal().then(|| Instant::now() + PATIENCE);
        Progress { done: 0, file: None, total: count as u64, unit: "files", shift: 0, due, is_shown: false }
    }

    /// The bytes of a file, which are done as they are read.
    pub(super) fn of_bytes(file: Option<&File>) -> Progress {
        let total = file.and_then(|file| file.metadata().ok()).map_or(0, |metadata| metadata.len());
        // A clone has the position of the file.
        let file = file.and_then(|file| file.try_clone().ok());
        Progress { file, total, unit: "MiB", shift: 20, ..Progress::of_files(0) }
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
        let read = self.file.as_ref().and_then(|mut file| file.stream_position().ok());
        let done = read.unwrap_or(self.done).min(self.total);
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
