//! Finds the shortest string that one expression matches and others do not, by running the automata of all expressions
//! on the same strings, the shortest first.
//!
//! Only ASCII strings are tried, and only expressions that do not need backtracking are supported.

#![expect(clippy::indexing_slicing, reason = "each automaton has a state")]

use std::ops::Range;

use indexmap::IndexMap;
use regex_automata::Input;
use regex_automata::dfa::Automaton as _;
use regex_automata::dfa::dense::{Builder, Config, DFA};
use regex_automata::util::primitives::StateID;

use super::Regexp;
use crate::interrupt;

const MAX_STATES: usize = 10_000;

const SIZE_LIMIT_BYTES: usize = 1 << 20;

type Automaton = DFA<Vec<u32>>;

/// The characters of the strings that are tried, the most readable first.
const ALPHABET: &str = concat!(
    "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    " !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~\t\n"
);

impl Regexp {
    /// Returns the shortest string that this expression and none of `others` matches, or `None` if none is found.
    pub(crate) fn shortest_difference(&self, others: &[&Regexp]) -> Option<String> {
        let expressions = std::iter::once(self).chain(others.iter().copied());
        let automata = expressions.map(Regexp::build_automaton).collect::<Option<Vec<Automaton>>>()?;
        let start = automata.iter().map(|automaton| automaton.start_state_forward(&Input::new("")).ok());
        // The states after some string, whether the first automaton has matched before, and that string.
        let mut visited: IndexMap<(Vec<StateID>, bool), String> = IndexMap::new();
        visited.insert((start.collect::<Option<_>>()?, false), String::new());
        let mut at = 0;
        while let Some(((states, has_matched), text)) = visited.get_index(at)
            && visited.len() < MAX_STATES
        {
            interrupt::step();
            let (states, has_matched, text) = (states.clone(), *has_matched, text.clone());
            let ends = |of: usize| automata[of].is_match_state(automata[of].next_eoi_state(states[of]));
            if (has_matched || ends(0)) && !(1..automata.len()).any(ends) {
                let matches = |regexp: &Regexp| regexp.is_match(&text).unwrap_or(false);
                if matches(self) && !others.iter().any(|other| matches(other)) {
                    return Some(text);
                }
            }
            for letter in ALPHABET.chars() {
                let step = |(automaton, state): (&Automaton, &StateID)| automaton.next_state(*state, letter as u8);
                let next: Vec<StateID> = automata.iter().zip(&states).map(step).collect();
                let any = |mut of: Range<usize>, is: fn(&Automaton, StateID) -> bool| {
                    of.any(|at| is(&automata[at], next[at]))
                };
                let has_matched = has_matched || any(0..1, Automaton::is_match_state);
                let is_lost = !has_matched && any(0..1, Automaton::is_dead_state);
                let is_beyond = any(0..automata.len(), Automaton::is_quit_state)
                    || any(1..automata.len(), Automaton::is_match_state);
                if !is_lost && !is_beyond {
                    visited.entry((next, has_matched)).or_insert_with(|| format!("{text}{letter}"));
                }
            }
            at += 1;
        }
        None
    }

    fn build_automaton(&self) -> Option<Automaton> {
        let limits = Config::new()
            .dfa_size_limit(Some(SIZE_LIMIT_BYTES))
            .determinize_size_limit(Some(SIZE_LIMIT_BYTES))
            .unicode_word_boundary(true);
        Builder::new().configure(limits).build(self.compiled_engine("").ok()?.linear_pattern()?).ok()
    }
}

#[cfg(test)]
#[path = "../../tests/unit/regexp/difference.rs"]
mod tests;
