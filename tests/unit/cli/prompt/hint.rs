//! Tests of `cli::prompt::hint`, of which it is a module.

use super::*;
use pcore::functions;
use pcore::session::Console;

const HISTORY: [&str; 3] = ["[1, 2].map |$x| {\n$x }", "[1, 2].sum", "$port = 80"];

fn shown(typed: &str) -> Option<String> {
    let mut session = Console::default();
    session.enter("type Port = Integer[1, 65535]", &mut |_| {});
    session.enter("type Point = Object[{attributes => {x => Integer, y => Integer}}]", &mut |_| {});
    session.enter("function area(Integer $width, $height = 1) { $width * $height }", &mut |_| {});
    hint_after(typed, &SymbolIndex::of(&session), HISTORY.into_iter(), Palette::Plain).map(|hinted| hinted.shown_text)
}

#[test]
fn an_open_bracket_shows_the_parameters_of_the_type() {
    assert_eq!(shown("80 =~ Integer["), Some("from, to]".to_owned()));
    assert_eq!(shown("80 =~ Integer[1,"), Some(" to]".to_owned()));
    assert_eq!(shown("80 =~ Integer[1, "), Some("to]".to_owned()));
    assert_eq!(shown("Hash[String[1, 2], "), Some("value, from, to]".to_owned()));
    assert_eq!(shown("Variant[Integer, "), Some("…]".to_owned()));
    assert_eq!(shown("80 =~ Integer[1, 2, "), None);
    assert_eq!(shown("80 =~ Integer[1"), Some(", to]".to_owned()));
    assert_eq!(shown("80 =~ Integer[1 "), None);
    assert_eq!(shown("80 =~ Integer[1, 2"), None);
    assert_eq!(shown("Undef["), None);
    assert_eq!(shown("["), Some("1, 2].map |$x| {".to_owned()));
}

#[test]
fn a_command_in_an_unfinished_entry_is_told_the_way_out() {
    assert_eq!(shown("$x = \"abc\n:quit"), Some("  Ctrl-C leaves this entry".to_owned()));
    assert_eq!(shown("[1,\n\n"), Some("  Ctrl-C leaves this entry".to_owned()));
    assert_eq!(shown("[1,\n"), None);
}

#[test]
fn an_open_parenthesis_shows_the_first_signature_of_the_function() {
    let signature = functions::named("abs").expect("abs is a function").signatures[0];
    assert_eq!(shown("abs("), Some(signature[1..].to_owned()));
    assert_eq!(shown("nobody("), None);
    assert_eq!(shown("'Integer["), None);
}

#[test]
fn what_the_session_defines_has_parameters_too() {
    assert_eq!(shown("Port["), Some("from, to]".to_owned()));
    assert_eq!(shown("area("), Some("Integer $width, $height = 1)".to_owned()));
    assert_eq!(shown("area(2,"), Some(" $height = 1)".to_owned()));
    assert_eq!(shown("3.area("), Some("$height = 1)".to_owned()));
    assert_eq!(shown("Point("), Some("Integer $x, Integer $y)".to_owned()));
    assert_eq!(shown("Point.new(1,"), Some(" Integer $y)".to_owned()));
}

#[test]
fn the_parameter_that_is_to_be_written_is_marked() {
    let mut session = Console::default();
    session.enter("function area(Integer[0, 9] $width, $height = 1, *$rest) { 1 }", &mut |_| {});
    let symbols = SymbolIndex::of(&session);
    let shown = |typed: &str| {
        hint_after(typed, &symbols, HISTORY.into_iter(), Palette::Coloured).map(|hinted| hinted.shown_text)
    };
    let marked = |current: &str, others: &str| {
        Some(Palette::Coloured.paint_text(CURRENT, current) + &Palette::Coloured.paint_text(DIM, others))
    };
    assert_eq!(shown("area("), marked("Integer[0, 9] $width", ", $height = 1, *$rest)"));
    assert_eq!(shown("area(1, "), marked("$height = 1", ", *$rest)"));
    assert_eq!(shown("area(1, 2, "), marked("*$rest", ")"));
    assert_eq!(shown("area(1, 2, 3, "), marked("*$rest", ")"));
    assert_eq!(shown("area(1"), Some(Palette::Coloured.paint_text(DIM, ", $height = 1, *$rest)")));
    assert_eq!(shown("area('1"), None);
}

#[test]
fn a_long_entry_is_shown_in_part() {
    let entry = "1".repeat(10_000);
    let hinted =
        hint_after("1", &SymbolIndex::default(), [&entry].into_iter(), Palette::Plain).expect("there is a hint");
    assert_eq!(hinted.shown_text, "1".repeat(MAX_HINT_CHARACTERS) + "…");
    assert_eq!(hinted.inserted, Some("1".repeat(9_999)));
}

#[test]
fn otherwise_the_latest_entry_that_begins_so_is_shown() {
    assert_eq!(
        hint_after("[1, 2].m", &SymbolIndex::default(), HISTORY.into_iter(), Palette::Plain),
        Some(PromptHint { shown_text: "ap |$x| {".to_owned(), inserted: Some("ap |$x| {\n$x }".to_owned()) })
    );
    assert_eq!(shown("[1, 2]."), Some("map |$x| {".to_owned()));
    assert_eq!(shown("$port = 80"), None);
    assert_eq!(shown(" "), None);
}

#[test]
fn parameters_are_not_taken() {
    let hinted =
        hint_after("Integer[", &SymbolIndex::default(), HISTORY.into_iter(), Palette::Plain).expect("there is a hint");
    assert_eq!((hinted.display(), hinted.completion()), ("from, to]", None));
}
