//! How the grammar is written: whole, without leftovers, and as it stands above the parser's functions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::notation::{Grammar, productions};
use super::{ROOT, puppet, written};
use crate::files_below;

/// Where reading starts: the two kinds of text, and what conditions ask for.
pub(super) const STARTS: [&str; 4] = ["program", "template", "heredoc_text", "heredoc_end"];

/// A parser and the productions that stand above it.
struct Documented {
    /// The name of its file.
    file: String,
    /// Its first line.
    item: String,
    productions: Vec<(String, String)>,
}

/// Every parser that a production stands above.
fn documented() -> Vec<Documented> {
    let mut found = Vec::new();
    for path in files_below(&Path::new(ROOT).join("src/syntax/grammar"), "rs") {
        let file = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().map(str::trim);
        while let Some(line) = lines.next() {
            let block: Vec<&str> = match line.strip_prefix("/// `").and_then(|line| line.strip_suffix('`')) {
                Some(production) if production.contains(" ::= ") => vec![production],
                _ if line == "/// ```ebnf" => lines.by_ref().take_while(|line| *line != "/// ```").collect(),
                _ => continue,
            };
            let block: Vec<&str> = block.iter().map(|line| line.trim_start_matches("/// ")).collect();
            let item = lines.by_ref().find(|line| !line.starts_with("///") && !line.starts_with("#[")).unwrap();
            found.push(Documented { file: file.clone(), item: item.to_owned(), productions: named(&block.join("\n")) });
        }
    }
    found
}

/// The productions of a text by name.
fn named(text: &str) -> Vec<(String, String)> {
    productions(text).into_iter().map(|(name, body, _)| (name, body)).collect()
}

/// Every production is used by one of `starts`, or by what they use.
#[track_caller]
pub(super) fn assert_all_reached(grammar: &Grammar, starts: &[&str]) {
    let mut reached = BTreeSet::new();
    let mut open: Vec<usize> = starts.iter().map(|name| grammar.number(name)).collect();
    while let Some(number) = open.pop() {
        if reached.insert(number) {
            open.extend(grammar.names(grammar.productions[number].body));
        }
    }
    let all = grammar.productions.iter().enumerate();
    let unused: Vec<&str> = all.filter(|(number, _)| !reached.contains(number)).map(|(_, one)| &*one.name).collect();
    assert_eq!(unused, Vec::<&str>::new());
}

#[test]
fn every_production_is_reached_from_the_program_or_the_template() {
    assert_all_reached(&puppet(), &STARTS);
}

#[test]
fn productions_stand_above_the_functions_that_read_them() {
    let written: BTreeMap<String, String> = named(&written("puppet.ebnf")).into_iter().collect();
    let above: BTreeMap<String, String> = documented().into_iter().flat_map(|one| one.productions).collect();
    assert_eq!(above, written);
}

/// The operators are rows of a table, whose own test compares their productions.
#[test]
fn every_production_has_a_parser_of_its_name() {
    for Documented { item, productions, .. } in documented() {
        let Some((_, signature)) = item.split_once("fn ") else {
            assert_eq!(item, "membership 13: In \"in\";");
            continue;
        };
        let name = signature.split(|character: char| !character.is_ascii_alphanumeric() && character != '_').next();
        let names: Vec<&str> = productions.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, [name.unwrap().trim_end_matches('_')]);
    }
}

#[test]
fn a_production_stands_in_the_file_of_its_section() {
    let grammar = written("puppet.ebnf");
    let sections = grammar.split("\n/* ").skip(1).filter_map(|section| section.split_once("*/"));
    let sections = sections.flat_map(|(title, section)| {
        let file = title.split(|letter: char| !letter.is_alphabetic()).next().unwrap().to_lowercase();
        named(section).into_iter().map(move |(name, _)| (name, file.clone()))
    });
    let written: BTreeMap<String, String> = sections.collect();
    let files = documented().into_iter().flat_map(|Documented { file, productions, .. }| {
        productions.into_iter().map(move |(name, _)| (name, file.clone()))
    });
    assert_eq!(files.collect::<BTreeMap<_, _>>(), written);
}
