//! Finds the shortest string that some expressions match and others do not, by running the automata of all expressions
//! on the same strings, the shortest first.
//!
//! Only ASCII strings are tried, and only expressions that do not need backtracking are supported.

#![expect(clippy::indexing_slicing, reason = "each automaton has a state")]

use indexmap::IndexMap;
use regex_automata::Input;
use regex_automata::dfa::Automaton as _;
use regex_automata::dfa::dense::{Builder, Config, DFA};
use regex_automata::util::primitives::StateID;

use super::Regexp;
use crate::interrupt;

const MAX_VISITED_STATES: usize = 10_000;
const MAX_AUTOMATON_BYTES: usize = 1 << 20;

type Automaton = DFA<Vec<u32>>;

/// The characters of which candidate strings are built, the most readable first.
const ALPHABET: &str = concat!(
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\t\n"
);

/// The error of a search without an answer: it reached a limit, or an expression needs backtracking or is too large.
struct Undecided;

impl Regexp {
    /// Returns the shortest ASCII string that this expression matches and none of `others` does, if one is found.
    pub(crate) fn shortest_unique_match(&self, others: &[&Regexp]) -> Option<String> {
        find_shortest_match(&[self], others, ALPHABET).ok().flatten()
    }

    /// Whether no ASCII string without line breaks matches both expressions; `false` also if that cannot be decided.
    pub(crate) fn is_disjoint_from(&self, other: &Regexp) -> bool {
        let is_plain = |regexp: &Regexp| regexp.source().is_ascii() && !regexp.source().contains(r"\p");
        let in_one_line = ALPHABET.trim_end();
        is_plain(self) && is_plain(other) && matches!(find_shortest_match(&[self, other], &[], in_one_line), Ok(None))
    }

    fn build_automaton(&self) -> Option<Automaton> {
        let limits = Config::new()
            .dfa_size_limit(Some(MAX_AUTOMATON_BYTES))
            .determinize_size_limit(Some(MAX_AUTOMATON_BYTES))
            .unicode_word_boundary(true);
        Builder::new().configure(limits).build(self.compiled_engine("").ok()?.linear_pattern()?).ok()
    }
}

/// Returns the shortest string of characters from `alphabet` that all of `all` and none of `others` match, if any.
fn find_shortest_match(all: &[&Regexp], others: &[&Regexp], alphabet: &str) -> Result<Option<String>, Undecided> {
    let expressions = all.iter().chain(others);
    let automata: Option<Vec<Automaton>> = expressions.map(|regexp| regexp.build_automaton()).collect();
    let automata = automata.ok_or(Undecided)?;
    let start = automata.iter().map(|automaton| automaton.start_state_forward(&Input::new("")).map_err(|_| Undecided));
    // The states after some string, which of `all` have matched a part of it, and that string.
    let mut visited: IndexMap<(Vec<StateID>, Vec<bool>), String> = IndexMap::new();
    visited.insert((start.collect::<Result<_, _>>()?, vec![false; all.len()]), String::new());
    let mut at = 0;
    while let Some(((states, matched), text)) = visited.get_index(at) {
        interrupt::take_step();
        if visited.len() > MAX_VISITED_STATES {
            return Err(Undecided);
        }
        let (states, matched, text) = (states.clone(), matched.clone(), text.clone());
        let ends = |of: usize| automata[of].is_match_state(automata[of].next_eoi_state(states[of]));
        if (0..all.len()).all(|of| matched[of] || ends(of)) && !(all.len()..automata.len()).any(ends) {
            let matches = |regexp: &&Regexp| regexp.is_match(&text).unwrap_or(false);
            if all.iter().all(matches) && !others.iter().any(matches) {
                return Ok(Some(text));
            }
        }
        for letter in alphabet.chars() {
            let step = |(automaton, state): (&Automaton, &StateID)| automaton.next_state(*state, letter as u8);
            let next: Vec<StateID> = automata.iter().zip(&states).map(step).collect();
            let is = |of: usize, is: fn(&Automaton, StateID) -> bool| is(&automata[of], next[of]);
            let matched: Vec<bool> =
                matched.iter().enumerate().map(|(of, before)| *before || is(of, Automaton::is_match_state)).collect();
            let is_lost = (0..all.len()).any(|of| !matched[of] && is(of, Automaton::is_dead_state));
            let is_beyond = (0..automata.len()).any(|of| is(of, Automaton::is_quit_state))
                || (all.len()..automata.len()).any(|of| is(of, Automaton::is_match_state));
            if !is_lost && !is_beyond {
                visited.entry((next, matched)).or_insert_with(|| format!("{text}{letter}"));
            }
        }
        at += 1;
    }
    Ok(None)
}

#[cfg(test)]
#[path = "../../tests/unit/regexp/difference.rs"]
mod tests;
