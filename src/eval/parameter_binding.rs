//! What parameters get: arguments, default values, the rest; and whether that, and what comes back, is of the type that
//! was promised.

use std::borrow::Cow;

use super::code::{Code, LambdaCode, Op, ParameterCode};
use super::frame::{FrameId, narrow};
use super::overload::{describe_mismatch, wrong_argument};
use super::{Strictness, arguments::Arguments, error::EvalError, run::Evaluator, signature::SignatureMismatch};
use crate::error::Error;
use crate::explain::mismatch::explained;
use crate::functions::Flow;
use crate::types::describe::{describe, for_message};
use crate::types::{Type, secret::describe_for};
use crate::value::Value;

impl Evaluator<'_> {
    pub(super) fn bind(&mut self, code: &LambdaCode, given: Arguments<'_>) -> Result<(), Flow> {
        if code.takes_one_each(given.values.len()) {
            given.values.iter().enumerate().for_each(|(at, value)| self.set_parameter(at, value.clone()));
            return self.check_each_argument(code, given);
        }
        // A missing argument is reported before what is wrong with others.
        if let Some(missing) = code.parameters.get(given.values.len()).filter(|parameter| parameter.is_required()) {
            return Err(missing_argument(code, missing).into());
        }
        if let Some((at, rest)) = code.parameters.iter().enumerate().find(|(_, parameter)| parameter.captures_rest) {
            let size = rest.rest_size();
            let share = rest.share(at, given.values);
            // Observed: Puppet 7.23 lets the default value of a lambda step in, but not that of a function.
            let default_steps_in = code.name.is_none() && rest.takes_default(share);
            if !size.contains(share.len()) && !default_steps_in {
                return Err(wrong_count(code, given).into());
            }
        }
        // Observed: Puppet 7.23 judges what a function is given before it makes default values, what a lambda is given
        // after it.
        let is_function = code.name.is_some();
        if is_function {
            for (at, parameter) in code.parameters.iter().enumerate() {
                self.check_argument(code, at, parameter.share(at, given.values), given)?;
            }
        }
        for (at, parameter) in code.parameters.iter().enumerate() {
            let value = if parameter.captures_rest {
                let rest = self.rest(parameter, parameter.share(at, given.values))?;
                // The default value of a rest parameter must have the declared size, too.
                if matches!(&rest, Value::Array(rest) if !parameter.rest_size().contains(rest.len())) {
                    return Err(wrong_count(code, given).into());
                }
                rest
            } else {
                let value = self.argument(code, parameter, given.values.get(at));
                value.map_err(|flow| pointed_out(given, flow, at, parameter))?
            };
            self.set_parameter(at, value);
        }
        for (at, parameter) in code.parameters.iter().enumerate() {
            let is_judged = is_function && !parameter.takes_default(parameter.share(at, given.values));
            if parameter.type_.is_some() && !is_judged {
                match self.parameter(at).cloned() {
                    Some(Value::Array(elements)) if parameter.captures_rest => {
                        self.check_argument(code, at, &elements, given)?;
                    }
                    Some(value) => self.check_argument(code, at, &[value], given)?,
                    None => {}
                }
            }
        }
        Ok(())
    }

    /// What a parameter gets that takes all arguments that are left.
    ///
    /// Observed: Puppet 7.23 takes the default value where none is left, and where undef alone is; what is not an array
    /// is the only element.
    fn rest(&mut self, parameter: &ParameterCode, left: &[Value]) -> Result<Value, Flow> {
        match &parameter.default {
            Some(default) if parameter.takes_default(left) => match self.run(default)? {
                array @ Value::Array(_) => Ok(array),
                other => Ok(Value::from(vec![other])),
            },
            _ => Ok(Value::from(left.to_vec())),
        }
    }

    fn argument(&mut self, code: &LambdaCode, parameter: &ParameterCode, given: Option<&Value>) -> Result<Value, Flow> {
        match (given, &parameter.default) {
            (Some(value), _) => Ok(value.clone()),
            (None, Some(default)) => self.run(default),
            (None, None) => Err(missing_argument(code, parameter).into()),
        }
    }

    /// Refuses `values` that are not of the type of the parameter number `at`, which gets them.
    fn check_argument(
        &mut self,
        code: &LambdaCode,
        at: usize,
        values: &[Value],
        given: Arguments<'_>,
    ) -> Result<(), Flow> {
        let Some(parameter) = code.parameters.get(at) else { return Ok(()) };
        if values.iter().all(|value| parameter.certainly_takes(value)) {
            return Ok(());
        }
        let Some(type_) = self.judging_type(parameter)? else { return Ok(()) };
        let name = format!("the parameter ${} of {}", parameter.name, callee_of(code));
        values.iter().enumerate().try_for_each(|(number, value)| {
            let error = match type_.test_instance(value) {
                Ok(true) => return Ok(()),
                Ok(false) => wrong_argument(&name, &type_, value, Vec::new()),
                Err(invalid) => invalid,
            };
            Err(pointed_out(given, error.into(), at + number, parameter))
        })
    }

    /// Sets the parameter number `at` to what is given for it, or to its default value, and judges it.
    pub(super) fn bind_parameter(&mut self, code: &LambdaCode, at: usize, given: Option<&Value>) -> Result<(), Flow> {
        let Some(parameter) = code.parameters.get(at) else { return Ok(()) };
        let value = self.argument(code, parameter, given)?;
        self.set_parameter(at, value.clone());
        self.check_argument(code, at, &[value], Arguments::unplaced(&[], None))
    }

    fn parameter(&self, at: usize) -> Option<&Value> {
        self.frames.get(self.frame(), 0, narrow(at))
    }

    fn set_parameter(&mut self, at: usize, value: Value) {
        self.frames.set(self.frame(), narrow(at), value);
    }

    /// Runs the code of a type, which sees what is around the lambda or function.
    fn run_type(&mut self, type_: &Code) -> Result<Value, Flow> {
        let own = self.frame;
        self.frame = own.and_then(|frame| self.frames.parent(frame));
        let outcome = self.run(type_);
        self.frame = own;
        outcome
    }

    /// Looks up the types that a lambda or function names, before it is called for the first time.
    ///
    /// Observed: Puppet 8.11 reports an unknown type before any argument, and that of a lambda even if nothing calls it.
    /// Where that is only a warning, it comes when the type is used.
    pub(super) fn find_types(&mut self, code: &LambdaCode, parent: Option<FrameId>) -> Result<(), Flow> {
        let is_strict = self.environment.strictness == Strictness::Error;
        if !code.is_typed || !is_strict || code.types_found.get().is_some() {
            return Ok(());
        }
        let found = self.found.clone();
        self.in_new_frame(code, Cow::Owned(code.names.clone()), parent, found.as_ref(), [], |this| {
            let types = code.parameters.iter().filter_map(|parameter| parameter.type_.as_ref());
            types.chain(&code.return_type).try_for_each(|type_| this.run_type(type_).map(drop))?;
            Ok(Value::Undef)
        })?;
        code.types_found.get_or_init(|| ());
        Ok(())
    }

    pub(super) fn check_each_argument(&mut self, code: &LambdaCode, given: Arguments<'_>) -> Result<(), Flow> {
        if !code.is_typed {
            return Ok(());
        }
        for (at, parameter) in code.parameters.iter().enumerate() {
            if let Some(value) = self.parameter(at)
                && !parameter.certainly_takes(value)
            {
                let value = value.clone();
                self.check_argument(code, at, &[value], given)?;
            }
        }
        Ok(())
    }

    /// The type of what a parameter gets, or of each element where it takes the rest; `None` if it takes anything.
    fn judging_type(&mut self, parameter: &ParameterCode) -> Result<Option<Type>, Flow> {
        let Some(type_code) = &parameter.type_ else { return Ok(None) };
        match self.run_type(type_code)? {
            Value::Type(declared) => Ok(Some(parameter.judged(declared))),
            other => {
                let name = parameter.name.to_string();
                let wrong = EvalError::AliasNotType { name, got: describe(&other) };
                Err(Error::from(wrong).at(type_code.span).into())
            }
        }
    }

    pub(super) fn checked_result(&mut self, code: &LambdaCode, value: Value) -> Result<Value, Flow> {
        let Some(return_type) = &code.return_type else { return Ok(value) };
        if let Op::Constant(Value::Type(type_)) = &return_type.op
            && type_.has_instance(&value)
        {
            return Ok(value);
        }
        match self.run_type(return_type)? {
            Value::Type(type_) if !type_.test_instance(&value)? => {
                let (callee, expected, got) = (callee_of(code), for_message(&type_), describe_for(&type_, &value));
                let wrong = EvalError::ReturnValue { callee, expected, got };
                Err(explained(wrong.into(), &type_, &value).into())
            }
            _ => Ok(value),
        }
    }
}

/// The error of `exit` at the argument number `at`. A default value that goes wrong has its own place.
fn pointed_out(given: Arguments<'_>, flow: Flow, at: usize, parameter: &ParameterCode) -> Flow {
    match flow {
        Flow::Error(error) if error.span().is_none() => {
            Flow::Error(given.pointed_out(error, at, &format!("${}", parameter.name)))
        }
        flow => flow,
    }
}

fn wrong_count(code: &LambdaCode, given: Arguments<'_>) -> Error {
    let (least, most) = (code.required(), code.maximum());
    describe_mismatch(&callee_of(code), &[], SignatureMismatch::Count { least, most }, given)
}

fn missing_argument(code: &LambdaCode, parameter: &ParameterCode) -> EvalError {
    EvalError::MissingArgument { name: parameter.name.to_string(), callee: callee_of(code) }
}

fn callee_of(code: &LambdaCode) -> String {
    code.name.as_deref().map_or_else(|| "the lambda".to_owned(), str::to_owned)
}
