//! The program `pcore`: arguments in, a driver of the session chosen, an exit code out.
//!
//! Everything that reads or prints is in [`cli`]; the answers come from the library.

mod cli;

use std::process::ExitCode;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
