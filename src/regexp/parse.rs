//! Parses Ruby's syntax into a [`Tree`].
//!
//! There is one parser per production, from alternatives down to single characters, in the notation of `grammar/`. Options
//! are a part of the input, because `(?i)` applies from its position to the end of the enclosing group. An expression
//! with named groups is parsed twice: a plain `( )` captures nothing if any group, even a later one, has a name.
//!
//! Observed: Ruby 3.1 for everything in here; `/a(?i)b|c/` is `a(?i:b|c)`, `a{2}?` is `(?:a{2})?`, and `a{1,2}+` is a
//! repetition of a repetition.

use nom::bytes::complete::{tag, take_till};
use nom::character::complete::{anychar, char, digit1, none_of, one_of, satisfy};
use nom::combinator::{all_consuming, iterator, opt, peek, success, value};
use nom::multi::{many0, many0_count, separated_list1};
use nom::sequence::{delimited, preceded, separated_pair, terminated};
use nom::{Finish, Parser, branch::alt};

use super::error::{Problem, RegexpError};
use super::group::{group, switch};
use super::input::{Input, Options, Parsed, Rule, State, construct, nested, refused, refused_here};
use super::tree::{Anchor, Greed, Node, Tree};
use super::{MAX_REPEATS, check, class::class, escape::escape, set::Set};
use crate::{interrupt, stack};

type Result<T> = std::result::Result<T, RegexpError>;

pub(super) fn parse(text: &str) -> Result<Tree> {
    let parse = || {
        let state = State { text, ..State::default() };
        let tree = tree(&state);
        if state.saw_name.get() { self::tree(&State { text, is_named: true, ..State::default() }) } else { tree }
    };
    with_stack(text, parse)
}

/// Runs `parse`, which reads `text`, where there is enough stack for it: groups and classes may be nested.
fn with_stack<T: Send>(text: &str, parse: impl FnOnce() -> T + Send) -> T {
    const FEW: usize = 16;
    if text.matches(['(', '[']).count() > FEW { stack::on_new_segment(parse) } else { parse() }
}

/// The byte offset behind each piece of an expression and the number of nodes before it, up to what is not a piece.
pub(super) fn ends_of_pieces(text: &str) -> Vec<(usize, usize)> {
    fn piece(input: Input<'_>) -> Parsed<'_, (usize, usize)> {
        let (here, nodes) = preceded(skipped, repeated).parse(input)?;
        Ok((here, (here.at(), nodes.len())))
    }
    with_stack(text, || {
        let state = State { text, ..State::default() };
        let mut count = 0;
        let total = |(end, nodes)| {
            count += nodes;
            (end, count)
        };
        iterator(Input::new(&state), piece).map(total).collect()
    })
}

fn tree(state: &State<'_>) -> Result<Tree> {
    let (_, root) = all_consuming(alternatives).parse(Input::new(state)).finish()?;
    let names = state.names.take();
    if let Some((number, at)) = state.references.take().into_iter().find(|(number, _)| *number > names.len()) {
        return Err(Problem::UnknownGroup(number.to_string().into()).at(at));
    }
    let called = state.calls.take();
    let calls = called.iter().map(|(name, at)| group_called(name, &names).map_err(|problem| problem.at(*at)));
    let calls = calls.collect::<Result<_>>()?;
    let beyond_ascii = state.beyond_ascii.get() || !state.text.is_ascii();
    let tree = Tree { root, names, calls, beyond_ascii };
    match check::endless_call(&tree).and_then(|call| called.get(call)) {
        Some(&(_, at)) => Err(Problem::EndlessRecursion.at(at)),
        None => Ok(tree),
    }
}

fn group_called(name: &str, names: &[Option<Box<str>>]) -> std::result::Result<usize, Problem> {
    let groups = match name.parse() {
        Ok(number) => (0..=names.len()).contains(&number).then_some(number).into_iter().collect(),
        Err(_) => groups_named(name, names),
    };
    match groups[..] {
        [only] => Ok(only),
        [] => Err(Problem::UnknownGroup(name.into())),
        _ => Err(Problem::AmbiguousCall(name.into())),
    }
}

pub(super) fn groups_named(name: &str, names: &[Option<Box<str>>]) -> Vec<usize> {
    let named = |(index, other): (usize, &Option<Box<str>>)| (other.as_deref() == Some(name)).then_some(index + 1);
    interrupt::each(names.iter().enumerate()).filter_map(named).collect()
}

pub(super) fn alternatives(input: Input<'_>) -> Parsed<'_, Node> {
    let (here, mut branches) = branches(input)?;
    Ok((here, if branches.len() == 1 { branches.remove(0) } else { Node::Alternatives(branches) }))
}

/// `branches ::= sequence ("|" sequence)*`
pub(super) fn branches(input: Input<'_>) -> Parsed<'_, Vec<Node>> {
    nested(separated_list1(char('|'), sequence)).parse(input)
}

/// `sequence ::= skipped (switch alternatives | repeated)*`
fn sequence(input: Input<'_>) -> Parsed<'_, Node> {
    let switched = preceded(switch, alternatives).map(|node| vec![node]);
    let (here, all) = preceded(skipped, many0(alt((switched, repeated)))).parse(input)?;
    let mut nodes: Vec<Node> = all.into_iter().flatten().collect();
    Ok((here, if nodes.len() > 1 { Node::Sequence(nodes) } else { nodes.pop().unwrap_or(Node::Empty) }))
}

/// `skipped ::= ("(?#" ([^)\] | "\" .)* ")" | <extended> ([ #x9#xA#xC#xD] | "#" [^#xA]* #xA?))*`
fn skipped(input: Input<'_>) -> Parsed<'_, ()> {
    let comment = construct(preceded(tag("(?#"), up_to(')').or(refused(Problem::UnfinishedGroup))));
    let blank = one_of(" \t\n\r\u{c}").map(drop);
    let line = (char('#'), take_till(|letter| letter == '\n'), opt(char('\n'))).map(drop);
    if input.options.extended {
        value((), many0_count(alt((comment, blank, line)))).parse(input)
    } else {
        value((), many0_count(comment)).parse(input)
    }
}

/// Everything up to the first `end` without a backslash, and that.
pub(super) fn up_to<'a>(end: char) -> impl Rule<'a, ()> {
    let escaped = (char('\\'), opt(anychar)).map(drop);
    let other = satisfy(move |letter| letter != end).map(drop);
    (many0_count(alt((escaped, other))), char(end)).map(drop)
}

/// `repeated ::= piece skipped (repetition skipped)*`
///
/// Of the characters of one escape, the last is repeated.
fn repeated(input: Input<'_>) -> Parsed<'_, Vec<Node>> {
    let (here, mut nodes) = piece(input)?;
    let (here, repetitions) = preceded(skipped, many0(terminated(repetition, skipped))).parse(here)?;
    for (least, most, greed) in repetitions {
        let node = Box::new(nodes.pop().unwrap_or(Node::Empty));
        nodes.push(Node::Repeat { node, least, most, greed });
    }
    Ok((here, nodes))
}

/// `repetition ::= [*+?] [?+]? | "{" (number "," number? | "," number) "}" "?"? | "{" number "}"`
fn repetition(input: Input<'_>) -> Parsed<'_, (u32, Option<u32>, Greed)> {
    let sign = alt((value((0, None), char('*')), value((1, None), char('+')), value((0, Some(1)), char('?'))));
    let range = separated_pair(number, char(','), opt(number));
    let range = alt((range, preceded(char(','), number).map(|most| (0, Some(most)))));
    let exactly = number.map(|count| (count, Some(count)));
    let lazy = || alt((value(Greed::Lazy, char('?')), success(Greed::Greedy)));
    let (here, ((least, most), greed)) = alt((
        (sign, alt((value(Greed::Possessive, char('+')), lazy()))),
        (delimited(char('{'), range, char('}')), lazy()),
        (delimited(char('{'), exactly, char('}')), success(Greed::Greedy)),
    ))
    .parse(input)?;
    match most {
        _ if least.max(most.unwrap_or(0)) > MAX_REPEATS => refused_here(Problem::TooManyRepeats).parse(input),
        Some(most) if most < least => refused_here(Problem::DescendingRepeat(least, most)).parse(input),
        _ => Ok((here, (least, most, greed))),
    }
}

/// `number ::= [0-9]+`
fn number(input: Input<'_>) -> Parsed<'_, u32> {
    digit1.map(|digits: Input<'_>| digits.text.parse().unwrap_or(u32::MAX)).parse(input)
}

/// `piece ::= escape | group | class | "." | "^" | "$" | !repetition [^|)]`
fn piece(input: Input<'_>) -> Parsed<'_, Vec<Node>> {
    interrupt::step();
    let node = alt((group, class, sign));
    alt((escape, node.map(|node| vec![node]))).parse(input)
}

fn sign(input: Input<'_>) -> Parsed<'_, Node> {
    alt((
        char('.').map(|_| Node::Set(Box::new(Set::any(input.options.newline)))),
        char('^').map(|_| Node::Anchor(Anchor::LineStart)),
        char('$').map(|_| Node::Anchor(Anchor::LineEnd)),
        preceded(peek(repetition), refused_here(Problem::NothingToRepeat)),
        none_of("|)").map(|letter| character(letter, input.options)),
    ))
    .parse(input)
}

pub(super) fn character(character: char, options: Options) -> Node {
    Node::Character { character, fold: options.fold }
}
