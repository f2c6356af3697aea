//! Binds arguments, default values and the rest to parameters; checks the types of parameters and return values.

use std::borrow::Cow;

use super::code::{Code, LambdaCode, Op, ParameterCode};
use super::frame::{FrameId, to_u32};
use super::overload::{mismatch_error, wrong_argument_error};
use super::{Strictness, arguments::Arguments, error::EvalError, run::Evaluator, signature::SignatureMismatch};
use crate::error::Error;
use crate::explain::mismatch::add_explanation;
use crate::functions::Flow;
use crate::types::describe::{describe, describe_type};
use crate::types::{Type, secret::describe_safely};
use crate::value::Value;

impl Evaluator<'_> {
    pub(super) fn bind_arguments(&mut self, code: &LambdaCode, given: Arguments<'_>) -> Result<(), Flow> {
        if code.fills_parameters_exactly(given.values.len()) {
            given.values.iter().enumerate().for_each(|(at, value)| self.set_parameter(at, value.clone()));
            return self.check_each_argument(code, given);
        }
        // A missing argument is reported before what is wrong with others.
        if let Some(missing) = code.parameters.get(given.values.len()).filter(|parameter| parameter.is_required()) {
            return Err(missing_argument_error(code, missing).into());
        }
        if let Some((at, rest)) = code.parameters.iter().enumerate().find(|(_, parameter)| parameter.captures_rest) {
            let size = rest.rest_argument_counts();
            let share = rest.arguments_for_parameter(at, given.values);
            // Observed: Puppet 7.23 lets the default value of a lambda step in, but not that of a function.
            let default_steps_in = code.name.is_none() && rest.uses_default(share);
            if !size.contains(share.len()) && !default_steps_in {
                return Err(argument_count_error(code, given).into());
            }
        }
        // Observed: Puppet 7.23 judges what a function is given before it makes default values, what a lambda is given
        // after it.
        let is_function = code.name.is_some();
        if is_function {
            for (at, parameter) in code.parameters.iter().enumerate() {
                self.check_argument(code, at, parameter.arguments_for_parameter(at, given.values), given)?;
            }
        }
        for (at, parameter) in code.parameters.iter().enumerate() {
            let value = if parameter.captures_rest {
                let rest = self.rest_parameter_value(parameter, parameter.arguments_for_parameter(at, given.values))?;
                // The default value of a rest parameter must have the declared size, too.
                if matches!(&rest, Value::Array(rest) if !parameter.rest_argument_counts().contains(rest.len())) {
                    return Err(argument_count_error(code, given).into());
                }
                rest
            } else {
                let value = self.argument_or_default(code, parameter, given.values.get(at));
                value.map_err(|flow| label_argument_error(given, flow, at, parameter))?
            };
            self.set_parameter(at, value);
        }
        for (at, parameter) in code.parameters.iter().enumerate() {
            let is_judged = is_function && !parameter.uses_default(parameter.arguments_for_parameter(at, given.values));
            if parameter.type_code.is_some() && !is_judged {
                match self.parameter_value(at).cloned() {
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

    /// Returns the value of a rest parameter: an Array of the remaining arguments, `left`, or its default value.
    ///
    /// Observed: Puppet 7.23 uses the default value if no argument is left, or only undef; a default value that is not
    /// an Array becomes the only element of one.
    fn rest_parameter_value(&mut self, parameter: &ParameterCode, left: &[Value]) -> Result<Value, Flow> {
        match &parameter.default {
            Some(default) if parameter.uses_default(left) => match self.run_code(default)? {
                array @ Value::Array(_) => Ok(array),
                other => Ok(Value::from(vec![other])),
            },
            _ => Ok(Value::from(left.to_vec())),
        }
    }

    fn argument_or_default(
        &mut self,
        code: &LambdaCode,
        parameter: &ParameterCode,
        given: Option<&Value>,
    ) -> Result<Value, Flow> {
        match (given, &parameter.default) {
            (Some(value), _) => Ok(value.clone()),
            (None, Some(default)) => self.run_code(default),
            (None, None) => Err(missing_argument_error(code, parameter).into()),
        }
    }

    fn check_argument(
        &mut self,
        code: &LambdaCode,
        at: usize,
        values: &[Value],
        given: Arguments<'_>,
    ) -> Result<(), Flow> {
        let Some(parameter) = code.parameters.get(at) else { return Ok(()) };
        if values.iter().all(|value| parameter.certainly_accepts(value)) {
            return Ok(());
        }
        let Some(type_) = self.argument_type_to_check(parameter)? else { return Ok(()) };
        let name = format!("the parameter ${} of {}", parameter.name, describe_callee(code));
        values.iter().enumerate().try_for_each(|(number, value)| {
            let error = match type_.try_has_instance(value) {
                Ok(true) => return Ok(()),
                Ok(false) => wrong_argument_error(&name, &type_, value, Vec::new()),
                Err(invalid) => invalid,
            };
            Err(label_argument_error(given, error.into(), at + number, parameter))
        })
    }

    pub(super) fn bind_parameter(&mut self, code: &LambdaCode, at: usize, given: Option<&Value>) -> Result<(), Flow> {
        let Some(parameter) = code.parameters.get(at) else { return Ok(()) };
        let value = self.argument_or_default(code, parameter, given)?;
        self.set_parameter(at, value.clone());
        self.check_argument(code, at, &[value], Arguments::without_locations(&[], None))
    }

    fn parameter_value(&self, at: usize) -> Option<&Value> {
        self.frames.get_variable(self.current_frame(), 0, to_u32(at))
    }

    fn set_parameter(&mut self, at: usize, value: Value) {
        self.frames.set_variable(self.current_frame(), to_u32(at), value);
    }

    fn evaluate_type(&mut self, type_: &Code) -> Result<Value, Flow> {
        let own = self.frame;
        self.frame = own.and_then(|frame| self.frames.parent_frame(frame));
        let outcome = self.run_code(type_);
        self.frame = own;
        outcome
    }

    /// Under strictness `error`, evaluates the types of all parameters and of the return value before the first call.
    ///
    /// Observed: Puppet 8.11 reports an unknown type before any argument, and in a lambda even if nothing calls it.
    /// Under other strictnesses, it warns when the type is used.
    pub(super) fn check_types_exist(&mut self, code: &LambdaCode, parent: Option<FrameId>) -> Result<(), Flow> {
        let is_strict = self.environment.strictness == Strictness::Error;
        if !code.is_typed || !is_strict || code.are_types_checked.get().is_some() {
            return Ok(());
        }
        let found = self.match_variables.clone();
        self.run_in_new_frame(code, Cow::Owned(code.slot_names.clone()), parent, found.as_ref(), [], |this| {
            let types = code.parameters.iter().filter_map(|parameter| parameter.type_code.as_ref());
            types.chain(&code.return_type).try_for_each(|type_| this.evaluate_type(type_).map(drop))?;
            Ok(Value::Undef)
        })?;
        code.are_types_checked.get_or_init(|| ());
        Ok(())
    }

    pub(super) fn check_each_argument(&mut self, code: &LambdaCode, given: Arguments<'_>) -> Result<(), Flow> {
        if !code.is_typed {
            return Ok(());
        }
        for (at, parameter) in code.parameters.iter().enumerate() {
            if let Some(value) = self.parameter_value(at)
                && !parameter.certainly_accepts(value)
            {
                let value = value.clone();
                self.check_argument(code, at, &[value], given)?;
            }
        }
        Ok(())
    }

    /// Returns the type that each argument of `parameter` has to have; `None` if it declares no type.
    fn argument_type_to_check(&mut self, parameter: &ParameterCode) -> Result<Option<Type>, Flow> {
        let Some(type_code) = &parameter.type_code else { return Ok(None) };
        match self.evaluate_type(type_code)? {
            Value::Type(declared) => Ok(Some(parameter.argument_type(declared))),
            other => {
                let name = parameter.name.to_string();
                let wrong = EvalError::AliasNotType { name, got: describe(&other) };
                Err(Error::from(wrong).at(type_code.span).into())
            }
        }
    }

    pub(super) fn check_return_value(&mut self, code: &LambdaCode, value: Value) -> Result<Value, Flow> {
        let Some(return_type) = &code.return_type else { return Ok(value) };
        if let Op::Constant(Value::Type(type_)) = &return_type.op
            && type_.has_instance(&value)
        {
            return Ok(value);
        }
        match self.evaluate_type(return_type)? {
            Value::Type(type_) if !type_.try_has_instance(&value)? => {
                let (callee, expected, got) =
                    (describe_callee(code), describe_type(&type_), describe_safely(&type_, &value));
                let wrong = EvalError::ReturnValue { callee, expected, got };
                Err(add_explanation(wrong.into(), &type_, &value).into())
            }
            _ => Ok(value),
        }
    }
}

/// Adds a label at the argument with index `at` to an error without a location; errors of default values have one.
fn label_argument_error(given: Arguments<'_>, flow: Flow, at: usize, parameter: &ParameterCode) -> Flow {
    match flow {
        Flow::Error(error) if error.span().is_none() => {
            Flow::Error(given.label_argument(error, at, &format!("${}", parameter.name)))
        }
        flow => flow,
    }
}

fn argument_count_error(code: &LambdaCode, given: Arguments<'_>) -> Error {
    mismatch_error(&describe_callee(code), &[], SignatureMismatch::Count(code.argument_counts()), given)
}

fn missing_argument_error(code: &LambdaCode, parameter: &ParameterCode) -> EvalError {
    EvalError::MissingArgument { name: parameter.name.to_string(), callee: describe_callee(code) }
}

fn describe_callee(code: &LambdaCode) -> String {
    code.name.as_deref().map_or_else(|| "the lambda".to_owned(), str::to_owned)
}
