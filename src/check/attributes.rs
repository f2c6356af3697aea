//! An attribute of a resource type that is not written in Puppet, with what its values have to be.

use std::borrow::Cow;

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
        Rule { accepted: accepting([expected.clone()], Type::any()), expected, is_list: false }
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
