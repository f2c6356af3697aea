//! Calls of functions (`f(1)`), of methods (`1.f`) and of statement functions (`include a`), and lambdas.

use super::definitions::{parameters, return_type};
use super::operands::{arguments, reserved_word};
use super::prelude::*;
use super::statements::block;
use super::words::{name, not_at_line_start};

/// The functions that can be called without parentheses, as statements.
///
/// Observed: Puppet 8.11; `alert`, `crit` and `emerg` are not among them.
pub(crate) const STATEMENT_FUNCTIONS: [&str; 15] = [
    "break", "contain", "debug", "err", "fail", "import", "include", "info", "next", "notice", "realize", "require",
    "return", "tag", "warning",
];

/// `call ::= <!newline_and_heredocs "(" arguments? ")" (lambda | !"|")`
///
/// `functor` is the node of the function before the parenthesis, which must not be the first token on its line.
pub(super) fn call<'a>(functor: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let (here, (arguments, lambda)) = (parenthesized_arguments, opt(lambda)).parse(input)?;
        let call = Expression::Call { receiver: None, functor, arguments, lambda, statement: false };
        Ok((here, here.add_node(input.span_since_node(functor), call)))
    }
}

/// `method_call ::= "." (name | "type") (<!newline_and_heredocs "(" arguments? ")")? (lambda | !"|")`
///
/// Errors about the call point at its opening parenthesis or, if it has none, at its dot.
pub(super) fn method_call<'a>(receiver: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let method = or_record_expected(Expected::MethodName, alt((token(name), reserved_word("type"))));
        let method = parse_node(method.map(|name| Expression::Name(name.text().into())));
        let (after, ((), functor)) = (symbol(Expected::Dot), cut(method)).parse(input)?;
        let (here, (arguments, lambda)) = (opt(parenthesized_arguments), opt(lambda)).parse(after)?;
        let place = if arguments.is_some() { after.start() } else { input.start() };
        let span = input.span_since_node(receiver);
        let (receiver, arguments) = (Some(receiver), arguments.unwrap_or_default());
        let call = Expression::Call { receiver, functor, arguments, lambda, statement: false };
        Ok((here, here.add_node_with_error_offset(span, place, call)))
    }
}

fn parenthesized_arguments(input: Input<'_>) -> Parsed<'_, Ids> {
    let parentheses = in_brackets(Expected::OpenParenthesis, arguments, Expected::CloseParenthesis);
    preceded(peek(preceded(not_at_line_start, char('('))), parentheses).parse(input)
}

/// `lambda ::= "|" parameters? "|" return_type? block`
fn lambda(input: Input<'_>) -> Parsed<'_, Id> {
    let parameters = in_brackets(Expected::Bar, parameters(Expected::Bar), Expected::Bar);
    let lambda = (parameters.map(Vec::into_boxed_slice), cut((opt(return_type), block)));
    parse_node(lambda.map(|(parameters, (return_type, body))| Expression::Lambda { parameters, return_type, body }))
        .parse(input)
}

/// ```ebnf
/// statement_function ::= "break" | "contain" | "debug" | "err" | "fail" | "import" | "include" | "info" | "next"
///                      | "notice" | "realize" | "require" | "return" | "tag" | "warning"
/// ```
pub(super) fn statement_function(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    verify(name, |name: &Input<'_>| STATEMENT_FUNCTIONS.contains(&name.text())).parse(input)
}
