//! Helpers for messages: suggestions for misspelt names, counts with nouns, control characters, wrapping.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The number of edits from one word to the other: letters added, removed, replaced, or swapped with the next.
pub(crate) use strsim::osa_distance as edit_distance;

/// Defines an enum with a word for each variant, perhaps with its meaning, and the function that returns the word.
macro_rules! enum_with_words {
    ($(#[$attribute:meta])* $visibility:vis $enum:ident $(#[$about:meta])* $word_of:ident {
        $($variant:ident $word:literal $($meaning:literal)?)+
    }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility enum $enum {
            $(#[doc = concat!("`", $word, "`" $(, ": ", $meaning)?)] $variant,)+
        }

        impl $enum {
            $(#[$about])*
            $visibility fn $word_of(self) -> &'static str {
                match self {
                    $($enum::$variant => $word,)+
                }
            }
        }
    };
}
pub(crate) use enum_with_words;

/// The maximum length of a misspelt or suggested name. Longer ones are skipped: the time grows with both lengths.
const MAX_COMPARED_NAME_BYTES: usize = 200;

/// The maximum number of names that a misspelt one is compared with; those after it are never suggested.
const MAX_COMPARED_NAMES: usize = 10_000;

/// Returns `text` (a file name, a value …) so that printing it is safe: characters that could control the terminal, or
/// change the direction of the text after them, are replaced by pictures and escapes. Newlines and tabs stay.
pub fn to_printable(text: &str) -> Cow<'_, str> {
    replace_display_controls(text, |shown, letter| match letter {
        '\n' | '\t' => shown.push(letter),
        '\0'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + u32::from(letter))),
        '\u{7f}' => shown.push('␡'),
        // Writing to a String cannot fail.
        _ => drop(write!(shown, "\\u{{{:X}}}", u32::from(letter))),
    })
}

/// Returns `json` with the characters that [`to_printable`] replaces written as JSON escapes, which mean the same.
pub fn to_printable_json(json: &str) -> Cow<'_, str> {
    replace_display_controls(json, |shown, letter| match letter {
        '\n' => shown.push(letter),
        _ => drop(write!(shown, "\\u{:04x}", u32::from(letter))),
    })
}

fn replace_display_controls(text: &str, escape: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.chars().any(|letter| is_display_control(letter) && letter != '\n') {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if is_display_control(letter) { escape(&mut shown, letter) } else { shown.push(letter) }
    }
    Cow::Owned(shown)
}

/// Whether `letter` is invisible: it controls the terminal (newline, tab …), sets the direction of text, or ends lines.
///
/// Source: Unicode Standard Annex 9, "Bidirectional Algorithm", section 2.
pub(crate) fn is_display_control(letter: char) -> bool {
    matches!(
        letter,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// Returns the one of `names` of which `wrong` is most likely a misspelling, ignoring case; `None` if none is similar.
pub fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if wrong.len() > MAX_COMPARED_NAME_BYTES {
        return None;
    }
    let wrong = wrong.to_lowercase();
    let length = wrong.chars().count();
    let names = names.into_iter().take(MAX_COMPARED_NAMES);
    let similar = names.filter_map(|name| Some((misspelling_distance(&wrong, length, name)?, name)));
    similar.min().map(|(_, name)| name)
}

/// Returns the edit distance of `wrong` (`length` characters) and `name`; `None` if it is too large for a misspelling.
fn misspelling_distance(wrong: &str, length: usize, name: &str) -> Option<usize> {
    /// A replaced letter in a word of up to this length more likely makes another word, which is not suggested.
    const SHORT_WORD_CHARACTERS: usize = 4;
    if name.len() > MAX_COMPARED_NAME_BYTES {
        return None;
    }
    // One letter in three may be wrong.
    let most = (length / 3).max(1);
    let name = name.to_lowercase();
    let name_length = name.chars().count();
    // Most names differ too much, which is seen sooner: without this, a check of 5,000 files takes 2.7 times as long.
    if name_length.abs_diff(length) > most || edit_distance_lower_bound(wrong, &name) > most {
        return None;
    }
    let distance = edit_distance(wrong, &name);
    let is_replaced = || name_length == length && sorted_chars(&name) != sorted_chars(wrong);
    let is_other_word = distance > 0 && length <= SHORT_WORD_CHARACTERS && is_replaced();
    let is_alike = distance <= 1 || are_names_similar(wrong, &name);
    (distance <= most && !is_other_word && is_alike).then_some(distance)
}

/// Whether two qualified names have similar segments in the same order, where one name may lack a segment. Each pair of
/// segments has to be similar: equal ones do not make up for a different one.
fn are_names_similar(wrong: &str, name: &str) -> bool {
    let count = |name: &str, separator: &str| name.matches(separator).count();
    if count(wrong, "::") == count(name, "::") {
        return wrong.split("::").zip(name.split("::")).all(are_segments_similar);
    }
    let (short, long) = if count(wrong, "::") < count(name, "::") { (wrong, name) } else { (name, wrong) };
    let without = |left_out| long.split("::").enumerate().filter(move |(at, _)| *at != left_out).map(|(_, part)| part);
    count(short, "::") + 1 == count(long, "::")
        && (0..=count(long, "::")).any(|left_out| short.split("::").zip(without(left_out)).all(are_segments_similar))
}

/// Whether one segment is a prefix of the other, or the segments and their words (split at `_`) differ in few letters.
fn are_segments_similar((wrong, name): (&str, &str)) -> bool {
    let is_near = |(wrong, name): (&str, &str)| edit_distance(wrong, name) <= (wrong.chars().count() / 3).max(1);
    let words = |segment: &str| segment.matches('_').count();
    name.starts_with(wrong)
        || wrong.starts_with(name)
        || is_near((wrong, name)) && (words(wrong) != words(name) || wrong.split('_').zip(name.split('_')).all(is_near))
}

/// Returns `unknown setting `widht`; did you mean `width`?`; without `near`, `otherwise` replaces the question.
pub fn unknown_name(what: &str, name: &str, near: Option<&str>, otherwise: &str) -> String {
    match near {
        Some(near) => format!("unknown {what} `{name}`; did you mean `{near}`?"),
        None => format!("unknown {what} `{name}`; {otherwise}"),
    }
}

pub(crate) fn did_you_mean(near: Option<impl std::fmt::Display>) -> Option<String> {
    near.map(|near| format!("did you mean {near}?"))
}

pub(crate) fn capitalize_segments(name: &str) -> String {
    let parts = name.split("::").map(|part| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    });
    parts.collect::<Vec<_>>().join("::")
}

/// Returns a lower bound of the edit distance, from the count of each letter; 0 if a word is not ASCII.
#[expect(clippy::indexing_slicing, reason = "a remainder of 32 is a place among 32")]
fn edit_distance_lower_bound(one: &str, other: &str) -> usize {
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

fn sorted_chars(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// Appends spaces to `text` up to `width` characters; a longer `text` is unchanged. Used because a width in a format
/// string panics above 65,535, which the length of a name in a user's program can exceed.
pub fn pad_to_width(text: &str, width: usize) -> String {
    text.to_owned() + &" ".repeat(width.saturating_sub(text.chars().count()))
}

/// Breaks `line` at spaces to fit `columns`, and indents the further lines. Keeps long words whole; ignores colours.
pub(crate) fn wrap_line(line: &str, columns: usize, indentation: usize) -> String {
    let mut text = String::with_capacity(line.len());
    let mut width = 0;
    for (number, word) in line.split(' ').enumerate() {
        let more = strip_colour_codes(word).chars().count();
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

/// Returns `text` without the escape sequences of colours.
pub fn strip_colour_codes(text: &str) -> String {
    let mut pieces = text.split("\u{1b}[");
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |shown, piece| shown + piece.split_once('m').map_or(piece, |(_, rest)| rest))
}

/// Returns `text`, or its first `characters` characters and `…`; cut between words unless the last word is long.
pub(crate) fn shorten(text: &str, characters: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(characters) else { return text.to_owned() };
    let beginning = text.get(..end).unwrap_or(text);
    let whole_words = beginning.rfind(' ').and_then(|space| beginning.get(..=space));
    format!("{}…", whole_words.filter(|words| 2 * words.len() > end).unwrap_or(beginning))
}

/// Returns a count with its noun in the singular or plural: `1 file`, `2 entries`.
pub fn pluralize(count: usize, thing: &str) -> String {
    match (count, thing.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']))) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) if thing.ends_with('s') || thing.ends_with("ch") => format!("{count} {thing}es"),
        (_, None) => format!("{count} {thing}s"),
    }
}
