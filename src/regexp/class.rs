//! Parses character classes: `[a-z&&[^aeiou]]`.

use super::escape::{parse_character_escape, parse_set_escape};
use super::input::{CharsetOption, Input, Parsed, PatternParser, RegexpOptions, fail_at_start, fail_here};
use super::input::{with_changed_input, with_deeper_nesting, with_start_here};
use super::parse::{character_node, skip_through};
use super::{error::Problem, property, set::CharSet, tree::Node};
use crate::microsyntax::prelude::*;

/// The maximum number of characters in the name of a POSIX bracket; `[:` with a longer name is not one.
const MAX_BRACKET_NAME_LENGTH: usize = 20;

/// The members of a character class, or of one operand of `&&` in a class.
#[derive(Debug)]
struct ClassMembers {
    /// Single characters and ranges, as pairs of the first and last character.
    ranges: Vec<(char, char)>,
    /// The sets to which `(?i)` adds the other case of each letter, as to `ranges`: `[:alpha:]`, `\p{…}`, `[…]`.
    folding: CharSet,
    /// The sets such as `\w` that ignore `(?i)`: `/[\w]/i` does not match `ſ` (the long s).
    fixed: CharSet,
}

impl ClassMembers {
    fn empty() -> ClassMembers {
        ClassMembers { ranges: Vec::new(), folding: CharSet::empty(), fixed: CharSet::empty() }
    }

    fn union_with(mut self, ClassMembers { ranges, folding, fixed }: ClassMembers) -> ClassMembers {
        self.ranges.extend(ranges);
        ClassMembers { ranges: self.ranges, folding: self.folding.union(folding), fixed: self.fixed.union(fixed) }
    }

    fn into_char_set(self, fold: bool) -> CharSet {
        let folding = CharSet::from_ranges(&self.ranges).union(self.folding);
        if fold { folding.case_folded().union(self.fixed) } else { folding.union(self.fixed) }
    }
}

/// `class ::= "[" members`; a class of one character yields the node of that character.
pub(super) fn parse_class(input: Input<'_>) -> Parsed<'_, Node> {
    let (here, set) = with_start_here(preceded(char('['), parse_members)).parse(input)?;
    let single = set.single_character().map(|only| character_node(only, input.options));
    Ok((here, single.unwrap_or_else(|| Node::Set(Box::new(set)))))
}

/// `members ::= "^"? first_bracket? member* ("&&" member*)* "]"`
///
/// Under `(?i)`, only the outermost class adds the other case of its letters, after all members have been parsed.
fn parse_members(input: Input<'_>) -> Parsed<'_, CharSet> {
    let side = fold_many0(parse_member, ClassMembers::empty, ClassMembers::union_with);
    let parts = (opt(char('^')), opt(parse_first_bracket), separated_list1(tag("&&"), side));
    let inside =
        with_changed_input(|input| Input { options: RegexpOptions { fold: false, ..input.options }, ..input }, parts);
    let end = char(']').or(fail_at_start(Problem::UnclosedClass));
    let (here, (negated, first, mut sides)) = terminated(inside, end).parse(input)?;
    if let Some(side) = sides.first_mut() {
        side.ranges.extend(first.unwrap_or_default());
    }
    let (fold, several) = (input.options.fold, sides.len() > 1);
    let sides = sides.into_iter().map(|side| side.into_char_set(fold && !several));
    let set = sides.reduce(|one, other| one.intersection(&other)).unwrap_or_else(CharSet::empty);
    let set = if fold && several { set.case_folded() } else { set };
    Ok((here, if negated.is_some() { set.negated() } else { set }))
}

/// `first_bracket ::= "]" &(([^]\] | "\" .)* "]") range_end?`
///
/// A `]` at the start of a class is a literal character if another `]` closes the class.
fn parse_first_bracket(input: Input<'_>) -> Parsed<'_, Vec<(char, char)>> {
    let other = peek(skip_through(']').or(fail_at_start(Problem::EmptyClass)));
    terminated(char(']'), other).flat_map(|first| parse_optional_range(vec![first])).parse(input)
}

/// `member ::= (bracket | set_escape) !("-" !end) | "[" members | !end member_characters range_end?`: `a-z`, `\d`, …
fn parse_member(input: Input<'_>) -> Parsed<'_, ClassMembers> {
    let range = preceded(peek((char('-'), not(parse_operand_end))), fail_here(Problem::RangeOfSet));
    let set = terminated(with_start_here(alt((parse_posix_bracket, parse_set_escape))), range.or(success(())));
    let class = with_start_here(preceded(char('['), with_deeper_nesting(parse_members)));
    let characters = preceded(not(parse_operand_end), parse_member_characters);
    let folding = |folding| ClassMembers { folding, ..ClassMembers::empty() };
    let fixed = |fixed| ClassMembers { fixed, ..ClassMembers::empty() };
    alt((
        set.map(|set| if set.is_named { folding(set) } else { fixed(set) }),
        class.map(folding),
        characters.flat_map(parse_optional_range).map(|ranges| ClassMembers { ranges, ..ClassMembers::empty() }),
    ))
    .parse(input)
}

/// `end ::= "]" | "&&"`: the end of an operand of `&&` or of the whole class
fn parse_operand_end(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    alt((tag("]"), tag("&&"))).parse(input)
}

/// `bracket ::= "[:" "^"? [^:]]* ":]"`, such as `[:alpha:]`. Fails for an unknown name.
fn parse_posix_bracket(input: Input<'_>) -> Parsed<'_, CharSet> {
    let (here, name) = parse_bracket_name(input)?;
    let (name, negated) = property::strip_caret(name.text);
    match property::posix_bracket_set(name, input.options.charset_option == CharsetOption::Ascii) {
        Some(set) => Ok((here, if negated { set.negated() } else { set })),
        None => fail_at_start(Problem::UnknownBracket(name.into())).parse(input),
    }
}

fn parse_bracket_name(input: Input<'_>) -> Parsed<'_, Input<'_>> {
    let name = take_while_m_n(0, MAX_BRACKET_NAME_LENGTH, |letter| !":]".contains(letter));
    delimited(tag("[:"), name, tag(":]")).parse(input)
}

/// `member_characters ::= "\b" | characters | .`: a backspace, an escape for one or more characters, or a character
fn parse_member_characters(input: Input<'_>) -> Parsed<'_, Vec<char>> {
    let backspace = value(vec!['\u{8}'], tag("\\b"));
    with_start_here(alt((backspace, parse_character_escape, anychar.map(|one| vec![one])))).parse(input)
}

/// Returns a parser that reads `-z` or nothing after `characters`; yields each character, and the range from the last.
fn parse_optional_range<'a>(characters: Vec<char>) -> impl PatternParser<'a, Vec<(char, char)>> {
    let from = characters.last().copied().unwrap_or_default();
    opt(parse_range_end(from))
        .map(move |range| one_character_ranges(&characters).chain(range.unwrap_or_default()).collect())
}

/// `range_end ::= "-" (&end | &"[" | member_characters "-"*)`
///
/// Parses the dash and the end of the range that starts at `from`; the end is the last character of an escape.
///
/// Observed: Ruby 3.1 leaves out the `-` of `[a-[b]]`.
fn parse_range_end<'a>(from: char) -> impl PatternParser<'a, Vec<(char, char)>> {
    let set = alt((parse_bracket_name.map(drop), with_start_here(parse_set_escape).map(drop)));
    let set = preceded(set, fail_at_start(Problem::RangeOfSet));
    let range = move |input: Input<'a>| {
        let ends = parse_member_characters.or(fail_here(Problem::UnclosedClass));
        let (here, (ends, dashes)) = (ends, many0_count(char('-'))).parse(input)?;
        let to = ends.last().copied().unwrap_or(from);
        if from > to {
            return fail_at_start(Problem::DescendingRange(from, to)).parse(input);
        }
        Ok((here, one_character_ranges(&ends).chain([(from, to)]).chain((dashes > 0).then_some(('-', '-'))).collect()))
    };
    let last = value(vec![('-', '-')], peek(parse_operand_end));
    with_start_here(preceded(char('-'), alt((last, set, value(Vec::new(), peek(char('['))), range))))
}

fn one_character_ranges(characters: &[char]) -> impl Iterator<Item = (char, char)> {
    characters.iter().map(|one| (*one, *one))
}
