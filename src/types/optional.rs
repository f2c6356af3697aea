//! `Optional[type]`: a value of a type, or undef; `NotUndef[type]`: a value of a type, but not undef.

use super::{
    Lattice, NestedType, Replace, Result, Rules, StringType, Type, TypeError, Value, around_type, check_arity, row,
    single_argument,
};

around_type! {
    /// Accepts undef and the values of a type. The parameter may be a string: then the only accepted string.
    ///
    /// Source: language specification, "Optional".
    /// Observed: in Puppet 8.11 bare `Optional` has undef as its only instance but accepts every type.
    OptionalType,
    /// The type of the values other than undef.
    type_
}

fn type_from_parameter(value: &Value) -> Option<Type> {
    match value {
        Value::Type(type_) => Some(type_.clone()),
        Value::String(text) => Some(StringType::Text(text.clone()).into()),
        _ => None,
    }
}

fn parameter_of_type(type_: &Type) -> Value {
    match type_ {
        Type::String(string) if let StringType::Text(text) = &**string => Value::String(text.clone()),
        _ => Value::Type(type_.clone()),
    }
}

impl Rules for OptionalType {
    row! {
        "Optional" ["type"] below "Any": "undef or a value of the given type";
        "undef =~ Optional[Integer]" => "true",
        "Optional[1]" => "error BAD_TYPE_SLICE_TYPE",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        let argument = single_argument(Self::NAME, arguments)?;
        let type_ = type_from_parameter(argument);
        Ok(OptionalType::new(type_.ok_or_else(|| TypeError::not_a_type(Self::NAME, argument))?).into())
    }

    fn arguments(&self) -> Vec<Value> {
        self.type_().map(parameter_of_type).into_iter().collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        matches!(value, Value::Undef) || self.type_().is_some_and(|type_| lattice.has_instance(type_, value))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        matches!(other, Type::Undef(_)) || self.type_().is_none_or(|type_| lattice.accepts(type_, other))
    }

    fn map_nested_types(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        Some(OptionalType::new(replaced(self.type_()?)).into())
    }
}

/// Accepts all values of a type except undef; without a parameter, all values except undef.
///
/// Source: language specification, "NotUndef".
/// Observed: Puppet 8.11 takes `NotUndef[Any]` and `NotUndef[[]]` as `NotUndef`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct NotUndefType {
    type_: Option<NestedType>,
}

impl NotUndefType {
    /// Creates `NotUndef[type_]`; `NotUndef[Any]` becomes bare `NotUndef`.
    pub fn new(type_: Type) -> NotUndefType {
        NotUndefType { type_: if matches!(type_, Type::Any(_)) { None } else { Some(type_.into()) } }
    }

    /// Returns the type in brackets, or `None` for bare `NotUndef`.
    pub fn type_(&self) -> Option<&Type> {
        self.type_.as_deref()
    }
}

impl Rules for NotUndefType {
    row! {
        "NotUndef" ["type"] below "Any": "any value of the given type except undef";
        "undef =~ NotUndef" => "false",
        "NotUndef[1]" => "error BAD_NOT_UNDEF_SLICE_TYPE",
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        check_arity(Self::NAME, arguments, 0..=1, "at most 1")?;
        let Some(argument) = arguments.first() else { return Ok(NotUndefType::default().into()) };
        let expected = "a type or a String as the parameter of NotUndef";
        let wrong = || TypeError::unexpected_value("BAD_NOT_UNDEF_SLICE_TYPE", expected, argument);
        Ok(NotUndefType::new(type_from_parameter(argument).ok_or_else(wrong)?).into())
    }

    fn arguments(&self) -> Vec<Value> {
        self.type_().map(parameter_of_type).into_iter().collect()
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        !matches!(value, Value::Undef) && self.type_().is_none_or(|type_| lattice.has_instance(type_, value))
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let Some(type_) = self.type_() else { return !lattice.accepts_undef(other) };
        if lattice.accepts_undef(other) {
            return false;
        }
        let inner = if let Type::NotUndef(other) = other { other.type_() } else { None };
        lattice.accepts(type_, other) || inner.is_some_and(|inner| lattice.accepts(type_, inner))
    }

    fn map_nested_types(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        Some(NotUndefType::new(replaced(self.type_()?)).into())
    }
}
