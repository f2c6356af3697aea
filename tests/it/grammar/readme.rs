//! What `grammar/README.md` says of the grammar is so: its operators, sections, conditions and differences.

use std::collections::BTreeSet;

use super::agreement::Kind;
use super::conditions::{self, COMMAND};
use super::notation::{Form, Grammar};
use super::prompt::prompt;
use super::{corpus, puppet, written};

/// The rows of the tables in a section, without the two lines of their heads; `\|` is a bar in a cell.
fn rows(section: &str) -> Vec<Vec<String>> {
    let readme = written("README.md");
    let (_, from) = readme.split_once(&format!("\n## {section}\n")).unwrap();
    let section = from.split("\n## ").next().unwrap();
    let mut rows = Vec::new();
    let mut lines = section.lines().peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("| --- ") {
            continue;
        }
        let is_head = lines.peek().is_some_and(|next| next.starts_with("| --- "));
        if let Some(row) = line.strip_prefix("| ").filter(|_| !is_head) {
            let row = row.trim_end_matches('|').replace("\\|", "\0");
            rows.push(row.split(" | ").map(|cell| cell.trim().replace('\0', "|")).collect());
        }
    }
    rows
}

/// What stands in backticks in a cell.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The words and symbols in a production.
fn texts(grammar: &Grammar, production: &str) -> Vec<String> {
    let body = grammar.productions[grammar.number(production)].body;
    let mut ids = grammar.within(body);
    ids.sort_unstable(); // In the order of the text.
    let text = |id| match &grammar.forms[id] {
        Form::Text(lexeme) => Some(lexeme.text.clone()),
        _ => None,
    };
    ids.into_iter().filter_map(text).collect()
}

#[test]
fn the_table_of_operators_is_that_of_the_grammar() {
    let grammar = puppet();
    let rows: Vec<Vec<String>> = rows("Operators").iter().map(|row| quoted(&row[0])).collect();
    let tightest_first = [
        "membership",
        "match",
        "product",
        "sum",
        "shift",
        "equality",
        "comparison",
        "selector",
        "conjunction",
        "disjunction",
        "relationship",
        "assignment",
    ];
    let mut expected = vec![vec!["-a".to_owned(), "!a".to_owned(), "*a".to_owned()]];
    expected.extend(tightest_first.map(|production| match production {
        "selector" => vec![texts(&grammar, production)[0].clone()],
        _ => texts(&grammar, production),
    }));
    assert_eq!(rows, expected);
}

#[test]
fn every_section_of_the_grammar_has_its_sources() {
    let grammar = written("puppet.ebnf");
    let sections = grammar.lines().filter_map(|line| line.strip_prefix("/* ")?.strip_suffix(" */"));
    let sections = sections.filter(|section| !section.starts_with("Tokens"));
    let sections: Vec<&str> = sections.map(|section| section.split(':').next().unwrap()).collect();
    let rows = rows("Sources");
    assert_eq!(rows.iter().map(|row| row[0].as_str()).collect::<Vec<_>>(), sections);
}

#[test]
fn every_condition_is_used_and_explained() {
    let grammar = prompt();
    let written = |name: &str| if name.starts_with(COMMAND) { ":name".to_owned() } else { name.to_owned() };
    let used: BTreeSet<String> = grammar.conditions().map(written).collect();
    assert_eq!(used, conditions::names().chain([":name"]).map(str::to_owned).collect());
    let name = |row: &Vec<String>| row[0].trim_matches(['`', '<', '>']).to_owned();
    assert_eq!(used, rows("Conditions").iter().map(name).collect());
}

#[test]
fn differences_from_puppet_are_as_written() {
    let rows = rows("Differences from Puppet");
    assert!(rows.len() > 10, "{rows:?}");
    for row in rows {
        let text = row[0].trim_matches('`').replace("\\n", "\n");
        let kind = if text.contains("<%") { Kind::Template } else { Kind::Program };
        let answer = corpus::answer(kind, &text);
        let answer = answer.strip_prefix("error ").map_or(answer.as_str(), |error| error.split(' ').next().unwrap());
        let (here, puppet) = (row[1].trim_matches('`'), row[2].trim_matches('`'));
        assert_eq!(answer, here, "{text}");
        assert_ne!(here, puppet, "{text}");
    }
}
