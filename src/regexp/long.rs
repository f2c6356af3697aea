//! Long searches with the linear engine that can be interrupted by Ctrl-C.
//!
//! One call of the engine searches the whole subject. That is fast if its lazy DFA fits into the cache; otherwise each
//! byte takes one step per state. So for long subjects the lazy DFA is tried first, which gives up early, and then a
//! simulation of the NFA, which checks for interrupts at every step.
//!
//! Source: R. Cox, "Regular Expression Matching: the Virtual Machine Approach", section "Pike's implementation".

#![expect(clippy::indexing_slicing, reason = "states and slots are numbered by the engine, places are in the subject")]

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::{ops::Range, sync::Arc};

use indexmap::IndexSet;
use regex_automata::hybrid::dfa;
use regex_automata::hybrid::regex::{Builder, Cache, Regex};
use regex_automata::nfa::thompson::{Config, NFA, State};
use regex_automata::util::pool::Pool;
use regex_automata::util::primitives::StateID;
use regex_automata::{Input, MatchError};
use rustc_hash::FxBuildHasher;

use super::engine::{MAX_COMPILED_BYTES, syntax_config};
use crate::interrupt;

/// After clearing its cache this often, a lazy DFA gives up if it searches fewer than `MIN_BYTES_PER_STATE` bytes.
const MAX_CACHE_CLEARINGS: usize = 3;
const MIN_BYTES_PER_STATE: usize = 10;

type Creator = Box<dyn Fn() -> Cache + Send + Sync + UnwindSafe + RefUnwindSafe>;

#[derive(Debug)]
pub(super) struct InterruptibleRegexp {
    lazy_dfa: Arc<Regex>,
    dfa_caches: Pool<Cache, Creator>,
    nfa: NFA,
}

/// The start and end offset of the whole match, then those of each group, `None` for a group that took no part.
pub(super) type Slots = Box<[Option<usize>]>;

impl InterruptibleRegexp {
    pub(super) fn compile_interruptible(text: &str) -> Option<InterruptibleRegexp> {
        let (syntax, thompson) = (syntax_config(), Config::new().nfa_size_limit(Some(MAX_COMPILED_BYTES)));
        let cache = dfa::Config::new()
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(MAX_CACHE_CLEARINGS))
            .minimum_bytes_per_state(Some(MIN_BYTES_PER_STATE))
            .unicode_word_boundary(true);
        let automaton = Builder::new().syntax(syntax).thompson(thompson.clone()).dfa(cache).build(text).ok()?;
        let nfa = NFA::compiler().syntax(syntax).configure(thompson).build(text).ok()?;
        let automaton = Arc::new(automaton);
        let creator = Arc::clone(&automaton);
        let caches: Pool<_, Creator> = Pool::new(Box::new(move || creator.create_cache()));
        Some(InterruptibleRegexp { lazy_dfa: automaton, dfa_caches: caches, nfa })
    }

    pub(super) fn find_with_dfa(&self, subject: &str, start: usize) -> Result<Option<Range<usize>>, MatchError> {
        let input = Input::new(subject).range(start..);
        let found = self.lazy_dfa.try_search(&mut self.dfa_caches.get(), &input)?;
        Ok(found.map(|found| found.range()))
    }

    /// Returns the first match in `part` (if `is_anchored`, only at its start). `groups` counts the whole match as one.
    pub(super) fn run_nfa(&self, subject: &str, part: Range<usize>, is_anchored: bool, groups: usize) -> Option<Slots> {
        let (nfa, bytes) = (&self.nfa, subject.as_bytes());
        let mut own = vec![None; 2 * groups];
        let (mut threads, mut next) =
            (NfaThreads::empty_threads(nfa, own.len()), NfaThreads::empty_threads(nfa, own.len()));
        let mut found: Option<Slots> = None;
        for at in part.start..=part.end {
            let may_begin = at == part.start || !is_anchored && subject.is_char_boundary(at);
            if found.is_none() && may_begin {
                own.fill(None);
                threads.add_reachable_states(nfa, nfa.start_anchored(), bytes, at, &mut own);
            } else if threads.states.is_empty() && (found.is_some() || is_anchored) {
                break;
            }
            for &state in &threads.states {
                interrupt::take_step();
                let byte = bytes.get(at).filter(|_| at < part.end);
                let follows = match (nfa.state(state), byte) {
                    (State::Match { .. }, _) => {
                        // What has a lower priority is over.
                        found = Some(threads.slots[threads.slots_of_state(state)].into());
                        break;
                    }
                    (State::ByteRange { trans }, Some(byte)) => trans.matches_byte(*byte).then_some(trans.next),
                    (State::Sparse(trans), Some(byte)) => trans.matches_byte(*byte),
                    (State::Dense(trans), Some(byte)) => trans.matches_byte(*byte),
                    _ => None,
                };
                if let Some(state_after) = follows {
                    own.copy_from_slice(&threads.slots[threads.slots_of_state(state)]);
                    next.add_reachable_states(nfa, state_after, bytes, at + 1, &mut own);
                }
            }
            std::mem::swap(&mut threads, &mut next);
            next.states.clear();
        }
        found
    }
}

/// The active states of the NFA, the preferred match first, each with the offsets of the groups on the path to it.
struct NfaThreads {
    states: IndexSet<StateID, FxBuildHasher>,
    slots: Vec<Option<usize>>,
    slots_per_state: usize,
    pending_steps: Vec<PendingStep>,
}

enum PendingStep {
    Follow(StateID),
    Restore(usize, Option<usize>),
}

impl NfaThreads {
    fn empty_threads(nfa: &NFA, stride: usize) -> NfaThreads {
        let slots = vec![None; nfa.states().len() * stride];
        NfaThreads { states: IndexSet::default(), slots, slots_per_state: stride, pending_steps: Vec::new() }
    }

    fn slots_of_state(&self, state: StateID) -> Range<usize> {
        let from = state.as_usize() * self.slots_per_state;
        from..from + self.slots_per_state
    }

    /// Adds `start` and all states reachable from it without reading a byte. `own` has the group offsets at `start`.
    fn add_reachable_states(&mut self, nfa: &NFA, start: StateID, bytes: &[u8], at: usize, own: &mut [Option<usize>]) {
        self.pending_steps.push(PendingStep::Follow(start));
        while let Some(pending) = self.pending_steps.pop() {
            let mut state = match pending {
                PendingStep::Follow(state) => state,
                PendingStep::Restore(slot, before) => {
                    own[slot] = before;
                    continue;
                }
            };
            while self.states.insert(state) {
                interrupt::take_step();
                state = match nfa.state(state) {
                    State::Look { look, next } if nfa.look_matcher().matches(*look, bytes, at) => *next,
                    State::Union { alternates } => {
                        let Some((first, others)) = alternates.split_first() else { break };
                        self.pending_steps.extend(others.iter().rev().copied().map(PendingStep::Follow));
                        *first
                    }
                    State::BinaryUnion { alt1, alt2 } => {
                        self.pending_steps.push(PendingStep::Follow(*alt2));
                        *alt1
                    }
                    State::Capture { next, slot, .. } => {
                        if let Some(kept) = own.get_mut(slot.as_usize()) {
                            self.pending_steps.push(PendingStep::Restore(slot.as_usize(), kept.replace(at)));
                        }
                        *next
                    }
                    _ => {
                        let range = self.slots_of_state(state);
                        self.slots[range].copy_from_slice(own);
                        break;
                    }
                };
            }
        }
    }
}
