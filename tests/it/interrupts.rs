//! Ctrl-C ends whatever runs: evaluations, questions to the types, texts in the making, reading. What was bound stays.
//!
//! `PCORE_SHOW=interrupts cargo test interrupt -- --nocapture` prints how long each kind of work took to end.

use std::io::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use pcore::session::{Console, Event, INTERRUPTED, Reply, Session, Strictness};

/// What the work below is done on. Each of `$deep` and `$twin` is nested 100 levels, with 2^100 leaves to who walks
/// them all; `$wide` and `$ranges` have many different parts. `$numbers` is one line of 3 MB.
const BINDINGS: &str = "
$deep = Integer[1, 100].reduce(['x']) |$inner, $_n| { [$inner, $inner] }
$twin = Integer[1, 100].reduce(['x']) |$inner, $_n| { [$inner, $inner] }
$hollow = Integer[1, 100].reduce([]) |$inner, $_n| { [$inner, $inner] }
$blank = Integer[1, 100].reduce(['']) |$inner, $_n| { [$inner, $inner] }
$wide = Integer[1, 100000].map |$n| { \"text ${n}\" }
$long = Integer[1, 20].reduce('some text, ') |$text, $_n| { \"${text}${text}\" }
$ranges = Variant[*Integer[1, 3000].map |$n| { Integer[$n * 3, $n * 3] }]
$numbers = String(Array(Integer[1, 400000]))
$forever = Integer[1, 9223372036854775806]
";

/// Work that does not end by itself within a minute, by its kind.
const WORK: &[(&str, &str)] = &[
    ("each", "$forever.each |$x| { $x }"),
    ("filter", "$forever.filter |$x| { false }"),
    ("reduce", "$forever.reduce |$m, $x| { $x }"),
    ("reversed steps", "$forever.step(7).reverse_each |$x| { $x }"),
    ("any", "$forever.any |$x| { false }"),
    ("index of a value", "$forever.index('no')"),
    ("nested iteration", "$forever.each |$x| { $forever.each |$y| { with($y) |$z| { $z } } }"),
    ("recursion", "function fork($n) { if $n > 0 { [fork($n - 1), fork($n - 1)] } } fork(60)"),
    ("walk of a tree", "$deep.tree_each |$node| { $node }"),
    ("walk of a tree in steps", "$deep.tree_each.step(1000000000000).each |$node| { $node }"),
    ("==", "$deep == $twin"),
    ("== of Sensitive", "Sensitive($deep) == Sensitive($twin)"),
    ("in", "$deep in [[1], $twin]"),
    ("key of a hash", "{$deep => 1}[$twin]"),
    ("-", "[$deep] - [$twin]"),
    ("index", "[$deep].index($twin)"),
    ("sort", "[$deep, $twin].sort"),
    ("unique", "[$deep, $twin].unique"),
    ("flatten", "flatten($hollow)"),
    ("join", "join($blank)"),
    ("interpolation", "$forever.each |$x| { \"${wide}\" }"),
    ("%p", "$forever.each |$x| { String($wide, '%p') }"),
    (
        "a format map",
        "$forever.each |$x| { String($wide, {Array => {format => '%#a', string_formats => {String => '%s'}}}) }",
    ),
    ("sprintf", "$forever.each |$x| { sprintf('%20000000d', $x) }"),
    ("membership", "$forever.each |$x| { $wide =~ Array[Pattern[/a$/, /t \\d+$/]] }"),
    ("assignability", "$forever.each |$x| { $ranges <= Variant[$ranges, String] }"),
    ("equality of types", "$forever.each |$x| { $ranges == Variant[Float, $ranges] }"),
    ("inference", "$forever.each |$x| { type($wide) }"),
    ("common type", "$forever.each |$x| { type($wide, 'reduced') }"),
    ("a type's arguments", "$forever.each |$x| { Enum[*$wide] }"),
    ("text of a type", "$forever.each |$x| { \"${Enum[$wide]}\" }"),
    ("assert_type", "$forever.each |$x| { assert_type(Array[String], $wide) }"),
    ("split", "$forever.each |$x| { $long.split(/, /) }"),
    ("regsubst", "$forever.each |$x| { regsubst($long, 't', 'tt', 'G') }"),
    ("match", "$forever.each |$x| { $wide.match(/(\\w+) (\\d+)/) }"),
    ("backtracking", "$forever.each |$x| { $wide.match(/(?<=t )(\\d)+(?!x)/) }"),
    ("one long search", "$numbers.match(/(?=.*z)y/)"),
    ("a search in a search", "$numbers.match(/(?:(?=.*z).|(?!.*z).)*y/)"),
    ("upcase", "$forever.each |$x| { $long.upcase }"),
    ("letters of one long text", "$forever.each |$x| { sprintf('%30000000s', 'Ab').downcase.capitalize }"),
    ("digests of one long text", "$forever.each |$x| { sha256(sprintf('%30000000s', 'Ab')) }"),
    ("Array of a range", "$forever.each |$x| { Array(Integer[1, 1000000]) }"),
    ("Hash of an array", "$forever.each |$x| { Hash($wide) }"),
    ("*", "$forever.each |$x| { [*$wide, *$wide] }"),
    ("templates", "$forever.each |$x| { inline_epp('<% $wide.each |$x| { %><%= $x %><% } %>', {wide => $wide}) }"),
];

/// Enters `entry`, interrupts it after a while, and tells the issue of its error and how long it took to end.
fn interrupted(session: &mut Console, entry: &str) -> (&'static str, Duration) {
    let interrupt = session.interrupt.clone();
    interrupt.clear();
    let key = thread::spawn(move || {
        thread::sleep(Duration::from_millis(20));
        interrupt.raise();
        Instant::now()
    });
    let reply = session.enter(entry, &mut |_| {});
    let ended = Instant::now();
    let pressed = key.join().unwrap();
    let issue = match reply {
        Reply::Failed(error) => error.code(),
        _ => "none",
    };
    (issue, ended.saturating_duration_since(pressed))
}

fn report(kind: &str, took: Duration) {
    if std::env::var("PCORE_SHOW").is_ok_and(|shown| "interrupts".contains(&shown)) {
        let line = format!("{kind:30} {:6.1} ms\n", took.as_secs_f64() * 1e3);
        std::io::stderr().write_all(line.as_bytes()).unwrap();
    }
}

/// The text of an entry's value.
fn text(session: &mut Console, entry: &str) -> Option<String> {
    session.interrupt.clear();
    session.enter(entry, &mut |_| {});
    session.variable("_").map(pcore::format::program_text)
}

#[test]
fn an_interrupt_ends_every_kind_of_work_and_keeps_what_is_bound() {
    let mut session = Console::from(Session::new(Strictness::Warning));
    session.enter(BINDINGS, &mut |_| {});
    for (kind, work) in WORK {
        let (issue, took) = interrupted(&mut session, work);
        assert_eq!(issue, INTERRUPTED, "{kind}: {work}");
        report(kind, took);
    }
    assert_eq!(text(&mut session, "$wide[0, 2]").as_deref(), Some("['text 1', 'text 2']"));
}

#[test]
fn an_interrupt_may_come_any_number_of_times() {
    let mut session = Console::from(Session::new(Strictness::Warning));
    session.enter("$kept = 'kept'", &mut |_| {});
    for _ in 0..20 {
        let (issue, _) = interrupted(&mut session, "Integer[1, 9223372036854775806].each |$x| { $x }");
        assert_eq!(issue, INTERRUPTED);
    }
    assert_eq!(text(&mut session, "$kept").as_deref(), Some("'kept'"));
}

#[test]
fn reading_a_long_program_ends_and_defines_nothing() {
    let mut session = Console::from(Session::new(Strictness::Warning));
    let program =
        format!("$list = [{}]\ntype Late = Integer\nfunction late() {{ }}", "1 + [2, 'three'], ".repeat(300_000));
    let (issue, took) = interrupted(&mut session, &program);
    assert_eq!(issue, INTERRUPTED);
    report("reading", took);
    assert_eq!((session.aliases(), session.functions(), session.variable("list")), (vec![], vec![], None));
}

#[test]
fn an_alias_whose_evaluation_was_interrupted_is_evaluated_at_its_next_use() {
    let mut session = Console::from(Session::new(Strictness::Warning));
    let unknown: Vec<String> = (0..400).map(|n| format!("Unknown{n}, ")).collect();
    let unknown = unknown.concat();
    session.enter(&format!("type Late = Variant[{unknown}Integer]"), &mut |_| {});
    let interrupt = session.interrupt.clone();
    // The first warning comes in the middle of the alias.
    let reply = session.enter("5 =~ Late", &mut |event| {
        if matches!(event, Event::Warning(_)) {
            interrupt.raise();
        }
    });
    assert!(matches!(reply, Reply::Failed(error) if error.code() == INTERRUPTED));
    assert_eq!(text(&mut session, "[5 =~ Late, 'x' =~ Late]").as_deref(), Some("[true, false]"));
}
