//! Parses everything in parentheses, and what refers to it.

use nom::bytes::complete::{tag, take_till, take_while};
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{opt, peek, verify};
use nom::sequence::{delimited, preceded, terminated};
use nom::{Parser, branch::alt};

use super::input::{Input, Options, Parsed, Rule, Tables, construct, refused, refused_here};
use super::parse::{alternatives, branches, groups_named};
use super::{check, error::Problem, tree::Node};

/// `group ::= "(" ("?" special_group | closed)`
pub(super) fn group(input: Input<'_>) -> Parsed<'_, Node> {
    construct(preceded(char('('), alt((preceded(char('?'), special_group), plain_group)))).parse(input)
}

fn plain_group(input: Input<'_>) -> Parsed<'_, Node> {
    if input.state.is_named { closed(input) } else { capture(None, input) }
}

/// `special_group ::= ":" closed | ">" closed | look closed | name closed | "(" conditional | options ":" closed`
fn special_group(input: Input<'_>) -> Parsed<'_, Node> {
    alt((
        preceded(char(':'), closed),
        preceded(char('>'), closed).map(|node| Node::Atomic(Box::new(node))),
        preceded(char('~'), refused(Problem::Unsupported("the absence operator `(?~…)`"))),
        look,
        named_group,
        preceded(char('('), conditional),
        preceded((options, char(':')), closed),
    ))
    .parse(input)
}

/// `closed ::= alternatives ")"`
fn closed(input: Input<'_>) -> Parsed<'_, Node> {
    terminated(alternatives, char(')').or(refused(Problem::UnclosedGroup))).parse(input)
}

fn capture(name: Option<Box<str>>, input: Input<'_>) -> Parsed<'_, Node> {
    input.state.names.borrow_mut().push(name);
    let number = input.state.names.borrow().len();
    closed.map(|node| Node::Group { number, node: Box::new(node) }).parse(input)
}

/// `look ::= "<"? [=!]`
fn look(input: Input<'_>) -> Parsed<'_, Node> {
    let (here, (behind, sign, node)) = (opt(char('<')), one_of("=!"), closed).parse(input)?;
    let (behind, negative) = (behind.is_some(), sign == '!');
    if behind && !check::can_look_behind(&node, negative) {
        return refused(Problem::LookBehind).parse(input);
    }
    Ok((here, Node::Look { behind, negative, node: Box::new(node) }))
}

fn named_group(input: Input<'_>) -> Parsed<'_, Node> {
    peek(one_of("<'")).parse(input)?;
    input.state.saw_name.set(true);
    let (here, name) = name(input)?;
    if name.starts_with(|first: char| first.is_ascii_digit() || first == '-') || name.contains(')') {
        return refused(Problem::BadName(name.into())).parse(input);
    }
    capture(Some(name.into()), here)
}

/// `name ::= "<" [^>]+ ">" | "'" [^']+ "'"`
fn name(input: Input<'_>) -> Parsed<'_, &str> {
    let (start, quote) = one_of("<'").parse(input)?;
    let close = if quote == '<' { '>' } else { quote };
    let (here, (name, end)) = (take_till(|letter| letter == close), opt(char(close))).parse(start)?;
    match (name.text, end) {
        ("", _) => refused_here(Problem::MissingName).parse(start),
        (name, None) => refused_here(Problem::BadName(name.into())).parse(start),
        (name, Some(_)) => Ok((here, name)),
    }
}

/// `switch ::= "(?" &[imxadu-] options ")"`
///
/// It holds up to the end of the group around it.
pub(super) fn switch(input: Input<'_>) -> Parsed<'_, ()> {
    delimited((tag("(?"), peek(one_of("imxadu-"))), options, char(')')).parse(input)
}

/// `options ::= [imxadu]* ("-" [imx-]*)? &(":" | ")")`
///
/// What follows has these options.
fn options(input: Input<'_>) -> Parsed<'_, ()> {
    let on = take_while(|letter| "imxadu".contains(letter));
    let off = opt(preceded(char('-'), take_while(|letter| "imx-".contains(letter))));
    let (here, (on, off)) = (on, off).parse(input)?;
    let off = off.map_or("", |off| off.text);
    let switched = |before: bool, letter| (before || on.text.contains(letter)) && !off.contains(letter);
    let options = Options {
        fold: switched(input.options.fold, 'i'),
        newline: switched(input.options.newline, 'm'),
        extended: switched(input.options.extended, 'x'),
        tables: match on.text.chars().rfind(|letter| "adu".contains(*letter)) {
            Some('a') => Tables::Ascii,
            Some('d') => Tables::Mixed,
            Some(_) => Tables::Unicode,
            None => input.options.tables,
        },
    };
    match here.text.chars().next() {
        None => refused_here(Problem::UnfinishedGroup).parse(here),
        Some(other) if other != ':' && (other != ')' || here.at() == input.at()) => {
            refused_here(Problem::UnknownOption(other)).parse(here)
        }
        Some(_) => Ok((Input { options, ..here }, ())),
    }
}

/// `conditional ::= (name | [0-9]+) ")" branches ")"`
fn conditional(input: Input<'_>) -> Parsed<'_, Node> {
    let condition = alt((name, digit1.map(|digits: Input<'_>| digits.text), refused_here(Problem::BadCondition)))
        .flat_map(referenced);
    let branches = delimited(
        char(')').or(refused_here(Problem::BadCondition)),
        branches,
        char(')').or(refused(Problem::UnclosedGroup)),
    );
    let (here, (groups, branches)) = (condition, branches).parse(input)?;
    let mut branches = branches.into_iter();
    let [then, otherwise] = [(); 2].map(|()| Box::new(branches.next().unwrap_or(Node::Empty)));
    match branches.next() {
        Some(_) => refused(Problem::ThirdBranch).parse(input),
        None => Ok((here, Node::Conditional { groups, then, otherwise })),
    }
}

/// `reference ::= "\k" name | "\" [1-9] [0-9]*`
pub(super) fn reference(input: Input<'_>) -> Parsed<'_, Node> {
    let groups = input.state.names.borrow().len();
    // Several digits are an octal number, unless there is such a group already.
    let is_group = |digits: &Input<'_>| {
        !digits.text.starts_with('0') && !digits.text.parse().is_ok_and(|number: usize| number > groups.max(9))
    };
    let number = preceded(char('\\'), verify(digit1, is_group));
    let name = alt((preceded(tag("\\k"), name), number.map(|digits: Input<'_>| digits.text)));
    name.flat_map(referenced).map(|groups| Node::Reference { groups, fold: input.options.fold }).parse(input)
}

/// The groups that a name or number refers to; a reference by number may precede its group.
fn referenced<'a>(name: &'a str) -> impl Rule<'a, Vec<usize>> {
    move |input: Input<'a>| {
        let names = input.state.names.borrow();
        match group_number(name, names.len()).filter(|_| !name.starts_with('+')) {
            Some(Ok(1..)) if input.state.is_named => refused(Problem::NumberBesideNames).parse(input),
            Some(Ok(number @ 1..)) => {
                input.state.references.borrow_mut().push((number, input.start));
                Ok((input, vec![number]))
            }
            Some(Ok(0)) => refused(Problem::UnknownGroup(name.into())).parse(input),
            Some(Err(problem)) => refused(problem).parse(input),
            None => match groups_named(name, &names) {
                groups if !groups.is_empty() => Ok((input, groups)),
                _ if name.contains(['+', '-']) => {
                    refused(Problem::Unsupported("a reference to a level of recursion")).parse(input)
                }
                _ => refused(Problem::UnknownGroup(name.into())).parse(input),
            },
        }
    }
}

/// Parses a group number: `-1` is the last of `groups` groups, and `+1` the next one.
fn group_number(name: &str, groups: usize) -> Option<Result<usize, Problem>> {
    let number: isize = name.parse().ok()?;
    let group = match name.as_bytes().first() {
        Some(b'-') => groups.checked_add_signed(number + 1).filter(|number| (1..=groups).contains(number)),
        Some(b'+') => groups.checked_add_signed(number),
        _ => usize::try_from(number).ok(),
    };
    Some(group.ok_or_else(|| Problem::UnknownGroup(name.into())))
}

/// `call ::= "\g" name`
pub(super) fn call(input: Input<'_>) -> Parsed<'_, Node> {
    let (here, name) = preceded(tag("\\g"), name).parse(input)?;
    let name = match group_number(name, input.state.names.borrow().len()) {
        None => name.into(),
        Some(Err(problem)) => return refused(problem).parse(input),
        Some(Ok(1..)) if input.state.is_named => return refused(Problem::NumberBesideNames).parse(input),
        Some(Ok(number)) => number.to_string().into(),
    };
    let mut calls = input.state.calls.borrow_mut();
    calls.push((name, input.start));
    Ok((here, Node::Call(calls.len() - 1)))
}
