//! The program `pcore` from outside: arguments, streams, exit codes.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What one run of the program gave.
#[derive(Debug, PartialEq)]
pub(crate) struct Run {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

/// Runs `pcore` with standard input `input`.
pub(crate) fn pcore(arguments: &[&str], input: &[u8]) -> Run {
    run(&mut command(arguments), input)
}

pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pcore"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    // The environment of whoever runs the tests must not show in the answers.
    for name in ["NO_COLOR", "COLORFGBG", "CLICOLOR_FORCE", "FORCE_COLOR", "CI", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    command
}

pub(crate) fn run(command: &mut Command, input: &[u8]) -> Run {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        // A program that does not read its input closes the pipe, which is no failure.
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run { out: text(output.stdout), err: text(output.stderr), code: output.status.code().unwrap() }
}

fn says(out: &str) -> Run {
    Run { out: out.to_owned(), err: String::new(), code: 0 }
}

fn complains(err: &str, code: i32) -> Run {
    Run { out: String::new(), err: err.to_owned(), code }
}

/// A file that is there as long as the test needs it.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &[u8]) -> Scratch {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::write(&path, content).unwrap();
        Scratch(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

#[test]
fn values_and_notices_go_to_standard_output_in_order() {
    assert_eq!(pcore(&["-e", "1 + 1"], b""), says("2\n"));
    assert_eq!(pcore(&["-e", "notice('x')\n'y'"], b""), says("Notice: x\n'y'\n"));
    assert_eq!(pcore(&["-e", "$x = 20", "-e", "$x + 1"], b""), says("21\n"));
}

#[test]
fn standard_input_is_a_program() {
    assert_eq!(pcore(&[], b"[1, 2].map |$x| { $x * 2 }\n"), says("[2, 4]\n"));
    assert_eq!(pcore(&["-"], b"1\n2\n"), says("1\n2\n"));
    assert_eq!(pcore(&[], b""), says(""));
}

#[test]
fn warnings_and_errors_go_to_standard_error() {
    let run = pcore(&["-e", "warning('careful')"], b"");
    assert_eq!((run.err.as_str(), run.code), ("Warning: careful\n", 0));
    let run = pcore(&["-e", "1 + [2]\n3"], b"");
    assert_eq!((run.out.as_str(), run.code), ("", 1));
    assert_eq!(run.err.lines().nth(1), Some(" --> -e:1:5"));
}

#[test]
fn unfinished_input_is_an_error_at_its_end() {
    let run = pcore(&[], b"1 + \n");
    assert_eq!((run.out.as_str(), run.code), ("", 1));
    assert_eq!(run.err.lines().next(), Some("error[SYNTAX_ERROR]: unexpected end of input: expected an expression"));
}

#[test]
fn a_file_that_cannot_be_run_is_named_with_what_is_wrong() {
    assert_eq!(pcore(&["missing.pp"], b""), complains("error: `missing.pp` does not exist\n", 1));
    let near = complains("error: `Cargo.tml` does not exist; did you mean `Cargo.toml`?\n", 1);
    assert_eq!(pcore(&["Cargo.tml"], b""), near);
    let directory = complains("error: `src` is a directory, expected a file with Puppet code\n", 1);
    assert_eq!(pcore(&["src"], b""), directory);
    let binary = Scratch::new("binary.pp", b"1\n\x00\xff\n");
    let message = format!("error: `{}` is not valid UTF-8: byte 0xff on line 2\n", binary.name());
    assert_eq!(pcore(&[binary.name()], b""), complains(&message, 1));
}

#[test]
fn an_empty_file_says_nothing() {
    let empty = Scratch::new("empty.pp", b"");
    assert_eq!(pcore(&[empty.name()], b""), says(""));
}

#[test]
fn a_byte_order_mark_does_not_matter() {
    let marked = Scratch::new("marked.pp", b"\xef\xbb\xbf1 + 1\r\n");
    assert_eq!(pcore(&[marked.name()], b""), says("2\n"));
}

#[test]
fn after_a_wrong_file_the_others_still_run() {
    let good = Scratch::new("good.pp", b"'good'");
    let run = pcore(&["missing.pp", good.name()], b"");
    assert_eq!((run.out.as_str(), run.code), ("'good'\n", 1));
}

#[test]
fn exit_status_tells_whether_the_last_value_counts() {
    let code = |program: &str| pcore(&["--exit-status", "--quiet", "-e", program], b"").code;
    assert_eq!(
        [code("5 =~ Integer"), code("5 =~ String"), code("undef"), code("''"), code("fail('x')")],
        [0, 1, 1, 0, 5]
    );
}

#[test]
fn quiet_keeps_what_the_program_says() {
    assert_eq!(pcore(&["--quiet", "-e", "notice('x')\n1"], b""), says("Notice: x\n"));
}

#[test]
fn json_is_one_object_for_each_program() {
    let run = pcore(&["--json", "-e", "notice('x')\n[1]", "-e", "1 / 0"], b"");
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines.len(), 2);
    let first: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
    let place = r#""line":1,"pos":1,"end_line":1,"end_pos":7,"source":"-e""#;
    let notice = format!(r#"{{"level":"notice","message":"x",{place}}}"#);
    let expected = format!(
        r#"{{"source":"-e","ok":true,"value":"[1]","data":[1],"type":"Tuple[Integer[1, 1]]","notices":[{notice}]}}"#
    );
    assert_eq!(first, serde_json::from_str::<serde_json::Value>(&expected).unwrap());
    let second: serde_json::Value = serde_json::from_str(lines[1]).unwrap();
    assert_eq!((&second["ok"], &second["issue"], &second["line"]), (&false.into(), &"DIV_BY_ZERO".into(), &1.into()));
    assert_eq!((run.err.as_str(), run.code), ("", 1));
}

#[test]
fn warnings_in_json_have_a_code_and_a_place() {
    let run = pcore(&["--json", "-e", "1 =~ Prot"], b"");
    let answer: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let warning = &answer["notices"][0];
    assert_eq!(
        (&warning["level"], &warning["issue"], &warning["pos"]),
        (&"warning".into(), &"UNKNOWN_RESOURCE_TYPE".into(), &6.into())
    );
}

#[test]
fn codes_and_files_run_in_the_order_given() {
    let file = Scratch::new("order.pp", b"$x = 2\nnotice('file')\n");
    let run = pcore(&["-e", "notice('first')", file.name(), "-e", "$x"], b"");
    assert_eq!(run, says("Notice: first\nNotice: file\n2\n"));
}

#[test]
fn values_are_printed_as_data() {
    let code = "{a => [1, 'yes', {b => undef}], c => Timestamp('2020-01-01')}";
    for (format, expected) in [
        ("json", r#"{"a":[1,"yes",{"b":null}],"c":"2020-01-01T00:00:00.000000000 UTC"}"#),
        ("yaml", "a:\n- 1\n- 'yes'\n- b:\nc: 2020-01-01T00:00:00.000000000 UTC"),
        ("pp", "{'a' => [1, 'yes', {'b' => undef}], 'c' => Timestamp('2020-01-01T00:00:00.000000000 UTC')}"),
        ("%#p", ""),
    ] {
        let run = pcore(&["--format", format, "-e", code], b"");
        assert!(run.code == 0 && (expected.is_empty() || run.out == format!("{expected}\n")), "{}", run.out);
    }
}

#[test]
fn a_value_with_shared_parts_is_no_endless_text() {
    let code = "Integer[1, 40].reduce([1]) |$all, $n| { [$all, $all] }";
    for format in ["json", "yaml"] {
        let run = pcore(&["--format", format, "-e", code], b"");
        assert!(run.code == 1 && run.err.starts_with("error[LIMIT]"), "{}", run.err);
    }
}

#[test]
fn a_misspelt_command_and_a_pasted_session_get_a_hint() {
    let run = pcore(&["cehck", "data"], b"");
    assert!(
        run.err.starts_with("error: `cehck` does not exist; did you mean the command `pcore check`?\n"),
        "{}",
        run.err
    );
    let run = pcore(&[], b">> 1 + 1\n=> 2\n");
    assert!(run.err.contains("`pcore -i` reads it"), "{}", run.err);
    let run = pcore(&["-i"], b">> 1 + 1\n=> 2\n>> :type 1\n");
    assert!(run.out.contains("=> 2\n") && run.out.contains("Integer[1, 1]"), "{}", run.out);
}

#[test]
fn json_tells_all_places_of_an_error() {
    let run = pcore(&["--json", "-e", "$x = 1\n$x = 2"], b"");
    let first = r#"{"source":"-e","ok":false,"issue":"ILLEGAL_REASSIGNMENT","error":"cannot reassign variable $x","#;
    let second = r#""help":["choose another name; to compare, write `==`; at the prompt, `:unset $x` removes this one"],"line":2,"pos":1,"#;
    let third = r#""end_line":2,"end_pos":3,"labels":[{"line":1,"pos":1,"end_line":1,"end_pos":3,"source":"-e","#;
    assert_eq!(run.out, format!("{first}{second}{third}\"text\":\"first set here\"}}],\"notices\":[]}}\n"));
}

#[test]
fn a_format_of_string_new_can_be_chosen() {
    assert_eq!(pcore(&["--format", "%x", "-e", "255"], b""), says("ff\n"));
    assert_eq!(pcore(&["--format", "%s", "-e", "'plain'"], b""), says("plain\n"));
}

#[test]
fn time_is_told_to_standard_error() {
    let run = pcore(&["--time", "-e", "1"], b"");
    assert_eq!((run.out.as_str(), run.code), ("1\n", 0));
    let milliseconds = run.err.strip_prefix("-e: ").and_then(|rest| rest.strip_suffix(" ms\n"));
    assert_eq!(milliseconds.map(|number| number.parse::<f64>().is_ok()), Some(true));
}

#[test]
fn strictness_decides_between_a_warning_and_an_error() {
    let run = |level: &str| pcore(&["--strict", level, "-e", "'10' + 1"], b"");
    assert_eq!(run("off"), says("11\n"));
    let warned = run("warning");
    assert_eq!((warned.out.as_str(), warned.code, warned.err.starts_with("warning")), ("11\n", 0, true));
    let refused = run("error");
    assert_eq!((refused.out.as_str(), refused.code, refused.err.starts_with("error")), ("", 1, true));
}

#[test]
fn colours_appear_only_where_they_are_wanted() {
    let coloured = "\u{1b}[32;1mNotice:\u{1b}[0m x\n";
    let notice = ["-e", "notice('x')"];
    assert_eq!(pcore(&notice, b""), says("Notice: x\n"));
    assert_eq!(pcore(&["--color", "always", "-e", "notice('x')"], b"").out, coloured);
    assert_eq!(run(command(&notice).env("CLICOLOR_FORCE", "1"), b"").out, coloured);
    assert_eq!(run(command(&notice).env("FORCE_COLOR", "1"), b"").out, coloured);
    // The terminal says that its background is light.
    let light = run(command(&notice).env("FORCE_COLOR", "1").env("COLORFGBG", "0;15"), b"").out;
    assert_eq!(light, coloured.replace("[32;", "[38;5;28;"));
    assert_eq!(run(command(&notice).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1"), b"").out, "Notice: x\n");
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_program_quietly() {
    let mut child = command(&["-e", "Integer[1, 200000].each |$n| { notice($n) }"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(&first, b"Notice: 1\n");
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.stderr.as_slice(), output.status.code()), (&b""[..], Some(0)));
}

#[test]
fn wrong_usage_exits_with_2() {
    assert_eq!(pcore(&["--strict", "very", "-e", "1"], b"").code, 2);
    assert_eq!(pcore(&["--nonsense"], b"").code, 2);
    assert_eq!(pcore(&["-e", "1", "batch"], b"").code, 2);
}

#[test]
fn batch_answers_every_request_in_order() {
    let requests = br#"{"id": 1, "code": "notice('x')\n1 + 1"}
{"id": "two", "parse": "1 + 1"}
{"id": [3], "code": "1 +\n [2]"}

{"id": 4, "code": "$x", "preamble": "$x = 'set'"}
{"id": 5, "code": "'10' + 1", "strict": "error"}
{"id": 6, "parse": "1 + $x", "json": true}
"#;
    let expected = r#"{"id":1,"ok":true,"value":"2","data":2,"type":"Integer[2, 2]","notices":["x"]}
{"id":"two","ok":true,"value":"(+ 1 1)"}
{"id":[3],"ok":false,"issue":"NOT_NUMERIC","line":2,"pos":2,"end_line":2,"end_pos":5,"source":"request"}
{"id":4,"ok":true,"value":"'set'","data":"set","type":"String","notices":[]}
{"id":5,"ok":false,"issue":"NUMERIC_COERCION","line":1,"pos":1,"end_line":1,"end_pos":5,"source":"request"}
{"id":6,"ok":true,"value":{"^":["+",1,{"^":["var","x"]}]}}"#;
    let run = pcore(&["batch"], requests);
    assert_eq!((run.err.as_str(), run.code), ("", 0));
    let without_words: Vec<String> = run.out.lines().map(without_words).collect();
    assert_eq!(without_words.join("\n"), expected);
}

/// An answer without the texts that are free to change.
fn without_words(answer: &str) -> String {
    let mut answer: serde_json::Map<String, serde_json::Value> = serde_json::from_str(answer).unwrap();
    if answer["ok"] == false {
        answer.retain(|key, _| !["error", "help", "notices"].contains(&key.as_str()));
    }
    serde_json::Value::Object(answer).to_string()
}

#[test]
fn a_bad_request_gets_an_answer() {
    let requests = b"nonsense\n[1]\n{\"id\": 3}\n{\"id\": 4, \"code\": 1}\n{\"id\": 5, \"code\": \"1\", \"strict\": \"x\"}\n\xff\n{\"id\": 7, \"code\": \"1\"}\n";
    let run = pcore(&["batch"], requests);
    let told: Vec<(String, String)> = run
        .out
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap())
        .map(|answer| (answer["id"].to_string(), answer["issue"].to_string()))
        .collect();
    let bad = |id: &str| (id.to_owned(), "\"BAD_REQUEST\"".to_owned());
    let fine = ("7".to_owned(), "null".to_owned());
    assert_eq!(told, [bad("null"), bad("null"), bad("3"), bad("4"), bad("5"), bad("null"), fine]);
}

#[test]
fn a_request_without_end_meets_the_limit() {
    let endless = br#"{"id": 1, "code": "Integer[1, 1000000000000].each |$x| { }"}
{"id": 2, "code": "1"}
"#;
    let out = pcore(&["batch"], endless).out;
    let answers: Vec<serde_json::Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&answers[0]["issue"], &answers[1]["value"]), (&"LIMIT".into(), &"1".into()));
}

#[test]
fn what_puppet_rejects_is_rejected_by_every_command() {
    let programs = [
        "class a { ntp  $x = 1 }",
        "$x = 1\n$x + 1\n$y = 2",
        "class a { 1 }",
        "5 is Integer",
        "not true",
        "if false { 'x' =~ /(/ }",
        "function a() { Pattern[/[]/] }",
        "class a { }\nclass a { }",
    ];
    for (number, program) in programs.into_iter().enumerate() {
        let file = Scratch::new(&format!("rejected{number}.pp"), program.as_bytes());
        for command in [&["parse"][..], &["check", "--modulepath", "tests/modules"], &["--strict", "error"]] {
            let run = pcore(&[command, &[file.name()]].concat(), b"");
            // What a check finds is its output.
            let said = if command.contains(&"check") { &run.out } else { &run.err };
            assert_eq!((run.code, said.starts_with("error")), (1, true), "{program}: {said}");
        }
        assert_eq!(pcore(&["parse", "--syntax-only", file.name()], b""), says(""), "{program}");
    }
    // At the prompt, on the command line and in snippet files an expression is a result.
    assert_eq!(pcore(&["--strict", "error", "-e", "5 is Integer"], b"").out, "5\n'is'\nInteger\n");
    assert_eq!(pcore(&[], b"5 is Integer").out, "5\n'is'\nInteger\n");
}

#[test]
fn parse_prints_trees() {
    let good = Scratch::new("syntax.pp", b"$x = unknown($y)");
    assert_eq!(pcore(&["parse", good.name()], b""), says(""));
    let pn = says("(= (var \"x\") (call {:functor (qn \"unknown\") :args [(var \"y\")]}))\n");
    assert_eq!(pcore(&["parse", "--pn", good.name()], b""), pn);
    assert_eq!(pcore(&["parse", "-"], b"[1, 2").code, 1);
}

#[test]
fn parse_looks_for_programs_in_folders() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("parsed");
    fs::create_dir_all(folder.join("below")).unwrap();
    for (name, text) in [("good.pp", "1"), ("below/wrong.pp", "1 +"), ("below/wrong.epp", "<% ("), ("notes.md", "1 +")]
    {
        fs::write(folder.join(name), text).unwrap();
    }
    let run = pcore(&["parse", folder.to_str().unwrap()], b"");
    let wrong: Vec<&str> = run.err.lines().filter_map(|line| line.strip_prefix(" --> ")?.rsplit('/').next()).collect();
    assert_eq!((wrong, run.out.as_str(), run.code), (vec!["wrong.epp:1:5", "wrong.pp:1:4"], "", 1));
}

#[test]
fn help_fits_on_a_screen_and_lists_what_concerns_the_command() {
    let help = pcore(&["--help"], b"").out;
    let width = help.lines().map(|line| line.chars().count()).max();
    assert!(help.lines().count() <= 50 && width <= Some(120), "{help}");
    let options = |command: &str| -> Vec<String> {
        let help = pcore(&[command, "-h"], b"").out;
        let word = |line: &str| line.split_whitespace().find(|word| word.starts_with("--")).map(str::to_owned);
        help.lines().filter(|line| line.starts_with("  -") || line.starts_with("      --")).filter_map(word).collect()
    };
    assert_eq!(options("explain"), ["--help"]);
    assert_eq!(options("parse"), ["--pn", "--json", "--syntax-only", "--limit", "--color", "--help"]);
    assert_eq!(
        options("test"),
        [
            "--bless",
            "--strict",
            "--modulepath",
            "--facts",
            "--node",
            "--data",
            "--restricted",
            "--allow-read",
            "--limit",
            "--color",
            "--help",
        ]
    );
}

#[test]
fn the_page_of_a_command_keeps_the_lines_of_its_examples() {
    let page = pcore(&["man", "explain"], b"").out;
    let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").unwrap();
    assert_eq!(examples.lines().next(), Some("  pcore explain UNMATCHED_SELECTOR"));
}

#[test]
fn a_transcript_that_differs_fails_and_can_be_blessed() {
    let written = "# Sums\n\n```pcore\n>> 1 +\n.. 1\n=> 3\n>> $x = 2\n```\n\n```text\n>> not run\n```\n";
    let transcript = Scratch::new("transcript.md", written.as_bytes());
    let run = pcore(&["test", transcript.name()], b"");
    let name = transcript.name();
    let expected = format!(
        "--- {name}\n+++ {name} (actual)\n@@ -3,8 +3,9 @@\n ```pcore\n >> 1 +\n .. 1\n-=> 3\n+=> 2\n >> $x = 2\n+=> 2\n ```\n \n ```text\n\
         1 transcript, 2 entries: 1 differs; run `pcore test --bless` to accept the new output\n"
    );
    assert_eq!(run, Run { out: expected, err: String::new(), code: 1 });
    assert_eq!(transcript.text(), written);

    let refused = run_in_ci(&["test", "--bless", name]);
    assert_eq!((refused.code, transcript.text().as_str()), (2, written));

    assert_eq!(pcore(&["test", "--bless", name], b"").code, 0);
    assert_eq!(transcript.text(), written.replace("=> 3", "=> 2").replace("$x = 2\n", "$x = 2\n=> 2\n"));
    assert_eq!(pcore(&["test", name], b""), says("1 transcript, 2 entries: all match\n"));
}

fn run_in_ci(arguments: &[&str]) -> Run {
    run(command(arguments).env("CI", "true"), b"")
}

#[test]
fn an_error_in_a_transcript_has_to_be_announced() {
    let silent = Scratch::new("silent.md", b"```pcore error\n>> 1\n=> 1\n```\n");
    let run = pcore(&["test", silent.name()], b"");
    let message = format!("error: {}:1: expected an error in this block\n", silent.name());
    assert_eq!((run.err, run.code), (message, 1));

    let failing = Scratch::new("failing.md", b"# Title\n\n```pcore\n>> 1\n=> 1\n>> fail('no')\nerror: no\n```\n");
    let bless = pcore(&["test", "--bless", failing.name()], b"");
    let run = pcore(&["test", failing.name()], b"");
    let name = failing.name();
    let message = format!("error: {name}:6: unexpected error; if intended, tag the block `pcore error`\n");
    assert_eq!((bless.code, run.err, run.code), (1, message, 1));
    assert_eq!(run.out, "1 transcript, 2 entries: the output matches, 1 misplaced error\n");

    let missing = pcore(&["test", "nosuch.md"], b"");
    assert_eq!(missing, complains("error: `nosuch.md` does not exist\n", 1));
}

#[test]
fn modules_are_found_on_the_module_path() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("modules");
    fs::create_dir_all(root.join("web/types")).unwrap();
    fs::write(root.join("web/types/port.pp"), "type Web::Port = Integer[1, 65535]\n").unwrap();
    let path = root.to_str().unwrap();
    assert_eq!(pcore(&["--modulepath", path, "-e", "80 =~ Web::Port"], b""), says("true\n"));
    let misspelt = pcore(&["--modulepath", path, "-e", "80 =~ Web::Prot"], b"");
    assert!(misspelt.err.contains("did you mean Web::Port?"), "{}", misspelt.err);
    assert_eq!(pcore(&["--modulepath", "/no/such/folder", "-e", "1"], b"").code, 2);
}

#[test]
fn facts_of_a_file_are_variables() {
    let yaml = Scratch::new("facts.yaml", b"os: {family: Debian}\nkernel: Linux\n");
    let program = "[$facts['os']['family'], $kernel, $::kernel]";
    assert_eq!(pcore(&["--facts", yaml.name(), "-e", program], b""), says("['Debian', 'Linux', 'Linux']\n"));
    let batch = pcore(&["--facts", yaml.name(), "batch"], br#"{"code": "$kernel = 1"}"#);
    assert_eq!(
        without_words(&batch.out),
        r#"{"id":null,"ok":false,"issue":"ILLEGAL_REASSIGNMENT","line":1,"pos":1,"end_line":1,"end_pos":8,"source":"request"}"#
    );
    let stored = Scratch::new("stored.json", br#"{"name": "a.example", "values": {"kernel": "Linux"}}"#);
    assert_eq!(pcore(&["--facts", stored.name(), "-e", "$facts"], b""), says("{'kernel' => 'Linux'}\n"));
    assert_eq!(pcore(&["-e", "$facts"], b""), says("{}\n"));
}

#[test]
fn a_file_of_facts_or_data_has_to_hold_a_hash() {
    let list = Scratch::new("list.yaml", b"- 1\n");
    let broken = Scratch::new("broken.json", b"{\n  1\n}");
    let says = |option: &str, path: &str| {
        let run = pcore(&[option, path, "-e", "1"], b"");
        (run.code, run.err.lines().next().and_then(|line| line.split("': ").nth(1)).unwrap().to_owned())
    };
    assert_eq!(
        says("--facts", list.name()),
        (2, "expected a hash, got a value of type Tuple[Integer[1, 1]]".to_owned())
    );
    assert_eq!(says("--data", broken.name()), (2, "line 2, column 3: key must be a string".to_owned()));
    assert_eq!(says("--data", "nosuch.yaml"), (2, "`nosuch.yaml` does not exist".to_owned()));
}

/// Observed: Puppet 7.23 with these two files as levels of its hierarchy.
#[test]
fn lookup_finds_the_data_of_files_as_hiera_does() {
    let one = Scratch::new(
        "one.yaml",
        b"a: 1\nh: {x: 1, y: {p: 1, l: [1, 2]}}\nl: [1, 2]\ns: text\nu: ~\no: {b: 1}\nconv: \"5\"\nmixed: 1\n",
    );
    let two = Scratch::new(
        "two.yaml",
        b"a: 2\nb: 2\nh: {z: 3, y: {q: 2, l: [2, 3], p: 5}, x: 9}\nl: [2, 3, [4, 1]]\ns: other\nu: 7\n\
          o: {c: 2, b: 3}\nmixed: {a: 1}\nl2: [1, 1]\nlookup_options:\n  o: {merge: hash}\n  \
          ^con.*: {convert_to: Integer}\n  l2: {merge: unique}\n",
    );
    let table = [
        ("'a'", "1"),
        ("'b'", "2"),
        ("'a', {merge => unique}", "[1, 2]"),
        ("'h'", "{'x' => 1, 'y' => {'p' => 1, 'l' => [1, 2]}}"),
        ("'h', {merge => hash}", "{'z' => 3, 'y' => {'p' => 1, 'l' => [1, 2]}, 'x' => 1}"),
        ("'h', {merge => deep}", "{'z' => 3, 'y' => {'q' => 2, 'l' => [2, 3, 1], 'p' => 1}, 'x' => 1}"),
        ("'h.y', {merge => hash}", "{'p' => 1, 'l' => [1, 2]}"),
        ("'h.y.l', {merge => {strategy => deep, sort_merged_arrays => true}}", "[1, 2, 3]"),
        ("'l', {merge => unique}", "[1, 2, 3, 4]"),
        ("'l', {merge => deep}", "[2, 3, [4, 1], 1]"),
        ("'s', {merge => deep}", "'text'"),
        ("'u'", "undef"),
        ("'u', {merge => unique}", "[undef, 7]"),
        ("'o'", "{'c' => 2, 'b' => 1}"),
        ("'o.c'", "2"),
        ("'o', {merge => first}", "{'b' => 1}"),
        ("'conv'", "5"),
        ("'l2'", "[1]"),
        ("'mixed', {merge => deep}", "1"),
    ];
    for (arguments, expected) in table {
        let code = format!("[lookup({arguments})]");
        let run = pcore(&["--data", one.name(), "--data", two.name(), "-e", &code], b"");
        assert_eq!(run, says(&format!("[{expected}]\n")), "{code}");
    }
    for (arguments, expected) in [
        ("'h.z'", "the data has no value for 'h.z'"),
        ("'lookup_options'", "the data has no value for 'lookup_options'"),
        ("'l', {merge => hash}", "expected a Hash for the merge strategy hash, got Array [2, 3, [4, 1]]"),
        ("'mixed', {merge => unique}", "expected no Hash for the merge strategy unique, got Hash {'a' => 1}"),
    ] {
        let code = format!("lookup({arguments})");
        let run = pcore(&["--data", one.name(), "--data", two.name(), "-e", &code], b"");
        let message = format!("error: {expected}");
        assert_eq!((run.err.lines().next(), run.code), (Some(&*message), 1), "{code}");
    }
}

/// Observed: Puppet 7.23 with these two files as levels of its hierarchy.
#[test]
fn lookup_fills_in_what_data_leaves_open() {
    let one = Scratch::new(
        "open-one.yaml",
        br#"
plain: hello
arr: [1, "%{lookup('plain')}"]
nested: {"k%{myvar}": ["%{lookup('plain')}", 1]}
fact: "%{facts.os.family}!"
legacy: "%{::os.family}"
quoted: "%{facts.os.'a.b'}-%{facts.os.nope}-%{facts.list.1}"
var: "x=%{ myvar }%{scope('myvar')}"
both: "%{ lookup('plain') }-%{hiera(\"lower\")}"
text: "A%{lookup('arr')}%{lookup('nested')}"
alias: "%{alias('arr')}"
inner: ["%{alias('five')}"]
noalias: "%{alias('absent')}"
absent_text: "[%{lookup('absent')}%{lookup('nothing')}]"
nothing: ~
five: 5
literal: "%{literal('%{')}x}"
empty: "a%{}%{''}%{::}b"
unclosed: "%{lookup('plain')"
merged: {a: "%{lookup('plain')}"}
conv: "%{lookup('five')}"
dig: "%{lookup('arr.1')}"
loop1: "%{lookup('loop2')}"
loop2: {x: "%{lookup('loop1')}"}
inside: "a%{alias('arr')}"
method: "%{foo('x')}"
blanks: "%{lookup( 'plain' )}"
astray: "%{myvar.x}"
unknown: "[%{nosuch}]"
lookup_options:
  merged: {merge: hash}
  conv: {convert_to: Integer}
"#,
    );
    let two = Scratch::new("open-two.yaml", b"lower: \"%{lookup('five')}\"\nmerged: {b: \"%{alias('five')}\"}\n");
    let facts = Scratch::new("open-facts.yaml", b"os: {family: Debian, a.b: c}\nlist: [a, b]\n");
    let asked = |key: &str, strict: &str| {
        let code = format!("$myvar = 'MV'; $found = [lookup('{key}')]; notice(String($found, '%p'))");
        let options =
            ["--quiet", "--strict", strict, "--facts", facts.name(), "--data", one.name(), "--data", two.name()];
        pcore(&[&options[..], &["-e", &code]].concat(), b"")
    };
    let table = [
        ("arr", "[1, 'hello']"),
        ("nested", "{'kMV' => ['hello', 1]}"),
        ("nested.kMV.0", "'hello'"),
        ("fact", "'Debian!'"),
        ("legacy", "'Debian'"),
        ("quoted", "'c--b'"),
        ("var", "'x=MVMV'"),
        ("both", "'hello-5'"),
        ("text", r#"'A[1, "hello"]{"kMV"=>["hello", 1]}'"#),
        ("alias", "[1, 'hello']"),
        ("inner", "[5]"),
        ("noalias", "''"),
        ("absent_text", "'[]'"),
        ("literal", "'%{x}'"),
        ("empty", "'ab'"),
        ("unclosed", r"'%{lookup(\'plain\')'"),
        ("merged", "{'b' => 5, 'a' => 'hello'}"),
        ("conv", "5"),
        ("dig", "'hello'"),
    ];
    for (key, expected) in table {
        assert_eq!(asked(key, "error"), says(&format!("Notice: [{expected}]\n")), "{key}");
    }
    for (key, expected) in [
        ("loop1", "the data of 'loop2' leads back to 'loop1'"),
        ("inside", "the data of 'inside' combines `%{alias('arr')}` with other text"),
        ("method", "the data of 'method' calls foo, which is not a Hiera function"),
        (
            "blanks",
            "the data of 'blanks' has `%{lookup( 'plain' )}`: 'lookup( 'plain' )' is not a valid path: \
             a dot is missing after a quoted key",
        ),
    ] {
        let message = format!("error: {expected}");
        assert_eq!(asked(key, "error").err.lines().next(), Some(&*message), "{key}");
    }
    assert_eq!(
        asked("unknown", "error").err.lines().next(),
        Some("error[UNKNOWN_VARIABLE]: the data of 'unknown' refers to the unknown variable $nosuch")
    );
    let lax = asked("unknown", "warning");
    assert_eq!((lax.out.as_str(), lax.code), ("Notice: ['[]']\n", 0));
    assert_eq!(
        lax.err.lines().next(),
        Some("warning[UNKNOWN_VARIABLE]: the data of 'unknown' refers to the unknown variable $nosuch")
    );
}

#[test]
fn data_that_names_other_data_again_and_again_is_filled_in_once() {
    let double = |n: usize| format!("a{n}: \"%{{lookup('a{0}')}}%{{lookup('a{0}')}}\"\n", n - 1);
    let doubled = (1..60).map(double).collect::<Vec<_>>().concat();
    let says_of = |first: &str| {
        let data = Scratch::new("doubled.yaml", format!("a0: \"{first}\"\n{doubled}").as_bytes());
        pcore(&["--data", data.name(), "-e", "lookup('a59')"], b"")
    };
    assert_eq!(says_of(""), says("''\n"));
    let too_long = says_of("x").err;
    assert_eq!(too_long.lines().next(), Some("error[LIMIT]: a string grew beyond 64 MiB"));
}

#[test]
fn what_lookup_options_cannot_do_is_told_with_the_key() {
    let data = Scratch::new(
        "options-wrong.yaml",
        b"lookup_options:\n  k: {merge: bogus}\n  l: {convert_to: [Integer, 99]}\nk: 1\nl: \"1\"\n",
    );
    for (key, expected) in [
        ("k", "error: lookup_options of 'k': unknown merge strategy 'bogus'"),
        ("l", "error: lookup_options of 'l': radix of Integer.new must be 2, 8, 10, 16 or default, got Integer 99"),
    ] {
        let run = pcore(&["--data", data.name(), "-e", &format!("lookup('{key}')")], b"");
        assert_eq!((run.err.lines().next(), run.code), (Some(expected), 1), "{key}");
    }
}

/// Observed: Puppet 7.23 with these two files as levels of its hierarchy.
#[test]
fn the_options_of_a_key_come_from_one_place() {
    let one = Scratch::new(
        "options-one.yaml",
        b"p1: \"5\"\np2: \"5\"\nzz: \"5\"\nm: \"5\"\nlookup_options:\n  '^p': {convert_to: Integer}\n  \
          p2: {merge: first}\n  '^p1': {convert_to: Float}\n  '^zz': {convert_to: Integer}\n  m: {merge: first}\n",
    );
    let two =
        Scratch::new("options-two.yaml", b"lookup_options:\n  '^z': {convert_to: Float}\n  m: {convert_to: Integer}\n");
    let code = "['p1', 'p2', 'zz', 'm'].map |$key| { lookup($key) }";
    let run = pcore(&["--data", one.name(), "--data", two.name(), "-e", code], b"");
    assert_eq!(run, says("[5, '5', 5.0, '5']\n"));
}

#[test]
fn completions_and_manual_pages_know_every_command_and_option() {
    let help = pcore(&["--help"], b"").out;
    let (_, from_commands) = help.split_once("Commands:\n").unwrap();
    let (commands, _) = from_commands.split_once("\n\n").unwrap();
    let commands: Vec<&str> = commands.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(
        commands,
        [
            "test",
            "parse",
            "check",
            "infer",
            "schema",
            "diff",
            "index",
            "batch",
            "completions",
            "explain",
            "man",
            "help"
        ]
    );
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let run = pcore(&["completions", shell], b"");
        assert_eq!((run.err.as_str(), run.code), ("", 0));
        let unknown: Vec<&&str> = commands.iter().filter(|command| !run.out.contains(**command)).collect();
        assert_eq!(unknown, [&""; 0], "{shell}");
    }
    for command in commands.iter().filter(|command| **command != "help") {
        let page = pcore(&["man", command], b"");
        assert_eq!((page.err.as_str(), page.code), ("", 0), "{command}");
        let title = format!(".TH pcore-{command} 1");
        assert_eq!(
            page.out.lines().find(|line| line.starts_with(".TH")).map(|line| &line[..title.len()]),
            Some(&*title)
        );
        let help = pcore(&[command, "--help"], b"").out;
        assert_eq!(help.lines().filter(|line| *line == "Examples:").count(), 1, "{command}");
    }
    assert_eq!(pcore(&["man"], b"").out.lines().filter(|line| *line == "pcore\\-check(1)").count(), 1);
    let wrong = complains(
        "error: unknown command `chek`: expected one of test, parse, check, infer, schema, diff, index, batch, completions, explain, man, help\n",
        2,
    );
    assert_eq!(pcore(&["man", "chek"], b""), wrong);
}

#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_written_is_an_error() {
    use std::fs::File;

    for arguments in [
        &["--help"][..],
        &["--version"],
        &["check", "--help"],
        &["-e", "1"],
        &["completions", "bash"],
        &["man"],
        &["--json", "-e", "1"],
    ] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(arguments).stdout(full).stdin(Stdio::null()).stderr(Stdio::piped()).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let expected = "error: I/O error: No space left on device (os error 28)\n";
        assert_eq!((output.status.code(), said.as_str()), (Some(1), expected), "{arguments:?}");
    }
}

/// What drives a terminal, or changes the order of what it shows.
const CONTROLS: &str = "\u{1b}[31mX\u{202e}Y\u{2066}\u{9b}Z\r\u{200f}";

#[test]
fn nothing_from_elsewhere_controls_the_terminal() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("controls");
    fs::create_dir_all(&folder).unwrap();
    let file = |ending: &str, text: &str| {
        let path = folder.join(format!("{CONTROLS}.{ending}"));
        fs::write(&path, text.replace("CONTROLS", CONTROLS)).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let json = r#"{"k\u001b[31mX\u202e": "v\u001b[31mX\u202e"}"#;
    let files = [
        file("pp", "notice('CONTROLS')\nwarning('CONTROLS')\n{'CONTROLS' => /CONTROLS/}\nfail('CONTROLS')"),
        file("epp", "<% 'CONTROLS' + %>"),
        file("json", json),
        file("yaml", json),
        file("md", "```pcore\n>> 'CONTROLS'\n=> 1\n```\n"),
    ];
    let commands: &[&[&str]] = &[
        &[],
        &["--strict", "error"],
        &["--json"],
        &["--time"],
        &["--format", "json"],
        &["parse"],
        &["parse", "--pn"],
        &["parse", "--json"],
        &["check", "--lint"],
        &["check", "--type", "Struct[{a => Integer}]"],
        &["check", "--type", "Hash[String, Integer]", "--format", "json"],
        &["check", "--type", "Hash[String, Integer]", "--format", "jsonl"],
        &["check", "--type", "Hash[String, Integer]", "--format", "github"],
        &["check", "--type", "Hash[String, Integer]", "--format", "sarif"],
        &["infer"],
        &["infer", "--class", "x"],
        &["test"],
        &["--facts"],
        &["explain"],
        &["--limit"],
        &["no such file"],
    ];
    for color in ["always", "never"] {
        for (command, file) in commands.iter().flat_map(|command| files.iter().map(move |file| (command, file))) {
            let arguments = [&["--color", color], *command, &[file]].concat();
            let Run { out, err, .. } = pcore(&arguments, b"");
            let is_raw = |letter: char| "\u{202e}\u{2066}\u{9b}\r\u{200f}".contains(letter);
            let controls: Vec<&str> =
                [&out, &err].into_iter().flat_map(|text| text.lines()).filter(|line| line.contains(is_raw)).collect();
            assert!(
                controls.is_empty() && !format!("{out}{err}").contains("\u{1b}[31mX"),
                "{arguments:?}: {controls:?}"
            );
        }
    }
    fs::remove_dir_all(&folder).unwrap();
}
