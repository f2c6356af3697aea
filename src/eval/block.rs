//! Blocks: lambdas with what is around them, and how they and functions run in frames of their own.

use std::{any::Any, borrow::Cow, sync::Arc};

use super::frame::{FrameId, Names, narrow};
use super::{arguments::Arguments, code::LambdaCode, error::EvalError, run::Evaluator};
use crate::error::Error;
use crate::functions::{BoundBlock, Flow, Jump};
use crate::interrupt;
use crate::operators::matching::MatchVariables;
use crate::types::Type;
use crate::value::{Callable, Value};

/// How many calls of lambdas and functions may be under way inside each other.
const MAX_CALL_LEVELS: usize = 5_000;

/// A lambda with what it saw where it was written. It lives no longer than that call, so its frame still exists.
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

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// How many arguments a lambda takes, at least and at most; none: any number.
pub(super) fn arity_of(callable: &Arc<dyn Callable>) -> (usize, Option<usize>) {
    let closure = callable.as_any().downcast_ref::<Closure>();
    closure.map_or((0, None), |closure| (closure.code.required(), closure.code.maximum()))
}

pub(super) fn closure_of(callable: &Arc<dyn Callable>) -> Result<&Closure, Flow> {
    let closure = callable.as_any().downcast_ref::<Closure>();
    closure.ok_or_else(|| Error::runtime("this value cannot be called").into())
}

pub(super) struct BlockInFrame<'b, 'w> {
    pub(super) evaluator: &'b mut Evaluator<'w>,
    pub(super) code: &'b LambdaCode,
    pub(super) frame: FrameId,
    /// The match variables that the block saw where it was written, with which each call begins.
    pub(super) found: Option<&'b Arc<MatchVariables>>,
}

impl BlockInFrame<'_, '_> {
    fn bind(&mut self, arguments: &mut [Value]) -> Result<(), Flow> {
        let BlockInFrame { evaluator, code, frame, found } = self;
        evaluator.check_call()?;
        if evaluator.found.is_some() || found.is_some() {
            evaluator.found = found.cloned();
        }
        if !code.takes_one_each(arguments.len()) {
            evaluator.frames.fill(*frame, &mut []);
            return evaluator.bind(code, Arguments::unplaced(arguments, None));
        }
        evaluator.frames.fill(*frame, arguments);
        evaluator.check_each_argument(code, Arguments::unplaced(&[], None))
    }
}

impl BoundBlock for BlockInFrame<'_, '_> {
    fn call(&mut self, arguments: &mut [Value]) -> Result<Value, Flow> {
        self.bind(arguments)?;
        self.evaluator.run_body(self.code)
    }

    fn take_back(&mut self, arguments: &mut [Value]) {
        if self.code.takes_one_each(arguments.len()) {
            for (slot, argument) in arguments.iter_mut().enumerate() {
                *argument = self.evaluator.frames.take(self.frame, narrow(slot)).unwrap_or_default();
            }
        }
    }
}

impl<'w> Evaluator<'w> {
    pub(super) fn closure(&self, code: &Arc<LambdaCode>) -> Arc<dyn Callable> {
        Arc::new(Closure { code: code.clone(), frame: self.frame, found: self.found.clone() })
    }

    /// Runs the body of a lambda or function in a frame of its own.
    pub(super) fn call_code(
        &mut self,
        code: &Arc<LambdaCode>,
        parent: Option<FrameId>,
        found: Option<&Arc<MatchVariables>>,
        given: Arguments<'_>,
    ) -> Result<Value, Flow> {
        self.in_new_frame(code, Cow::Owned(code.names.clone()), parent, found, [], |this| {
            this.bind(code, given)?;
            this.run_body(code)
        })
    }

    pub(super) fn in_new_frame(
        &mut self,
        code: &LambdaCode,
        names: Names<'w>,
        parent: Option<FrameId>,
        found: Option<&Arc<MatchVariables>>,
        arguments: impl IntoIterator<Item = Value>,
        work: impl FnOnce(&mut Self) -> Result<Value, Flow>,
    ) -> Result<Value, Flow> {
        let frame = self.frames.push(names, parent, arguments);
        let outcome = self.inside(frame, code, found, |this| {
            this.check_call()?;
            work(this)
        });
        self.frames.pop();
        outcome
    }

    /// Runs a body whose frame holds the arguments already.
    #[inline]
    pub(super) fn run_body(&mut self, code: &LambdaCode) -> Result<Value, Flow> {
        let mut outcome = self.run(&code.body);
        if let Err(Flow::Jump(Jump::Next, answered)) = &mut outcome {
            outcome = Ok(std::mem::take(&mut answered.0));
        }
        if code.return_type.is_some()
            && let Ok(value) = &mut outcome
        {
            outcome = self.checked_result(code, std::mem::take(value));
        }
        outcome
    }

    /// Runs `work` as part of `code`, whose variables are those in `frame`.
    pub(super) fn inside<R>(
        &mut self,
        frame: FrameId,
        code: &LambdaCode,
        found: Option<&Arc<MatchVariables>>,
        work: impl FnOnce(&mut Self) -> Result<R, Flow>,
    ) -> Result<R, Flow> {
        self.depth += 1;
        let outer_frame = self.frame.replace(frame);
        let outer_found = std::mem::replace(&mut self.found, found.cloned());
        let outer_source = (!Arc::ptr_eq(&self.source, &code.source))
            .then(|| std::mem::replace(&mut self.source, code.source.clone()));
        let outcome = work(self);
        self.found = outer_found;
        self.frame = outer_frame;
        self.depth -= 1;
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

    /// Looks whether a call may go on, which is under way already.
    fn check_call(&self) -> Result<(), Flow> {
        interrupt::step();
        if self.depth <= MAX_CALL_LEVELS { Ok(()) } else { Err(EvalError::TooDeep(MAX_CALL_LEVELS).into()) }
    }
}
