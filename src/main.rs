//! The program `pcore`: arguments in, a driver of the session chosen, an exit code out.
//!
//! Everything that reads or prints is in [`repl`]; the answers come from the library.

mod repl;

use std::process::ExitCode;

fn main() -> ExitCode {
    repl::main()
}
