//! The program `pcore`: [`cli`] parses the arguments, runs a subcommand or the prompt, and returns the exit code.
//!
//! Everything that reads or prints is in [`cli`]; parsing, evaluation and checks are in the library.

mod cli;

use std::process::ExitCode;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
