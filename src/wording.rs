//! Helpers for messages that every module needs: suggestions for misspelt names, counts with nouns.

/// The name that `wrong` is most likely a misspelling of, whatever the case of letters; none when all are too far off.
///
/// ```
/// use pcore::wording::nearest;
/// assert_eq!(nearest("Interger", ["String", "Integer"]), Some("Integer"));
/// assert_eq!(nearest("xyzzy", ["String", "Integer"]), None);
/// ```
pub fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let wrong = wrong.to_lowercase();
    // One letter more in four may be wrong: of short names a single one.
    let most = 1 + wrong.chars().count() / 4;
    let distances = names.into_iter().map(|name| (strsim::damerau_levenshtein(&name.to_lowercase(), &wrong), name));
    distances.filter(|(distance, _)| *distance <= most).min().map(|(_, name)| name)
}

/// A number of things, in the singular or plural.
///
/// ```
/// use pcore::wording::counted;
/// assert_eq!([counted(1, "file"), counted(2, "entry"), counted(0, "alias")], ["1 file", "2 entries", "0 aliases"]);
/// ```
pub fn counted(count: usize, thing: &str) -> String {
    match (count, thing.strip_suffix('y').filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']))) {
        (1, _) => format!("1 {thing}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) if thing.ends_with('s') => format!("{count} {thing}es"),
        (_, None) => format!("{count} {thing}s"),
    }
}
