//! Parser and printer for the whole Puppet language.
//!
//! A source is parsed once, from left to right, by one function per production; the production is quoted above its
//! function and in `grammar/puppet.ebnf`. The next character or word decides what follows, so that nothing is parsed
//! twice. White space and comments belong to the token before them. Every function records what it expected in vain;
//! the furthest record is the error.
//!
//! This module does not know which types, functions or variables exist.

mod calls;
mod children;
mod conditionals;
mod definitions;
mod epp;
mod errors;
mod expressions;
mod heredoc;
mod ids;
mod input;
mod lexical;
mod numbers;
pub mod pn;
pub(crate) mod precedence;
pub mod printer;
mod regexp;
mod resources;
mod sensitive;
mod statements;
mod strings;
mod suggestions;
pub mod tokens;
pub mod tree;
pub(crate) mod type_text;
mod validate;

use std::sync::Arc;

use crate::error::{Error, Result};
use crate::stack;
use crate::text::{Source, Span};
use errors::{Expected, Found, SyntaxError};
use input::{Input, State, Stop};
pub use lexical::KEYWORDS;
pub use sensitive::sensitive_literals;
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
    read(source, |text| State::new(text), statements::program)
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
    read(source, |text| State::of_template(text), epp::template)
}

/// Reads a whole text by its first production, which few texts nest too deeply for.
fn read(
    source: &Arc<Source>,
    state: for<'s> fn(&'s str) -> State<'s>,
    production: for<'s> fn(Input<'s>) -> input::Parsed<'s, tree::Id>,
) -> Result<Tree> {
    let read = || read_here(source, &state(source.text()), production);
    read().unwrap_or_else(|too_deep| {
        let outcome = stack::try_on_new_segment(read).unwrap_or_else(|_| Err(too_deep));
        outcome.unwrap_or_else(Err)
    })
}

/// Reads a whole text as far as the stack has room for it.
///
/// # Errors
/// The stack is used up.
fn read_here<'a>(
    source: &'a Arc<Source>,
    state: &'a State<'a>,
    production: for<'s> fn(Input<'s>) -> input::Parsed<'s, tree::Id>,
) -> Result<Result<Tree>, Error> {
    let start = Input::new(state);
    let result = match source.text().strip_prefix('\u{FEFF}') {
        Some(_) => input::refuse(SyntaxError::ByteOrderMark, start.span_until(start.skip('\u{FEFF}'.len_utf8()))),
        None => production(start),
    };
    let body = match result {
        Ok((_, body)) => overflow(state).map_or(Ok(body), Err),
        Err(nom::Err::Failure(Stop::Error(error))) if state.is_out_of_room.get() => {
            return Err(error.in_source(source));
        }
        Err(nom::Err::Failure(Stop::Error(error)) | nom::Err::Error(Stop::Error(error))) => Err(error),
        Err(_) => Err(furthest_failure(state, source.text())),
    };
    Ok(match body {
        Ok(body) => {
            let warning = |span: Span| {
                let escape = state.text()[span.range()].to_owned();
                SyntaxError::UnknownEscape(escape).at(span).in_source(source)
            };
            let warnings = state.unknown_escapes().into_iter().map(warning).collect();
            Ok(Tree { source: source.clone(), nodes: state.take_nodes(), body, warnings })
        }
        Err(error) => Err(error.in_source(source)),
    })
}

/// The error of an integer literal that no minus made small enough.
fn overflow<'a>(state: &'a State<'a>) -> Option<Error> {
    let id = *state.overflows().first()?;
    let span = Input::new(state).span_of(id);
    Some(SyntaxError::IntegerOverflow(state.text()[span.range()].to_owned()).at(span))
}

/// The error at the furthest place that something was looked for.
fn furthest_failure(state: &State<'_>, text: &str) -> Error {
    let (place, expected) = state.furthest();
    let rest = &text[place..];
    if rest.is_empty() && state.is_template && !state.in_text.get() {
        return SyntaxError::UnclosedTag.at(Span::new(place, place));
    }
    let expected = Expected::worth_naming(expected);
    if let Some(start) = state.open_interpolation()
        && !strings::interpolation_closes(rest)
    {
        let error = SyntaxError::UnclosedInterpolation.at(Span::new(text.len(), text.len()));
        let error = error.with_label(Span::new(start, start + 2), "the interpolation starts here");
        let reason = format!("expected {} here", errors::Alternatives(&expected));
        return if rest.is_empty() { error } else { error.with_label(Span::new(place, place), reason) };
    }
    if let Some(error) = malformed_token(text, place) {
        return error;
    }
    let length = lexical::token_length(rest);
    let found = &rest[..length];
    let before = text[..place].trim_end();
    let advice = suggestions::advice(&suggestions::Failure { before, found, rest, expected: &expected });
    let misses_end = expected.iter().any(|one| one.closes());
    let found = if rest.is_empty() { Found::End } else { Found::Text(found.to_owned()) };
    let (help, mark) = advice.map_or((None, None), |advice| (Some(advice.hint.to_owned()), advice.mark));
    let error = SyntaxError::Unexpected { expected, found, help }.at(Span::new(place, place + length));
    match state.open_bracket() {
        _ if mark.is_some() => mark.into_iter().fold(error, |error, (span, text)| error.with_label(span, text)),
        Some(open) if misses_end => {
            let error = error.with_label(Span::new(open, open + 1), "opened here");
            let closing = match text.get(open..).and_then(|rest| rest.chars().next()).unwrap_or_default() {
                '(' => ')',
                '[' => ']',
                '{' => '}',
                same => same,
            };
            if rest.is_empty() { error.with_help(format!("close the bracket with `{closing}`")) } else { error }
        }
        _ => error,
    }
}

/// The error of the token at `place`, where it is none: that explains more than what else could stand there.
fn malformed_token(text: &str, place: usize) -> Option<Error> {
    let state = State::new(text);
    let input = Input::new(&state).skip(place);
    let result = match input.byte() {
        b'0'..=b'9' => numbers::number(input).map(|_| ()),
        b'\'' => strings::single_quoted(input).map(|_| ()),
        _ => lexical::word(input).map(|_| ()),
    };
    match result {
        Err(nom::Err::Failure(Stop::Error(error))) => Some(error),
        _ => None,
    }
}
