//! What would take all memory ends in an error: a limit. What would take all time is in `interrupts`.

use pcore::limits::{Limit, Limits};
use pcore::session::{Console, Session, Strictness, commands};
use pcore::text::Source;
use pcore::{functions, operators};

#[cfg(feature = "cli")]
use super::program::pcore;

/// The code of the error that a program ends in; `none` when it ends well.
fn code_of(session: &mut Session, code: &str) -> &'static str {
    session.evaluate(&Source::new("program", code), &mut |_| {}).err().map_or("none", |error| error.code())
}

#[test]
fn what_grows_without_end_reaches_a_limit() {
    let programs = [
        "function f() { f() } f()",
        "Array(Integer[1, 9223372036854775806])",
        "Array(9223372036854775807)",
        "Array(9223372036854775806)",
        "['a'].slice(9223372036854775807) |*$all| { $all }",
        "[*Integer[1, 9223372036854775806].step(1)]",
        "Integer[1, 100].reduce('ab') |$m, $x| { \"${m}${m}\" }",
        "Integer[1, 100].reduce([1]) |$m, $x| { $m + $m }",
        "Integer[1, 100].reduce([1]) |$m, $x| { [*$m, *$m] }",
        "Integer[1, 100].reduce([1, 2]) |$m, $x| { flatten($m, $m) }",
        "Integer[1, 100].reduce(Binary('YWJj')) |$m, $x| { $m + $m }",
        "Integer[1, 100].reduce('a') |$m, $x| { regsubst($m, 'a', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'G') }",
        "Integer[1, 100].reduce('ab') |$m, $x| { join([$m, $m]) }",
        "Integer[1, 100].reduce('ab') |$m, $x| { sprintf('%s%s', $m, $m) }",
        "Integer[1, 100].reduce('ab') |$m, $x| { inline_epp('<%= $m %><%= $m %>', {m => $m}) }",
        "\"${Integer[1, 100].reduce([1]) |$m, $x| { [$m, $m] }}\"",
    ];
    for code in programs {
        assert_eq!(code_of(&mut Session::new(Strictness::Warning), code), "LIMIT", "{code}");
    }
}

#[test]
fn the_text_of_a_tower_of_types_is_refused_whoever_asks_for_it() {
    let tower = "$tower = Integer[1, 60].reduce(Integer) |$inner, $x| { Tuple[$inner, $inner] };";
    for code in ["String($tower)", "String($tower, '%#s')", "String([$tower])", "\"${tower}\"", "sprintf('%s', $tower)"]
    {
        let code = format!("{tower} {code}");
        assert_eq!(code_of(&mut Session::new(Strictness::Warning), &code), "LIMIT", "{code}");
    }
}

#[test]
fn a_width_beyond_the_longest_text_is_refused() {
    let programs = [
        ("sprintf('%999999999d', 1)", "LIMIT"),
        ("String(1, '%999999999d')", "LIMIT"),
        ("sprintf('%60000000d%60000000d', 1, 2)", "LIMIT"),
    ];
    for (code, expected) in programs {
        assert_eq!(code_of(&mut Session::new(Strictness::Warning), code), expected, "{code}");
    }
}

#[cfg(feature = "cli")]
#[test]
fn many_large_values_together_reach_the_limit_on_memory() {
    let code = "Integer[1, 1000000].map |$x| { Integer[1, 200000].map |$y| { $y } }";
    let run = pcore(&["--quiet", "-e", code], b"");
    assert_eq!(
        (run.code, run.err.lines().next()),
        (1, Some("error[LIMIT]: the evaluation took more than 768 MiB of memory"),)
    );
}

#[test]
fn a_session_has_limits_of_its_own() {
    let cases = [
        (Limit::Elements, 100, "Array(Integer[1, 101])", "Array(Integer[1, 100])"),
        (Limit::String, 100, "'x' =~ String and sprintf('%101s', 'x')", "sprintf('%100s', 'x')"),
        (Limit::Output, 100, "Integer[1, 11].each |$n| { notice('0123456789') }", "notice('0123456789')"),
        (Limit::Steps, 10_000, "Integer[1, 20000].each |$n| { $n }", "Integer[1, 100].each |$n| { $n }"),
    ];
    for (limit, most, beyond, within) in cases {
        let session = || Session::builder().limits(Limits::default().with(limit, most)).build();
        assert_eq!(code_of(&mut session(), beyond), "LIMIT", "{beyond}");
        assert_eq!(code_of(&mut session(), within), "none", "{within}");
    }
}

#[cfg(feature = "cli")]
#[test]
fn batch_bounds_everything_that_a_request_takes_and_gives() {
    let requests = [
        r#"{"code": "Integer[1, 1000].each |$n| { notice('0123456789') }"}"#.to_owned(),
        r#"{"code": "Array(Integer[1, 1000])"}"#.to_owned(),
        format!(r#"{{"code": "1", "x": "{}"}}"#, "x".repeat(10_000)),
        r#"{"parse": "1"}"#.to_owned(),
    ];
    let limits = ["--limit", "output=1K", "--limit", "source=9K"];
    let run = pcore(&[&["batch"][..], &limits].concat(), requests.join("\n").as_bytes());
    let issues: Vec<String> = run
        .out
        .lines()
        .map(|line| {
            let answer: serde_json::Value = serde_json::from_str(line).unwrap();
            format!("{} {}", answer["issue"].as_str().unwrap_or("none"), answer["error"].as_str().unwrap_or("none"))
        })
        .collect();
    let expected = [
        "LIMIT the evaluation returned more than 1024 bytes",
        "LIMIT the output grew beyond 1024 bytes",
        "LIMIT the line is longer than 9216 bytes",
        "none none",
    ];
    assert_eq!(issues, expected);
}

#[cfg(feature = "cli")]
#[test]
fn parsing_a_request_has_a_limit_on_time() {
    let request = serde_json::json!({ "parse": "[1, ".repeat(3_000_000) });
    let run = pcore(&["batch", "--limit", "time=100"], request.to_string().as_bytes());
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(answer["issue"], "LIMIT");
}

/// Each visits more elements than it may take steps, whatever else it does.
#[test]
fn every_loop_over_many_elements_takes_steps() {
    let bindings = "
        $a = Array(Integer[1, 12000])
        $b = $a.map |$n| { $n }
        $s = $a.map |$n| { \"k$n\" }
        $h = Hash($a.map |$n| { [\"k$n\", $n] })
        $long = sprintf('%200000s', 'x')
    ";
    let loops = [
        "$a.map |$n| { $n }",
        "$a == $b",
        "$a in [$b]",
        "[$a] - [$b]",
        "$a - $s",
        "$a + $s",
        "$h + $h",
        "$a << 1",
        "[*$a]",
        "\"${a}\"",
        "String($a)",
        "sprintf('%p', $a)",
        "$a.join",
        "$a.flatten",
        "$a.unique",
        "$a.sort",
        "$a.filter |$n| { true }",
        "$a.reduce |$m, $n| { $n }",
        "$h.keys",
        "$h.values",
        "Hash($a)",
        "Array($h)",
        "$a =~ Array[Integer]",
        "$a =~ Array[Numeric]",
        "$h =~ Hash[Scalar, Integer]",
        "Float in $a",
        "type($a)",
        "Pattern[*$s]",
        "Enum[*$s]",
        "Variant[*$a.map |$n| { Integer[$n, $n] }]",
        "Struct[$h.map |$k, $n| { [$k, Integer] }.convert_to(Hash)]",
        "assert_type(Struct[Hash($s.map |$k| { [$k, Integer] })], Hash($s.map |$k| { [\"x$k\", 1] }))",
        "file { 'x': * => $h }",
        "$s.match(/x/)",
        "$s.upcase",
        "$s.max",
        "$h.length == $h.map |$k, $v| { 1 }.length",
    ];
    let mut missed = Vec::new();
    for code in loops {
        let mut session = Session::new(Strictness::Warning);
        session.eval(bindings).unwrap();
        session.limits = Limits::default().with(Limit::Steps, 1_000);
        let ended = code_of(&mut session, code);
        if ended != "LIMIT" {
            missed.push(format!("{code}: {ended} after {} steps", session.step_count()));
        }
    }
    assert_eq!(missed, Vec::<String>::new());
}

/// How many times as many steps four times the input may take: an exponent of 1.2.
const MOST_GROWTH: f64 = 5.28;

/// The programs whose steps grow faster than their input, if `few` and `many` are the steps of each on an input of `count`
/// and of four times that.
fn faster(programs: &[String], count: f64, few: Vec<Option<f64>>, many: Vec<Option<f64>>) -> Vec<String> {
    let steps = programs.iter().zip(few).zip(many);
    let grown = steps.filter_map(|((program, few), many)| Some((program, few?, many?)));
    let faster = grown.filter(|(_, few, many)| many / few.max(count) > MOST_GROWTH);
    faster.map(|(program, few, many)| format!("{program:.200}: {few} steps, then {many}")).collect()
}

fn steps_of(session: &Session) -> f64 {
    f64::from(u32::try_from(session.step_count()).unwrap())
}

/// Growth by counted steps: four times as much of a construct takes about four times the steps.
#[test]
fn work_grows_with_its_input_and_not_faster() {
    type Make = fn(usize) -> String;
    fn list(count: usize, separator: &str, part: impl Fn(usize) -> String) -> String {
        (0..count).map(part).collect::<Vec<_>>().join(separator)
    }
    fn strings(count: usize) -> String {
        list(count, ", ", |n| format!("'k{n}'"))
    }
    let constructs: [Make; 34] = [
        |n| format!("$x = [{}]", strings(n)),
        |n| format!("$x = {{{}}}", list(n, ", ", |n| format!("'k{n}' => {n}"))),
        |n| list(n, "\n", |n| format!("$x{n} = {n}")),
        |n| list(n, "\n", |n| format!("$x{n} = {n}\n$x{n} + 1")),
        |n| list(n, " + ", |_| "1".into()),
        |n| list(n, " and ", |_| "true".into()),
        |n| format!("1{}", ".abs".repeat(n)),
        |n| format!("{}1{}", "[".repeat(n), "]".repeat(n)),
        |n| format!("{}1{}", "{a => ".repeat(n), "}".repeat(n)),
        |n| format!("\"{}\"", "a ${1} ".repeat(n)),
        |n| format!("[{}]\n{}", list(n, ", ", |n| format!("@(E{n})")), list(n, "\n", |n| format!("x\n| E{n}"))),
        |n| format!("case 'x' {{ {} }}", list(n, " ", |n| format!("'k{n}': {{ {n} }}"))),
        |n| format!("'x' ? {{ {}, default => 1 }}", list(n, ", ", |n| format!("'k{n}' => {n}"))),
        |n| format!("if false {{ }} {}", list(n, " ", |_| "elsif false { }".into())),
        |n| format!("function f({}) {{ 1 }} f()", list(n, ", ", |n| format!("$p{n} = {n}"))),
        |n| format!("function f(*$all) {{ 1 }} f({})", strings(n)),
        |n| list(n, "\n", |n| format!("function f{n}() {{ {n} }}\nf{n}()")),
        |n| format!("class c({}) {{ }} include c", list(n, ", ", |n| format!("Integer $p{n} = {n}"))),
        |n| list(n, "\n", |n| format!("class c{n} {{ }}\ninclude c{n}")),
        |n| {
            format!(
                "define d({}) {{ }} d {{ 'a': {} }}",
                list(n, ", ", |n| format!("$p{n}")),
                list(n, ", ", |n| format!("p{n} => 1"))
            )
        },
        |n| format!("file {{ [{}]: ensure => 'file' }}", list(n, ", ", |n| format!("'/k{n}'"))),
        |n| format!("notify {{ {} }}", list(n, "; ", |n| format!("'k{n}': message => 'm'"))),
        |n| {
            format!(
                "{}\n'x' =~ T0",
                list(n, "\n", |at| format!(
                    "type T{at} = {}",
                    if at + 1 == n { "Integer".into() } else { format!("T{}", at + 1) }
                ))
            )
        },
        |n| format!("type T = Struct[{{{}}}]\n{{}} =~ T", list(n, ", ", |n| format!("'k{n}' => Integer"))),
        |n| format!("type T = Variant[{}]\n'x' =~ T", list(n, ", ", |n| format!("Integer[{n}, {n}]"))),
        |n| format!("assert_type(Tuple[{}], [{}])", list(n, ", ", |_| "Integer".into()), list(n, ", ", |_| "1".into())),
        |n| format!("Pattern[{}] =~ Type[String]", strings(n)),
        |n| format!("Enum[{0}] <= Enum[{0}]", strings(n)),
        |n| format!("assert_type(Array[Integer], [{}])", strings(n)),
        |n| format!("Hash([{}].map |$n| {{ [$n, 1] }}) =~ Hash[String, Integer]", strings(n)),
        |n| format!("inline_epp('{}')", "<%= 1 %> and ".repeat(n)),
        |n| format!("Object[{{name => 'O', attributes => {{{}}}}}]", list(n, ", ", |n| format!("'a{n}' => Integer"))),
        |n| format!("'{}' =~ /(a|b)*c/", "ab".repeat(n)),
        |n| format!("$h = {}1{}\n$h{}", "[".repeat(n), "]".repeat(n), "[0]".repeat(n)),
    ];
    let programs: Vec<String> = constructs.iter().map(|make| make(3)).collect();
    let steps = |count: usize| -> Vec<Option<f64>> {
        let of_construct = |make: &Make| {
            let mut session = Session::new(Strictness::Warning);
            let _ = session.eval(&make(count));
            Some(steps_of(&session))
        };
        constructs.iter().map(of_construct).collect()
    };
    assert_eq!(faster(&programs, 500.0, steps(500), steps(2_000)), Vec::<String>::new());
}

/// Every function and operator on four times as many elements, where it takes them: at most about four times the steps.
#[test]
fn functions_and_operators_grow_with_their_input_and_not_faster() {
    let mut programs = Vec::new();
    for function in functions::TABLE.iter().copied().flatten() {
        for list in ["$a", "$s", "$h", "$t", "$s, $r", "$h, $g", "$s, 'k1'", "$t, 'a'", "$t, /a/, 'b', 'G'"] {
            for block in ["", " |$x| { $x }", " |$x, $y| { $y }"] {
                programs.push(format!("{}({list}){block}", function.name));
            }
        }
    }
    for symbol in operators::TABLE.iter().map(|row| row.symbol) {
        for (left, right) in [("$s", "$r"), ("$h", "$g"), ("$t", "$u"), ("'k'", "$s"), ("$s", "Array[Enum['x']]")] {
            programs.push(format!("{left} {symbol} {right}"));
        }
    }
    let steps = |count: usize| -> Vec<Option<f64>> {
        let bindings = format!(
            "$a = Array(Integer[1, {count}])
            $s = $a.map |$n| {{ \"k$n\" }} $r = $a.map |$n| {{ \"k${{$n + 1}}\" }}
            $h = Hash($s.map |$k| {{ [$k, 1] }}) $g = Hash($r.map |$k| {{ [$k, 1] }})
            $t = $s.join('a') $u = $r.join('a')"
        );
        let mut session = Session::new(Strictness::Warning);
        session.eval(&bindings).unwrap();
        session.limits = Limits::default().with(Limit::Steps, 1_000_000);
        let steps_of = |program: &String| {
            let ended = session.eval(program).map_or_else(|error| error.code(), |_| "none");
            ["none", "LIMIT"].contains(&ended).then(|| steps_of(&session))
        };
        programs.iter().map(steps_of).collect()
    };
    assert_eq!(faster(&programs, 250.0, steps(250), steps(1_000)), Vec::<String>::new());
}

/// The same for the commands of the prompt.
#[test]
fn commands_grow_with_their_input_and_not_faster() {
    const ARGUMENTS: [&str; 8] = [
        "$s",
        "$h",
        "$s =~ Array[Integer]",
        "$h =~ Struct[{'k1' => String}]",
        "Enum[*$s]",
        "Struct[Hash($s.map |$k| { [$k, Integer] })]",
        "Enum[*$s] <= Enum[*$r]",
        "Enum[*$s], Enum[*$r]",
    ];
    let names = commands::all_commands().map(|command| command.name).filter(|name| *name != "quit");
    let entries: Vec<String> =
        names.flat_map(|name| ARGUMENTS.iter().map(move |argument| format!(":{name} {argument}"))).collect();
    let steps = |count: usize| -> Vec<Option<f64>> {
        let bindings = format!(
            "$s = Array(Integer[1, {count}]).map |$n| {{ \"k$n\" }}; $r = $s.map |$k| {{ \"x$k\" }}
            $h = Hash($s.map |$k| {{ [$k, 1] }})"
        );
        let of_entry = |entry: &String| {
            let mut console = Console::from(Session::new(Strictness::Warning));
            console.eval(&bindings).unwrap();
            console.limits = Limits::default().with(Limit::Steps, 3_000_000);
            console.enter(entry, &mut |_| {});
            Some(steps_of(&console))
        };
        entries.iter().map(of_entry).collect()
    };
    assert_eq!(faster(&entries, 100.0, steps(100), steps(400)), Vec::<String>::new());
}

/// Strings of 32 MiB and what is made of them, by name.
#[cfg(feature = "cli")]
const LONG: &[(&str, &str)] = &[
    ("$s", "'a'"),
    ("$spaces", "' '"),
    ("$quotes", "\"'\""),
    ("$references", "'\\1'"),
    ("$groups", "'()'"),
    ("$alternatives", "'a|'"),
    ("$digits", "'7'"),
    ("$years", "'%8Y'"),
    ("$percent", "'%s'"),
];

/// Requests that make much in one step, and the issue in which each of them ends under a limit of one second and 128 MiB.
#[cfg(feature = "cli")]
const MUCH: &[(&str, &str)] = &[
    ("regsubst(sprintf('%099999d', 0), '(0*)', $references)", "LIMIT"),
    ("regsubst($s, 'a', '\\0\\0\\0', 'G')", "LIMIT"),
    ("regsubst($s, 'a', {'a' => $s}, 'G')", "LIMIT"),
    ("regsubst($s, '(?<n>a*)', '\\k<n>\\k<n>\\k<n>')", "LIMIT"),
    ("Regexp[$s]", "LIMIT"),
    ("Pattern[$s, $s]", "LIMIT"),
    ("Regexp($groups)", "LIMIT"),
    ("$s =~ $s", "LIMIT"),
    ("$s =~ $alternatives", "LIMIT"),
    ("1 =~ $s", "LIMIT"),
    ("$s.match([$s, $s])", "LIMIT"),
    ("$s.split($s)", "LIMIT"),
    ("$s =~ /a{1000}{100}/", "LIMIT"),
    ("$s =~ /(?:a?){50000}/", "LIMIT"),
    ("$s.match(/((a*))(b?)/)", "LIMIT"),
    ("strftime(Timestamp(0), $years)", "LIMIT"),
    ("strftime(Timespan(0), $percent)", "RUNTIME_ERROR"),
    ("Timespan($digits)", "RUNTIME_ERROR"),
    ("Timestamp($s, [$years, $s])", "RUNTIME_ERROR"),
    ("Integer[1, 400].map |$n| { Binary($s, '%s') }", "LIMIT"),
    ("Integer[1, 400].map |$n| { Binary($s, '%r') + Binary($s, '%r') }", "LIMIT"),
    ("$x = $s; Integer[1, 400].map |$n| { \"x${x}\" }", "LIMIT"),
    ("Integer[1, 400].map |$n| { $s.upcase }", "LIMIT"),
    ("$x = $s; notice(Integer[1, 400].map |$n| { $x })", "LIMIT"),
    ("shellquote(*Integer[1, 400].map |$n| { $s })", "LIMIT"),
    ("shellquote($quotes, $quotes)", "LIMIT"),
    ("notice(*Integer[1, 400].map |$n| { $s })", "LIMIT"),
    ("fail(*Integer[1, 400].map |$n| { $s })", "LIMIT"),
    ("lookup(Integer[1, 400].map |$n| { $s })", "LIMIT"),
    ("module_directory(Integer[1, 400].map |$n| { $s })", "LIMIT"),
    ("join(Integer[1, 400].map |$n| { $s })", "LIMIT"),
    ("sprintf('%s%s%s', $s, $s, $s)", "LIMIT"),
    ("String($quotes, '%p')", "LIMIT"),
    ("$x = $spaces; scanf($digits, \"%[${x}]\")", "none"),
    ("$x = $spaces; scanf($digits, \"%[${x}7]\")", "LIMIT"),
    ("scanf($digits, '%f')", "none"),
    ("sort($s)", "LIMIT"),
    ("Array(Binary($s, '%s'))", "LIMIT"),
    ("values($s)", "RUNTIME_ERROR"),
    ("values([$quotes, $quotes])", "RUNTIME_ERROR"),
    ("URI($percent)", "RUNTIME_ERROR"),
    ("$x = $spaces; SemVerRange(\">1.0.0 ${x}<2.0.0\")", "none"),
    ("abs(Integer[1, 60].reduce(['x']) |$m, $n| { [$m, $m] })", "RUNTIME_ERROR"),
    ("Enum[Integer[1, 60].reduce(['x']) |$m, $n| { [$m, $m] }]", "LIMIT"),
    ("File['a', Integer[1, 60].reduce(['x']) |$m, $n| { [$m, $m] }]", "LIMIT"),
    ("defined(Variant[*Integer[1, 100000].map |$n| { Integer[$n * 3, $n * 3] }])", "RUNTIME_ERROR"),
];

/// Under a small limit each ends soon, and none takes much more than it may.
#[cfg(all(target_os = "linux", feature = "cli"))]
#[test]
fn what_makes_much_in_one_step_is_bounded_before_it_is_made() {
    /// In debug mode on a loaded machine; without the limits most take minutes, or gigabytes.
    const PATIENCE: std::time::Duration = std::time::Duration::from_secs(30);
    const MEMORY: &str = "ulimit -v 1500000; exec \"$0\" \"$@\"";
    for (code, issue) in MUCH {
        let used = LONG.iter().filter(|(name, _)| code.contains(name));
        let bindings: Vec<String> = used
            .map(|(name, unit)| {
                let times = if unit.len() > "'a'".len() { 24 } else { 25 };
                format!("{name} = Integer[1, {times}].reduce({unit}) |$m, $n| {{ \"${{m}}${{m}}\" }}\n")
            })
            .collect();
        let request = serde_json::json!({ "code": format!("{}{code}", bindings.concat()) }).to_string();
        let start = std::time::Instant::now();
        let mut command = std::process::Command::new("sh");
        command.args(["-c", MEMORY, env!("CARGO_BIN_EXE_pcore"), "batch"]);
        // What is to end by itself may take its time on a loaded machine.
        let time = if *issue == "LIMIT" { "time=1000" } else { "time=20000" };
        command.args(["--limit", time, "--limit", "memory=256M"]);
        let run = super::program::run(&mut command, request.as_bytes());
        let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(answer["issue"].as_str().unwrap_or("none"), *issue, "{code}: {}", answer["error"]);
        assert!(start.elapsed() < PATIENCE, "{code} took {:?}", start.elapsed());
    }
}
