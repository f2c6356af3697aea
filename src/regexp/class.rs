//! Parses character classes: `[a-z&&[^aeiou]]`.

use nom::bytes::complete::{tag, take_till};
use nom::character::complete::{anychar, char};
use nom::combinator::{not, opt, peek, success, value, verify};
use nom::multi::{fold_many0, many0_count, separated_list1};
use nom::sequence::{delimited, preceded, terminated};
use nom::{Parser, branch::alt};

use super::escape::{characters, set_escape};
use super::input::{Input, Options, Parsed, Rule, Tables, construct, nested, refused, refused_here, within};
use super::parse::{character, up_to};
use super::{error::Problem, property, set::Set, tree::Node};

/// Bytes after which the name in a bracket `[:` is too long to be one.
const LONGEST_BRACKET: usize = 20;

/// The members of a class, or of one side of a `&&` in it.
#[derive(Debug)]
struct Members {
    /// Characters and ranges, which make one set at the end.
    ranges: Vec<(char, char)>,
    /// The sets that match both cases under `(?i)`, like the ranges.
    folding: Set,
    /// The sets such as `\w` that ignore `(?i)`: `/[\w]/i` does not match the long s.
    fixed: Set,
}

impl Members {
    fn new() -> Members {
        Members { ranges: Vec::new(), folding: Set::empty(), fixed: Set::empty() }
    }

    fn and(mut self, more: Members) -> Members {
        self.ranges.extend(more.ranges);
        Members { ranges: self.ranges, folding: self.folding.or(more.folding), fixed: self.fixed.or(more.fixed) }
    }

    /// All members; with `fold`, in the other case as well where they get it.
    fn all(self, fold: bool) -> Set {
        let folding = Set::ranges(&self.ranges).or(self.folding);
        if fold { folding.folded().or(self.fixed) } else { folding.or(self.fixed) }
    }
}

/// `class ::= "[" members`
pub(super) fn class(input: Input<'_>) -> Parsed<'_, Node> {
    let (here, set) = construct(preceded(char('['), members)).parse(input)?;
    Ok((here, set.only().map_or_else(|| Node::Set(Box::new(set)), |only| character(only, input.options))))
}

/// `members ::= "^"? first_bracket? member* ("&&" member*)* "]"`
///
/// Only the outermost class adds the other case: its members are known by then.
fn members(input: Input<'_>) -> Parsed<'_, Set> {
    let side = fold_many0(member, Members::new, Members::and);
    let parts = (opt(char('^')), opt(first_bracket), separated_list1(tag("&&"), side));
    let inside = within(|input| Input { options: Options { fold: false, ..input.options }, ..input }, parts);
    let end = char(']').or(refused(Problem::UnclosedClass));
    let (here, (negated, first, mut sides)) = terminated(inside, end).parse(input)?;
    if let Some(side) = sides.first_mut() {
        side.ranges.extend(first.unwrap_or_default());
    }
    let (fold, several) = (input.options.fold, sides.len() > 1);
    let sides = sides.into_iter().map(|side| side.all(fold && !several));
    let set = sides.reduce(|one, other| one.and(&other)).unwrap_or_else(Set::empty);
    let set = if fold && several { set.folded() } else { set };
    Ok((here, if negated.is_some() { set.negated() } else { set }))
}

/// `first_bracket ::= "]" &(([^]\] | "\" .)* "]") range_end?`
///
/// The first `]` is a character when another one can close the class.
fn first_bracket(input: Input<'_>) -> Parsed<'_, Vec<(char, char)>> {
    let other = peek(up_to(']').or(refused(Problem::EmptyClass)));
    terminated(char(']'), other).flat_map(|first| ranges(vec![first])).parse(input)
}

/// `member ::= (bracket | set_escape) !("-" !end) | "[" members | !end member_characters range_end?`
fn member(input: Input<'_>) -> Parsed<'_, Members> {
    let range = preceded(peek((char('-'), not(end))), refused_here(Problem::RangeOfSet));
    let set = terminated(construct(alt((bracket, set_escape))), range.or(success(())));
    let class = construct(preceded(char('['), nested(members)));
    let characters = preceded(not(end), member_characters);
    let folding = |folding| Members { folding, ..Members::new() };
    let fixed = |fixed| Members { fixed, ..Members::new() };
    alt((
        set.map(|set| if set.is_named { folding(set) } else { fixed(set) }),
        class.map(folding),
        characters.flat_map(ranges).map(|ranges| Members { ranges, ..Members::new() }),
    ))
    .parse(input)
}

/// `end ::= "]" | "&&"`
fn end(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    alt((tag("]"), tag("&&"))).parse(input)
}

/// `bracket ::= "[:" "^"? [^:]]* ":]"`
fn bracket(input: Input<'_>) -> Parsed<'_, Set> {
    let (here, name) = bracket_name(input)?;
    let (name, negated) = property::negation(name.text);
    match property::bracket(name, input.options.tables == Tables::Ascii) {
        Some(set) => Ok((here, if negated { set.negated() } else { set })),
        None => refused(Problem::UnknownBracket(name.into())).parse(input),
    }
}

fn bracket_name(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let name = verify(take_till(|letter| ":]".contains(letter)), |name: &Input<'_>| name.text.len() <= LONGEST_BRACKET);
    delimited(tag("[:"), name, tag(":]")).parse(input)
}

/// `member_characters ::= "\b" | characters | .`
fn member_characters(input: Input<'_>) -> Parsed<'_, Vec<char>> {
    let backspace = value(vec!['\u{8}'], tag("\\b"));
    construct(alt((backspace, characters, anychar.map(|one| vec![one])))).parse(input)
}

/// The characters, the last of which may begin a range.
fn ranges<'a>(characters: Vec<char>) -> impl Rule<'a, Vec<(char, char)>> {
    let from = characters.last().copied().unwrap_or_default();
    opt(range_end(from)).map(move |range| single(&characters).chain(range.unwrap_or_default()).collect())
}

/// `range_end ::= "-" (&end | &"[" | member_characters "-"*)`
///
/// Of an escape with several characters the last one ends the range.
///
/// Observed: Ruby 3.1 leaves out the `-` of `[a-[b]]`.
fn range_end<'a>(from: char) -> impl Rule<'a, Vec<(char, char)>> {
    let set = alt((bracket_name.map(drop), construct(set_escape).map(drop)));
    let set = preceded(set, refused(Problem::RangeOfSet));
    let range = move |input: Input<'a>| {
        let ends = member_characters.or(refused_here(Problem::UnclosedClass));
        let (here, (ends, dashes)) = (ends, many0_count(char('-'))).parse(input)?;
        let to = ends.last().copied().unwrap_or(from);
        if from > to {
            return refused(Problem::DescendingRange(from, to)).parse(input);
        }
        Ok((here, single(&ends).chain([(from, to)]).chain((dashes > 0).then_some(('-', '-'))).collect()))
    };
    let last = value(vec![('-', '-')], peek(end));
    construct(preceded(char('-'), alt((last, set, value(Vec::new(), peek(char('['))), range))))
}

fn single(characters: &[char]) -> impl Iterator<Item = (char, char)> {
    characters.iter().map(|one| (*one, *one))
}
