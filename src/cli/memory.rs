//! Returns freed memory to the system in long-lived processes.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The environment variable that glibc reads its settings from when a process starts.
const SETTINGS: &str = "GLIBC_TUNABLES";

/// The largest size of the freed chunks that glibc keeps in separate lists. These chunks prevent it from releasing the memory
/// around them: hundreds of MiB after an evaluation that hit its limit.
const SETTING: &str = "glibc.malloc.mxfast";

/// Executes the program again in this process, with [`SETTING`] set to 0. Does nothing if it is already set, if another
/// allocator is used, or if the program cannot be executed.
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
