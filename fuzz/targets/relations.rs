//! Two types, on two lines: what one accepts, the common type accepts, too.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use pcore::text::Source;

fuzz_target!(|text: &str| {
    let Some((left, right)) = text.split_once("\n") else { return };
    let mut session = common::session();
    let mut type_of = |text: &str| session.evaluate_type(&Source::new("type", text));
    let (Ok(left), Ok(right)) = (type_of(left), type_of(right)) else { return };
    let _ = session.run_within_limits(|_| {
        let (forth, back) = (left.accepts(&right), right.accepts(&left));
        assert!(left.accepts(&left), "{left} does not accept itself");
        if left == right {
            assert!(forth && back, "{left}");
        }
        left.to_string()
    });
});
