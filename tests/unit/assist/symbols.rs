//! Tests of `assist::symbols`, of which it is a module.

use super::*;
use crate::syntax::tokens::tokens;

fn bound_in(text: &str) -> Vec<&str> {
    let mut bound: Vec<&str> = bound_variables(text, &tokens(text)).into_iter().collect();
    bound.sort_unstable();
    bound
}

#[test]
fn an_entry_binds_what_it_assigns_and_its_parameters() {
    assert_eq!(bound_in("$a = $b"), ["a"]);
    assert_eq!(bound_in("[$a, $b] = $c"), ["a", "b"]);
    assert_eq!(bound_in("$a.each |Integer $i, $v| { $i + $w }"), ["i", "v"]);
    assert_eq!(bound_in("function f($a, Integer $b"), ["a", "b"]);
    assert_eq!(bound_in("f($a)"), Vec::<&str>::new());
}

#[test]
fn a_session_adds_its_names() {
    let mut session = Session::default();
    session.eval("type Port = Integer").expect("a definition");
    session.eval("$port = 80").expect("a definition");
    let names = SymbolIndex::of(&session);
    assert!(names.may_be_type("Port"));
    assert!(names.may_be_type("::integer"));
    assert!(names.may_be_type("Port::Member"));
    assert!(!names.may_be_type("Prot"));
    assert!(names.variable_value("port").is_some());
    assert!(names.variable_value("prot").is_none());
    assert!(names.functions.contains_key("each"));
}
