//! `pcore check`: data against types, Hiera's data against classes, Puppet files against themselves.

use super::modules::Folder;
use super::program::{Run, command, run};

const WEB: [(&str, &str); 4] = [
    ("environment.conf", ""),
    ("modules/web/types/port.pp", "type Web::Port = Integer[1, 65535]\n"),
    (
        "modules/web/manifests/init.pp",
        "class web(\n  Web::Port $port = 80,\n  String $mode = '0644',\n  Enum['a', 'b'] $kind = 'a',\n  \
         Array[Struct[{name => String, Optional[port] => Web::Port}]] $sites = [],\n  Sensitive[String] $secret,\n) { }\n",
    ),
    ("modules/web/manifests/wrong.pp", "class web::wrong(\n  Web::Prot $port,\n  Web::Port $other,\n) { }\n"),
];

/// What `pcore` says in a folder of these modules and files.
fn pcore(name: &str, files: &[(&str, &str)], arguments: &[&str]) -> Run {
    let folder = Folder::new(name, &[&WEB, files].concat());
    folder.run(arguments)
}

/// The findings and the summary, which are on one stream.
#[track_caller]
fn told(run: &Run) -> (&str, &str) {
    let is_summary = |line: &str| {
        let count = line.split_once(" file").is_some_and(|(count, _)| count.bytes().all(|byte| byte.is_ascii_digit()));
        count && line.contains(" compared: ")
    };
    let start = run.out.match_indices('\n').map(|(at, _)| at + 1).chain([0]);
    let start = start.filter(|at| is_summary(run.out[*at..].lines().next().unwrap_or_default())).min();
    run.out.split_at(start.unwrap_or(run.out.len()))
}

fn fits(out: &str) -> Run {
    Run { out: format!("{out}\n"), err: String::new(), code: 0 }
}

#[test]
fn a_value_that_does_not_fit_is_shown_in_its_file_with_what_would_fit() {
    let data = "# ports\nhttp: \"80\"\nhttps: 443\nmode: 0644\n";
    let type_ = "Struct[{http => Web::Port, https => Integer, mode => String}]";
    let run = pcore("check-type", &[("data.yaml", data)], &["check", "--type", type_, "data.yaml"]);
    let expected = "\
error[TYPE_MISMATCH]: ['http']: expected Web::Port = Integer[1, 65535], got String '80'
 --> data.yaml:2:7
  |
2 | http: \"80\"
  |       ^^^^
  |
  = help: remove the quotes: 80
error[TYPE_MISMATCH]: ['mode']: expected String, got Integer 420
 --> data.yaml:4:7
  |
4 | mode: 0644
  |       ^^^^
  |
  = help: quote it: '0644'
";
    assert_eq!(told(&run), (expected, "1 file, 1 value compared: 2 errors in 1 file\n"));
    assert_eq!((run.err.as_str(), run.code), ("", 1));
}

#[test]
fn json_and_puppet_are_data_too() {
    let files =
        [("data.json", "{\n  \"port\": \"80\"\n}\n"), ("data.pp", "$port = '80'\n$data = { 'port' => $port }\n")];
    let arguments = ["check", "--json", "--alias", "Struct[{port => Web::Port}]", "data.json", "data.pp"];
    let run = pcore("check-formats", &files, &arguments);
    let finding = |place: &str, help: &str, file: &str, fix: &str| {
        format!(
            "{{\"file\":\"{file}\",\"ok\":false,\"compared\":1,\"unjudged\":0,\"findings\":[{{\"severity\":\"error\",\
             \"issue\":\"TYPE_MISMATCH\",\"error\":\"['port']: expected Web::Port = Integer[1, 65535], got String '80'\",\
             \"help\":[\"{help}\"],{place},\"source\":\"{file}\",\"kind\":\"type\",\"path\":[\"port\"],\
             \"pointer\":\"/port\",\"hiera\":\"port\",\"expected\":\"Web::Port = Integer[1, 65535]\",\"within\":\"['port']\",\"found\":\"'80'\",\"suggestions\":[]{fix}}}]}}\n"
        )
    };
    let fix = ",\"fix\":{\"text\":\"remove the quotes\",\"edits\":[\
               {\"line\":2,\"pos\":11,\"end_line\":2,\"end_pos\":12,\"replacement\":\"\"},\
               {\"line\":2,\"pos\":14,\"end_line\":2,\"end_pos\":15,\"replacement\":\"\"}]}";
    let json =
        finding("\"line\":2,\"pos\":11,\"end_line\":2,\"end_pos\":15", "remove the quotes: 80", "data.json", fix);
    let puppet = "\"line\":2,\"pos\":21,\"end_line\":2,\"end_pos\":26";
    let puppet = finding(puppet, "Integer('80') would match", "data.pp", "");
    assert_eq!((run.out, run.err.as_str(), run.code), (format!("{json}{puppet}"), "", 1));
}

#[test]
fn keys_of_hiera_are_checked_against_the_class() {
    let data = "web::port: 99999\nweb::mode: x\nweb::sites:\n  - name: a\n  - prot: 80\n    name: b\n\
                other: 1\nnone::such: 1\nweb::prt: 1\n";
    let run = pcore("check-hiera", &[("data/common.yaml", data)], &["check", "data"]);
    let expected = "\
error[TYPE_MISMATCH]: ['web::port']: expected Web::Port = Integer[1, 65535], got Integer 99999
 --> data/common.yaml:1:12
  |
1 | web::port: 99999
  |            ^^^^^
  |
  = help: $port of class web is declared in modules/web/manifests/init.pp:2
error[TYPE_MISMATCH]: ['web::sites'][1]: unknown key 'prot'
 --> data/common.yaml:5:5
  |
5 |   - prot: 80
  |     ^^^^
  |
  = help: did you mean 'port'?
  = help: $sites of class web is declared in modules/web/manifests/init.pp:5
warning[UNKNOWN_PARAMETER]: class web has no parameter $prt
 --> data/common.yaml:9:1
  |
9 | web::prt: 1
  | ^^^^^^^^
  |
  = help: did you mean web::port?
";
    let summary = "1 file, 3 values compared: 2 errors in 1 file, 1 warning\nnot checked: 1 key without a class, \
                   1 name in the missing module none\nmodules were searched for in modules\n";
    assert_eq!((told(&run), run.code), ((expected, summary), 1));
}

/// What Hiera does to values: undef gives none, `%{…}` is filled in, `lookup_options` of any file convert and merge.
#[test]
fn what_hiera_does_to_values_is_done_before() {
    let fine = "web::port: ~\nweb::mode: \"%{facts.mode}\"\nweb::kind: \"%{kind}\"\nweb::secret: ENC[PKCS7,x]\n\
                web::sites: \"%{alias('sites')}\"\n";
    let converted = "lookup_options:\n  web::secret: {convert_to: Sensitive}\n  '^web::(port|kind)$':\n    \
                     convert_to: [Integer, 16]\n  web::sites: {merge: unique}\n";
    let uses = "web::secret: s\nweb::port: '0xff'\nweb::sites: [{name: a}]\n";
    let files = [("data/a.yaml", fine), ("data/b.yaml", converted), ("data/c.yaml", uses)];
    assert_eq!(
        pcore("check-options", &files, &["check", "data"]),
        fits("3 files, 8 values compared: all match\nnot checked: 3 values known only at run time")
    );
    let wrong = pcore("check-open", &[("data/a.yaml", "web::port: \"%{facts.port}\"\n")], &["check", "data"]);
    assert_eq!(wrong.code, 1);
    let told =
        "error[TYPE_MISMATCH]: ['web::port']: expected Web::Port = Integer[1, 65535], got String '%{facts.port}'";
    assert_eq!(wrong.out.lines().next(), Some(told));
}

#[test]
fn a_type_of_a_class_that_means_nothing_is_shown_in_the_class() {
    let data = [("data.yaml", "web::wrong::port: 1\nweb::wrong::other: 1\n"), ("more.yaml", "web::wrong::port: 2\n")];
    let run = pcore("check-class", &data, &["check", "data.yaml", "more.yaml"]);
    let expected = "\
error[UNKNOWN_RESOURCE_TYPE]: Web::Prot is neither a type nor an alias
 --> modules/web/manifests/wrong.pp:2:3
  |
2 |   Web::Prot $port,
  |   ^^^^^^^^^
  |
  = help: did you mean Web::Port?
";
    assert_eq!((told(&run).0, run.code), (expected, 1));
}

#[test]
fn a_module_is_checked_against_itself() {
    let files = [
        ("m/good.pp", "class good(Web::Port $p = 1, Any $q = $facts['x'], Integer $r = $absent::params::r) { }\n"),
        ("m/alias.pp", "type A = Variant[B, Array[A]]\ntype B = Web::Nosuch\n"),
        ("m/bad.pp", "define bad(Hash[String, Web::Port] $ports = {\n  a => 1,\n  b => 0,\n}) { }\n"),
    ];
    let run = pcore("check-module", &files, &["check", "m", "modules/web/types"]);
    let expected = "\
error[UNKNOWN_RESOURCE_TYPE]: Web::Nosuch is neither a type nor an alias
 --> m/alias.pp:2:10
  |
2 | type B = Web::Nosuch
  |          ^^^^^^^^^^^
error[TYPE_MISMATCH]: the default of $ports ['b']: expected Web::Port = Integer[1, 65535], got Integer 0
 --> m/bad.pp:3:8
  |
3 |   b => 0,
  |        ^
";
    assert_eq!(told(&run).0, expected);
    assert_eq!(
        (told(&run).1, run.code),
        (
            "4 files, 7 values compared: 2 errors in 2 files\nnot checked: 2 values known only at run time, 1 name in the \
             missing module absent\nmodules were searched for in modules\n",
            1
        )
    );
}

/// A key may look like anything, and a type may hold itself.
#[test]
fn odd_keys_and_types_are_no_trouble() {
    let files = [
        ("modules/web/types/deep.pp", "type Web::Deep = Variant[Integer, Optional[Web::Deep]]\n"),
        (
            "modules/web/manifests/deep.pp",
            "class web::deep(Web::Deep $a, Optional $b, Variant[Web::Deep, Enum[x]] $c) { }\n",
        ),
        ("modules/web/manifests/thing.pp", "define web::thing(Integer $x) { }\n"),
        (
            "data.yaml",
            "web::deep::a: \"%{x}\"\nweb::deep::b: \"%{x}\"\nweb::deep::c: \"%{x}\"\n../modules/web::port: x\n\
             Web::port: x\n\"::web::port\": x\n\"::\": x\n\"web::\": x\n\"::port\": x\nweb::thing::x: x\n",
        ),
    ];
    let run = pcore("check-odd", &files, &["check", "data.yaml"]);
    let expected = "\
error[TYPE_MISMATCH]: ['web::deep::a']: expected Web::Deep = Optional[Variant[Integer, Web::Deep]], got String '%{x}'
 --> data.yaml:1:15
  |
1 | web::deep::a: \"%{x}\"
  |               ^^^^^^
  |
  = help: $a of class web::deep is declared in modules/web/manifests/deep.pp:1
warning[UNKNOWN_CLASS]: there is no class Web
 --> data.yaml:5:1
  |
5 | Web::port: x
  | ^^^^^^^^^
  |
  = help: did you mean web::port?
warning[UNKNOWN_CLASS]: web::thing is a defined type: Hiera sets parameters of classes
  --> data.yaml:10:1
   |
10 | web::thing::x: x
   | ^^^^^^^^^^^^^
   |
   = help: it is declared in modules/web/manifests/thing.pp:1
";
    assert_eq!(told(&run).0, expected);
    assert_eq!(
        (told(&run).1, run.code),
        (
            "1 file, 3 values compared: 1 error in 1 file, 2 warnings\nnot checked: 5 keys without a class, 2 values known only \
             at run time\n",
            1
        )
    );
}

#[test]
fn of_many_findings_in_one_file_the_first_are_shown() {
    let lines: Vec<String> = (0..20_000).map(|at| format!("web::p{at}: 1\n")).collect();
    let data = lines.concat();
    let run = pcore("check-many", &[("data.yaml", &data)], &["check", "data.yaml"]);
    let warnings = told(&run).0.lines().filter(|line| line.starts_with("warning[")).count();
    assert_eq!(
        (warnings, told(&run).0.lines().last()),
        (100, Some("… and 19900 more findings; `--max-findings 0` shows all"))
    );
}

#[test]
fn a_default_value_without_end_is_told() {
    let endless = "class endless(\n  Integer $x = Integer[1, 1000000000000].reduce |$m, $v| { $m },\n  Integer $y = 'a',\n) { }\n";
    let run = pcore("check-endless", &[("endless.pp", endless)], &["check", "endless.pp"]);
    assert_eq!(run.out.lines().next(), Some("error[LIMIT]: the evaluation took longer than 5 seconds"));
    assert_eq!((told(&run).1, run.code), ("1 file, 2 values compared: 1 error in 1 file\n", 1));
}

#[test]
fn files_that_cannot_be_read_and_types_that_are_none_are_told() {
    let files = [("data.yaml", "a: [1\n"), ("good.yaml", "1\n")];
    let run = pcore("check-wrong", &files, &["check", "--type", "Integer", "nosuch.yaml", "data.yaml", "good.yaml"]);
    assert_eq!(run.err, "error: `nosuch.yaml` does not exist\n");
    assert_eq!(run.out.lines().next(), Some("error[SYNTAX_ERROR]: while parsing a flow sequence, expected ',' or ']'"));
    assert_eq!((told(&run).1, run.code), ("2 files, 1 value compared: 1 error in 1 file\n", 1));
    let run = pcore("check-no-type", &files, &["check", "--type", "5", "good.yaml"]);
    let expected = "error: expected a type, got Integer 5\n --> --type:1:1\n  |\n1 | 5\n  | ^\n";
    assert_eq!((run.err.as_str(), run.code), (expected, 2));
}

#[test]
fn findings_are_annotations_of_github() {
    let data = [("data.yaml", "web::port: 99999\n")];
    let run = pcore("check-github", &data, &["check", "--format", "github", "data.yaml"]);
    let expected = "::error file=data.yaml,line=1,col=12,endLine=1,endColumn=17,title=TYPE_MISMATCH::['web::port']: expected \
                    Web::Port = Integer[1, 65535], got Integer 99999%0A$port of class web is declared in \
                    modules/web/manifests/init.pp:2\n";
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), (expected, "", 1));
}

#[test]
fn findings_of_a_baseline_are_left_out() {
    let folder = Folder::new("check-baseline", &[&WEB[..], &[("data.yaml", "web::port: 0\nweb::mode: x\n")]].concat());
    let written = folder.run(&["check", "--write-baseline", "known.json", "data.yaml"]);
    assert_eq!((written.out.as_str(), written.code), ("recorded 1 finding in known.json\n", 0));
    let run = folder.run(&["check", "--baseline", "known.json", "data.yaml"]);
    let expected = "hidden by the baseline: 1 finding\n1 file, 2 values compared: all match\n";
    assert_eq!((run.out.as_str(), run.err.as_str(), run.code), (expected, "", 0));
}

#[test]
fn lint_asks_what_uses_an_alias_only_of_a_whole_project() {
    let folder = Folder::new("check-unused", &[("metadata.json", "{}"), ("types/a.pp", "type Unused::A = Integer\n")]);
    let unused = |arguments: &[&str]| folder.run(arguments).out.contains("nothing in the project uses");
    assert!(unused(&["check", "--lint"]) && unused(&["check", "--lint", "."]));
    assert!(!unused(&["check", "--lint", "types"]) && !unused(&["check", "--lint", "types/a.pp"]));
}

#[test]
fn lint_rules_and_ignore_comments_are_about_lines() {
    let program = "class good(\n  Variant[Integer] $a,\n  Variant[String] $b, # pcore:ignore single-variant\n) { } # pcore:ignore\n";
    let run = pcore("check-lint", &[("m/good.pp", program)], &["check", "--lint", "m"]);
    let expected = "\
warning[single-variant]: a Variant of one type is that type
 --> m/good.pp:2:3
  |
2 |   Variant[Integer] $a,
  |   ^^^^^^^^^^^^^^^^
  |
  = help: write Integer
warning[unused-ignore]: this ignore comment silences nothing
 --> m/good.pp:4:9
  |
4 | ) { } # pcore:ignore
  |         ^^^^^^^^^^^^
  |
  = help: remove it
";
    assert_eq!((told(&run).0, run.code), (expected, 0));
}

#[test]
fn long_data_is_checked_piece_by_piece() {
    let files = [("a.jsonl", "1\n\"a\"\n3\n"), ("c.yaml", "--- 1\n---\n2\n---\n- 3\n")];
    let lines = pcore("check-lines", &files, &["check", "--type", "Integer", "--jsonl", "a.jsonl"]);
    let verdicts: Vec<&str> =
        lines.out.lines().map(|line| line.split(",\"findings\"").next().unwrap_or(line)).collect();
    assert_eq!(verdicts, [r#"{"line":1,"ok":true}"#, r#"{"line":2,"ok":false"#, r#"{"line":3,"ok":true}"#]);
    assert_eq!((lines.err.as_str(), lines.code), ("", 0));
    let documents = pcore("check-documents", &files, &["check", "--type", "Integer", "c.yaml"]);
    let place: Vec<&str> = documents.out.lines().filter(|line| line.contains("-->")).collect();
    assert_eq!(place, [" --> c.yaml:5:1"]);
}

#[test]
fn nothing_to_check_is_invalid_usage() {
    let run = pcore("check-nothing", &[("data.yaml", "a: 1\n")], &["check", "data.yaml"]);
    assert_eq!((run.out.lines().last(), run.code), (Some("not checked: 1 key without a class"), 2));
    let run = pcore("test-nothing", &[("a.md", "nothing\n")], &["test", "a.md"]);
    assert_eq!(
        (run.err.as_str(), run.code),
        ("error: nothing to test: expected entries after `>> ` in a block fenced with ```pcore\n", 2)
    );
}

#[test]
fn any_number_of_threads_says_the_same() {
    let names: Vec<String> = (0..60).map(|number| format!("data/n{number}.yaml")).collect();
    let data = "web::port: none\nweb::wrong::port: 1\n";
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, data)).collect();
    let by =
        |jobs: &str| pcore(&format!("check-jobs-{jobs}"), &files, &["check", "--max-findings", "0", "--jobs", jobs]);
    let alone = by("1");
    assert_eq!(alone.out.matches("['web::port']").count(), 60);
    // The type of a parameter is wrong once, not once for each file with data.
    assert_eq!(alone.out.matches("wrong.pp:2:3").count(), 1, "{}", alone.out);
    for jobs in ["2", "4"] {
        let together = by(jobs);
        assert_eq!((together.out, together.err, together.code), (alone.out.clone(), alone.err.clone(), alone.code));
    }
    let by = |jobs: &str| {
        pcore(
            &format!("check-type-jobs-{jobs}"),
            &files,
            &["check", "--type", "Hash[String, Integer]", "--jobs", jobs, "data"],
        )
    };
    let (alone, together) = (by("1"), by("4"));
    assert_eq!((together.out, together.err), (alone.out, alone.err));
}

/// The resource type `sysctl` of the module that is installed has other attributes than the one of the module that the
/// metadata names, which is not.
#[test]
fn a_resource_type_of_a_module_that_is_not_a_dependency_is_not_judged() {
    let files = [
        ("redis/metadata.json", r#"{"name": "a-redis", "dependencies": [{"name": "b/augeasproviders_sysctl"}]}"#),
        ("redis/manifests/init.pp", "class redis {\n  sysctl { 'a': value => '1' }\n}\n"),
        (
            "sysctl/lib/puppet/type/sysctl.rb",
            "Puppet::Type.newtype(:sysctl) do\n  newparam(:name)\n  newproperty(:val)\nend\n",
        ),
    ];
    for modules in [&[][..], &["--modulepath", ".."]] {
        let folder = Folder::new("check-sysctl", &files);
        let mut command = command(&[&["check"], modules].concat());
        let run = run(command.current_dir(folder.path().join("redis")), b"");
        assert_eq!(
            (run.out.contains("error["), run.out.contains("warning["), run.code),
            (false, false, 0),
            "{modules:?}"
        );
    }
}

/// The checks of a file that follow its declarations end at the limit, too.
#[test]
fn lint_takes_no_longer_than_a_check_may() {
    let numbers: Vec<String> = (0..20_000).map(|n| format!("Integer[{n}0, {n}1]")).collect();
    let wide = format!("type Wide = Variant[{}]\n", numbers.join(", "));
    let members: Vec<String> = (0..40_000).map(|n| format!("'m{n}'")).collect();
    let many = format!("type Many = Enum[{}, 'm7']\n", members.join(", "));
    let arguments = ["check", "--lint", "--limit", "time=16000", "many.pp", "wide.pp"];
    let run = pcore("check-lint-limit", &[("many.pp", &many), ("wide.pp", &wide)], &arguments);
    let is_meant = |line: &&str| line.contains("[LIMIT]") || line.contains("[repeated-member]");
    let expected =
        ["warning[repeated-member]: 'm7' is repeated", "error[LIMIT]: the evaluation took longer than 2 seconds"];
    assert_eq!(run.out.lines().filter(is_meant).collect::<Vec<_>>(), expected);
}

/// The limit on time is that of the run: files that come later are named instead of checked.
#[test]
fn a_check_of_many_files_ends_at_its_limit() {
    let members: Vec<String> = (0..3_000).map(|n| format!("Integer[{n}0, {n}1]")).collect();
    let wide = |n: usize| format!("type Wide{n} = Variant[{}]\n", members.join(", "));
    let files: Vec<(String, String)> = (0..40).map(|n| (format!("wide{n}.pp"), wide(n))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let run = pcore("check-run-limit", &files, &["check", "--lint", "--max-findings", "0", "--limit", "time=1", "."]);
    let given_up = run.out.lines().filter(|line| *line == "error[LIMIT]: the check took longer than 1 ms").count();
    assert!(given_up >= 39, "{given_up} {}", run.out);
    assert!(run.out.contains(" --> ./wide39.pp:1:1\n"), "{}", run.out);
}
