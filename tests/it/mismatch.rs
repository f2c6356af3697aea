//! Why a value does not match: what `:why` answers.

use pcore::session::{Console, Reply};

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
