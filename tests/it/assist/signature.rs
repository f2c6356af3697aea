//! The signature of what is being written, and the parameter at the cursor.

use pcore::assist::{SymbolIndex, signature_help};
use pcore::session::Session;

/// The active parameter between bars, in its signature.
fn help(typed: &str) -> Option<String> {
    let mut session = Session::default();
    session.eval("type Port = Integer[1, 65535]").expect("a definition");
    session.eval("type Point = Object[{attributes => {x => Integer, y => Integer}}]").expect("a definition");
    session.eval("function area(Integer[0, 9] $width, $height = 1, *$rest) { 1 }").expect("a definition");
    let mut help = signature_help(typed, typed.len(), &SymbolIndex::of(&session))?;
    let signature = &mut help.signatures[help.active_signature];
    match signature.parameters.get_mut(help.active_parameter) {
        Some(parameter) => parameter.label = format!("|{}|", parameter.label),
        None => return Some(format!("{signature} |")),
    }
    Some(signature.to_string())
}

fn is(typed: &str, expected: &str) {
    assert_eq!(help(typed).as_deref(), Some(expected), "after {typed}");
}

#[test]
fn types_have_parameters_in_brackets() {
    is("Integer[", "[|from|, to]");
    is("Port[1, ", "[from, |to|]");
    is("Hash[String[1, 2], ", "[key, |value|, from, to]");
    is("Callable[", "[|[type, …, from, to, block]|, return_type]");
    is("Variant[Integer, Integer, Integer, ", "[type, |…|]");
    assert_eq!(["Integer[1, 2, ", "Undef[", "["].map(help), [None, None, None]);
}

#[test]
fn functions_have_signatures() {
    is("area(", "(|Integer[0, 9] $width|, $height = 1, *$rest)");
    is("1.area(", "(Integer[0, 9] $width, |$height = 1|, *$rest)");
    is("area(1, 2, 3, 4", "(Integer[0, 9] $width, $height = 1, |*$rest|)");
    assert_eq!(["nobody(", "abs(1, ", "'area("].map(help), [None, None, None]);
}

#[test]
fn a_block_follows_the_bracket() {
    assert!(help("[1, 2].filter(").is_some_and(|help| help.ends_with('|')));
}

#[test]
fn constructors_have_the_attributes_of_an_object() {
    is("Point(", "(|Integer $x|, Integer $y)");
    is("Point.new(1, ", "(Integer $x, |Integer $y|)");
}
