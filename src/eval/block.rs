//! Runs lambdas and functions of the Puppet language, each with a stack frame for its variables.

use std::{any::Any, borrow::Cow, sync::Arc};

use super::frame::{FrameId, Names, to_u32};
use super::{arguments::Arguments, code::LambdaCode, error::EvalError, run::Evaluator};
use crate::error::Error;
use crate::functions::{Flow, JumpKind, ReusableBlock};
use crate::interrupt;
use crate::operators::matching::MatchVariables;
use crate::types::{Size, Type};
use crate::value::{Callable, Value};

const MAX_CALL_LEVELS: usize = 5_000;

/// A lambda with the frame and the match variables of its definition. It never outlives that frame.
#[derive(Debug)]
pub(super) struct Closure {
    pub(super) code: Arc<LambdaCode>,
    pub(super) frame: Option<FrameId>,
    pub(super) found: Option<Arc<MatchVariables>>,
}

impl Callable for Closure {
    fn callable_type(&self) -> Type {
        self.code.callable_type().clone()
    }

    fn arity(&self) -> Size {
        self.code.argument_counts()
    }
}

pub(super) fn expect_closure(callable: &Arc<dyn Callable>) -> Result<&Closure, Flow> {
    let callable: &dyn Any = &**callable;
    callable.downcast_ref::<Closure>().ok_or_else(|| Error::runtime("this value cannot be called").into())
}

pub(super) struct PreparedBlock<'b, 'w> {
    pub(super) evaluator: &'b mut Evaluator<'w>,
    pub(super) code: &'b LambdaCode,
    pub(super) frame: FrameId,
    /// The match variables where the block is defined; every call starts with them.
    pub(super) match_variables: Option<&'b Arc<MatchVariables>>,
}

impl PreparedBlock<'_, '_> {
    fn bind_arguments(&mut self, arguments: &mut [Value]) -> Result<(), Flow> {
        let PreparedBlock { evaluator, code, frame, match_variables: found } = self;
        evaluator.check_call_depth()?;
        if evaluator.match_variables.is_some() || found.is_some() {
            evaluator.match_variables = found.cloned();
        }
        if !code.fills_parameters_exactly(arguments.len()) {
            evaluator.frames.refill_frame(*frame, &mut []);
            return evaluator.bind_arguments(code, Arguments::without_locations(arguments, None));
        }
        evaluator.frames.refill_frame(*frame, arguments);
        evaluator.check_each_argument(code, Arguments::without_locations(&[], None))
    }
}

impl ReusableBlock for PreparedBlock<'_, '_> {
    fn call(&mut self, arguments: &mut [Value]) -> Result<Value, Flow> {
        self.bind_arguments(arguments)?;
        self.evaluator.run_body(self.code)
    }

    fn reclaim_arguments(&mut self, arguments: &mut [Value]) {
        if self.code.fills_parameters_exactly(arguments.len()) {
            for (slot, argument) in arguments.iter_mut().enumerate() {
                *argument = self.evaluator.frames.take_variable(self.frame, to_u32(slot)).unwrap_or_default();
            }
        }
    }
}

impl<'w> Evaluator<'w> {
    pub(super) fn call_lambda(
        &mut self,
        code: &Arc<LambdaCode>,
        parent: Option<FrameId>,
        match_variables: Option<&Arc<MatchVariables>>,
        given: Arguments<'_>,
    ) -> Result<Value, Flow> {
        self.run_in_new_frame(code, Cow::Owned(code.slot_names.clone()), parent, match_variables, [], |this| {
            this.bind_arguments(code, given)?;
            this.run_body(code)
        })
    }

    pub(super) fn run_in_new_frame(
        &mut self,
        code: &LambdaCode,
        variable_names: Names<'w>,
        parent: Option<FrameId>,
        match_variables: Option<&Arc<MatchVariables>>,
        arguments: impl IntoIterator<Item = Value>,
        work: impl FnOnce(&mut Self) -> Result<Value, Flow>,
    ) -> Result<Value, Flow> {
        let frame = self.frames.push_frame(variable_names, parent, arguments);
        let outcome = self.run_in_frame(frame, code, match_variables, |this| {
            this.check_call_depth()?;
            work(this)
        });
        self.frames.pop_frame();
        outcome
    }

    /// Runs the body of `code` in the current frame, which already holds the arguments; catches `next`.
    #[inline]
    pub(super) fn run_body(&mut self, code: &LambdaCode) -> Result<Value, Flow> {
        let mut outcome = self.run_code(&code.body);
        if let Err(Flow::Jump(JumpKind::Next, answered)) = &mut outcome {
            outcome = Ok(std::mem::take(&mut answered.0));
        }
        if code.return_type.is_some()
            && let Ok(value) = &mut outcome
        {
            outcome = self.check_return_value(code, std::mem::take(value));
        }
        outcome
    }

    pub(super) fn run_in_frame<R>(
        &mut self,
        frame: FrameId,
        code: &LambdaCode,
        match_variables: Option<&Arc<MatchVariables>>,
        work: impl FnOnce(&mut Self) -> Result<R, Flow>,
    ) -> Result<R, Flow> {
        self.call_depth += 1;
        let outer_frame = self.frame.replace(frame);
        let outer_found = std::mem::replace(&mut self.match_variables, match_variables.cloned());
        let outer_source = (!Arc::ptr_eq(&self.source, &code.source))
            .then(|| std::mem::replace(&mut self.source, code.source.clone()));
        let outcome = work(self);
        self.match_variables = outer_found;
        self.frame = outer_frame;
        self.call_depth -= 1;
        match outer_source {
            None => outcome,
            Some(source) => {
                self.source = source;
                outcome.map_err(|flow| match flow {
                    // What is wrong with the arguments has no place yet: it gets that of the call.
                    Flow::Error(error) if error.span().is_some() => Flow::Error(error.in_source(&code.source)),
                    flow => flow,
                })
            }
        }
    }

    /// Takes a step; returns an error if calls are nested too deeply.
    fn check_call_depth(&self) -> Result<(), Flow> {
        interrupt::take_step();
        if self.call_depth <= MAX_CALL_LEVELS { Ok(()) } else { Err(EvalError::TooDeep(MAX_CALL_LEVELS).into()) }
    }
}
