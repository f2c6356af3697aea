//! `Enum['a', 'b', ignore_case]`: one of the listed strings.
//!
//! The strings are sorted, so that membership among many takes logarithmic time.

use super::{Kinds, Lattice, Replace, Result, Rules, Size, StringType, Type, TypeError, check_arity, row};
use crate::interrupt;
use crate::value::{EcoString, Value};

/// The number of strings up to which a linear search is faster than the binary search that is used for more.
const MAX_LINEARLY_SEARCHED: usize = 8;

/// The type of the listed strings. With a last argument `true`, the case of the letters A to Z is ignored.
///
/// Source: language specification, "Enum".
/// Observed: Puppet 8.11 prints the strings sorted. Bare `Enum` has no instances but accepts every type of strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EnumType {
    values: Vec<EcoString>,
    /// The values in lower case, sorted; empty unless case is ignored.
    folded: Vec<EcoString>,
}

impl EnumType {
    /// Creates the type of the strings in `values`, which may be in any order.
    pub fn new(values: impl IntoIterator<Item = impl Into<EcoString>>, ignores_case: bool) -> EnumType {
        let mut values: Vec<EcoString> = values.into_iter().map(Into::into).collect();
        values.sort();
        values.dedup();
        let mut folded = Vec::new();
        if ignores_case {
            folded.extend(values.iter().map(EcoString::to_ascii_lowercase));
            folded.sort();
            folded.dedup();
        }
        EnumType { values, folded }
    }

    /// The values, sorted and without duplicates.
    pub fn values(&self) -> &[EcoString] {
        &self.values
    }

    /// Whether case is ignored: then `'A'` is an instance of `Enum['a', true]`.
    pub fn ignores_case(&self) -> bool {
        !self.folded.is_empty()
    }

    pub(crate) fn has_string(&self, text: &str) -> bool {
        if self.folded.is_empty() {
            // Few are compared by their lengths first.
            if self.values.len() <= MAX_LINEARLY_SEARCHED {
                return self.values.iter().any(|value| value == text);
            }
            return self.values.binary_search_by(|value| (**value).cmp(text)).is_ok();
        }
        let lower = || text.bytes().map(|byte| byte.to_ascii_lowercase());
        self.folded.binary_search_by(|value| value.bytes().cmp(lower())).is_ok()
    }
}

impl Rules for EnumType {
    row! {
        "Enum" ["string, …, ignore_case"] below "String": "one of the listed strings";
        "'red' =~ Enum['red', 'green']" => "true",
        "'Red' =~ Enum['red', true]" => "true",
        "Enum[1]" => "error BAD_TYPE_SPECIALIZATION",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        let (texts, ignores_case) = match arguments.split_last() {
            Some((Value::Boolean(ignores_case), texts)) => (texts, *ignores_case),
            _ => (arguments, false),
        };
        check_arity(Self::NAME, texts, 1..=usize::MAX, "at least 1")?;
        let text = |value: &Value| match value {
            Value::String(text) => Ok(text.clone()),
            other => Err(TypeError::wrong_parameter(Self::NAME, "a String", other)),
        };
        let texts = interrupt::step_through(texts).map(text).collect::<Result<Vec<_>, _>>()?;
        Ok(EnumType::new(texts, ignores_case).into())
    }

    fn arguments(&self) -> Vec<Value> {
        let flag = self.ignores_case().then_some(Value::Boolean(true));
        self.values.iter().cloned().map(Value::String).chain(flag).collect()
    }

    fn has_instance(&self, value: &Value, _: &mut Lattice) -> bool {
        matches!(value, Value::String(text) if self.has_string(text))
    }

    fn accepts(&self, other: &Type, _: &mut Lattice) -> bool {
        if self.values.is_empty() {
            return Kinds::of_instances(other) == Kinds::STRING;
        }
        match other {
            Type::String(other) => matches!(&**other, StringType::Text(text) if self.has_string(text)),
            Type::Enum(other) => {
                !other.values.is_empty()
                    && (self.ignores_case() || !other.ignores_case())
                    && other.values.iter().all(|text| self.has_string(text))
            }
            _ => false,
        }
    }

    fn generalized(&self, _: &mut Replace<'_>) -> Type {
        let lengths = self.values.iter().map(|text| Size::exactly(text.chars().count()));
        lengths.reduce(Size::merged_size).map_or(StringType::All, StringType::Sized).into()
    }
}
