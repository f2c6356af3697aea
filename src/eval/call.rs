//! Evaluates calls of built-in functions, Puppet functions, lambdas and types.

use std::{borrow::Cow, sync::Arc};

use super::block::Closure;
use super::code::{CallCode, Callee, LambdaCode, Op};
use super::overload::{mismatch_error, resolve_overload};
use super::signature::SignatureMismatch;
use super::{arguments::Arguments, environment::Environment, error::EvalError, modules, run::Evaluator};
use crate::error::{Error, Kind as _};
use crate::functions::{self, Flow, Function, JumpKind, Runtime};
use crate::operators::describe;
use crate::text::{Source, Span};
use crate::types::Type;
use crate::value::{Callable, Object, Value};
use crate::wording::nearest;
use crate::{explain, interrupt};

/// The built-in functions of Puppet that need a catalog, Hiera files or Ruby; pcore does not support them.
#[rustfmt::skip]
pub(crate) const UNSUPPORTED_FUNCTIONS: [&str; 17] = [
    "contain", "create_resources", "eyaml_lookup_key", "file", "find_template", "hiera", "hiera_array",
    "hiera_hash", "hiera_include", "hocon_data", "include", "inline_template", "realize", "require", "tag",
    "tagged", "template",
];

impl<'w> Evaluator<'w> {
    #[inline(never)]
    pub(super) fn evaluate_call(&mut self, call: &CallCode) -> Result<Value, Flow> {
        // One or two arguments are most calls; they need no memory of their own.
        match &*call.arguments {
            [only] if !only.is_unfold() => {
                let only = self.run_code(only)?;
                self.call_with_arguments(call, &mut [only])
            }
            [first, second] if !first.is_unfold() && !second.is_unfold() => {
                let first = self.run_code(first)?;
                let second = self.run_code(second)?;
                self.call_with_arguments(call, &mut [first, second])
            }
            arguments => {
                let mut arguments = self.evaluate_list(arguments)?;
                self.call_with_arguments(call, &mut arguments)
            }
        }
    }

    fn call_with_arguments(&mut self, call: &CallCode, arguments: &mut [Value]) -> Result<Value, Flow> {
        if let Callee::Named(name) = &call.callee
            && call.lambda.is_none()
            && !(call.is_method && matches!(arguments, [Value::Object(_) | Value::Uri(_), ..]))
            && let Some(code) = self.known_functions.and_then(|known| known.get(&**name))
            && code.parameter_error.is_none()
            && code.accepts_with_defaults(arguments.len())
        {
            return self.call_with_defaults(call, code, arguments);
        }
        let arguments = &*arguments;
        let mut block: Option<Arc<dyn Callable>> = None;
        if let Some(code) = &call.lambda {
            if let Some(fault) = &code.parameter_error {
                return Err(fault.clone().into());
            }
            self.check_types_exist(code, self.frame)?;
            block =
                Some(Arc::new(Closure { code: code.clone(), frame: self.frame, found: self.match_variables.clone() }));
        }
        let outer = std::mem::replace(&mut self.call_span, call.name_span);
        let given = Arguments { values: arguments, block: block.as_ref(), places: &call.arguments };
        let outcome = self.dispatch_call(call, given).map_err(|flow| self.add_call_location(flow, call));
        self.call_span = outer;
        outcome
    }

    fn call_with_defaults(
        &mut self,
        call: &CallCode,
        code: &'w LambdaCode,
        arguments: &mut [Value],
    ) -> Result<Value, Flow> {
        let outer = std::mem::replace(&mut self.call_span, call.name_span);
        let given = arguments.len();
        let outcome = self.check_types_exist(code, None).and_then(|()| {
            let (names, arguments) = (Cow::Borrowed(&code.slot_names), arguments.iter_mut().map(std::mem::take));
            self.run_in_new_frame(code, names, None, None, arguments, |this| {
                this.check_each_argument(code, Arguments { values: &[], block: None, places: &call.arguments })?;
                (given..code.parameters.len()).try_for_each(|at| this.bind_parameter(code, at, None))?;
                this.run_body(code)
            })
        });
        self.call_span = outer;
        match outcome {
            Err(Flow::Jump(JumpKind::Return, answered)) => Ok(answered.0),
            outcome => outcome.map_err(|flow| self.add_call_location(flow, call)),
        }
    }

    #[cold]
    fn add_call_location(&self, flow: Flow, call: &CallCode) -> Flow {
        match flow {
            Flow::Error(error) if error.span().is_some() && matches!(call.callee, Callee::Named(_)) => {
                Flow::Error(add_call_label(error, &self.source, call.name_span))
            }
            Flow::Error(error) => Flow::Error(error.at(call.name_span)),
            Flow::Jump(jump, answered) => Flow::Jump(jump, Box::new((answered.0, answered.1.at(call.name_span)))),
        }
    }

    fn dispatch_call(&mut self, call: &CallCode, given: Arguments<'_>) -> Result<Value, Flow> {
        if call.is_method
            && let Some(name) = call.callee.callee_name()
        {
            let is_built_in = matches!(call.callee, Callee::BuiltIn(..));
            if let [receiver] = given.values
                && !(is_built_in && given.block.is_some())
                && let Some(attribute) = receiver.attribute(name)
            {
                return Ok(attribute);
            }
            if let Some(Value::Object(object)) = given.values.first()
                && let Some(function) =
                    functions::methods_of_object(object).iter().find(|function| function.name == name)
            {
                return self.call_built_in(function, given, given.without_receiver());
            }
        }
        match &call.callee {
            Callee::BuiltIn(function, overloads) => {
                match overloads.iter().find(|(_, signature)| signature.accepts_arguments(given.values)) {
                    Some((signature, _)) => self.run_built_in(function, *signature, given),
                    None => self.call_built_in(function, given, given),
                }
            }
            Callee::Named(name) => self.call_by_name(name, given, false),
            Callee::Value(code) => {
                let callee = match &code.op {
                    Op::Constant(constant) => constant,
                    _ => &self.run_code(code)?,
                };
                match callee {
                    Value::Type(type_) => match (self.construct_value(type_, given), given.block) {
                        (Ok(value), Some(block)) if !type_.is_already_instance(given.values) => {
                            self.call(block, &[value])
                        }
                        (outcome, _) => outcome,
                    },
                    Value::Callable(callable) => self.call(callable, given.values),
                    Value::Object(object) if object.is_deferred() => self.call_deferred(object, given, code.span),
                    other => Err(EvalError::NotCallable(describe(other)).into()),
                }
            }
        }
    }

    /// Evaluates `$deferred()`, which only the specification allows: warns or, under strictness `error`, fails.
    ///
    /// Source: language specification, "Operations on Deferred values".
    /// Observed: Puppet 8.11 does not parse the call of a variable.
    fn call_deferred(&mut self, deferred: &Arc<Object>, given: Arguments<'_>, variable: Span) -> Result<Value, Flow> {
        if !given.values.is_empty() || given.block.is_some() {
            return Err(EvalError::DeferredArguments { lambda: given.block.is_some(), got: given.values.len() }.into());
        }
        let text = self.source.slice(variable).to_owned();
        self.warn(EvalError::CalledVariable(text).at(variable))?;
        self.call_by_name("call", Arguments::without_locations(&[Value::Object(deferred.clone())], None), false)
    }

    /// Calls the function `name` of the program or the host, else the built-in one, else that of a module.
    /// `is_computed` means that the name is a value, as in `call('f')`, and not written as in `f()`.
    pub(super) fn call_by_name(&mut self, name: &str, given: Arguments<'_>, is_computed: bool) -> Result<Value, Flow> {
        let known = |this: &Self| {
            let Environment { program, host_functions, .. } = &*this.environment;
            program.functions.get(name).or_else(|| host_functions.get(name)).cloned()
        };
        let mut found = known(self);
        if found.is_none() {
            if let Some(function) = functions::named(name) {
                return self.call_built_in(function, given, given);
            }
            self.environment.load_definition(modules::AutoloadKind::Function, name)?;
            found = known(self);
        }
        match (found, given.values.first()) {
            (Some(code), _) => self.call_puppet_function(&code, given),
            // `$hash.key`
            (None, Some(Value::Hash(hash))) if !is_computed && hash.get_str(name).is_some() => {
                let near = Some(format!("the key ['{name}']"));
                Err(EvalError::UnknownFunction { name: name.to_owned(), near, is_computed }.into())
            }
            (None, _) => Err(self.unknown_function_error(name, is_computed).into()),
        }
    }

    fn unknown_function_error(&self, name: &str, is_computed: bool) -> EvalError {
        if name == "import" {
            return EvalError::Import;
        }
        if UNSUPPORTED_FUNCTIONS.contains(&name) {
            return EvalError::CatalogFunction(name.to_owned());
        }
        if let Some(file) = self.environment.program.modules.find_ruby_function(name) {
            return EvalError::RubyFunction { name: name.to_owned(), file: crate::files::display_path(&file) };
        }
        let built_in = functions::TABLE.iter().copied().flatten().map(|function| function.name);
        let own = self.environment.function_names();
        let known = built_in.chain(UNSUPPORTED_FUNCTIONS).chain(own.iter().map(String::as_str));
        let near = nearest(name, known).map(str::to_owned);
        EvalError::UnknownFunction { name: name.to_owned(), near, is_computed }
    }

    /// Calls a built-in function with `given`. `checked_arguments` select the signature: those without the receiver for
    /// a method of an object, and otherwise `given` itself.
    fn call_built_in(
        &mut self,
        function: &'static Function,
        given: Arguments<'_>,
        checked_arguments: Arguments<'_>,
    ) -> Result<Value, Flow> {
        let signature = resolve_overload(format_args!("{}", function.name), function.signatures, checked_arguments)?;
        self.run_built_in(function, signature, given)
    }

    fn run_built_in(
        &mut self,
        function: &'static Function,
        signature: usize,
        given: Arguments<'_>,
    ) -> Result<Value, Flow> {
        interrupt::take_long_step();
        let Arguments { values: arguments, block, .. } = given;
        match (function.body)(&mut functions::Call { runtime: self, signature_index: signature, arguments, block }) {
            Err(Flow::Error(error)) if let Some((at, name)) = error.causing_argument() => {
                Err(given.label_argument(error, at, name).into())
            }
            outcome => outcome,
        }
    }

    /// Evaluates `type_(arguments…)`. If Puppet rejects it but the specification allows it, warns or fails.
    pub(super) fn construct_value(&mut self, type_: &Type, given: Arguments<'_>) -> Result<Value, Flow> {
        match self.construct_like_puppet(type_, given) {
            Err(Flow::Error(refused)) if let Some(value) = type_.construct_by_specification(given.values) => {
                self.report_rejected_by_puppet(refused)?;
                Ok(value)
            }
            result => result,
        }
    }

    fn construct_like_puppet(&mut self, type_: &Type, given: Arguments<'_>) -> Result<Value, Flow> {
        let arguments = given.values;
        if let (Type::Init(init), [value]) = (type_, arguments) {
            let (type_, arguments) = init.constructor_call(value)?;
            return self.construct_like_puppet(type_, Arguments::without_locations(&arguments, given.block));
        }
        if let [value] = arguments
            && type_.try_has_instance(value)?
        {
            return Ok(value.clone());
        }
        let row = type_.type_to_construct().row();
        if !row.new.is_empty() {
            resolve_overload(format_args!("{}.new", row.name), row.new, Arguments { block: None, ..given })?;
        }
        if let (Type::Type(_), [Value::String(text)]) = (type_, arguments) {
            return Ok(type_
                .check_constructed_value(Value::Type(self.parse_type(text)?))
                .map_err(explain::explain_constructor_error)?);
        }
        Ok(type_.construct_by_conversion(arguments).map_err(explain::explain_constructor_error)?)
    }

    fn call_puppet_function(&mut self, code: &Arc<LambdaCode>, given: Arguments<'_>) -> Result<Value, Flow> {
        if let Some(fault) = &code.parameter_error {
            return Err(fault.clone().into());
        }
        self.check_types_exist(code, None)?;
        let name = code.name.as_deref().unwrap_or_default();
        let expected = code.argument_counts();
        let mismatch = match given.block {
            Some(_) => SignatureMismatch::UnexpectedBlock,
            None if !expected.contains(given.values.len()) => SignatureMismatch::Count(expected),
            None => {
                return match self.call_lambda(code, None, None, given) {
                    Err(Flow::Jump(JumpKind::Return, answered)) => Ok(answered.0),
                    // A break goes on to the iteration whose block called the function.
                    outcome => outcome,
                };
            }
        };
        Err(mismatch_error(name, &[&code.parameter_list_source()], mismatch, given).into())
    }
}

/// Adds a label for the call at `span` to the error of a function: at most five, then one for all further calls.
fn add_call_label(error: Error, source: &Arc<Source>, span: Span) -> Error {
    /// The maximum number of labels; more would hide the error.
    const MAX_CALL_LABELS: usize = 5;
    let calls = error.labels().iter().filter(|label| label.text.starts_with(CALL_LABEL)).count();
    let is_known = error.labels().iter().any(|label| label.span == span && label.text.starts_with(CALL_LABEL));
    match calls {
        _ if is_known || calls > MAX_CALL_LABELS => error,
        MAX_CALL_LABELS => error.with_label_in(source, span, format!("{CALL_LABEL}, and from further calls")),
        _ => error.with_label_in(source, span, CALL_LABEL),
    }
}

const CALL_LABEL: &str = "called here";
