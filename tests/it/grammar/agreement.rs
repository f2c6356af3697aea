//! The recogniser and the parser accept and reject the same texts: every recorded program, everything that is typed in
//! the transcripts, the corpus, and many mutations of all of these.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pcore::syntax::tokens::tokens;
use pcore::syntax::tree::Tree;
use pcore::syntax::{parse, parse_template};
use pcore::text::Source;

use super::recogniser::Recogniser;
use super::{corpus, puppet, transcripts};
use crate::conformance;

/// What a text is read as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Program,
    Template,
}

impl Kind {
    /// The production that describes it.
    pub(super) fn start(self) -> &'static str {
        match self {
            Kind::Program => "program",
            Kind::Template => "template",
        }
    }

    /// What the parser makes of it.
    pub(super) fn parse(self, source: &Arc<Source>) -> pcore::error::Result<Tree> {
        match self {
            Kind::Program => parse(source),
            Kind::Template => parse_template(source),
        }
    }

    /// Whether the parser takes the text.
    pub(super) fn is_parsed(self, text: &str) -> bool {
        self.parse(&Source::new("text", text)).is_ok()
    }
}

/// Runs `work` on all cores, with room for deep recursion, and collects what comes of it. Each call takes the next of
/// `count` numbers.
pub(super) fn on_all_cores<T: Send>(count: usize, work: impl Fn(&Recogniser<'_>, usize) -> Option<T> + Sync) -> Vec<T> {
    const STACK_BYTES: usize = 256 << 20;
    let grammar = puppet();
    let recogniser = Recogniser::new(&grammar);
    let next = AtomicUsize::new(0);
    let run = || {
        let mut found = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return found;
            }
            found.extend(work(&recogniser, number));
        }
    };
    let cores = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run).unwrap();
        let threads: Vec<_> = (0..cores).map(start).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

/// What recogniser and parser say of each text where they do not agree, and how many texts they accept.
fn differences(texts: &[(Kind, String)]) -> (Vec<String>, usize) {
    let accepted = AtomicUsize::new(0);
    let differences = on_all_cores(texts.len(), |recogniser, number| {
        let (kind, text) = &texts[number];
        let (described, parsed) = (recogniser.accepts(kind.start(), text), kind.is_parsed(text));
        accepted.fetch_add(usize::from(parsed), Ordering::Relaxed);
        let only = if described { "the grammar" } else { "the parser" };
        (described != parsed).then(|| format!("only {only} takes the {kind:?} {text:?}"))
    });
    (differences, accepted.into_inner())
}

#[track_caller]
fn assert_agreement(texts: &[(Kind, String)]) {
    let (differences, accepted) = differences(texts);
    let first: Vec<&str> = differences.iter().take(20).map(String::as_str).collect();
    let count = differences.len();
    assert!(count == 0, "{count} of {} texts, {accepted} of them accepted:\n{}", texts.len(), first.join("\n"));
}

/// Every text there is, each once.
fn texts() -> Vec<(Kind, String)> {
    let programs = conformance::programs().into_iter().chain(transcripts::programs());
    let mut texts: BTreeSet<(Kind, String)> = programs.map(|program| (Kind::Program, program)).collect();
    texts.extend(corpus::entries().into_iter().map(|entry| (entry.kind, entry.source)));
    texts.into_iter().collect()
}

#[test]
fn grammar_and_parser_agree_on_every_program_there_is() {
    assert_agreement(&texts());
}

#[test]
fn grammar_and_parser_agree_on_mutations() {
    const MUTATIONS: usize = 30_000;
    const TEMPLATE_MUTATIONS: usize = 5_000;
    /// Longer programs take longer and teach no more.
    const MAX_BYTES: usize = 300;
    let all: Vec<(Kind, String)> = texts().into_iter().filter(|(_, text)| text.len() < MAX_BYTES).collect();
    let (programs, templates): (Vec<_>, Vec<_>) = all.into_iter().partition(|(kind, _)| *kind == Kind::Program);
    let mut random = Random::new(0);
    let mut mutate = |texts: &[(Kind, String)], count: usize| {
        let mutations = (0..count).map(|_| {
            let (kind, text) = &texts[random.below(texts.len())];
            let other = &texts[random.below(texts.len())].1;
            (*kind, mutation(text, other, &mut random))
        });
        mutations.collect::<BTreeSet<_>>()
    };
    let mut mutations = mutate(&programs, MUTATIONS);
    mutations.extend(mutate(&templates, TEMPLATE_MUTATIONS));
    assert_agreement(&mutations.into_iter().collect::<Vec<_>>());
}

/// A generator of numbers without a pattern (xorshift), the same in every run.
pub(super) struct Random(u64);

impl Random {
    /// One of many generators that have nothing to do with each other.
    pub(super) fn new(seed: usize) -> Random {
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ (seed as u64 + 1).wrapping_mul(0x2545_f491_4f6c_dd1d));
        for _ in 0..8 {
            random.below(2);
        }
        random
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit as u64).unwrap()
    }
}

/// What is put into texts besides their own tokens: what opens, closes, separates and turns one thing into another.
const PIECES: [&str; 64] = [
    "'",
    "\"",
    "$",
    "${",
    "}",
    "{",
    "[",
    "]",
    "(",
    ")",
    "@(A)",
    "@(\"B\"/L)",
    "\n",
    "\nA\n",
    "\n| B\n",
    " ",
    "a",
    "B",
    "::",
    "1",
    "0x",
    ".",
    "e",
    "/",
    "\\",
    "=>",
    "->",
    "<|",
    "|>",
    "<<|",
    "|>>",
    "|",
    "if",
    "case",
    "class",
    "type",
    "node",
    "undef",
    "default",
    "unless",
    "else",
    "inherits",
    "in",
    "and",
    "-",
    "*",
    "?",
    ":",
    ";",
    "#",
    "/*",
    "*/",
    ",",
    "=",
    "!",
    "@",
    "notice",
    "$x",
    "<%",
    "<%=",
    "%>",
    "-%>",
    "9223372036854775808",
    "\\u{110000}",
];

/// A text with one to three of its tokens deleted, doubled, swapped or replaced, or with something put in, anywhere.
fn mutation(text: &str, other: &str, random: &mut Random) -> String {
    let mut text = text.to_owned();
    for _ in 0..=random.below(3) {
        let parts = parts(&text);
        let others = self::parts(other);
        let mut changed: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        let at = random.below(changed.len().max(1));
        match random.below(6) {
            0 if !changed.is_empty() => {
                changed.remove(at);
            }
            1 if !changed.is_empty() => changed.insert(at, changed[at].clone()),
            2 if !changed.is_empty() => {
                let second = random.below(changed.len());
                changed.swap(at, second);
            }
            3 if !changed.is_empty() && !others.is_empty() => {
                others[random.below(others.len())].clone_into(&mut changed[at]);
            }
            4 => changed.insert(at, PIECES[random.below(PIECES.len())].to_owned()),
            _ => {
                let places: Vec<usize> = text.char_indices().map(|(place, _)| place).chain([text.len()]).collect();
                let place = places[random.below(places.len())];
                changed = vec![text[..place].to_owned(), PIECES[random.below(PIECES.len())].to_owned()];
                changed.push(text[place..].to_owned());
            }
        }
        text = changed.concat();
    }
    text
}

/// The tokens of a text, and what stands between them.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut done = 0;
    for token in tokens(text) {
        let span = token.span.range();
        parts.extend([&text[done..span.start], &text[span.clone()]]);
        done = span.end;
    }
    parts.push(&text[done..]);
    parts.retain(|part| !part.is_empty());
    parts
}
