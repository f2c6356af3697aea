//! Entries of the prompt, separated by line breaks: programs, commands, questions.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use pcore::session::{Console, Reply};

fuzz_target!(|text: &str| {
    let mut console = Console::from(common::session());
    for entry in text.lines().take(8) {
        if let Reply::Quit = console.enter(entry, &mut |_| {}) {
            break;
        }
    }
    console.session.close();
});
