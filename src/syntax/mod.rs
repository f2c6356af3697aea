//! Parser and printer for the whole Puppet language.
//!
//! The parser consists of nom combinators: one parser function per production of `grammar/puppet.ebnf`, in the file of
//! the production's section (`grammar::choices` for "Choices"). Parsers read an `input::Input`; `combinators` has the
//! combinators that nom lacks. A token includes the white space and comments after it. An error lists what was expected
//! at the furthest offset that parsing reached (`failure`); `recovery` then continues after the mistake.
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
mod validate;

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::stack;
use crate::text::{Source, Span};
use errors::SyntaxError;
pub(crate) use grammar::calls::STATEMENT_FUNCTIONS;
pub(crate) use grammar::operators;
pub use grammar::words::KEYWORDS;
pub(crate) use grammar::words::is_bare_word;
use grammar::{statements, templates};
use input::Input;
pub use sensitive::sensitive_literals;
use state::State;
pub(crate) use suggestions::find_repaired_text;
use tree::Tree;
pub use validate::{Finding, RuleKind, validate};

/// Parses a whole program.
///
/// # Errors
/// Fails at the furthest offset that parsing reached; [`Error::is_unfinished`] says whether more input could help.
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
    parse_source(source, |_| {}, statements::program).map_err(first_error)
}

/// Parses a whole program, and continues after each mistake to find the others.
///
/// # Errors
/// Returns all mistakes in source order, at most 100; the first is that of [`parse`].
///
/// ```
/// use pcore::text::Source;
/// let source = Source::new("example", "$a = [1, 2\n$b = 3\n$c = 4\n$d = ]\n");
/// let errors = pcore::syntax::parse_all(&source).unwrap_err();
/// assert_eq!(errors.len(), 2);
/// ```
pub fn parse_all(source: &Arc<Source>) -> Result<Tree, Vec<Error>> {
    parse_source(source, |state| state.recovery.is_enabled.set(true), statements::program)
}

fn first_error(errors: Vec<Error>) -> Error {
    errors.into_iter().next().unwrap_or_else(|| SyntaxError::Nesting.into_error_at(Span::new(0, 0)))
}

/// Parses a template in embedded Puppet (EPP). The body of the tree is an [`Expression::Epp`](tree::Expression::Epp).
///
/// # Errors
/// Fails like [`parse`], and at a tag or a comment that is not closed.
///
/// ```
/// use pcore::text::Source;
/// let tree = pcore::syntax::parse_template(&Source::new("motd.epp", "port <%= $port -%>\n\n"))?;
/// let pn = r#"(lambda {:body [(epp (render-s "port ") (render (var "port")) (render-s "\n"))]})"#;
/// assert_eq!(pcore::syntax::pn::to_pn(&tree), pn);
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn parse_template(source: &Arc<Source>) -> Result<Tree> {
    parse_source(source, |state| state.is_template = true, templates::template).map_err(first_error)
}

/// The parser of a start symbol of the grammar: `program` or `template`.
type Start = for<'s> fn(Input<'s>) -> input::Parsed<'s, tree::Id>;

/// Parses `source` with `production`; `prepare` sets options of the state. Retries on a larger stack if needed.
fn parse_source(source: &Arc<Source>, prepare: fn(&mut State<'_>), production: Start) -> Result<Tree, Vec<Error>> {
    let read = || {
        let mut state = State::new(source.text());
        prepare(&mut state);
        (parse_on_this_stack(source, &state, production), state.is_out_of_stack.get())
    };
    match read() {
        (too_deep, true) => stack::try_run_on_new_stack(read).map_or(too_deep, |(result, _)| result),
        (result, false) => result,
    }
}

fn parse_on_this_stack<'a>(source: &Arc<Source>, state: &'a State<'a>, production: Start) -> Result<Tree, Vec<Error>> {
    let start = Input::new(state);
    let result = match start.strip_prefix("\u{FEFF}") {
        Some(rest) => input::fail_with(SyntaxError::ByteOrderMark, start.until_start_of(rest)),
        None => production(start),
    };
    let mut errors = state.recovery.errors.take();
    let body = match result {
        Ok((_, body)) => Some(body),
        Err(stop) => {
            errors.extend(failure::error_for_stop(&stop, state));
            None
        }
    };
    if errors.is_empty() && body.is_some() {
        errors.extend(state.out_of_range_error.take());
    }
    let located = |error: Error| error.in_source(source);
    let Some(body) = body.filter(|_| errors.is_empty()) else {
        return Err(errors.into_iter().map(located).collect());
    };
    let warning = |span: Span| SyntaxError::UnknownEscape(state.source[span.range()].to_owned()).into_error_at(span);
    let warnings = state.unknown_escapes.take().into_iter().map(warning).map(located).collect();
    Ok(Tree { source: source.clone(), nodes: state.nodes.take(), body, warnings })
}
