//! The recorded answers of real Puppet against ours.
//!
//! `tests/conformance/` holds what Puppet 8 answers (`cases/`, `matrix/`, `real/`) and what the documents of the
//! specification say (`seeds.jsonl`). Every line becomes a [`Recorded`] program with its [`Answer`]; all of them run on
//! all cores, and each file has to reach the share that [`FILES`] demands. Where we differ on purpose, the line stands
//! in `tests/conformance/deviations.toml`.
//!
//! `PCORE_SHOW=cases/operators cargo test conformance` prints each line of that file that disagrees (a part of the
//! name is enough; `PCORE_SHOW=` alone prints all), what was expected and what came.

mod agreement;
mod deviations;
mod recorded;

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use agreement::{Ours, Runner};
use deviations::Deviation;
use recorded::{Group, Recorded};

/// What a file has to reach.
struct Bar {
    /// Below `tests/conformance/`, without the ending.
    file: &'static str,
    /// The share of its lines that have to agree or to be deviations, between 0 and 1.
    share: f64,
    /// Whether the share is the goal, or only how far we have come: it must not get worse.
    goal: Goal,
}

#[derive(PartialEq)]
enum Goal {
    Reached,
    NotYetRequired,
}

const fn required(file: &'static str, share: f64) -> Bar {
    Bar { file, share, goal: Goal::Reached }
}

const fn not_yet_required(file: &'static str, share: f64) -> Bar {
    Bar { file, share, goal: Goal::NotYetRequired }
}

/// Every file of recorded answers.
const FILES: &[Bar] = &[
    required("cases/literals", 1.0),
    required("cases/precedence", 1.0),
    required("cases/operators", 1.0),
    required("cases/access", 1.0),
    required("cases/regex", 1.0),
    required("cases/parse", 1.0),
    required("cases/typeargs", 1.0),
    required("cases/infer", 1.0),
    required("cases/common", 1.0),
    required("cases/show", 1.0),
    required("cases/new", 1.0),
    required("cases/format", 1.0),
    required("cases/time", 1.0),
    required("cases/semver", 1.0),
    required("cases/uri", 1.0),
    required("cases/functions", 1.0),
    required("cases/probes", 1.0),
    required("cases/differential", 1.0),
    not_yet_required("real/alias_tea", 0.0),
    required("seeds", 1.0),
    required("matrix/instance", 1.0),
    required("matrix/assignable", 1.0),
    required("matrix/equal", 1.0),
];

/// One line that does not agree.
struct Difference {
    id: String,
    code: String,
    expected: String,
    ours: String,
}

/// How a file fares.
struct Tally {
    lines: usize,
    differences: Vec<Difference>,
    /// The deviations that are still needed.
    deviations: Vec<String>,
}

impl Tally {
    fn share(&self) -> f64 {
        1.0 - self.differences.len() as f64 / self.lines as f64
    }
}

/// Every recorded program, for other tests to make use of.
pub(crate) fn programs() -> Vec<String> {
    let lines = FILES.iter().filter(|bar| !bar.file.starts_with("matrix/")).map(|bar| recorded::read(bar.file));
    lines.flat_map(|group| (0..group.len()).map(move |number| group.line(number).code).collect::<Vec<_>>()).collect()
}

#[test]
fn recorded_answers_agree() {
    let deviations = deviations::read().recorded;
    let mut report = String::new();
    let mut failures = String::new();
    let mut needed = HashSet::new();
    let shown = std::env::var("PCORE_SHOW").ok();
    for bar in FILES {
        let tally = run(bar.file, &deviations);
        let verb = if bar.goal == Goal::Reached { "required" } else { "not yet required, at least" };
        let agreeing = tally.lines - tally.differences.len();
        let line = format!(
            "{:18} {agreeing:6} of {:6} = {:.4}, {} deviations ({verb} {:.4})",
            bar.file,
            tally.lines,
            tally.share(),
            tally.deviations.len(),
            bar.share
        );
        writeln!(report, "{line}").expect("a string takes everything");
        if tally.share() < bar.share {
            let first = tally.differences.first().map(Difference::to_string).unwrap_or_default();
            write!(failures, "\n{line}\nfirst:\n{first}").expect("a string takes everything");
        }
        if shown.as_ref().is_some_and(|part| bar.file.contains(part)) {
            for difference in &tally.differences {
                writeln!(report, "{difference}").expect("a string takes everything");
            }
        }
        needed.extend(tally.deviations);
    }
    if shown.is_some() {
        // Written to the stream itself, because the harness keeps what passing tests print.
        std::io::stderr().write_all(report.as_bytes()).expect("standard error takes the report");
    }
    let unneeded: Vec<&str> = deviations.keys().map(String::as_str).filter(|id| !needed.contains(*id)).collect();
    assert!(unneeded.is_empty(), "deviations that are no longer needed: {unneeded:#?}");
    assert!(failures.is_empty(), "{failures}\nPCORE_SHOW=FILE cargo test conformance prints all that disagree");
}

#[test]
fn decisions_are_answered_as_listed() {
    for (program, answer) in deviations::read().decisions {
        assert_eq!(agreement::answer(&program).to_string(), answer, "{program}");
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "--- {}\n{}\n  expected {}\n  ours     {}", self.id, self.code, self.expected, self.ours)
    }
}

/// Runs a whole file: each core takes the next chunk of lines until there are none.
fn run(file: &str, deviations: &std::collections::HashMap<String, Deviation>) -> Tally {
    const CHUNK: usize = 64;
    let group = recorded::read(file);
    let next = AtomicUsize::new(0);
    let tally = Mutex::new((Vec::new(), Vec::new()));
    let work = || {
        let mut runner = Runner::new(&group);
        let (mut differences, mut used) = (Vec::new(), Vec::new());
        loop {
            let start = next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= group.len() {
                break;
            }
            for number in start..group.len().min(start + CHUNK) {
                let recorded = group.line(number);
                let ours = runner.answer(&recorded);
                if agreement::agrees(&recorded, &ours) {
                    continue;
                }
                if deviations.get(&recorded.id).is_some_and(|deviation| deviation.answer == ours.to_string()) {
                    used.push(recorded.id);
                } else {
                    differences.push((number, difference(&group, recorded, &ours)));
                }
            }
        }
        let mut all = tally.lock().expect("no thread panics with the lock");
        all.0.extend(differences);
        all.1.extend(used);
    };
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(work);
        }
    });
    let (mut differences, used) = tally.into_inner().expect("no thread panics with the lock");
    differences.sort_by_key(|(number, _)| *number);
    let differences = differences.into_iter().map(|(_, difference)| difference).collect();
    Tally { lines: group.len(), differences, deviations: used }
}

fn difference(group: &Group, recorded: Recorded, ours: &Ours) -> Difference {
    let code = recorded.code.strip_prefix(group.preamble()).unwrap_or(&recorded.code).to_owned();
    Difference { code, expected: recorded.answer.to_string(), ours: ours.to_string(), id: recorded.id }
}
