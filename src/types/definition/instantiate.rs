//! Creates types and values from a type: `Integer[1, 5]` by parameters in brackets, `Integer('5')` by its constructor.

use std::{borrow::Cow, sync::Arc};

use super::{Rules, construct, error};
use crate::error::{Error, Result};
use crate::secrets::Secrets;
use crate::types::describe::{describe, describe_type};
use crate::types::secret::{describe_safely, register_secrets, wrap_secrets};
use crate::types::{Type, on_rules};
use crate::value::{Value, array};

/// A value that does not match a type, attached to an error of a constructor for explanation by [`crate::explain`].
#[derive(Clone, Debug)]
pub(crate) struct UnexpectedValue {
    pub(crate) expected_type: Type,
    pub(crate) value: Value,
    /// Whether the message of the error already states the first mismatch, so that the explanation may omit it.
    pub(crate) says_first: bool,
}

impl UnexpectedValue {
    pub(in crate::types) fn attach_to_error(self, error: Error) -> Error {
        error.with_explanation(Arc::new(self))
    }
}

impl Type {
    /// Evaluates the access expression `self[arguments…]`. Returns a type or, if a resource or class reference gets
    /// several titles, an Array of references: `File['a', 'b']` is `[File['a'], File['b']]`.
    pub fn access(&self, arguments: &[Value]) -> Result<Value> {
        match self {
            Type::Resource(resource) => resource.references_from_arguments(arguments),
            Type::Class(class) => class.references_from_arguments(arguments),
            _ => self.with_arguments(arguments).map(Value::Type),
        }
    }

    /// Returns the position of the argument that caused `error` in [`Type::access`]: the first one that the message
    /// shows, or of which it shows an element. `None` if the error is not about a single argument.
    pub(crate) fn position_of_wrong_argument(arguments: &[Value], error: &Error) -> Option<usize> {
        let is_shown = |value: &Value| error.message().ends_with(&describe(value));
        let is_at_fault = |one: &Value| is_shown(one) || one.as_array().is_some_and(|all| all.iter().any(is_shown));
        let is_about_one = error::SINGLE_ARGUMENT_ERROR_CODES.contains(&error.code());
        if is_about_one { arguments.iter().position(is_at_fault) } else { None }
    }

    /// Returns the type that `type name = self` defines: an Object type without a name is named, others are unchanged.
    #[must_use]
    pub fn name_if_unnamed(&self, name: &str) -> Type {
        match self {
            Type::Object(object) if object.name().is_none() && !object.is_root() => {
                object.replace_name(Some(name)).into()
            }
            other => other.clone(),
        }
    }

    /// Returns `self[arguments…]`. The arguments replace existing parameters: `Integer[1, 2][5]` is `Integer[5]`.
    pub fn with_arguments(&self, arguments: &[Value]) -> Result<Type> {
        match self {
            // Observed: Puppet 7.23. Only the name that an Object type was defined by takes arguments.
            Type::Alias(alias) => match alias.resolved() {
                Some(type_) if matches!(&*type_, Type::Object(object) if object.name() == Some(alias.name())) => {
                    type_.with_arguments(arguments)
                }
                _ => Err(error::TypeError::AliasTakesNoParameters { name: alias.name().into() }.into()),
            },
            Type::Resource(_) | Type::Class(_) => match self.access(arguments)? {
                Value::Type(type_) => Ok(type_),
                _ => {
                    let problem = "several titles give an Array, not a type";
                    Err(error::TypeError::invalid_parameter_error(self.name(), problem).into())
                }
            },
            Type::Object(object) if !object.arguments().is_empty() => {
                Err(error::TypeError::TakesNoParameters { type_: self.name() }.into())
            }
            Type::Object(object) if !object.is_root() => object.with_type_arguments(&array::flatten(arguments)?),
            _ if self.row().takes_arrays => (self.row().from_arguments)(arguments),
            // `Enum[['a', 'b']]` is `Enum['a', 'b']`.
            _ => (self.row().from_arguments)(&array::flatten(arguments)?),
        }
    }

    /// Constructs a value like [`Type::construct`], but does not explain in an error why a value does not match.
    pub(crate) fn construct_unexplained(&self, arguments: &[Value]) -> Result<Value> {
        match arguments {
            [value] if self.is_already_instance(arguments) => Ok(value.clone()),
            _ => self.construct_by_conversion(arguments),
        }
    }

    pub(crate) fn construct_by_conversion(&self, arguments: &[Value]) -> Result<Value> {
        let maker = self.type_to_construct();
        let row = maker.row();
        if let [value] = arguments
            && row.new.is_empty()
            && !matches!(*maker, Type::Init(_))
        {
            let value = wrap_secrets(self, value);
            if let Some(secrets) = Secrets::current() {
                register_secrets(&value, &secrets);
            }
            let (name, type_) = (row.name, self.to_string_as_parameter());
            return Err(construct::ConstructError::NoInstance { name, type_, value }.into());
        }
        self.check_constructed_value(on_rules!(&*maker, rules => rules.construct(arguments))?)
    }

    pub(crate) fn is_already_instance(&self, arguments: &[Value]) -> bool {
        // What Init takes is not yet what it makes.
        matches!(arguments, [value] if !matches!(self, Type::Init(_)) && self.has_instance(value))
    }

    /// Constructs a value from arguments that only the specification accepts: `Integer('FF', 16)`; `None` for others.
    pub fn construct_by_specification(&self, arguments: &[Value]) -> Option<Value> {
        let maker = self.type_to_construct();
        let value = on_rules!(&*maker, rules => rules.construct_by_specification(arguments))?;
        self.check_constructed_value(value).ok()
    }

    pub(crate) fn type_to_construct(&self) -> Cow<'_, Type> {
        self.unwrap_layers(|type_| match type_ {
            Type::Optional(optional) => optional.type_(),
            Type::NotUndef(not_undef) => not_undef.type_(),
            _ => None,
        })
    }

    pub(crate) fn check_constructed_value(&self, value: Value) -> Result<Value> {
        if self.has_instance(&value) {
            return Ok(value);
        }
        let given = describe_safely(self, &value);
        let wrong = Error::runtime(format!("expected {}, but the conversion gives {given}", describe_type(self)));
        Err(UnexpectedValue { expected_type: self.clone(), value, says_first: false }.attach_to_error(wrong))
    }
}
