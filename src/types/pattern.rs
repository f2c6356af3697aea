//! `Pattern[/a/, /b/]`: strings that match at least one of the regular expressions.

use std::sync::Arc;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::regexp::{is_match, regexp_from_parameter};
use super::{Kinds, Lattice, Result, Rules, StringType, Type, Value, row};
use crate::interrupt;
use crate::regexp::Regexp;

/// Strings in which at least one of some regular expressions finds a match.
///
/// Source: language specification, "Pattern".
/// Observed: Puppet 8.11 takes another Pattern or a Regexp type as a parameter too, bare Regexp as the empty expression,
/// and accepts only a Pattern of the same expressions, not one of fewer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PatternType {
    /// The distinct expressions; empty for the bare type, which accepts every string.
    patterns: Vec<Arc<Regexp>>,
}

impl PatternType {
    /// Creates the type of strings that match one of `patterns`, or of all strings if there are none.
    pub fn new(patterns: impl IntoIterator<Item = Arc<Regexp>>) -> PatternType {
        let unique: IndexSet<Arc<Regexp>, FxBuildHasher> = interrupt::step_through(patterns).collect();
        PatternType { patterns: unique.into_iter().collect() }
    }

    /// Returns the distinct expressions; none for the bare type, which accepts every string.
    pub fn patterns(&self) -> &[Arc<Regexp>] {
        &self.patterns
    }

    pub(crate) fn has_string(&self, text: &str) -> bool {
        self.patterns.is_empty() || self.patterns.iter().any(|pattern| is_match(pattern, text))
    }
}

impl Rules for PatternType {
    row! {
        "Pattern" ["regexp, …"] below "String": "strings that match at least one of the regular expressions";
        "'cat' =~ Pattern[/a/, /z/]" => "true",
        "Pattern['a']" => "Pattern[/a/]",
        "Pattern[1]" => "error BAD_TYPE_SPECIALIZATION",
    }
    const IS_GENERAL: bool = true;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        let mut patterns = Vec::new();
        for argument in interrupt::step_through(arguments) {
            match &argument {
                Value::Type(Type::Pattern(other)) => patterns.extend(other.patterns.iter().cloned()),
                Value::Type(Type::Regexp(other)) => {
                    patterns.push(other.value.clone().map_or_else(|| Regexp::new("").map(Arc::new), Ok)?);
                }
                other => patterns.push(regexp_from_parameter(Self::NAME, other)?),
            }
        }
        Ok(PatternType::new(patterns).into())
    }

    fn arguments(&self) -> Vec<Value> {
        self.patterns.iter().cloned().map(Value::Regexp).collect()
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::String(text) if self.has_string(text))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        match other {
            other if self.patterns.is_empty() => Kinds::of_instances(other) == Kinds::STRING,
            Type::String(other) => matches!(&**other, StringType::Text(text) if self.has_string(text)),
            Type::Enum(other) => !other.values().is_empty() && other.values().iter().all(|text| self.has_string(text)),
            Type::Pattern(other) => {
                other.patterns.len() == self.patterns.len()
                    && other.patterns.iter().all(|pattern| self.patterns.contains(pattern))
            }
            _ => false,
        }
    }
}
