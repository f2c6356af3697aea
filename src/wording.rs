//! Helpers for messages that every module needs: suggestions for misspelt names, counts with nouns.

use std::borrow::Cow;
use std::fmt::Write as _;

use rapidfuzz::distance::osa;

/// Longer names are not compared: that takes the product of their lengths.
const MAX_NAME_BYTES: usize = 200;

/// More names are not looked through.
const MAX_NAMES: usize = 10_000;

/// A string from elsewhere (a file, its name, a value) as it may be printed: characters that could control the terminal, or
/// change the order in which the rest is shown, are replaced by pictures and escapes. Line breaks and tabs stay.
///
/// ```
/// use pcore::wording::printable;
/// assert_eq!(printable("caf\u{e9}\tau lait\n"), "caf\u{e9}\tau lait\n");
/// assert_eq!(printable("\u{1b}[31m\r\u{202e}cod\u{2066}"), "␛[31m␍\\u{202E}cod\\u{2066}");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |shown, letter| match letter {
        '\n' | '\t' => shown.push(letter),
        '\0'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + u32::from(letter))),
        '\u{7f}' => shown.push('␡'),
        // Writing to a String cannot fail.
        _ => drop(write!(shown, "\\u{{{:X}}}", u32::from(letter))),
    })
}

/// JSON with the characters that [`printable`] replaces written as escapes, which mean the same.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    escaped(json, |shown, letter| match letter {
        '\n' => shown.push(letter),
        _ => drop(write!(shown, "\\u{:04x}", u32::from(letter))),
    })
}

fn escaped(text: &str, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    // Most text has none but characters that are shown, a byte each.
    let plain = text.bytes().take_while(|byte| matches!(byte, b'\n' | b' '..=b'~')).count();
    if !text[plain..].chars().any(|letter| controls_display(letter) && letter != '\n') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if controls_display(letter) { escape(&mut shown, letter) } else { shown.push(letter) }
    }
    Cow::Owned(shown)
}

/// Whether a character is not shown but does something: it controls the terminal, changes the direction of text, or ends
/// a line.
///
/// Source: Unicode Standard Annex 9, "Bidirectional Algorithm", section 2.
#[inline]
pub(crate) fn controls_display(letter: char) -> bool {
    matches!(
        letter,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// The name that `wrong` is most likely a misspelling of, whatever the case of letters; none when all are too far off.
///
/// ```
/// use pcore::wording::nearest;
/// assert_eq!(nearest("Interger", ["String", "Integer"]), Some("Integer"));
/// assert_eq!(nearest("Enmu", ["Enum", "Any"]), Some("Enum"));
/// assert_eq!(nearest("None", ["Node", "Zone"]), None);
/// ```
pub fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    /// A word of so many letters with another letter in one place is more likely another word.
    const SHORT: usize = 4;
    if wrong.len() > MAX_NAME_BYTES {
        return None;
    }
    let wrong = wrong.to_lowercase();
    let length = wrong.chars().count();
    // One letter in three may be wrong.
    let most = (length / 3).max(1);
    // A quick look before the exact count: the most promising names come first.
    let counts = wrong.is_ascii().then(|| letter_counts(&wrong));
    let least_edits = |name: &'n str| {
        let least = match &counts {
            _ if name.len() > MAX_NAME_BYTES => return None,
            Some(counts) if name.is_ascii() => {
                if name.len().abs_diff(wrong.len()) > most {
                    return None;
                }
                least_edits(&letter_counts(name), counts)
            }
            _ => 0,
        };
        (least <= most).then_some((least, name))
    };
    let mut promising: Vec<(usize, &str)> = names.into_iter().take(MAX_NAMES).filter_map(least_edits).collect();
    if promising.is_empty() {
        return None;
    }
    promising.sort_unstable();
    let comparator = osa::BatchComparator::new(wrong.chars());
    let mut best: Option<(usize, &str)> = None;
    for (least, name) in promising {
        let most = best.map_or(most, |(distance, _)| distance);
        if least > most {
            break;
        }
        let lower = name.to_lowercase();
        let within = osa::Args::default().score_cutoff(most);
        let Some(distance) = comparator.distance_with_args(lower.chars(), &within) else { continue };
        let is_replaced = || lower.chars().count() == length && letters(&lower) != letters(&wrong);
        if !(distance > 0 && length <= SHORT && is_replaced()) {
            best = best.into_iter().chain([(distance, name)]).min();
        }
    }
    best.map(|(_, name)| name)
}

/// The edits between two words: letters that are added, left out, replaced or swapped with the next.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    osa::distance(one.chars(), other.chars())
}

/// How often each letter is in a word of at most [`MAX_NAME_BYTES`] ASCII characters. Letters that differ in case share a
/// place.
#[expect(clippy::indexing_slicing, reason = "a remainder of 32 is a place among 32")]
fn letter_counts(word: &str) -> [u8; 32] {
    let mut counts = [0; 32];
    for byte in word.bytes() {
        counts[usize::from(byte % 32)] += 1;
    }
    counts
}

/// The edits that lie between two words at least, by how often each letter is in them. An edit adds a letter, takes one
/// away, or does both.
fn least_edits(one: &[u8; 32], other: &[u8; 32]) -> usize {
    // No sum is more than the length of a word.
    let surplus = |one: &[u8; 32], other: &[u8; 32]| -> u8 {
        one.iter().zip(other).map(|(one, other)| one.saturating_sub(*other)).sum()
    };
    surplus(one, other).max(surplus(other, one)).into()
}

/// The letters of a word in alphabetical order.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// The text with spaces after it, so that it has at least `width` characters. A width in a format string panics beyond
/// 65,535, which what users name can exceed.
pub fn padded(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(text.chars().count()))
}

/// A number of things, in the singular or plural.
///
/// ```
/// use pcore::wording::counted;
/// assert_eq!([counted(1, "file"), counted(2, "entry"), counted(0, "alias")], ["1 file", "2 entries", "0 aliases"]);
/// assert_eq!([counted(1, "branch"), counted(2, "branch")], ["1 branch", "2 branches"]);
/// ```
pub fn counted(count: usize, thing: &str) -> String {
    match (count, thing.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']))) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) if thing.ends_with('s') || thing.ends_with("ch") => format!("{count} {thing}es"),
        (_, None) => format!("{count} {thing}s"),
    }
}
