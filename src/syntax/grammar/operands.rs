//! Operands: literals, variables, brackets, and the accesses, calls and collectors that can directly follow them.

use super::calls::{call, method_call};
use super::catalog::collector;
use super::choices::{case, if_, unless};
use super::definitions::{class, define, function, node_definition, type_};
use super::heredocs::heredoc;
use super::numbers::{lowest_magnitude, number};
use super::operators::is_plain_expression;
use super::prelude::*;
use super::regexps::regexp;
use super::statements::assignment;
use super::strings::{double_quoted, interpolated_variable, single_quoted};
use super::text::tag_end;
use super::words::{bare_word, malformed_word, name, not_after_space, not_at_line_start, reference, variable};
use crate::syntax::tree::UnaryOperator;

/// ```ebnf
/// operand ::= "-" lowest_magnitude !(postfix_start | "." | "<|" | "<<|") | ("-" | "!" | "*") operand | primary postfixes
/// ```
pub(super) fn operand(input: Input<'_>) -> Parsed<'_, Id> {
    by_first_char!(input, {
        '-' => or_record_expected(Expected::Expression, alt((lowest_integer, prefix_operation))),
        '!' | '*' => or_record_expected(Expected::Expression, prefix_operation),
        _ => primary.flat_map(postfixes),
    })
}

/// Parses `-9223372036854775808`, whose absolute value is not in the range of an Integer.
fn lowest_integer(input: Input<'_>) -> Parsed<'_, Id> {
    let continuation = alt((postfix_start, alt((tag("."), tag("<|"), tag("<<|"))).map(drop)));
    let lowest = (token(char('-')), token(lowest_magnitude), not(continuation));
    parse_node(lowest.map(|_| Expression::Literal(Literal::Integer(i64::MIN, 10)))).parse(input)
}

fn prefix_operation(input: Input<'_>) -> Parsed<'_, Id> {
    let (here, (operator, operand)) = (token(prefix_operator), cut(nested_one_level(operand))).parse(input)?;
    let (end, literal) = here.access_node(operand, |node| (node.span.end, negated_literal(operator, &node.expression)));
    let span = Span { start: input.start(), end };
    Ok((here, input.add_node(span, literal.unwrap_or(Expression::Unary(operator, operand)))))
}

/// Parses a prefix operator, unless it starts a longer symbol, such as `->` or `!=`.
fn prefix_operator(input: Input<'_>) -> Parsed<'_, UnaryOperator> {
    let minus = (char('-'), not(one_of(">=")));
    alt((
        preceded(not(tag_end), minus).map(|_| UnaryOperator::Minus),
        (char('!'), not(one_of("=~"))).map(|_| UnaryOperator::Not),
        char('*').map(|_| UnaryOperator::Unfold),
    ))
    .parse(input)
}

fn negated_literal(operator: UnaryOperator, operand: &Expression) -> Option<Expression> {
    Some(Expression::Literal(match operand {
        _ if operator != UnaryOperator::Minus => return None,
        Expression::Literal(Literal::Integer(number, _)) if *number >= 0 => Literal::Integer(-number, 10),
        Expression::Literal(Literal::Float(number)) if number.is_sign_positive() => Literal::Float(-number),
        _ => return None,
    }))
}

/// `postfixes ::= postfix* !postfix_start`
pub(super) fn postfixes<'a>(mut value: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let mut here = input;
        loop {
            match postfix(value).parse(here) {
                Ok(further) => (here, value) = further,
                Err(nom::Err::Error(_)) => return Ok((here, value)),
                Err(failure) => return Err(failure),
            }
        }
    }
}

/// `postfix ::= access | call | method_call | collector`
fn postfix<'a>(value: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        by_first_char!(input, {
            '[' => access(value),
            '(' => call(value),
            '.' => method_call(value),
            '<' => collector(value),
            _ => fail(),
        })
    }
}

/// `postfix_start ::= <!gap "[" | <!newline_and_heredocs "("`
pub(super) fn postfix_start(input: Input<'_>) -> Parsed<'_, ()> {
    alt((preceded(not_after_space, tag("[")), preceded(not_at_line_start, tag("(")))).map(drop).parse(input)
}

/// `access ::= <!gap "[" keys ","? "]"`
pub(super) fn access<'a>(value: Id) -> impl Rule<'a, Id> {
    let inside = preceded(opt(peek_symbol(Expected::CloseBracket)), terminated(keys, opt(symbol(Expected::Comma))));
    access_with_keys(value, inside)
}

/// Parses `inside` in brackets directly after the node `value`. Errors about the access point at `value`.
pub(super) fn access_with_keys<'a>(value: Id, inside: impl Rule<'a, Ids>) -> impl Rule<'a, Id> {
    let brackets = in_brackets(Expected::OpenBracket, inside, Expected::CloseBracket);
    let mut brackets = preceded(peek(preceded(not_after_space, char('['))), brackets);
    move |input: Input<'a>| {
        let (here, keys) = brackets.parse(input)?;
        let place = here.access_node(value, |node| node.place);
        let access = Expression::Access(value, keys);
        Ok((here, here.add_node_with_error_offset(input.span_since_node(value), place, access)))
    }
}

/// ```ebnf
/// primary ::= interpolated_variable | number | single_quoted | double_quoted | heredoc | regexp | variable | array | hash
///           | parenthesized | word_operand
/// ```
fn primary(input: Input<'_>) -> Parsed<'_, Id> {
    by_first_char!(input, {
        'a'..='z' | '_' | ':' | '0'..='9' if input.state.last_interpolation_start.get() == Some(input.start()) => {
            alt((interpolated_variable, number, or_record_expected(Expected::Expression, word_operand)))
        },
        'a'..='z' | 'A'..='Z' | '_' | ':' => or_record_expected(Expected::Expression, word_operand),
        '$' => parse_node(token(variable).map(|name| Expression::Variable(name.text().into()))),
        '\'' => single_quoted,
        '"' => double_quoted,
        '0'..='9' => number,
        '[' => array,
        '{' => hash,
        '(' => parenthesized,
        '/' => or_record_expected(Expected::Expression, regexp),
        '@' => or_record_expected(Expected::Expression, heredoc),
        _ => |input| Input::fail_expecting(input, Expected::Expression),
    })
}

/// ```ebnf
/// word_operand ::= undef | default | boolean | reserved | if | unless | case | function | class | define
///            | node_definition | type | name | bare_word | reference
/// ```
fn word_operand(input: Input<'_>) -> Parsed<'_, Id> {
    let plain = alt((
        token(name).map(|name| Expression::Name(name.text().into())),
        token(bare_word).map(|text| Expression::Literal(Literal::String(text.text().into()))),
        reference_expression,
        malformed_word,
    ));
    by_first_char!(input, {
        'A'..='Z' => parse_node(alt((reference_expression, malformed_word))),
        'a' | 'p' => alt((reserved, parse_node(plain))),
        'c' => alt((case, class, parse_node(plain))),
        'd' => alt((default, define, parse_node(plain))),
        'f' => alt((boolean, function, parse_node(plain))),
        'i' => alt((if_, parse_node(plain))),
        'n' => alt((node_definition, parse_node(plain))),
        't' => alt((boolean, type_, parse_node(plain))),
        'u' => alt((undef, unless, parse_node(plain))),
        _ => parse_node(plain),
    })
}

fn reference_expression(input: Input<'_>) -> Parsed<'_, Expression> {
    token(reference).map(|name| Expression::Reference(name.text().into())).parse(input)
}

/// Parses the reserved word `word` as an operand. A `/` after it may start a regular expression.
pub(super) fn reserved_word<'a>(word: &'static str) -> impl Rule<'a, Input<'a>> {
    let mut rule = keyword(word);
    move |input: Input<'a>| {
        let (here, word) = rule.parse(input)?;
        input.state.reserved_word_end.set(Some(word.span().end));
        Ok((here, word))
    }
}

/// `undef ::= "undef"`
fn undef(input: Input<'_>) -> Parsed<'_, Id> {
    parse_node(reserved_word("undef").map(|_| Expression::Literal(Literal::Undef))).parse(input)
}

/// `default ::= "default"`
pub(super) fn default(input: Input<'_>) -> Parsed<'_, Id> {
    parse_node(reserved_word("default").map(|_| Expression::Literal(Literal::Default))).parse(input)
}

/// `boolean ::= "true" | "false"`
fn boolean(input: Input<'_>) -> Parsed<'_, Id> {
    let value = alt((keyword("true").map(|_| true), keyword("false").map(|_| false)));
    parse_node(value.map(|value| Expression::Literal(Literal::Boolean(value)))).parse(input)
}

/// `reserved ::= "private" | "attr"`
fn reserved(input: Input<'_>) -> Parsed<'_, Id> {
    let word = alt((reserved_word("private"), reserved_word("attr")));
    parse_node(word.map(|word| Expression::Reserved(word.text().into()))).parse(input)
}

/// `parenthesized ::= "(" assignment ")"`
fn parenthesized(input: Input<'_>) -> Parsed<'_, Id> {
    let inside = in_brackets(Expected::OpenParenthesis, assignment, Expected::CloseParenthesis);
    parse_node(inside.map(Expression::Parenthesized)).parse(input)
}

/// `array ::= "[" elements? "]"`
pub(super) fn array(input: Input<'_>) -> Parsed<'_, Id> {
    parse_node(in_brackets(Expected::OpenBracket, elements, Expected::CloseBracket).map(Expression::Array)).parse(input)
}

/// `elements ::= array_element ("," array_element)* ","?`
fn elements(input: Input<'_>) -> Parsed<'_, Ids> {
    items_with_grouped_entries(array_element, Expected::CloseBracket).parse(input)
}

/// `hash ::= "{" (entry ("," entry)* ","?)? "}"`
pub(super) fn hash(input: Input<'_>) -> Parsed<'_, Id> {
    let entries = separated_items(entry, Expected::Comma, peek_symbol(Expected::CloseBrace));
    parse_node(in_brackets(Expected::OpenBrace, entries, Expected::CloseBrace).map(Expression::Hash)).parse(input)
}

/// `entry ::= element "=>" element`
fn entry(input: Input<'_>) -> Parsed<'_, (Id, Id)> {
    separated_pair(element, symbol(Expected::Arrow), element).parse(input)
}

/// An element of a list in parentheses or brackets: `value`, or `key => value`.
type Item = (Id, Option<Id>);

fn value_or_entry<'a>(first: impl Rule<'a, Id>, second: impl Rule<'a, Id>) -> impl Rule<'a, Item> {
    (first, opt(preceded((peek(tag("=>")), symbol(Expected::Arrow)), cut(second))))
}

/// Runs `items`, and joins neighbouring items `key => value` into one Hash: `[1, a => 2, b => 3]` has two elements.
fn group_entries<'a>(mut items: impl Rule<'a, SmallVec<[Item; 4]>>) -> impl Rule<'a, Ids> {
    move |input: Input<'a>| {
        let (here, items) = items.parse(input)?;
        if items.iter().all(|(_, second)| second.is_none()) {
            return Ok((here, items.into_iter().map(|(first, _)| first).collect()));
        }
        let groups = items.chunk_by(|(_, one), (_, next)| one.is_some() && next.is_some());
        let node = |group: &[Item]| match *group {
            [(first, Some(_)), .., (_, Some(last))] | [(first, Some(last))] => {
                let entries = group.iter().filter_map(|(key, value)| Some((*key, (*value)?))).collect();
                Some(here.add_node(here.span_of_node(first).union(here.span_of_node(last)), Expression::Hash(entries)))
            }
            _ => group.first().map(|(value, _)| *value),
        };
        Ok((here, groups.filter_map(node).collect()))
    }
}

/// Parses items with commas between them up to `close`; adjacent entries `key => value` become one Hash.
fn items_with_grouped_entries<'a>(item: impl Rule<'a, Item>, close: Expected) -> impl Rule<'a, Ids> {
    group_entries(separated_items(item, Expected::Comma, peek_symbol(close)))
}

/// `arguments ::= argument ("," argument)* ","?`
pub(super) fn arguments(input: Input<'_>) -> Parsed<'_, Ids> {
    items_with_grouped_entries(argument, Expected::CloseParenthesis).parse(input)
}

/// `argument ::= assignment ("=>" assignment)?`
fn argument(input: Input<'_>) -> Parsed<'_, Item> {
    value_or_entry(assignment, assignment).parse(input)
}

/// `keys ::= key ("," key)*`
pub(super) fn keys(input: Input<'_>) -> Parsed<'_, Ids> {
    group_entries(separated_list1(symbol(Expected::Comma), key).map(SmallVec::from_vec)).parse(input)
}

/// `key ::= assignment "=>" assignment | expression`
///
/// Assignments, relationships and resources are only allowed in entries `key => value`.
fn key(input: Input<'_>) -> Parsed<'_, Item> {
    let (here, item) = argument(input)?;
    if item.1.is_some() || here.access_node(item.0, |node| is_plain_expression(&node.expression)) {
        Ok((here, item))
    } else {
        cut(|input| Input::fail_expecting(input, Expected::Arrow)).parse(here)
    }
}

/// `array_element ::= element ("=>" element)?`
fn array_element(input: Input<'_>) -> Parsed<'_, Item> {
    value_or_entry(element, element).parse(input)
}

/// `element ::= ("type" | "function") &("," | "]" | "}" | "=>") | assignment`
///
/// Observed: Puppet 8.11 reads these two reserved words as strings in arrays and hashes.
fn element(input: Input<'_>) -> Parsed<'_, Id> {
    let follows = peek(alt((tag(","), tag("]"), tag("}"), tag("=>"))));
    let word =
        |word| terminated(keyword(word), follows).map(|word| Expression::Literal(Literal::String(word.text().into())));
    by_first_char!(input, {
        't' => alt((parse_node(word("type")), assignment)),
        'f' => alt((parse_node(word("function")), assignment)),
        _ => assignment,
    })
}
