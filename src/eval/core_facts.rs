//! The core facts of Facter: the keys of structured facts, types of facts, and the replacements of legacy facts.
//!
//! Source: Facter reference, "Core facts".

use crate::wording::nearest;

const FACT_TABLE: &str = include_str!("core_facts.txt");

/// Yields name and words of the table rows with prefix `kind`: `dmi` and `bios`, `board` … of `keys dmi: bios board …`.
fn fact_table_rows(kind: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let rows = FACT_TABLE.lines().filter_map(move |line| line.strip_prefix(kind)?.split_once(": "));
    rows.map(|(name, words)| (name, words.split(' ').collect()))
}

/// Yields the words of the only row of the fact table with the prefix `kind`.
pub(crate) fn fact_table_words(kind: &str) -> impl Iterator<Item = &'static str> {
    FACT_TABLE.lines().find_map(|line| line.strip_prefix(kind)).unwrap_or_default().split(' ')
}

/// Yields the `key=value` pairs of the table row with prefix `kind`: `osfamily` and `os.family` for `legacy `.
fn fact_table_pairs(kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    fact_table_words(kind).filter_map(|word| word.split_once('='))
}

pub(crate) fn fact_type(path: &str) -> Option<&'static str> {
    let path = path_of_legacy_fact(path).unwrap_or(path);
    fact_table_rows("type ").find(|(_, paths)| paths.contains(&path)).map(|(type_, _)| type_)
}

/// Suggests a key instead of the last part of `path`: `family` for `os.familly`, and `product.name` for
/// `dmi.product_name`. Returns `None` if the fact has that key, or if no key is similar.
pub(crate) fn suggest_fact_key(path: &str) -> Option<String> {
    let (fact, key) = path.rsplit_once('.')?;
    let (_, keys) = fact_table_rows("keys ").find(|(name, _)| *name == fact)?;
    if keys.contains(&key) {
        return None;
    }
    let below =
        fact_table_rows("keys ").filter_map(|(name, keys)| Some((name.strip_prefix(fact)?.strip_prefix('.')?, keys)));
    let below = below.flat_map(|(part, keys)| keys.into_iter().map(move |key| format!("{part}.{key}")));
    let is_meant = |path: &String| path.replace('.', "_") == key || path.rsplit('.').next() == Some(key);
    let deeper = below.filter(is_meant).min_by_key(String::len);
    let legacy = || path_of_legacy_fact(key)?.strip_prefix(fact)?.strip_prefix('.');
    let longer = || keys.iter().copied().find(|known| key.len() > 2 && known.starts_with(key));
    deeper.or_else(|| legacy().or_else(longer).or_else(|| nearest(key, keys.iter().copied())).map(str::to_owned))
}

/// Suggests a fact that has the key in `path` if the fact does not exist: `processors` for `processor.count`.
pub(crate) fn suggest_fact(path: &str) -> Option<&'static str> {
    let (fact, key) = path.split_once('.')?;
    let with_key = fact_table_rows("keys ").filter(|(_, keys)| keys.contains(&key)).map(|(name, _)| name);
    if fact_table_rows("keys ").any(|(name, _)| name == fact) { None } else { nearest(fact, with_key) }
}

/// Returns the expression that replaces a legacy fact: `$facts['os']['family']` for `osfamily`.
pub(crate) fn expression_for_legacy_fact(legacy: &str) -> Option<String> {
    let path = path_of_legacy_fact(legacy)?;
    Some(path.split('.').fold("$facts".to_owned(), |text, key| format!("{text}['{key}']")))
}

/// Returns the path that replaces a legacy fact: `os.family` for `osfamily`; `None` for other names.
pub(crate) fn path_of_legacy_fact(legacy: &str) -> Option<&'static str> {
    fact_table_pairs("legacy ").find(|(name, _)| *name == legacy).map(|(_, path)| path)
}

/// Returns the values that the fact `path` has on known systems, if it is `os.name` or `os.family`.
pub(crate) fn known_os_fact_values(path: &str) -> Vec<&'static str> {
    let systems = fact_table_pairs("family ");
    match path {
        "os.name" => systems.map(|(name, _)| name).collect(),
        "os.family" => systems.map(|(_, family)| family).collect(),
        _ => Vec::new(),
    }
}

pub(crate) fn family_of_os(system: &str) -> Option<&'static str> {
    fact_table_pairs("family ").find(|(name, _)| name.eq_ignore_ascii_case(system)).map(|(_, family)| family)
}
