//! The attributes of Puppet's core resource types.
//!
//! Source: Puppet reference, "Resource types"; the list is that of OpenVox 8.26.2 and its core modules, written by
//! `.ci/core-resources.rb`.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use super::attributes::{Attribute, Rule};
use crate::types::Type;

/// A line for each type. After `=` are all permitted values; after `:` is a type.
const TYPES: &str = include_str!("core_resources.txt");

/// What the mode of a file may be: octal or symbolic.
const MODE: &str = r"Pattern[/^0?[0-7]{1,4}$/, /^([ugoa]*[-=+][-=+rstwxXugo]*)(,[ugoa]*[-=+][-=+rstwxXugo]*)*$/]";

fn table() -> &'static FxHashMap<&'static str, Arc<[Attribute]>> {
    // Work that is interrupted here starts again: a `LazyLock` would not.
    static TABLE: OnceLock<FxHashMap<&'static str, Arc<[Attribute]>>> = OnceLock::new();
    let type_of = |name| if name == "Mode" { MODE.parse().ok() } else { Type::named(name) };
    let attribute = |text: &'static str| {
        let (name, words) = text.split_once('=').unwrap_or((text, ""));
        let (name, type_) = name.split_once(':').unwrap_or((name, ""));
        let words: Vec<_> = words.split('|').filter(|word| !word.is_empty()).map(Into::into).collect();
        let listed = || (!words.is_empty()).then(|| Rule::of_values(&words, Vec::new(), false));
        Attribute { name: name.into(), rule: type_of(type_).map(Rule::of_type).or_else(listed) }
    };
    TABLE.get_or_init(|| {
        let rows = TYPES.lines().filter_map(|line| line.split_once(": "));
        rows.map(|(name, list)| (name, list.split(' ').map(attribute).collect())).collect()
    })
}

pub(super) fn metaparameter(name: &str) -> Option<Rule> {
    const LEVELS: [&str; 9] = ["debug", "info", "notice", "warning", "err", "alert", "emerg", "crit", "verbose"];
    (name == "loglevel").then(|| Rule::of_values(&LEVELS.map(Into::into), Vec::new(), false))
}

/// The attributes of the core resource type of that name in lower case; `None` if it is not one.
pub(super) fn attributes(type_name: &str) -> Option<&'static Arc<[Attribute]>> {
    table().get(type_name)
}

/// The names of these attributes; none if it is not a core resource type.
pub(crate) fn attribute_names(type_name: &str) -> Vec<&'static str> {
    attributes(type_name).map_or_else(Vec::new, |attributes| attributes.iter().map(|row| &*row.name).collect())
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    table().keys().copied()
}
