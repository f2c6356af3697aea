//! `Init[type, arguments…]`: what a type can be made of.

use std::sync::Arc;

use super::boolean::BooleanType;
use super::child::Child;
use super::conversion::Refused;
use super::default::DefaultType;
use super::error::TypeError;
use super::pattern::PatternType;
use super::rich_data::RichDataType;
use super::size::Size;
use super::string::StringType;
use super::tuple::TupleType;
use super::{Example, Generalization, IntegerType, Lattice, Rules, Type};
use crate::error::Result;
use crate::value::{Regexp, Value};

/// Values from which `type.new(value, arguments…)` makes an instance, and instances.
///
/// Source: language specification, "Init".
/// Observed: Puppet 8.11 takes bare `Init` as everything that is `RichData`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InitType {
    type_: Option<Child>,
    arguments: Arc<[Value]>,
    /// What a value that is no instance of the type must be.
    sources: Arc<[Child]>,
}

/// What `type_.new` takes, besides instances of `type_`: the values themselves, and arrays of arguments.
fn sources_of(type_: &Type) -> Vec<Type> {
    if let Type::Alias(alias) = type_ {
        return alias
            .resolved()
            .filter(|resolved| !matches!(resolved, Type::Alias(_)))
            .map_or_else(Vec::new, sources_of);
    }
    let texts = |pattern: &str| Type::from(PatternType::new(Regexp::new(pattern).ok().map(Arc::new)));
    let named = |names: &[&str]| Type::one_of(names.iter().filter_map(|name| Type::named(name)));
    let tuple =
        |from, types: Vec<Type>| Size::new(from, 3).map(|size| Type::from(TupleType::new(types, Some(size)))).ok();
    match type_ {
        Type::Integer(_) | Type::Float(_) | Type::Numeric(_) => {
            let number = texts(r"\A[+-]?\s*(?:0[xX][0-9A-Fa-f]+|0[bB][01]+|0[0-7]*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\z");
            let from = Type::one_of([named(&["Numeric", "Boolean", "Timespan", "Timestamp"]), number]);
            let radix = [2, 8, 10, 16].into_iter().filter_map(|radix| IntegerType::new(radix, radix)).map(Type::from);
            let radix = Type::one_of(radix.chain([DefaultType.into()]));
            let arguments = tuple(1, vec![from.clone(), radix, BooleanType::bare().into()]);
            [from].into_iter().chain(arguments).collect()
        }
        Type::Boolean(_) => vec![Type::one_of([named(&["Numeric"]), texts(r"(?i)\A(?:true|false|yes|no|y|n)\z")])],
        Type::Timestamp(_) | Type::Timespan(_) => {
            let text = Type::from(StringType::Sized(Size::new(1, i64::MAX).unwrap_or(Size::ANY)));
            let format = StringType::Sized(Size::new(2, i64::MAX).unwrap_or(Size::ANY)).into();
            let arguments = tuple(0, vec![text.clone(), format, text.clone()]);
            [named(&["Integer", "Float"]), text].into_iter().chain(arguments).collect()
        }
        Type::String(_) | Type::Array(_) | Type::Tuple(_) => vec![Type::any()],
        Type::Hash(_) | Type::Struct(_) => vec![named(&["Array", "Hash"])],
        _ => Vec::new(),
    }
}

impl Rules for InitType {
    const NAME: &'static str = "Init";
    const PARAMETERS: &'static str = "type, argument, …";
    const PARENT: &'static str = "Any";
    const SUMMARY: &'static str = "what a type can be made of";
    const EXAMPLES: &'static [Example] = &[
        Example { code: "1.5 =~ Init[Integer]", answer: "true" },
        Example { code: "Init[1]", answer: "error BAD_TYPE_SLICE_TYPE" },
    ];
    const TAKES_ARRAYS: bool = true;

    fn bare() -> InitType {
        InitType { type_: None, arguments: Arc::new([]), sources: Arc::new([]) }
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        match arguments {
            [Value::Type(type_), rest @ ..] => {
                let sources = sources_of(type_).into_iter().map(Child::from).collect();
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
            (Some(_), Type::Init(other)) => self == &**other,
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
            return Err(Refused::Constructor { type_: Self::NAME }.into());
        };
        let [value] = arguments else {
            return Err(Refused::Arity { type_: Self::NAME, most: 1, got: arguments.len() }.into());
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
