//! The engines behind an expression: the linear one if it suffices, otherwise the backtracking one with a limit.

use std::{ops::Range, sync::OnceLock};

use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, meta};

use super::translate::{Subjects, needs_backtracking, write};
use super::tree::{Anchor, Node, Tree};
use super::{Captures, long::Long};
use crate::error::{Error, Result};
use crate::interrupt;

const BACKTRACK_LIMIT: usize = 1_000_000;

/// The recursion depths to try for recursive calls; the first that the engine can compile is used.
const RECURSION_LEVELS: [usize; 5] = [20, 12, 7, 4, 2];

const PROGRAM_LIMIT: usize = 200_000;

const SIZE_LIMIT_BYTES: usize = 32 << 20;

/// The engine notes for each place where every group is: this many bytes of program and groups make 64 MiB.
const MAX_GROUPS_TIMES_BYTES: usize = 256 << 20;

/// The memory that an automaton for the groups may take.
const ONEPASS_LIMIT_BYTES: usize = 64 << 10;

/// How deep the groups of a written expression may be nested; the reader allows fewer.
const NEST_LIMIT: u32 = 2_000;

#[derive(Debug)]
pub(super) struct Engine {
    plain: Compiled,
    /// The expression for subjects that end in a newline, if it differs.
    ending_in_newline: Option<OnceLock<Result<Compiled>>>,
    /// Whether [`Engine::plain`] matches all that the other does, so that it decides unless its match touches the end.
    plain_decides: bool,
}

#[derive(Debug)]
enum Compiled {
    Linear(Box<Linear>),
    Backtracking(Box<fancy_regex::Regex>),
}

#[derive(Debug)]
struct Linear {
    /// In the engine's notation.
    text: String,
    regex: meta::Regex,
    program_bytes: usize,
    /// The automaton for long searches; `None` if it exceeds the size limit.
    long: OnceLock<Option<Long>>,
}

impl Engine {
    pub(super) fn new(tree: &Tree) -> Result<Engine> {
        let plain = Compiled::new(tree, Subjects::Plain)?;
        let has = |wanted| tree.root.pieces().any(|node| *node == Node::Anchor(wanted));
        let differs = has(Anchor::LineStart) || has(Anchor::TextEndOrNewline);
        Ok(Engine {
            plain_decides: matches!(plain, Compiled::Linear(..)) && !has(Anchor::TextEndOrNewline),
            plain,
            ending_in_newline: differs.then(OnceLock::new),
        })
    }

    /// The memory used by the compiled expression, as far as known.
    pub(super) fn bytes(&self) -> usize {
        match &self.plain {
            Compiled::Linear(linear) => linear.program_bytes,
            Compiled::Backtracking(regex) => regex.as_str().len(),
        }
    }

    /// The expression for the linear engine, if it suffices for all subjects that do not end in a newline.
    pub(super) fn linear(&self) -> Option<&str> {
        match &self.plain {
            Compiled::Linear(linear) => Some(&linear.text),
            Compiled::Backtracking(_) => None,
        }
    }

    pub(super) fn is_match(&self, tree: &Tree, subject: &str) -> Result<bool> {
        match &self.ending_in_newline {
            Some(_) if subject.ends_with('\n') => Ok(self.search(tree, subject, 0)?.is_some()),
            _ => self.plain.is_match(subject),
        }
    }

    pub(super) fn search(&self, tree: &Tree, subject: &str, start: usize) -> Result<Option<Captures>> {
        let Some(ending_in_newline) = self.ending_in_newline.as_ref().filter(|_| subject.ends_with('\n')) else {
            return self.plain.search(tree, subject, start);
        };
        if self.plain_decides {
            let found = self.plain.search(tree, subject, start)?;
            if found.as_ref().is_none_or(|captures| captures.whole().end < subject.len()) {
                return Ok(found);
            }
        }
        let compiled = ending_in_newline.get_or_init(|| Compiled::new(tree, Subjects::EndingInNewline));
        compiled.as_ref().map_err(Clone::clone)?.search(tree, subject, start)
    }
}

impl Compiled {
    fn new(tree: &Tree, subjects: Subjects) -> Result<Compiled> {
        let is_linear = !needs_backtracking(tree, subjects);
        let mut result = Err(Error::runtime("the recursion in this regular expression is too large to expand"));
        for levels in RECURSION_LEVELS {
            let Some(text) = write(tree, subjects, levels) else { continue };
            result = if is_linear { Linear::new(text).map(Compiled::Linear) } else { Compiled::backtracking(&text) };
            if result.is_ok() || tree.calls.is_empty() {
                break;
            }
        }
        result
    }

    fn backtracking(text: &str) -> Result<Compiled> {
        let mut builder = fancy_regex::RegexBuilder::new(text);
        builder.backtrack_limit(BACKTRACK_LIMIT).max_prog_size(PROGRAM_LIMIT).delegate_size_limit(SIZE_LIMIT_BYTES);
        let regex = builder.build().map_err(|error| too_large(&error))?;
        Ok(Compiled::Backtracking(Box::new(regex)))
    }

    fn is_match(&self, subject: &str) -> Result<bool> {
        match self {
            Compiled::Linear(linear) => Ok(linear.is_match(subject)),
            Compiled::Backtracking(regex) => regex.is_match(&Watched(subject)).map_err(|error| stopped(&error)),
        }
    }

    fn search(&self, tree: &Tree, subject: &str, start: usize) -> Result<Option<Captures>> {
        // An engine forgets groups that are repeated no times.
        let groups = tree.names.len();
        match self {
            Compiled::Linear(linear) => Ok(linear.search(subject, start, groups)),
            Compiled::Backtracking(regex) => {
                let subject = Watched(subject);
                let found = regex.captures_from_pos(&subject, start).map_err(|error| stopped(&error))?;
                Ok(found.and_then(|captures| Captures::new(groups, |group| captures.get(group))))
            }
        }
    }
}

impl Linear {
    fn new(text: String) -> Result<Box<Linear>> {
        let engines = meta::Config::new().nfa_size_limit(Some(SIZE_LIMIT_BYTES)).dfa(false);
        let engines = engines.onepass_size_limit(Some(ONEPASS_LIMIT_BYTES));
        let regex = meta::Builder::new().configure(engines).syntax(syntax()).build(&text).map_err(|error| {
            let limit = error.size_limit().map(|limit| format!("it would take more than {limit} bytes"));
            too_large(&limit.unwrap_or_else(|| error.to_string()))
        })?;
        let program_bytes = regex.memory_usage();
        if regex.captures_len().saturating_mul(program_bytes) > MAX_GROUPS_TIMES_BYTES {
            return Err(too_large(&"it has too many groups for its length"));
        }
        Ok(Box::new(Linear { text, regex, program_bytes, long: OnceLock::new() }))
    }

    /// Whether searching `bytes` bytes may take too long to be interrupted by Ctrl-C.
    fn is_long(&self, bytes: usize) -> bool {
        /// A search takes nanoseconds for each byte and place in the expression.
        const MAX_STEPS: usize = 10_000_000;
        /// The minimum size of a state of the compiled expression.
        const PLACE_BYTES: usize = 64;
        bytes.saturating_mul(self.program_bytes / PLACE_BYTES) > MAX_STEPS
    }

    /// The interruptible automaton, if a search of `bytes` bytes by the engine may take too long.
    fn for_long(&self, bytes: usize) -> Option<&Long> {
        let new = || Long::new(&self.text, syntax(), SIZE_LIMIT_BYTES);
        if self.is_long(bytes) { self.long.get_or_init(new).as_ref() } else { None }
    }

    fn is_match(&self, subject: &str) -> bool {
        if let Some(long) = self.for_long(subject.len()) {
            let found = long.find(subject, 0).map(|found| found.is_some());
            return found.unwrap_or_else(|_| long.simulate(subject, 0..subject.len(), false, 0).is_some());
        }
        self.regex.is_match(subject)
    }

    fn search(&self, subject: &str, start: usize, groups: usize) -> Option<Captures> {
        let mut input = Input::new(subject).range(start..);
        if let Some(long) = self.for_long(subject.len() - start) {
            let (part, is_anchored) = match long.find(subject, start) {
                Ok(found) => (found?, true),
                Err(_) => (start..subject.len(), false),
            };
            if is_anchored && groups == 0 {
                return Captures::new(groups, |_| Some(part.clone()));
            }
            if !is_anchored || self.is_long(part.len()) {
                let slots = long.simulate(subject, part, is_anchored, groups + 1)?;
                return Captures::new(groups, |group| Some((*slots.get(2 * group)?)?..(*slots.get(2 * group + 1)?)?));
            }
            input = Input::new(subject).range(part).anchored(Anchored::Yes);
        }
        if groups == 0 {
            return self.regex.search(&input).and_then(|found| Captures::new(groups, |_| Some(found.range())));
        }
        let mut slots = vec![None; 2 * (groups + 1)];
        self.regex.search_slots(&input, &mut slots)?;
        Captures::new(groups, |group| Some((*slots.get(2 * group)?)?.get()..(*slots.get(2 * group + 1)?)?.get()))
    }
}

/// The subject of a search that can be interrupted. The backtracking engine asks it for the text at every step, so it is
/// where a raised interrupt is noticed, in the middle of a search that would go on for seconds.
#[derive(Debug)]
struct Watched<'a>(&'a str);

impl fancy_regex::Input for Watched<'_> {
    type Match<'t>
        = Range<usize>
    where
        Self: 't;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn as_bytes(&self) -> &[u8] {
        /// The length from which each step of the engine polls the interrupt: one step may read the whole text.
        const LONG_BYTES: usize = 4 << 10;
        if self.0.len() < LONG_BYTES {
            interrupt::step();
        } else {
            interrupt::poll();
        }
        self.0.as_bytes()
    }

    fn is_char_boundary(&self, at: usize) -> bool {
        self.0.is_char_boundary(at)
    }

    fn is_ascii(&self) -> bool {
        self.0.is_ascii()
    }

    fn prev_codepoint_ix(&self, at: usize) -> usize {
        fancy_regex::Input::prev_codepoint_ix(self.0, at)
    }

    fn make_match(&self, start: usize, end: usize) -> Range<usize> {
        start..end
    }

    fn advance_position(&self, at: usize) -> usize {
        fancy_regex::Input::advance_position(self.0, at)
    }
}

fn syntax() -> syntax::Config {
    syntax::Config::new().nest_limit(NEST_LIMIT)
}

/// The expression was read, so that only its size, or a construct that the engine lacks, keeps it from compiling.
fn too_large(error: &impl std::fmt::Display) -> Error {
    Error::runtime(format!("the regular expression cannot be compiled: {error}"))
}

fn stopped(error: &fancy_regex::Error) -> Error {
    match error {
        fancy_regex::Error::RuntimeError(_) => Error::runtime(format!(
            "matching stopped after {BACKTRACK_LIMIT} backtracking steps: the regular expression has too many ways to match"
        ))
        .with_help(
            "avoid nested repetition such as `(a+)+`, and recursion more than a few levels deep",
        ),
        other => Error::runtime(format!("matching failed: {other}")),
    }
}
