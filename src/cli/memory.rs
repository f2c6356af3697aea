//! Returns freed memory to the system in long-lived processes.

use std::env;
use std::os::unix::process::CommandExt;
use std::process::Command;

/// Executes the program again in this process, so that glibc releases the memory around small freed chunks: hundreds of MiB
/// after an evaluation that hit its limit. Does nothing with another allocator, or if glibc has settings already.
pub(super) fn give_back() {
    let is_glibc = cfg!(all(target_os = "linux", target_env = "gnu", not(feature = "mimalloc")));
    if let (true, Err(_), Ok(program)) = (is_glibc, env::var("GLIBC_TUNABLES"), env::current_exe()) {
        let mut arguments = env::args_os();
        let name = arguments.next().unwrap_or_default();
        let _ = Command::new(program).arg0(name).args(arguments).env("GLIBC_TUNABLES", "glibc.malloc.mxfast=0").exec();
    }
}
