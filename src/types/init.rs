//! `Init[type, arguments…]`: values that a type can convert.

use std::sync::Arc;

use super::array::ArrayType;
use super::boolean::BooleanType;
use super::default::DefaultType;
use super::definition::construct::ConstructError;
use super::definition::error::TypeError;
use super::definition::nested_type::NestedType;
use super::definition::size::Size;
use super::r#enum::EnumType;
use super::hash::HashType;
use super::pattern::PatternType;
use super::relation::mismatch::describe;
use super::rich_data::RichDataType;
use super::string::StringType;
use super::r#struct::{Member, Presence, StructType};
use super::tuple::TupleType;
use super::r#type::TypeType;
use super::{Example, Generalization, IntegerType, Lattice, Rules, Type};
use crate::error::{Error, Result};
use crate::regexp::Regexp;
use crate::value::Value;

/// Values from which `type.new(value, arguments…)` makes an instance, and instances.
///
/// Source: language specification, "Init".
/// Observed: Puppet 8.11 takes bare `Init` as everything that is `RichData`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InitType {
    type_: Option<NestedType>,
    arguments: Arc<[Value]>,
    /// What a value that is not an instance of the type must be.
    sources: Arc<[NestedType]>,
}

/// A parameter list of `new`, and how many of its parameters must be given.
type Signature = (Vec<Type>, usize);

/// The parameter lists of `type_.new`; `None` if it is not yet known what `type_` is.
fn signatures_of(type_: &Type) -> Option<Vec<Signature>> {
    match type_.behind_aliases() {
        Type::Alias(_) => None,
        known => Some(known_signatures(known)),
    }
}

fn known_signatures(type_: &Type) -> Vec<Signature> {
    let texts = |pattern: &str| Type::from(PatternType::new(Regexp::new(pattern).ok().map(Arc::new)));
    let named = |names: &[&str]| Type::one_of(names.iter().filter_map(|name| Type::named(name)));
    match type_ {
        Type::Integer(_) | Type::Float(_) | Type::Numeric(_) => {
            let number = texts(r"\A[+-]?\s*(?:0[xX][0-9A-Fa-f]+|0[bB][01]+|0[0-7]*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\z");
            let from = Type::one_of([named(&["Numeric", "Boolean", "Timespan", "Timestamp"]), number]);
            let radix = [2, 8, 10, 16].into_iter().filter_map(|radix| IntegerType::new(radix, radix)).map(Type::from);
            let radix = Type::one_of(radix.chain([DefaultType.into()]));
            let flag = Type::from(BooleanType::bare());
            let is_integer = matches!(type_, Type::Integer(_));
            let parts = [("from", true, &from), ("abs", false, &flag)].into_iter();
            let parts = members(parts.chain(is_integer.then_some(("radix", false, &radix))));
            let list = if is_integer { vec![from, radix, flag] } else { vec![from, flag] };
            vec![(list, 1), (vec![parts], 1)]
        }
        Type::Boolean(_) => {
            vec![(vec![Type::one_of([named(&["Numeric"]), texts(r"(?i)\A(?:true|false|yes|no|y|n)\z")])], 1)]
        }
        Type::Timestamp(_) | Type::Timespan(_) => {
            let text = some_text();
            let format = Type::from(StringType::Sized(Size::new(2, i64::MAX).unwrap_or(Size::ANY)));
            let formats = ArrayType::new(format.clone(), Size::new(1, i64::MAX).ok()).into();
            let format = Type::one_of([format, formats]);
            let mut signatures = vec![(vec![named(&["Integer", "Float"])], 1)];
            if matches!(type_, Type::Timestamp(_)) {
                let parts = [("string", true, &text), ("format", false, &format), ("timezone", false, &text)];
                signatures.extend([(vec![], 0), (vec![members(parts)], 1), (vec![text.clone(), format, text], 1)]);
            } else {
                let number = Type::from(IntegerType::ALL);
                let units = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];
                let flag = Type::from(BooleanType::bare());
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
            let map = HashType::new(TypeType::bare().into(), Type::any(), None);
            vec![(vec![Type::any(), Type::one_of([DefaultType.into(), StringType::All.into(), map.into()])], 1)]
        }
        Type::Array(_) | Type::Tuple(_) => vec![(vec![Type::any(), BooleanType::bare().into()], 1)],
        Type::Sensitive(_) => vec![(vec![Type::any()], 1)],
        Type::Hash(_) | Type::Struct(_) => {
            let path = Type::from(ArrayType::new(Type::any(), None));
            let tree = ArrayType::new(TupleType::new([path, Type::any()], None).into(), None);
            let kinds = EnumType::new(["tree", "hash_tree"].map(Arc::from), false);
            vec![(vec![named(&["Array", "Hash"])], 1), (vec![tree.into(), kinds.into()], 2)]
        }
        Type::Regexp(_) => vec![(vec![StringType::All.into(), BooleanType::bare().into()], 1)],
        Type::Type(_) => vec![(vec![some_text()], 1)],
        Type::SemVer(_) => {
            let (number, word) = (natural(i64::MAX), texts(r"\A[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*\z"));
            let parts = [("major", true, &number), ("minor", true, &number), ("patch", true, &number)];
            let parts = members(parts.into_iter().chain([("prerelease", false, &word), ("build", false, &word)]));
            let text =
                texts(r"\A\d+\.\d+\.\d+(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?\z");
            let numbers = vec![number.clone(), number.clone(), number, word.clone(), word];
            vec![(vec![text], 1), (numbers, 3), (vec![parts], 1)]
        }
        Type::SemVerRange(_) => {
            let (end, flag) = (named(&["Default", "SemVer"]), Type::from(BooleanType::bare()));
            let parts = members([("min", true, &end), ("max", false, &end), ("exclude_max", false, &flag)]);
            vec![(vec![some_text()], 1), (vec![end.clone(), end, flag], 2), (vec![parts], 1)]
        }
        Type::Binary(_) => {
            let formats = ["%b", "%u", "%B", "%s", "%r"].map(Arc::from);
            let format = Type::from(EnumType::new(formats, false));
            let bytes = Type::from(ArrayType::new(natural(255), None));
            let text = Type::from(StringType::All);
            let of_text = members([("value", true, &text), ("format", false, &format)]);
            let of_bytes = members([("value", true, &bytes)]);
            vec![(vec![text, format], 1), (vec![bytes], 1), (vec![of_text], 1), (vec![of_bytes], 1)]
        }
        Type::Uri(_) => {
            let (text, port) = (some_text(), natural(i64::MAX));
            let parts = ["scheme", "userinfo", "host", "path", "query", "fragment", "opaque"];
            let parts = parts.into_iter().map(|part| (part, false, &text)).chain([("port", false, &port)]);
            vec![(vec![members(parts)], 1), (vec![text], 1)]
        }
        Type::Object(object) if !object.is_root() => {
            let fields = object.fields();
            let required = fields.iter().filter(|field| field.is_required()).count();
            let by_name = members(fields.iter().map(|field| (&*field.name, field.is_required(), field.type_())));
            let by_position = fields.iter().map(|field| field.type_().clone()).collect();
            vec![(vec![by_name], 1), (by_position, required)]
        }
        _ => Vec::new(),
    }
}

/// What parameter lists take, each with the number of parameters that must be given: the only argument by itself, and
/// all of them in an array where there may be more than one.
///
/// Observed: Puppet 7.23, `['1.2.3'] =~ Init[SemVer]` is false, `[1, 2, 3] =~ Init[SemVer]` is true.
fn sources(signatures: Vec<Signature>) -> Vec<Type> {
    let mut sources = Vec::new();
    for (parameters, required) in signatures {
        if required <= 1 {
            sources.extend(parameters.first().cloned());
        }
        if parameters.len() != 1 {
            let size = Size::exactly(required).merged(Size::exactly(parameters.len()));
            sources.push(TupleType::new(parameters, Some(size)).into());
        }
    }
    sources
}

/// What stands before `further` arguments.
///
/// # Errors
/// No parameter list takes the further arguments.
///
/// Observed: Puppet 7.23 asks the rest of each parameter list, and says so as soon as the type is used.
fn sources_before(further: &[Value], type_: &Type, signatures: Vec<Signature>) -> Result<Vec<Type>> {
    let takes = |(parameters, required): &Signature| {
        let rest = parameters.get(1..).unwrap_or_default();
        let is_enough = (*required..=parameters.len()).contains(&(1 + further.len()));
        is_enough && rest.iter().zip(further).all(|(parameter, given)| parameter.has_instance(given))
    };
    let fitting = signatures.into_iter().filter(takes);
    let sources: Vec<Type> = fitting.filter_map(|(parameters, _)| parameters.into_iter().next()).collect();
    if !sources.is_empty() {
        return Ok(sources);
    }
    let given: Vec<String> = further.iter().map(describe).collect();
    let error =
        Error::runtime(format!("{type_} has no constructor that accepts a value followed by {}", given.join(", ")));
    let known = type_.row().new;
    Err(if known.is_empty() {
        error
    } else {
        error.with_help(format!("{}.new accepts {}", type_.name(), known.join(" or ")))
    })
}

/// A Struct of members: name, whether it must be there, type.
fn members<'a>(members: impl IntoIterator<Item = (&'a str, bool, &'a Type)>) -> Type {
    let member = |(name, required, type_): (&str, bool, &Type)| {
        let presence = if required { Presence::Required } else { Presence::Optional };
        Member::new(name.into(), presence, type_.clone())
    };
    StructType::new(members.into_iter().map(member).collect()).into()
}

fn natural(to: i64) -> Type {
    IntegerType::new(0, to).map_or_else(Type::any, Type::from)
}

fn some_text() -> Type {
    StringType::Sized(Size::new(1, i64::MAX).unwrap_or(Size::ANY)).into()
}

impl Rules for InitType {
    const NAME: &'static str = "Init";
    const PARAMETERS: &'static str = "type, argument, …";
    const PARENT: &'static str = "Any";
    const SUMMARY: &'static str = "values from which `new` can create an instance of the type";
    const EXAMPLES: &'static [Example] = &[
        Example { code: "1.5 =~ Init[Integer]", answer: "true" },
        Example { code: "'2015' =~ Init[Timestamp, '%Y']", answer: "true" },
        Example { code: "Init[Integer, 'x']", answer: "error RUNTIME_ERROR" },
        Example { code: "Init[1]", answer: "error BAD_TYPE_SLICE_TYPE" },
    ];
    const TAKES_ARRAYS: bool = true;

    fn bare() -> InitType {
        InitType { type_: None, arguments: Arc::new([]), sources: Arc::new([]) }
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        match arguments {
            [Value::Type(type_), rest @ ..] => {
                let sources = match signatures_of(type_) {
                    None => Vec::new(),
                    Some(signatures) if rest.is_empty() => sources(signatures),
                    Some(signatures) => sources_before(rest, type_, signatures)?,
                };
                let sources = sources.into_iter().map(NestedType::from).collect();
                Ok(InitType { type_: Some(type_.into()), arguments: rest.into(), sources }.into())
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
        lattice.has_instance(type_, value) || self.sources.iter().any(|source| lattice.has_instance(source, value))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        match (&self.type_, other) {
            (None, Type::Init(_)) => true,
            (None, other) => lattice.accepts(RichDataType::meaning(), other),
            // Observed: Puppet 7.23; the further arguments do not count.
            (Some(type_), Type::Init(other)) => {
                other.type_.as_ref().is_some_and(|other| lattice.accepts_part(type_, other))
            }
            (Some(type_), other) => {
                lattice.accepts_part(type_, other)
                    || self.sources.iter().any(|source| lattice.accepts_part(source, other))
            }
        }
    }

    fn generalized(&self, _: &mut Generalization) -> Type {
        self.clone().into()
    }

    /// As the type inside, with the further arguments. Without these, an Array may hold all arguments.
    fn construct(&self, arguments: &[Value]) -> Result<Value> {
        // An Init of an Init makes nothing, and could go round in circles.
        let Some(type_) = self.type_.as_deref().filter(|type_| !matches!(type_.maker(), Type::Init(_))) else {
            return Err(ConstructError::Constructor { type_: Self::NAME }.into());
        };
        let [value] = arguments else {
            return Err(ConstructError::Arity { type_: Self::NAME, most: 1, got: arguments.len() }.into());
        };
        if let Value::Array(spread) = value
            && self.arguments.is_empty()
            && !type_.has_instance(value)
            && let Ok(made) = type_.construct(spread)
        {
            return Ok(made);
        }
        let arguments: Vec<Value> = [value].into_iter().chain(self.arguments.iter()).cloned().collect();
        type_.construct(&arguments)
    }
}
