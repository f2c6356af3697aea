//! Ruby's regular expressions: `/text/`.
//!
//! Ruby's syntax and semantics differ from those of every engine in Rust. So an expression goes through three steps:
//! our parser reads Ruby's syntax, reports errors and builds a tree; the tree is translated to the syntax of an engine;
//! the engine compiles it at the first match. A linear-time engine runs everything it can express, and a
//! backtracking one, with a step limit, the rest.
//!
//! All offsets are byte offsets in the subject (the string that is searched).

mod check;
mod class;
mod difference;
mod display;
mod ecma;
mod engine;
mod error;
mod escape;
mod group;
mod input;
mod long;
mod parse;
mod property;
mod replace;
mod sample;
mod set;
mod translate;
mod tree;

use std::cell::RefCell;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, Range};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::error::{Error, LIMIT, Result};
use crate::interrupt;
use crate::limits::{self, Limit};
use engine::Engine;
pub use replace::escape;
use tree::Tree;

const MAX_REPEATS: u32 = 100_000;

/// A constant expression of the crate `regex`, compiled at its first use. If that is interrupted, the next use compiles
/// it, which a `LazyLock` would not do.
pub(crate) struct ConstantRegex(&'static str, OnceLock<regex::Regex>);

impl ConstantRegex {
    pub(crate) const fn new(expression: &'static str) -> ConstantRegex {
        ConstantRegex(expression, OnceLock::new())
    }
}

impl Deref for ConstantRegex {
    type Target = regex::Regex;

    fn deref(&self) -> &regex::Regex {
        self.1.get_or_init(|| compile_constant(self.0))
    }
}

#[expect(clippy::expect_used, reason = "the expression is a constant")]
pub(crate) fn compile_constant(expression: &'static str) -> regex::Regex {
    regex::Regex::new(expression).expect("a valid regular expression")
}

/// A regular expression. Two expressions are equal if their source strings are.
/// ```
/// use pcore::regexp::Regexp;
/// let regexp = Regexp::new(r"\A[a-z]+\d*\z")?;
/// assert!(regexp.is_match("web1")? && !regexp.is_match("Web")?);
/// # Ok::<(), pcore::Error>(())
/// ```
#[derive(Debug)]
pub struct Regexp {
    text: Box<str>,
    tree: Tree,
    engine: OnceLock<Result<Engine>>,
}

thread_local! {
    /// The cache of expressions that Puppet code passed as strings, by their source; emptied when it has 64.
    static CACHED_REGEXPS: RefCell<FxHashMap<Box<str>, Arc<Regexp>>> = RefCell::default();
}

impl Regexp {
    /// Compiles a string that is used as an expression, as in `split($text, ',')`, and caches the result unless it is
    /// large, because compiling takes about a hundred times as long as a search.
    pub(crate) fn new_cached(text: &str) -> Result<Arc<Regexp>> {
        const MAX_CACHED_REGEXPS: usize = 64;
        const MAX_CACHED_BYTES: usize = 256 << 10;
        if let Some(known) = CACHED_REGEXPS.with_borrow(|known| known.get(text).cloned()) {
            return Ok(known);
        }
        let regexp = Arc::new(Regexp::new(text)?);
        let engine = regexp.engine.get_or_init(|| Engine::new(&regexp.tree));
        if engine.as_ref().is_ok_and(|engine| engine.size_bytes() <= MAX_CACHED_BYTES) {
            CACHED_REGEXPS.with_borrow_mut(|known| {
                if known.len() == MAX_CACHED_REGEXPS {
                    known.clear();
                }
                known.insert(text.into(), regexp.clone());
            });
        }
        Ok(regexp)
    }

    /// Parses `text`, the expression without slashes.
    ///
    /// # Errors
    /// If Ruby rejects the expression; the message gives the position. `LIMIT` for more than 128 KiB.
    pub fn new(text: &str) -> Result<Regexp> {
        if text.len() > limits::MAX_PATTERN_BYTES {
            let most = Limit::String.row().format_quantity(limits::MAX_PATTERN_BYTES as u64);
            return Err(Error::new(LIMIT, format!("a regular expression is longer than {most}")));
        }
        let tree = parse::parse(text).map_err(|rejection| rejection.into_error(text))?;
        Ok(Regexp { text: text.into(), tree, engine: OnceLock::new() })
    }

    /// Returns the source of the expression, without slashes.
    pub fn source(&self) -> &str {
        &self.text
    }

    /// Whether the expression matches anywhere in `subject`.
    ///
    /// # Errors
    /// If the backtracking limit is reached, or no engine can compile the expression.
    pub fn is_match(&self, subject: &str) -> Result<bool> {
        self.compiled_engine(subject)?.is_match(&self.tree, subject)
    }

    /// Returns the leftmost match in `subject` with its groups. Fails as [`Regexp::is_match`] does.
    pub fn captures(&self, subject: &str) -> Result<Option<Captures>> {
        self.captures_at(subject, 0)
    }

    /// Returns the leftmost match that starts at byte `start` or later. Look-behinds and anchors see all of `subject`.
    pub(crate) fn captures_at(&self, subject: &str, start: usize) -> Result<Option<Captures>> {
        self.compiled_engine(subject)?.search(&self.tree, subject, start)
    }

    /// Returns all non-overlapping matches from left to right. After an empty match the search continues one character
    /// later. As in Ruby, an empty match may directly follow another match.
    pub fn matches(&self, subject: &str) -> impl Iterator<Item = Result<Captures>> {
        let mut next = Some(0);
        std::iter::from_fn(move || {
            let found = self.captures_at(subject, next.take()?).transpose()?;
            if let Ok(captures) = &found {
                let Range { start, end } = captures.whole_span();
                next = if start < end { Some(end) } else { offset_after_character(subject, end) };
            }
            Some(found)
        })
    }

    /// Returns the name (if any) of each group from group 1 on. If one group is named, unnamed groups do not count.
    pub fn group_names(&self) -> impl Iterator<Item = Option<&str>> {
        self.tree.group_names.iter().map(Option::as_deref)
    }

    /// Returns the engine, compiled at the first call. As every search calls this, it also checks for Ctrl-C.
    fn compiled_engine(&self, subject: &str) -> Result<&Engine> {
        check_interrupt(subject);
        self.engine.get_or_init(|| Engine::new(&self.tree)).as_ref().map_err(Clone::clone)
    }
}

impl PartialEq for Regexp {
    fn eq(&self, other: &Regexp) -> bool {
        self.text == other.text
    }
}

impl Eq for Regexp {}

impl Hash for Regexp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

/// The byte ranges of a match and its groups. Group 0 is the whole match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captures {
    whole_span: Range<usize>,
    group_spans: Box<[Option<Range<usize>>]>,
}

impl Captures {
    fn new(groups: usize, mut span: impl FnMut(usize) -> Option<Range<usize>>) -> Option<Captures> {
        Some(Captures { whole_span: span(0)?, group_spans: (1..=groups).map(span).collect() })
    }

    /// Returns the byte range of the whole match.
    pub fn whole_span(&self) -> Range<usize> {
        self.whole_span.clone()
    }

    /// Returns the byte range of a group, or `None` if the group did not take part in the match or does not exist.
    pub fn group_span(&self, group: usize) -> Option<Range<usize>> {
        if group == 0 { Some(self.whole_span()) } else { self.group_spans.get(group - 1)?.clone() }
    }

    /// Returns the part of the searched string `subject` that a group matched; `None` as in [`Captures::group_span`].
    pub fn group_text<'a>(&self, group: usize, subject: &'a str) -> Option<&'a str> {
        subject.get(self.group_span(group)?)
    }

    /// Returns the number of groups including group 0, the whole match.
    #[allow(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        1 + self.group_spans.len()
    }
}

/// Checks whether Ctrl-C was pressed: at every call if `subject` is long, as a step may scan all of it, else seldom.
fn check_interrupt(subject: &str) {
    const LONG_SUBJECT_BYTES: usize = 4 << 10;
    if subject.len() < LONG_SUBJECT_BYTES {
        interrupt::take_step();
    } else {
        interrupt::poll();
    }
}

fn offset_after_character(subject: &str, offset: usize) -> Option<usize> {
    Some(offset + subject.get(offset..)?.chars().next()?.len_utf8())
}
