//! Searches of the linear engine that may take long, and can be interrupted.
//!
//! The engine goes through a text in one call. That is quick as long as it builds the states of an automaton while it
//! searches; where there are too many of them it takes a step for each byte and each place of the expression. So for long texts
//! the automaton is asked first, which gives up early, and then a simulation of the expression, which looks at the interrupt.
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
use regex_automata::util::syntax;
use regex_automata::{Input, MatchError};
use rustc_hash::FxBuildHasher;

use crate::interrupt;

/// How often the automaton may forget its states, and how many bytes each of them is to be good for.
const FEW_CLEARINGS: usize = 3;
const BYTES_PER_STATE: usize = 10;

type Creator = Box<dyn Fn() -> Cache + Send + Sync + UnwindSafe + RefUnwindSafe>;

#[derive(Debug)]
pub(super) struct Long {
    automaton: Arc<Regex>,
    caches: Pool<Cache, Creator>,
    nfa: NFA,
}

/// The start and end of each group, the whole match first.
pub(super) type Slots = Box<[Option<usize>]>;

impl Long {
    /// Builds the automaton; `None` if the expression is too large.
    pub(super) fn new(text: &str, syntax: syntax::Config, size_limit_bytes: usize) -> Option<Long> {
        let thompson = Config::new().nfa_size_limit(Some(size_limit_bytes));
        let cache = dfa::Config::new()
            .skip_cache_capacity_check(true)
            .minimum_cache_clear_count(Some(FEW_CLEARINGS))
            .minimum_bytes_per_state(Some(BYTES_PER_STATE))
            .unicode_word_boundary(true);
        let automaton = Builder::new().syntax(syntax).thompson(thompson.clone()).dfa(cache).build(text).ok()?;
        let nfa = NFA::compiler().syntax(syntax).configure(thompson).build(text).ok()?;
        let automaton = Arc::new(automaton);
        let creator = Arc::clone(&automaton);
        let caches: Pool<_, Creator> = Pool::new(Box::new(move || creator.create_cache()));
        Some(Long { automaton, caches, nfa })
    }

    pub(super) fn find(&self, subject: &str, start: usize) -> Result<Option<Range<usize>>, MatchError> {
        let input = Input::new(subject).range(start..);
        let found = self.automaton.try_search(&mut self.caches.get(), &input)?;
        Ok(found.map(|found| found.range()))
    }

    /// The spans of so many groups in the first match in a part of the subject; only at its start if it `is_anchored`.
    pub(super) fn simulate(
        &self,
        subject: &str,
        part: Range<usize>,
        is_anchored: bool,
        groups: usize,
    ) -> Option<Slots> {
        let (nfa, bytes) = (&self.nfa, subject.as_bytes());
        let mut own = vec![None; 2 * groups];
        let (mut threads, mut next) = (Threads::new(nfa, own.len()), Threads::new(nfa, own.len()));
        let mut found: Option<Slots> = None;
        for at in part.start..=part.end {
            let may_begin = at == part.start || !is_anchored && subject.is_char_boundary(at);
            if found.is_none() && may_begin {
                own.fill(None);
                threads.follow(nfa, nfa.start_anchored(), bytes, at, &mut own);
            } else if threads.states.is_empty() && (found.is_some() || is_anchored) {
                break;
            }
            for &state in &threads.states {
                interrupt::step();
                let byte = bytes.get(at).filter(|_| at < part.end);
                let follows = match (nfa.state(state), byte) {
                    (State::Match { .. }, _) => {
                        // What has a lower priority is over.
                        found = Some(threads.slots[threads.range(state)].into());
                        break;
                    }
                    (State::ByteRange { trans }, Some(byte)) => trans.matches_byte(*byte).then_some(trans.next),
                    (State::Sparse(trans), Some(byte)) => trans.matches_byte(*byte),
                    (State::Dense(trans), Some(byte)) => trans.matches_byte(*byte),
                    _ => None,
                };
                if let Some(state_after) = follows {
                    own.copy_from_slice(&threads.slots[threads.range(state)]);
                    next.follow(nfa, state_after, bytes, at + 1, &mut own);
                }
            }
            std::mem::swap(&mut threads, &mut next);
            next.states.clear();
        }
        found
    }
}

/// The active states by priority, each with the groups matched on the path to it.
struct Threads {
    states: IndexSet<StateID, FxBuildHasher>,
    slots: Vec<Option<usize>>,
    stride: usize,
    pending: Vec<Pending>,
}

enum Pending {
    Follow(StateID),
    Restore(usize, Option<usize>),
}

impl Threads {
    fn new(nfa: &NFA, stride: usize) -> Threads {
        let slots = vec![None; nfa.states().len() * stride];
        Threads { states: IndexSet::default(), slots, stride, pending: Vec::new() }
    }

    /// The range of a state's slots.
    fn range(&self, state: StateID) -> Range<usize> {
        let from = state.as_usize() * self.stride;
        from..from + self.stride
    }

    /// Adds `start` and whatever is reached from there without a byte. `own` are the slots on the way.
    fn follow(&mut self, nfa: &NFA, start: StateID, bytes: &[u8], at: usize, own: &mut [Option<usize>]) {
        self.pending.push(Pending::Follow(start));
        while let Some(pending) = self.pending.pop() {
            let mut state = match pending {
                Pending::Follow(state) => state,
                Pending::Restore(slot, before) => {
                    own[slot] = before;
                    continue;
                }
            };
            while self.states.insert(state) {
                interrupt::step();
                state = match nfa.state(state) {
                    State::Look { look, next } if nfa.look_matcher().matches(*look, bytes, at) => *next,
                    State::Union { alternates } => {
                        let Some((first, others)) = alternates.split_first() else { break };
                        self.pending.extend(others.iter().rev().copied().map(Pending::Follow));
                        *first
                    }
                    State::BinaryUnion { alt1, alt2 } => {
                        self.pending.push(Pending::Follow(*alt2));
                        *alt1
                    }
                    State::Capture { next, slot, .. } => {
                        if let Some(kept) = own.get_mut(slot.as_usize()) {
                            self.pending.push(Pending::Restore(slot.as_usize(), kept.replace(at)));
                        }
                        *next
                    }
                    _ => {
                        let range = self.range(state);
                        self.slots[range].copy_from_slice(own);
                        break;
                    }
                };
            }
        }
    }
}
