//! Whatever comes in, an answer or an error comes out: no panic, no abort, no hang.
//!
//! `PCORE_EVERY_PREFIX=1 cargo test --release prefix` takes every prefix of every recorded program; without it, a few
//! of each.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pcore::limits::{Limit, Limits};
use pcore::session::{Console, Session, Strictness};

use super::conformance::programs;

/// A generator of numbers without a pattern (xorshift), the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        usize::try_from(self.next() % limit as u64).unwrap()
    }
}

/// Enters a text at the prompt and tells whether it was answered, in any way.
fn is_answered(text: &str) -> bool {
    let evaluate = || {
        let mut console = Console::from(Session::new(Strictness::Warning));
        // What a mutation makes endless ends.
        console.limits =
            Limits::default().with(Limit::Steps, 3_000_000).with(Limit::Elements, 100_000).with(Limit::String, 1 << 22);
        console.enter(text, &mut |_| {});
    };
    catch_unwind(AssertUnwindSafe(evaluate)).is_ok()
}

/// Tells which of the texts made the program panic, on all cores.
fn not_answered(texts: &[String]) -> Vec<&String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut wrong = Vec::new();
        while let Some(text) = texts.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !is_answered(text) {
                wrong.push(text);
            }
        }
        wrong
    };
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

fn assert_answered(texts: &[String]) {
    let wrong = not_answered(texts);
    assert!(wrong.is_empty(), "{} of {} panic, the first: {:?}", wrong.len(), texts.len(), wrong[0]);
}

#[test]
fn random_bytes_are_answered() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let texts: Vec<String> = (0..1_000)
        .map(|_| {
            let bytes: Vec<u8> = (0..random.below(200)).map(|_| random.next().to_le_bytes()[3]).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        })
        .collect();
    assert_answered(&texts);
}

#[test]
fn random_words_of_the_language_are_answered() {
    const WORDS: &[&str] = &[
        "1", "-", "'a'", "\"${", "}", "{", "[", "]", "(", ")", "|", "$x", "=>", "=", "==", "=~", "Integer", "String",
        "type", "case", "if", "else", "default", "undef", ",", ":", ".", "map", "each", "/a/", "@(END)", "\n", "<<",
        "*", "?", "new", "function", "and", "in", "0x", "1e", "\\", "#", "::", "@", "<|", "|>", "->", "notice", "%",
        ";", "é", "Struct", "Optional",
    ];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let texts: Vec<String> = (0..20_000)
        .map(|_| (0..random.below(12)).map(|_| WORDS[random.below(WORDS.len())]).collect::<Vec<_>>().join(" "))
        .collect();
    assert_answered(&texts);
}

#[test]
fn every_prefix_of_the_recorded_programs_is_answered() {
    let every = std::env::var_os("PCORE_EVERY_PREFIX").is_some();
    let mut random = Random(0xd1b5_4a32_d192_ed03);
    let mut texts = Vec::new();
    for program in programs() {
        let ends: Vec<usize> = program.char_indices().map(|(at, _)| at).collect();
        let chosen =
            if every { ends } else { (0..2.min(ends.len())).map(|_| ends[random.below(ends.len())]).collect() };
        if every {
            assert_answered(&chosen.iter().map(|&end| program[..end].to_owned()).collect::<Vec<_>>());
        } else {
            texts.extend(chosen.iter().map(|&end| program[..end].to_owned()));
        }
    }
    assert_answered(&texts);
}

/// A recorded program with a few pieces cut out, repeated, or put in from elsewhere.
fn mutated(programs: &[String], random: &mut Random) -> String {
    const PIECES: &[&str] =
        &["'", "\"${", "}", "[", "]", "|$x| {", "9223372036854775807", "-1", "\\", "\n", "@(E)\n", "%s"];
    let mut text = programs[random.below(programs.len())].clone();
    for _ in 0..=random.below(4) {
        let place = |random: &mut Random, text: &str| text.floor_char_boundary(random.below(text.len() + 1));
        let from = place(random, &text);
        let to = text.floor_char_boundary((from + random.below(12)).min(text.len())).max(from);
        match random.below(4) {
            0 => text.replace_range(from..to, ""),
            1 => {
                let piece = text[from..to].repeat(random.below(4));
                text.insert_str(from, &piece);
            }
            2 => text.insert_str(from, PIECES[random.below(PIECES.len())]),
            _ => {
                let other = &programs[random.below(programs.len())];
                let start = place(random, other);
                let end = other.floor_char_boundary((start + 30).min(other.len()));
                text.insert_str(from, &other[start..end]);
            }
        }
    }
    text
}

#[test]
fn mutated_programs_are_answered() {
    let count = if std::env::var_os("PCORE_EVERY_PREFIX").is_some() { 100_000 } else { 3_000 };
    let programs: Vec<String> = programs().into_iter().filter(|program| program.len() < 2_000).collect();
    let mut random = Random(0x5851_f42d_4c95_7f2d);
    let texts: Vec<String> = (0..count).map(|_| mutated(&programs, &mut random)).collect();
    assert_answered(&texts);
}

#[test]
fn a_hundred_thousand_brackets_are_answered() {
    const DEPTH: usize = 100_000;
    let mut texts: Vec<String> =
        ["[", "(", "{", "{a=>", "\"${", "!", "-", "1+(", "f(", "x[", "|$x| {", "if true {", "Array["]
            .iter()
            .map(|open| open.repeat(DEPTH))
            .collect();
    texts.push("[".repeat(DEPTH) + &"]".repeat(DEPTH));
    texts.push("Array[".repeat(DEPTH) + "Integer" + &"]".repeat(DEPTH));
    texts.push("{a=>".repeat(DEPTH) + "1" + &"}".repeat(DEPTH));
    texts.push("$x = = 1 ".to_owned() + &"(".repeat(DEPTH) + &"]".repeat(DEPTH));
    texts.push("x { = ".repeat(DEPTH));
    for (open, close) in [("(", ")"), ("[", "]"), ("(?<a>", ")"), ("(", ")+?")] {
        texts.push(format!("'a' =~ /{}a{}/", open.repeat(200), close.repeat(200)));
        texts.push(format!("'a' =~ /{}/", open.repeat(DEPTH)));
    }
    texts.push("1".to_owned() + &" + 1".repeat(DEPTH));
    texts.push("$x".to_owned() + &"[0]".repeat(DEPTH));
    texts.push("1".to_owned() + &".abs".repeat(DEPTH));
    assert_answered(&texts);
}

#[test]
fn types_of_other_languages_that_nest_deeply_are_answered() {
    let opened = ["fn(", "func(", "function(", "[", "{a: ", "list<", "map(", "?", "$x = [", "let x: [", "a b("];
    assert_answered(&opened.iter().flat_map(|open| [open.repeat(40), open.repeat(7000)]).collect::<Vec<_>>());
}

#[test]
fn constants_are_made_whatever_the_limits() {
    for most in 0..8 {
        let mut session = Session::new(Strictness::Error);
        session.limits = Limits::default().with(Limit::Elements, most).with(Limit::String, most);
        for program in ["1 =~ Data", "String(5)", "[3, 1].sort", "Deferred('a')", "lookup('a')"] {
            let _ = session.eval(program); // An error is an answer, too.
        }
    }
}

#[test]
fn values_that_grow_deep_while_running_are_answered() {
    let deep = "$deep = Integer[1, 100000].reduce([]) |$inner, $n| { [$inner] }\n";
    let questions = [
        "$deep == [$deep]",
        "type($deep)",
        "$deep =~ Data",
        "\"${deep}\".length",
        "$deep.flatten",
        "[$deep] - [$deep]",
    ];
    assert_answered(&questions.map(|question| deep.to_owned() + question));
}

/// No argument, each one and every two of values that are likely to be forgotten: ends of ranges, strings that are empty
/// or not ASCII, directives, collections.
fn odd_arguments() -> Vec<String> {
    const ODD: [&str; 10] = [
        "-9223372036854775808",
        "9223372036854775807",
        "''",
        "'é'",
        "'%é'",
        "undef",
        "[]",
        "[[], {}]",
        "{'é' => 1}",
        "Integer",
    ];
    let two = ODD.iter().flat_map(|one| ODD.iter().map(move |other| format!("{one}, {other}")));
    [String::new()].into_iter().chain(ODD.map(str::to_owned)).chain(two).collect()
}

#[test]
fn every_function_answers_odd_arguments() {
    let lists = odd_arguments();
    let functions = pcore::functions::TABLE.iter().copied().flatten();
    let calls = |name: &'static str| lists.iter().map(move |list| format!("{name}({list})"));
    assert_answered(&functions.flat_map(|function| calls(function.name)).collect::<Vec<_>>());
}

#[test]
fn every_type_answers_odd_arguments() {
    let lists = odd_arguments();
    let forms = |name: &'static str| {
        lists.iter().flat_map(move |list| {
            let types = [name.to_owned(), format!("NotUndef[{name}]"), format!("Init[{name}]")];
            types.map(|type_| format!("{type_}.new({list})")).into_iter().chain([format!("{name}[{list}]")])
        })
    };
    assert_answered(&pcore::types::TABLE.iter().flat_map(|row| forms(row.name)).collect::<Vec<_>>());
}

/// What Rust writes itself has at most 65,535 characters of padding, and panics beyond.
#[test]
fn wide_fields_are_answered_whatever_the_letter() {
    let letters = ('a'..='z').chain('A'..='Z');
    let directives = letters.flat_map(|letter| {
        let flagged = ["", "#", "0", "-", " ", ":", "_"].map(|flag| move |width| format!("%{flag}{width}{letter}"));
        flagged.into_iter().flat_map(|directive| ["70000", ".70000", "70000.70000"].map(directive))
    });
    let programs = directives.flat_map(|directive| {
        let formatted = ["10", "1.5", "'x'", "[[1]]"].map(|value| format!("String({value}, '{directive}').length"));
        let times = ["Timespan(5)", "Timestamp('2020-01-01')"];
        let times = times.map(|time| format!("strftime({time}, '{directive}').length"));
        formatted.into_iter().chain(times).collect::<Vec<_>>()
    });
    assert_answered(&programs.collect::<Vec<_>>());
}

#[test]
fn a_thread_with_a_small_stack_is_enough() {
    let programs = [
        "function f($n) { if $n > 0 { [f($n - 1)] } else { [] } } f(2000).flatten.length".to_owned(),
        "Integer[1, 100000].reduce([]) |$inner, $n| { [$inner] } =~ Data".to_owned(),
        "[".repeat(10_000) + &"]".repeat(10_000),
    ];
    let work = move || programs.iter().all(|program| is_answered(program));
    let thread = thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap();
    assert!(thread.join().unwrap());
}

#[cfg(all(unix, feature = "cli"))]
#[test]
fn the_program_runs_on_a_small_stack() {
    let deep = "function f($n) { if $n > 0 { [f($n - 1)] } else { [] } } f(200).flatten.length";
    for limit in ["-s 200", "-s 64"] {
        let mut command = std::process::Command::new("sh");
        let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_pcore"), "-e", deep]);
        let run = super::program::run(&mut command, b"");
        assert_eq!((run.out.as_str(), run.err.as_str(), run.code), ("0\n", "", 0), "{limit}");
    }
}
