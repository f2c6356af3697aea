//! Recursive aliases and Object types, and every question about them.
#![no_main]

mod common;
#[path = "../../tests/it/recursive/program.rs"]
mod program;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| program::ask(&program::program(bytes), common::session()));
