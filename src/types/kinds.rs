//! Sets of kinds of values, by which most mismatches between values and types are found quickly.

use std::ops::BitOr;

use super::{Kind, Type};
use crate::value::Value;

/// A set of kinds of values, such as strings and arrays: the bit of a kind has the number of its type in [`Kind`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Kinds(u64);

macro_rules! kinds {
    ({ $($kind:ident as $name:ident,)* } { $($wide:pat => $kinds:expr,)* }) => {
        impl Kinds {
            $(pub(crate) const $name: Kinds = Kinds(1 << Kind::$kind as u64);)*

            pub(crate) fn of_value(value: &Value) -> Kinds {
                match value {
                    $(Value::$kind { .. } => Kinds::$name,)*
                    Value::Object(_) => Kinds::OBJECT,
                }
            }

            /// Returns the kinds of the instances of `type_`; all kinds if the kind of `type_` does not determine them.
            pub(crate) fn of_instances(type_: &Type) -> Kinds {
                match type_ {
                    $(Type::$kind(_) => Kinds::$name,)*
                    $($wide => $kinds,)*
                }
            }
        }
    };
}

kinds! {
    {
        Undef as UNDEF,
        Default as DEFAULT,
        Boolean as BOOLEAN,
        Integer as INTEGER,
        Float as FLOAT,
        String as STRING,
        Regexp as REGEXP,
        Array as ARRAY,
        Hash as HASH,
        Type as TYPE,
        Sensitive as SENSITIVE,
        Binary as BINARY,
        SemVer as SEM_VER,
        SemVerRange as SEM_VER_RANGE,
        Timespan as TIMESPAN,
        Timestamp as TIMESTAMP,
        Uri as URI,
        Iterator as ITERATOR,
        Callable as CALLABLE,
    }
    {
        Type::Numeric(_) => Kinds::NUMBER,
        Type::Enum(_) | Type::Pattern(_) => Kinds::STRING,
        Type::ScalarData(_) => Kinds::SCALAR_DATA,
        Type::Scalar(_) => Kinds::SCALAR,
        Type::Tuple(_) => Kinds::ARRAY,
        Type::Struct(_) => Kinds::HASH,
        Type::Collection(_) => Kinds::ARRAY | Kinds::HASH,
        Type::TypeSet(_) | Type::CatalogEntry(_) | Type::Resource(_) | Type::Class(_) => Kinds::TYPE,
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

impl Kinds {
    pub(crate) const NUMBER: Kinds = Kinds(Kinds::INTEGER.0 | Kinds::FLOAT.0);
    pub(crate) const SCALAR_DATA: Kinds = Kinds(Kinds::BOOLEAN.0 | Kinds::NUMBER.0 | Kinds::STRING.0);
    pub(crate) const SCALAR: Kinds = {
        let times = Kinds::TIMESPAN.0 | Kinds::TIMESTAMP.0;
        let versions = Kinds::SEM_VER.0 | Kinds::SEM_VER_RANGE.0;
        Kinds(Kinds::SCALAR_DATA.0 | Kinds::REGEXP.0 | times | versions)
    };
    pub(crate) const OBJECT: Kinds = Kinds(1 << Kind::Object as u64);
    pub(crate) const ALL: Kinds = Kinds(u64::MAX);

    pub(crate) fn is_all(self) -> bool {
        self == Kinds::ALL
    }

    pub(crate) fn intersects(self, other: Kinds) -> bool {
        self.0 & other.0 != 0
    }

    pub(crate) fn is_subset_of(self, other: Kinds) -> bool {
        self.0 & !other.0 == 0
    }
}

impl BitOr for Kinds {
    type Output = Kinds;

    fn bitor(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}
