//! Sessions leave nothing behind.

use std::sync::{Arc, Weak};

use pcore::session::Session;
use pcore::types::{AliasType, Type};

/// Programs whose types lead back to themselves, each with the name of one of them and a value of it.
const ROUND: &[(&str, &str, &str)] = &[
    ("type Tree = Variant[Integer, Array[Tree]]", "Tree", "[1, [2, [3]]]"),
    ("type A = Variant[Integer, Array[B]]\ntype B = Hash[String, A]", "A", "[{a => [{}]}]"),
    ("type A = Variant[Integer, Array[B]]\ntype B = Hash[String, A]", "B", "{a => [{}]}"),
    ("type Tree = Variant[Integer, Array[Tree]]\ntype Trees = Array[Tree]", "Trees", "[1, [2]]"),
    (
        "type Link = Object[{attributes => {value => Any, next => {type => Optional[Link], value => undef}}}]",
        "Link",
        "Link(1, Link(2))",
    ),
    (
        "type Base = Object[{attributes => {next => {type => Optional[Child], value => undef}}}]\n\
         type Child = Object[{parent => Base}]",
        "Base",
        "Child(Child())",
    ),
    (
        "type Base = Object[{attributes => {next => {type => Optional[Child], value => undef}}}]\n\
         type Child = Object[{parent => Base}]",
        "Child",
        "Child(Child())",
    ),
    ("type A = Object[{attributes => {x => {type => Optional[Object[{parent => A}]], value => undef}}}]", "A", "A()"),
    ("type A = Object[{attributes => {x => {type => Optional[Init[A]], value => undef}}}]", "A", "A(A())"),
    (
        "type A = Array[Init[B]]\ntype B = Object[{attributes => {x => {type => Optional[A], value => undef}}}]",
        "A",
        "[[]]",
    ),
    (
        "type Shapes = TypeSet[{pcore_version => '1.0.0', version => '1.0.0', types => {\n\
         Side => Variant[Integer, Array[Side]], Box => {attributes => {side => Side, inner => Optional[Box]}}}}]",
        "Shapes::Box",
        "Shapes::Box(1, Shapes::Box([1], undef))",
    ),
    ("type Tree = Variant[Integer, Array[Tree]]\nfunction f(Tree $t) >> Tree { $t }\nf([1])", "Tree", "f([[1]])"),
    ("type Tree = Variant[Integer, Array[Tree]]\nclass c(Tree $t = [1]) { }", "Tree", "[1].map |Tree $t| { $t }"),
];

/// The alias `name`, which `session` has defined by `program`, after it was asked about `value`.
fn used(session: &mut Session, program: &str, name: &str, value: &str) -> Arc<AliasType> {
    session.eval(program).unwrap();
    let answer = session.eval(&format!("$value = {value}\n[type($value) <= {name}, String({name}), $value =~ {name}]"));
    assert_eq!(answer.unwrap().as_array().unwrap()[2], true.into(), "{program}");
    session.unset("$value");
    match session.eval(name).unwrap().as_type() {
        Some(Type::Alias(alias)) => alias.clone(),
        other => panic!("{name} is {other:?}"),
    }
}

#[test]
fn a_closed_session_leaves_no_type_behind() {
    for (program, name, value) in ROUND {
        let mut session = Session::default();
        let alias = used(&mut session, program, name, value);
        session.close();
        let left: Weak<AliasType> = Arc::downgrade(&alias);
        drop(alias);
        // The memory of recent comparisons holds the last few types.
        for n in 0..500 {
            let types: [Type; 2] = [0, 1].map(|m| {
                let branches = (0..80).map(|at| format!("Array[Integer[{at}, {}]]", 1000 + n * 2 + m));
                format!("Variant[{}]", branches.collect::<Vec<_>>().join(", ")).parse().unwrap()
            });
            assert!(types[1].accepts(&types[0]));
        }
        assert_eq!(left.strong_count(), 0, "{name} is left of {program}");
    }
}

#[test]
fn types_of_a_dropped_session_answer_as_before() {
    for (program, name, value) in ROUND {
        let mut session = Session::default();
        let alias = used(&mut session, program, name, value);
        let value = session.eval(value).unwrap();
        drop(session);
        assert!(alias.resolved().is_some());
        assert!(Type::Alias(alias).has_instance(&value), "{name} of {program}");
    }
}

#[test]
fn closing_leaves_types_that_end_as_they_are() {
    let mut session = Session::default();
    session.eval("type Port = Integer[1, 65535]\ntype Ports = Array[Port]\ntype Tree = Array[Tree]").unwrap();
    let [ports, tree] = ["Ports", "Tree"].map(|name| session.eval(name).unwrap().as_type().unwrap().clone());
    let value = session.eval("[80]").unwrap();
    session.close();
    assert!(ports.has_instance(&value));
    assert_eq!(
        (ports.to_string(), tree.to_string()),
        ("Ports = Array[Port = Integer[1, 65535]]".into(), "Tree".into())
    );
}

/// `pcore batch`, and what the system says of its memory.
#[cfg(all(target_os = "linux", feature = "cli"))]
struct Batch {
    process: std::process::Child,
    answers: std::io::BufReader<std::process::ChildStdout>,
}

#[cfg(all(target_os = "linux", feature = "cli"))]
impl Batch {
    fn start() -> Batch {
        let mut command = super::program::command(&["batch"]);
        command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
        let mut process = command.spawn().unwrap();
        let answers = std::io::BufReader::new(process.stdout.take().unwrap());
        Batch { process, answers }
    }

    /// The response to `code`.
    fn answer(&mut self, code: &str) -> String {
        use std::io::{BufRead, Write};
        writeln!(self.process.stdin.as_mut().unwrap(), "{}", serde_json::json!({ "code": code })).unwrap();
        let mut answer = String::new();
        self.answers.read_line(&mut answer).unwrap();
        answer
    }

    /// Evaluates `code`, whose value is written like that.
    fn answers(&mut self, code: &str, value: &str) {
        let answer = self.answer(code);
        assert!(answer.contains(&format!(r#""value":"{value}""#)), "{code}: {answer}");
    }

    /// A line of `/proc/PID/status`, in KiB.
    fn kibibytes(&self, name: &str) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim_matches(|letter: char| !letter.is_ascii_digit()).parse().unwrap()
    }
}

#[cfg(all(target_os = "linux", feature = "cli"))]
impl Drop for Batch {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        self.process.wait().unwrap();
    }
}

#[cfg(all(target_os = "linux", feature = "cli"))]
#[test]
fn batch_does_not_grow_by_types_that_lead_back_to_themselves() {
    const REQUESTS: usize = 500;
    let mut batch = Batch::start();
    let mut kibibytes_after_some = || {
        for _ in 0..REQUESTS {
            for (program, name, value) in ROUND {
                batch.answers(&format!("{program}\n$value = {value}\n$value =~ {name}"), "true");
            }
        }
        batch.kibibytes("VmRSS:")
    };
    let (before, after) = (kibibytes_after_some(), kibibytes_after_some());
    // A single kind that is left behind takes 150 KiB and more.
    assert!(after <= before + 64, "{before} KiB, then {after} KiB");
}

#[cfg(all(target_os = "linux", feature = "cli"))]
#[test]
fn freeing_a_large_array_takes_no_further_memory() {
    const ELEMENTS: usize = 4_000_000;
    let mut batch = Batch::start();
    batch.answers(&format!("Array(Integer[1, {ELEMENTS}]).length"), &ELEMENTS.to_string());
    let of_array = ELEMENTS * size_of::<pcore::Value>() / 1024;
    // Another thread frees it.
    while batch.kibibytes("VmRSS:") > of_array / 2 {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let most = batch.kibibytes("VmHWM:");
    assert!(most < of_array * 3 / 2, "{most} KiB at most");
}

#[cfg(all(target_os = "linux", target_env = "gnu", feature = "cli", not(feature = "mimalloc")))]
#[test]
fn memory_freed_after_a_limit_goes_back_to_the_system() {
    const PATIENCE: std::time::Duration = std::time::Duration::from_mins(1);
    const KEPT: usize = 100 * 1024;
    let mut batch = Batch::start();
    let answer = batch.answer("Integer[1, 100000000].map |$n| { [$n, \"${n}\"] }");
    assert!(answer.contains(r#""issue":"LIMIT""#), "{answer}");
    let start = std::time::Instant::now();
    while batch.kibibytes("VmRSS:") > KEPT {
        assert!(start.elapsed() < PATIENCE, "{} KiB are kept", batch.kibibytes("VmRSS:"));
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}
