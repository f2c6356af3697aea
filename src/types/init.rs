//! `Init[type, arguments…]`: values that a type can convert.

use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

use super::definition::construct::ConstructError;
use super::r#struct::{Member, Presence, StructType};
use super::{
    ArrayType, BooleanType, DefaultType, EnumType, HashType, IntegerType, Lattice, NestedType, OptionalType,
    PatternType, Replace, RichDataType, Rules, Size, StringType, TupleType, Type, TypeError, TypeType, row,
};
use crate::error::Result;
use crate::regexp::Regexp;
use crate::types::describe::describe;
use crate::value::Value;

/// Values from which `type.new(value, arguments…)` makes an instance, and instances.
///
/// Source: language specification, "Init".
/// Observed: Puppet 8.11 takes bare `Init` as everything that is `RichData`; a type that makes nothing of a value is
/// refused when the Init is used, not when it is written.
#[derive(Clone, Debug, Default)]
pub struct InitType {
    type_: Option<NestedType>,
    arguments: Arc<[Value]>,
    /// Worked out at the first use, because an alias inside may not be resolved before.
    sources: OnceLock<Option<KnownSources>>,
}

#[derive(Clone, Debug)]
struct KnownSources {
    /// The types of single values.
    single: Vec<NestedType>,
    /// The Tuples that hold all arguments, and the first argument where one is enough.
    others: Vec<NestedType>,
}

impl PartialEq for InitType {
    fn eq(&self, other: &InitType) -> bool {
        self.type_ == other.type_ && self.arguments == other.arguments
    }
}

impl Eq for InitType {}

impl Hash for InitType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.type_.hash(state);
        self.arguments.hash(state);
    }
}

/// A parameter list of `new`, and how many of its parameters must be given.
type Signature = (Vec<Type>, usize);

/// The parameter lists of `type_.new`; empty if the type has no constructor. `type_` is not an alias.
///
/// Observed: Puppet 7.23, the signatures of each constructor.
#[expect(clippy::too_many_lines, reason = "one arm per constructor reads better in one place")]
fn signatures_of(type_: &Type, lattice: &mut Lattice) -> Vec<Signature> {
    let texts = |pattern: &str| Type::from(PatternType::new(Regexp::new(pattern).ok().map(Arc::new)));
    let named = |names: &[&str]| Type::one_of(names.iter().filter_map(|name| Type::named(name)));
    let flag = Type::from(BooleanType::bare());
    let only = |value: bool| Type::from(BooleanType { value: Some(value) });
    let text = Type::from(StringType::Sized(Size::NOT_EMPTY));
    match type_ {
        Type::Integer(_) | Type::Float(_) | Type::Numeric(_) => {
            let is_integer = matches!(type_, Type::Integer(_));
            let number = if is_integer {
                texts(r"\A[+-]?\s*(?:\d+|0[xX][0-9A-Fa-f]+|0[bB][01]+)\z")
            } else {
                texts(r"\A[+-]?\s*(?:(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE]-?\d+)?|0[xX][0-9A-Fa-f]+|0[0-7]+|0[bB][01]+)\z")
            };
            let from = Type::one_of([named(&["Numeric", "Boolean", "Timespan", "Timestamp"]), number]);
            let radix = [2, 8, 10, 16].into_iter().filter_map(|radix| IntegerType::new(radix, radix)).map(Type::from);
            let radix = Type::one_of(radix.chain([DefaultType.into()]));
            let parts = [("from", true, &from), ("abs", false, &flag)].into_iter();
            let parts = members(parts.chain(is_integer.then_some(("radix", false, &radix))));
            let list = if is_integer { vec![from, radix, flag] } else { vec![from, flag] };
            vec![(list, 1), (vec![parts], 1)]
        }
        Type::Boolean(_) => {
            let words = EnumType::new(["true", "false", "yes", "no", "y", "n"], true);
            vec![(vec![Type::one_of([named(&["Numeric"]), flag, words.into()])], 1)]
        }
        Type::Timestamp(_) | Type::Timespan(_) => {
            let format = Type::from(StringType::Sized(Size::new(2, i64::MAX).unwrap_or(Size::ANY)));
            let formats = ArrayType::new(format.clone(), Some(Size::NOT_EMPTY)).into();
            let format = Type::one_of([format, formats]);
            let mut signatures = vec![(vec![named(&["Integer", "Float"])], 1)];
            if matches!(type_, Type::Timestamp(_)) {
                let parts = [("string", true, &text), ("format", false, &format), ("timezone", false, &text)];
                signatures.extend([(vec![], 0), (vec![members(parts)], 1), (vec![text.clone(), format, text], 1)]);
            } else {
                let number = Type::from(IntegerType::ALL);
                let units = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];
                let parts = units.into_iter().map(|unit| (unit, false, &number)).chain([("negative", false, &flag)]);
                let of_text = members([("string", true, &text), ("format", false, &format)]);
                let numbers = vec![number.clone(); units.len()];
                signatures.extend([
                    (vec![members(parts)], 1),
                    (vec![of_text], 1),
                    (numbers, 4),
                    (vec![text, format], 1),
                ]);
            }
            signatures
        }
        Type::String(_) => {
            let directive = texts(r"\A%[\s\[+#0{<(|-]*(?:[1-9][0-9]*)?(?:\.[0-9]+)?[a-zA-Z]\z");
            let by_type = |format: &Type| HashType::new(TypeType::bare().into(), format.clone(), None).into();
            let (any_text, inside) = (Type::from(StringType::All), by_type(&directive));
            let container = members([
                ("format", false, &directive),
                ("separator", false, &any_text),
                ("separator2", false, &any_text),
                ("string_formats", false, &inside),
            ]);
            let map = by_type(&Type::one_of([directive, container]));
            vec![(vec![Type::any(), Type::one_of([DefaultType.into(), text, map])], 1)]
        }
        Type::Array(_) | Type::Tuple(_) => {
            let from = named(&["Array", "Hash", "Binary", "Iterable"]);
            vec![(vec![from, only(false)], 1), (vec![Type::any(), only(true)], 2)]
        }
        Type::Sensitive(_) | Type::NotUndef(_) => vec![(vec![Type::any()], 1)],
        Type::Hash(_) | Type::Struct(_) => {
            let path = Type::from(ArrayType::new(Type::any(), None));
            let paths = ArrayType::new(TupleType::new([path, Type::any()], None).into(), Some(Size::NOT_EMPTY));
            let kinds = EnumType::new(["tree", "hash_tree"], false);
            vec![(vec![Type::any()], 1), (vec![paths.into(), kinds.into()], 1)]
        }
        Type::Regexp(_) => vec![(vec![StringType::All.into(), flag], 1)],
        Type::Type(_) => vec![(vec![text], 1)],
        Type::SemVer(_) => {
            let (number, word) = (natural(i64::MAX), texts(r"\A[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*\Z"));
            let parts = [("major", true, &number), ("minor", true, &number), ("patch", true, &number)];
            let parts = members(parts.into_iter().chain([("prerelease", false, &word), ("build", false, &word)]));
            let version = r"(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)";
            let prerelease = r"(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)";
            let build = r"[0-9A-Za-z-]+";
            let version =
                texts(&format!(r"\A{version}(?:-{prerelease}(?:\.{prerelease})*)?(?:\+{build}(?:\.{build})*)?\Z"));
            let numbers = vec![number.clone(), number.clone(), number, word.clone(), word];
            vec![(vec![version], 1), (numbers, 3), (vec![parts], 1)]
        }
        Type::SemVerRange(_) => {
            let end = named(&["Default", "SemVer"]);
            let parts = members([("min", true, &end), ("max", false, &end), ("exclude_max", false, &flag)]);
            vec![(vec![text], 1), (vec![end.clone(), end, flag], 2), (vec![parts], 1)]
        }
        Type::Binary(_) => {
            let formats = ["%b", "%u", "%B", "%s", "%r"];
            let format = Type::from(EnumType::new(formats, false));
            let bytes = Type::from(ArrayType::new(natural(255), None));
            let text = Type::from(StringType::All);
            let optional_format = Type::from(OptionalType::new(format.clone()));
            let of_text = members([("value", true, &text), ("format", false, &optional_format)]);
            let of_bytes = members([("value", true, &bytes)]);
            vec![(vec![text, format], 1), (vec![bytes], 1), (vec![of_text], 1), (vec![of_bytes], 1)]
        }
        Type::Uri(_) => {
            let port = natural(i64::MAX);
            let parts = ["scheme", "userinfo", "host", "path", "query", "fragment", "opaque"];
            let parts = parts.into_iter().map(|part| (part, false, &text)).chain([("port", false, &port)]);
            vec![(vec![members(parts)], 1), (vec![text], 1)]
        }
        Type::Object(object) if !object.is_root() => {
            let (required, optional): (Vec<_>, Vec<_>) =
                object.fields().into_iter().partition(|field| field.is_required());
            // Observed: Puppet 7.23 counts those that may be undef among those that may be missing here, but `new` does not.
            let least = required.iter().filter(|field| !lattice.accepts_undef(field.type_())).count();
            let fields = || required.iter().chain(&optional);
            let by_name = members(fields().map(|field| (&*field.name, field.is_required(), field.type_())));
            let by_position = fields().map(|field| field.type_().clone()).collect();
            vec![(vec![by_name], 1), (by_position, least)]
        }
        _ => Vec::new(),
    }
}

impl KnownSources {
    /// The type of all arguments that the parameter lists accept: an only argument itself, or an array of the
    /// arguments if there may be more or fewer than one.
    ///
    /// Observed: Puppet 7.23, `['1.2.3'] =~ Init[SemVer]` is false, `[1, 2, 3] =~ Init[SemVer]` is true.
    fn of(signatures: Vec<Signature>) -> KnownSources {
        let (mut single, mut others): (Vec<NestedType>, Vec<NestedType>) = (Vec::new(), Vec::new());
        for (parameters, required) in signatures {
            let first = parameters.first().filter(|_| required == 1).map(NestedType::from);
            if parameters.len() == 1 && required == 1 {
                single.extend(first);
            } else {
                let size = Size::exactly(required).merged(Size::exactly(parameters.len()));
                others.push(Type::from(TupleType::new(parameters, Some(size))).into());
                others.extend(first);
            }
        }
        KnownSources { single, others }
    }

    /// The first parameters of the parameter lists that accept `further` after one argument, if there are any.
    fn before(further: &[Value], signatures: Vec<Signature>) -> Option<KnownSources> {
        let accepts = |(parameters, required): &Signature| {
            let rest = parameters.get(1..).unwrap_or_default();
            let is_enough = (*required..=parameters.len()).contains(&(1 + further.len()));
            is_enough && rest.iter().zip(further).all(|(parameter, given)| parameter.has_instance(given))
        };
        let fitting = signatures.into_iter().filter(accepts);
        let single: Vec<NestedType> =
            fitting.filter_map(|(list, _)| list.into_iter().next()).map(NestedType::from).collect();
        (!single.is_empty()).then(|| KnownSources { single, others: Vec::new() })
    }

    fn has_single(&self, value: &Value, lattice: &mut Lattice) -> bool {
        self.single.iter().any(|source| lattice.has_instance(source, value))
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        self.has_single(value, lattice) || self.others.iter().any(|source| lattice.has_instance(source, value))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        self.single.iter().chain(&self.others).any(|source| lattice.accepts_part(source, other))
    }
}

impl InitType {
    /// The type whose `new` is called.
    pub fn type_(&self) -> Option<&Type> {
        self.type_.as_deref()
    }

    /// What the constructor accepts; `None` if it takes no value with the further arguments, or is that of this Init.
    fn sources(&self, lattice: &mut Lattice) -> Option<Cow<'_, KnownSources>> {
        let type_ = self.type_.as_deref()?;
        let work_out = |lattice: &mut Lattice| {
            let signatures = match type_ {
                // Of these nothing is made through an Init.
                Type::Init(_) | Type::Optional(_) | Type::NotUndef(_) => Vec::new(),
                // Observed: Puppet 7.23. The `new` of an alias of an Init takes one argument, whatever it is.
                type_ => match &*type_.maker() {
                    Type::Init(init) if init.sources(lattice).is_some() => vec![(vec![Type::any()], 1)],
                    maker => signatures_of(maker, lattice),
                },
            };
            match (signatures.is_empty(), self.arguments.is_empty()) {
                (true, _) => None,
                (false, true) => Some(KnownSources::of(signatures)),
                (false, false) => KnownSources::before(&self.arguments, signatures),
            }
        };
        if let Some(known) = self.sources.get() {
            return known.as_ref().map(Cow::Borrowed);
        }
        let place = std::ptr::from_ref(self) as usize;
        let sources = lattice.unless_open((place, place), work_out).flatten();
        // What leads back to this type would keep it alive for ever.
        if type_.is_closed() {
            self.sources.get_or_init(|| sources).as_ref().map(Cow::Borrowed)
        } else {
            sources.map(Cow::Owned)
        }
    }

    /// The type whose `new` makes the values, and the arguments that it gets for `value`. Without further arguments of
    /// the Init, an Array holds all of them, unless it is itself the only argument of a constructor.
    pub(crate) fn call(&self, value: &Value) -> Result<(&Type, Vec<Value>)> {
        let Some(type_) = self.type_.as_deref() else {
            return Err(ConstructError::Constructor { type_: Self::NAME }.into());
        };
        let mut lattice = Lattice::default();
        let Some(sources) = self.sources(&mut lattice) else { return Err(self.unusable().into()) };
        if let Value::Array(all) = value
            && self.arguments.is_empty()
        {
            let is_one = type_.has_instance(value) || sources.has_single(value, &mut lattice);
            if !is_one {
                return Ok((type_, all.to_vec()));
            }
        }
        Ok((type_, [value].into_iter().chain(self.arguments.iter()).cloned().collect()))
    }

    pub(super) fn unusable(&self) -> TypeError {
        let type_ = self.type_.as_deref().map(Type::to_string_in_brackets).unwrap_or_default();
        TypeError::Unusable { type_, arguments: self.arguments.iter().map(describe).collect() }
    }
}

/// A Struct with members given as name, whether it is required, and type.
fn members<'a>(members: impl IntoIterator<Item = (&'a str, bool, &'a Type)>) -> Type {
    let member = |(name, required, type_): (&str, bool, &Type)| {
        let presence = if required { Presence::Plain } else { Presence::Optional };
        Member::new(name.into(), presence, type_.clone())
    };
    StructType::new(members.into_iter().map(member).collect()).into()
}

fn natural(to: i64) -> Type {
    IntegerType::new(0, to).map_or_else(Type::any, Type::from)
}

impl Rules for InitType {
    row! {
        "Init" ["type, argument, …"] below "Any": "values from which `new` can create an instance of the type";
        "1.5 =~ Init[Integer]" => "true",
        "'2015' =~ Init[Timestamp, '%Y']" => "true",
        "1 =~ Init[Integer, 'x']" => "error RUNTIME_ERROR",
        "Init[1]" => "error BAD_TYPE_SLICE_TYPE",
    }
    const TAKES_ARRAYS: bool = true;
    const IS_GENERAL: bool = true;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        match arguments {
            [Value::Type(type_), rest @ ..] => {
                let (type_, arguments) = (Some(type_.into()), rest.into());
                Ok(InitType { type_, arguments, sources: OnceLock::new() }.into())
            }
            [other, ..] => Err(TypeError::not_a_type(Self::NAME, other).into()),
            [] => Ok(InitType::bare().into()),
        }
    }

    fn arguments(&self) -> Vec<Value> {
        let type_ = self.type_.as_deref().cloned().map(Value::Type);
        type_.into_iter().chain(self.arguments.iter().cloned()).collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let Some(type_) = &self.type_ else { return RichDataType.has_instance(value, lattice) };
        let Some(sources) = self.sources(lattice) else { return lattice.refuse(self) };
        let place = (std::ptr::from_ref(self) as usize, std::ptr::from_ref(value) as usize);
        let ask = |lattice: &mut Lattice| lattice.has_instance(type_, value) || sources.has_instance(value, lattice);
        lattice.unless_open(place, ask).unwrap_or(false)
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let Some(type_) = &self.type_ else {
            return matches!(other, Type::Init(_)) || lattice.accepts(RichDataType::meaning(), other);
        };
        match (self.sources(lattice), other) {
            (None, _) => lattice.refuse(self),
            // Observed: Puppet 7.23; the further arguments do not count.
            (Some(_), Type::Init(other)) => {
                other.type_.as_ref().is_some_and(|other| lattice.accepts_part(type_, other))
            }
            (Some(sources), other) => lattice.accepts_part(type_, other) || sources.accepts(other, lattice),
        }
    }

    fn map(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        let type_ = Some(replaced(self.type_()?).into());
        Some(InitType { type_, arguments: self.arguments.clone(), sources: OnceLock::new() }.into())
    }

    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        let [value] = arguments else {
            return Err(ConstructError::Arity { type_: Self::NAME, most: 1, got: arguments.len() }.into());
        };
        let (type_, arguments) = self.call(value)?;
        type_.made_of(&arguments)
    }
}
