//! The written grammar is true: it is whole, it is the one above the parser's functions, and its table of operators is
//! the parser's.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Names that the notation itself knows.
const BUILT_IN: [&str; 1] = ["end"];

/// The productions of a text, each with its name and everything after `::=`, lines and all.
fn productions(text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some((name, body)) = line.split_once(" ::= ") {
            found.push((name.to_owned(), body.to_owned()));
        } else {
            let (_, body) = found.last_mut().unwrap();
            body.push(' ');
            body.push_str(line.trim());
        }
    }
    found
}

/// The written grammar without its comments, which stand on lines of their own.
fn grammar() -> Vec<(String, String)> {
    let text = fs::read_to_string(format!("{ROOT}/grammar/puppet.ebnf")).unwrap();
    let mut in_comment = false;
    let mut plain = Vec::new();
    for line in text.lines() {
        in_comment |= line.starts_with("/* ");
        if !in_comment {
            plain.push(line);
        }
        in_comment &= !line.ends_with("*/");
    }
    productions(&plain.join("\n"))
}

/// The productions above the parser's items: the item's line, and what it documents.
fn documented() -> Vec<(String, Vec<(String, String)>)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(format!("{ROOT}/src/syntax")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text.lines().map(str::trim);
        while let Some(line) = lines.next() {
            if line != "/// ```ebnf" {
                continue;
            }
            let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "/// ```").collect();
            let block: Vec<&str> = block.iter().map(|line| line.trim_start_matches("/// ")).collect();
            let item = lines.by_ref().find(|line| !line.starts_with("///") && !line.starts_with("#[")).unwrap();
            found.push((item.to_owned(), productions(&block.join("\n"))));
        }
    }
    found
}

/// The names that a production's body uses: what is left without literals, character classes and code points.
fn names(body: &str) -> BTreeSet<String> {
    let mut rest = body;
    let mut plain = String::new();
    while let Some(character) = rest.chars().next() {
        let length = match character {
            '"' | '\'' => rest[1..].find(character).unwrap() + 2,
            '[' => rest[1..].find(']').unwrap() + 2,
            '#' => 3,
            _ => {
                plain.push(character);
                character.len_utf8()
            }
        };
        plain.push(if length > 1 { ' ' } else { '\0' });
        rest = &rest[length..];
    }
    let plain = plain.replace('\0', "");
    let words = plain.split(|character: char| !character.is_ascii_lowercase() && character != '_');
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn every_production_is_defined_once_and_reached_from_the_program() {
    let grammar = grammar();
    let by_name: BTreeMap<&str, &str> = grammar.iter().map(|(name, body)| (&**name, &**body)).collect();
    assert_eq!(by_name.len(), grammar.len(), "a production is defined twice");
    let mut reached = BTreeSet::new();
    let mut open = ["program", "template", "space"].map(str::to_owned).to_vec();
    while let Some(name) = open.pop() {
        if BUILT_IN.contains(&&*name) || !reached.insert(name.clone()) {
            continue;
        }
        let body = by_name.get(&*name).unwrap_or_else(|| panic!("`{name}` is used but not defined"));
        open.extend(names(body));
    }
    let unused: Vec<&str> = by_name.keys().filter(|name| !reached.contains(**name)).copied().collect();
    assert_eq!(unused, Vec::<&str>::new());
}

#[test]
fn productions_stand_above_the_functions_that_read_them() {
    let written: BTreeMap<String, String> = grammar().into_iter().collect();
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
