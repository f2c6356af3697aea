//! Memory that a long-lived process no longer needs goes back to the system.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Where glibc reads its settings, once, at the start of a process.
const SETTINGS: &str = "GLIBC_TUNABLES";

/// Whether small pieces of memory that were freed are kept apart. Where they are, they hold on to all memory between them:
/// hundreds of MiB after an evaluation that reached its limit.
const SETTING: &str = "glibc.malloc.mxfast";

/// Starts the program anew in this process so that glibc gives memory back; everything is as before otherwise. Where that
/// is not possible the process goes on as it is.
pub(super) fn give_back() {
    let settings = env::var(SETTINGS).unwrap_or_default();
    let Ok(program) = env::current_exe() else { return };
    if !cfg!(all(target_os = "linux", target_env = "gnu", not(feature = "mimalloc"))) || settings.contains(SETTING) {
        return;
    }
    let own = format!("{SETTING}=0");
    let all = if settings.is_empty() { own } else { format!("{settings}:{own}") };
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    let _ = Command::new(program).arg0(name).args(arguments).env(SETTINGS, all).exec();
}
