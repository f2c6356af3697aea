//! `Callable[[parameters…, from, to, block], return_type]`: functions and lambdas, by parameter and return types.
//!
//! Parameters are contravariant: a Callable that accepts any number can be used where one for Integers is expected.

use super::{
    Lattice, NestedType, Replace, Result, Rules, Size, TupleType, Type, TypeError, UndefType, UnitType, Value, infer,
    row, split_off_size,
};

/// Functions and lambdas that accept certain arguments.
///
/// A size counts the arguments: `Callable[String, 1, 3]` takes one to three Strings, `Callable[2, 2]` two of any type.
/// A last parameter that is a Callable, optional or not, is the type of the block.
///
/// Source: language specification, "`Callable[signature]`".
/// Observed: Puppet 8.11 takes other values than types as their generalized types, and does not print a return type Any.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CallableType {
    signature: Option<Signature>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Signature {
    /// One type per argument; no types if only a size was written.
    parameters: TupleType,
    block: Option<NestedType>,
    return_type: Option<NestedType>,
}

impl CallableType {
    /// Creates the type of functions with parameters of `types` and a `block` (which may be omitted if its type is
    /// Optional) that return `return_type`; `size` limits the number of arguments.
    pub fn new(types: Vec<Type>, size: Option<Size>, block: Option<Type>, return_type: Option<Type>) -> CallableType {
        let size = if types.is_empty() { size.or(Some(Size::exactly(0))) } else { size };
        let return_type = return_type.filter(|type_| !matches!(type_, Type::Any(_))).map(NestedType::from);
        let parameters = TupleType::new(types, size);
        CallableType { signature: Some(Signature { parameters, block: block.map(NestedType::from), return_type }) }
    }

    /// Returns the types of the arguments and their number; `None` for bare `Callable`, which accepts every function.
    pub fn parameters(&self) -> Option<&TupleType> {
        self.signature.as_ref().map(|signature| &signature.parameters)
    }

    /// Returns the type of the block parameter, or `None` if there is none.
    pub fn block(&self) -> Option<&Type> {
        self.signature.as_ref()?.block.as_deref()
    }

    /// The return type, or `None` if any value may be returned.
    pub fn return_type(&self) -> Option<&Type> {
        self.signature.as_ref()?.return_type.as_deref()
    }
}

impl Rules for CallableType {
    row! {
        "Callable" ["[type, …, from, to, block], return_type"] below "Any":
            "functions and lambdas, by parameter and return types";
        "Callable[Numeric] <= Callable[Integer]" => "true",
        "Callable[[Integer], String]" => "Callable[[Integer], String]",
        "Callable[[Integer]]" => "error BAD_TYPE_SLICE_ARITY",
    }
    const TAKES_ARRAYS: bool = true;

    fn from_arguments(arguments: &[Value]) -> Result<Type> {
        let type_ = |value: &Value| infer::value_to_type(Self::NAME, value);
        let (parameters, return_type) = match arguments {
            [Value::Array(parameters), return_type] => (&parameters[..], Some(type_(return_type)?)),
            [Value::Array(_), ..] => {
                let expected = "an array of parameters and a return type, 2";
                return Err(TypeError::Arity { type_: Self::NAME, expected, got: arguments.len() }.into());
            }
            parameters => (parameters, None),
        };
        if parameters.is_empty()
            && return_type.as_ref().is_some_and(|type_| matches!(type_, Type::Integer(_)))
            && matches!(arguments.last(), Some(Value::Integer(_)))
        {
            return Err(TypeError::invalid_parameter_error(Self::NAME, "a number cannot be the return type").into());
        }
        // A block is a Callable, an Optional of it, or an alias of one of them.
        let is_callable = |type_: &Type| matches!(*type_.behind_aliases(), Type::Callable(_));
        let is_block = |type_: &Type| match &*type_.behind_aliases() {
            Type::Optional(optional) => optional.type_().is_some_and(is_callable),
            type_ => is_callable(type_),
        };
        let (parameters, block) = match parameters.split_last() {
            Some((block, parameters)) if block.as_type().is_some_and(is_block) => (parameters, Some(type_(block)?)),
            _ => (parameters, None),
        };
        let (types, size) = split_off_size(parameters)?;
        let types = types.iter().map(type_).collect::<Result<Vec<_>>>()?;
        Ok(CallableType::new(types, size, block, return_type).into())
    }

    fn arguments(&self) -> Vec<Value> {
        let Some(signature) = &self.signature else { return Vec::new() };
        let block = signature.block.as_deref().cloned().map(Value::Type);
        let mut parameters = signature.parameters.arguments();
        parameters.extend(block);
        match &signature.return_type {
            None => parameters,
            Some(type_) => vec![Value::from(parameters), Value::Type((**type_).clone())],
        }
    }

    fn has_instance(&self, value: &Value, lattice: &mut Lattice) -> bool {
        let Value::Callable(callable) = value else { return false };
        self.signature.is_none() || self.accepts_made_type(&callable.callable_type(), lattice)
    }

    fn accepts(&self, other: &Type, lattice: &mut Lattice) -> bool {
        let Type::Callable(other) = other else { return false };
        let Some(signature) = &self.signature else { return true };
        let Some(given) = &other.signature else { return false };
        let (unit, undef) = (Type::from(UnitType), Type::from(UndefType));
        let return_fits = signature.return_type.as_deref().is_none_or(|type_| {
            given.return_type.as_deref().is_some_and(|given| lattice.accepts_inner_type(type_, given))
        });
        let takes = given.parameters.size().accepts(signature.parameters.size())
            && (0..signature.parameters.types().len().max(given.parameters.types().len())).all(|at| {
                let type_ = signature.parameters.type_at(at).unwrap_or(&unit);
                let given = given.parameters.type_at(at).unwrap_or(&unit);
                i64::try_from(at).is_ok_and(|at| at >= signature.parameters.size().to())
                    || lattice.accepts_inner_type(given, type_)
            });
        let block = signature.block.as_deref().unwrap_or(&undef);
        return_fits && takes && lattice.accepts_inner_type(given.block.as_deref().unwrap_or(&undef), block)
    }

    fn map_nested_types(&self, replaced: &mut Replace<'_>) -> Option<Type> {
        let Signature { parameters, block, return_type } = self.signature.as_ref()?;
        let types = parameters.types().iter().map(|type_| replaced(type_)).collect();
        let block = block.as_deref().map(&mut *replaced);
        let return_type = return_type.as_deref().map(replaced);
        Some(CallableType::new(types, parameters.size, block, return_type).into())
    }
}
