//! Every example of every row of every table runs, and every row has the examples it needs.

use pcore::session::{Session, Strictness};
use pcore::text::Source;
use pcore::types::Example;
use pcore::{format, functions, operators, types};

/// What an example answers: `%p` text, or `error CODE`.
fn answered(code: &str) -> String {
    let mut session = Session::new(Strictness::Error);
    match session.evaluate(&Source::new("example", code), &mut |_| {}) {
        Ok(value) => format::program_text(&value),
        Err(error) => format!("error {}", error.issue()),
    }
}

/// The examples whose answer differs, as lines for people.
fn differing<'a>(rows: impl Iterator<Item = (&'a str, &'a [Example])>) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, examples) in rows {
        for example in examples {
            let answer = answered(example.code);
            if answer != example.answer {
                lines.push(format!("{name}: `{}` gives {answer}, the row says {}", example.code, example.answer));
            }
        }
    }
    lines
}

#[test]
fn every_example_of_an_operator_answers_as_its_row_says() {
    let rows = operators::TABLE.iter().map(|row| (row.symbol, row.examples));
    assert_eq!(differing(rows), Vec::<String>::new());
}

#[test]
fn every_example_of_a_type_answers_as_its_row_says() {
    let rows = types::TABLE.iter().map(|row| (row.name, row.examples));
    assert_eq!(differing(rows), Vec::<String>::new());
}

#[test]
fn every_example_of_a_function_answers_as_its_row_says() {
    let rows = functions::TABLE.iter().copied().flatten().map(|row| (row.name, row.examples));
    assert_eq!(differing(rows), Vec::<String>::new());
}

#[test]
fn every_row_has_an_example_that_succeeds() {
    let succeeds = |examples: &[Example]| examples.iter().any(|example| !example.answer.starts_with("error "));
    let operators = operators::TABLE.iter().map(|row| (row.symbol, row.examples));
    let types = types::TABLE.iter().filter(|row| !row.examples.is_empty()).map(|row| (row.name, row.examples));
    let functions = functions::TABLE.iter().copied().flatten().map(|row| (row.name, row.examples));
    // These never return: that is what they are for.
    let endings = ["break", "fail", "next", "return", "generate"];
    // These read files, which an example does not have.
    let readers = ["epp", "json_data", "yaml_data"];
    let without: Vec<&str> = operators
        .chain(types)
        .chain(functions)
        .filter(|(name, examples)| !succeeds(examples) && !endings.contains(name) && !readers.contains(name))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(without, Vec::<&str>::new());
}
