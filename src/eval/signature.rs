//! The signatures of built-in functions and constructors: read once from Puppet's own parameter syntax, then asked
//! before every call.

use std::sync::Arc;

use crate::types::Type;
use crate::value::{Callable, Value};

/// `(Integer $a, String $b = '', Any *$rest, Optional[Callable] &$block) >> Array`
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(super) parameters: Vec<Parameter>,
    /// The type of the block.
    pub(super) block: Option<Type>,
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
    pub(super) fn least(&self) -> usize {
        self.parameters.iter().filter(|parameter| parameter.required).count()
    }

    pub(super) fn most(&self) -> Option<usize> {
        let endless = self.parameters.last().is_some_and(|parameter| parameter.captures_rest);
        (!endless).then_some(self.parameters.len())
    }

    /// Whether a call with these arguments fits.
    pub(super) fn check(&self, arguments: &[Value], block: Option<&Arc<dyn Callable>>) -> Result<(), Misfit> {
        let (least, most) = (self.least(), self.most());
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
            (Some(expected), Some(block)) if expected.accepts(&block.callable_type()) => Ok(()),
            (Some(expected), Some(_)) => Err(Misfit::Block { expected: expected.clone() }),
        }
    }
}
