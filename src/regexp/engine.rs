//! Compiles and runs expressions: in a linear-time engine if possible, else in a backtracking one with a step limit.

use std::{ops::Range, sync::OnceLock};

use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, meta};

use super::translate::{SubjectKind, engine_pattern, needs_backtracking};
use super::tree::{Anchor, Node, Tree};
use super::{Captures, check_interrupt, long::InterruptibleRegexp};
use crate::error::{Error, Result};

const MAX_BACKTRACK_STEPS: usize = 1_000_000;

/// The numbers of levels to which recursive calls are expanded, tried in order until the engine can compile the result.
const TRIED_RECURSION_LEVELS: [usize; 5] = [20, 12, 7, 4, 2];

const MAX_PROGRAM_INSTRUCTIONS: usize = 200_000;
pub(super) const MAX_COMPILED_BYTES: usize = 32 << 20;

/// The maximum product of groups and compiled bytes (64 MiB of memory for groups); a larger expression is an error.
const MAX_GROUPS_TIMES_BYTES: usize = 256 << 20;

const MAX_ONEPASS_BYTES: usize = 64 << 10;

/// The engine's nesting limit, beyond which compiling fails; higher than our parser's, as translating adds groups.
const MAX_ENGINE_NESTING: u32 = 2_000;

#[derive(Debug)]
pub(super) struct Engine {
    plain: CompiledRegexp,
    /// The expression for subjects that end in a newline, compiled when needed; `None` if `plain` is correct for them.
    newline_end_regexp: Option<OnceLock<Result<CompiledRegexp>>>,
    /// Whether the result of `plain` also holds for subjects that end in a newline, unless the match reaches their end.
    is_plain_result_final: bool,
}

#[derive(Debug)]
enum CompiledRegexp {
    Linear(Box<LinearRegexp>),
    Backtracking(Box<fancy_regex::Regex>),
}

#[derive(Debug)]
struct LinearRegexp {
    /// The expression, translated to the syntax of `regex_automata`.
    pattern: String,
    regex: meta::Regex,
    program_bytes: usize,
    /// The interruptible engine for long searches, built at the first one; `None` if it would exceed the size limit.
    long_search_engine: OnceLock<Option<InterruptibleRegexp>>,
}

impl Engine {
    pub(super) fn new(tree: &Tree) -> Result<Engine> {
        let plain = CompiledRegexp::compile_tree(tree, SubjectKind::Plain)?;
        let has = |wanted| tree.root.self_and_descendants().any(|node| *node == Node::Anchor(wanted));
        let differs = has(Anchor::LineStart) || has(Anchor::TextEndOrNewline);
        let plain_decides = matches!(plain, CompiledRegexp::Linear(..)) && !has(Anchor::TextEndOrNewline);
        Ok(Engine { plain, newline_end_regexp: differs.then(OnceLock::new), is_plain_result_final: plain_decides })
    }

    /// Returns the size of the compiled expression in bytes; for the backtracking engine, the length of its source.
    pub(super) fn size_bytes(&self) -> usize {
        match &self.plain {
            CompiledRegexp::Linear(linear) => linear.program_bytes,
            CompiledRegexp::Backtracking(regex) => regex.as_str().len(),
        }
    }

    /// Returns the expression for the linear engine (for subjects not ending in a newline), or `None` if it backtracks.
    pub(super) fn linear_pattern(&self) -> Option<&str> {
        match &self.plain {
            CompiledRegexp::Linear(linear) => Some(&linear.pattern),
            CompiledRegexp::Backtracking(_) => None,
        }
    }

    pub(super) fn is_match(&self, tree: &Tree, subject: &str) -> Result<bool> {
        match &self.newline_end_regexp {
            Some(_) if subject.ends_with('\n') => Ok(self.search(tree, subject, 0)?.is_some()),
            _ => self.plain.is_match(subject),
        }
    }

    pub(super) fn search(&self, tree: &Tree, subject: &str, start: usize) -> Result<Option<Captures>> {
        let Some(ending_in_newline) = self.newline_end_regexp.as_ref().filter(|_| subject.ends_with('\n')) else {
            return self.plain.search(tree, subject, start);
        };
        if self.is_plain_result_final {
            let found = self.plain.search(tree, subject, start)?;
            if found.as_ref().is_none_or(|captures| captures.whole_span().end < subject.len()) {
                return Ok(found);
            }
        }
        let engine = ending_in_newline.get_or_init(|| CompiledRegexp::compile_tree(tree, SubjectKind::EndingInNewline));
        engine.as_ref().map_err(Clone::clone)?.search(tree, subject, start)
    }
}

impl CompiledRegexp {
    fn compile_tree(tree: &Tree, subjects: SubjectKind) -> Result<CompiledRegexp> {
        let is_linear = !needs_backtracking(tree, subjects);
        let mut result = Err(Error::runtime("the recursion in this regular expression is too large to expand"));
        for levels in TRIED_RECURSION_LEVELS {
            let Some(text) = engine_pattern(tree, subjects, levels) else { continue };
            result = if is_linear {
                LinearRegexp::compile_linear(text).map(CompiledRegexp::Linear)
            } else {
                let mut builder = fancy_regex::RegexBuilder::new(&text);
                builder.backtrack_limit(MAX_BACKTRACK_STEPS).max_prog_size(MAX_PROGRAM_INSTRUCTIONS);
                let regex = builder.delegate_size_limit(MAX_COMPILED_BYTES).build();
                regex.map(Box::new).map(CompiledRegexp::Backtracking).map_err(|error| compile_error(&error))
            };
            if result.is_ok() || tree.called_groups.is_empty() {
                break;
            }
        }
        result
    }

    fn is_match(&self, subject: &str) -> Result<bool> {
        match self {
            CompiledRegexp::Linear(linear) => Ok(linear.is_match(subject)),
            CompiledRegexp::Backtracking(regex) => {
                regex.is_match(&InterruptibleSubject(subject)).map_err(|error| match_error(&error))
            }
        }
    }

    fn search(&self, tree: &Tree, subject: &str, start: usize) -> Result<Option<Captures>> {
        // An engine forgets groups that are repeated no times.
        let groups = tree.group_names.len();
        match self {
            CompiledRegexp::Linear(linear) => Ok(linear.search(subject, start, groups)),
            CompiledRegexp::Backtracking(regex) => {
                let subject = InterruptibleSubject(subject);
                let found = regex.captures_from_pos(&subject, start).map_err(|error| match_error(&error))?;
                Ok(found.and_then(|captures| Captures::new(groups, |group| captures.get(group))))
            }
        }
    }
}

impl LinearRegexp {
    fn compile_linear(text: String) -> Result<Box<LinearRegexp>> {
        let engines = meta::Config::new().nfa_size_limit(Some(MAX_COMPILED_BYTES)).dfa(false);
        let engines = engines.onepass_size_limit(Some(MAX_ONEPASS_BYTES));
        let regex = meta::Builder::new().configure(engines).syntax(syntax_config()).build(&text).map_err(|error| {
            let limit = error.size_limit().map(|limit| format!("it would take more than {limit} bytes"));
            compile_error(&limit.unwrap_or_else(|| error.to_string()))
        })?;
        let program_bytes = regex.memory_usage();
        if regex.captures_len().saturating_mul(program_bytes) > MAX_GROUPS_TIMES_BYTES {
            return Err(compile_error(&"it has too many groups for its length"));
        }
        Ok(Box::new(LinearRegexp { pattern: text, regex, program_bytes, long_search_engine: OnceLock::new() }))
    }

    /// Whether a search of `bytes` bytes may take so long that it has to be interruptible by Ctrl-C.
    fn is_long_search(&self, bytes: usize) -> bool {
        /// The maximum product of bytes and states in a short search; each takes a few nanoseconds.
        const MAX_SHORT_SEARCH_STEPS: usize = 10_000_000;
        /// The minimum size of a state of the compiled expression, in bytes; gives the maximum number of states.
        const MIN_STATE_BYTES: usize = 64;
        bytes.saturating_mul(self.program_bytes / MIN_STATE_BYTES) > MAX_SHORT_SEARCH_STEPS
    }

    fn interruptible_engine(&self, bytes: usize) -> Option<&InterruptibleRegexp> {
        let new = || InterruptibleRegexp::compile_interruptible(&self.pattern);
        if self.is_long_search(bytes) { self.long_search_engine.get_or_init(new).as_ref() } else { None }
    }

    fn is_match(&self, subject: &str) -> bool {
        if let Some(long) = self.interruptible_engine(subject.len()) {
            let found = long.find_with_dfa(subject, 0).map(|found| found.is_some());
            return found.unwrap_or_else(|_| long.run_nfa(subject, 0..subject.len(), false, 0).is_some());
        }
        self.regex.is_match(subject)
    }

    fn search(&self, subject: &str, start: usize, groups: usize) -> Option<Captures> {
        let mut input = Input::new(subject).range(start..);
        if let Some(long) = self.interruptible_engine(subject.len() - start) {
            let (part, is_anchored) = match long.find_with_dfa(subject, start) {
                Ok(found) => (found?, true),
                Err(_) => (start..subject.len(), false),
            };
            if is_anchored && groups == 0 {
                return Captures::new(groups, |_| Some(part.clone()));
            }
            if !is_anchored || self.is_long_search(part.len()) {
                let slots = long.run_nfa(subject, part, is_anchored, groups + 1)?;
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

/// The string that the backtracking engine searches. The engine reads it at every step, and each read checks whether
/// the user has pressed Ctrl-C, so that a long search can be stopped.
#[derive(Debug)]
struct InterruptibleSubject<'a>(&'a str);

impl fancy_regex::Input for InterruptibleSubject<'_> {
    type Match<'t>
        = Range<usize>
    where
        Self: 't;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn as_bytes(&self) -> &[u8] {
        check_interrupt(self.0);
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

pub(super) fn syntax_config() -> syntax::Config {
    syntax::Config::new().nest_limit(MAX_ENGINE_NESTING)
}

fn compile_error(error: &impl std::fmt::Display) -> Error {
    Error::runtime(format!("the regular expression cannot be compiled: {error}"))
}

fn match_error(error: &fancy_regex::Error) -> Error {
    match error {
        fancy_regex::Error::RuntimeError(_) => {
            let stopped = format!("matching stopped after {MAX_BACKTRACK_STEPS} backtracking steps");
            Error::runtime(format!("{stopped}: the regular expression has too many ways to match"))
                .with_help("avoid nested repetition such as `(a+)+`, and recursion more than a few levels deep")
        }
        other => Error::runtime(format!("matching failed: {other}")),
    }
}
