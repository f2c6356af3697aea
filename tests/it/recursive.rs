//! Aliases and Object types that contain themselves: every question about them ends.

mod program;

#[cfg(feature = "cli")]
use std::fmt::Write as _;

use pcore::limits::{Limit, Limits};
use pcore::session::{Console, Reply, Session, Strictness};
use pcore::text::Source;
use proptest::prelude::*;

#[cfg(feature = "cli")]
use super::modules::Folder;

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_question_ends(bytes in prop::collection::vec(any::<u8>(), 40..240)) {
        let limits = Limits::default().with(Limit::Steps, 100_000).with(Limit::String, 1 << 20);
        let session = Session::builder().strictness(Strictness::Warning).limits(limits).build();
        program::ask(&program::program(&bytes), session);
    }
}

/// The answer, or the message of the error.
fn answer(aliases: &str, code: &str) -> String {
    let source = Source::new("program", format!("{aliases}\n{code}"));
    match Session::new(Strictness::Error).evaluate(&source, &mut |_| {}) {
        Ok(value) => value.to_string(),
        Err(error) => error.message().to_owned(),
    }
}

#[track_caller]
fn assert_answers(cases: &[(&str, &str, &str)]) {
    for (aliases, code, expected) in cases {
        assert_eq!(answer(aliases, code), *expected, "{aliases}; {code}");
    }
}

/// What the prompt answers after these aliases were defined together.
fn told(aliases: &str, command: &str) -> String {
    let mut console = Console::default();
    console.eval(aliases).unwrap();
    match console.enter(command, &mut |_| {}) {
        Reply::Text(text) => text,
        reply => panic!("{command} gives {reply:?}"),
    }
}

#[test]
fn an_init_that_makes_itself_has_no_instances() {
    let unusable = "Init[A] cannot be used, because A has no constructor";
    assert_answers(&[
        ("type A = Init[A]", "1 =~ A", unusable),
        ("type A = Init[A]", "Integer <= A", unusable),
        ("type A = Init[A]", "\"${A}\"", "'A = Init[A]'"),
        ("type A = Init[B]; type B = Init[A]", "1 =~ A", "Init[B] cannot be used, because B has no constructor"),
        // Observed: Puppet 7.23, these three.
        (
            "type A = Init[Optional[A]]",
            "1 =~ A",
            "Init[Optional[A]] cannot be used, because Optional[A] has no constructor",
        ),
        ("type A = Init[Integer]; type B = Init[A]", "'1' =~ B", "true"),
        ("type A = Object[{attributes => {x => A}}]", "[[1] =~ Init[A], A <= Init[A]]", "[false, true]"),
        (
            "type A = Init[Struct[{a => A, b => Integer}]]",
            "\"${A}\"",
            "'A = Init[Struct[{\\'a\\' => A, \\'b\\' => Integer}]]'",
        ),
        (
            "type One = Object[{attributes => {a => Variant[Init[One], String]}}]",
            "One('w')",
            "One({'a' => 'w'})", // Observed: Puppet 7.23.
        ),
    ]);
}

#[test]
fn an_alias_that_is_itself_or_undef_is_undef() {
    let aliases = "type A = Optional[A]; type B = Variant[Undef, C]; type C = Variant[B, B]";
    assert_answers(&[
        (aliases, "[undef =~ A, undef =~ B, 1 =~ A, 1 =~ C]", "[true, true, false, false]"),
        (aliases, "assert_type(A, [])", "expected A = Optional[A], got Array []"),
        (aliases, "assert_type(B, [])", "expected B = Optional[C], got Array []"),
        (aliases, "with(1) |C $x| { $x }", "the parameter $x of the lambda must be C = B, got Integer 1"),
        (
            "type A = Object[{attributes => {x => A}}]",
            "A.new({'x' => {'x' => 1}})",
            "cannot create an instance of A: expected A as x, got Hash {'x' => 1}",
        ),
    ]);
}

#[test]
fn a_struct_of_itself_is_no_iterable_of_itself() {
    let aliases = "type A = Iterable[A]; type B = Struct[{a => A, b => B}]";
    assert_answers(&[(aliases, "[B <= A, A <= B, B == B, String <= A]", "[false, false, true, true]")]);
    assert_eq!(
        told(aliases, ":hierarchy B"),
        "Any\n└─ Collection\n   └─ Hash\n      └─ Struct\n         └─ B = Struct[{'a' => A = Iterable[A], 'b' => B}]  ◀\n\
         also accepted by: NotUndef, Iterable"
    );
    assert_eq!(told(aliases, ":meet A, B"), "no value is of both types");
}

#[test]
fn two_recursive_types_differ_where_their_parts_do() {
    let aliases = "type A = Tuple[A, A, B, Integer]; type B = Tuple[B, A, A, String]";
    assert_eq!(
        told(aliases, ":diff A, B"),
        "! [2][3]: changed from String to Integer\n! [3]: changed from Integer to String\n\
         some values of the first type no longer match\n\
         the second type also accepts other values"
    );
}

#[test]
fn a_value_that_never_ends_is_none() {
    let told =
        |type_: &str| told("type A = Tuple[A, A]; type B = Array[NotUndef[B], 1]", &format!(":examples {type_}"));
    for type_ in ["A", "B", "NotUndef[A]", "Struct[{a => B}]"] {
        assert_eq!(
            told(type_),
            "matches\n  none: no value is of the type\nnear misses\n  none: nothing matches",
            "{type_}"
        );
    }
}

/// So many aliases, each of which names the next, and the last one `last`.
#[cfg(feature = "cli")]
fn chain(count: usize, last: &str) -> Vec<(String, String)> {
    let next = |at: usize| if at + 1 < count { format!("Web::T{}", at + 1) } else { last.to_owned() };
    (0..count).map(|at| (format!("modules/web/types/t{at}.pp"), format!("type Web::T{at} = {}\n", next(at)))).collect()
}

#[cfg(feature = "cli")]
#[test]
fn a_chain_of_aliases_over_files_takes_few_steps_for_each() {
    const COUNT: usize = 300;
    let run = |name: &str, last: &str| {
        let files = chain(COUNT, last);
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        Folder::new(name, &[&[("environment.conf", "")], &files[..]].concat()).run(&["check", "--limit", "steps=20000"])
    };
    let good = run("chain", "Integer");
    assert_eq!(
        (good.out.as_str(), good.err.as_str(), good.code),
        ("environment: 300 manifests\n300 files, 300 values compared: all match\n", "", 0)
    );
    let circular = run("circle", "Web::T0");
    let summary = "environment: 300 manifests\n300 files, 300 values compared: 300 errors in 300 files\n";
    assert!(circular.out.ends_with(summary), "{}", circular.out);
    let mut first = String::new();
    for at in 0..11 {
        write!(first, "Web::T{at} = ").unwrap();
    }
    let expected = format!("error: the type alias refers only to itself: {first}… = Web::T0");
    assert_eq!(circular.out.lines().next(), Some(&*expected));
}
