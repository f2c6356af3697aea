//! Checks records that are already in memory: against a type, with the crate `jsonschema` against a schema that says the
//! same, and with code that was written for these records alone. Prints the times as JSON Lines.
//!
//! ```text
//! cargo run --release --manifest-path benches/records/Cargo.toml
//! ```
//!
//! It watches the goal that checking data takes no longer than with `jsonschema`. The three take turns, so that a busy machine is as busy for each of them. All have to find the same records wrong.

mod by_hand;
mod made;
mod schema;

use std::hint::black_box;

use by_hand::ByHand;
use cpu_time::ProcessTime;
use pcore::data::{Format, read};
use pcore::session::Session;
use pcore::text::Source;
use pcore::types::Type;
use pcore::value::Value;
use schema::schema;
use serde_json::json;

const RECORDS: usize = 20_000;
const RUNS: usize = 21;

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let records = made::hosts(RECORDS);
    let text = serde_json::to_string(&records).expect("records are JSON");
    let source = Source::new("hosts.json", text);
    let reading: Vec<f64> = (0..5).map(|_| seconds(|| black_box(read(Format::Json, &source).is_ok())).1).collect();
    let document = read(Format::Json, &source).expect("it is JSON");
    let Value::Array(values) = document.value else { panic!("an array") };

    let validator = jsonschema::validator_for(&schema()).expect("the schema is right");
    let by_hand = ByHand::new();

    let mut times = [const { Vec::new() }; 3];
    for _ in 0..RUNS {
        // Values remember what a type has said about them: each run asks a new one.
        let type_ = host_type();
        let (by_type, time) = seconds(|| values.iter().filter(|value| type_.has_instance(value)).count());
        times[0].push(time);
        let (by_schema, time) = seconds(|| records.iter().filter(|record| validator.is_valid(record)).count());
        times[1].push(time);
        let (by_code, time) = seconds(|| records.iter().filter(|record| by_hand.is_host(record)).count());
        times[2].push(time);
        assert_eq!((by_type, by_type), (by_schema, by_code), "all find the same records right");
    }
    let [by_type, by_schema, by_code] = times.map(median);
    println!("{}", json!({"step": "read", "bytes": source.text().len(), "seconds": median(reading)}));
    for (checker, time) in [("type", by_type), ("jsonschema", by_schema), ("by hand", by_code)] {
        let per_second = (RECORDS as f64 / time).round();
        println!("{}", json!({"step": "check", "by": checker, "seconds": time, "records_per_second": per_second}));
    }
    println!("{}", json!({"of jsonschema": by_type / by_schema, "of by hand": by_type / by_code}));
}

/// The answer, and the CPU seconds that it took.
fn seconds<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let before = ProcessTime::now();
    let answer = black_box(work());
    (answer, before.elapsed().as_secs_f64())
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn host_type() -> Type {
    let text = format!("{}\nBHost", include_str!("host_records.pp"));
    match Session::default().evaluate(&Source::new("host_records.pp", text), &mut |_| {}) {
        Ok(Value::Type(type_)) => type_,
        other => panic!("no type: {other:?}"),
    }
}
