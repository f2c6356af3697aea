//! Returns freed memory to the system in long-lived processes.

use std::{env, os::unix::process::CommandExt, process::Command};

/// The setting of glibc that makes it return small freed chunks at once: otherwise they can hold hundreds of MiB.
const MALLOC_SETTING: &str = "glibc.malloc.mxfast=0";

/// Makes the allocator return freed memory to the system, by re-executing the program in this process with
/// [`MALLOC_SETTING`]. Does nothing if the allocator is not glibc's or the setting is already set.
pub(super) fn exec_with_malloc_setting() {
    let is_glibc = cfg!(all(target_os = "linux", target_env = "gnu", not(feature = "mimalloc")));
    let settings = env::var("GLIBC_TUNABLES").unwrap_or_default();
    let Ok(program) = env::current_exe() else { return };
    if is_glibc && !settings.contains("glibc.malloc.mxfast") {
        let all = format!("{settings}:{MALLOC_SETTING}");
        let mut arguments = env::args_os();
        let name = arguments.next().unwrap_or_default();
        let all = all.trim_start_matches(':');
        let _ = Command::new(program).arg0(name).args(arguments).env("GLIBC_TUNABLES", all).exec();
    }
}
