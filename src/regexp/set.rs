//! Sets of characters: what a class `[a-z\d]`, `\w` or `.` matches.
//!
//! The arithmetic is that of `regex_syntax`.

use std::fmt::{self, Write};

use crate::interrupt;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

/// Writes a character of a class.
type Writing<W> = fn(&mut W, char) -> fmt::Result;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set {
    characters: ClassUnicode,
    /// The characters whose other case is known to be in the set, so that case folding can skip them.
    closed: ClassUnicode,
    /// Whether a part of the set comes from Unicode tables.
    pub(super) is_named: bool,
}

impl Set {
    fn new(characters: ClassUnicode) -> Set {
        Set { characters, closed: ClassUnicode::empty(), is_named: false }
    }

    pub(super) fn ranges(ranges: &[(char, char)]) -> Set {
        Set::new(ClassUnicode::new(ranges.iter().map(|(from, to)| ClassUnicodeRange::new(*from, *to))))
    }

    /// `\h`
    pub(super) fn hexadecimal() -> Set {
        Set::ranges(&[('0', '9'), ('A', 'F'), ('a', 'f')])
    }

    /// The set of all characters; without the newline if `newline` is false.
    pub(super) fn any(newline: bool) -> Set {
        if newline { Set::empty().negated() } else { Set::range('\n', '\n').negated() }
    }

    pub(super) fn range(from: char, to: char) -> Set {
        Set::ranges(&[(from, to)])
    }

    /// Parses a set in the engine's notation, ignoring case unless `cased`; `None` if it is not valid.
    pub(super) fn named(notation: &str, cased: bool) -> Option<Set> {
        // The tables of Unicode are long.
        interrupt::poll();
        let HirKind::Class(Class::Unicode(characters)) = regex_syntax::parse(notation).ok()?.into_kind() else {
            return None;
        };
        let closed = if cased { ClassUnicode::empty() } else { characters.clone() };
        Some(Set { characters, closed, is_named: true })
    }

    pub(super) fn or(mut self, Set { characters, closed, is_named }: Set) -> Set {
        self.characters.union(&characters);
        self.closed.union(&closed);
        self.is_named |= is_named;
        self
    }

    pub(super) fn and(mut self, other: &Set) -> Set {
        self.characters.intersect(&other.characters);
        Set { is_named: self.is_named || other.is_named, ..Set::new(self.characters) }
    }

    pub(super) fn negated(mut self) -> Set {
        self.characters.negate();
        Set { is_named: self.is_named, ..Set::new(self.characters) }
    }

    pub(super) fn empty() -> Set {
        Set::new(ClassUnicode::empty())
    }

    pub(super) fn range_count(&self) -> usize {
        self.characters.ranges().len()
    }

    /// Writes the set or its complement, whichever has fewer ranges. `all` are the ranges of all characters.
    pub(super) fn write_ranges<W: Write>(&self, f: &mut W, all: &str, write: Writing<W>) -> fmt::Result {
        let mut complement = self.characters.clone();
        complement.negate();
        let is_shorter = complement.ranges().len() < self.characters.ranges().len();
        let (caret, class) = if is_shorter { ("^", &complement) } else { ("", &self.characters) };
        if class.ranges().is_empty() {
            return write!(f, "[{}{all}]", if is_shorter { "" } else { "^" });
        }
        write!(f, "[{caret}")?;
        for range in class.ranges() {
            write(f, range.start())?;
            if range.start() < range.end() {
                f.write_str(if range.len() > 2 { "-" } else { "" })?;
                write(f, range.end())?;
            }
        }
        f.write_char(']')
    }

    /// The set with the other case of each letter added.
    ///
    /// Observed: Ruby 3.1 adds nothing between U+0080 and U+00FF: `/[éè]/i` does not match `É`.
    pub(super) fn folded(self) -> Set {
        let mut added = self.characters.clone();
        added.difference(&self.closed);
        if added.ranges().is_empty() {
            return self;
        }
        added.case_fold_simple();
        added.difference(&Set::range('\u{80}', '\u{ff}').characters);
        added.union(&self.characters);
        Set::new(added)
    }

    /// Some characters of the set, the most readable first.
    pub(super) fn examples(&self) -> Vec<char> {
        const EASY: [char; 10] = ['a', '0', 'A', 'z', '9', 'Z', '-', '_', '.', ' '];
        const MAX_RANGES: usize = 16;
        let ranges = self.characters.ranges();
        let has = |character: &char| ranges.iter().any(|range| (range.start()..=range.end()).contains(character));
        let easy = EASY.into_iter().filter(has);
        let ends = ranges.iter().take(MAX_RANGES).flat_map(|range| [range.start(), range.end()]);
        easy.chain(ends.filter(|end| !EASY.contains(end))).collect()
    }

    pub(super) fn only(&self) -> Option<char> {
        match self.characters.ranges() {
            [only] if only.start() == only.end() => Some(only.start()),
            _ => None,
        }
    }
}

/// In the engine's notation: a class in brackets of the set or its complement, whichever is shorter.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_ranges(f, r"\x{0}-\x{10FFFF}", write_character)
    }
}

/// Writes `character` so that every engine reads it as itself.
pub(super) fn write_character(f: &mut impl Write, character: char) -> fmt::Result {
    let needs_no_escape = character.is_ascii_alphanumeric() || character == '_' || !character.is_ascii();
    if needs_no_escape { f.write_char(character) } else { write!(f, "\\x{{{:X}}}", character as u32) }
}

#[cfg(test)]
#[path = "../../tests/unit/regexp/set.rs"]
mod tests;
