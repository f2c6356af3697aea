//! Computes the common type of several types: a narrow type, with a short form, that accepts all of them.
//!
//! Types are added one by one. A type that the common type so far accepts costs one comparison. Otherwise all the
//! following types whose common type is of the same kind (an Enum for strings, an Array for Arrays) are added together,
//! so that the common type of thousands of different types is built once and not thousands of times.
//!
//! Observed: Puppet 8.11 ignores undef next to another type: the common type of undef and 1 is an Integer.

use rustc_hash::FxHashMap;

use crate::stack;
use crate::types::{
    ArrayType, DataType, EnumType, FloatType, HashType, Identity, IntegerType, Kind, Lattice, NumericType, PatternType,
    ResourceType, RichDataType, ScalarDataType, ScalarType, Size, StringType, Type, TypeType, UnitType, VariantType,
};
use crate::value::EcoString;

/// Computes common types. The common types of nested types are cached, because types that share their parts many times
/// would otherwise take exponential time.
#[derive(Debug, Default)]
pub(in crate::types) struct CommonTypes {
    pub(in crate::types) lattice: Lattice,
    cached_types: FxHashMap<Box<[Identity]>, Type>,
}

impl CommonTypes {
    /// Returns the common type of `types`, or Unit if there are none. Undef is ignored next to another type.
    pub(in crate::types) fn common_type_of_all(&mut self, types: impl IntoIterator<Item = Type>) -> Type {
        let mut types = types.into_iter().peekable();
        let mut common = types.next().unwrap_or(UnitType.into());
        while let Some(next) = types.next() {
            // Observed: Puppet 8.11; of Unit and undef it is Unit, in either order.
            if is_unit_or_undef(&common) && !matches!((&common, &next), (Type::Unit(_), Type::Undef(_))) {
                common = next;
            } else if is_unit_or_undef(&next) || self.lattice.accepts_in_new_query(&common, &next) {
                // Nothing new.
            } else if self.lattice.accepts_in_new_query(&next, &common) {
                common = next;
            } else if let Some(of_both) =
                kind_of_common_type(&common).filter(|of_both| kind_of_common_type(&next) == Some(*of_both))
            {
                let is_member = |type_: &Type| kind_of_common_type(type_) == Some(of_both);
                let mut members = vec![common, next];
                while let Some(type_) = types.next_if(|type_| is_member(type_) || is_unit_or_undef(type_)) {
                    members.extend(Some(type_).filter(is_member));
                }
                common = stack::with_room(|| common_type_of_kind(of_both, &members, self));
            } else {
                let mut accepts = |above: &Type, type_| self.lattice.accepts_in_new_query(above, type_);
                let above = GENERAL_TYPES.iter().find(|above| accepts(above, &common) && accepts(above, &next));
                common = above.cloned().unwrap_or_else(Type::any);
            }
        }
        common
    }

    fn common_nested_type<'a>(&mut self, types: impl Iterator<Item = &'a Type>) -> Type {
        let mut types: Vec<Type> = types.cloned().collect();
        types.dedup_by_key(|type_| type_.identity());
        if let [only] = types.as_slice() {
            return only.clone();
        }
        let key: Box<[Identity]> = types.iter().map(Type::identity).collect();
        if let Some(known) = self.cached_types.get(&key) {
            return known.clone();
        }
        for type_ in &types {
            // Known by where they lie, so none may go.
            self.lattice.keep_alive(type_);
        }
        let common = self.common_type_of_all(types);
        self.cached_types.insert(key, common.clone());
        common
    }
}

/// The general types below Any that can be a common type, the narrowest first.
static GENERAL_TYPES: [Type; 5] = [
    Type::Numeric(NumericType),
    Type::ScalarData(ScalarDataType),
    Type::Scalar(ScalarType),
    Type::Data(DataType),
    Type::RichData(RichDataType),
];

/// Whether the type is Unit or Undef, which a common type does not have to accept.
fn is_unit_or_undef(type_: &Type) -> bool {
    matches!(type_, Type::Unit(_) | Type::Undef(_))
}

/// Returns the kind of the common type of several types like this one: Enum for strings; `None` if they have no rule.
fn kind_of_common_type(type_: &Type) -> Option<Kind> {
    match type_.kind() {
        Kind::String => Some(Kind::Enum),
        kind @ (Kind::Integer
        | Kind::Float
        | Kind::Enum
        | Kind::Pattern
        | Kind::Regexp
        | Kind::Array
        | Kind::Hash
        | Kind::Type
        | Kind::Callable
        | Kind::Resource
        | Kind::Class
        | Kind::Variant) => Some(kind),
        _ => None,
    }
}

/// Returns the common type, of kind `family`, of two or more types, none of which accepts all the others.
fn common_type_of_kind(family: Kind, members: &[Type], common: &mut CommonTypes) -> Type {
    let members = members.iter();
    match family {
        Kind::Integer => {
            let ranges = members.filter_map(IntegerType::of_type).copied();
            ranges.reduce(IntegerType::merged).map_or_else(Type::any, Type::from)
        }
        Kind::Float => {
            let ranges = members.filter_map(FloatType::of_type).copied();
            ranges.reduce(FloatType::merged).map_or_else(Type::any, Type::from)
        }
        Kind::Enum => common_type_of_strings(members),
        Kind::Pattern => {
            let patterns = members.filter_map(PatternType::of_type).flat_map(PatternType::patterns);
            PatternType::new(patterns.cloned()).into()
        }
        Kind::Array => {
            let elements = members.filter_map(ArrayType::of_type).map(ArrayType::element);
            ArrayType::new(common.common_nested_type(elements), None).into()
        }
        Kind::Hash => {
            let hashes = members.filter_map(HashType::of_type);
            let key = common.common_nested_type(hashes.clone().map(HashType::key));
            let value = common.common_nested_type(hashes.map(HashType::value));
            HashType::new(key, value, None).into()
        }
        Kind::Type => {
            let any = Type::any();
            let inner = members.filter_map(TypeType::of_type).map(|inner| inner.type_().unwrap_or(&any));
            TypeType::new(common.common_nested_type(inner)).into()
        }
        Kind::Resource => {
            let mut names = members.filter_map(ResourceType::of_type).map(ResourceType::type_name);
            let first = names.next().flatten();
            let same = first.filter(|first| names.all(|name| name == Some(first)));
            same.and_then(|name| ResourceType::new(name, None)).unwrap_or_default().into()
        }
        Kind::Variant => VariantType::of(members.cloned()),
        // Callables, classes and regular expressions have nothing more in common.
        _ => members.clone().next().map_or_else(Type::any, |first| (first.row().bare)()),
    }
}

/// Returns the common type of Strings and Enums: an Enum of all strings, a String with a size, or a bare Enum for both.
fn common_type_of_strings<'a>(members: impl Iterator<Item = &'a Type>) -> Type {
    let (mut named, mut size): (Vec<EcoString>, _) = (Vec::new(), None);
    for member in members {
        match member {
            Type::Enum(texts) => named.extend(texts.values().iter().cloned()),
            Type::String(string) => match &**string {
                StringType::Text(text) => named.push(text.clone()),
                StringType::All => return StringType::All.into(),
                StringType::Sized(other) => {
                    size = Some(size.map_or(*other, |size: Size| size.merged_size(*other)));
                }
            },
            _ => {}
        }
    }
    match (named.is_empty(), size) {
        (_, None) => EnumType::new(named, false).into(),
        (true, Some(size)) => StringType::Sized(size).into(),
        (false, Some(_)) => EnumType::default().into(),
    }
}
