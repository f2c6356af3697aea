//! Evaluates small programs several times in one process and prints the timings as JSON Lines.
//!
//! ```text
//! cargo bench --bench programs                      every program of benches/programs
//! cargo bench --bench programs -- arith_reduce      those whose names contain the word
//! ```
//!
//! Each run is the whole way of one program in a fresh session: reading, compiling, evaluating. A program's second line
//! tells what it does, its first how many elementary operations that is. The notices must be the same in every run.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark that fails may stop")]

mod measure;

use std::fs;

use measure::median;
use serde_json::json;

const WARM_UPS: usize = 2;
const RUNS: usize = 11;

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    for (name, file) in measure::programs() {
        println!("{}", measured(&name, &fs::read_to_string(&file).expect("a program is readable")));
    }
}

fn measured(name: &str, text: &str) -> serde_json::Value {
    let operations: Option<f64> =
        text.lines().next().and_then(|line| line.strip_prefix("# ops:")).and_then(|count| count.trim().parse().ok());
    match measure::run(name, text, WARM_UPS, RUNS) {
        Ok(runs) => json!({
            "file": name,
            "result": runs.notices,
            "seconds": spread(&runs.wall),
            "cpu_seconds": spread(&runs.cpu),
            "ops_per_s": operations.zip(median(&runs.wall)).map(|(count, seconds)| (count / seconds).round()),
        }),
        Err(error) => json!({"file": name, "error": error}),
    }
}

/// Median, minimum and maximum of ascending measurements.
fn spread(seconds: &[f64]) -> serde_json::Value {
    json!({"median": median(seconds), "min": seconds.first(), "max": seconds.last()})
}
