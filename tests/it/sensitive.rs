//! What is wrapped in a Sensitive is never said: a marker goes through everything the language has, and must not appear
//! in a value, a type, a notice, a warning, an error, or what the prompt and the batch protocol answer.

use std::fmt::Write as _;
#[cfg(feature = "cli")]
use std::io::Write;
#[cfg(feature = "cli")]
use std::process::{Command, Stdio};
use std::sync::Arc;

use pcore::error::Error;
use pcore::session::{Console, Event, Reply, Request, Session, Strictness, commands};
use pcore::text::Source;
use pcore::types::Type;
use pcore::value::Value;
use pcore::{format, functions, operators, types};

#[cfg(feature = "cli")]
use super::program::pcore;

/// What must not be said; as a word and as a number.
const WORD: &str = "xyzzy";
const NUMBER: &str = "918273645";

/// Secrets of every shape, as `$s` of the program under test.
const SECRETS: &[&str] = &[
    "Sensitive('xyzzy')",
    "Sensitive(918273645)",
    "Sensitive(['xyzzy', {'xyzzy' => 918273645}])",
    "[Sensitive('xyzzy'), Sensitive('xyzzy2')]",
    "{'key' => Sensitive('xyzzy'), 'other' => [Sensitive(918273645)]}",
    "{Sensitive('xyzzy') => Sensitive(['xyzzy'])}",
    "Holder(Sensitive('xyzzy'))",
    "Deferred('upcase', [Sensitive('xyzzy')])",
    "[Sensitive('xyzzy'), Sensitive(918273645)].reverse_each",
];

/// The types that the secrets are of.
const TYPES: &str = "type Holder = Object[{name => 'Holder', attributes => {held => Any}}]\n";

/// Further secrets, whose content has a type of its own.
const TYPED_SECRETS: &[&str] = &[
    "Sensitive(Enum['xyzzy'])",
    "Sensitive(Struct[{'xyzzy' => Integer}])",
    "Sensitive(Integer[918273645])",
    "Sensitive({'xyzzy' => 918273645})",
    "Sensitive(/xyzzy/)",
    "Sensitive(Pattern[/xyzzy/])",
    "Sensitive([Type[Enum['xyzzy']]])",
    "Sensitive(SemVer('1.2.3-xyzzy'))",
    "Sensitive(Timespan(918273645))",
    "Sensitive(URI('http://xyzzy/'))",
    "Sensitive(Error('xyzzy'))",
    "Sensitive(Binary('xyzzy', '%s'))",
    "Sensitive(Sensitive('xyzzy'))",
    "Sensitive(Holder('xyzzy'))",
    "Sensitive(Deferred('upcase', ['xyzzy']))",
    "Sensitive(Timestamp(918273645))",
    "Sensitive(SemVerRange('>=1.2.3-xyzzy'))",
    "Sensitive(['xyzzy'].reverse_each)",
    "Sensitive([[{'key' => ['xyzzy', {'xyzzy' => 1}]}]])",
];

/// What stands beside the secret.
const COMPANIONS: &[&str] = &["1", "'%s'", "'%p'", "/(.)/", "String", "['a', 1]", "{'a' => 1}", "$s"];

/// Everything that a session says about programs, as one text.
struct Overheard {
    session: Console,
}

impl Overheard {
    /// A session whose `$s` is the secret.
    fn of(secret: &str, strictness: Strictness) -> Overheard {
        let mut session = Console::from(Session::new(strictness));
        let program = format!("{TYPES}({secret})");
        let secret = session.evaluate(&Source::new("secret", program), &mut |_| {}).unwrap();
        session.set_variable("s", secret);
        Overheard { session }
    }

    /// Evaluates a program, and gives the secrets that it gives away.
    fn run(&mut self, code: &str) -> Option<String> {
        let mut said = String::new();
        let result = self.session.evaluate(&Source::new("program", code), &mut |event| hear(&event, &mut said));
        match result {
            Ok(value) => say_value(&value, &mut said),
            Err(error) => say_error(&error, &mut said),
        }
        given_away(code, &said)
    }

    /// Takes an entry of the prompt, and gives the secrets that it gives away.
    fn enter(&mut self, entry: &str) -> Option<String> {
        let mut said = String::new();
        match self.session.enter(entry, &mut |event| hear(&event, &mut said)) {
            Reply::Done | Reply::Quit => {}
            Reply::Unfinished(error) | Reply::Failed(error) => say_error(&error, &mut said),
            Reply::Text(text) | Reply::Code(text) | Reply::Verbatim(text) | Reply::Refused(text) => {
                said.push_str(&text);
            }
            Reply::Columns(columns) => said.push_str(&columns.to_text(None)),
            Reply::Asked(Request::Show(value)) => said.push_str(&format::program_text(&value)),
            Reply::Asked(request) => write!(said, "{request:?}").unwrap(),
        }
        given_away(entry, &said)
    }
}

/// The program and what it said, when that holds a secret.
fn given_away(code: &str, said: &str) -> Option<String> {
    let is_said = said.to_lowercase().contains(WORD) || said.contains(NUMBER);
    is_said.then(|| format!("{code}\n    {}", said.chars().take(300).collect::<String>()))
}

fn hear(event: &Event, said: &mut String) {
    match event {
        Event::Log { message: text, .. } => said.push_str(text),
        Event::Warning(warning) => say_error(warning, said),
        Event::Value(value) | Event::Assigned(value) => say_value(value, said),
    }
}

fn say_value(value: &Value, said: &mut String) {
    let texts = [
        format::program_text(value),
        format::text(value),
        format::pretty_print(value, 20),
        format::pretty_print(value, 200),
    ];
    let types = [Type::of(value), Type::infer_reduced(value), Type::of(value).generalized()];
    for text in texts.into_iter().chain(types.iter().map(ToString::to_string)) {
        said.push_str(&text);
        said.push('\n');
    }
}

fn say_error(error: &Error, said: &mut String) {
    said.push_str(error.message());
    for line in error.help().iter().chain(error.labels().iter().map(|label| &label.text)) {
        said.push('\n');
        said.push_str(line);
    }
}

/// Runs every program about every secret.
#[track_caller]
fn assert_kept(secrets: &[&str], programs: &[String]) {
    let mut leaks = Vec::new();
    for secret in secrets {
        for strictness in [Strictness::Warning, Strictness::Error] {
            let mut overheard = Overheard::of(secret, strictness);
            leaks.extend(
                programs.iter().filter_map(|code| overheard.run(code)).map(|leak| format!("$s = {secret}; {leak}")),
            );
        }
    }
    assert!(leaks.is_empty(), "{} programs give the secret away:\n{}", leaks.len(), leaks.join("\n"));
}

fn all(secrets: &'static [&'static str], more: &'static [&'static str]) -> Vec<&'static str> {
    secrets.iter().chain(more).copied().collect()
}

/// The secret alone, before, between and behind others.
fn argument_lists() -> Vec<String> {
    let mut lists = vec!["$s".to_owned()];
    for other in COMPANIONS {
        lists.extend([format!("$s, {other}"), format!("{other}, $s"), format!("$s, {other}, {other}")]);
        lists.extend([format!("{other}, $s, {other}"), format!("{other}, {other}, $s")]);
    }
    lists
}

#[test]
fn no_function_gives_a_secret_away() {
    let mut programs = Vec::new();
    for function in functions::TABLE.iter().copied().flatten() {
        // Giving the content is what it is for.
        if function.name == "unwrap" {
            continue;
        }
        for list in argument_lists() {
            for block in ["", " |$x| { $x }", " |$x, $y| { [$x, $y] }"] {
                programs.push(format!("{}({list}){block}", function.name));
            }
        }
    }
    assert_kept(SECRETS, &programs);
}

#[test]
#[allow(clippy::too_many_lines, reason = "a list of programs")]
fn no_operator_gives_a_secret_away() {
    let mut programs = Vec::new();
    for operator in operators::TABLE.iter().map(|row| row.symbol) {
        for other in COMPANIONS {
            programs.extend([format!("$s {operator} {other}"), format!("{other} {operator} $s")]);
        }
    }
    for prefix in ["-", "!"] {
        programs.push(format!("{prefix}$s"));
    }
    let uses = [
        "[*$s]",
        "$s[0]",
        "$s['key']",
        "$s['key', 0]",
        "$s[$s]",
        "[1][$s]",
        "{'a' => 1}[$s]",
        "'text'[$s]",
        "{$s => $s}",
        "$s ? { String => 1 }",
        "$s ? { $s => $s }",
        "case $s { String: { 1 } default: { $s } }",
        "if $s { $s }",
        "$s.key",
        "$s()",
        "[$a, $b] = $s",
        "$s = 1",
        "$s =~ Struct[{key => String}]",
        "case 'a' { $s: { $s } }",
        "\"a ${s} b ${s[0]} c ${s['key']}\"",
        "\"${[$s, {1 => $s}]}\"",
        "notice($s, [$s])",
        "fail($s)",
        "Integer[$s]",
        "Enum[$s]",
        "Struct[$s]",
        "Pattern[$s]",
        "Array[$s]",
        "Sensitive[$s]",
        "Type[$s]",
        "Object[$s]",
        "Init[$s]",
        "Init[Integer, $s]",
        "TypeSet[$s]",
        "Callable[$s]",
        "Struct[{$s => String}]",
        "Optional[$s]",
        "File[$s]",
        "function f(Integer $x) { $x } f($s)",
        "function g() >> Integer { $s } g()",
        "function h($x) { $s.break } h($s)",
        "with($s) |Integer $x| { $x }",
        "with($s) |String *$x| { $x }",
        "return($s)",
        "next($s)",
        "break($s)",
        "$s.each |Integer $x| { $x }",
        "$f = Deferred('upcase', [$s]) $f",
        "Deferred('upcase', [$s]).call()",
        "assert_type(Array[Integer], [$s]) |$expected, $actual| { \"${expected} ${actual}\" }",
        "assert_type(Hash[String, Integer], $s) |$expected, $actual| { notice($actual) }",
        "Error($s)",
        "Error('message', $s, $s)",
        "inline_epp('<%= $s %>')",
        "inline_epp('<%= $x %>', {x => $s})",
        "inline_epp('<%- | Integer $x | -%><%= $x %>', {x => $s})",
        "type($s)",
        "type($s, generalized)",
        "type($s, reduced)",
        "type([$s, 1], reduced)",
        "lookup($s)",
        "lookup('a', {default_value => $s})",
        "Holder($s)",
        "Holder({held => $s})",
        "Holder($s).held",
        "Holder($s) == Holder($s)",
        "Holder($s, 1)",
        "Holder({hold => $s})",
        "Holder($s) + 1",
        "\"${Holder($s)}\"",
        "String(Holder($s), '%p')",
        "Holder[{held => $s}]",
        "Object[{name => 'A', attributes => {a => {type => Any, value => $s}}}]",
        "Object[{name => 'B', attributes => {b => {type => Integer, value => $s}}}]",
        "Object[{name => 'C', constants => {c => $s}}].new",
        "Deferred($s)",
        "Deferred('f', $s)",
        "Deferred('f', [$s]).call",
        "Deferred('upcase', [[{'a' => $s}]]).call",
        "$d = Deferred('upcase', [$s])\n$d()",
        "$d = Deferred('upcase', [$s])\n$d($s)",
        "Error('message', 'kind', {'detail' => $s}) + 1",
        "Error('message', 'kind', {'detail' => $s}).details",
        "Error($s, $s, $s, $s)",
        "fail('a', $s)",
        "fail([$s])",
        "notify { $s: }",
        "notify { [$s]: }",
        "notify { 'a': message => $s }",
        "File[$s] -> File['a']",
        "{a => $s} =~ Struct[{a => Integer}]",
        "assert_type(Struct[{key => Integer, 'other' => Integer}], $s)",
        "assert_type(Holder, $s)",
        "assert_type(Tuple[Integer, String], [$s, $s])",
        "assert_type(Hash[Integer, Any], {$s => 1})",
        "assert_type(Sensitive[Integer[0, 1]], $s)",
        "assert_type(Sensitive[Enum['a']], $s)",
        "Timespan[$s]",
        "SemVer[$s]",
        "URI[{host => $s}]",
        "Resource['file', $s]",
        "Class[$s]",
        "Runtime['ruby', $s]",
        "Regexp[$s]",
        "Boolean[$s]",
        "Tuple[$s, 1]",
        "Variant[$s, Integer]",
        "Error[$s]",
        "Iterable[$s]",
        "Sensitive[String]($s)",
        "Sensitive[Integer[0, 1]]($s)",
        "Sensitive[Enum['a']](unwrap(Sensitive('b')))",
        "$s.unwrap.nothing.length",
        "$s.map |$x| { $x.foo }",
        "'a' =~ $s",
        "'a' !~ [$s]",
        "$s in ['a', $s]",
        "case [$s] { [Integer]: { 1 } }",
        "$s ? { Integer => 1 }",
        "{'a' => 1} ? { $s => 2 }",
        "<<| END\n",
        "@(END)\n  ${s} and ${[$s]}\n  | END\n",
        "function k(Struct[{a => Integer}] $x) { $x } k({a => $s})",
        "function l(Integer *$x) { $x } l(1, $s)",
        "function m($x = $s) { $x + 1 } m()",
        "[1, 2].reduce($s) |Integer $a, $b| { $a }",
        "type Alias = Enum[$s]",
    ];
    programs.extend(uses.map(str::to_owned));
    assert_kept(&all(SECRETS, TYPED_SECRETS), &programs);
}

#[test]
fn no_conversion_gives_a_secret_away() {
    let mut programs = Vec::new();
    for row in types::TABLE {
        for list in ["$s", "$s, 1", "$s, '%s'", "1, $s", "'a', $s", "$s, $s", "{'value' => $s}", "[$s]", "[[$s, $s]]"] {
            programs.push(format!("{}({list})", row.name));
            programs.push(format!("{}.new({list})", row.name));
        }
        programs.push(format!("$s =~ {}", row.name));
    }
    for letter in ('a'..='z').chain('A'..='Z') {
        for flags in ["", "#", "-30", "[", " #(", "0.3"] {
            programs.push(format!("String($s, '%{flags}{letter}')"));
            programs.push(format!("sprintf('%{flags}{letter}', $s)"));
            programs.push(format!("sprintf('%<key>{flags}{letter}', $s)"));
            programs.push(format!("String([$s], {{ Array => {{ format => '%{flags}{letter}' }} }})"));
            programs.push(format!("String($s, {{ Any => '%{flags}{letter}' }})"));
            programs.push(format!("String($s, {{ Sensitive => '%{flags}{letter}', String => '%{letter}' }})"));
        }
    }
    programs.push("sprintf('%{key}', $s)".to_owned());
    programs.push("String($s, {Hash => {format => '%h', string_formats => {Any => '%p'}}})".to_owned());
    assert_kept(&all(SECRETS, TYPED_SECRETS), &programs);
}

#[test]
fn the_prompt_gives_no_secret_away() {
    let mut leaks = Vec::new();
    // Every command is asked about it, whatever it expects.
    let asked =
        commands::all_commands().map(|command| command.name).filter(|name| !["quit", "reset", "unset"].contains(name));
    let asked = asked.flat_map(|name| {
        ["$s", "[$s]", "{a => $s}", "Holder($s)", "\"${s}\"", "f($s)"].map(|of| format!(":{name} {of}"))
    });
    let asked: Vec<String> = asked.collect();
    let entries = [
        "$s",
        "$kept = [$s]",
        "$_",
        "$_1",
        ":vars",
        ":type $s",
        ":type [$s]",
        ":vars",
        ":why $s =~ Integer",
        ":why $s =~ Sensitive[Float]",
        ":why [$s] =~ Array[Sensitive[Float]]",
        ":why $s =~ Struct[{key => String, 'other' => Integer}]",
        ":why $s =~ Hash[String, Integer, 5]",
        ":why $s =~ Variant[Integer, Array[Float]]",
        ":why {$s => 1} =~ Hash[String, Integer]",
        ":why $s =~ Sensitive[Enum['a']]",
        ":why $s =~ Sensitive[Struct[{'a' => Integer}]]",
        "$s =~ Integer\n",
        ":why",
        ":why {'x' => $s} =~ Struct[{'y' => Integer}]",
        "type A = Sensitive[Integer[5]]\n$s =~ A",
        ":why",
        ":aliases",
        ":why $s =~ $s",
        ":doc $s",
        "?$s",
        ":unset $s",
    ];
    for secret in all(SECRETS, TYPED_SECRETS) {
        let mut overheard = Overheard::of(secret, Strictness::Warning);
        let all_entries = asked.iter().map(String::as_str).chain(entries);
        leaks.extend(all_entries.filter_map(|entry| overheard.enter(entry)));
    }
    assert_eq!(leaks, Vec::<String>::new());
}

#[cfg(feature = "cli")]
#[test]
fn the_batch_protocol_gives_no_secret_away() {
    let mut requests = String::new();
    for secret in all(SECRETS, TYPED_SECRETS) {
        for code in
            ["$s", "[$s]", "notice($s) $s + 1", "Integer($s)", "type($s)", "fail(\"${s}\")", "warning($s)", "f($s)"]
        {
            let request = serde_json::json!({ "id": 1, "preamble": format!("{TYPES}$s = {secret}"), "code": code });
            requests.push_str(&request.to_string());
            requests.push('\n');
        }
    }
    let mut program = Command::new(env!("CARGO_BIN_EXE_pcore"))
        .arg("batch")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(requests.as_bytes()).unwrap());
    let output = program.wait_with_output().unwrap();
    writer.join().unwrap();
    let said = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    assert_eq!(said.lines().filter_map(|line| given_away("batch", line)).collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn only_unwrap_gives_the_content() {
    let mut session = Session::new(Strictness::Error);
    session.set_variable("s", Value::Sensitive(Arc::new(WORD.into())));
    for (code, answer) in [("$s.unwrap", "'xyzzy'"), ("unwrap($s) |$text| { upcase($text) }", "'XYZZY'")] {
        let value = session.evaluate(&Source::new("program", code), &mut |_| {}).unwrap();
        assert_eq!(format::program_text(&value), answer);
    }
}

#[cfg(feature = "cli")]
#[test]
fn the_program_gives_no_secret_away() {
    let programs = [
        "notice($s)\nwarning(\"${s}\")\n$t = [{'key' => $s}]\n$t",
        "$s + 1",
        "Integer([$s])",
        "fail($s)",
        "$s.nothing",
    ];
    let mut leaks = Vec::new();
    for secret in all(SECRETS, TYPED_SECRETS) {
        for options in [&["--json"][..], &["--format", "%s", "--strict", "error"], &["--format", "%#p"]] {
            for program in programs {
                // An error shows the text that it is in, so the secret stands in a text of its own.
                let made = format!("{TYPES}$s = {secret}");
                let run = pcore(&[options, &["--quiet", "-e", &made, "-e", program]].concat(), b"");
                leaks.extend(given_away(&format!("{options:?} {program}"), &format!("{}{}", run.out, run.err)));
            }
        }
    }
    assert_eq!(leaks, Vec::<String>::new());
}

/// A generator of numbers without a pattern (xorshift), the same in every run.
#[cfg(feature = "report")]
struct Random(u64);

#[cfg(feature = "report")]
impl Random {
    fn one<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        of[usize::try_from(self.0 % of.len() as u64).unwrap()]
    }
}

/// What makes a Sensitive of SECRET.
#[cfg(feature = "report")]
const MAKERS: &[&str] = &[
    "$p = Sensitive(SECRET)",
    "$p = Sensitive.new(SECRET)",
    "$p = Optional[Sensitive].new(SECRET)",
    "$p = new(Sensitive[Any], SECRET)",
    "type Hushed = Sensitive\n$p = Hushed.new(SECRET)",
    "$p = SECRET.convert_to(Sensitive)",
    "$k = 'Sensitive'\n$p = new($k, SECRET)",
    "function hush($x) { Sensitive($x) }\n$p = hush(SECRET)",
    "$p = [SECRET].map |$x| { Sensitive($x) }[0]",
    "$q = SECRET\n$p = Sensitive($q)",
    "$p = Sensitive([SECRET, {'k' => SECRET}])",
    "$p = inline_epp('<%= Sensitive($x) %>', {x => SECRET})",
    "$p = regsubst(Sensitive(SECRET), '^', 'the ')",
    "$p = with(SECRET) |$x| { [Sensitive($x)] }",
    "$p = Sensitive(SECRET).unwrap.then |$x| { Sensitive($x) }",
    "$p = Variant[Sensitive[String], Integer].new(SECRET)",
];

/// What goes wrong with it, or beside it in the same line.
#[cfg(feature = "report")]
const WRONGS: &[&str] = &[
    "$p + 1",
    "Integer(SECRET)",
    "$x = SECRET + 1",
    "assert_type(Integer, SECRET)",
    "assert_type(Struct[{a => Integer}], {'a' => SECRET, 'b' => 1})",
    "fail(SECRET)",
    "[1, SECRET].nothing(1)",
    "Enum['a', 'b'].new(SECRET)",
    "Timestamp(SECRET)",
    "$h = {'a' => SECRET} $h['a']['b']['c']",
    "notify { 'a': messag => SECRET }",
    "SECRET =~ Integer and unknown_function(SECRET)",
    "function f(Sensitive[String] $s) { 1 } f(SECRET)",
    "class c(Variant[String[50], Sensitive[String[50]]] $s) { } class { 'c': s => SECRET }",
    "SECRET ? { Integer => 1 }",
    "lookup(SECRET)",
    "inline_epp('<%= $nothing %> SECRET')",
    "$y = SECRET; )",
];

#[cfg(feature = "report")]
const SPELLINGS: &[&str] = &["'xyzzy'", "\"xyzzy\"", "'is xyzzy'", "'xyzzy is'"];

/// Errors with their excerpts, what is saved: 5,000 programs with `PCORE_EVERY_SECRET=1`.
#[cfg(feature = "report")]
#[test]
fn no_error_and_no_saved_file_has_what_a_program_made_sensitive() {
    use pcore::report::{Options, Severity, render};

    let count = if std::env::var_os("PCORE_EVERY_SECRET").is_some() { 5_000 } else { 400 };
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut leaks = Vec::new();
    for _ in 0..count {
        let spelling = random.one(SPELLINGS);
        let maker = random.one(MAKERS).replace("SECRET", spelling);
        let separator: &str = random.one(&["\n", "; ", "\n\n"]);
        let wrong = random.one(WRONGS).replace("SECRET", spelling);
        let entries = match random.one(&["together", "apart"]) {
            "together" => vec![format!("{maker}{separator}{wrong}")],
            _ => vec![maker, wrong],
        };
        let mut session = Console::from(Session::new(*random.one(&[&Strictness::Warning, &Strictness::Error])));
        let mut said = String::new();
        for entry in &entries {
            let mut heard = String::new();
            let reply = session.enter(entry, &mut |event| {
                if let Event::Warning(warning) = event {
                    heard.push_str(&render(&warning, Severity::Warning, Options::default()));
                }
            });
            said.push_str(&heard);
            if let Reply::Failed(error) | Reply::Unfinished(error) = reply {
                // A program that fails before it makes anything has no secret, unless its text shows one.
                if session.secrets().noted_count() > 0 {
                    said.push_str(&render(&error, Severity::Error, Options::default()));
                    say_error(&error, &mut said);
                }
            }
        }
        if session.secrets().noted_count() > 0 {
            let saved = session.enter(":save saved.pp", &mut |_| {});
            write!(said, "{saved:?}").unwrap();
        }
        leaks.extend(given_away(&entries.join("\n>> "), &said));
    }
    assert!(leaks.is_empty(), "{} programs give the secret away:\n{}", leaks.len(), leaks.join("\n"));
}

/// A type and a value: nested at random, somewhere a plain string where the type says Sensitive, somewhere else a mistake.
#[cfg(feature = "report")]
fn typed(random: &mut Random, depth: u32) -> (String, String) {
    let mut inner = || typed(random, depth.saturating_sub(1));
    if depth == 0 {
        let plain = ["Integer|'x'", "String|'x'", "Enum[a]|'b'", "Boolean|true"];
        let secret = [
            "Sensitive|'xyzzy'",
            "Sensitive[String]|'xyzzy'",
            "Optional[Sensitive[Integer]]|'xyzzy'",
            "Variant[Integer, Sensitive[String]]|{a => 'xyzzy'}",
            "Secret|['xyzzy']",
            "NotUndef[Secret]|'xyzzy'",
            "Init[Sensitive[String]]|[['xyzzy']]",
        ];
        let all: Vec<&str> = plain.into_iter().chain(secret).collect();
        let (type_, value) = random.one(&all).split_once('|').unwrap();
        return (type_.to_owned(), value.to_owned());
    }
    let ((one, a), (other, b)) = (inner(), inner());
    match random.one(&[&0, &1, &2, &3, &4, &5, &6]) {
        0 => (format!("Struct[{{a => {one}, b => {other}}}]"), format!("{{a => {a}, b => {b}}}")),
        1 => (format!("Struct[{{a => {one}, c => {other}}}]"), format!("{{a => {a}, b => {b}}}")),
        2 => (format!("Hash[String, {one}, 3]"), format!("{{a => {a}}}")),
        3 => (format!("Array[{one}]"), format!("[{a}, 1]")),
        4 => (format!("Tuple[{one}, {other}]"), format!("[{a}, {b}]")),
        5 => (format!("Iterable[{one}]"), format!("[{a}]")),
        _ => (format!("Variant[{one}, {other}]"), a),
    }
}

/// 5,000 types and values with `PCORE_EVERY_SECRET=1`.
#[cfg(feature = "report")]
#[test]
fn what_a_type_says_is_sensitive_is_shown_nowhere() {
    use pcore::explain::mismatch::explain;
    use pcore::report::{Options, Severity, render};

    let count = if std::env::var_os("PCORE_EVERY_SECRET").is_some() { 5_000 } else { 300 };
    let mut random = Random(0x51a7_b1e5);
    let mut leaks = Vec::new();
    for _ in 0..count {
        let (type_, value) = typed(&mut random, 3);
        let mut session = Console::from(Session::default());
        session.eval("type Secret = Sensitive[String[1]]").unwrap();
        let whole = session.eval(&value).unwrap();
        session.set_variable("x", whole.clone());
        let entries = [
            format!(":why $x =~ {type_}"),
            ":why 1".to_owned(),
            format!(":why {value} =~ {type_}"),
            format!(":why {type_} in [$x]"),
            format!(":why $x, {type_}"),
            format!("assert_type({type_}, $x)"),
            ":why".to_owned(),
            format!("assert_type({type_}, {value})"),
            format!("with($x) |{type_} $y| {{ 1 }}"),
            format!("$x ? {{ {type_} => 1 }}"),
            ":why".to_owned(),
            format!(
                "type Holder = Object[{{attributes => {{a => {type_}, b => Integer}}}}]\nHolder({{a => $x, b => 'x'}})"
            ),
            ":why".to_owned(),
            "Holder($x, 1)".to_owned(),
            format!("{type_}($x)"),
        ];
        for entry in entries {
            let mut said = String::new();
            match session.enter(&entry, &mut |_| {}) {
                Reply::Failed(error) | Reply::Unfinished(error) => {
                    said.push_str(&render(&error, Severity::Error, Options::default()));
                    say_error(&error, &mut said);
                }
                Reply::Text(text) | Reply::Verbatim(text) | Reply::Refused(text) => said.push_str(&text),
                _ => {}
            }
            leaks.extend(given_away(&format!("{type_}, {value}: {entry}"), &said));
        }
        let expected = session.eval(&type_).unwrap();
        if let Some(mismatch) = explain(expected.as_type().unwrap(), &whole) {
            leaks.extend(given_away(&type_, &mismatch.to_string()));
        }
    }
    assert!(leaks.is_empty(), "{} give the secret away:\n{}", leaks.len(), leaks.join("\n"));
}

#[test]
fn a_program_that_cannot_be_read_has_secrets_too() {
    for (entry, shown) in [
        ("Sensitive('hunter2'", "Sensitive('*******'"),
        ("sensitive('hunter2')", "sensitive('*******')"),
        ("Sensitve('a') + Sensitive.new(\"hunter2\") 1 +", "Sensitve('a') + Sensitive.new(\"*******\") 1 +"),
        (":ast [1, Sensitive('hunter2')", "[1, Sensitive('*******')"),
    ] {
        let mut session = Console::from(Session::default());
        let (Reply::Failed(error) | Reply::Unfinished(error)) = session.enter(entry, &mut |_| {}) else {
            panic!("{entry} is wrong")
        };
        assert_eq!(error.source_text().unwrap().shown_text(), shown);
    }
    let mut session = Console::from(Session::default());
    let Reply::Verbatim(tree) = session.enter(":ast Sensitive('hunter2')", &mut |_| {}) else { panic!("a tree") };
    assert_eq!(tree, r#"(invoke {:functor (qr "Sensitive") :args ["[redacted]"]})"#);
}

#[cfg(feature = "cli")]
#[test]
fn the_history_and_the_files_of_a_session_have_no_secrets() {
    let home = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("secrets");
    let _ = std::fs::remove_dir_all(&home);
    std::fs::create_dir_all(&home).unwrap();
    let mut entries: Vec<String> = Vec::new();
    for (number, maker) in MAKERS.iter().enumerate() {
        let maker = maker.replace("SECRET", "'xyzzy'").replace("$p", &format!("$p{number}"));
        let maker = maker.replace("$q", &format!("$q{number}")).replace("$k", &format!("$k{number}"));
        entries.push(maker.replace('\n', "; "));
    }
    entries.extend(["$plain = 'kept'", "'xyzzy'", "$p0.unwrap", "$p0 + 1"].map(str::to_owned));
    entries.extend([":save saved.pp", ":transcript saved.md", "'last'"].map(str::to_owned));
    let mut command = super::program::command(&["-i"]);
    command.current_dir(&home).env("TERM", "dumb").env("HOME", &home);
    command.env("XDG_STATE_HOME", home.join("state")).env("XDG_CONFIG_HOME", home.join("config"));
    super::program::run(&mut command, (entries.join("\n") + "\n").as_bytes());
    let mut leaks = Vec::new();
    for (file, kept) in [("state/pcore/history", "'last'"), ("saved.pp", "$plain"), ("saved.md", "$plain")] {
        let text = std::fs::read_to_string(home.join(file)).unwrap();
        assert!(text.contains(kept), "{file}: {text}");
        leaks.extend(text.lines().filter_map(|line| given_away(file, line)));
    }
    assert_eq!(leaks, Vec::<String>::new());
}

#[cfg(feature = "cli")]
#[test]
fn a_check_shows_nothing_of_sensitive_data() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("secret_data");
    let _ = std::fs::remove_dir_all(&folder);
    for directory in ["manifests", "data"] {
        std::fs::create_dir_all(folder.join(directory)).unwrap();
    }
    let class = "class web(\n  Sensitive[String[20]] $password,\n  Variant[Sensitive[String], String[1, 3]] $other,\n  \
                 Hash[String, Struct[{secret => Optional[Sensitive], port => Integer}]] $users = {},\n  \
                 Sensitive[Integer] $default = 'xyzzy',\n) { $x = Sensitive('xyzzy') + 1 + nothing }\n";
    let data = "web::password: xyzzy\nweb::other: \"xyzzy\"\nweb::users:\n  a: {secret: xyzzy, port: xyz}\n  \
                b: {port: xyz, secret: [xyzzy, {xyzzy: xyzzy}]}\n";
    std::fs::write(folder.join("metadata.json"), "{\"name\": \"a-web\", \"version\": \"1.0.0\"}").unwrap();
    std::fs::write(folder.join("hiera.yaml"), "version: 5\n").unwrap();
    std::fs::write(folder.join("manifests/init.pp"), class).unwrap();
    std::fs::write(folder.join("data/common.yaml"), data).unwrap();
    let type_ = "Struct[{'web::password' => Sensitive[Integer], 'web::other' => Variant[Sensitive, Integer], \
                 'web::users' => Hash[String, Struct[{secret => Sensitive, port => Integer}]]}]";
    let folder = folder.to_str().unwrap();
    let file = format!("{folder}/data/common.yaml");
    let mut leaks = Vec::new();
    for form in ["text", "json", "jsonl", "github", "sarif"] {
        for arguments in
            [&["check", "--format", form, folder][..], &["check", "--format", form, "--type", type_, &file]]
        {
            let run = pcore(arguments, b"");
            let said = run.out + &run.err;
            assert!(said.contains("port"), "{arguments:?}: {said}");
            leaks.extend(said.lines().filter_map(|line| given_away(form, line)));
        }
    }
    assert_eq!(leaks, Vec::<String>::new());
}
