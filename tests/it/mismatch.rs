//! Why a value does not match: what `:why` answers.

use std::fs;
use std::path::Path;

use pcore::explain::mismatch::KINDS;
use pcore::session::{Console, Mode, Reply, Session, Strictness, issues};
use pcore::text::Source;

/// The lines of `:why question`, after those definitions.
#[track_caller]
fn why(definitions: &[&str], question: &str) -> Vec<String> {
    let mut session = Console::default();
    for definition in definitions {
        session.eval(definition).unwrap();
    }
    match session.enter(&format!(":why {question}"), &mut |_| {}) {
        Reply::Text(text) => text.lines().skip(1).map(|line| line.trim().to_owned()).collect(),
        reply => panic!("{question}: {reply:?}"),
    }
}

#[test]
fn a_part_is_named_as_code_that_reaches_it() {
    let server = "type Server = Struct[{name => String, ports => Array[Integer[1, 65535]]}]";
    for (question, lines) in [
        (
            "{name => 'web', ports => [80, '443']} =~ Server",
            &["['ports'][1]: expected Integer[1, 65535], got String '443'; Integer('443') would match"][..],
        ),
        ("{name => 'web', ports => [0]} =~ Server", &["['ports'][0]: expected Integer[1, 65535], got Integer 0"]),
        ("{name => 'web', prots => [1]} =~ Server", &["unknown key 'prots'; did you mean 'ports'?"]),
        ("{name => 'web'} =~ Server", &["missing key 'ports' of type Array[Integer[1, 65535]]"]),
        ("{name => 'web', ports => [], port => 1} =~ Server", &["unknown key 'port'"]),
        (
            "{name => 'web', ports => 80} =~ Server",
            &["['ports']: expected Array[Integer[1, 65535]], got Integer 80; wrap it in an array: `[ … ]`"],
        ),
        (
            "{name => undef, ports => []} =~ Server",
            &["['name']: expected String, got undef; Optional[String] accepts undef"],
        ),
    ] {
        assert_eq!(why(&[server], question), lines, "{question}");
    }
}

#[test]
fn each_reason_says_what_it_needs() {
    for (question, lines) in [
        ("'abc' =~ String[5]", &["3 characters, at least 5 required"][..]),
        ("'abcdef' =~ String[1, 5]", &["6 characters, at most 5 allowed"]),
        ("[1, 2, 3] =~ Array[Integer, 0, 2]", &["3 elements, at most 2 allowed"]),
        ("{a => 1} =~ Hash[String, Integer, 2]", &["1 entry, at least 2 required"]),
        ("'Present' =~ Enum['present', 'absent']", &["did you mean 'present'?"]),
        ("'presnt' =~ Enum['present', 'absent']", &["did you mean 'present'?"]),
        ("1.0 =~ Integer", &["Integer(1.0) would match"]),
        ("80 =~ String", &["String(80) would match"]),
        ("'2020-01-01' =~ Timestamp", &["Timestamp('2020-01-01') would match"]),
        ("'1.2.3' =~ SemVer", &["SemVer('1.2.3') would match"]),
        ("3600 =~ Timespan", &["Timespan(3600) would match"]),
        ("'secret' =~ Sensitive[String]", &["Sensitive(…) would match"]),
        ("'srv/www' =~ Pattern[/\\A\\/[a-z]/]", &["did you mean '/srv/www'?"]),
        ("'Web' =~ Pattern[/\\A[a-z]+\\z/]", &["did you mean 'web'?"]),
        ("undef =~ NotUndef[Integer]", &[]),
        ("'x' =~ NotUndef[Integer]", &[]),
        ("'x' =~ Init[Integer]", &["cannot convert String 'x' to Integer: expected a string with an integer"]),
        (
            "{a => 1, c => 2} =~ Struct[{a => Integer, Optional[bold] => Integer}]",
            &["unknown key 'c' (not set: 'bold')"],
        ),
        (
            "{port => 1} =~ Hash[String, Struct[{port => Integer}]]",
            &["as the value of a key it would match: write { 'name' => … } around it"],
        ),
        ("[1, 'x'] =~ Tuple[Integer]", &["2 elements, at most 1 allowed"]),
        ("1 =~ NotUndef[Undef]", &["no value is of type NotUndef[Undef]"]),
        ("{a => [1, default]} =~ Data", &["['a'][1]: expected Data, got default"]),
        ("[1] =~ Integer", &["remove the brackets: its only element matches"]),
        ("['a', 1] =~ Tuple[String, String]", &["[1]: expected String, got Integer 1; String(1) would match"]),
    ] {
        assert_eq!(why(&[], question), lines, "{question}");
    }
}

#[test]
fn below_a_variant_the_branch_that_was_meant_is_explained() {
    let pets = "type Pet = Variant[Struct[{kind => Enum['cat'], lives => Integer}], Struct[{kind => Enum['dog'], tricks => Array[String]}]]";
    for (question, lines) in [
        (
            "{kind => 'cat', lives => '9'} =~ Pet",
            &["['lives']: expected Integer, got String '9'; Integer('9') would match"][..],
        ),
        (
            "{kind => 'dog', tricks => ['sit', 1]} =~ Pet",
            &["['tricks'][1]: expected String, got Integer 1; String(1) would match"],
        ),
        ("'22' =~ Variant[Integer, Pattern[/\\A\\d+-\\d+\\z/]]", &["Integer('22') would match"]),
        ("'80' =~ Variant[Integer, Array[Integer]]", &["Integer('80') would match"]),
        ("{kind => 'horse', lives => 1} =~ Pet", &["['kind']: expected Enum['cat', 'dog'], got String 'horse'"]),
        (
            "{a => 1} =~ Variant[Struct[{a => String}], Struct[{a => Boolean}], Integer]",
            &[
                "['a']: expected String, got Integer 1; String(1) would match",
                "alternative 1, Struct[{'a' => Boolean}]: ['a']: expected Boolean, got Integer 1",
            ],
        ),
    ] {
        assert_eq!(why(&[pets], question), lines, "{question}");
    }
}

#[test]
fn a_sensitive_is_explained_without_its_content() {
    assert_eq!(
        why(&[], "Sensitive('secret-80') =~ Sensitive[Integer]"),
        [".unwrap: expected Integer, got String [value redacted]"]
    );
}

#[test]
fn many_mismatches_are_counted() {
    let same = why(&[], "Array(Integer[1, 12]) =~ Array[String]");
    assert_eq!(same, ["[0]: expected String, got Integer 1; String(1) would match (and 11 more, the last at [11])"]);
    let members: Vec<String> = (1..=12).map(|at| format!("k{at} => String")).collect();
    let entries: Vec<String> = (1..=12).map(|at| format!("k{at} => {at}")).collect();
    let different = format!("{{{}}} =~ Struct[{{{}}}]", entries.join(", "), members.join(", "));
    let lines = why(&[], &different);
    assert_eq!((lines.len(), lines[8].as_str()), (9, "and 4 more mistakes"));
    let whole = answer(&[&format!(":why {different}"), ":why all"]);
    assert_eq!((whole.lines().count(), &*whole), (13, &*answer(&[&format!(":why {different}"), ":full"])));
}

/// What the prompt answers to the last of some entries.
#[track_caller]
fn answer(entries: &[&str]) -> String {
    let mut session = Console::default();
    let mut last = String::new();
    for entry in entries {
        last = match session.enter(entry, &mut |_| {}) {
            Reply::Text(text) => text,
            Reply::Refused(message) => format!("refused: {message}"),
            _ => String::new(),
        };
    }
    last
}

#[test]
fn without_an_argument_whatever_failed_last_is_explained() {
    for (entries, beginning) in [
        (&["$x = '80' =~ Integer", ":why"][..], "String '80' is not of type Integer"),
        (
            &["Integer <= Integer[1]", ":why"],
            "Integer[1] does not accept Integer\n  Integer 0 is of type Integer, but not of type Integer[1]",
        ),
        (
            &["80 in ['80']", ":why"],
            "no element of Array ['80'] equals Integer 80; it has String '80', which is another value",
        ),
        (&["Integer in ['80']", ":why"], "no element of Array ['80'] is of type Integer"),
        (&["1 ? { 2 => 3 }", ":why"], "no option matches Integer 1\n  2: 2 is another value"),
        (
            &["case '1' { Integer: { 1 } }", ":why"],
            "no option matches String '1'\n  Integer: expected Integer, got String '1'",
        ),
        (&["if '1' =~ Integer { 1 }", ":why"], "String '1' is not of type Integer"),
        (&["1 =~ Integer and '1' =~ Integer", ":why"], "String '1' is not of type Integer"),
        (&["abs('a')", ":why"], "expected a decimal number, got 'a'"),
        (&["assert_type(Integer, '80')", ":why"], "expected Integer, got String '80'\n  Integer('80') would match"),
        (&["Integer('a')", ":why"], "cannot convert String 'a' to Integer"),
        (
            &["define web(Integer $port) { }\nweb { 'a': port => '80' }", ":why"],
            "the parameter `port` of web: expected Integer, got String '80'",
        ),
        (&[":why '80', Integer"], "String '80' is not of type Integer"),
        (&[":why 1 + 1"], "nothing failed: the result is Integer 2"),
        (&[":why"], "refused: nothing to explain yet"),
    ] {
        let answer = answer(entries);
        assert!(answer.starts_with(beginning), "{entries:?}: {answer}");
    }
}

#[test]
fn types_are_compared_part_by_part() {
    for (question, lines) in [
        (
            "Callable[String] <= Callable[Integer]",
            &["parameter 1: Integer is not accepted by String, e.g. Integer 0"][..],
        ),
        ("Callable[String, Integer] =~ Type[Callable[String]]", &["number of arguments: expected 1, got 2"]),
        (
            "Callable[String, Callable[Integer]] =~ Type[Callable[String, Callable[String]]]",
            &["block parameter 1: expected String, got the type Integer"],
        ),
        (
            "Callable[[String], Integer] =~ Type[Callable[[String], String]]",
            &["return type: expected String, got the type Integer"],
        ),
        (
            "Struct[{a => Integer, b => String}] <= Struct[{a => Integer[1], c => String}]",
            &[
                "['a']: Integer is wider than Integer[1], e.g. Integer 0",
                "['b']: unknown key of type String",
                "['c']: missing key of type String",
                "Hash {'a' => 0, 'b' => 'a'} is of type Struct[{'a' => Integer, 'b' => String}], but not of type Struct[{'a' => Integer[1], 'c' => String}]",
            ],
        ),
        (
            "Array[Integer] <= Array[Integer, 1]",
            &[
                "size: expected 1 or more, got any number",
                "Array [] is of type Array[Integer], but not of type Array[Integer, 1]",
            ],
        ),
    ] {
        assert_eq!(why(&[], question), lines, "{question}");
    }
}

#[test]
fn the_types_of_a_type_set_are_compared() {
    let set = |name: &str, types: &str| {
        format!("type {name} = TypeSet[{{pcore_version => '1.0.0', version => '1.0.0', types => {{{types}}}}}]")
    };
    let old = set("Old", "Port => Integer, Mode => Enum['a', 'b'], Gone => String");
    let new = set("New", "Port => Integer[1], Mode => Enum['a', 'c'], More => String");
    assert_eq!(
        answer(&[&old, &new, ":diff Old, New"]).lines().take(5).collect::<Vec<_>>(),
        [
            "! Port: narrowed from Integer to Integer[1]",
            "! Mode: no longer accepts Enum['b']",
            "  Mode: now also accepts Enum['c']",
            "! Gone: removed, was of type String",
            "  More: added, optional, of type String",
        ]
    );
    assert_eq!(answer(&[&old, ":why 1 =~ Old"]), "Integer 1 is not of type Old");
}

#[test]
fn all_wrong_parameters_of_a_resource_are_named() {
    let definition = "define web(Integer[1, 65535] $port, Array[String] $names, String $owner) { }";
    assert_eq!(
        answer(&[definition, "web { 'a': port => '80', names => 'x' }", ":why"]),
        "the parameter `port` of web: expected Integer[1, 65535], got String '80'
  Integer('80') would match
  also: the parameter `names` of web: expected Array[String], got String 'x'; wrap it in an array: `[ … ]`
  also: web requires a value for its parameter `owner`; add `owner => …` for `String $owner`"
    );
}

#[test]
fn an_alias_has_its_meaning_beside_it_once() {
    assert_eq!(
        why(&["type Port = Integer[1, 9]"], "[0, 'x'] =~ Array[Port]"),
        ["[0]: expected Port = Integer[1, 9], got Integer 0", "[1]: expected Port, got String 'x'"]
    );
}

#[test]
fn a_folded_branch_can_be_opened() {
    let question = ":why {a => 1} =~ Variant[Struct[{a => Enum[x]}], Struct[{a => String}], Struct[{a => Boolean}]]";
    let opened = answer(&[question, ":why 2"]);
    assert_eq!(opened, "not Struct[{'a' => Boolean}]\n  ['a']: expected Boolean, got Integer 1");
    assert_eq!(answer(&[question, ":why 9"]), "expected a branch from 1 to 2, got 9");
}

#[test]
fn explanations_of_large_types_fit_on_a_screen() {
    let members: Vec<String> =
        (1..=60).map(|at| format!("a_rather_long_member_name_{at} => Enum['{}', 'b{at}']", "x".repeat(90))).collect();
    let entries: Vec<String> = (1..=60)
        .map(|at| {
            format!("a_rather_long_member_name_{at} => '{}'", if at <= 12 { "z".repeat(150) } else { format!("b{at}") })
        })
        .collect();
    let question = format!(":why {{{}}} =~ Struct[{{{}}}]", entries.join(", "), members.join(", "));
    let answer = answer(&[&question]);
    let lines: Vec<&str> = answer.lines().collect();
    assert_eq!((lines.len(), lines[9]), (10, "  and 4 more mistakes"), "{answer}");
    for line in lines {
        assert!(line.chars().count() <= 200, "{} characters: {line}", line.chars().count());
    }
}

#[test]
fn the_example_of_every_kind_of_reason_has_that_reason() {
    for kind in KINDS.iter().filter(|kind| !kind.example.is_empty()) {
        let mut session = Session::default();
        let (value, type_) = kind.example.rsplit_once(" =~ ").unwrap();
        let value = session.eval(value).unwrap();
        let mismatch = session.evaluate_type(&Source::new("type", type_)).unwrap().check(&value).unwrap_err();
        let mut reasons = mismatch.leaves();
        reasons.push(&mismatch);
        let kinds: Vec<&str> = reasons.iter().map(|reason| reason.reason.kind()).collect();
        assert!(kinds.contains(&kind.name), "{}: {kinds:?}", kind.example);
    }
}

#[test]
fn the_example_of_every_issue_has_that_issue() {
    for issue in issues::TABLE.iter().filter(|issue| !issue.example.is_empty()) {
        let mut session = Session::new(Strictness::Error);
        session.mode = Mode::Program;
        let found = session.eval(issue.example);
        let code = found.map_or_else(|error| error.code().to_owned(), |value| pcore::format::text(&value));
        assert_eq!(code, issue.code, "{}", issue.example);
    }
    let codes: Vec<&str> = issues::TABLE.iter().map(|issue| issue.code).collect();
    assert!(codes.is_sorted());
}

#[test]
fn an_issue_code_of_the_source_is_in_the_table() {
    let source = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    for path in crate::files_below(source, "rs") {
        let text = fs::read_to_string(&path).unwrap();
        let is_check = path.starts_with(source.join("check"));
        let starts: &[&str] = if is_check { &["error(\"", "warning(\"", "const "] } else { &["=> \"", "coded(\""] };
        for line in text.lines().filter(|line| starts.iter().any(|start| line.contains(start))) {
            let Some(code) = line.split('"').nth(1) else { continue };
            let is_code = code.len() > 4
                && code.contains('_')
                && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            let mut known = issues::TABLE.iter().chain(issues::CHECK_ISSUES);
            assert!(!is_code || known.any(|issue| issue.code == code), "{code} in {}", path.display());
        }
    }
}

#[cfg(feature = "cli")]
#[test]
fn batch_gives_the_reasons_as_data() {
    let request = br#"{"id": 1, "code": "assert_type(Struct[{ports => Array[Integer]}], {ports => [1, '2']})"}"#;
    let answer = crate::program::pcore(&["batch"], request).out;
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let reasons = serde_json::json!([{
        "kind": "type",
        "path": ["ports", 1],
        "pointer": "/ports/1",
        "hiera": "ports.1",
        "expected": "Integer",
        "within": "['ports'] element",
        "found": "'2'",
        "suggestions": ["Integer('2') would match"],
    }]);
    assert_eq!(answer["reasons"], reasons);
}

#[cfg(feature = "cli")]
#[test]
fn batch_names_wrong_and_missing_keys() {
    let request =
        br#"{"code": "assert_type(Struct[{'key1' => Integer, 'key2' => Integer}], {'key1' => 1, 'other' => 2})"}"#;
    let answer = crate::program::pcore(&["batch"], request).out;
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    let reasons = serde_json::json!([
        {
            "kind": "missing_key", "path": ["key2"], "pointer": "/key2", "hiera": "key2", "within": "",
            "expected": "Integer", "key": "key2", "suggestions": [],
        },
        {
            "kind": "unknown_key", "path": ["other"], "pointer": "/other", "hiera": "other", "within": "",
            "key": "other", "suggestions": [],
        },
    ]);
    assert_eq!(answer["reasons"], reasons);
}
