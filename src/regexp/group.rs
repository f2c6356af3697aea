//! Parses everything in parentheses, and references to groups and calls of groups.

use super::input::{CharsetOption, Input, Parsed, PatternParser, RegexpOptions};
use super::input::{fail_at_start, fail_here, with_start_here};
use super::parse::{groups_with_name, parse_alternatives, parse_branches};
use super::{check, error::Problem, tree::Node};
use crate::microsyntax::prelude::*;

/// `group ::= "(" ("?" special_group | body)`: a group of any kind, including look-around and conditionals
pub(super) fn parse_group<'a>(input: Input<'a>) -> Parsed<'a, Node> {
    let plain = |input: Input<'a>| {
        if input.state.is_named { parse_group_body(input) } else { parse_capture_body(None, input) }
    };
    with_start_here(preceded(char('('), alt((preceded(char('?'), parse_special_group), plain)))).parse(input)
}

/// `special_group ::= ":" body | ">" body | look body | name body | "(" conditional | options ":" body`
fn parse_special_group(input: Input<'_>) -> Parsed<'_, Node> {
    alt((
        preceded(char(':'), parse_group_body),
        preceded(char('>'), parse_group_body).map(|node| Node::Atomic(Box::new(node))),
        preceded(char('~'), fail_at_start(Problem::Unsupported("the absence operator `(?~…)`"))),
        parse_look_around,
        parse_named_group,
        preceded(char('('), parse_conditional),
        preceded((parse_options, char(':')), parse_group_body),
    ))
    .parse(input)
}

/// `body ::= alternatives ")"`: the content of a group up to its closing bracket, which must not be missing
fn parse_group_body(input: Input<'_>) -> Parsed<'_, Node> {
    terminated(parse_alternatives, char(')').or(fail_at_start(Problem::UnclosedGroup))).parse(input)
}

fn parse_capture_body(name: Option<Box<str>>, input: Input<'_>) -> Parsed<'_, Node> {
    input.state.group_names.borrow_mut().push(name);
    let number = input.state.group_names.borrow().len();
    parse_group_body.map(|node| Node::Group { number, node: Box::new(node) }).parse(input)
}

/// `look ::= "<"? [=!]`: a look-ahead or look-behind after `(?`, with its body
fn parse_look_around(input: Input<'_>) -> Parsed<'_, Node> {
    let (here, (behind, sign, node)) = (opt(char('<')), one_of("=!"), parse_group_body).parse(input)?;
    let (behind, negative) = (behind.is_some(), sign == '!');
    if behind && !check::is_valid_look_behind(&node, negative) {
        return fail_at_start(Problem::LookBehind).parse(input);
    }
    Ok((here, Node::Look { behind, negative, node: Box::new(node) }))
}

fn parse_named_group(input: Input<'_>) -> Parsed<'_, Node> {
    peek(one_of("<'")).parse(input)?;
    input.state.has_seen_named_group.set(true);
    let (here, name) = parse_group_name(input)?;
    if name.starts_with(|first: char| first.is_ascii_digit() || first == '-') || name.contains(')') {
        return fail_at_start(Problem::BadName(name.into())).parse(input);
    }
    parse_capture_body(Some(name.into()), here)
}

/// `name ::= "<" [^>]+ ">" | "'" [^']+ "'"`; returns the name, or number, without its quotes.
fn parse_group_name(input: Input<'_>) -> Parsed<'_, &str> {
    let (start, quote) = one_of("<'").parse(input)?;
    let close = if quote == '<' { '>' } else { quote };
    let (here, (name, end)) = (take_till(|letter| letter == close), opt(char(close))).parse(start)?;
    match (name.text, end) {
        ("", _) => fail_here(Problem::MissingName).parse(start),
        (name, None) => fail_here(Problem::BadName(name.into())).parse(start),
        (name, Some(_)) => Ok((here, name)),
    }
}

/// `switch ::= "(?" &[imxadu-] options ")"`
///
/// The options apply until the end of the enclosing group.
pub(super) fn parse_option_switch(input: Input<'_>) -> Parsed<'_, ()> {
    delimited((tag("(?"), peek(one_of("imxadu-"))), parse_options, char(')')).parse(input)
}

/// `options ::= [imxadu]* ("-" [imx-]*)? &(":" | ")")`
///
/// Returns the rest of the input with these options set or cleared.
fn parse_options(input: Input<'_>) -> Parsed<'_, ()> {
    let on = take_while(|letter| "imxadu".contains(letter));
    let off = opt(preceded(char('-'), take_while(|letter| "imx-".contains(letter))));
    let (here, (on, off)) = (on, off).parse(input)?;
    let off = off.map_or("", |off| off.text);
    let switched = |before: bool, letter| (before || on.text.contains(letter)) && !off.contains(letter);
    let options = RegexpOptions {
        fold: switched(input.options.fold, 'i'),
        dot_matches_newline: switched(input.options.dot_matches_newline, 'm'),
        is_extended: switched(input.options.is_extended, 'x'),
        charset_option: match on.text.chars().rfind(|letter| "adu".contains(*letter)) {
            Some('a') => CharsetOption::Ascii,
            Some('d') => CharsetOption::Mixed,
            Some(_) => CharsetOption::Unicode,
            None => input.options.charset_option,
        },
    };
    match here.text.chars().next() {
        None => fail_here(Problem::UnfinishedGroup).parse(here),
        Some(other) if other != ':' && (other != ')' || here.offset() == input.offset()) => {
            fail_here(Problem::UnknownOption(other)).parse(here)
        }
        Some(_) => Ok((Input { options, ..here }, ())),
    }
}

/// `conditional ::= (name | [0-9]+) ")" branches ")"`: the rest of `(?(1)a|b)` after `(?(`
fn parse_conditional(input: Input<'_>) -> Parsed<'_, Node> {
    let number = digit1.map(|digits: Input<'_>| digits.text);
    let condition = alt((parse_group_name, number, fail_here(Problem::BadCondition))).flat_map(resolve_reference);
    let end = char(')').or(fail_at_start(Problem::UnclosedGroup));
    let branches = delimited(char(')').or(fail_here(Problem::BadCondition)), parse_branches, end);
    let (here, (groups, branches)) = (condition, branches).parse(input)?;
    let mut branches = branches.into_iter();
    let [then, otherwise] = [(); 2].map(|()| Box::new(branches.next().unwrap_or(Node::Empty)));
    match branches.next() {
        Some(_) => fail_at_start(Problem::ThirdBranch).parse(input),
        None => Ok((here, Node::Conditional { groups, then, otherwise })),
    }
}

/// `reference ::= "\k" name | "\" [1-9] [0-9]*`: matches again what a group has matched
pub(super) fn parse_reference(input: Input<'_>) -> Parsed<'_, Node> {
    let groups = input.state.group_names.borrow().len();
    // Several digits are an octal number, unless there is such a group already.
    let is_group = |digits: &Input<'_>| {
        !digits.text.starts_with('0') && !digits.text.parse().is_ok_and(|number: usize| number > groups.max(9))
    };
    let number = preceded(char('\\'), verify(digit1, is_group));
    let name = alt((preceded(tag("\\k"), parse_group_name), number.map(|digits: Input<'_>| digits.text)));
    name.flat_map(resolve_reference).map(|groups| Node::Reference { groups, fold: input.options.fold }).parse(input)
}

/// Returns a parser that reads no input and yields the groups that `name` means: those with this name or number.
fn resolve_reference<'a>(name: &'a str) -> impl PatternParser<'a, Vec<usize>> {
    move |input: Input<'a>| {
        let names = input.state.group_names.borrow();
        match parse_group_number(name, names.len()).filter(|_| !name.starts_with('+')) {
            Some(Ok(1..)) if input.state.is_named => fail_at_start(Problem::NumberBesideNames).parse(input),
            Some(Ok(number @ 1..)) => {
                input.state.numbered_references.borrow_mut().push((number, input.construct_start));
                Ok((input, vec![number]))
            }
            Some(Ok(0)) => fail_at_start(Problem::UnknownGroup(name.into())).parse(input),
            Some(Err(problem)) => fail_at_start(problem).parse(input),
            None => match groups_with_name(name, &names) {
                groups if !groups.is_empty() => Ok((input, groups)),
                _ if name.contains(['+', '-']) => {
                    fail_at_start(Problem::Unsupported("a reference to a level of recursion")).parse(input)
                }
                _ => fail_at_start(Problem::UnknownGroup(name.into())).parse(input),
            },
        }
    }
}

/// Parses a group number; relative to the `groups` groups so far, `-1` is the last, `+1` the next. `None` for a name.
fn parse_group_number(name: &str, groups: usize) -> Option<Result<usize, Problem>> {
    let number: isize = name.parse().ok()?;
    let group = match name.as_bytes().first() {
        Some(b'-') => groups.checked_add_signed(number + 1).filter(|number| (1..=groups).contains(number)),
        Some(b'+') => groups.checked_add_signed(number),
        _ => usize::try_from(number).ok(),
    };
    Some(group.ok_or_else(|| Problem::UnknownGroup(name.into())))
}

/// `call ::= "\g" name`: matches the expression in a group, which may be the current one (recursion)
pub(super) fn parse_call(input: Input<'_>) -> Parsed<'_, Node> {
    let (here, name) = preceded(tag("\\g"), parse_group_name).parse(input)?;
    let name = match parse_group_number(name, input.state.group_names.borrow().len()) {
        None => name.into(),
        Some(Err(problem)) => return fail_at_start(problem).parse(input),
        Some(Ok(1..)) if input.state.is_named => return fail_at_start(Problem::NumberBesideNames).parse(input),
        Some(Ok(number)) => number.to_string().into(),
    };
    let mut calls = input.state.group_calls.borrow_mut();
    calls.push((name, input.construct_start));
    Ok((here, Node::Call(calls.len() - 1)))
}
