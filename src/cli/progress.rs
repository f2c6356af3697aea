//! A progress bar on standard error, for work that takes more than a second on a terminal.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(1);

const PERIOD: Duration = Duration::from_millis(100);

const COLUMNS: usize = 30;

const CLEAR_LINE: &str = "\r\x1b[2K";

pub(super) struct Progress {
    /// How many files are done.
    pub(super) done: usize,
    total: usize,
    /// When the bar is drawn next; `None` if standard error is not a terminal.
    due: Option<Instant>,
    is_shown: bool,
}

impl Progress {
    pub(super) fn of_files(total: usize) -> Progress {
        let due = io::stderr().is_terminal().then(|| Instant::now() + PATIENCE);
        Progress { done: 0, total, due, is_shown: false }
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
        let filled = (COLUMNS * self.done).checked_div(self.total).unwrap_or(0);
        let bar = format!("{:=<filled$}>", "");
        format!("{bar:<0$} {1} of {2} files", COLUMNS + 1, self.done, self.total)
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
