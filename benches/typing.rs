//! What a key press costs: an entry of 200 lines is typed into a session with 500 aliases, and each key is answered with
//! colours, a hint and, as if Tab followed it, what could complete the word. Prints the times as JSON Lines.
//!
//! ```text
//! cargo bench --bench typing
//! ```
//!
//! Drawing on the terminal is not measured: that is the terminal's work.

#![allow(
    dead_code,
    unused_imports,
    reason = "the tests in the files of the prompt do not run here, and it shows more than what is typed"
)]

#[path = "../src/cli/continuation.rs"]
mod continuation;
#[path = "../src/cli/highlight.rs"]
mod highlight;
#[path = "../src/cli/hint.rs"]
mod hint;
#[path = "../src/cli/show.rs"]
mod show;

use std::hint::black_box;
use std::time::Instant;

use pcore::assist::completion;
use pcore::assist::symbols::Names;
use pcore::session::Session;
use serde_json::json;
use show::Palette;

const ALIASES: usize = 500;
const LINES: usize = 200;
const HISTORY_ENTRIES: usize = 10_000;

/// How many of the last keys are measured, when the entry is longest.
const KEYS: usize = 2_000;

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let mut session = Session::default();
    for number in 0..ALIASES {
        session.enter(&format!("type Net::Alias{number} = Integer[{number}]"), &mut |_| {});
    }
    let before = Instant::now();
    let names = Names::of(&session);
    println!("{}", json!({"step": "names, once for each entry", "milliseconds": milliseconds(before)}));

    let line = |number| {
        format!("$v{number} = [1, 'two', \"at ${{$v{number}}}\"].filter |$x| {{ $x =~ Net::Alias{number} }} # kept")
    };
    let lines: Vec<String> = (0..LINES).map(line).collect();
    let entry = continuation::marked(&lines.join("\n"));
    let history: Vec<String> = (0..HISTORY_ENTRIES).map(|number| format!("{number} + {number}")).collect();
    let ends: Vec<usize> = entry.char_indices().map(|(at, letter)| at + letter.len_utf8()).collect();
    let ends = &ends[ends.len().saturating_sub(KEYS)..];

    let mut times = Vec::new();
    for &end in ends {
        let typed = &entry[..end];
        let before = Instant::now();
        black_box(highlight::painted(typed, Some(end), &names, Palette::Coloured));
        let coloured = milliseconds(before);
        black_box(hint::hint(typed, &names, history.iter().rev(), Palette::Coloured));
        let hinted = milliseconds(before);
        black_box(completion::candidates(typed, "", &names));
        times.push([coloured, hinted - coloured, milliseconds(before) - hinted, milliseconds(before)]);
    }
    for (number, step) in ["colours", "hint", "completion", "all"].into_iter().enumerate() {
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
