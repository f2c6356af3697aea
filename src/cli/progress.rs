//! A progress bar on standard error, for work that takes more than a second on a terminal.

use std::fs::File;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressBarIter, ProgressDrawTarget, ProgressStyle};

/// How long work takes without a bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// The progress of some work. Clones share the bar, which disappears with the first of them.
#[derive(Clone)]
pub(super) struct Progress {
    bar: ProgressBar,
    /// When the bar appears, unless it has.
    due: Option<Instant>,
}

impl Progress {
    /// So many files to check.
    pub(super) fn of_files(count: usize) -> Progress {
        Progress::new(count as u64, "{bar:30} {pos} of {len} files")
    }

    /// So many bytes to read.
    pub(super) fn of_bytes(count: u64) -> Progress {
        Progress::new(count, "{bar:30} {binary_bytes} of {binary_total_bytes}")
    }

    #[expect(clippy::expect_used, reason = "the callers write valid templates")]
    fn new(count: u64, template: &str) -> Progress {
        let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(template).expect("the template is valid");
        Progress { bar: bar.with_style(style.progress_chars("=> ")), due: Some(Instant::now() + PATIENCE) }
    }

    /// A file whose bytes count as they are read.
    pub(super) fn reading(&self, file: File) -> ProgressBarIter<File> {
        self.bar.wrap_read(file)
    }

    /// One more is done.
    pub(super) fn advance(&self) {
        self.bar.inc(1);
    }

    /// Shows the bar if the work has taken long.
    pub(super) fn look(&mut self) {
        if self.due.is_some_and(|due| Instant::now() >= due) {
            self.due = None;
            self.bar.set_draw_target(ProgressDrawTarget::stderr()); // Shows nothing unless that is a terminal.
        }
    }

    /// Writes something without the bar in between.
    pub(super) fn aside<R>(&self, write: impl FnOnce() -> R) -> R {
        self.bar.suspend(write)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
