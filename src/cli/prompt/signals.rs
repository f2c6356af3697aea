//! Signals at the prompt: Ctrl-C interrupts the evaluation; SIGTERM and SIGHUP restore the terminal and exit.

use std::io;

#[cfg(unix)]
pub(super) fn handle_signals(interrupt: impl Fn() + Send + 'static) -> io::Result<()> {
    use rustix::termios::tcgetattr;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let before = tcgetattr(io::stdin()).ok();
    let mut signals = Signals::new([SIGINT, SIGHUP, SIGTERM])?;
    let wait = move || {
        for signal in signals.forever() {
            if signal == SIGINT {
                interrupt();
                continue;
            }
            before.iter().for_each(restore_terminal);
            // The exit code of a process that a signal has ended, as shells give it.
            std::process::exit(128 + signal);
        }
    };
    std::thread::Builder::new().spawn(wait).map(drop)
}

#[cfg(not(unix))]
pub(super) fn handle_signals(interrupt: impl Fn() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(interrupt).map_err(io::Error::other)
}

#[cfg(unix)]
fn restore_terminal(before: &rustix::termios::Termios) {
    use std::io::Write;

    const END_OF_BRACKETED_PASTE: &[u8] = b"\x1b[?2004l";
    // After SIGHUP there may be no terminal any more.
    let _ = rustix::termios::tcsetattr(io::stdin(), rustix::termios::OptionalActions::Now, before);
    let _ = io::stdout().write_all(END_OF_BRACKETED_PASTE).and_then(|()| io::stdout().flush());
}
