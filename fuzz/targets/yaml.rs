//! Any text is Yaml data or rejected.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use pcore::data::{self, Format};
use pcore::text::Source;

fuzz_target!(|text: &str| {
    let _ = common::session().run_within_limits(|_| data::read(Format::Yaml, &Source::new("text", text)).is_ok());
});
