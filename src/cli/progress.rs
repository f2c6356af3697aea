//! A progress bar on standard error, for work that takes more than a second on a terminal.

use std::fs::File;
use std::io::{self, IsTerminal, Seek, Write};
use std::time::{Duration, Instant};

const DELAY_BEFORE_FIRST_DRAW: Duration = Duration::from_secs(1);

const REDRAW_INTERVAL: Duration = Duration::from_millis(100);

const BAR_COLUMNS: usize = 30;

const CLEAR_LINE: &str = "\r\x1b[2K";

pub(super) struct ProgressBar {
    /// The number of files that are done; unused if the bar shows the position in `measured_file`.
    pub(super) done_count: u64,
    measured_file: Option<File>,
    total: u64,
    unit: &'static str,
    /// The counts in the bar are divided by 2 to this power: 20 for MiB.
    unit_shift: u32,
    /// The time from which the bar may be drawn again; `None` if standard error is not a terminal, so no bar is drawn.
    next_draw: Option<Instant>,
    is_shown: bool,
}

impl ProgressBar {
    pub(super) fn for_file_count(count: usize) -> ProgressBar {
        let due = io::stderr().is_terminal().then(|| Instant::now() + DELAY_BEFORE_FIRST_DRAW);
        ProgressBar {
            done_count: 0,
            measured_file: None,
            total: count as u64,
            unit: "files",
            unit_shift: 0,
            next_draw: due,
            is_shown: false,
        }
    }

    pub(super) fn for_file_bytes(file: Option<&File>) -> ProgressBar {
        let total = file.and_then(|file| file.metadata().ok()).map_or(0, |metadata| metadata.len());
        // A clone has the position of the file.
        let file = file.and_then(|file| file.try_clone().ok());
        ProgressBar { measured_file: file, total, unit: "MiB", unit_shift: 20, ..ProgressBar::for_file_count(0) }
    }

    /// Redraws the bar, at most every [`REDRAW_INTERVAL`], once the work has taken longer than [`DELAY_BEFORE_FIRST_DRAW`].
    pub(super) fn redraw_if_due(&mut self) {
        if self.next_draw.is_some_and(|due| Instant::now() >= due) {
            self.next_draw = Some(Instant::now() + REDRAW_INTERVAL);
            self.is_shown = true;
            write_to_stderr(&format!("{CLEAR_LINE}{}", self.bar_line()));
        }
    }

    pub(super) fn write_without_bar<R>(&self, write: impl FnOnce() -> R) -> R {
        self.clear_bar();
        let result = write();
        if self.is_shown {
            write_to_stderr(&self.bar_line());
        }
        result
    }

    /// Returns the bar: `===============>               300 of 600 files`
    fn bar_line(&self) -> String {
        let read = self.measured_file.as_ref().and_then(|mut file| file.stream_position().ok());
        let done = read.unwrap_or(self.done_count).min(self.total);
        let filled = (BAR_COLUMNS as u64 * done).checked_div(self.total).unwrap_or(0);
        let bar = format!("{:=<1$}>", "", usize::try_from(filled).unwrap_or(BAR_COLUMNS));
        let count = format!("{} of {} {}", done >> self.unit_shift, self.total >> self.unit_shift, self.unit);
        format!("{bar:<0$} {count}", BAR_COLUMNS + 1)
    }

    fn clear_bar(&self) {
        if self.is_shown {
            write_to_stderr(CLEAR_LINE);
        }
    }
}

fn write_to_stderr(text: &str) {
    // Whoever closes standard error sees no bar.
    let _ = io::stderr().write_all(text.as_bytes());
}

impl Drop for ProgressBar {
    fn drop(&mut self) {
        self.clear_bar();
    }
}
