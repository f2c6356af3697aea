//! Every alternative and every optional part of the grammar stands in the corpus, so that none is there for nothing.

use std::collections::{BTreeMap, BTreeSet};

use super::agreement::on_all_cores;
use super::notation::{Form, Grammar, Id};
use super::recogniser::Decision;
use super::writing::STARTS;
use super::{corpus, puppet};

/// Everything that can be decided while reading from one of [`STARTS`] on, each with the production it belongs to. What
/// only looks ahead or behind decides nothing.
pub(super) fn decisions(grammar: &Grammar) -> BTreeMap<Decision, &str> {
    let mut found = BTreeMap::new();
    let mut reached: Vec<usize> = STARTS.iter().map(|name| grammar.number(name)).collect();
    let mut next = 0;
    while let Some(&number) = reached.get(next) {
        next += 1;
        let production = &grammar.productions[number];
        let mut open = vec![production.body];
        while let Some(id) = open.pop() {
            match &grammar.forms[id] {
                Form::Ahead { .. } | Form::Behind { .. } => continue,
                Form::Choice(alternatives) => {
                    let one = |index| (Decision::Alternative(id, index), &*production.name);
                    found.extend((0..alternatives.len()).map(one));
                }
                Form::Optional(_) | Form::Repeated { .. } => {
                    found.extend([true, false].map(|present| (Decision::Presence(id, present), &*production.name)));
                }
                Form::Name(number) if !reached.contains(number) => reached.push(*number),
                _ => {}
            }
            open.extend(grammar.children(id));
        }
    }
    found
}

/// A decision in words.
pub(super) fn describe(grammar: &Grammar, decision: Decision) -> String {
    let item = |id: Id, index: usize| grammar.show(grammar.children(id)[index]);
    match decision {
        Decision::Alternative(id, index) => format!("`{}` of `{}`", item(id, index), grammar.show(id)),
        Decision::Presence(id, true) => format!("`{}` with something", grammar.show(id)),
        Decision::Presence(id, false) => format!("`{}` without", grammar.show(id)),
    }
}

#[test]
fn the_corpus_uses_every_alternative_and_every_optional_part() {
    let grammar = puppet();
    let entries = corpus::entries();
    let used = on_all_cores(entries.len(), |recogniser, number| {
        let entry = &entries[number];
        recogniser.derivation(entry.kind.start(), &entry.source)
    });
    let used: BTreeSet<Decision> = used.into_iter().flat_map(BTreeMap::into_keys).collect();
    let unused = decisions(&grammar).into_iter().filter(|(decision, _)| !used.contains(decision));
    let unused: Vec<String> =
        unused.map(|(decision, production)| format!("{production}: {}", describe(&grammar, decision))).collect();
    assert!(unused.is_empty(), "not in the corpus:\n{}", unused.join("\n"));
}
