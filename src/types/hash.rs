//! `Hash[key, value, from, to]`: hashes with one key type and one value type.

use super::{
    Lattice, NestedType, Replace, Result, Rules, Size, Type, TypeError, UnitType, Value, construct,
    expect_type_argument, row, size_from_arguments,
};

/// Hashes with one type for all keys and one for all values, and optionally a range of sizes.
///
/// Source: language specification, "`Hash ([key, value, [from, [to]]])`".
/// Observed: Puppet 8.11 takes `Hash[1, 2]` as a size alone, and prints `Hash[String, Integer, 0, 0]` as `Hash[0, 0]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct HashType {
    key: NestedType,
    value: NestedType,
    /// The allowed numbers of entries; `None` if no size is written, which allows any number.
    size: Option<Size>,
}

impl HashType {
    /// Creates the type of hashes from `key` to `value`, of any size if `size` is `None`. A size of 0 drops both types.
    pub fn new(key: Type, value: Type, size: Option<Size>) -> HashType {
        let is_empty = size.is_some_and(|size| size.to() == 0);
        let part = |type_: Type| if is_empty { NestedType::from(Type::from(UnitType)) } else { type_.into() };
        HashType { key: part(key), value: part(value), size }
    }

    /// The type of each key.
    pub fn key(&self) -> &Type {
        &self.key
    }

    /// The type of each value.
    pub fn value(&self) -> &Type {
        &self.value
    }

    /// The minimum and maximum number of entries.
    pub fn size(&self) -> Size {
        self.size.unwrap_or(Size::ANY)
    }
}

impl Rules for HashType {
    row! {
        "Hash" ["key, value, from, to"] below "Collection":
            "hashes with one key type and one value type, optionally with a size";
        "{a => 1} =~ Hash[String, Integer]" => "true",
        "{} =~ Hash[1, 2]" => "false",
        "Hash[String]" => "error BAD_TYPE_SLICE_ARITY",
        new "(Any $from)",
        new "(Array[Tuple[Array, Any], 1] $paths, Enum[tree, hash_tree] $build)",
        construct: construct::construct_hash;
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        let (key, value, ends) = match arguments {
            [Value::Integer(_), Value::Integer(_)] => (Type::any(), Type::any(), arguments),
            [Value::Type(key), value, ends @ ..] if ends.len() <= 2 => {
                (key.clone(), expect_type_argument(Self::NAME, value)?, ends)
            }
            [Value::Type(_), ..] | [] => {
                return Err(TypeError::Arity { type_: Self::NAME, expected: "2 to 4", got: arguments.len() }.into());
            }
            [first, ..] => return Err(TypeError::not_a_type(Self::NAME, first).into()),
        };
        let size = if ends.is_empty() { None } else { Some(size_from_arguments(ends)?) };
        Ok(HashType::new(key, value, size).into())
    }

    fn arguments(&self) -> Vec<Value> {
        let are_any = || matches!((self.key(), self.value()), (Type::Any(_), Type::Any(_)));
        let are_written = self.size.map_or_else(|| !are_any(), |size| size.to() > 0);
        let types = [self.key(), self.value()].into_iter().filter(|_| are_written).cloned().map(Value::Type);
        types.chain(self.size.into_iter().flat_map(Size::to_type_arguments)).collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let Value::Hash(entries) = value else { return false };
        self.size().contains(entries.len())
            && (entries.is_empty()
                || !(lattice.has_matching_element(&self.key, entries.keys(), false)
                    || lattice.has_matching_element(&self.value, entries.values(), false)))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        match other {
            Type::Hash(other) => {
                self.size().accepts(other.size())
                    && (other.size().to() == 0
                        || (lattice.accepts_inner_type(&self.key, &other.key)
                            && lattice.accepts_inner_type(&self.value, &other.value)))
            }
            Type::Struct(other) => {
                self.size().accepts(other.size_in_comparisons())
                    && other.members().iter().all(|member| {
                        // Observed: Puppet 7.23 asks for the name, not for its type.
                        lattice.has_instance(&self.key, member.key())
                            && lattice.accepts_inner_type(&self.value, member.type_())
                    })
            }
            _ => false,
        }
    }

    fn map_nested_types(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        Some(HashType::new(replaced(&self.key), replaced(&self.value), self.size).into())
    }

    /// Generalizes the types inside and drops the size; the type of the empty hash stays the same.
    fn generalized(&self, inside: &mut Replace<'_>) -> Type {
        let size = self.size.filter(|size| size.to() == 0);
        HashType::new(inside(&self.key), inside(&self.value), size).into()
    }
}
