//! Why a value does not match: what `:why` answers.

use std::fs;
use std::path::Path;

use pcore::session::{Console, Mode, Reply, Session, Strictness, issues};
use pcore::text::Source;
use pcore::types::relation::mismatch::KINDS;

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
            &[
                "['ports']: expected Array[Integer[1, 65535]], got Integer 80; an Array of it would match: write [ ] around it",
            ],
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
        ("'abc' =~ String[5]", &["expected String[5], got String 'abc': 3 characters, at least 5 required"][..]),
        ("'abcdef' =~ String[1, 5]", &["expected String[1, 5], got String 'abcdef': 6 characters, at most 5 allowed"]),
        ("[1, 2, 3] =~ Array[Integer, 0, 2]", &["3 elements, at most 2 allowed"]),
        ("{a => 1} =~ Hash[String, Integer, 2]", &["1 entry, at least 2 required"]),
        (
            "'Present' =~ Enum['present', 'absent']",
            &["expected Enum['absent', 'present'], got String 'Present'; did you mean 'present'?"],
        ),
        (
            "'presnt' =~ Enum['present', 'absent']",
            &["expected Enum['absent', 'present'], got String 'presnt'; did you mean 'present'?"],
        ),
        ("1.0 =~ Integer", &["expected Integer, got Float 1.0; Integer(1.0) would match"]),
        ("80 =~ String", &["expected String, got Integer 80; String(80) would match"]),
        (
            "'2020-01-01' =~ Timestamp",
            &["expected Timestamp, got String '2020-01-01'; Timestamp('2020-01-01') would match"],
        ),
        ("'1.2.3' =~ SemVer", &["expected SemVer, got String '1.2.3'; SemVer('1.2.3') would match"]),
        ("undef =~ NotUndef[Integer]", &["expected NotUndef[Integer], got undef"]),
        ("'x' =~ NotUndef[Integer]", &["expected Integer, got String 'x'"]),
        ("1 =~ NotUndef[Undef]", &["no value is of type NotUndef[Undef]"]),
        ("{a => [1, default]} =~ Data", &["['a'][1]: expected Data, got default"]),
        ("[1] =~ Integer", &["expected Integer, got Array [1]; its only element would match, without the brackets"]),
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
            &[
                "['lives']: expected Integer, got String '9'; Integer('9') would match",
                "(1) not Struct[{'kind' => Enum['dog'], 'tricks' => Array[String]}]: ['kind']: expected Enum['dog'], got String 'cat', and 2 more",
            ][..],
        ),
        (
            "{kind => 'dog', tricks => ['sit', 1]} =~ Pet",
            &[
                "['tricks'][1]: expected String, got Integer 1; String(1) would match",
                "(1) not Struct[{'kind' => Enum['cat'], 'lives' => Integer}]: ['kind']: expected Enum['cat'], got String 'dog', and 2 more",
            ],
        ),
        (
            "'80' =~ Variant[Integer, Array[Integer]]",
            &[
                "expected Integer, got String '80'; Integer('80') would match",
                "(1) not Array[Integer]: got String '80'",
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
    let lines = why(&[], "Array(Integer[1, 12]) =~ Array[String]");
    assert_eq!((lines.len(), lines[8].as_str()), (9, "and 4 more"));
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
            "Integer[1] does not accept Integer\n  Integer is wider than Integer[1], e.g. Integer 0",
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
fn a_folded_branch_can_be_opened() {
    let question = ":why {a => 1} =~ Variant[Integer, Struct[{a => String}], Array[Integer]]";
    assert_eq!(answer(&[question, ":why 1"]), "not Integer\n  expected Integer, got Hash {'a' => 1}");
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
    assert_eq!((lines.len(), lines[9]), (10, "  and 4 more"), "{answer}");
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
        let mismatch = session.type_of_text(&Source::new("type", type_)).unwrap().check(&value).unwrap_err();
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
        let found = session.eval(issue.example).map_err(|error| error.code());
        assert_eq!(found.as_ref().err(), Some(&issue.code), "{}", issue.example);
    }
    let codes: Vec<&str> = issues::TABLE.iter().map(|issue| issue.code).collect();
    assert!(codes.is_sorted());
}

#[test]
fn an_issue_code_of_the_source_is_in_the_table() {
    for path in crate::files_below(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "rs") {
        let text = fs::read_to_string(&path).unwrap();
        let is_check = path.to_string_lossy().contains("/check/");
        let starts: &[&str] = if is_check { &["error(\"", "warning(\"", "const "] } else { &["=> \"", "coded(\""] };
        for line in text.lines().filter(|line| starts.iter().any(|start| line.contains(start))) {
            let Some(code) = line.split('"').nth(1) else { continue };
            let is_code = code.len() > 4
                && code.contains('_')
                && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
            let mut known = issues::TABLE.iter().chain(issues::CHECKS);
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
        "expected": "Integer",
        "within": "['ports'] element",
        "found": "'2'",
        "suggestions": ["Integer('2') would match"],
    }]);
    assert_eq!(answer["reasons"], reasons);
}
