//! The cost of a key press: an entry of 200 lines is typed into a session with 500 aliases, and after each key the entry
//! is highlighted, its signature looked up, and the word completed. Prints the times as JSON Lines.
//!
//! ```text
//! cargo bench --bench typing
//! ```
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark that fails may stop")]

use std::hint::black_box;
use std::time::Instant;

use pcore::assist::{SymbolIndex, complete, highlight, signature_help};
use pcore::session::Session;
use serde_json::json;

const ALIASES: usize = 500;
const LINES: usize = 200;

/// The number of last keys that are measured, when the entry is longest.
const KEYS: usize = 2_000;

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let mut session = Session::default();
    for number in 0..ALIASES {
        session.eval(&format!("type Net::Alias{number} = Integer[{number}]")).expect("a definition");
    }
    let before = Instant::now();
    let symbols = SymbolIndex::of(&session);
    println!("{}", json!({"step": "symbols, once for each entry", "milliseconds": milliseconds(before)}));

    let line = |number| {
        format!("$v{number} = [1, 'two', \"at ${{$v{number}}}\"].filter |$x| {{ $x =~ Net::Alias{number} }} # kept")
    };
    let lines: Vec<String> = (0..LINES).map(line).collect();
    let entry = lines.join("\n");
    let ends: Vec<usize> = entry.char_indices().map(|(at, letter)| at + letter.len_utf8()).collect();
    let ends = &ends[ends.len().saturating_sub(KEYS)..];

    let mut times = Vec::new();
    for &end in ends {
        let typed = &entry[..end];
        let before = Instant::now();
        black_box(highlight(typed, Some(end), &symbols));
        let highlighted = milliseconds(before);
        black_box(signature_help(typed, end, &symbols));
        let hinted = milliseconds(before);
        black_box(complete(typed, end, &symbols));
        times.push([highlighted, hinted - highlighted, milliseconds(before) - hinted, milliseconds(before)]);
    }
    for (number, step) in ["highlighting", "signature", "completion", "all"].into_iter().enumerate() {
        let mut of_step: Vec<f64> = times.iter().map(|times| times[number]).collect();
        of_step.sort_by(f64::total_cmp);
        let share = |percent: usize| of_step[(of_step.len() - 1) * percent / 100];
        println!(
            "{}",
            json!({"step": step, "keys": of_step.len(), "median": share(50), "99%": share(99), "max": share(100), "unit": "ms"})
        );
    }
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}
