//! Attributes of resource types that are not written in Puppet, with what their values have to be; those of Puppet's core
//! resource types.
//!
//! Source: Puppet reference, "Resource types"; the list is that of OpenVox 8.26.2 and its core modules, written by
//! `.ci/core-resources.rb`.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::explain::meet::overlap;
use crate::regexp::Regexp;
use crate::types::{ArrayType, EnumType, PatternType, Type};
use crate::value::{EcoString, Value};

#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: Cow<'static, str>,
    /// `None` if any value may be right.
    pub(super) rule: Option<Rule>,
}

#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// What messages show.
    pub(super) expected: Type,
    /// The type that all possible values are of.
    pub(super) accepted: Type,
    /// Whether the elements of an Array are values of their own, as in properties.
    is_list: bool,
}

impl Rule {
    /// Values of a type, which may also be Sensitive or in an Array: Puppet takes these apart on some ways.
    pub(super) fn of_type(expected: Type) -> Rule {
        Rule { accepted: accepting([expected.clone()], expected.clone()), expected, is_list: true }
    }

    /// The values that `newvalues` lists.
    ///
    /// Observed: Puppet 7.23 compares the text of a value, in which case matters: `true` is also `'true'`, and 1 is `'1'`.
    pub(super) fn of_values(words: &[EcoString], patterns: Vec<Regexp>, is_list: bool) -> Rule {
        let others: &[&'static str] = if !patterns.is_empty() {
            &["Numeric", "Type", "Regexp", "Hash", "Default"]
        } else if words.iter().any(|word| word.starts_with(|first: char| !first.is_ascii_alphabetic())) {
            &["Numeric"]
        } else {
            &[]
        };
        let words = (!words.is_empty()).then(|| EnumType::new(words.iter().cloned(), false).into());
        let has_patterns = !patterns.is_empty();
        let patterns = has_patterns.then(|| PatternType::new(patterns.into_iter().map(Into::into)).into());
        let expected = Type::one_of(words.into_iter().chain(patterns));
        let is_listed = |value: &bool| expected.has_instance(&Value::from(&*value.to_string()));
        let booleans = [true, false].into_iter().filter(is_listed).map(|value| Type::of(&Value::Boolean(value)));
        let others = others.iter().copied().map(Type::built_in).chain(booleans);
        let all = || others.clone().chain([expected.clone()]);
        let element = if is_list { Type::one_of(all()) } else { Type::any() };
        Rule { accepted: accepting(all(), element), expected, is_list }
    }

    /// What is expected instead of such a value.
    pub(super) fn expected_of(&self, found: &Type) -> Type {
        match found {
            Type::Array(_) | Type::Tuple(_) if self.is_list => ArrayType::new(self.expected.clone(), None).into(),
            // What is not text at all matches no pattern.
            _ if matches!(self.expected, Type::Pattern(_)) && !overlap(&Type::built_in("String"), found) => {
                Type::built_in("String")
            }
            _ => self.expected.clone(),
        }
    }
}

/// What Puppet accepts for an attribute of these types; elements of Arrays are also of another.
fn accepting(types: impl IntoIterator<Item = Type>, element: Type) -> Type {
    let others = ["Undef", "Sensitive"].map(Type::built_in);
    let element = Type::one_of(others.iter().cloned().chain([element]));
    Type::one_of(types.into_iter().chain(others.clone()).chain([ArrayType::new(element, None).into()]))
}

/// A line for each type. After `=` are all permitted values.
const TYPES: &str = include_str!("core_resources.txt");

/// The types of values that Puppet's code judges by other means, a line for each attribute.
///
/// Observed: Puppet 7.23 with the core modules of Debian 12; also accepted are the paths of Windows.
const VALUES: &str = include_str!("core_values.txt");

fn table() -> &'static FxHashMap<&'static str, Arc<[Attribute]>> {
    // Work that is interrupted here starts again: a `LazyLock` would not.
    static TABLE: OnceLock<FxHashMap<&'static str, Arc<[Attribute]>>> = OnceLock::new();
    let rows = |text: &'static str| text.lines().filter_map(|line| line.split_once(": "));
    let attribute = |type_name: &str, text: &'static str| {
        let (name, words) = text.split_once('=').unwrap_or((text, ""));
        let words: Vec<_> = words.split('|').filter(|word| !word.is_empty()).map(Into::into).collect();
        let listed = || (!words.is_empty()).then(|| Rule::of_values(&words, Vec::new(), false));
        let is_of_this = |key: &str| key.split_once('.') == Some((type_name, name));
        let type_ = rows(VALUES).find(|(key, _)| is_of_this(key)).and_then(|(_, type_)| type_.parse().ok());
        Attribute { name: name.into(), rule: type_.map(Rule::of_type).or_else(listed) }
    };
    TABLE.get_or_init(|| {
        rows(TYPES).map(|(name, list)| (name, list.split(' ').map(|text| attribute(name, text)).collect())).collect()
    })
}

pub(super) fn metaparameter(name: &str) -> Option<Rule> {
    const LEVELS: [&str; 9] = ["debug", "info", "notice", "warning", "err", "alert", "emerg", "crit", "verbose"];
    (name == "loglevel").then(|| Rule::of_values(&LEVELS.map(Into::into), Vec::new(), false))
}

/// The attributes of the core resource type of that name in lower case; `None` if it is not one.
pub(super) fn of_core_type(type_name: &str) -> Option<&'static Arc<[Attribute]>> {
    table().get(type_name)
}

/// The names of these attributes; none if it is not a core resource type.
pub(crate) fn attribute_names(type_name: &str) -> Vec<&'static str> {
    of_core_type(type_name).map_or_else(Vec::new, |attributes| attributes.iter().map(|row| &*row.name).collect())
}

pub(super) fn core_types() -> impl Iterator<Item = &'static str> {
    table().keys().copied()
}
