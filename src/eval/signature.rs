//! The signatures of built-in functions and constructors: read once from Puppet's own parameter syntax, then asked
//! before every call.

use std::sync::Arc;

use crate::types::Type;
use crate::value::{Callable, Value};

/// `(Integer $a, String $b = '', Any *$rest, Optional[Callable] &$block) >> Array`
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    parameters: Vec<Parameter>,
    /// How many arguments there must be.
    least: usize,
    /// How many there may be; none: any number.
    most: Option<usize>,
    /// The type of the block.
    block: Option<Type>,
}

#[derive(Clone, Debug)]
pub(super) struct Parameter {
    pub(super) name: Arc<str>,
    pub(super) type_: Type,
    pub(super) required: bool,
    pub(super) captures_rest: bool,
}

/// Why arguments do not fit a signature. The furthest reason among several signatures is the one to tell.
#[derive(Debug)]
pub(super) enum Misfit {
    /// Too few or too many: what was expected, at least and at most.
    Count { least: usize, most: Option<usize> },
    /// The argument number `at` (from 0) is not of the parameter's type. No name where signatures differ in it.
    Argument { at: usize, name: Option<Arc<str>>, expected: Type },
    /// There is a block, and there should be none.
    UnexpectedBlock,
    /// There is no block.
    MissingBlock,
    /// The block takes other arguments.
    Block { expected: Type },
}

impl Signature {
    pub(super) fn new(parameters: Vec<Parameter>, block: Option<Type>) -> Signature {
        let least = parameters.iter().filter(|parameter| parameter.required).count();
        let endless = parameters.last().is_some_and(|parameter| parameter.captures_rest);
        let most = (!endless).then_some(parameters.len());
        Signature { parameters, least, most, block }
    }

    /// Whether it asks for a block, and that one is of the type.
    pub(super) fn takes(&self, block: &Arc<dyn Callable>) -> bool {
        self.block.as_ref().is_some_and(|expected| expected.accepts(&block.callable_type()))
    }

    /// Whether a call with these arguments fits. Of a block it may be known whether it does.
    pub(super) fn check(
        &self,
        arguments: &[Value],
        block: Option<&Arc<dyn Callable>>,
        takes_block: Option<bool>,
    ) -> Result<(), Misfit> {
        let (least, most) = (self.least, self.most);
        if arguments.len() < least || most.is_some_and(|most| arguments.len() > most) {
            return Err(Misfit::Count { least, most });
        }
        let last = self.parameters.len().saturating_sub(1);
        for (at, argument) in arguments.iter().enumerate() {
            let parameter = &self.parameters[at.min(last)];
            if !matches!(parameter.type_, Type::Any(_)) && !parameter.type_.has_instance(argument) {
                let (name, expected) = (Some(parameter.name.clone()), parameter.type_.clone());
                return Err(Misfit::Argument { at, name, expected });
            }
        }
        match (&self.block, block) {
            (None, None) => Ok(()),
            (None, Some(_)) => Err(Misfit::UnexpectedBlock),
            (Some(expected), None) if expected.has_instance(&Value::Undef) => Ok(()),
            (Some(_), None) => Err(Misfit::MissingBlock),
            (Some(_), Some(block)) if takes_block.unwrap_or_else(|| self.takes(block)) => Ok(()),
            (Some(expected), Some(_)) => Err(Misfit::Block { expected: expected.clone() }),
        }
    }
}
