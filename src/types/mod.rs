//! The type system: one file per Puppet type, or for a few related ones, and the table of all types below.
//!
//! A file holds everything about its type: the parameters, which values are instances, which types it accepts, how it
//! prints, a summary and examples that the tests run. Rules for every type (aliases, Variant, Optional, NotUndef, Any
//! on the right side) are written once, in `relation/lattice.rs`.
//!
//! Two relations, never mixed: `a.accepts(&b)`, every value of type `b` is a value of type `a`; and
//! `a.has_instance(&v)`, `v` is a value of `a`.

pub mod alias;
mod array;
mod binary;
mod boolean;
mod builtin_objects;
mod callable;
mod collection;
mod data;
pub(crate) mod definition;
pub(crate) mod describe;
mod r#enum;
mod float;
mod hash;
mod init;
mod integer;
mod iterable;
pub(crate) mod kinds;
pub(crate) mod normalization;
pub mod object;
mod optional;
pub(crate) mod pattern;
mod plain;
mod regexp;
pub(crate) mod relation;
mod resource;
mod runtime;
pub(crate) mod secret;
mod semver;
mod sensitive;
mod string;
mod r#struct;
mod timespan;
mod timestamp;
mod tuple;
mod r#type;
mod type_reference;
mod type_set;
pub(crate) mod unfolding;
mod uri;
mod variant;

use std::fmt;
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use crate::error::Result;
use crate::limits::{self, Limit};
use crate::stack;
use crate::value::Value;
use definition::arguments::{
    check_arity, expect_type_argument, single_argument, single_type_argument, size_from_arguments, split_off_size,
};
use definition::construct::{self, ConstructError, arguments_in_order};
use definition::error::TypeError;
use definition::text::{self, TypeWriter};
pub use definition::{Example, NestedType, Row, Size, TimeRange, nameable_type_rows};
pub(crate) use definition::{Replace, Rules, around_type, new_example, row, written};
use describe::describe;
use kinds::Kinds;
pub use object::AttributeKind;
pub(crate) use relation::Lattice;
use relation::infer;
use relation::join::CommonTypes;
use secret::{child_values, describe_safely};
pub(crate) use r#struct::KeyPresence;
pub use r#struct::Member;

/// Defines [`Type`], [`Kind`] and [`TABLE`] from a list of all types, in reading order.
///
/// A type with parameters is stored in an `Arc`, so that a [`Type`] stays small and is cheap to clone. The mark is
/// `nested` if the parameters contain types, else `shared`. Integer, Float and Boolean are small enough without.
macro_rules! types {
    ($($module:ident::$rules:ident as $name:ident $(, $held:ident)?;)* @also $($row:path,)*) => {
        $(pub use $module::$rules;)*

        /// A type of the Puppet language.
        ///
        /// ```
        /// use pcore::{Session, Type};
        ///
        /// let type_: Type = "Array[Struct[{name => String[1], port => Integer[1, 65535]}], 1]".parse()?;
        /// let Type::Array(array) = &type_ else { panic!("an Array") };
        /// let Type::Struct(service) = array.element() else { panic!("a Struct") };
        /// let names: Vec<&str> = service.members().iter().map(|member| member.name()).collect();
        /// assert_eq!((array.size().from(), names), (1, vec!["name", "port"]));
        ///
        /// let value = Session::default().eval("[{'name' => 'web', 'port' => 0}]")?;
        /// let mismatch = type_.check(&value).unwrap_err();
        /// assert_eq!(mismatch.leaves()[0].to_string(), "[0]['port']: expected Integer[1, 65535], got Integer 0");
        /// # Ok::<(), pcore::Error>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs, reason = "each variant is documented by the row of its type")]
        #[non_exhaustive]
        pub enum Type {
            $($name(types!(@held $module::$rules $(, $held)?)),)*
        }

        /// The kind of a type: its variant without the parameters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[allow(missing_docs, reason = "each variant is documented by the row of its type")]
        #[non_exhaustive]
        pub enum Kind {
            $($name,)*
        }

        $(impl $module::$rules {
            #[allow(dead_code, reason = "made for every type, and used for some")]
            pub(crate) fn of_type(type_: &Type) -> Option<&Self> {
                if let Type::$name(rules) = type_ { Some(rules) } else { None }
            }
        })*

        $(impl From<$module::$rules> for Type {
            fn from(rules: $module::$rules) -> Type {
                Type::$name(rules.into())
            }
        })*

        /// The rows of all types in the order of [`Kind`], and then those of the built-in Object types.
        pub static TABLE: &[Row] = &[$(<$module::$rules as Rules>::ROW,)* $($row,)*];

        impl Type {
            /// Returns the kind of the type: its variant without the parameters.
            pub fn kind(&self) -> Kind {
                match self {
                    $(Type::$name(_) => Kind::$name,)*
                }
            }

            fn is_nested(&self) -> bool {
                match self {
                    $(Type::$name(_) => types!(@nested $($held)?),)*
                }
            }

            /// Returns the address of a type behind an `Arc`, or 0 for a type that is stored inline.
            #[inline]
            fn address(&self) -> usize {
                match self {
                    $(Type::$name(rules) => types!(@address rules $(, $held)?),)*
                }
            }
        }

        /// `on_rules!(type_, rules => expression)` evaluates `expression` with `rules` bound to the content of `type_`.
        macro_rules! on_rules {
            ($type_:expr, $bound:ident => $then:expr) => {
                match $type_ {
                    $(Type::$name($bound) => $then,)*
                }
            };
        }
        use on_rules;
    };
    (@held $rules:ty) => { $rules };
    (@held $rules:ty, $held:ident) => { Arc<$rules> };
    (@address $rules:ident) => {{ let _ = $rules; 0 }};
    (@address $rules:ident, $held:ident) => { Arc::as_ptr($rules) as usize };
    (@nested) => { false };
    (@nested shared) => { false };
    (@nested nested) => { true };
}

types! {
    plain::AnyType as Any;
    plain::UndefType as Undef;
    plain::DefaultType as Default;
    optional::NotUndefType as NotUndef, nested;
    optional::OptionalType as Optional, nested;
    variant::VariantType as Variant, nested;
    plain::ScalarType as Scalar;
    plain::ScalarDataType as ScalarData;
    plain::NumericType as Numeric;
    integer::IntegerType as Integer;
    float::FloatType as Float;
    boolean::BooleanType as Boolean;
    string::StringType as String, shared;
    r#enum::EnumType as Enum, shared;
    pattern::PatternType as Pattern, shared;
    regexp::RegexpType as Regexp, shared;
    semver::SemVerType as SemVer, shared;
    semver::SemVerRangeType as SemVerRange;
    timespan::TimespanType as Timespan, shared;
    timestamp::TimestampType as Timestamp, shared;
    binary::BinaryType as Binary;
    uri::UriType as Uri, nested;
    collection::CollectionType as Collection, shared;
    array::ArrayType as Array, nested;
    tuple::TupleType as Tuple, nested;
    hash::HashType as Hash, nested;
    r#struct::StructType as Struct, nested;
    iterable::IterableType as Iterable, nested;
    iterable::IteratorType as Iterator, nested;
    data::DataType as Data;
    data::RichDataType as RichData;
    sensitive::SensitiveType as Sensitive, nested;
    callable::CallableType as Callable, nested;
    r#type::TypeType as Type, nested;
    init::InitType as Init, nested;
    object::ObjectType as Object, nested;
    type_set::TypeSetType as TypeSet, nested;
    plain::CatalogEntryType as CatalogEntry;
    resource::ResourceType as Resource, shared;
    resource::ClassType as Class, shared;
    runtime::RuntimeType as Runtime, shared;
    plain::UnitType as Unit;
    alias::AliasType as Alias, nested;
    type_reference::TypeReferenceType as TypeReference, shared;
    @also builtin_objects::DEFERRED_ROW, builtin_objects::ERROR_ROW, builtin_objects::ANNOTATION_ROW, builtin_objects::PCORE_ROW, builtin_objects::LOOKUP_CONTEXT_ROW,
}

/// Identifies a type within one query: by its address in memory, or by its content if the type is stored inline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    At(usize),
    Integer(IntegerType),
    Float(FloatType),
    Of(Kind, Option<bool>),
}

impl Type {
    /// The type that accepts everything.
    pub fn any() -> Type {
        AnyType.into()
    }

    /// Looks up a built-in type by name, ignoring case.
    pub fn named(name: &str) -> Option<Type> {
        static TYPES_BY_NAME: LazyLock<FxHashMap<String, Type>> = LazyLock::new(|| {
            let core = resource::CORE.iter().filter_map(|name| Some((*name, ResourceType::new(name, None)?.into())));
            let rows = TABLE.iter().filter(|row| !row.hidden).map(|row| (row.name, (row.bare)()));
            core.chain(rows).map(|(name, type_)| (name.to_ascii_lowercase(), type_)).collect()
        });
        TYPES_BY_NAME.get(&name.to_ascii_lowercase()).cloned().or_else(|| alias::built_in_alias(name))
    }

    /// Returns the built-in type called `name`; panics if there is none.
    #[expect(clippy::expect_used, reason = "the name is a constant")]
    pub(crate) fn built_in_type(name: &'static str) -> Type {
        Type::named(name).expect("a row of the table, a built-in alias or a core resource type")
    }

    /// The names of the core resource types, which [`Type::named`] finds besides the types of the [`TABLE`].
    pub fn core_resource_names() -> &'static [&'static str] {
        &resource::CORE
    }

    /// The row of this type in the table.
    #[expect(clippy::indexing_slicing, reason = "the kinds are those of the table")]
    pub fn row(&self) -> &'static Row {
        &TABLE[self.kind() as usize]
    }

    /// The name without parameters: `Integer` for `Integer[1, 2]`.
    pub fn name(&self) -> &'static str {
        self.row().name
    }

    /// A Variant of the distinct `types`, or the type itself if there is only one.
    pub fn one_of(types: impl IntoIterator<Item = Type>) -> Type {
        VariantType::of(types)
    }

    /// The parameters in brackets when the type is printed.
    pub fn arguments(&self) -> Vec<Value> {
        on_rules!(self, rules => rules.arguments())
    }

    pub(crate) fn map_nested(&self, replaced: &mut Replace<'_>) -> Type {
        on_rules!(self, rules => rules.map_nested_types(replaced)).unwrap_or_else(|| self.clone())
    }

    /// Whether `value` is a value of this type.
    pub fn has_instance(&self, value: &Value) -> bool {
        Lattice::default().has_instance(self, value)
    }

    /// Whether every value of `other` is a value of this type. A type that cannot be used, such as `Init[Any]` (because
    /// `Any` has no constructor), accepts only itself.
    pub fn accepts(&self, other: &Type) -> bool {
        self.try_accepts(other).unwrap_or_else(|_| self == other)
    }

    pub(crate) fn try_has_instance(&self, value: &Value) -> Result<bool> {
        let mut lattice = Lattice::default();
        let answer = lattice.has_instance(self, value);
        lattice.result_unless_unusable(answer)
    }

    pub(crate) fn try_accepts(&self, other: &Type) -> Result<bool> {
        let mut lattice = Lattice::default();
        let answer = lattice.accepts(self, other);
        lattice.result_unless_unusable(answer)
    }

    pub(crate) fn try_equals(&self, other: &Type) -> Result<bool> {
        Ok(self.is_identical_to(other) || self == other || (other.try_accepts(self)? && self.try_accepts(other)?))
    }

    /// Whether both types accept each other, like Puppet's `==`. Rust's `==` compares their structure instead.
    ///
    /// Observed: Puppet 8.11, all 37,636 pairs of a matrix of types.
    pub fn equals(&self, other: &Type) -> bool {
        self.try_equals(other).unwrap_or(false)
    }

    /// Returns the type without constraints on particular values: `Array[Integer]` for `Array[Integer[1, 2], 3]`.
    #[must_use]
    pub fn generalized(&self) -> Type {
        self.generalized_with_cache(&mut FxHashMap::default())
    }

    fn generalized_with_cache(&self, seen: &mut FxHashMap<usize, Type>) -> Type {
        if matches!(self, Type::Alias(_)) || self.row().is_general {
            return self.clone();
        }
        if let Some(general) = seen.get(&self.address()) {
            return general.clone();
        }
        let mut inside = |inner: &Type| inner.generalized_with_cache(seen);
        let general = stack::with_room(|| on_rules!(self, rules => rules.generalized(&mut inside)));
        if self.is_nested() {
            seen.insert(self.address(), general.clone());
        }
        general
    }

    /// Returns a narrow type that accepts both types, but ignores Undef next to another type, as Puppet does.
    #[must_use]
    pub fn common_type(&self, other: &Type) -> Type {
        CommonTypes::default().common_type_of_all([self.clone(), other.clone()])
    }

    /// Whether the type contains no other types, so that queries about it do not recurse.
    fn is_leaf(&self) -> bool {
        !(self.is_nested() || matches!(self, Type::Data(_) | Type::RichData(_)))
    }

    /// Whether the type contains no recursive or unresolved alias; false for Object types and very large types.
    pub(crate) fn is_resolved_acyclic(&self) -> bool {
        const MAX_VISITED_TYPES: usize = 1 << 12;
        let (mut pending, mut types) = (vec![Value::Type(self.clone())], 0);
        while let Some(part) = pending.pop() {
            match part {
                Value::Type(Type::Alias(alias)) if alias.is_resolved_acyclic() => {}
                Value::Type(Type::Alias(_) | Type::Object(_) | Type::TypeSet(_)) | Value::Object(_) => return false,
                Value::Type(_) if types > MAX_VISITED_TYPES => return false,
                // Without the question whether a key may be missing, which would look behind aliases.
                Value::Type(Type::Struct(record)) => {
                    types += 1;
                    pending.extend(record.members().iter().map(|member| Value::Type(member.type_().clone())));
                }
                part => {
                    types += usize::from(matches!(part, Value::Type(_)));
                    pending.extend(child_values(&part));
                }
            }
        }
        true
    }

    /// Whether both types have the same [`Identity`], and so are equal; if it differs, they may be equal as well.
    pub(crate) fn is_identical_to(&self, other: &Type) -> bool {
        self.identity() == other.identity()
    }

    pub(crate) fn identity(&self) -> Identity {
        match self {
            Type::Integer(range) => Identity::Integer(*range),
            Type::Float(range) => Identity::Float(*range),
            Type::Boolean(boolean) => Identity::Of(Kind::Boolean, boolean.value),
            other if other.address() == 0 => Identity::Of(other.kind(), None),
            other => Identity::At(other.address()),
        }
    }

    /// Returns the string form of the type as a parameter of another type: aliases and Object types by name.
    pub fn to_string_as_parameter(&self) -> String {
        let mut text = TypeWriter::default();
        self.write_as_parameter(&mut text);
        text.text
    }

    /// Returns the full string form: an alias with its type, an Object type with its definition.
    pub(crate) fn to_full_string(&self) -> String {
        let mut out = TypeWriter::default();
        match self {
            Type::Alias(alias) => out.write_with_alias_definitions(true, |out| out.write_alias(alias)),
            Type::Object(object) => object.show_definition(&mut out),
            Type::TypeSet(set) => set.show_definition(&mut out),
            other => other.write_as_parameter(&mut out),
        }
        out.text
    }

    /// Writes the string form of the type as a parameter of another type.
    ///
    /// Writes nothing if `out` already exceeds the maximum length of a string: shared parts can make a type very long.
    pub(crate) fn write_as_parameter(&self, out: &mut TypeWriter) {
        if out.text.len() > limits::current_limit_as_usize(Limit::String) {
            return;
        }
        if self.is_leaf() {
            return on_rules!(self, rules => rules.write_code(out));
        }
        stack::with_room(|| on_rules!(self, rules => rules.write_code(out)));
    }
}

/// Writes the full string form of the type, which is also that of the format `%p`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_full_string())
    }
}
