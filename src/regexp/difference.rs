//! A string that one expression matches and others do not: a walk over their automata side by side, the shortest strings
//! first.
//!
//! Only ASCII strings are looked for, and only with expressions that a linear engine knows.

#![expect(clippy::indexing_slicing, reason = "each automaton has a state")]

use indexmap::IndexMap;
use regex_automata::Input;
use regex_automata::dfa::Automaton as _;
use regex_automata::dfa::dense::{Builder, Config, DFA};
use regex_automata::util::primitives::StateID;

use super::Regexp;
use crate::interrupt;

const MAX_STATES: usize = 10_000;

const SIZE_LIMIT_BYTES: usize = 1 << 20;

/// The index of the previous state, and the character that leads from it to this one.
type Before = (usize, u8);

impl Regexp {
    /// The shortest string that this expression matches and none of `others` does, if one is found.
    pub(crate) fn beyond(&self, others: &[&Regexp]) -> Option<String> {
        let automata: Vec<DFA<Vec<u32>>> =
            std::iter::once(self).chain(others.iter().copied()).map(Regexp::automaton).collect::<Option<_>>()?;
        let start = automata.iter().map(|automaton| automaton.start_state_forward(&Input::new("")).ok());
        // The states after some string, whether the first automaton has matched before, and the last step there.
        let mut visited: IndexMap<(Vec<StateID>, bool), Option<Before>> = IndexMap::new();
        visited.insert((start.collect::<Option<_>>()?, false), None);
        let mut at = 0;
        while let Some(((states, has_matched), _)) = visited.get_index(at)
            && visited.len() < MAX_STATES
        {
            interrupt::step();
            let (states, has_matched) = (states.clone(), *has_matched);
            let matches_here = |number: usize| {
                let automaton = &automata[number];
                automaton.is_match_state(automaton.next_eoi_state(states[number]))
            };
            if (has_matched || matches_here(0)) && !(1..automata.len()).any(matches_here) {
                let text = written(&visited, at);
                let matches = |regexp: &Regexp| regexp.is_match(&text).unwrap_or(false);
                if matches(self) && !others.iter().any(|other| matches(other)) {
                    return Some(text);
                }
            }
            for byte in alphabet() {
                let step = |(automaton, state): (&DFA<Vec<u32>>, &StateID)| automaton.next_state(*state, byte);
                let next: Vec<StateID> = automata.iter().zip(&states).map(step).collect();
                let is_state =
                    |is: fn(&DFA<Vec<u32>>, StateID) -> bool, number: usize| is(&automata[number], next[number]);
                let has_matched = has_matched || is_state(DFA::is_match_state, 0);
                let is_lost = !has_matched && is_state(DFA::is_dead_state, 0);
                let is_beyond = (0..automata.len()).any(|number| is_state(DFA::is_quit_state, number))
                    || (1..automata.len()).any(|number| is_state(DFA::is_match_state, number));
                if !is_lost && !is_beyond {
                    visited.entry((next, has_matched)).or_insert(Some((at, byte)));
                }
            }
            at += 1;
        }
        None
    }

    fn automaton(&self) -> Option<DFA<Vec<u32>>> {
        let limits = Config::new()
            .dfa_size_limit(Some(SIZE_LIMIT_BYTES))
            .determinize_size_limit(Some(SIZE_LIMIT_BYTES))
            .unicode_word_boundary(true);
        Builder::new().configure(limits).build(self.engine("").ok()?.linear()?).ok()
    }
}

fn written<K>(visited: &IndexMap<K, Option<Before>>, mut at: usize) -> String {
    let mut letters = Vec::new();
    while let Some((_, Some((before, byte)))) = visited.get_index(at) {
        letters.push(char::from(*byte));
        at = *before;
    }
    letters.into_iter().rev().collect()
}

/// The characters to search with, the most readable first.
fn alphabet() -> impl Iterator<Item = u8> {
    (b'a'..=b'z')
        .chain(b'0'..=b'9')
        .chain(b'A'..=b'Z')
        .chain(b' '..=b'/')
        .chain(b':'..=b'@')
        .chain(b'['..=b'`')
        .chain(b'{'..=b'~')
        .chain([b'\t', b'\n'])
}

#[test]
fn the_shortest_string_that_only_one_of_two_expressions_matches() {
    for (one, other, expected) in [
        (r"\Aa+\z", r"\Aa{1,5}\z", Some("aaaaaa")),
        (r"\A[a-z]+\z", r"\A[a-y]+\z", Some("z")),
        (r"b", r"\Ab", Some("ab")),
        (r"\Aab\z", r"a", None),
        (r"", r"\A.+\z", Some("")),
        (r"^a$", r"\Aa\z", Some("a\n")),
    ] {
        let [one, other] = [one, other].map(|text| Regexp::new(text).unwrap());
        assert_eq!(one.beyond(&[&other]).as_deref(), expected, "{} {}", one.text(), other.text());
    }
}
