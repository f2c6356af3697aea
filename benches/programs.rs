//! Evaluates small programs several times in one process and prints the timings as JSON Lines.
//!
//! ```text
//! cargo bench --bench programs                      every program of benches/programs
//! cargo bench --bench programs -- arith_reduce      those whose names contain the word
//! ```
//!
//! Each run is the whole way of one program in a fresh session: reading, compiling, evaluating. A program's second line
//! tells what it does, its first how many elementary operations that is. The notices must be the same in every run.

mod measure;

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use measure::cpu_seconds;
use pcore::session::{Event, Session};
use pcore::text::Source;
use serde_json::json;

const WARM_UPS: usize = 2;
const RUNS: usize = 11;

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches/programs");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the programs are here").flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        let name = file.file_stem().expect("a program has a name").to_string_lossy().into_owned();
        if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
            println!("{}", measured(&name, &fs::read_to_string(&file).expect("a program is readable")));
        }
    }
}

fn measured(name: &str, text: &str) -> serde_json::Value {
    let operations: Option<f64> =
        text.lines().next().and_then(|line| line.strip_prefix("# ops:")).and_then(|count| count.trim().parse().ok());
    let source = Source::new(name, text);
    let mut expected = None;
    let (mut wall, mut cpu) = (Vec::new(), Vec::new());
    for run in 0..WARM_UPS + RUNS {
        let (wall_before, cpu_before) = (Instant::now(), cpu_seconds());
        let notices = evaluated(&source);
        let (wall_after, cpu_after) = (wall_before.elapsed().as_secs_f64(), cpu_seconds());
        let notices = match notices {
            Ok(notices) => notices,
            Err(error) => return json!({"file": name, "error": error}),
        };
        assert_eq!(*expected.get_or_insert_with(|| notices.clone()), notices, "{name} answers differently");
        if run >= WARM_UPS {
            wall.push(wall_after);
            cpu.extend(cpu_before.zip(cpu_after).map(|(before, after)| after - before));
        }
    }
    json!({
        "file": name,
        "result": expected,
        "seconds": spread(&mut wall),
        "cpu_seconds": spread(&mut cpu),
        "ops_per_s": operations.map(|count| (count / wall[wall.len() / 2]).round()),
    })
}

/// Median, minimum and maximum; nothing where nothing was measured. Sorts the measurements.
fn spread(seconds: &mut [f64]) -> serde_json::Value {
    seconds.sort_by(f64::total_cmp);
    let median = seconds.get(seconds.len() / 2);
    json!({"median": median, "min": seconds.first(), "max": seconds.last()})
}

fn evaluated(source: &Arc<Source>) -> Result<Vec<String>, String> {
    let notices = Mutex::new(Vec::new());
    let outcome = Session::default().evaluate(source, &mut |event| {
        if let Event::Log(_, message) = event {
            notices.lock().expect("nobody panicked").push(message);
        }
    });
    outcome.map_err(|error| error.to_string())?;
    Ok(notices.into_inner().expect("nobody panicked"))
}
