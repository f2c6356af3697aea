//! The parser from outside: recorded trees of real Puppet, robustness, limits.

use std::fs;
use std::path::Path;

use crate::files_below;
use pcore::syntax::pn::{to_json, to_pn};
use pcore::syntax::printer::print;
use pcore::syntax::tokens::{Kind, tokens};
use pcore::syntax::tree::{Expression, Literal, Tree};
use pcore::syntax::{Finding, parse, validate};
use pcore::text::Source;
use serde_json::Value;

/// The lines of a file of recorded answers.
fn recorded(name: &str) -> Vec<Value> {
    let path = format!("{}/tests/conformance/cases/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(&path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What a recorded line expects, and what we say, in the same words.
fn compare(case: &Value) -> Option<String> {
    let code = case["parse"].as_str().unwrap();
    let answer = parse(&Source::new("snippet.pp", code));
    let (expected, got) = if case["ok"] == Value::Bool(true) {
        let got = match &answer {
            Ok(tree) => to_pn(tree),
            Err(error) => format!("{error} at {:?}", error.position()),
        };
        (case["value"].as_str().unwrap().to_owned(), got)
    } else {
        let place = |line: &Value, column: &Value| format!("{} {line}:{column}", case["issue"]);
        let got = match &answer {
            Ok(tree) => to_pn(tree),
            Err(error) => {
                let position = error.position().unwrap();
                let at = |known: &Value, value: usize| if known.is_null() { Value::Null } else { value.into() };
                let (line, column) = (at(&case["line"], position.line), at(&case["pos"], position.column));
                format!("\"{}\" {line}:{column}", error.code())
            }
        };
        (place(&case["line"], &case["pos"]), got)
    };
    (expected != got).then(|| format!("{}: {code}\n  expected {expected}\n  got      {got}", case["id"]))
}

#[test]
fn trees_and_rejections_are_those_of_puppet() {
    let differences: Vec<String> = recorded("parse.jsonl").iter().filter_map(compare).collect();
    assert_eq!(differences.join("\n"), "");
}

/// Every program of every file of recorded answers.
fn programs() -> Vec<String> {
    let files = files_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/cases"), "jsonl");
    let lines = files.iter().flat_map(|file| recorded(file.file_name().unwrap().to_str().unwrap()));
    lines.filter_map(|case| Some(case.get("code").or(case.get("parse"))?.as_str()?.to_owned())).collect()
}

/// Whether a text is a program; a panic fails the test.
fn is_program(text: &str) -> bool {
    parse(&Source::new("snippet.pp", text)).is_ok()
}

/// The tokens that the tree says there are: numbers, variables, type names and regular expressions, with their spans.
fn words_of(tree: &Tree) -> Vec<(usize, Kind)> {
    let mut words = Vec::new();
    let mut pending = vec![tree.body];
    while let Some(id) = pending.pop() {
        let node = &tree[id];
        let start = node.span.range().start;
        let text = tree.source.slice(node.span);
        let kind = match &node.expression {
            // `${name}` in a string is a name in braces.
            Expression::Variable(_) if text.starts_with('$') && !text.starts_with("${") => Some(Kind::Variable),
            // Of `type A = {…}` the tree has an Object that is not written.
            Expression::Reference(_) if text.starts_with(|first: char| first.is_ascii_uppercase() || first == ':') => {
                Some(Kind::Reference)
            }
            Expression::Literal(Literal::Integer(..) | Literal::Float(_)) if !text.starts_with(['-', '+']) => {
                Some(Kind::Number)
            }
            Expression::Literal(Literal::Regexp(_)) => Some(Kind::Regexp),
            _ => None,
        };
        words.extend(kind.map(|kind| (start, kind)));
        node.expression.for_each_child(&mut |child| pending.push(child));
    }
    words
}

#[test]
fn the_scanner_sees_the_words_that_the_parser_sees() {
    let mut differences = Vec::new();
    for program in programs() {
        let Ok(tree) = parse(&Source::new("snippet.pp", program.as_str())) else { continue };
        let tokens = tokens(&program);
        for (start, kind) in words_of(&tree) {
            let at = tokens.partition_point(|token| token.span.range().end <= start);
            let found = tokens.get(at).filter(|token| token.span.range().start <= start).map(|token| token.kind);
            if found != Some(kind) {
                differences.push(format!("{program:?} at {start}: {kind:?}, scanned as {found:?}"));
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} differences:\n{}",
        differences.len(),
        differences[..differences.len().min(20)].join("\n")
    );
}

#[test]
fn every_prefix_of_every_recorded_program_is_answered() {
    let mut seen = std::collections::HashSet::new();
    let programs = programs();
    for program in &programs {
        for end in (0..=program.len()).filter(|&end| program.is_char_boundary(end)) {
            if seen.insert(&program[..end]) {
                is_program(&program[..end]);
            }
        }
    }
}

#[test]
fn random_texts_are_answered() {
    let pieces = [
        "'", "\"", "$", "${", "}", "{", "[", "]", "(", ")", "@(A)", "\n", "A\n", " ", "a", "B", "::", "1", "0x", ".",
        "e", "/", "\\", "=>", "->", "<|", "|>", "|", "if", "case", "class", "type", "node", "é", "\0", "-", "*", "?",
        ":", ";", "#", "/*", "*/", "notice", ",", "=", "!", "@",
    ];
    let mut state = 1_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap()
    };
    for _ in 0..20_000 {
        let text: String = (0..next() % 30).map(|_| pieces[next() % pieces.len()]).collect();
        is_program(&text);
    }
}

#[test]
fn a_thousand_levels_are_read_and_a_hundred_thousand_refused() {
    let forms = [
        ("[", "1", "]"),
        ("(", "1", ")"),
        ("{a => ", "1", "}"),
        ("f(", "1", ")"),
        ("$a[", "1", "]"),
        ("if true { ", "1", " }"),
        ("f() |$x| { ", "1", " }"),
        ("\"${", "a", "}\""),
        ("!", "true", ""),
        ("- ", "$a", ""),
        ("$a = ", "1", ""),
        ("$a ? 1 => ", "1", ""),
        ("@", "a { b: }", ""),
        ("case 1 { 1: { ", "1", " } }"),
    ];
    for (open, inside, close) in forms {
        let nested = |levels: usize| format!("{}{inside}{}", open.repeat(levels), close.repeat(levels));
        assert!(is_program(&nested(1_000)), "{open}");
        assert!(!is_program(&nested(100_000)), "{open}");
    }
    let elsifs = |levels: usize| format!("if 1 {{ }} {}", "elsif 1 { } ".repeat(levels));
    assert!(is_program(&elsifs(1_000)));
    let error = parse(&Source::new("snippet.pp", "[".repeat(100_000))).unwrap_err();
    assert_eq!((error.code(), error.message()), ("LIMIT", "nested more than 2000 levels deep"));
}

#[test]
fn long_chains_and_lists_are_read_in_one_go() {
    for text in [
        "1 + ".repeat(100_000) + "1",
        "$a -> ".repeat(100_000) + "$b",
        format!("$a{}", ".foo".repeat(100_000)),
        format!("$a{}", "[1]".repeat(100_000)),
        format!("[{}]", "1, ".repeat(100_000)),
        format!("{{{}}}", "a => 1, ".repeat(100_000)),
        "notice 1\n".repeat(100_000),
        format!("\"{}\"", "${a} $b ".repeat(50_000)),
        "@(A)\n a\n | A\n".repeat(50_000),
        format!("case 1 {{ {} }}", "1: { } ".repeat(50_000)),
    ] {
        assert!(is_program(&text), "{}", &text[..20]);
    }
}

/// The issue codes and places of what a program's judgement finds.
fn findings(code: &str) -> Vec<String> {
    let tree = parse(&Source::new("snippet.pp", code)).unwrap();
    let describe = |finding: Finding| {
        let place = finding.error.position().unwrap();
        format!("{} {}:{}", finding.error.code(), place.line, place.column)
    };
    validate(&tree).into_iter().map(describe).collect()
}

#[test]
fn programs_are_judged_as_puppet_judges_them() {
    for (code, expected) in [
        ("1 2", "IDEM_EXPRESSION_NOT_LAST 1:1"),
        ("1 + 1; 2", "IDEM_EXPRESSION_NOT_LAST 1:3"),
        ("if true { 1 } 3", "IDEM_EXPRESSION_NOT_LAST 1:1"),
        ("if notice(1) { 1 } 3", ""),
        ("true and notice(1) 2", "IDEM_EXPRESSION_NOT_LAST 1:6"),
        ("1 =~ Integer 2", ""),
        ("class f { 1 }", "IDEM_NOT_ALLOWED_LAST 1:11"),
        ("case 1 { default: {} default: {} }", "DUPLICATE_DEFAULT 1:22"),
        ("{a => 1, 'a' => 2}", "DUPLICATE_KEY 1:10"),
        ("{1 => 1, 1.0 => 2, '1' => 3}", ""),
        ("$A = 1", "ILLEGAL_VAR_NAME 1:1"),
        ("$01", "ILLEGAL_NUMERIC_VAR_NAME 1:1"),
        ("\"a $X\"", "ILLEGAL_VAR_NAME 1:4"),
        ("$a::b = 1", "CROSS_SCOPE_ASSIGNMENT 1:1"),
        ("$1 = 1", "ILLEGAL_NUMERIC_ASSIGNMENT 1:1"),
        ("[$a, 1] = [1, 2]", "ILLEGAL_ASSIGNMENT 1:6"),
        ("$a[1] = 2", "ILLEGAL_INDEXED_ASSIGNMENT 1:1"),
        ("$x += 1", "APPENDS_DELETES_NO_LONGER_SUPPORTED 1:4"),
        ("function f($a, Integer $a) {}", "DUPLICATE_PARAMETER 1:24"),
        ("[1].each |Integer $A| {}", "ILLEGAL_PARAM_NAME 1:19"),
        ("[1].each |*$x, $y| {}", "CAPTURES_REST_NOT_LAST 1:12"),
        ("class f(*$a) {}", "CAPTURES_REST_NOT_SUPPORTED 1:10"),
        ("define f($title) {}", "RESERVED_PARAMETER 1:10"),
        ("class f-g {}", "ILLEGAL_DEFINITION_NAME 1:1"),
        ("type ::Foo = Integer", "ILLEGAL_DEFINITION_NAME 1:6"),
        ("type X[Y] = Integer", "UNSUPPORTED_EXPRESSION 1:6"),
        ("if true { class f {} }", "NOT_TOP_LEVEL 1:11"),
        ("class f { class g { define h {} } }", ""),
        ("class f { type G = Integer }", "NOT_ABSOLUTE_TOP_LEVEL 1:16"),
        ("if true { function f() {} }", "NOT_TOP_LEVEL 1:11"),
        ("if true { notice(1) function f() {} }", "NOT_ABSOLUTE_TOP_LEVEL 1:21"),
        ("with() || { function f() {} }", "NOT_ABSOLUTE_TOP_LEVEL 1:13"),
        ("case 1 { 1: { type T = Integer } }", "NOT_ABSOLUTE_TOP_LEVEL 1:20"),
        ("class array {}", "RESERVED_TYPE_NAME 1:1"),
        ("function float() {}", "RESERVED_TYPE_NAME 1:1"),
        ("class data {} class my::array {}", ""),
        ("type A = [Integer]", "ILLEGAL_EXPRESSION 1:10"),
        ("function f($x = ($y = 1)) {}", "ILLEGAL_ASSIGNMENT_CONTEXT 1:21"),
        ("class f($x = if true { $y = 1 }) {}", "ILLEGAL_ASSIGNMENT_CONTEXT 1:27"),
        ("define f($x = [1].map |$y| { $z = 1 }) {}", ""),
        ("with(1) |$x = [1].map |$y = ($z = 1)| { 1 }| {}", "ILLEGAL_ASSIGNMENT_CONTEXT 1:33"),
        ("$x = Notify <| |>", "NOT_RVALUE 1:6"),
        ("[Notify <| |>]", "NOT_RVALUE 1:2"),
        ("\"a ${Notify <<| |>>}\"", "NOT_RVALUE 1:6"),
        ("if Notify <| |> {} {}", "NOT_RVALUE 1:4"),
        ("notice(Notify <| |>) Notify <| |> -> Notify['x']", ""),
        ("\"${0x1}\"", "ILLEGAL_NUMERIC_VAR_NAME 1:4"),
        ("\"${1.5[0]}\"", "ILLEGAL_NUMERIC_VAR_NAME 1:4"),
        ("File <| undef |>", "ILLEGAL_QUERY_EXPRESSION 1:9"),
        ("File <| -1 |>", "ILLEGAL_QUERY_EXPRESSION 1:9"),
        ("node 'a b' {}", "ILLEGAL_HOSTNAME_CHARS 1:6"),
        ("node \"a$b\" {}", "ILLEGAL_HOSTNAME_INTERPOLATION 1:8"),
        ("node a inherits b {}", "ILLEGAL_NODE_INHERITANCE 1:17"),
        ("$x = private", "RESERVED_WORD 1:6"),
        ("file { a => 1 }", "RESOURCE_WITHOUT_TITLE 1:1"),
        ("@class { 'a': }", "CLASS_NOT_VIRTUALIZABLE 1:1"),
        ("@File { a => 1 }", "NOT_VIRTUALIZEABLE 1:1"),
        ("file { 'a': a +> 1 }", "ILLEGAL_ATTRIBUTE_APPEND 1:13"),
        ("file { 'a': * => {}, * => {} }", "MULTIPLE_ATTRIBUTES_UNFOLD 1:22"),
        ("file <| |>", "ILLEGAL_EXPRESSION 1:1"),
        ("File <| a == 1 or !b |>", "ILLEGAL_QUERY_EXPRESSION 1:19"),
        ("1.foo()()", "ILLEGAL_EXPRESSION 1:6"),
        ("Integer[1]('1')", ""),
    ] {
        assert_eq!(findings(code).join(", "), expected, "{code}");
    }
}

#[test]
fn what_is_printed_reads_back() {
    for program in programs() {
        let Ok(tree) = parse(&Source::new("snippet.pp", &*program)) else { continue };
        let printed = print(&tree);
        let again = match parse(&Source::new("printed.pp", &*printed)) {
            Ok(again) => to_pn(&again),
            Err(error) => format!("{error} at {:?}", error.position()),
        };
        assert_eq!(again, to_pn(&tree), "{program}\nwas printed as\n{printed}");
    }
}

#[test]
fn the_tree_of_a_long_chain_can_be_written() {
    const TERMS: usize = 100_000;
    let tree = parse(&Source::new("site.pp", format!("0{}", " + 1".repeat(TERMS)))).unwrap();
    assert_eq!(to_pn(&tree).len(), "(+ ".len() * TERMS + "0".len() + " 1)".len() * TERMS);
    let json = pcore::syntax::pn::to_json(&tree);
    assert_eq!(json.len(), r#"{"^":["+","#.len() * TERMS + "0".len() + ",1]}".len() * TERMS);
}

#[test]
fn a_tree_is_json_with_marked_lists_and_maps() {
    let tree = parse(&Source::new("example", "unless $x { [1.5, 'a\\n'] }")).expect("it is a program");
    let condition = r#"{"^":["var","x"]}"#;
    let array = r#"{"^":["array",1.5,"a\\n"]}"#;
    assert_eq!(to_json(&tree), format!(r##"{{"^":["unless",{{"#":["test",{condition},"then",[{array}]]}}]}}"##));
}
