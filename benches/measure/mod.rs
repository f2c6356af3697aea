//! What the benchmarks measure with.
#![allow(dead_code, reason = "each benchmark uses a part of it")]

use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use cpu_time::ProcessTime;
use pcore::session::{Event, Session};
use pcore::text::Source;

/// The folder of the benchmarks.
pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("benches")
}

/// The programs to measure, by their names: all of them, or those whose names contain one of the words that the benchmark
/// was given.
pub(crate) fn programs() -> Vec<(String, PathBuf)> {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let files = fs::read_dir(folder().join("programs")).expect("the programs are here").flatten();
    let named = files.map(|entry| {
        let name = entry.path().file_stem().expect("a program has a name").to_string_lossy().into_owned();
        (name, entry.path())
    });
    let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let mut programs: Vec<_> = named.filter(|(name, _)| is_wanted(name)).collect();
    programs.sort();
    programs
}

/// What came of some runs of a program.
pub(crate) struct Runs {
    /// What each of them said.
    pub(crate) notices: Vec<String>,
    /// The wall seconds of each, ascending.
    pub(crate) wall: Vec<f64>,
    /// The CPU seconds of each, ascending.
    pub(crate) cpu: Vec<f64>,
}

/// Runs a program `warm_ups` times, and then `runs` times under the clock: the whole way in a fresh session, reading,
/// compiling, evaluating.
///
/// # Errors
/// The message of an error in the program.
pub(crate) fn run(name: &str, text: &str, warm_ups: usize, runs: usize) -> Result<Runs, String> {
    let source = Source::new(name, text);
    let mut expected = None;
    let (mut wall, mut cpu) = (Vec::new(), Vec::new());
    for run in 0..warm_ups + runs {
        let (wall_before, cpu_before) = (Instant::now(), ProcessTime::now());
        let notices = evaluated(&source);
        let (wall_after, cpu_after) = (wall_before.elapsed().as_secs_f64(), cpu_before.elapsed().as_secs_f64());
        let notices = notices?;
        assert_eq!(*expected.get_or_insert_with(|| notices.clone()), notices, "{name} answers differently");
        if run >= warm_ups {
            wall.push(wall_after);
            cpu.push(cpu_after);
        }
    }
    wall.sort_by(f64::total_cmp);
    cpu.sort_by(f64::total_cmp);
    Ok(Runs { notices: expected.unwrap_or_default(), wall, cpu })
}

/// The middle one of ascending measurements; `None` if nothing was measured.
pub(crate) fn median(ascending: &[f64]) -> Option<f64> {
    ascending.get(ascending.len() / 2).copied()
}

fn evaluated(source: &Arc<Source>) -> Result<Vec<String>, String> {
    let notices = Mutex::new(Vec::new());
    let outcome = Session::default().evaluate(source, &mut |event| {
        if let Event::Log { message, .. } = event {
            notices.lock().expect("nobody panicked").push(message);
        }
    });
    outcome.map_err(|error| error.to_string())?;
    Ok(notices.into_inner().expect("nobody panicked"))
}
