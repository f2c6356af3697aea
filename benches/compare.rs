//! Evaluates the programs of `benches/programs` beside Puppet, and those about the language itself also beside Python and
//! Ruby, and prints a table of the CPU time that they take.
//!
//! ```text
//! cargo bench --profile dist --bench compare                     every program
//! cargo bench --profile dist --bench compare -- arith_reduce     those whose names contain the word
//! ```
//!
//! All are measured turn about, in processes that live as long as the program is measured: on a machine that others use
//! too, the same program may take twice the time from one second to the next, and so everybody gets the same share of good
//! and bad seconds. The table has medians. Who is not installed has an empty column; `PUPPET_RUBY` names the Ruby that Puppet
//! runs on, if it is not the first on the path. The benchmark stops when somebody's answer differs from ours.
#![allow(clippy::expect_used, clippy::indexing_slicing, reason = "a benchmark that fails may stop")]

mod measure;

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::{env, fs};

use measure::{folder, median};
use serde_json::Value as Json;

const TURNS: usize = 7;
/// Evaluations in each turn, and as many before the first; Puppet, which takes seconds for one, has one.
const EVALUATIONS: usize = 5;

/// Somebody else who evaluates the program: a process that answers each line it gets with a line of JSON.
struct Peer {
    process: Child,
    answers: BufReader<ChildStdout>,
    evaluations: usize,
    /// The CPU seconds of each evaluation.
    seconds: Vec<f64>,
}

impl Peer {
    /// Somebody who has warmed up; `None` if the process does not run, or does not know the program.
    fn start(interpreter: &str, script: &str, program: &str, evaluations: usize, expected: &Json) -> Option<Peer> {
        let mut command = Command::new(interpreter);
        command.arg(folder().join("compare").join(script)).arg(program).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.stderr(Stdio::null()).spawn().ok()?;
        let answers = BufReader::new(process.stdout.take()?);
        let mut peer = Peer { process, answers, evaluations, seconds: Vec::new() };
        peer.take_turn(expected)?;
        peer.seconds.clear();
        Some(peer)
    }

    /// Evaluates the program some times; `None` if the process does not answer.
    fn take_turn(&mut self, expected: &Json) -> Option<()> {
        for _ in 0..self.evaluations {
            self.process.stdin.as_mut()?.write_all(b"\n").ok()?;
            let mut line = String::new();
            self.answers.read_line(&mut line).ok()?;
            let answer: Json = serde_json::from_str(&line).ok()?;
            assert_eq!(answer["result"], *expected, "somebody answers differently");
            self.seconds.push(answer["seconds"].as_f64()?);
        }
        Some(())
    }

    fn median(&mut self) -> Option<f64> {
        self.seconds.sort_by(f64::total_cmp);
        median(&self.seconds)
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.process.stdin.take()); // That was the last turn.
        let _ = self.process.wait();
    }
}

#[allow(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn main() {
    println!("CPU time in milliseconds, medians; {}; {}\n", machine(), date());
    println!("| program | pcore | Puppet | times | Python | Ruby |");
    println!("| --- | ---: | ---: | ---: | ---: | ---: |");
    let puppet_ruby = env::var("PUPPET_RUBY").unwrap_or_else(|_| "ruby".to_owned());
    let mut ratios = Vec::new();
    for (name, file) in measure::programs() {
        let text = fs::read_to_string(&file).expect("a program is readable");
        let evaluated = || measure::run(&name, &text, 0, EVALUATIONS).expect("the program goes well");
        let expected = Json::from(evaluated().notices);
        let mut peers = [
            Peer::start(&puppet_ruby, "puppet.rb", &file.to_string_lossy(), 1, &expected),
            Peer::start("python3", "native.py", &name, EVALUATIONS, &expected),
            Peer::start("ruby", "native.rb", &name, EVALUATIONS, &expected),
        ];
        let mut ours = Vec::new();
        for _ in 0..TURNS {
            ours.extend(evaluated().cpu);
            for peer in peers.iter_mut().flatten() {
                peer.take_turn(&expected).expect("who has answered goes on");
            }
        }
        ours.sort_by(f64::total_cmp);
        let Some(seconds) = median(&ours) else { continue };
        let medians = peers.map(|peer| peer.and_then(|mut peer| peer.median()));
        let ratio = medians[0].map(|puppet| puppet / seconds);
        ratios.extend(ratio);
        let [puppet, python, ruby] = medians.map(|seconds| seconds.map(milliseconds).unwrap_or_default());
        let ratio = ratio.map(|ratio| format!("{ratio:.0}")).unwrap_or_default();
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
