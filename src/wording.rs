//! Helpers for messages that every module needs: suggestions for misspelt names, counts with nouns.

/// Longer names are not compared: that takes the product of their lengths.
const MAX_NAME_BYTES: usize = 200;

/// More names are not looked through.
const MAX_NAMES: usize = 10_000;

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
    let distance = |name: &str, most: usize| {
        if name.len() > MAX_NAME_BYTES || are_far_apart(name, &wrong, most) {
            return None;
        }
        let name = name.to_lowercase();
        let distance = strsim::damerau_levenshtein(&name, &wrong);
        let is_replaced = || name.chars().count() == length && letters(&name) != letters(&wrong);
        (distance <= most && !(distance > 0 && length <= SHORT && is_replaced())).then_some(distance)
    };
    let nearer = |best: Option<(usize, &'n str)>, name: &'n str| {
        let found = distance(name, best.map_or(most, |(least, _)| least)).map(|distance| (distance, name));
        best.into_iter().chain(found).min()
    };
    names.into_iter().take(MAX_NAMES).fold(None, nearer).map(|(_, name)| name)
}

/// Whether more than `most` edits lie between two words for certain, whatever the case of their letters: a quick look before
/// the exact count, which takes the product of their lengths. An edit adds a letter, takes one away, or does both.
fn are_far_apart(one: &str, other: &str, most: usize) -> bool {
    let (is_of_other_length, most) = (one.len().abs_diff(other.len()) > most, u32::try_from(most).unwrap_or(u32::MAX));
    // Letters that differ in case share a place.
    let kinds = |word: &str| word.bytes().fold(0_u32, |kinds, byte| kinds | 1 << (byte % 32));
    let far = |one: u32, other: u32| (one & !other).count_ones().max((other & !one).count_ones()) > most;
    one.is_ascii()
        && other.is_ascii()
        && (is_of_other_length || far(kinds(one), kinds(other)) || {
            let mut surplus = [0_i32; 32];
            let mut count = |word: &str, by: i32| {
                for byte in word.bytes() {
                    surplus.get_mut(usize::from(byte % 32)).into_iter().for_each(|count| *count += by);
                }
            };
            count(one, 1);
            count(other, -1);
            let added: i32 = surplus.iter().filter(|count| **count > 0).sum();
            let removed: i32 = surplus.iter().filter(|count| **count < 0).sum();
            added.max(-removed).unsigned_abs() > most
        })
}

/// The letters of a word in alphabetical order.
fn letters(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// The text with spaces after it, so that it has at least `width` characters. A width in a format string panics beyond
/// 65,535, which what users name can exceed.
///
/// ```
/// assert_eq!(pcore::wording::padded("Länge", 7), "Länge  ");
/// ```
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
