//! The conditionals: `if`, `unless`, `case` and selectors.

use super::prelude::*;
use super::{operators::expression, statements::block};
use crate::syntax::{recovery, tree::CaseOption};

/// `if ::= "if" condition`
pub(super) fn if_(input: Input<'_>) -> Parsed<'_, Id> {
    parse_node(preceded(keyword("if"), cut(condition))).parse(input)
}

/// `condition ::= expression block ("elsif" condition | "else" block)?`
fn condition(input: Input<'_>) -> Parsed<'_, Expression> {
    let elsif = parse_node(preceded(keyword("elsif"), cut(nested_one_level(condition))));
    let parts = (expression, block, opt(alt((elsif, else_branch))));
    let node = |(condition, then, otherwise)| Expression::If { is_unless: false, condition, then, otherwise };
    parts.map(node).parse(input)
}

fn else_branch(input: Input<'_>) -> Parsed<'_, Id> {
    preceded(or_record_expected(Expected::Else, keyword("else")), cut(block)).parse(input)
}

/// `unless ::= "unless" expression block ("else" block)?`
pub(super) fn unless(input: Input<'_>) -> Parsed<'_, Id> {
    let parts = preceded(keyword("unless"), cut((expression, block, opt(else_branch))));
    let node = |(condition, then, otherwise)| Expression::If { is_unless: true, condition, then, otherwise };
    parse_node(parts.map(node)).parse(input)
}

/// `case ::= "case" expression "{" case_option+ "}"`
pub(super) fn case(input: Input<'_>) -> Parsed<'_, Id> {
    let option = recovery::item_or_recover(commit_after_token(case_option), Expected::Semicolon);
    let option = or_record_expected(Expected::Expression, preceded(not(peek_symbol(Expected::CloseBrace)), option));
    let options = in_brackets(Expected::OpenBrace, many1(option), Expected::CloseBrace);
    let options = options.map(|options| options.into_iter().flatten().collect());
    let parts = preceded(keyword("case"), cut((expression, options)));
    parse_node(parts.map(|(control, options)| Expression::Case(control, options))).parse(input)
}

/// `case_option ::= expression ("," expression)* ":" block`
fn case_option(input: Input<'_>) -> Parsed<'_, CaseOption> {
    let values = separated_list1(symbol(Expected::Comma), expression).map(Vec::into_boxed_slice);
    let option = separated_pair(values, symbol(Expected::Colon), block);
    option.map(|(values, then)| CaseOption { values, then }).parse(input)
}

/// `selector ::= "?" ("{" selector_entry ("," selector_entry)* ","? "}" | !"{" selector_entry)`
pub(super) fn selector<'a>(control: Id) -> impl Rule<'a, Id> {
    move |input: Input<'a>| {
        let (here, entries) = preceded(symbol(Expected::Question), cut(selector_entries)).parse(input)?;
        Ok((here, here.add_node(input.span_since_node(control), Expression::Selector(control, entries))))
    }
}

fn selector_entries(input: Input<'_>) -> Parsed<'_, Vec<CaseOption>> {
    by_first_char!(input, {
        '{' => {
            let entries = separated_items1(selector_entry, Expected::Comma, peek_symbol(Expected::CloseBrace));
            in_brackets(Expected::OpenBrace, entries, Expected::CloseBrace)
        },
        _ => selector_entry.map(|entry| vec![entry]),
    })
}

/// `selector_entry ::= expression "=>" expression`
fn selector_entry(input: Input<'_>) -> Parsed<'_, CaseOption> {
    let entry = separated_pair(expression, symbol(Expected::Arrow), expression);
    entry.map(|(value, then)| CaseOption { values: [value].into(), then }).parse(input)
}
