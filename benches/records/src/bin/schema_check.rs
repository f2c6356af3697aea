//! The small program that `pcore check --type` is compared with: reads records and counts those that the schema accepts.
//!
//! ```text
//! cargo build --release --manifest-path benches/records/Cargo.toml
//! benches/records/run hosts.json
//! ```

#[path = "../schema.rs"]
mod schema;

use std::fs::{self, File};
use std::io::{BufRead, BufReader};

use serde_json::Value;

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let path = std::env::args().nth(1).expect("a file is named");
    let validator = jsonschema::validator_for(&schema::schema()).expect("the schema is right");
    let (mut all, mut right) = (0, 0);
    let mut check = |record: &Value| {
        all += 1;
        right += usize::from(validator.is_valid(record));
    };
    if path.ends_with(".jsonl") {
        for line in BufReader::new(File::open(path).expect("the file can be read")).lines() {
            check(&serde_json::from_str(&line.expect("the file can be read")).expect("a line is JSON"));
        }
    } else {
        let text = fs::read_to_string(path).expect("the file can be read");
        let records: Vec<Value> = serde_json::from_str(&text).expect("the file is an array");
        records.iter().for_each(&mut check);
    }
    println!("{right} of {all}");
}
