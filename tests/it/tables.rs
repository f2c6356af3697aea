//! Every example of every row of every table runs, and every row has the examples it needs.

use pcore::files::Permissions;
use pcore::session::{Session, Strictness};
use pcore::text::Source;
use pcore::types::{Example, Type};
use pcore::{format, functions, operators, types};

/// Where the module is that some examples read files of.
const MODULES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/modules");

/// What an example answers: `%p` text, or `error CODE`.
fn answered(code: &str) -> String {
    let mut session = Session::new(Strictness::Warning);
    session.set_modules(vec![MODULES.into()], None);
    session.set_permissions(Permissions::allow_all());
    match session.evaluate(&Source::new("example", code), &mut |_| {}) {
        Ok(value) => format::program_text(&value),
        Err(error) => format!("error {}", error.code()),
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
fn every_example_of_an_operator_fits_one_of_its_signatures() {
    let mut lines = Vec::new();
    for row in &operators::TABLE {
        let infix = format!(" {} ", row.symbol);
        for example in row.examples.iter().filter(|example| !fails(example)) {
            // An example that shows more than the operator has brackets around the left operand and more.
            let Some((left, right)) = example.code.split_once(&infix) else { continue };
            if left.starts_with('[') != left.ends_with(']') {
                continue;
            }
            // What fails is an operand that is never evaluated.
            let is = |code: &str, type_: &str| {
                matches!(&*answered(&format!("({code}) =~ {type_}")), "true" | "error RUNTIME_ERROR")
            };
            let fits = |signature: &&str| {
                let (operands, result) = signature.rsplit_once(" >> ").expect("a result");
                let (first, second) = operands.split_once(&infix).expect("two operands");
                is(left, first) && is(right, second) && is(example.code, result)
            };
            if !row.signatures.iter().any(fits) {
                lines.push(format!("`{}` fits no signature of `{}`", example.code, row.symbol));
            }
        }
    }
    assert_eq!(lines, Vec::<String>::new());
}

#[test]
fn every_example_of_a_type_answers_as_its_row_says() {
    let rows = types::TABLE.iter().map(|row| (row.name, row.examples));
    assert_eq!(differing(rows), Vec::<String>::new());
}

#[test]
fn every_example_of_a_function_answers_as_its_row_says() {
    assert_eq!(differing(functions()), Vec::<String>::new());
}

/// Every built-in function, those of objects too, with its examples.
fn functions() -> impl Iterator<Item = (&'static str, &'static [Example])> {
    let of_objects = functions::OBJECT_METHODS.iter().map(|(_, functions)| *functions);
    functions::TABLE.iter().copied().chain(of_objects).flatten().map(|row| (row.name, row.examples))
}

/// Whether the answer is an error.
fn fails(example: &Example) -> bool {
    example.answer.starts_with("error ")
}

#[test]
fn every_row_has_an_example_that_succeeds() {
    let operators = operators::TABLE.iter().map(|row| (row.symbol, row.examples));
    let types = types::TABLE.iter().filter(|row| !row.examples.is_empty()).map(|row| (row.name, row.examples));
    // Nothing here runs other programs, and nothing here looks up data by calling functions.
    let refused = ["generate", "not_found"];
    let without: Vec<&str> = operators
        .chain(types)
        .chain(functions())
        .filter(|(name, examples)| examples.iter().all(fails) && !refused.contains(name))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(without, Vec::<&str>::new());
}

#[test]
fn every_row_that_can_fail_has_an_example_that_does() {
    // A type without parameters and constructor is a name: nothing can be wrong with it.
    let is_more_than_a_name =
        |row: &&types::Row| Type::named(row.name).is_some() && !(row.parameters.is_empty() && row.new.is_empty());
    let never_fail = ["in", "==", "!=", "and", "or", "!", "*"];
    let operators = operators::TABLE.iter().map(|row| (row.symbol, row.examples));
    let types = types::TABLE.iter().filter(is_more_than_a_name).map(|row| (row.name, row.examples));
    let without: Vec<&str> = operators
        .chain(types)
        .chain(functions())
        .filter(|(name, examples)| !examples.iter().any(fails) && !never_fail.contains(name))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(without, Vec::<&str>::new());
}
