//! Parses character classes: `[a-z&&[^aeiou]]`.

use super::error::Problem;
use super::parse::{Options, Parser, Result, Tables, character};
use super::property;
use super::set::Set;
use super::tree::Node;

/// The element before a `-` in a class, which decides what the `-` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// Nothing, or a class of its own: the `-` is a character.
    Start,
    /// A character: the `-` makes a range.
    Character(char),
    /// A whole range: the `-` is a character.
    Range,
    /// `\d`: the `-` may only be the last.
    Set,
}

#[derive(Debug)]
struct Members {
    /// Characters and ranges, which make one set at the end.
    ranges: Vec<(char, char)>,
    /// With the ranges, what gets the other case under `(?i)`.
    folding: Set,
    /// `\w` and the like, which do not: `/[\w]/i` matches no long s.
    fixed: Set,
    before: Before,
}

impl Members {
    fn new() -> Members {
        Members { ranges: Vec::new(), folding: Set::empty(), fixed: Set::empty(), before: Before::Start }
    }

    fn add_range(&mut self, from: char, to: char, before: Before) {
        self.ranges.push((from, to));
        self.before = before;
    }

    fn add_character(&mut self, character: char) {
        self.add_range(character, character, Before::Character(character));
    }

    fn add(&mut self, set: Set, before: Before) {
        let members = std::mem::replace(&mut self.folding, Set::empty());
        self.folding = members.or(set);
        self.before = before;
    }

    fn add_escape(&mut self, set: Set) {
        if set.is_named() {
            self.add(set, Before::Set);
        } else {
            let fixed = std::mem::replace(&mut self.fixed, Set::empty());
            self.fixed = fixed.or(set);
            self.before = Before::Set;
        }
    }

    /// All members, with both cases of letters if case is folded.
    fn folded(self) -> Set {
        Set::ranges(&self.ranges).or(self.folding).folded().or(self.fixed)
    }

    fn all(self) -> Set {
        Set::ranges(&self.ranges).or(self.folding).or(self.fixed)
    }
}

impl Parser<'_> {
    /// A whole class, from after its `[` on
    pub(super) fn class(&mut self, options: Options) -> Result<Node> {
        let start = self.at - 1;
        let set = self.members(options, start, options.fold)?;
        if let Some(only) = set.only() {
            return Ok(character(only, options));
        }
        Ok(Node::Set(set))
    }

    /// Everything up to the `]` of the class that began at `start`. Only the outermost class adds the other case: its
    /// members are known by then.
    fn members(&mut self, options: Options, start: usize, fold: bool) -> Result<Set> {
        let problem = |problem: Problem| Err(problem.at(start));
        let negated = self.eat("^");
        let mut members = Members::new();
        let mut sides: Option<Set> = None;
        if self.rest().starts_with(']') {
            // The first `]` is a character when another one can close the class.
            if !has_bracket(&self.rest()[1..]) {
                return problem(Problem::EmptyClass);
            }
            self.next();
            members.add_character(']');
        }
        loop {
            let Some(next) = self.peek() else { return problem(Problem::UnclosedClass) };
            match next {
                ']' => break,
                '&' if self.eat("&&") => {
                    let side = std::mem::replace(&mut members, Members::new()).all();
                    sides = Some(match sides {
                        Some(sides) => sides.and(&side),
                        None => side,
                    });
                }
                '[' => self.inner(options, &mut members)?,
                '-' => self.dash(options, &mut members)?,
                _ => self.member(options, &mut members)?,
            }
        }
        self.next();
        let set = match sides {
            Some(sides) if fold => sides.and(&members.all()).folded(),
            Some(sides) => sides.and(&members.all()),
            None if fold => members.folded(),
            None => members.all(),
        };
        Ok(if negated { set.negated() } else { set })
    }

    /// `[:alpha:]`, or a class in the class
    fn inner(&mut self, options: Options, members: &mut Members) -> Result<()> {
        let start = self.at;
        self.eat("[");
        if let Some((name, length)) = bracket(self.rest()) {
            let (name, negated) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
            let Some(set) = property::bracket(name, options.tables == Tables::Ascii) else {
                return Err(Problem::UnknownBracket(name.into()).at(start));
            };
            self.at += length;
            members.add_escape(if negated { set.negated() } else { set });
        } else {
            let set = self.deeper(|parser| parser.members(options, start, false))?;
            members.add(set, Before::Start);
        }
        Ok(())
    }

    /// A `-` and, when it makes a range, the character at its end.
    fn dash(&mut self, options: Options, members: &mut Members) -> Result<()> {
        let start = self.at;
        self.eat("-");
        let last = self.rest().starts_with(']') || self.rest().starts_with("&&");
        match members.before {
            Before::Start => members.add_character('-'),
            Before::Set if !last => return Err(Problem::RangeOfSet.at(start)),
            Before::Range | Before::Set => members.add_range('-', '-', Before::Range),
            Before::Character(_) if last => members.add_range('-', '-', Before::Range),
            Before::Character(from) => self.range_end(from, options, members, start)?,
        }
        Ok(())
    }

    fn range_end(&mut self, from: char, options: Options, members: &mut Members, start: usize) -> Result<()> {
        if self.rest().starts_with('[') {
            if bracket(&self.rest()[1..]).is_some() {
                return Err(Problem::RangeOfSet.at(start));
            }
            // Observed: Ruby 3.1 leaves out the `-` of `[a-[b]]`.
            members.before = Before::Start;
            return Ok(());
        }
        let mut ends = Members::new();
        self.member(options, &mut ends)?;
        match ends.before {
            Before::Character(to) if from <= to => {
                // Of an escape with several characters the last one ends the range.
                members.ranges.append(&mut ends.ranges);
                members.add_range(from, to, Before::Range);
            }
            Before::Character(to) => {
                return Err(Problem::DescendingRange(from, to).at(start));
            }
            _ => return Err(Problem::RangeOfSet.at(start)),
        }
        Ok(())
    }

    fn member(&mut self, options: Options, members: &mut Members) -> Result<()> {
        let start = self.at;
        let Some(next) = self.next() else {
            return Err(Problem::UnclosedClass.at(start));
        };
        if next != '\\' {
            members.add_character(next);
            return Ok(());
        }
        if self.eat("b") {
            members.add_character('\u{8}');
            return Ok(());
        }
        if let Some(set) = self.set_escape(options, start, false)? {
            members.add_escape(set);
            return Ok(());
        }
        self.characters(start, &mut |one| members.add_character(one))
    }
}

/// Whether a `]` without a backslash is in `text`.
fn has_bracket(text: &str) -> bool {
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => _ = characters.next(),
            ']' => return true,
            _ => {}
        }
    }
    false
}

/// The name in `:name:]` at the start of `text`, and the length of it all.
fn bracket(text: &str) -> Option<(&str, usize)> {
    let inside = text.strip_prefix(':')?;
    let length = inside.find([':', ']']).filter(|&length| length <= LONGEST_BRACKET)?;
    inside[length..].starts_with(":]").then(|| (&inside[..length], length + 3))
}

/// Letters after which a bracket `[:` is not looked for any longer.
const LONGEST_BRACKET: usize = 20;
