//! SIGTERM and SIGHUP at the prompt: the terminal gets back the modes that it had before.

use std::io::{self, Write};
use std::{process, thread};

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;

/// Ends bracketed paste, which the editor begins.
const END_OF_BRACKETED_PASTE: &[u8] = b"\x1b[?2004l";

/// Ends the process at one of the signals, as they do anyway, after tidying the terminal.
pub(super) fn watch() -> io::Result<()> {
    let before = tcgetattr(io::stdin()).ok();
    let mut signals = Signals::new([SIGHUP, SIGTERM])?;
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            before.iter().for_each(restore);
            // The exit code of a process that a signal has ended, as shells give it.
            process::exit(128 + signal);
        }
    };
    thread::Builder::new().spawn(wait).map(drop)
}

fn restore(before: &Termios) {
    // After SIGHUP there may be no terminal any more.
    let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
    let _ = io::stdout().write_all(END_OF_BRACKETED_PASTE).and_then(|()| io::stdout().flush());
}
