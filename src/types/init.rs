//! `Init[type, arguments…]`: what a type can be made of.

use std::sync::Arc;

use super::child::Child;
use super::error::TypeError;
use super::rich_data::RichDataType;
use super::{Example, Lattice, Rules, Type};
use crate::error::Result;
use crate::value::Value;

/// Values from which `type.new(value, arguments…)` makes an instance, and instances.
///
/// Source: language specification, "Init".
/// Observed: Puppet 8.11 takes bare `Init` as everything that is RichData.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InitType {
    type_: Option<Child>,
    arguments: Arc<[Value]>,
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
        InitType { type_: None, arguments: Arc::new([]) }
    }

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        match arguments {
            [Value::Type(type_), rest @ ..] => Ok(InitType { type_: Some(type_.into()), arguments: rest.into() }.into()),
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
        lattice.has_instance(type_, value)
            || type_.convertible().iter().any(|from| {
                let type_ = lattice.keep(from.clone());
                lattice.has_instance(&type_, value)
            })
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        match (&self.type_, other) {
            (None, Type::Init(_)) => true,
            (None, other) => lattice.accepts(RichDataType::meaning(), other),
            (Some(_), Type::Init(other)) => self == &**other,
            (Some(type_), other) => {
                lattice.accepts_part(type_, other)
                    || type_.convertible().iter().any(|from| {
                        let type_ = lattice.keep(from.clone());
                        lattice.accepts_part(&type_, other)
                    })
            }
        }
    }

    fn generalized(&self) -> Type {
        self.clone().into()
    }
}
