//! What a session gives, takes and forgets through the library.

use pcore::error::Error;
use pcore::files::Permissions;
use pcore::limits::{Limit, Limits};
use pcore::session::issues::explain_code;
use pcore::session::{Definition, Documentation, Session, Strictness};
use pcore::text::{Source, Span};
use pcore::value::Hash;

fn session(program: &str) -> Session {
    let mut session = Session::default();
    session.eval(program).unwrap();
    session
}

#[test]
fn variables_are_set_and_unset_from_outside() {
    let mut session = Session::builder().variable("a", 1).variable("b", 2).build();
    assert_eq!(session.variables().map(|(name, _)| name).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(session.variable("b"), Some(&2.into()));
    assert!(session.unset("$a") && !session.unset("$a"));
    session.set_variable("a", vec!["x", "y"].into());
    assert_eq!(session.eval("$a.length").unwrap(), 2.into());
}

#[test]
fn aliases_are_listed_and_unset() {
    let mut session = session("type Port = Integer[1, 65535]\ntype Ports = Array[Port]");
    assert_eq!(session.aliases(), ["Port", "Ports"]);
    assert!(matches!(session.alias_definition("Port"), Some(Definition::Type(port)) if port.has_instance(&80.into())));
    assert!(matches!(session.alias_definition("Ports"), Some(Definition::Text(text)) if text == "Array[Port]"));
    assert!(session.unset("Port") && !session.unset("Port"));
}

#[test]
fn functions_are_listed_and_unset() {
    let mut session = session("function double(Numeric $x) >> Numeric { $x * 2 }");
    assert_eq!(session.functions(), ["double"]);
    assert_eq!(session.function_signature("double").unwrap(), "(Numeric $x)");
    assert_eq!(session.function_signature("triple"), None);
    assert!(session.unset("double()"));
    assert_eq!(session.eval("double(1)").unwrap_err().code(), "UNKNOWN_FUNCTION");
}

#[test]
fn classes_are_listed_and_unset() {
    let mut session = session("class web(Integer $port, Boolean $tls = true) { }\ndefine site() { }");
    assert_eq!(session.resource_definitions(), ["site", "web"]);
    let (signature, type_) = session.class_parameters("web").unwrap().unwrap();
    assert_eq!(signature, "class web(Integer $port, Boolean $tls = true)");
    assert_eq!(type_, "Struct[{'port' => Integer, Optional['tls'] => Boolean}]");
    assert!(session.unset("web"));
    assert_eq!(session.resource_definitions(), ["site"]);
}

#[test]
fn data_and_facts_are_given() {
    let mut session = Session::default();
    session.set_data(vec![Hash::from([("port", 8080)]), Hash::from([("port", 80)])]);
    assert_eq!(session.eval("lookup('port')").unwrap(), 8080.into());
    session.set_facts(&Hash::from([("hostname", "web1")]));
    assert_eq!(session.eval("[$hostname, $facts['hostname']]").unwrap().to_string(), "['web1', 'web1']");
    let mut built = Session::builder().data([Hash::from([("ntp::server", "pool.ntp.org")])]).build();
    assert_eq!(built.eval("lookup('ntp::server')").unwrap().as_str(), Some("pool.ntp.org"));
}

#[test]
fn limits_and_permissions_can_change() {
    let mut session = Session::new(Strictness::Error);
    assert!(session.eval("'10' + 1").is_err());
    session.limits = Limits::default().with(Limit::Steps, 1000);
    assert_eq!(session.eval("Integer[1, 10000].reduce |$a, $b| { $a + $b }").unwrap_err().code(), "LIMIT");
    assert_eq!(session.eval("binary_file('/no/such/file')").unwrap_err().code(), "NOT_ALLOWED");
    session.set_permissions(Permissions::allow_all());
    assert_ne!(session.eval("binary_file('/no/such/file')").unwrap_err().code(), "NOT_ALLOWED");
    session.interrupt.set_limit_watch(Some(Box::new(|| Some("took longer than 5 seconds".into()))));
    assert_eq!(
        session.eval("[1, 2].each |$n| { }").unwrap_err().message(),
        "the evaluation took longer than 5 seconds"
    );
}

#[test]
fn quantities_are_described_in_their_unit() {
    let described =
        [(Limit::String, 64 << 20), (Limit::Time, 1500)].map(|(limit, most)| limit.row().format_quantity(most));
    assert_eq!(described, ["64 MiB", "1500 ms"]);
}

#[test]
fn an_error_knows_its_source_and_place() {
    let error = Session::default().eval("1\n  8 / 0").unwrap_err();
    let (source, position) = (error.source_text().unwrap(), error.position().unwrap());
    assert_eq!((source.name(), source.slice(error.span().unwrap())), ("program", "0"));
    assert_eq!((position.line, position.column), (2, 7));
    let error = Session::default().eval("function f($x, $x) { }").unwrap_err();
    assert_eq!((error.labels()[0].span.start, error.labels()[0].text.as_str()), (11, "first used here"));
}

#[test]
fn definitions_go_back_to_a_checkpoint() {
    let mut session = session("$x = 1");
    let before = session.checkpoint();
    session.eval("$y = 2").unwrap();
    session.restore(before);
    assert_eq!((session.variable("x").is_some(), session.variable("y")), (true, None));
}

#[test]
fn work_with_results_is_interrupted() {
    let mut session = Session::default();
    let value = session.eval("Array(Integer[1, 1000])").unwrap();
    assert_eq!(session.run_within_limits(|_| value.to_string().len()).unwrap(), 4893);
    session.interrupt.raise();
    assert_eq!(session.run_within_limits(|_| value.to_string().len()).unwrap_err().code(), "INTERRUPTED");
}

#[test]
fn an_error_of_the_host_has_the_place_that_the_host_gives() {
    let source = Source::new("hosts.ini", "a=1\n[web\n");
    let error = Error::runtime("missing `]`").at(Span::new(4, 8)).in_source(&source);
    assert_eq!(error.position().unwrap().line, 2);
}

#[test]
fn a_code_is_explained() {
    assert_eq!(
        explain_code("div_by_zero").unwrap(),
        "DIV_BY_ZERO: division by zero\n  1 / 0\n  error: division by zero"
    );
    assert_eq!(explain_code("DIV_BY_ZER").unwrap_err(), "unknown code `DIV_BY_ZER`; did you mean `DIV_BY_ZERO`?");
}

#[test]
fn documentation_is_read_from_the_comment_before_a_definition() {
    let text = "# Doubles a number.\n# @param x The number\nfunction double($x) { }";
    let documentation = Documentation::parse_before_line(text, 3);
    assert_eq!(documentation.summary().as_deref(), Some("Doubles a number."));
    assert_eq!(documentation.parameters(), [("x".to_owned(), "The number".to_owned())]);
}
