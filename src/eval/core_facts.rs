//! The core facts of Facter: the keys of those whose structure is fixed, and what the legacy facts are called today.
//!
//! Source: Facter reference, "Core facts".

use crate::wording::nearest;

const FACTS: &str = include_str!("core_facts.txt");

/// The rows of a kind: a name, and the words behind the colon.
fn rows(kind: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let rows = FACTS.lines().filter_map(move |line| line.strip_prefix(kind)?.split_once(": "));
    rows.map(|(name, words)| (name, words.split(' ').collect()))
}

/// The words of a kind, which are on one line.
pub(crate) fn words(kind: &str) -> impl Iterator<Item = &'static str> {
    FACTS.lines().find_map(|line| line.strip_prefix(kind)).unwrap_or_default().split(' ')
}

/// The pairs of a kind: `osfamily` and `os.family` of the legacy facts.
fn pairs(kind: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    words(kind).filter_map(|word| word.split_once('='))
}

/// The type of a fact: `Boolean` for `is_virtual`.
pub(crate) fn type_of(path: &str) -> Option<&'static str> {
    let path = today(path).unwrap_or(path);
    rows("type ").find(|(_, paths)| paths.contains(&path)).map(|(type_, _)| type_)
}

/// The key that is meant by the last part of a path, if no core fact has it: `family` for `os.familly`, and
/// `product.name` for `dmi.product_name`.
pub(crate) fn meant_key(path: &str) -> Option<String> {
    let (fact, key) = path.rsplit_once('.')?;
    let (_, keys) = rows("keys ").find(|(name, _)| *name == fact)?;
    if keys.contains(&key) {
        return None;
    }
    let below = rows("keys ").filter_map(|(name, keys)| Some((name.strip_prefix(fact)?.strip_prefix('.')?, keys)));
    let below = below.flat_map(|(part, keys)| keys.into_iter().map(move |key| format!("{part}.{key}")));
    let is_meant = |path: &String| path.replace('.', "_") == key || path.rsplit('.').next() == Some(key);
    let deeper = below.filter(is_meant).min_by_key(String::len);
    let legacy = || today(key)?.strip_prefix(fact)?.strip_prefix('.');
    deeper.or_else(|| legacy().or_else(|| nearest(key, keys)).map(str::to_owned))
}

/// The fact that is meant by the first part of a path, as of `processor.count`: one with a similar name and the same key.
pub(crate) fn meant_fact(path: &str) -> Option<&'static str> {
    let (fact, key) = path.split_once('.')?;
    let with_key = rows("keys ").filter(|(_, keys)| keys.contains(&key)).map(|(name, _)| name);
    if rows("keys ").any(|(name, _)| name == fact) { None } else { nearest(fact, with_key) }
}

/// `$facts['os']['family']` for `osfamily`.
pub(crate) fn instead_of(legacy: &str) -> Option<String> {
    let path = today(legacy)?;
    Some(path.split('.').fold("$facts".to_owned(), |text, key| format!("{text}['{key}']")))
}

/// `os.family` for `osfamily`.
pub(crate) fn today(legacy: &str) -> Option<&'static str> {
    pairs("legacy ").find(|(name, _)| *name == legacy).map(|(_, path)| path)
}

/// `RedHat` for `CentOS`.
pub(crate) fn family_of(system: &str) -> Option<&'static str> {
    pairs("family ").find(|(name, _)| name.eq_ignore_ascii_case(system)).map(|(_, family)| family)
}
