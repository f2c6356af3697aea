//! Sets of characters: the characters that a class `[a-z\d]`, `\w` or `.` matches.
//!
//! The set operations are those of `regex_syntax`.

use std::fmt::{self, Write};

use crate::interrupt;
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

type Writing<W> = fn(&mut W, char) -> fmt::Result;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CharSet {
    characters: ClassUnicode,
    /// The characters whose other case is known to be in the set as well, so that case folding can skip them.
    case_closed: ClassUnicode,
    /// Whether part of the set comes from a Unicode table, such as `[[:alpha:]]`.
    pub(super) is_named: bool,
}

impl CharSet {
    fn from_class(characters: ClassUnicode) -> CharSet {
        CharSet { characters, case_closed: ClassUnicode::empty(), is_named: false }
    }

    pub(super) fn from_ranges(ranges: &[(char, char)]) -> CharSet {
        CharSet::from_class(ClassUnicode::new(ranges.iter().map(|(from, to)| ClassUnicodeRange::new(*from, *to))))
    }

    pub(super) fn hexadecimal_digits() -> CharSet {
        CharSet::from_ranges(&[('0', '9'), ('A', 'F'), ('a', 'f')])
    }

    pub(super) fn any_character(newline: bool) -> CharSet {
        if newline { CharSet::empty().negated() } else { CharSet::from_range('\n', '\n').negated() }
    }

    pub(super) fn from_range(from: char, to: char) -> CharSet {
        CharSet::from_ranges(&[(from, to)])
    }

    /// Parses a class of `regex_syntax`; `None` if invalid. Pass `cased` if it may contain letters in one case only.
    pub(super) fn from_class_syntax(notation: &str, cased: bool) -> Option<CharSet> {
        // The tables of Unicode are long.
        interrupt::poll();
        let HirKind::Class(Class::Unicode(characters)) = regex_syntax::parse(notation).ok()?.into_kind() else {
            return None;
        };
        let closed = if cased { ClassUnicode::empty() } else { characters.clone() };
        Some(CharSet { characters, case_closed: closed, is_named: true })
    }

    pub(super) fn union(mut self, CharSet { characters, case_closed: closed, is_named }: CharSet) -> CharSet {
        self.characters.union(&characters);
        self.case_closed.union(&closed);
        self.is_named |= is_named;
        self
    }

    pub(super) fn intersection(mut self, other: &CharSet) -> CharSet {
        self.characters.intersect(&other.characters);
        CharSet { is_named: self.is_named || other.is_named, ..CharSet::from_class(self.characters) }
    }

    pub(super) fn negated(mut self) -> CharSet {
        self.characters.negate();
        CharSet { is_named: self.is_named, ..CharSet::from_class(self.characters) }
    }

    pub(super) fn empty() -> CharSet {
        CharSet::from_class(ClassUnicode::empty())
    }

    pub(super) fn range_count(&self) -> usize {
        self.characters.ranges().len()
    }

    /// Writes the set, or its complement if it has fewer ranges, as `[…]`; `[all]` for the full set, `[^all]` for none.
    pub(super) fn write_class<W: Write>(&self, f: &mut W, all: &str, write: Writing<W>) -> fmt::Result {
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

    /// Adds the other case of each letter. Observed: Ruby 3.1 adds nothing from U+0080 to U+00FF: no `É` for `[é]`.
    pub(super) fn case_folded(self) -> CharSet {
        let mut added = self.characters.clone();
        added.difference(&self.case_closed);
        if added.ranges().is_empty() {
            return self;
        }
        added.case_fold_simple();
        added.difference(&CharSet::from_range('\u{80}', '\u{ff}').characters);
        added.union(&self.characters);
        CharSet::from_class(added)
    }

    /// Returns some characters of the set, the most readable first.
    pub(super) fn example_characters(&self) -> Vec<char> {
        const READABLE_EXAMPLES: [char; 10] = ['a', '0', 'A', 'z', '9', 'Z', '-', '_', '.', ' '];
        const MAX_EXAMPLE_RANGES: usize = 16;
        let ranges = self.characters.ranges();
        let has = |character: &char| ranges.iter().any(|range| (range.start()..=range.end()).contains(character));
        let easy = READABLE_EXAMPLES.into_iter().filter(has);
        let ends = ranges.iter().take(MAX_EXAMPLE_RANGES).flat_map(|range| [range.start(), range.end()]);
        easy.chain(ends.filter(|end| !READABLE_EXAMPLES.contains(end))).collect()
    }

    pub(super) fn single_character(&self) -> Option<char> {
        match self.characters.ranges() {
            [only] if only.start() == only.end() => Some(only.start()),
            _ => None,
        }
    }
}

/// Writes a bracketed class in the engines' syntax: of the set or, if shorter, of its complement.
impl fmt::Display for CharSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_class(f, r"\x{0}-\x{10FFFF}", write_literal)
    }
}

/// Writes `character` so that every engine reads it as a literal.
pub(super) fn write_literal(f: &mut impl Write, character: char) -> fmt::Result {
    let needs_no_escape = character.is_ascii_alphanumeric() || character == '_' || !character.is_ascii();
    if needs_no_escape { f.write_char(character) } else { write!(f, "\\x{{{:X}}}", character as u32) }
}

#[cfg(test)]
#[path = "../../tests/unit/regexp/set.rs"]
mod tests;
