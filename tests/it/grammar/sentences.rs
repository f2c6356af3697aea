//! Sentences made from the grammar by chance, guided to what was not used so far: the parser takes each of them, what
//! is printed of its tree reads back as the same tree, and together they use the whole grammar.

use std::collections::{BTreeMap, BTreeSet};

use pcore::syntax::pn::to_pn;
use pcore::syntax::printer::print;
use pcore::text::Source;

use super::agreement::{Kind, Random, on_all_cores};
use super::coverage::{decisions, describe};
use super::puppet;
use super::recogniser::Decision;
use super::writer::{Distances, Map, Writer};

/// How many sentences are made at least.
const SENTENCES: usize = 10_000;

#[test]
fn generated_sentences_parse_and_use_the_whole_grammar() {
    /// How many texts are written before it is looked up what is not used yet.
    const BATCH: usize = 2_000;
    const MAX_TRIED: usize = 100_000;
    let grammar = puppet();
    let map = Map::new(&grammar);
    let all: BTreeMap<Decision, &str> = decisions(&grammar);
    let mut unused: BTreeSet<Decision> = all.keys().copied().collect();
    let (mut tried, mut sentences, mut wrong) = (0, 0, Vec::new());
    while tried < MAX_TRIED && (sentences < SENTENCES || !unused.is_empty()) {
        // At first by the shortest ways, then by ways around some of the names, others each time.
        let mut random = Random::new(MAX_TRIED + tried);
        let mut distances = |target| map.distances_to(target, || tried > 0 && random.below(8) == 0);
        let targets: Vec<(Decision, Distances)> = unused.iter().map(|&target| (target, distances(target))).collect();
        let results = on_all_cores(BATCH, |recogniser, number| {
            let mut random = Random::new(tried + number);
            let target = (!targets.is_empty()).then(|| &targets[number % targets.len()]);
            let starts_it = |kind: &Kind| {
                let body = grammar.productions[grammar.number(kind.start())].body;
                target.is_none_or(|(_, distances)| distances[body].is_some())
            };
            let kinds =
                if random.below(3) == 0 { [Kind::Template, Kind::Program] } else { [Kind::Program, Kind::Template] };
            let kind = kinds.into_iter().find(starts_it)?;
            let text =
                Writer::write(&map, random, kind.start(), target.map(|(decision, distances)| (*decision, distances)));
            let derivation = recogniser.derivation(kind.start(), &text);
            let fault = fault(kind, &text, derivation.is_some());
            Some((derivation, fault))
        });
        tried += BATCH;
        for (derivation, fault) in results {
            wrong.extend(fault);
            sentences += usize::from(derivation.is_some());
            for decision in derivation.unwrap_or_default().keys() {
                unused.remove(decision);
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    let unused: Vec<String> =
        unused.iter().map(|decision| format!("{}: {}", all[decision], describe(&grammar, *decision))).collect();
    assert!(unused.is_empty(), "in no sentence of {sentences} ({tried} tried):\n{}", unused.join("\n"));
}

/// What is wrong with the parser's answer to a text that is a sentence, or is none.
fn fault(kind: Kind, text: &str, is_sentence: bool) -> Option<String> {
    let tree = match kind.parse(&Source::new("sentence", text)) {
        Ok(tree) if is_sentence => tree,
        Ok(_) => return Some(format!("only the parser takes the {kind:?} {text:?}")),
        Err(error) if is_sentence => return Some(format!("{error}: the {kind:?} {text:?}")),
        Err(_) => return None,
    };
    let printed = print(&tree);
    let again =
        kind.parse(&Source::new("printed", &*printed)).map_or_else(|error| error.to_string(), |tree| to_pn(&tree));
    (again != to_pn(&tree))
        .then(|| format!("the {kind:?} {text:?} is printed as {printed:?}\n  {}\n  {again}", to_pn(&tree)))
}
