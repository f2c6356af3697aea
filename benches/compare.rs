//! Evaluates the programs of `benches/programs` beside Puppet, and those about the language itself also beside Python and
//! Ruby, and prints a table of the CPU time that they take.
//!
//! ```text
//! cargo bench --profile dist --bench compare                     every program
//! cargo bench --profile dist --bench compare -- arith_reduce     those whose names contain the word
//! ```
//!
//! Turn about in one run, each in a process of its own with warm-ups, medians: what they are to each other holds on any
//! machine. Who is not installed has an empty column; `PUPPET_RUBY` names the Ruby that Puppet runs on, if it is not the
//! first on the path. Whoever gives another answer than ours is told.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark that fails may stop")]

mod measure;

use std::collections::BTreeMap;
use std::process::Command;
use std::{env, fs};

use measure::{folder, median};
use serde_json::Value as Json;

const WARM_UPS: usize = 2;
const RUNS: usize = 7;
/// Puppet takes seconds for a run.
const PUPPET_RUNS: usize = 3;

/// What somebody else did: the notices, and the median of the CPU seconds.
struct Measured {
    notices: Json,
    seconds: f64,
}

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    let natives = [by_name("python3", "native.py"), by_name("ruby", "native.rb")];
    println!("CPU time in milliseconds, medians; {}; {}\n", machine(), date());
    println!("| program | pcore | Puppet | times | Python | Ruby |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let mut ratios = Vec::new();
    for (name, file) in measure::programs() {
        let text = fs::read_to_string(&file).expect("a program is readable");
        let ours = measure::run(&name, &text, WARM_UPS, RUNS).expect("the program goes well");
        let Some(seconds) = median(&ours.cpu) else { continue };
        let puppet = puppet(&file.to_string_lossy());
        let ratio = puppet.as_ref().map(|puppet| puppet.seconds / seconds);
        ratios.extend(ratio);
        let others = [puppet.as_ref(), natives[0].get(&name), natives[1].get(&name)];
        for other in others.into_iter().flatten() {
            assert_eq!(other.notices, Json::from(ours.notices.clone()), "{name}: somebody answers differently");
        }
        let cell = |other: Option<&Measured>| other.map(|other| milliseconds(other.seconds)).unwrap_or_default();
        let ratio = ratio.map(|ratio| format!("{ratio:.0}")).unwrap_or_default();
        let [puppet, python, ruby] = others.map(cell);
        println!("| {name} | {} | {puppet} | {ratio} | {python} | {ruby} |", milliseconds(seconds));
    }
    if !ratios.is_empty() {
        let mean = ratios.iter().map(|ratio: &f64| ratio.ln()).sum::<f64>() / ratios.len() as f64;
        println!("\nGeometric mean: {:.0} times Puppet.", mean.exp());
    }
}

fn milliseconds(seconds: f64) -> String {
    format!("{:.2}", seconds * 1e3)
}

/// What a script in `benches/compare` measures, by the names of the programs; `None` if it cannot run.
fn by_name(interpreter: &str, script: &str) -> BTreeMap<String, Measured> {
    let path = folder().join("compare").join(script);
    lines_of(Command::new(interpreter).arg(path).arg(RUNS.to_string()))
}

fn puppet(file: &str) -> Option<Measured> {
    let ruby = env::var("PUPPET_RUBY").unwrap_or_else(|_| "ruby".to_owned());
    let script = folder().join("compare/puppet.rb");
    lines_of(Command::new(ruby).arg(script).arg(PUPPET_RUNS.to_string()).arg(file)).into_values().next()
}

fn lines_of(command: &mut Command) -> BTreeMap<String, Measured> {
    let output = command.output().map(|output| output.stdout).unwrap_or_default();
    let lines = String::from_utf8_lossy(&output);
    let measured = |line: &str| {
        let line: Json = serde_json::from_str(line).ok()?;
        let seconds = line["cpu_seconds"]["median"].as_f64()?;
        Some((line["file"].as_str()?.to_owned(), Measured { notices: line["result"].clone(), seconds }))
    };
    lines.lines().filter_map(measured).collect()
}

/// The processor and how many of them there are.
fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let count = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} ({count} cores)", model.map_or(env::consts::ARCH, |(_, model)| model))
}

fn date() -> String {
    let output = Command::new("date").arg("+%Y-%m-%d").output().map(|output| output.stdout).unwrap_or_default();
    String::from_utf8_lossy(&output).trim().to_owned()
}
