//! A type on the first line, YAML data below: the data are checked against the type, and the program against itself.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use pcore::check::{Checker, Program, against};
use pcore::data::{self, Format};
use pcore::text::Source;

fuzz_target!(|text: &str| {
    let mut session = common::session();
    let (type_, rest) = text.split_once("\n").unwrap_or((text, "1"));
    if let (Ok(type_), Ok(document)) = (
        session.evaluate_type(&Source::new("type", type_)),
        data::read(Format::Yaml, &Source::new("data.yaml", rest)),
    ) {
        let _ = session.run_within_limits(|_| against(&document, &type_).findings.len());
    }
    session.close();
    let mut session = common::session();
    let program = Program::new(Source::new("text", text));
    let mut checker = Checker::new(&mut session, []);
    checker.add_programs([&program]);
    let _ = checker.check_source(&program);
    session.close();
});
