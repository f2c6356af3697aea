//! The attributes of resource types that are not written in Puppet, with rules for their values, and a table of those
//! of Puppet's core resource types.
//!
//! Source: Puppet reference, "Resource types"; the list is that of OpenVox 8.26.2 and its core modules, written by
//! `.ci/core-resources.rb`.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::explain::meet::may_overlap;
use crate::regexp::Regexp;
use crate::types::{ArrayType, EnumType, PatternType, Type};
use crate::value::{EcoString, Value};

#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: Cow<'static, str>,
    /// The rule for its values; `None` if every value may be valid.
    pub(super) rule: Option<Rule>,
}

#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// The type to show in messages.
    pub(super) type_for_messages: Type,
    /// The type of all values that Puppet may accept. A value of another type is reported.
    pub(super) accepted_type: Type,
    /// Whether the elements of an Array are checked, too, as for properties. Otherwise any Array is accepted.
    checks_array_elements: bool,
}

impl Rule {
    /// Returns the rule that accepts values of the type `expected`, undef, Sensitive values, and Arrays of all these.
    pub(super) fn from_type(expected: Type) -> Rule {
        Rule {
            accepted_type: with_undef_and_arrays([expected.clone()], expected.clone()),
            type_for_messages: expected,
            checks_array_elements: true,
        }
    }

    /// Returns the rule that accepts the words and patterns that a Ruby type lists with `newvalues`.
    ///
    /// Observed: Puppet 7.23 compares the text of a value, in which case matters: `true` is also `'true'`, and 1 is `'1'`.
    pub(super) fn from_allowed_values(words: &[EcoString], patterns: Vec<Regexp>, is_list: bool) -> Rule {
        let others: &[&'static str] = if !patterns.is_empty() {
            &["Numeric", "Type", "Regexp", "Hash", "Default"]
        } else if words.iter().any(|word| word.starts_with(|first: char| !first.is_ascii_alphabetic())) {
            &["Numeric"]
        } else {
            &[]
        };
        let words = (!words.is_empty()).then(|| EnumType::new(words.iter().cloned(), false).into());
        let patterns = (!patterns.is_empty()).then(|| PatternType::new(patterns.into_iter().map(Into::into)).into());
        let expected = Type::one_of(words.into_iter().chain(patterns));
        let is_listed = |value: &bool| expected.has_instance(&Value::from(&*value.to_string()));
        let booleans = [true, false].into_iter().filter(is_listed).map(|value| Type::of(&Value::Boolean(value)));
        let others = others.iter().copied().map(Type::built_in_type).chain(booleans);
        let all = || others.clone().chain([expected.clone()]);
        let element = if is_list { Type::one_of(all()) } else { Type::any() };
        Rule {
            accepted_type: with_undef_and_arrays(all(), element),
            type_for_messages: expected,
            checks_array_elements: is_list,
        }
    }

    /// Returns the type that messages show as expected for a value of type `found`: for an Array, an Array type.
    pub(super) fn expected_type_for_message(&self, found: &Type) -> Type {
        match found {
            Type::Array(_) | Type::Tuple(_) if self.checks_array_elements => {
                ArrayType::new(self.type_for_messages.clone(), None).into()
            }
            // What is not text at all matches no pattern.
            _ if matches!(self.type_for_messages, Type::Pattern(_))
                && !may_overlap(&Type::built_in_type("String"), found) =>
            {
                Type::built_in_type("String")
            }
            _ => self.type_for_messages.clone(),
        }
    }
}

fn with_undef_and_arrays(types: impl IntoIterator<Item = Type>, element: Type) -> Type {
    let others = ["Undef", "Sensitive"].map(Type::built_in_type);
    let element = Type::one_of(others.iter().cloned().chain([element]));
    Type::one_of(types.into_iter().chain(others.clone()).chain([ArrayType::new(element, None).into()]))
}

/// The core resource types, one per line, each with its attributes; `=` precedes the allowed values of an attribute.
const CORE_TYPE_ATTRIBUTES: &str = include_str!("core_resources.txt");

/// For each attribute whose values Puppet validates in Ruby code, a line with the type of its valid values.
///
/// Observed: Puppet 7.23 with the core modules of Debian 12; also accepted are the paths of Windows.
const VALUES: &str = include_str!("core_values.txt");

pub(super) fn core_attribute_table() -> &'static FxHashMap<&'static str, Arc<[Attribute]>> {
    // Work that is interrupted here starts again: a `LazyLock` would not.
    static ATTRIBUTES_BY_TYPE: OnceLock<FxHashMap<&'static str, Arc<[Attribute]>>> = OnceLock::new();
    let rows = |text: &'static str| text.lines().filter_map(|line| line.split_once(": "));
    let attribute = |type_name: &str, text: &'static str| {
        let (name, words) = text.split_once('=').unwrap_or((text, ""));
        let words: Vec<_> = words.split('|').filter(|word| !word.is_empty()).map(Into::into).collect();
        let listed = || (!words.is_empty()).then(|| Rule::from_allowed_values(&words, Vec::new(), false));
        let is_of_this = |key: &str| key.split_once('.') == Some((type_name, name));
        let type_ = rows(VALUES).find(|(key, _)| is_of_this(key)).and_then(|(_, type_)| type_.parse().ok());
        Attribute { name: name.into(), rule: type_.map(Rule::from_type).or_else(listed) }
    };
    let row = |(name, list): (_, &'static str)| (name, list.split(' ').map(|text| attribute(name, text)).collect());
    ATTRIBUTES_BY_TYPE.get_or_init(|| rows(CORE_TYPE_ATTRIBUTES).map(row).collect())
}

pub(super) fn value_rule_of_metaparameter(name: &str) -> Option<Rule> {
    const LOG_LEVELS: [&str; 9] = ["debug", "info", "notice", "warning", "err", "alert", "emerg", "crit", "verbose"];
    (name == "loglevel").then(|| Rule::from_allowed_values(&LOG_LEVELS.map(Into::into), Vec::new(), false))
}

pub(crate) fn core_attribute_names(type_name: &str) -> Vec<&'static str> {
    core_attribute_table().get(type_name).into_iter().flat_map(|rows| rows.iter()).map(|row| &*row.name).collect()
}
