//! Types as factories: another type by brackets, `Integer[1, 5]`; a value by its constructor, `Integer('5')`.

use std::{borrow::Cow, sync::Arc};

use super::{Rules, construct, error};
use crate::error::{Error, Result};
use crate::secrets::Secrets;
use crate::types::describe::{describe, for_message};
use crate::types::secret::{describe_for, note_sensitive, redacted};
use crate::types::{Type, on_rules};
use crate::value::{Value, array};

/// The type and value that an error of a constructor is about: [`crate::explain`] says why they do not match.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    pub(crate) type_: Type,
    pub(crate) value: Value,
    /// Whether the message already contains the first reason.
    pub(crate) says_first: bool,
}

impl Expected {
    pub(in crate::types) fn of(self, error: Error) -> Error {
        error.with_explanation(Arc::new(self))
    }
}

impl Type {
    /// `self[arguments…]` as an expression: a type, but an array of references where several titles are given:
    /// `File['a', 'b']` is `[File['a'], File['b']]`.
    pub fn access(&self, arguments: &[Value]) -> Result<Value> {
        match self {
            Type::Resource(resource) => resource.access(arguments),
            Type::Class(class) => class.access(arguments),
            _ => self.with_arguments(arguments).map(Value::Type),
        }
    }

    /// Which of the arguments made [`Type::access`] fail with `error`: the first that its message shows, also inside of an
    /// Array. `None` if the number or the combination of the arguments is wrong.
    pub(crate) fn argument_at_fault(arguments: &[Value], error: &Error) -> Option<usize> {
        let is_shown = |value: &Value| error.message().ends_with(&describe(value));
        let is_at_fault =
            |value: &Value| is_shown(value) || value.as_array().is_some_and(|all| all.iter().any(is_shown));
        let is_about_one = error::ABOUT_ONE_ARGUMENT.contains(&error.code());
        if is_about_one { arguments.iter().position(is_at_fault) } else { None }
    }

    /// The type that `type name = self` defines: an Object type gets the name, others are unchanged.
    #[must_use]
    pub fn with_name(&self, name: &str) -> Type {
        match self {
            Type::Object(object) => object.with_name(name).into(),
            other => other.clone(),
        }
    }

    /// As [`Type::with_name`], but an Object type gets the name even if it has one: the definition decides.
    pub(crate) fn renamed(&self, name: &str) -> Type {
        match self {
            Type::Object(object) => object.renamed(name).into(),
            other => other.clone(),
        }
    }

    /// `self[arguments…]`. The parameters replace those that the type has: `Integer[1, 2][5]` is `Integer[5]`.
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
                _ => Err(error::TypeError::content(self.name(), "several titles give an Array, not a type").into()),
            },
            Type::Object(object) if object.is_parameterized() => {
                Err(error::TypeError::TakesNoParameters { type_: self.name() }.into())
            }
            Type::Object(object) if !object.is_root() => object.with_parameters(&array::flattened(arguments)?),
            _ if self.row().takes_arrays => (self.row().from_arguments)(arguments),
            // `Enum[['a', 'b']]` is `Enum['a', 'b']`.
            _ => (self.row().from_arguments)(&array::flattened(arguments)?),
        }
    }

    /// As [`Type::construct`], but an error does not explain the value that does not match.
    pub(crate) fn made_of(&self, arguments: &[Value]) -> Result<Value> {
        match arguments {
            [value] if self.keeps(arguments) => Ok(value.clone()),
            _ => self.convert(arguments),
        }
    }

    pub(crate) fn convert(&self, arguments: &[Value]) -> Result<Value> {
        let maker = self.maker();
        let row = maker.row();
        if let [value] = arguments
            && row.new.is_empty()
            && !matches!(*maker, Type::Init(_))
        {
            let value = redacted(self, value);
            if let Some(secrets) = Secrets::current() {
                note_sensitive(&value, &secrets);
            }
            let (name, type_) = (row.name, self.to_string_in_brackets());
            return Err(construct::ConstructError::NoInstance { name, type_, value }.into());
        }
        self.checked(on_rules!(&*maker, rules => rules.construct(arguments))?)
    }

    /// Whether `new` returns its argument unchanged: a single value of the type.
    pub(crate) fn keeps(&self, arguments: &[Value]) -> bool {
        // What Init takes is not yet what it makes.
        matches!(arguments, [value] if !matches!(self, Type::Init(_)) && self.has_instance(value))
    }

    /// Constructs a value from arguments that the specification accepts and Puppet 8 rejects: `Integer('FF', 16)`.
    pub fn construct_by_specification(&self, arguments: &[Value]) -> Option<Value> {
        let maker = self.maker();
        let value = on_rules!(&*maker, rules => rules.construct_by_specification(arguments))?;
        self.checked(value).ok()
    }

    /// The type whose constructor is used: behind aliases, and inside of Optional and NotUndef.
    pub(crate) fn maker(&self) -> Cow<'_, Type> {
        self.peeled(|type_| match type_ {
            Type::Optional(optional) => optional.type_(),
            Type::NotUndef(not_undef) => not_undef.type_(),
            _ => None,
        })
    }

    pub(crate) fn checked(&self, value: Value) -> Result<Value> {
        if self.has_instance(&value) {
            return Ok(value);
        }
        let given = describe_for(self, &value);
        let wrong = Error::runtime(format!("expected {}, but the conversion gives {given}", for_message(self)));
        Err(Expected { type_: self.clone(), value, says_first: false }.of(wrong))
    }
}
