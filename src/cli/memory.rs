//! Returns freed memory to the system in long-lived processes.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// The setting of glibc that keeps small freed chunks from holding the memory around them: hundreds of MiB after an evaluation
/// that hit its limit.
const SETTING: &str = "glibc.malloc.mxfast=0";

/// Lets the allocator give freed memory back to the system: executes the program again in this process, with [`SETTING`].
/// Does nothing if the allocator is not that of glibc, or if the setting is there already.
pub(super) fn give_back() {
    let is_glibc = cfg!(all(target_os = "linux", target_env = "gnu", not(feature = "mimalloc")));
    let settings = env::var("GLIBC_TUNABLES").unwrap_or_default();
    let Ok(program) = env::current_exe() else { return };
    if is_glibc && !settings.contains("glibc.malloc.mxfast") {
        let all = format!("{settings}:{SETTING}");
        let mut arguments = env::args_os();
        let name = arguments.next().unwrap_or_default();
        let all = all.trim_start_matches(':');
        let _ = Command::new(program).arg0(name).args(arguments).env("GLIBC_TUNABLES", all).exec();
    }
}
