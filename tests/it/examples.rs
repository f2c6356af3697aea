//! Values that types have, miss, and are told apart by: over every type of the table and the recorded matrix, and over generated types.

#![allow(clippy::print_stdout, reason = "a test that samples prints how often it held")]

use std::collections::BTreeMap;
use std::fs;

use pcore::explain::counterexample;
use pcore::explain::examples::{Examples, examples};
use pcore::explain::meet::{has_no_values, meet};
use pcore::explain::mismatch::explain;
use pcore::explain::rewrite::{are_equivalent, simplified, with_aliases_expanded};
use pcore::session::Session;
use pcore::text::Source;
use pcore::types::{Type, nameable_type_rows};
use pcore::value::Value;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};

use crate::laws::type_;

/// The same types in every run.
fn generated(count: usize) -> Vec<Type> {
    let mut runner = TestRunner::deterministic();
    let strategy = type_();
    (0..count).map(|_| strategy.new_tree(&mut runner).unwrap().current()).collect()
}

/// The types of the recorded matrix, among them aliases and Object types.
fn recorded() -> Vec<Type> {
    let path = format!("{}/tests/conformance/matrix/instance.json", env!("CARGO_MANIFEST_DIR"));
    let matrix: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let mut session = Session::default();
    session.eval(matrix["preamble"].as_str().unwrap()).unwrap();
    let columns = matrix["cols"].as_array().unwrap().iter().map(|column| column.as_str().unwrap());
    let types = columns.filter_map(|column| match session.eval(column) {
        Ok(Value::Type(type_)) => Some(type_),
        _ => None,
    });
    types.collect()
}

/// Whether there is at least one match and one near miss, or a reason why not.
#[track_caller]
fn is_shown(type_: &Type, shown: &Examples) -> bool {
    for value in &shown.matches {
        assert!(type_.has_instance(value), "{value} is shown for {type_}");
    }
    for mismatch in &shown.near_misses {
        assert!(!type_.has_instance(&mismatch.found), "{} is shown for {type_}", mismatch.found);
    }
    let has_match = shown.no_match_reason != Some("no value was found");
    // What every value is of has no near miss.
    has_match
        && (shown.no_near_miss_reason.is_none() || shown.matches.is_empty() || type_.has_instance(&Value::Default))
}

#[test]
fn every_type_has_a_match_and_a_near_miss_or_a_reason_why_not() {
    let mut session = Session::default();
    let bare = nameable_type_rows().filter_map(|row| Type::named(row.name));
    let parameters =
        nameable_type_rows().flat_map(|row| row.examples).filter_map(|example| match session.eval(example.code) {
            Ok(Value::Type(type_)) => Some(type_),
            _ => None,
        });
    let parameters: Vec<Type> = parameters.collect();
    let types: Vec<Type> = bare.chain(parameters).chain(recorded()).chain(generated(500)).collect();
    let unshown: Vec<String> =
        types.iter().filter(|type_| !is_shown(type_, &examples(type_, 4))).map(ToString::to_string).collect();
    println!("{} of {} types without examples:\n{}", unshown.len(), types.len(), unshown.join("\n"));
    assert!(types.len() > 700);
    assert_eq!(unshown, Vec::<String>::new());
}

/// The aliases of the modules in the directories that `PCORE_MODULEPATH` lists, such as those that answers were recorded
/// with.
#[test]
fn every_alias_of_real_modules_has_a_match_and_a_near_miss_or_a_reason_why_not() {
    let Some(path) = std::env::var_os("PCORE_MODULEPATH") else { return };
    let mut session = Session::builder().module_path(std::env::split_paths(&path)).build();
    let types: Vec<Type> = session
        .alias_names()
        .into_iter()
        .filter_map(|name| session.evaluate_type(&Source::new("alias", &name)).ok())
        .collect();
    let shown: Vec<(String, Examples)> = types.iter().map(|type_| (type_.to_string(), examples(type_, 4))).collect();
    let unshown = types.iter().zip(&shown).filter(|(type_, (_, shown))| !is_shown(type_, shown));
    let unshown: Vec<&String> = unshown.map(|(_, (text, _))| text).collect();
    let without: Vec<String> = shown
        .iter()
        .filter_map(|(text, shown)| Some(format!("{text}: {}", shown.no_match_reason.or(shown.no_near_miss_reason)?)))
        .collect();
    println!(
        "{} aliases, {} of them without examples for a reason:\n{}",
        shown.len(),
        without.len(),
        without.join("\n")
    );
    assert_eq!(unshown, Vec::<&String>::new());
}

/// Why no value tells two types apart, though the first is not accepted.
fn cause(a: &Type, b: &Type) -> Option<&'static str> {
    let text = format!("{a} {b}");
    if has_no_values(a) {
        return Some("types of which there are no values here");
    }
    // An Array of what has no values is empty.
    if matches!(a, Type::Array(_))
        && matches!(&a.arguments()[..], [Value::Type(element), ..] if has_no_values(element))
        && b.has_instance(&Value::from(Vec::<Value>::new()))
    {
        return Some("types of which there are no values here");
    }
    let Type::Optional(_) = a else { return cause_of_kind(a, b, &text) };
    // Besides undef it has no values.
    if Type::named("NotUndef").is_some_and(|not_undef| has_no_values(&meet(a, &not_undef))) {
        return Some("types of which there are no values here");
    }
    cause_of_kind(a, b, &text)
}

fn cause_of_kind(a: &Type, b: &Type, text: &str) -> Option<&'static str> {
    if simplified(&with_aliases_expanded(b, usize::MAX)).accepts(a) {
        return Some("the branches of a Variant accept only together");
    }
    if text.contains("Pattern[") {
        return Some("Patterns are compared by their text");
    }
    None
}

#[test]
fn types_that_are_not_accepted_are_told_apart_by_a_value() {
    let types = generated(3_000);
    let (mut pairs, mut found) = (0, 0);
    let mut causes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut unexplained = Vec::new();
    for (at, a) in types.iter().enumerate() {
        let b = &types[(at * 7 + 3) % types.len()];
        if b.accepts(a) || pairs == 1_500 {
            continue;
        }
        pairs += 1;
        match counterexample::in_difference(a, &[b]) {
            Some(value) => {
                assert!(a.has_instance(&value) && !b.has_instance(&value), "{value}");
                found += 1;
            }
            None => match cause(a, b) {
                Some(cause) => *causes.entry(cause).or_default() += 1,
                None => unexplained.push(format!("{a} <= {b}")),
            },
        }
    }
    println!("{found} of {pairs} told apart; {causes:?}; {}:\n{}", unexplained.len(), unexplained.join("\n"));
    assert_eq!(pairs, 1_500);
    assert!(unexplained.len() * 100 <= pairs, "{} of {pairs}", unexplained.len());
}

proptest! {
    #![proptest_config(Config { cases: 600, failure_persistence: None, ..Config::default() })]

    #[test]
    fn a_simplified_type_is_the_same_type(type_ in type_()) {
        let simple = simplified(&type_);
        prop_assert!(are_equivalent(&simple, &type_), "{type_} became {simple}");
        prop_assert!(simple.to_string_as_parameter().len() <= type_.to_string_as_parameter().len() + 16, "{type_} became {simple}");
        let whole = with_aliases_expanded(&type_, usize::MAX);
        prop_assert!(whole.equals(&type_), "{type_} expanded to {whole}");
    }

    #[test]
    fn what_two_types_both_accept_is_in_their_meet(a in type_(), b in type_()) {
        let both = meet(&a, &b);
        for value in examples(&a, 12).matches.iter().chain(&examples(&b, 12).matches) {
            if a.has_instance(value) && b.has_instance(value) {
                prop_assert!(both.has_instance(value), "{value} is of {a} and {b}, but not of {both}");
            }
        }
        if let Some(value) = counterexample::find_common_value(&a, &b) {
            prop_assert!(explain(&a, &value).is_none() && explain(&b, &value).is_none());
        }
    }
}
