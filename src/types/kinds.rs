//! The kinds of values that a type may have: a quick "no" to many questions.

use std::ops::BitOr;

use super::Type;
use crate::value::Value;

/// Kinds of values, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Kinds(u32);

impl Kinds {
    pub(crate) const UNDEF: Kinds = Kinds(1 << 0);
    pub(crate) const BOOLEAN: Kinds = Kinds(1 << 1);
    const INTEGER: Kinds = Kinds(1 << 2);
    const FLOAT: Kinds = Kinds(1 << 3);
    pub(crate) const NUMBER: Kinds = Kinds(Kinds::INTEGER.0 | Kinds::FLOAT.0);
    pub(crate) const STRING: Kinds = Kinds(1 << 4);
    const REGEXP: Kinds = Kinds(1 << 5);
    pub(crate) const ARRAY: Kinds = Kinds(1 << 6);
    pub(crate) const HASH: Kinds = Kinds(1 << 7);
    const DEFAULT: Kinds = Kinds(1 << 8);
    const TYPE: Kinds = Kinds(1 << 9);
    const SENSITIVE: Kinds = Kinds(1 << 10);
    const BINARY: Kinds = Kinds(1 << 11);
    const SEM_VER: Kinds = Kinds(1 << 12);
    const SEM_VER_RANGE: Kinds = Kinds(1 << 13);
    const TIMESPAN: Kinds = Kinds(1 << 14);
    const TIMESTAMP: Kinds = Kinds(1 << 15);
    const URI: Kinds = Kinds(1 << 16);
    const OBJECT: Kinds = Kinds(1 << 17);
    const ITERATOR: Kinds = Kinds(1 << 18);
    const CALLABLE: Kinds = Kinds(1 << 19);
    const ALL: Kinds = Kinds(u32::MAX);

    pub(crate) fn of_value(value: &Value) -> Kinds {
        match value {
            Value::Undef => Kinds::UNDEF,
            Value::Default => Kinds::DEFAULT,
            Value::Boolean(_) => Kinds::BOOLEAN,
            Value::Integer(_) => Kinds::INTEGER,
            Value::Float(_) => Kinds::FLOAT,
            Value::String(_) => Kinds::STRING,
            Value::Regexp(_) => Kinds::REGEXP,
            Value::Array(_) => Kinds::ARRAY,
            Value::Hash(_) => Kinds::HASH,
            Value::Type(_) => Kinds::TYPE,
            Value::Sensitive(_) => Kinds::SENSITIVE,
            Value::Binary(_) => Kinds::BINARY,
            Value::SemVer(_) => Kinds::SEM_VER,
            Value::SemVerRange(_) => Kinds::SEM_VER_RANGE,
            Value::Timespan(_) => Kinds::TIMESPAN,
            Value::Timestamp(_) => Kinds::TIMESTAMP,
            Value::Uri(_) => Kinds::URI,
            Value::Object(_) => Kinds::OBJECT,
            Value::Iterator(_) => Kinds::ITERATOR,
            Value::Callable(_) => Kinds::CALLABLE,
        }
    }

    /// The kinds of the values that may be of a type; all of them if its own kind does not say which.
    pub(crate) fn of_instances(type_: &Type) -> Kinds {
        match type_ {
            Type::Undef(_) => Kinds::UNDEF,
            Type::Default(_) => Kinds::DEFAULT,
            Type::Boolean(_) => Kinds::BOOLEAN,
            Type::Integer(_) => Kinds::INTEGER,
            Type::Float(_) => Kinds::FLOAT,
            Type::Numeric(_) => Kinds::NUMBER,
            Type::String(_) | Type::Enum(_) | Type::Pattern(_) => Kinds::STRING,
            Type::Regexp(_) => Kinds::REGEXP,
            Type::ScalarData(_) => Kinds::BOOLEAN | Kinds::NUMBER | Kinds::STRING,
            Type::Scalar(_) => {
                let versions = Kinds::SEM_VER | Kinds::SEM_VER_RANGE;
                let times = Kinds::TIMESPAN | Kinds::TIMESTAMP;
                Kinds::BOOLEAN | Kinds::NUMBER | Kinds::STRING | Kinds::REGEXP | versions | times
            }
            Type::Array(_) | Type::Tuple(_) => Kinds::ARRAY,
            Type::Hash(_) | Type::Struct(_) => Kinds::HASH,
            Type::Collection(_) => Kinds::ARRAY | Kinds::HASH,
            Type::SemVer(_) => Kinds::SEM_VER,
            Type::SemVerRange(_) => Kinds::SEM_VER_RANGE,
            Type::Timespan(_) => Kinds::TIMESPAN,
            Type::Timestamp(_) => Kinds::TIMESTAMP,
            Type::Binary(_) => Kinds::BINARY,
            Type::Uri(_) => Kinds::URI,
            Type::Sensitive(_) => Kinds::SENSITIVE,
            Type::Callable(_) => Kinds::CALLABLE,
            Type::Iterator(_) => Kinds::ITERATOR,
            Type::Type(_) | Type::TypeSet(_) | Type::CatalogEntry(_) | Type::Resource(_) | Type::Class(_) => {
                Kinds::TYPE
            }
            Type::Any(_)
            | Type::NotUndef(_)
            | Type::Optional(_)
            | Type::Variant(_)
            | Type::Iterable(_)
            | Type::Data(_)
            | Type::RichData(_)
            | Type::Init(_)
            | Type::Object(_)
            | Type::Runtime(_)
            | Type::Unit(_)
            | Type::Alias(_)
            | Type::TypeReference(_) => Kinds::ALL,
        }
    }

    pub(crate) fn meet(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn are_within(self, other: Kinds) -> bool {
        self.0 & !other.0 == 0
    }
}

impl BitOr for Kinds {
    type Output = Kinds;

    fn bitor(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}
