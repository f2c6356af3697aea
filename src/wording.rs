//! Helpers for messages that every module needs: suggestions for misspelt names, counts with nouns.

use std::borrow::Cow;
use std::fmt::Write as _;

use strsim::osa_distance;

/// Longer names are not compared: that takes the product of their lengths.
const MAX_NAME_BYTES: usize = 200;

/// More names are not looked through.
const MAX_NAMES: usize = 10_000;

/// A string from elsewhere (a file, its name, a value) as it may be printed: characters that could control the terminal, or
/// change the order in which the rest is shown, are replaced by pictures and escapes. Line breaks and tabs stay.
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
    if !text.chars().any(|letter| controls_display(letter) && letter != '\n') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if controls_display(letter) { escape(&mut shown, letter) } else { shown.push(letter) }
    }
    Cow::Owned(shown)
}

/// Whether a character is not shown but controls the terminal, changes the direction of text, or ends a line.
///
/// Source: Unicode Standard Annex 9, "Bidirectional Algorithm", section 2.
pub(crate) fn controls_display(letter: char) -> bool {
    matches!(
        letter,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// The name that `wrong` is most likely a misspelling of, whatever the case of letters; none when all are too far off.
pub fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if wrong.len() > MAX_NAME_BYTES {
        return None;
    }
    let wrong = wrong.to_lowercase();
    let length = wrong.chars().count();
    let similar = names.into_iter().take(MAX_NAMES).filter_map(|name| Some((edits(&wrong, length, name)?, name)));
    similar.min().map(|(_, name)| name)
}

/// How many edits make `name` of a word with so many letters, if they are so few that the word is likely a misspelling.
fn edits(wrong: &str, length: usize, name: &str) -> Option<usize> {
    /// In a word of so many letters, a replaced letter more likely makes another word than a misspelling.
    const SHORT: usize = 4;
    if name.len() > MAX_NAME_BYTES {
        return None;
    }
    // One letter in three may be wrong.
    let most = (length / 3).max(1);
    let name = name.to_lowercase();
    let name_length = name.chars().count();
    // Most names differ too much, which is seen sooner: without this, a check of 5,000 files takes 2.7 times as long.
    if name_length.abs_diff(length) > most || least_edits(wrong, &name) > most {
        return None;
    }
    let distance = osa_distance(wrong, &name);
    let is_replaced = || name_length == length && letters(&name) != letters(wrong);
    let is_other_word = distance > 0 && length <= SHORT && is_replaced();
    let is_alike = distance <= 1 || is_alike_in_parts(wrong, &name);
    (distance <= most && !is_other_word && is_alike).then_some(distance)
}

/// Whether each segment of a qualified name could be a misspelling of the other's, or is the beginning of it, where one
/// may be missing: the others must not make up for a segment that is another word.
fn is_alike_in_parts(wrong: &str, name: &str) -> bool {
    let count = |name: &str, separator: &str| name.matches(separator).count();
    if count(wrong, "::") == count(name, "::") {
        return wrong.split("::").zip(name.split("::")).all(is_alike);
    }
    let (short, long) = if count(wrong, "::") < count(name, "::") { (wrong, name) } else { (name, wrong) };
    let without = |left_out| long.split("::").enumerate().filter(move |(at, _)| *at != left_out).map(|(_, part)| part);
    count(short, "::") + 1 == count(long, "::")
        && (0..=count(long, "::")).any(|left_out| short.split("::").zip(without(left_out)).all(is_alike))
}

/// Whether each word of a segment could be a misspelling of the other's, or one is the beginning of the other.
fn is_alike((wrong, name): (&str, &str)) -> bool {
    let is_near = |(wrong, name): (&str, &str)| osa_distance(wrong, name) <= (wrong.chars().count() / 3).max(1);
    let words = |segment: &str| segment.matches('_').count();
    name.starts_with(wrong)
        || wrong.starts_with(name)
        || is_near((wrong, name)) && (words(wrong) != words(name) || wrong.split('_').zip(name.split('_')).all(is_near))
}

/// `unknown setting `widht`; did you mean `width`?`; if nothing is near, `otherwise` in place of the question.
pub(crate) fn unknown(what: &str, name: &str, near: Option<&str>, otherwise: &str) -> String {
    match near {
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{name}`; {otherwise}"),
    }
}

/// `did you mean Integer?`
pub(crate) fn meant(near: Option<impl std::fmt::Display>) -> Option<String> {
    near.map(|near| format!("did you mean {near}?"))
}

/// `Web::Port` for `web::port`
pub(crate) fn capitalized(name: &str) -> String {
    let parts = name.split("::").map(|part| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    });
    parts.collect::<Vec<_>>().join("::")
}

/// The edits between two words: letters that are added, left out, replaced or swapped with the next.
pub(crate) fn distance(one: &str, other: &str) -> usize {
    osa_distance(one, other)
}

/// A lower bound of the edits between two words: an edit of ASCII changes how often one letter occurs, or two.
#[expect(clippy::indexing_slicing, reason = "a remainder of 32 is a place among 32")]
fn least_edits(one: &str, other: &str) -> usize {
    if !one.is_ascii() || !other.is_ascii() {
        return 0;
    }
    let mut surplus = [0_isize; 32];
    one.bytes().for_each(|byte| surplus[usize::from(byte % 32)] += 1);
    other.bytes().for_each(|byte| surplus[usize::from(byte % 32)] -= 1);
    let more: isize = surplus.iter().filter(|count| **count > 0).sum();
    let less: isize = surplus.iter().filter(|count| **count < 0).sum();
    more.max(-less).unsigned_abs()
}

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

/// Breaks a line at spaces to fit the columns, and indents further lines. Escape sequences have no width.
pub(crate) fn wrap(line: &str, columns: usize, indentation: usize) -> String {
    let mut text = String::with_capacity(line.len());
    let mut width = 0;
    for (number, word) in line.split(' ').enumerate() {
        let more = without_escapes(word).chars().count();
        if number > 0 && width + 1 + more > columns && width > indentation {
            text.push('\n');
            text.push_str(&" ".repeat(indentation));
            width = indentation;
        } else if number > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += more;
    }
    text
}

/// A text without the escape sequences of colours.
pub fn without_escapes(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |shown, piece| shown + piece.split_once('m').map_or(piece, |(_, rest)| rest))
}

/// The text, or its beginning in so many characters and `…`; not cut inside of a word unless that is a long one.
pub(crate) fn cut(text: &str, characters: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(characters) else { return text.to_owned() };
    let beginning = text.get(..end).unwrap_or(text);
    let whole_words = beginning.rfind(' ').and_then(|space| beginning.get(..=space));
    format!("{}…", whole_words.filter(|words| 2 * words.len() > end).unwrap_or(beginning))
}

/// A number of things, in the singular or plural.
pub fn counted(count: usize, thing: &str) -> String {
    match (count, thing.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']))) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) if thing.ends_with('s') || thing.ends_with("ch") => format!("{count} {thing}es"),
        (_, None) => format!("{count} {thing}s"),
    }
}
