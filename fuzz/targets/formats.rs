//! A format on the first line, values below: numbers, strings, Timespans, Timestamps in that format.
#![no_main]

mod common;

use libfuzzer_sys::fuzz_target;
use pcore::value::Value;

const PROGRAMS: [&str; 8] = [
    "String($value, $format)",
    "sprintf($format, $value)",
    "String(Integer($value), $format)",
    "String(Float($value), $format)",
    "Timestamp($value, $format)",
    "Timespan($value, $format)",
    "strftime(Timestamp($value), $format)",
    "strftime(Timespan(Integer($value)), $format)",
];

fuzz_target!(|text: &str| {
    let (format, value) = text.split_once("\n").unwrap_or((text, "80"));
    for program in PROGRAMS {
        let mut session = common::session();
        session.set_variable("format", Value::from(format));
        session.set_variable("value", Value::from(value));
        let _ = session.eval(program);
    }
});
