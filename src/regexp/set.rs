//! Sets of characters: what a class `[a-z\d]`, `\w` or `.` matches.
//!
//! Whatever is made of characters and ranges is worked out here, so that the engine gets plain ranges; sets that need
//! Unicode tables stay symbolic and are left to the engine, which has the tables.

use std::fmt::{self, Write};

/// The highest code point.
const LAST: u32 = char::MAX as u32;

/// The gap in the code points: no character has these numbers.
const SURROGATES: std::ops::RangeInclusive<u32> = 0xD800..=0xDFFF;

/// Code points in ascending ranges, both ends inclusive, that neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    /// From ranges in any order. A range that descends is empty.
    pub(super) fn new(ranges: impl IntoIterator<Item = (u32, u32)>) -> Ranges {
        let mut sorted: Vec<_> = ranges.into_iter().filter(|(from, to)| from <= to).collect();
        sorted.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(sorted.len());
        for (from, to) in sorted {
            match merged.last_mut() {
                Some(last) if from <= last.1.saturating_add(1) => last.1 = last.1.max(to),
                _ => merged.push((from, to)),
            }
        }
        Ranges(merged)
    }

    /// The characters of `text`.
    pub(super) fn of(text: &str) -> Ranges {
        Ranges::new(text.chars().map(|character| (character as u32, character as u32)))
    }

    /// What is in either.
    pub(super) fn union(&self, other: &Ranges) -> Ranges {
        Ranges::new(self.0.iter().chain(&other.0).copied())
    }

    /// What is in neither.
    pub(super) fn negated(&self) -> Ranges {
        let mut next = 0;
        let mut gaps = Vec::with_capacity(self.0.len() + 1);
        for &(from, to) in &self.0 {
            if next < from {
                gaps.push((next, from - 1));
            }
            next = to + 1;
        }
        if next <= LAST {
            gaps.push((next, LAST));
        }
        Ranges(gaps)
    }

    /// What is in both.
    pub(super) fn intersection(&self, other: &Ranges) -> Ranges {
        self.negated().union(&other.negated()).negated()
    }

    /// The set with the other case of each of its letters.
    ///
    /// Observed: Ruby 3.1 adds nothing between U+0080 and U+00FF: `/[éè]/i` does not match `É`.
    pub(super) fn folded(self) -> Ranges {
        if self.0.last().is_some_and(|&(_, to)| to > 0x7F) {
            let folded = taken_for(&format!("(?i:{self})"), LAST_WITH_CASE);
            let never_added = Ranges(vec![(0x80, 0xFF)]).negated();
            return folded.intersection(&never_added).union(&self);
        }
        let ascii = (0..0x80).filter(|code| self.0.iter().any(|(from, to)| (from..=to).contains(&code)));
        let others = ascii.filter_map(char::from_u32).flat_map(|letter| match letter {
            's' | 'S' => vec!['s', 'S', '\u{17f}'],
            'k' | 'K' => vec!['k', 'K', '\u{212a}'],
            letter => vec![letter.to_ascii_lowercase(), letter.to_ascii_uppercase()],
        });
        Ranges::of(&others.collect::<String>()).union(&self)
    }

    fn ends(&self) -> impl Iterator<Item = (char, char)> {
        let (first, last) = (*SURROGATES.start(), *SURROGATES.end());
        let around_gap = move |&(from, to): &(u32, u32)| [(from, to.min(first - 1)), (from.max(last + 1), to)];
        let pieces = self.0.iter().flat_map(around_gap).filter(|(from, to)| from <= to);
        pieces.filter_map(|(from, to)| Some((char::from_u32(from)?, char::from_u32(to)?)))
    }
}

/// No character above has another case.
const LAST_WITH_CASE: char = '\u{1E943}';

/// The characters up to `last` that the engine takes `notation` for.
fn taken_for(notation: &str, last: char) -> Ranges {
    let regex = regex::Regex::new(&format!("{notation}+")).expect("every set is written so that it compiles");
    let all: String = ('\0'..=last).collect();
    let run = |found: regex::Match<'_>| {
        let mut characters = found.as_str().chars();
        let first = characters.next().expect("a run holds a character");
        (first as u32, characters.next_back().unwrap_or(first) as u32)
    };
    Ranges::new(regex.find_iter(&all).map(run))
}

/// A set of characters, worked out as far as it can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Set {
    /// `[a-z\d]`
    Ranges(Ranges),
    /// `\p{Lu}`, `[[:alpha:]]`: in the engine's own notation. A set that is not `cased` holds both cases of its letters.
    Named { notation: Box<str>, cased: bool },
    /// `[^\p{Lu}]`
    Not(Box<Set>),
    /// `[\p{Lu}\d]`
    Either(Vec<Set>),
    /// `[\p{L}&&[^x]]`
    Both(Box<Set>, Box<Set>),
}

impl Set {
    /// `\d`
    pub(super) fn digit() -> Set {
        Set::Ranges(Ranges(vec![(0x30, 0x39)]))
    }

    /// `\w`
    pub(super) fn word() -> Set {
        Set::Ranges(Ranges(vec![(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)]))
    }

    /// `\s`
    pub(super) fn space() -> Set {
        Set::Ranges(Ranges(vec![(0x09, 0x0D), (0x20, 0x20)]))
    }

    /// `\h`
    pub(super) fn hexadecimal() -> Set {
        Set::Ranges(Ranges(vec![(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)]))
    }

    /// Every character, without the newline when `newline` is false.
    pub(super) fn any(newline: bool) -> Set {
        let none = if newline { Ranges::default() } else { Ranges::of("\n") };
        Set::Ranges(none.negated())
    }

    /// The characters from `from` to `to`.
    pub(super) fn range(from: char, to: char) -> Set {
        Set::Ranges(Ranges::new([(from as u32, to as u32)]))
    }

    /// In the engine's own notation, which holds both cases of its letters unless it is `cased`.
    pub(super) fn named(notation: &str, cased: bool) -> Set {
        Set::Named { notation: notation.into(), cased }
    }

    /// What is in either.
    #[must_use]
    pub(super) fn or(self, other: Set) -> Set {
        match (self, other) {
            (one, other) if one == Set::empty() => other,
            (one, other) if other == Set::empty() => one,
            (Set::Ranges(one), Set::Ranges(other)) => Set::Ranges(one.union(&other)),
            (Set::Either(mut sets), Set::Ranges(other)) => {
                match sets.iter_mut().find_map(|set| if let Set::Ranges(ranges) = set { Some(ranges) } else { None }) {
                    Some(ranges) => *ranges = ranges.union(&other),
                    None => sets.push(Set::Ranges(other)),
                }
                Set::Either(sets)
            }
            (Set::Either(mut sets), other) => {
                sets.push(other);
                Set::Either(sets)
            }
            (one, other) => Set::Either(vec![one, other]),
        }
    }

    /// What is in both.
    #[must_use]
    pub(super) fn and(self, other: Set) -> Set {
        match (self, other) {
            (Set::Ranges(one), Set::Ranges(other)) => Set::Ranges(one.intersection(&other)),
            (one, other) => Set::Both(Box::new(one), Box::new(other)),
        }
    }

    /// What is not in it.
    #[must_use]
    pub(super) fn negated(self) -> Set {
        match self {
            Set::Ranges(ranges) => Set::Ranges(ranges.negated()),
            Set::Not(set) => *set,
            other => Set::Not(Box::new(other)),
        }
    }

    /// Nothing.
    pub(super) fn empty() -> Set {
        Set::Ranges(Ranges::default())
    }

    /// The set with the other case of each of its letters.
    #[must_use]
    pub(super) fn folded(self) -> Set {
        match self {
            Set::Ranges(ranges) => Set::Ranges(ranges.folded()),
            Set::Named { cased: false, .. } => self,
            Set::Either(sets) => Set::Either(sets.into_iter().map(Set::folded).collect()),
            Set::Named { cased: true, .. } | Set::Not(_) | Set::Both(..) => {
                Set::Ranges(taken_for(&self.to_string(), char::MAX).folded())
            }
        }
    }

    /// The character, when there is exactly one.
    pub(super) fn only(&self) -> Option<char> {
        match self {
            Set::Ranges(Ranges(ranges)) => match ranges[..] {
                [(from, to)] if from == to => char::from_u32(from),
                _ => None,
            },
            Set::Named { .. } | Set::Not(_) | Set::Either(_) | Set::Both(..) => None,
        }
    }

    /// Whether only the engine can work it out.
    pub(super) fn is_symbolic(&self) -> bool {
        !matches!(self, Set::Ranges(_))
    }
}

/// A class in brackets, in the engine's notation. Of the set and what it leaves out the one with fewer ranges is written.
impl fmt::Display for Ranges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let negated = self.negated();
        let (caret, ranges) = if negated.0.len() < self.0.len() { ("^", &negated) } else { ("", self) };
        if ranges.0.is_empty() {
            return f.write_str(if caret.is_empty() { r"[^\x{0}-\x{10FFFF}]" } else { r"[\x{0}-\x{10FFFF}]" });
        }
        write!(f, "[{caret}")?;
        for (from, to) in ranges.ends() {
            write_character(f, from)?;
            if from < to {
                f.write_str(if from as u32 + 1 < to as u32 { "-" } else { "" })?;
                write_character(f, to)?;
            }
        }
        f.write_char(']')
    }
}

/// In the engine's notation, as a class in brackets or a name that stands for one.
impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Set::Ranges(ranges) => write!(f, "{ranges}"),
            Set::Named { notation, .. } => f.write_str(notation),
            Set::Not(set) => write!(f, "[^{set}]"),
            Set::Either(sets) => {
                f.write_char('[')?;
                sets.iter().try_for_each(|set| write!(f, "{set}"))?;
                f.write_char(']')
            }
            Set::Both(one, other) => write!(f, "[{one}&&{other}]"),
        }
    }
}

/// Writes `character` so that every engine takes it as itself.
pub(super) fn write_character(f: &mut impl Write, character: char) -> fmt::Result {
    let stands_for_itself = character.is_ascii_alphanumeric() || character == '_' || !character.is_ascii();
    if stands_for_itself { f.write_char(character) } else { write!(f, "\\x{{{:X}}}", character as u32) }
}

#[cfg(test)]
mod tests {
    use super::{Ranges, Set};

    #[test]
    fn ranges_merge_and_negate() {
        let set = Set::range('c', 'f').or(Set::range('a', 'b')).or(Set::digit());
        assert_eq!(set.to_string(), "[0-9a-f]");
        assert_eq!(set.clone().negated().to_string(), "[^0-9a-f]");
        assert_eq!(set.clone().negated().negated(), set);
        assert_eq!(set.and(Set::range('e', 'z')).to_string(), "[ef]");
    }

    #[test]
    fn folding_adds_the_other_case_and_the_signs_that_fold_to_ascii() {
        assert_eq!(Ranges::of("as").folded(), Ranges::of("aAsS\u{17f}"));
        assert_eq!(Ranges::of("\u{212a}").folded(), Ranges::of("\u{212a}kK"));
        assert_eq!(Ranges::of("é").folded(), Ranges::of("é"));
    }

    #[test]
    fn no_character_and_every_character_have_a_form() {
        assert_eq!(Set::empty().to_string(), r"[^\x{0}-\x{10FFFF}]");
        assert_eq!(Set::any(true).to_string(), r"[\x{0}-\x{10FFFF}]");
    }
}
