//! The common type of several types: a narrow type that accepts all of them, in a short form.
//!
//! Types are added one by one. If the common type so far already accepts a type, that costs one comparison. Otherwise
//! all the following types of the same family are added together (the strings of one Enum, the elements of one Array),
//! so that the common type of thousands of different ones is built once and not thousands of times.
//!
//! Observed: Puppet 8.11 ignores undef next to another type: the common type of undef and 1 is an Integer.

use rustc_hash::FxHashMap;

use crate::stack;
use crate::types::{
    ArrayType, DataType, EnumType, FloatType, HashType, Identity, IntegerType, Kind, Lattice, NumericType, PatternType,
    ResourceType, RichDataType, Rules, ScalarDataType, ScalarType, Size, StringType, Type, TypeType, UnitType,
    VariantType,
};
use crate::value::EcoString;

/// One common type on its way, or several that are asked for together: what was found for types inside of others is
/// remembered, so that towers of types that share their parts do not explode.
#[derive(Debug, Default)]
pub(in crate::types) struct Common {
    pub(in crate::types) lattice: Lattice,
    /// The cached common types of nested types, by their identities.
    seen: FxHashMap<Box<[Identity]>, Type>,
}

impl Common {
    /// The common type of all `types`, which need not accept undef; Unit if there are none.
    pub(in crate::types) fn of_all(&mut self, types: impl IntoIterator<Item = Type>) -> Type {
        let mut types = types.into_iter().peekable();
        let mut common = types.next().unwrap_or(UnitType.into());
        while let Some(next) = types.next() {
            // Observed: Puppet 8.11; of Unit and undef it is Unit, in either order.
            if says_nothing(&common) && !matches!((&common, &next), (Type::Unit(_), Type::Undef(_))) {
                common = next;
            } else if says_nothing(&next) || self.lattice.accepts_next(&common, &next) {
                // Nothing new.
            } else if self.lattice.accepts_next(&next, &common) {
                common = next;
            } else if let Some(of_both) = family(&common).filter(|of_both| family(&next) == Some(*of_both)) {
                let is_member = |type_: &Type| family(type_) == Some(of_both);
                let mut members = vec![common, next];
                while let Some(type_) = types.next_if(|type_| is_member(type_) || says_nothing(type_)) {
                    members.extend(Some(type_).filter(is_member));
                }
                common = stack::with_room(|| common_of_family(of_both, &members, self));
            } else {
                common = self.above(&common, &next);
            }
        }
        common
    }

    /// The common type of nested types, such as element types; cached.
    fn inside<'a>(&mut self, types: impl Iterator<Item = &'a Type>) -> Type {
        let mut types: Vec<Type> = types.cloned().collect();
        types.dedup_by_key(|type_| type_.identity());
        if let [only] = types.as_slice() {
            return only.clone();
        }
        let key: Box<[Identity]> = types.iter().map(Type::identity).collect();
        if let Some(known) = self.seen.get(&key) {
            return known.clone();
        }
        for type_ in &types {
            // Known by where they lie, so none may go.
            self.lattice.keep(type_);
        }
        let common = self.of_all(types);
        self.seen.insert(key, common.clone());
        common
    }

    /// The first type of [`ABOVE`] that accepts both types; `a` does not accept `b`.
    fn above(&mut self, a: &Type, b: &Type) -> Type {
        let mut accepts = |above: &&Type| self.lattice.accepts_next(above, a) && self.lattice.accepts_next(above, b);
        ABOVE.iter().find(&mut accepts).cloned().unwrap_or_else(Type::any)
    }
}

/// The types at the top of the lattice below Any, the narrowest first.
static ABOVE: [Type; 5] = [
    Type::Numeric(NumericType),
    Type::ScalarData(ScalarDataType),
    Type::Scalar(ScalarType),
    Type::Data(DataType),
    Type::RichData(RichDataType),
];

/// Whether a type adds nothing to a common type.
fn says_nothing(type_: &Type) -> bool {
    matches!(type_, Type::Unit(_) | Type::Undef(_))
}

/// The kind of a type that has a common type of the same kind with its siblings; `None` for other kinds.
fn family(type_: &Type) -> Option<Kind> {
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

/// The common type of at least two members of a family, none of which accepts all others.
fn common_of_family(family: Kind, members: &[Type], common: &mut Common) -> Type {
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
        Kind::Enum => texts(members),
        Kind::Pattern => {
            let patterns = members.filter_map(PatternType::of_type).flat_map(PatternType::patterns);
            PatternType::new(patterns.cloned()).into()
        }
        Kind::Array => {
            let elements = members.filter_map(ArrayType::of_type).map(ArrayType::element);
            ArrayType::new(common.inside(elements), None).into()
        }
        Kind::Hash => {
            let hashes = members.filter_map(HashType::of_type);
            let key = common.inside(hashes.clone().map(HashType::key));
            let value = common.inside(hashes.map(HashType::value));
            HashType::new(key, value, None).into()
        }
        Kind::Type => {
            let any = Type::any();
            let inner = members.filter_map(TypeType::of_type).map(|inner| inner.type_().unwrap_or(&any));
            TypeType::new(common.inside(inner)).into()
        }
        Kind::Resource => {
            let mut names = members.filter_map(ResourceType::of_type).map(ResourceType::type_name);
            let first = names.next().flatten();
            let same = first.filter(|first| names.all(|name| name == Some(first)));
            same.and_then(|name| ResourceType::new(name, None)).unwrap_or_else(ResourceType::bare).into()
        }
        Kind::Variant => VariantType::of(members.cloned()),
        // Callables, classes and regular expressions have nothing more in common.
        _ => members.clone().next().map_or_else(Type::any, |first| (first.row().bare)()),
    }
}

/// The common type of strings: Enums are merged to one Enum, sizes to one size; both together to a bare Enum.
fn texts<'a>(members: impl Iterator<Item = &'a Type>) -> Type {
    let (mut named, mut size): (Vec<EcoString>, _) = (Vec::new(), None);
    for member in members {
        match member {
            Type::Enum(texts) => named.extend(texts.values().iter().cloned()),
            Type::String(string) => match &**string {
                StringType::Text(text) => named.push(text.clone()),
                StringType::All => return StringType::All.into(),
                StringType::Sized(other) => {
                    size = Some(size.map_or(*other, |size: Size| size.merged(*other)));
                }
            },
            _ => {}
        }
    }
    match (named.is_empty(), size) {
        (_, None) => EnumType::new(named, false).into(),
        (true, Some(size)) => StringType::Sized(size).into(),
        (false, Some(_)) => EnumType::bare().into(),
    }
}
