//! The whole automaton of an expression that is asked often: a look into a table for each byte of the subject.
//!
//! The linear engine builds its states while it searches, and asks for memory to do so first. For the short subjects
//! that types see that takes longer than the search. Building all states takes as long as some hundred searches.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use regex_automata::dfa::Automaton as _;
use regex_automata::dfa::dense::{Builder, Config, DFA};
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;

/// How many searches come before the automaton is built.
const ASKED_OFTEN: u32 = 64;

/// What the tables of an automaton may take, and as much again while it is built.
const SIZE_LIMIT_BYTES: usize = 128 << 10;

/// The tables, and the state in front of the subject.
type Built = (DFA<Vec<u32>>, StateID);

/// Tells whether an expression matches, as soon as that was asked often enough.
#[derive(Debug, Default)]
pub(super) struct Automaton {
    asked: AtomicU32,
    /// `None` if it would be too large.
    built: OnceLock<Option<Built>>,
}

impl Automaton {
    /// Whether `expression`, always the same, matches anywhere in `subject`; `None` if it is not for this automaton
    /// to tell.
    pub(super) fn is_match(&self, expression: &str, subject: &str) -> Option<bool> {
        let (automaton, start) = match self.built.get() {
            Some(built) => built.as_ref()?,
            None => self.built_after_some(expression)?,
        };
        let mut state = *start;
        for byte in subject.bytes() {
            state = automaton.next_state(state, byte);
            if automaton.is_special_state(state) {
                if automaton.is_match_state(state) {
                    return Some(true);
                }
                if automaton.is_dead_state(state) {
                    return Some(false);
                }
                if automaton.is_quit_state(state) {
                    return None;
                }
            }
        }
        Some(automaton.is_match_state(automaton.next_eoi_state(state)))
    }

    #[cold]
    fn built_after_some(&self, expression: &str) -> Option<&Built> {
        let asked = self.asked.fetch_add(1, Ordering::Relaxed);
        if asked < ASKED_OFTEN {
            return None;
        }
        let limits = Config::new()
            .dfa_size_limit(Some(SIZE_LIMIT_BYTES))
            .determinize_size_limit(Some(SIZE_LIMIT_BYTES))
            .unicode_word_boundary(true);
        let build = || {
            let automaton = Builder::new().configure(limits).build(expression).ok()?;
            let start = automaton.start_state(&start::Config::new()).ok()?;
            Some((automaton, start))
        };
        self.built.get_or_init(build).as_ref()
    }
}
