//! How the grammar is written: whole, without leftovers, and as it stands above the parser's functions.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use super::notation::{Grammar, productions};
use super::{ROOT, puppet, written};
use crate::files_below;

/// Where reading starts: the two kinds of text, and what conditions ask for.
pub(super) const STARTS: [&str; 4] = ["program", "template", "heredoc_text", "heredoc_end"];

/// The productions above the parser's items: the item's line, and what it documents.
fn documented() -> Vec<(String, Vec<(String, String)>)> {
    let mut found = Vec::new();
    for path in files_below(&Path::new(ROOT).join("src/syntax"), "rs") {
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().map(str::trim);
        while let Some(line) = lines.next() {
            if line != "/// ```ebnf" {
                continue;
            }
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "/// ```").collect();
            let block: Vec<&str> = block.iter().map(|line| line.trim_start_matches("/// ")).collect();
            let item = lines.by_ref().find(|line| !line.starts_with("///") && !line.starts_with("#[")).unwrap();
            found.push((item.to_owned(), named(&block.join("\n"))));
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
    let above: BTreeMap<String, String> = documented().into_iter().flat_map(|(_, productions)| productions).collect();
    assert_eq!(above, written);
}

#[test]
fn functions_are_named_after_their_production() {
    for (item, productions) in documented() {
        let Some((_, signature)) = item.split_once("fn ") else { continue };
        let name = signature.split(|character: char| !character.is_ascii_alphanumeric() && character != '_').next();
        let name = name.unwrap().trim_end_matches('_');
        let names: Vec<&str> = productions.iter().map(|(name, _)| &**name).collect();
        assert!(names.contains(&name), "`{name}` reads {names:?}");
    }
}
