//! Parser and printer for the whole Puppet language.
//!
//! The parser is made of nom's combinators: one parser for each production, which is written as its line of
//! `grammar/puppet.ebnf` and is in the file of its section there (`grammar::choices` for "Choices"). `input` is what
//! they read, `combinators` has the few that nom lacks. White space and comments belong to the token before them. What is
//! expected in vain is noted, and the furthest note is the error (`failure`); after it, reading goes on (`recovery`).
//!
//! This module does not know which types, functions or variables exist.

mod children;
mod combinators;
mod errors;
mod failure;
pub(crate) mod grammar;
mod input;
pub mod pn;
pub mod printer;
mod recovery;
mod sensitive;
mod state;
mod suggestions;
pub mod tokens;
pub mod tree;
pub(crate) mod type_text;
mod validate;

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::stack;
use crate::text::{Source, Span};
use errors::SyntaxError;
pub(crate) use grammar::operators;
pub use grammar::words::KEYWORDS;
use grammar::{statements, templates};
use input::{Input, Stop};
pub use sensitive::sensitive_literals;
use state::State;
pub(crate) use suggestions::repaired;
use tree::Tree;
pub use validate::{Finding, Severity, validate};

/// Reads a whole program.
///
/// # Errors
/// At the furthest place that could be understood; [`Error::is_unfinished`] says whether more text could help.
///
/// ```
/// use pcore::text::Source;
/// let tree = pcore::syntax::parse(&Source::new("example", "1 + 2 * 3"))?;
/// assert_eq!(pcore::syntax::pn::to_pn(&tree), "(+ 1 (* 2 3))");
/// let error = pcore::syntax::parse(&Source::new("example", "[1, 2")).unwrap_err();
/// assert!(error.is_unfinished());
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn parse(source: &Arc<Source>) -> Result<Tree> {
    read(source, |_| {}, statements::program).map_err(first)
}

/// Reads a whole program, and goes on after a mistake.
///
/// # Errors
/// All mistakes, from first to last, at most 100; the first is that of [`parse`].
///
/// ```
/// use pcore::text::Source;
/// let source = Source::new("example", "$a = [1, 2\n$b = 3\n$c = 4\n$d = ]\n");
/// let errors = pcore::syntax::parse_all(&source).unwrap_err();
/// assert_eq!(errors.len(), 2);
/// ```
pub fn parse_all(source: &Arc<Source>) -> Result<Tree, Vec<Error>> {
    read(source, |state| state.recovery.goes_on.set(true), statements::program)
}

fn first(errors: Vec<Error>) -> Error {
    errors.into_iter().next().unwrap_or_else(|| SyntaxError::Nesting.at(Span::new(0, 0)))
}

/// Reads a template in embedded Puppet. The body is an [`Expression::Epp`](tree::Expression::Epp).
///
/// # Errors
/// As [`parse`]; and a tag or a comment that is not closed.
///
/// ```
/// use pcore::text::Source;
/// let tree = pcore::syntax::parse_template(&Source::new("motd.epp", "port <%= $port -%>\n\n"))?;
/// let pn = r#"(lambda {:body [(epp (render-s "port ") (render (var "port")) (render-s "\n"))]})"#;
/// assert_eq!(pcore::syntax::pn::to_pn(&tree), pn);
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn parse_template(source: &Arc<Source>) -> Result<Tree> {
    read(source, |state| state.is_template = true, templates::template).map_err(first)
}

/// The first production of a kind of text.
type Start = for<'s> fn(Input<'s>) -> input::Parsed<'s, tree::Id>;

/// Reads a whole text by its first production, which few texts nest too deeply for.
fn read(source: &Arc<Source>, prepare: fn(&mut State<'_>), production: Start) -> Result<Tree, Vec<Error>> {
    let read = || {
        let mut state = State::new(source.text());
        prepare(&mut state);
        read_here(source, &state, production)
    };
    read().unwrap_or_else(|too_deep| {
        let outcome = stack::try_on_new_segment(read).unwrap_or_else(|_| Err(too_deep));
        outcome.unwrap_or_else(|error| Err(vec![error]))
    })
}

/// Reads a whole text as far as the stack has room for it.
fn read_here<'a>(source: &Arc<Source>, state: &'a State<'a>, production: Start) -> Result<Result<Tree, Vec<Error>>> {
    let start = Input::new(state);
    let result = match start.behind("\u{FEFF}") {
        Some(rest) => input::refuse(SyntaxError::ByteOrderMark, start.until(rest)),
        None => production(start),
    };
    let mut errors = state.recovery.errors.take();
    let body = match result {
        Ok((_, body)) => Some(body),
        // No parser asks for more.
        Err(nom::Err::Failure(Stop::Recorded) | nom::Err::Incomplete(_)) => None,
        Err(nom::Err::Failure(stop) | nom::Err::Error(stop)) => {
            errors.push(failure::error_of(stop, state));
            None
        }
    };
    if errors.is_empty() && body.is_some() {
        errors.extend(state.out_of_range.take());
    }
    let located = |error: Error| error.in_source(source);
    if let Some(error) = errors.pop_if(|_| state.is_out_of_room.get()) {
        return Err(located(error));
    }
    let Some(body) = body.filter(|_| errors.is_empty()) else {
        return Ok(Err(errors.into_iter().map(located).collect()));
    };
    let warning = |span: Span| SyntaxError::UnknownEscape(state.source[span.range()].to_owned()).at(span);
    let warnings = state.unknown_escapes.take().into_iter().map(warning).map(located).collect();
    Ok(Ok(Tree { source: source.clone(), nodes: state.nodes.take(), body, warnings }))
}
