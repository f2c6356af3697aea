//! Parses Ruby's syntax into a [`Tree`].
//!
//! There is one parser per production (shown in EBNF in its comment), from alternatives down to single characters.
//! Options are part of the input, because `(?i)` applies from its position to the end of the enclosing group. An
//! expression with named groups is parsed twice, because `( )` captures nothing if any group, even later, is named.
//!
//! Observed: Ruby 3.1 for everything in here; `/a(?i)b|c/` is `a(?i:b|c)`, `a{2}?` is `(?:a{2})?`, and `a{1,2}+` is a
//! repetition of a repetition.

use nom::{Finish, combinator::iterator};

use super::error::{Problem, RegexpError};
use super::group::{parse_group, parse_option_switch};
use super::input::{Input, Parsed, ParserState, PatternParser, RegexpOptions};
use super::input::{fail_at_start, fail_here, with_deeper_nesting, with_start_here};
use super::tree::{Anchor, Greed, Node, Tree};
use super::{MAX_REPEATS, check, class::parse_class, escape::parse_escape, set::CharSet};
use crate::{interrupt, microsyntax::prelude::*, stack};

type Result<T> = std::result::Result<T, RegexpError>;

/// The maximum number of repetitions of one piece, `a{2}{3}`: each nests the tree one level deeper, as a group does.
const MAX_STACKED_REPEATS: usize = 8;

pub(super) fn parse(text: &str) -> Result<Tree> {
    run_with_enough_stack(text, || {
        let state = ParserState { text, ..ParserState::default() };
        let tree = parse_tree(&state);
        let has_names = state.has_seen_named_group.get();
        if has_names { parse_tree(&ParserState { text, is_named: true, ..ParserState::default() }) } else { tree }
    })
}

/// Runs `parse`, on a new stack segment if `text` has many opening brackets, so that nesting cannot overflow the stack.
fn run_with_enough_stack<T: Send>(text: &str, parse: impl FnOnce() -> T + Send) -> T {
    const FEW_BRACKETS: usize = 16;
    if text.matches(['(', '[']).count() > FEW_BRACKETS { stack::run_on_new_stack(parse) } else { parse() }
}

/// Returns the end of each top-level piece (`a`, `(b)+`) in bytes, and the number of nodes so far; stops at an error.
pub(super) fn piece_ends(text: &str) -> Vec<(usize, usize)> {
    run_with_enough_stack(text, || {
        let state = ParserState { text, ..ParserState::default() };
        let mut count = 0;
        let piece_end = |input| {
            let (here, nodes) = preceded(skip_comments_and_space, parse_repeated_piece).parse(input)?;
            count += nodes.len();
            Ok((here, (here.offset(), count)))
        };
        iterator(Input::new(&state), piece_end).collect()
    })
}

fn parse_tree(state: &ParserState<'_>) -> Result<Tree> {
    let (_, root) = all_consuming(parse_alternatives).parse(Input::new(state)).finish()?;
    let names = state.group_names.take();
    if let Some((number, at)) = state.numbered_references.take().into_iter().find(|(number, _)| *number > names.len()) {
        return Err(Problem::UnknownGroup(number.to_string().into()).error_at_offset(at));
    }
    let called = state.group_calls.take();
    let number = |(name, at): &(Box<str>, usize)| {
        resolve_called_group(name, &names).map_err(|problem| problem.error_at_offset(*at))
    };
    let calls = called.iter().map(number).collect::<Result<_>>()?;
    let has_non_ascii = state.has_non_ascii_escape.get() || !state.text.is_ascii();
    let tree = Tree { root, group_names: names, called_groups: calls, has_non_ascii };
    match check::find_endless_call(&tree).and_then(|call| called.get(call)) {
        Some(&(_, at)) => Err(Problem::EndlessRecursion.error_at_offset(at)),
        None => Ok(tree),
    }
}

fn resolve_called_group(name: &str, names: &[Option<Box<str>>]) -> std::result::Result<usize, Problem> {
    let groups = match name.parse() {
        Ok(number) => (0..=names.len()).contains(&number).then_some(number).into_iter().collect(),
        Err(_) => groups_with_name(name, names),
    };
    match groups[..] {
        [only] => Ok(only),
        [] => Err(Problem::UnknownGroup(name.into())),
        _ => Err(Problem::AmbiguousCall(name.into())),
    }
}

pub(super) fn groups_with_name(name: &str, names: &[Option<Box<str>>]) -> Vec<usize> {
    let named = |(index, other): (usize, &Option<Box<str>>)| (other.as_deref() == Some(name)).then_some(index + 1);
    interrupt::step_through(names.iter().enumerate()).filter_map(named).collect()
}

pub(super) fn parse_alternatives(input: Input<'_>) -> Parsed<'_, Node> {
    let (here, mut branches) = parse_branches(input)?;
    Ok((here, if branches.len() == 1 { branches.remove(0) } else { Node::Alternatives(branches) }))
}

/// `branches ::= sequence ("|" sequence)*`: one or more alternatives, each of which may be empty
pub(super) fn parse_branches(input: Input<'_>) -> Parsed<'_, Vec<Node>> {
    with_deeper_nesting(separated_list1(char('|'), parse_sequence)).parse(input)
}

/// `sequence ::= skipped (switch alternatives | repeated)*`: one alternative; `(?i)` applies to all after it
fn parse_sequence(input: Input<'_>) -> Parsed<'_, Node> {
    let switched = preceded(parse_option_switch, parse_alternatives).map(|node| vec![node]);
    let (here, all) = preceded(skip_comments_and_space, many0(alt((switched, parse_repeated_piece)))).parse(input)?;
    let mut nodes: Vec<Node> = all.into_iter().flatten().collect();
    Ok((here, if nodes.len() > 1 { Node::Sequence(nodes) } else { nodes.pop().unwrap_or(Node::Empty) }))
}

/// `skipped ::= ("(?#" ([^)\] | "\" .)* ")" | <extended> ([ #x9#xA#xC#xD] | "#" [^#xA]* #xA?))*`
fn skip_comments_and_space(input: Input<'_>) -> Parsed<'_, ()> {
    let comment = with_start_here(preceded(tag("(?#"), skip_through(')').or(fail_at_start(Problem::UnfinishedGroup))));
    let blank = one_of(" \t\n\r\u{c}").map(drop);
    let line = (char('#'), take_till(|letter| letter == '\n'), opt(char('\n'))).map(drop);
    if input.options.is_extended {
        value((), many0_count(alt((comment, blank, line)))).parse(input)
    } else {
        value((), many0_count(comment)).parse(input)
    }
}

/// Returns a parser that skips everything up to and including the first `end` that does not follow a backslash.
pub(super) fn skip_through<'a>(end: char) -> impl PatternParser<'a, ()> {
    let escaped = (char('\\'), opt(anychar)).map(drop);
    let other = satisfy(move |letter| letter != end).map(drop);
    (many0_count(alt((escaped, other))), char(end)).map(drop)
}

/// `repeated ::= piece skipped (repetition skipped)*`
///
/// If an escape denotes several characters, the repetition applies only to the last one.
fn parse_repeated_piece(input: Input<'_>) -> Parsed<'_, Vec<Node>> {
    let (here, mut nodes) = parse_piece(input)?;
    let (here, repetitions) =
        preceded(skip_comments_and_space, many0(terminated(parse_repetition, skip_comments_and_space))).parse(here)?;
    if repetitions.len() > MAX_STACKED_REPEATS {
        return fail_here(Problem::Unsupported("repeating a repetition more than eight times")).parse(input);
    }
    for (least, most, greed) in repetitions {
        let node = Box::new(nodes.pop().unwrap_or(Node::Empty));
        nodes.push(Node::Repeat { node, least, most, greed });
    }
    Ok((here, nodes))
}

/// `repetition ::= [*+?] [?+]? | "{" (number "," number? | "," number) "}" "?"? | "{" number "}"`: least, most, greed
fn parse_repetition(input: Input<'_>) -> Parsed<'_, (u32, Option<u32>, Greed)> {
    let sign = alt((value((0, None), char('*')), value((1, None), char('+')), value((0, Some(1)), char('?'))));
    let range = separated_pair(parse_number, char(','), opt(parse_number));
    let range = alt((range, preceded(char(','), parse_number).map(|most| (0, Some(most)))));
    let exactly = parse_number.map(|count| (count, Some(count)));
    let lazy = || alt((value(Greed::Lazy, char('?')), success(Greed::Greedy)));
    let (here, ((least, most), greed)) = alt((
        (sign, alt((value(Greed::Possessive, char('+')), lazy()))),
        (delimited(char('{'), range, char('}')), lazy()),
        (delimited(char('{'), exactly, char('}')), success(Greed::Greedy)),
    ))
    .parse(input)?;
    match most {
        _ if least.max(most.unwrap_or(0)) > MAX_REPEATS => fail_here(Problem::TooManyRepeats).parse(input),
        Some(most) if most < least => fail_here(Problem::DescendingRepeat(least, most)).parse(input),
        _ => Ok((here, (least, most, greed))),
    }
}

/// `number ::= [0-9]+`; a number that is too large becomes the largest, which is an error as a count.
fn parse_number(input: Input<'_>) -> Parsed<'_, u32> {
    digit1.map(|digits: Input<'_>| digits.text.parse().unwrap_or(u32::MAX)).parse(input)
}

/// `piece ::= escape | group | class | "." | "^" | "$" | !repetition [^|)]`: what a repetition can follow
fn parse_piece(input: Input<'_>) -> Parsed<'_, Vec<Node>> {
    interrupt::take_step();
    let node = alt((
        parse_group,
        parse_class,
        char('.').map(|_| Node::Set(Box::new(CharSet::any_character(input.options.dot_matches_newline)))),
        char('^').map(|_| Node::Anchor(Anchor::LineStart)),
        char('$').map(|_| Node::Anchor(Anchor::LineEnd)),
        preceded(peek(parse_repetition), fail_here(Problem::NothingToRepeat)),
        none_of("|)").map(|letter| character_node(letter, input.options)),
    ));
    alt((parse_escape, node.map(|node| vec![node]))).parse(input)
}

pub(super) fn character_node(character: char, options: RegexpOptions) -> Node {
    Node::Character { character, fold: options.fold }
}
