//! Any program gives a value or an error, which can be shown.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use pcore::text::Source;
use pcore::format;

fuzz_target!(|text: &str| {
    let mut session = common::session();
    let outcome = session.evaluate(&Source::new("text", text), &mut |_| {});
    let _ = session.run_within_limits(|_| match &outcome {
        Ok(value) => drop(format::program_text(value)),
        Err(error) => drop(error.to_string()),
    });
    session.close();
});
