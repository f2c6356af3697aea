//! Marks on the tokens of an entry.

use pcore::assist::{SymbolIndex, highlight};
use pcore::session::Session;

/// The entry with `<…>` around unknown names and `«…»` around a pair.
fn marked(line: &str, cursor: Option<usize>) -> String {
    let mut session = Session::default();
    session.eval("$port = 80").expect("a definition");
    let mut text = String::new();
    let mut done = 0;
    for token in highlight(line, cursor, &SymbolIndex::of(&session)) {
        let (open, close) = match (token.is_unknown, token.is_pair_at_cursor) {
            (true, _) => ("<", ">"),
            (false, true) => ("«", "»"),
            (false, false) => ("", ""),
        };
        text += &line[done..token.range.start];
        text.extend([open, &line[token.range.clone()], close]);
        done = token.range.end;
    }
    text + &line[done..]
}

#[test]
fn unknown_types_and_variables_are_marked_unless_they_are_just_being_typed() {
    assert_eq!(marked("$port =~ Interger and $prot", None), "$port =~ <Interger> and <$prot>");
    assert_eq!(marked("1 =~ Inte", Some(9)), "1 =~ Inte");
    assert_eq!(marked("1 =~ Inte", None), "1 =~ <Inte>");
    assert_eq!(marked("$po", Some(3)), "$po");
    assert_eq!(marked("type Mine = Integer", None), "type Mine = Integer");
    assert_eq!(marked("[1].map |$x| { $x + $y + $0 }", None), "[1].map |$x| { $x + <$y> + $0 }");
    assert_eq!(marked("\"at $prot\"", None), "\"at <$prot>\"");
    assert_eq!(marked("\"${port} ${prot[0]} ${size($port)}\"", None), "\"${port} ${<prot>[0]} ${size($port)}\"");
    assert_eq!(marked("\"${po", Some(5)), "\"${po");
    assert_eq!(marked(":type $prot", None), ":type <$prot>");
    assert_eq!(marked(":unset $prot", None), ":unset <$prot>");
    assert_eq!(marked("?Interger", None), "?<Interger>");
    assert_eq!(marked(":load Interger/$prot.pp", None), ":load Interger/$prot.pp");
}

#[test]
fn both_brackets_show_when_the_cursor_is_at_one() {
    assert_eq!(marked("f([1], 2)", Some(1)), "f«(»[1], 2«)»");
    assert_eq!(marked("f([1], 2)", Some(9)), "f«(»[1], 2«)»");
    assert_eq!(marked("f([1], 2)", Some(4)), "f(«[»1«]», 2)");
    assert_eq!(marked("f([1], 2)", Some(7)), "f([1], 2)");
    assert_eq!(marked("f(['['])", Some(2)), "f(«[»'['«]»)");
}
