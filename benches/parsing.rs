//! Reads every `.pp` file below a folder, says how fast that was, and checks that every tree prints and reads back.
//!
//! ```text
//! cargo bench --bench parsing -- FOLDER
//! PCORE_MODULES=FOLDER cargo bench --bench parsing
//! ```
//!
//! Without a folder there is nothing to measure. Then it tells what a mistake in a large file costs: brackets, quotes
//! and braces that nothing closes.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark that fails may stop")]

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use cpu_time::ProcessTime;
use pcore::syntax::{parse, pn::to_pn, printer::print};
use pcore::text::Source;
use serde_json::json;

const RUNS: usize = 11;
const BROKEN_BYTES: usize = 1 << 20;

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let argument = std::env::args().skip(1).find(|word| !word.starts_with("--"));
    if let Some(folder) = argument.map(PathBuf::from).or_else(|| std::env::var_os("PCORE_MODULES").map(PathBuf::from)) {
        let mut sources = Vec::new();
        collect(&folder, &mut sources);
        println!("{}", measured(&sources));
    }
    for (start, line) in OPEN {
        println!("{}", broken(start, line));
    }
}

/// What nothing closes, and the lines that follow it.
const OPEN: [(&str, &str); 7] = [
    ("[", "  'a', $b[c], 1 + 2,\n"),
    ("{", "  'key' => [1, 'two'],\n"),
    ("f(", "  'a', $b[c],\n"),
    ("class c {", "  notify { \"a ${b}\": message => 'text' }\n"),
    ("$x = '", "text of a string\n"),
    ("$x = \"${", "$a + $b[c] +\n"),
    ("@(\"END\")\n", "text of a ${heredoc}\n"),
];

/// Finds the error of a large file.
fn broken(start: &str, line: &str) -> serde_json::Value {
    let source = Source::new("broken.pp", format!("{start}{}", line.repeat(BROKEN_BYTES / line.len())));
    let before = Instant::now();
    let error = parse(&source).expect_err("something is left open");
    let seconds = before.elapsed().as_secs_f64();
    json!({"open": start, "bytes": source.text().len(), "issue": error.code(), "seconds": seconds})
}

/// The `.pp` files below a folder.
fn collect(folder: &Path, sources: &mut Vec<Arc<Source>>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() && !path.is_symlink() {
            collect(&path, sources);
        } else if path.is_file() && path.extension().is_some_and(|ending| ending == "pp") {
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            sources.push(Source::new(path.display().to_string(), text));
        }
    }
}

fn measured(sources: &[Arc<Source>]) -> serde_json::Value {
    for source in sources {
        let tree = parse(source).unwrap_or_else(|error| panic!("{}: {error}", source.name()));
        let printed = Source::new(source.name(), print(&tree));
        let again = parse(&printed).unwrap_or_else(|error| panic!("{} as printed: {error}", source.name()));
        assert_eq!(to_pn(&again), to_pn(&tree), "{} prints as another tree", source.name());
    }
    let bytes: usize = sources.iter().map(|source| source.text().len()).sum();
    let mut seconds: Vec<f64> = (0..RUNS).map(|_| seconds_of_all(sources)).collect();
    seconds.sort_by(f64::total_cmp);
    let median = seconds[RUNS / 2];
    json!({
        "files": sources.len(),
        "bytes": bytes,
        "cpu_seconds": {"median": median, "min": seconds[0], "max": seconds[RUNS - 1]},
        "megabytes_per_second": bytes as f64 / median / 1e6,
    })
}

/// The CPU time that all files take.
fn seconds_of_all(sources: &[Arc<Source>]) -> f64 {
    let before = ProcessTime::now();
    for source in sources {
        black_box(parse(source).is_ok());
    }
    before.elapsed().as_secs_f64()
}
