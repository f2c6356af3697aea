//! Operands: literals, variables, brackets, and what can directly follow them.

use super::calls::{call, call_follows, method_call};
use super::conditionals::{case, if_, unless};
use super::definitions::{class, define, function, node_definition, type_};
use super::epp::tag_end_length;
use super::errors::{Expected, SyntaxError};
use super::heredoc::heredoc;
use super::input::{Input, MAX_NESTING_LEVELS, Parsed, refuse};
use super::lexical::{
    Word, is_blank, list, optional_symbol, space, symbol, symbol_follows, token, variable_name_length, word,
};
use super::numbers::number;
use super::regexp::regexp;
use super::resources::collector;
use super::statements::assignment;
use super::strings::{double_quoted, interpolated_variable, single_quoted};
use super::tree::{Expression, Id, Ids, Literal, Radix, UnaryOperator};
use crate::text::Span;

/// ```ebnf
/// operand ::= "-" lowest_number !(postfix_start | "." | "<|" | "<<|") | ("-" | "!" | "*") operand | primary postfixes
/// ```
///
/// A minus before a number literal makes a negative literal.
pub(super) fn operand(input: Input<'_>) -> Parsed<'_, Id> {
    if matches!(input.byte(), b'-' | b'!' | b'*') && prefix(input).is_some() {
        return prefixed(input);
    }
    let (here, value) = primary(input)?;
    postfix(here, value)
}

/// Returns the prefix operator at the input, if there is one.
fn prefix(input: Input<'_>) -> Option<UnaryOperator> {
    match (input.byte(), input.byte_at(1)) {
        (b'-', next) if !matches!(next, b'>' | b'=') && tag_end_length(input) == 0 => Some(UnaryOperator::Minus),
        (b'!', next) if !matches!(next, b'=' | b'~') => Some(UnaryOperator::Not),
        (b'*', _) => Some(UnaryOperator::Unfold),
        _ => None,
    }
}

/// Parses an operand with any number of prefix operators.
fn prefixed(input: Input<'_>) -> Parsed<'_, Id> {
    let mut prefixes = Vec::new();
    let mut here = input;
    while let Some(operator) = prefix(here) {
        if prefixes.len() >= MAX_NESTING_LEVELS as usize {
            return refuse(SyntaxError::Nesting, here.span_until(here));
        }
        prefixes.push((operator, here));
        here = token(here.skip(1), ())?.0;
    }
    let (here, mut value) = operand(here)?;
    for (operator, start) in prefixes.into_iter().rev() {
        let span = Span { start: start.offset, end: here.span_of(value).end };
        value = match operator {
            UnaryOperator::Minus => negated(start, span, value),
            UnaryOperator::Not | UnaryOperator::Unfold => start.node(span, Expression::Unary(operator, value)),
        };
    }
    Ok((here, value))
}

/// The negative of a number literal, or the minus of anything else.
fn negated(input: Input<'_>, span: Span, value: Id) -> Id {
    let literal = input.look(value, |node| match node.expression {
        Expression::Literal(Literal::Integer(i64::MIN, _)) => {
            let mut overflows = input.state.overflows();
            let too_large = overflows.last() == Some(&value);
            too_large.then(|| {
                overflows.pop();
                Expression::Literal(Literal::Integer(i64::MIN, Radix::Decimal))
            })
        }
        Expression::Literal(Literal::Integer(number, _)) if number >= 0 => {
            Some(Expression::Literal(Literal::Integer(-number, Radix::Decimal)))
        }
        Expression::Literal(Literal::Float(number)) if number.is_sign_positive() => {
            Some(Expression::Literal(Literal::Float(-number)))
        }
        _ => None,
    });
    input.node(span, literal.unwrap_or(Expression::Unary(UnaryOperator::Minus, value)))
}

/// ```ebnf
/// postfixes ::= postfix* !postfix_start
/// postfix ::= access | call | method_call | collector
/// postfix_start ::= <!gap "[" | <!line_start "("
/// ```
///
/// Parses the postfix operations on `value`. Most operands have none.
#[inline]
pub(super) fn postfix(input: Input<'_>, value: Id) -> Parsed<'_, Id> {
    if matches!(input.byte(), b'[' | b'(' | b'.' | b'<') { postfixes(input, value) } else { Ok((input, value)) }
}

fn postfixes(input: Input<'_>, mut value: Id) -> Parsed<'_, Id> {
    let mut here = input;
    loop {
        (here, value) = match here.byte() {
            b'[' if access_follows(here) => access(here, value)?,
            b'(' if call_follows(here) => call(here, value)?,
            b'.' => method_call(here, value)?,
            b'<' if here.bytes().starts_with(b"<|") || here.bytes().starts_with(b"<<|") => collector(here, value)?,
            _ => return Ok((here, value)),
        };
    }
}

/// Whether the bracket at `input` belongs to what stands before it: no white space lies between them.
pub(super) fn access_follows(input: Input<'_>) -> bool {
    input.byte() == b'[' && !input.before().ends_with(|last| is_blank(last) || matches!(last, '\r' | '\n'))
}

/// ```ebnf
/// access ::= <!gap "[" keys ","? "]"
/// ```
///
/// No white space stands before the bracket.
fn access(input: Input<'_>, value: Id) -> Parsed<'_, Id> {
    access_with(Elements::Keys, input, value)
}

/// An access with keys of the given kind.
pub(super) fn access_with(kind: Elements, input: Input<'_>, value: Id) -> Parsed<'_, Id> {
    let (here, ()) = symbol(Expected::OpenBracket)(input)?;
    let (here, arguments) = arguments(here, Expected::CloseBracket, kind)?;
    if arguments.is_empty() {
        return here.expected(Expected::Expression);
    }
    let (here, ()) = symbol(Expected::CloseBracket)(here)?;
    let span = Span { start: here.span_of(value).start, ..input.span_to_last_token() };
    let place = here.place_of(value);
    Ok((here, here.node_at(span, place, Expression::Access(value, arguments))))
}

/// ```ebnf
/// primary ::= interpolated_variable | number | single_quoted | double_quoted | heredoc | regexp | variable | array | hash
///           | parenthesized | any_word
/// ```
fn primary(input: Input<'_>) -> Parsed<'_, Id> {
    if input.state.interpolated_variable.get() == input.offset {
        return interpolated_variable(input);
    }
    match input.byte() {
        b'0'..=b'9' => number(input),
        b'\'' => single_quoted(input),
        b'"' => double_quoted(input),
        b'$' => variable(input),
        b'[' => array(input),
        b'{' => hash(input),
        b'(' => parenthesized(input),
        b'/' => regexp(input),
        b'@' if input.byte_at(1) == b'(' => heredoc(input),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' | b':' => any_word(input),
        _ => input.expected(Expected::Expression),
    }
}

/// ```ebnf
/// any_word ::= undef | default | boolean | reserved | if | unless | case | function | class | define
///            | node_definition | type | name | bare_word | reference
/// undef ::= "undef"
/// default ::= "default"
/// boolean ::= "true" | "false"
/// reserved ::= "private" | "attr"
/// ```
fn any_word(input: Input<'_>) -> Parsed<'_, Id> {
    if input.byte() == b':' && input.byte_at(1) != b':' {
        return input.expected(Expected::Expression);
    }
    let (after, word) = word(input)?;
    let expression = match word {
        Some(Word::Name(name)) => Expression::Name(name.into()),
        Some(Word::Bare(text)) => Expression::Literal(Literal::String(text.into())),
        Some(Word::Reference(name)) => Expression::Reference(name.into()),
        Some(Word::Keyword("true")) => Expression::Literal(Literal::Boolean(true)),
        Some(Word::Keyword("false")) => Expression::Literal(Literal::Boolean(false)),
        Some(Word::Keyword(keyword)) => match keyword {
            "undef" | "default" | "private" | "attr" => {
                after.ends_reserved_word();
                match keyword {
                    "undef" => Expression::Literal(Literal::Undef),
                    "default" => Expression::Literal(Literal::Default),
                    _ => Expression::Reserved(keyword.into()),
                }
            }
            "if" => return if_(input),
            "unless" => return unless(input),
            "case" => return case(input),
            "function" => return function(input),
            "class" => return class(input),
            "define" => return define(input),
            "node" => return node_definition(input),
            "type" => return type_(input),
            _ => return input.expected(Expected::Expression),
        },
        None => return input.expected(Expected::Expression),
    };
    token(after, input.node(input.span_until(after), expression))
}

/// ```ebnf
/// variable ::= "$" variable_name?
/// ```
///
/// A dollar alone is read, so that the rule about names can reject it.
fn variable(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, name) = variable_name(input)?;
    Ok((here, input.node(input.span_to_last_token(), Expression::Variable(name.into()))))
}

/// ```ebnf
/// variable_name ::= "::"? [a-zA-Z0-9_]+ ("::" [a-zA-Z0-9_]+)*
/// ```
///
/// The name of the variable whose dollar stands here.
pub(super) fn variable_name(input: Input<'_>) -> Parsed<'_, &str> {
    let start = input.skip(1);
    let after = start.skip(variable_name_length(start.rest()));
    token(after, start.until(after))
}

/// ```ebnf
/// parenthesized ::= "(" assignment ")"
/// ```
fn parenthesized(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = symbol(Expected::OpenParenthesis)(input)?;
    let (here, value) = assignment(here)?;
    let (here, ()) = symbol(Expected::CloseParenthesis)(here)?;
    Ok((here, input.node(input.span_to_last_token(), Expression::Parenthesized(value))))
}

/// ```ebnf
/// array ::= "[" elements? "]"
/// ```
pub(super) fn array(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = symbol(Expected::OpenBracket)(input)?;
    let (here, elements) = arguments(here, Expected::CloseBracket, Elements::Array)?;
    let (here, ()) = symbol(Expected::CloseBracket)(here)?;
    Ok((here, input.node(input.span_to_last_token(), Expression::Array(elements))))
}

/// ```ebnf
/// hash ::= "{" (entry ("," entry)* ","?)? "}"
/// entry ::= element "=>" element
/// ```
pub(super) fn hash(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, ()) = symbol(Expected::OpenBrace)(input)?;
    let ends = |here| symbol_follows(Expected::CloseBrace, here);
    let (here, entries) = if ends(here) { (here, Vec::new()) } else { list(Expected::Comma, here, entry, ends)? };
    let (here, ()) = symbol(Expected::CloseBrace)(here)?;
    Ok((here, input.node(input.span_to_last_token(), Expression::Hash(entries))))
}

fn entry(input: Input<'_>) -> Parsed<'_, (Id, Id)> {
    let (here, key) = element(input)?;
    let (here, ()) = symbol(Expected::Arrow)(here)?;
    let (here, value) = element(here)?;
    Ok((here, (key, value)))
}

/// What a list holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Elements {
    /// Of a call.
    Arguments,
    /// Of an access, where assignments, relationships and resources stand only in hashes.
    Keys,
    /// Of the type of a parameter, which also ends without a comma.
    TypeKeys,
    /// Of an array, where two reserved words are strings.
    Array,
}

/// ```ebnf
/// arguments ::= argument ("," argument)* ","?
/// argument ::= assignment ("=>" assignment)?
/// keys ::= key ("," key)*
/// key ::= assignment "=>" assignment | expression
/// elements ::= array_element ("," array_element)* ","?
/// array_element ::= element ("=>" element)?
/// ```
///
/// Reads up to the symbol `close`, which is left. Neighbouring `a => b` make one hash.
pub(super) fn arguments(input: Input<'_>, close: Expected, kind: Elements) -> Parsed<'_, Ids> {
    let parser = match kind {
        Elements::Arguments | Elements::Keys | Elements::TypeKeys => assignment,
        Elements::Array => element,
    };
    let mut list = Ids::new();
    let mut entries: Vec<(Id, Id)> = Vec::new();
    let mut here = input;
    let mut after_comma = false;
    while (after_comma && kind == Elements::TypeKeys) || !symbol_follows(close, here) {
        let (after, value) = parser(here)?;
        here = after;
        if here.bytes().starts_with(Expected::Arrow.text().as_bytes()) {
            let (after, ()) = symbol(Expected::Arrow)(here)?;
            let (after, second) = parser(after)?;
            entries.push((value, second));
            here = after;
        } else if matches!(kind, Elements::Keys | Elements::TypeKeys) && !is_key(here, value) {
            return here.expected(Expected::Arrow);
        } else {
            close_entries(here, &mut entries, &mut list);
            list.push(value);
        }
        (here, after_comma) = optional_symbol(Expected::Comma, here)?;
        if !after_comma {
            break;
        }
    }
    close_entries(here, &mut entries, &mut list);
    Ok((here, list))
}

/// Whether a node can be the only one in the brackets of an access.
fn is_key(input: Input<'_>, value: Id) -> bool {
    use super::tree::BinaryOperator::{After, Before, NotifiedBy, Notifies};
    input.look(value, |node| match node.expression {
        Expression::Binary(operator, ..) => !matches!(operator, Before | After | Notifies | NotifiedBy),
        // The last is a statement function with attributes.
        Expression::Assignment(..) | Expression::Resource { .. } | Expression::Call { statement: true, .. } => false,
        _ => true,
    })
}

/// Makes one hash of the entries that stood next to each other.
fn close_entries(input: Input<'_>, entries: &mut Vec<(Id, Id)>, list: &mut Ids) {
    if let (Some((first, _)), Some((_, last))) = (entries.first(), entries.last()) {
        let span = input.span_of(*first).to(input.span_of(*last));
        list.push(input.node(span, Expression::Hash(std::mem::take(entries))));
    }
}

/// ```ebnf
/// element ::= ("type" | "function") &("," | "]" | "}" | "=>") | assignment
/// ```
///
/// Observed: Puppet 8.11 reads these two reserved words as strings in arrays and hashes.
fn element(input: Input<'_>) -> Parsed<'_, Id> {
    if matches!(input.byte(), b't' | b'f')
        && let (after, Some(Word::Keyword(word @ ("type" | "function")))) = word(input)?
    {
        let (next, ()) = space(after)?;
        if matches!(next.byte(), b',' | b']' | b'}') || next.rest().starts_with("=>") {
            return token(
                after,
                input.node(input.span_until(after), Expression::Literal(Literal::String(word.into()))),
            );
        }
    }
    assignment(input)
}
