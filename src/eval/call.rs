//! Calls: of built-in functions, of functions and lambdas of the language, of types.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use super::code::{Call, Callee, Code, LambdaCode, ParameterCode, Step};
use super::error::Misuse;
use super::frame::Frame;
use super::misfit::{fitting, told};
use super::modules;
use super::run::{Evaluator, nearest};
use super::signature::{Misfit, Signature};
use crate::error::Error;
use crate::functions::{self, Exit, Function, Runtime};
use crate::interrupt;
use crate::operators::describe;
use crate::operators::matching::Found;
use crate::text::Span;
use crate::types::Type;
use crate::value::{Callable, Object, Value};

/// How many calls of lambdas and functions may be under way inside each other.
const MAX_CALL_LEVELS: usize = 5_000;

/// Functions of Puppet that work on a catalog, or on the files of Hiera and of Ruby that belong to one.
const CATALOG_FUNCTIONS: [&str; 17] = [
    "contain",
    "create_resources",
    "eyaml_lookup_key",
    "file",
    "find_template",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "hocon_data",
    "include",
    "inline_template",
    "realize",
    "require",
    "tag",
    "tagged",
    "template",
];

/// How many frames are kept to be used again.
const MAX_SPARE_FRAMES: usize = 64;

/// A lambda with what it saw where it was written.
#[derive(Debug)]
struct Closure {
    code: Arc<LambdaCode>,
    frame: Option<Arc<Frame>>,
    found: Option<Arc<Found>>,
}

impl Callable for Closure {
    fn callable_type(&self) -> Type {
        self.code.callable_type.get_or_init(|| callable_type(&self.code)).clone()
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

/// A parameter whose type is not the same in every call counts as Any: it is checked when the call is made.
fn callable_type(code: &LambdaCode) -> Type {
    let type_of = |parameter: &ParameterCode| {
        let declared = parameter.constant_type().cloned().unwrap_or_else(Type::any);
        parameter.judged(declared)
    };
    let mut arguments: Vec<Value> = code.parameters.iter().map(|parameter| Value::Type(type_of(parameter))).collect();
    let count = |count: usize| i64::try_from(count).map_or(Value::Default, Value::Integer);
    arguments.push(count(code.required()));
    arguments.push(code.maximum().map_or(Value::Default, count));
    let callable = Type::named("Callable").and_then(|callable| callable.with_arguments(&arguments).ok());
    callable.unwrap_or_else(Type::any)
}

/// What the name of a function leads to.
pub(super) enum FoundFunction {
    /// A function of the language.
    OfProgram(Arc<LambdaCode>),
    /// A row of the table.
    BuiltIn(&'static Function),
}

/// What a call is given.
#[derive(Clone, Copy)]
pub(super) struct Arguments<'a> {
    pub(super) values: &'a [Value],
    pub(super) block: Option<&'a Arc<dyn Callable>>,
    /// Where the arguments stand; empty when they are not written in the call.
    places: &'a [Code],
}

impl<'a> Arguments<'a> {
    /// Arguments that stand nowhere: a function has come upon them.
    pub(super) fn unplaced(values: &'a [Value], block: Option<&'a Arc<dyn Callable>>) -> Arguments<'a> {
        Arguments { values, block, places: &[] }
    }

    /// All but the first one.
    fn behind_first(self) -> Arguments<'a> {
        let places = self.places.get(1..).unwrap_or_default();
        Arguments { values: &self.values[1..], places, ..self }
    }

    /// `error`, which is about the argument number `at`, with its place and what it is called.
    pub(super) fn pointed_out(&self, error: Error, at: usize, name: &str) -> Error {
        match self.places.get(..=at) {
            // Behind an unfolded list nobody knows which argument is which.
            Some(places) if !places.iter().any(|place| matches!(place.step, Step::Unfold(_))) => {
                error.with_label(places[at].span, name)
            }
            _ => error,
        }
    }
}

impl Evaluator<'_> {
    pub(super) fn call_expression(&mut self, call: &Call) -> Result<Value, Exit> {
        let arguments = self.list(&call.arguments)?;
        if let Some(fault) = call.lambda.as_ref().and_then(|code| code.fault.as_ref()) {
            return Err(fault.clone().into());
        }
        let block: Option<Arc<dyn Callable>> = call.lambda.as_ref().map(|code| {
            let closure = Closure { code: code.clone(), frame: self.frame.clone(), found: self.found.clone() };
            Arc::new(closure) as Arc<dyn Callable>
        });
        if call.is_method
            && let [receiver] = &*arguments
            && block.is_none()
            && let Callee::BuiltIn(Function { name, .. }, _) = &call.callee
            && let Some(attribute) = receiver.attribute(name)
        {
            return Ok(attribute);
        }
        let outer = std::mem::replace(&mut self.call_span, call.name_span);
        let given = Arguments { values: &arguments, block: block.as_ref(), places: &call.arguments };
        let outcome = self.called(call, given).map_err(|exit| placed(exit, call.name_span));
        self.call_span = outer;
        outcome
    }

    fn called(&mut self, call: &Call, given: Arguments<'_>) -> Result<Value, Exit> {
        if call.is_method
            && let Some(Value::Object(object)) = given.values.first()
            && let Some(name) = call.callee.name()
            && let Some(function) = functions::of_object(object).iter().find(|function| function.name == name)
        {
            return self.call_of_object(function, given);
        }
        match &call.callee {
            Callee::BuiltIn(function, signatures) => self.call_built_in(function, signatures, given),
            Callee::Named(name) => {
                let attribute = match given.values {
                    [receiver] if call.is_method => receiver.attribute(name),
                    _ => None,
                };
                match attribute {
                    Some(attribute) => Ok(attribute),
                    None => self.call_named(name, given),
                }
            }
            Callee::Value(code) => match self.run(code)? {
                Value::Type(type_) => match (self.construct_value(&type_, given), given.block) {
                    (Ok(value), Some(block)) if !type_.keeps(given.values) => self.call_value(block, &[value]),
                    (outcome, _) => outcome,
                },
                Value::Callable(callable) => self.call_value(&callable, given.values),
                Value::Object(object) if object.is_deferred() => self.call_deferred(object, given, code.span),
                other => Err(Misuse::NotCallable(describe(&other)).into()),
            },
        }
    }

    /// `$deferred()`. Only the specification knows it, so it is a warning or an error, by the strictness.
    ///
    /// Source: language specification, "Operations on Deferred values".
    /// Observed: Puppet 8.11 does not parse the call of a variable.
    fn call_deferred(&mut self, deferred: Arc<Object>, given: Arguments<'_>, variable: Span) -> Result<Value, Exit> {
        if !given.values.is_empty() || given.block.is_some() {
            return Err(Misuse::DeferredArguments { lambda: given.block.is_some(), got: given.values.len() }.into());
        }
        let text = self.source.slice(variable).to_owned();
        self.warn(Error::from(Misuse::CalledVariable(text)).at(variable))?;
        self.call_named("call", Arguments::unplaced(&[Value::Object(deferred)], None))
    }

    /// A function of the language or a built-in one.
    pub(super) fn call_named(&mut self, name: &str, given: Arguments<'_>) -> Result<Value, Exit> {
        match self.function_named(name)? {
            Some(found) => self.call_found(&found, given),
            None => Err(self.unknown_function(name, false).into()),
        }
    }

    /// The function of that name. Those of programs go before built-in ones, and these before those of modules.
    pub(super) fn function_named(&mut self, name: &str) -> Result<Option<FoundFunction>, Error> {
        let known = |this: &Self| this.world.functions.get(name).cloned().map(FoundFunction::OfProgram);
        let found = known(self).or_else(|| functions::named(name).map(FoundFunction::BuiltIn));
        if found.is_some() || !self.world.load(modules::Kind::Function, name)? {
            return Ok(found);
        }
        Ok(known(self))
    }

    pub(super) fn call_found(&mut self, found: &FoundFunction, given: Arguments<'_>) -> Result<Value, Exit> {
        match found {
            FoundFunction::OfProgram(code) => self.call_function_code(code, given),
            FoundFunction::BuiltIn(function) => {
                let signatures = self.world.signatures_of(function);
                self.call_built_in(function, &signatures, given)
            }
        }
    }

    /// Why there is no function of that name, which a program has written, or computed.
    pub(super) fn unknown_function(&self, name: &str, is_computed: bool) -> Misuse {
        if name == "import" {
            return Misuse::Import;
        }
        if CATALOG_FUNCTIONS.contains(&name) {
            return Misuse::CatalogFunction(name.to_owned());
        }
        let built_in = functions::TABLE.iter().copied().flatten().map(|function| function.name.to_owned());
        let near = nearest(name, built_in.chain(self.world.function_names()));
        Misuse::UnknownFunction { name: name.to_owned(), near, is_computed }
    }

    fn call_built_in(
        &mut self,
        function: &'static Function,
        signatures: &[Signature],
        given: Arguments<'_>,
    ) -> Result<Value, Exit> {
        interrupt::look();
        let Arguments { values: arguments, block, .. } = given;
        let signature = fitting(signatures, arguments, block)
            .map_err(|misfit| told(function.name, function.signatures, misfit, given))?;
        (function.body)(&mut functions::Call { runtime: self, signature, arguments, block })
    }

    /// A function of the object in front of the point.
    fn call_of_object(&mut self, function: &'static Function, given: Arguments<'_>) -> Result<Value, Exit> {
        let signatures = self.world.signatures_of(function);
        let behind = given.behind_first();
        let signature = fitting(&signatures, behind.values, given.block)
            .map_err(|misfit| told(function.name, function.signatures, misfit, behind))?;
        let Arguments { values: arguments, block, .. } = given;
        (function.body)(&mut functions::Call { runtime: self, signature, arguments, block })
    }

    /// `T(arguments…)`. What only the specification allows is a warning or an error, by the strictness.
    pub(super) fn construct_value(&mut self, type_: &Type, given: Arguments<'_>) -> Result<Value, Exit> {
        match self.construct_as_puppet(type_, given) {
            Err(Exit::Error(refused)) => match type_.construct_by_specification(given.values) {
                Some(value) => {
                    self.by_specification(refused)?;
                    Ok(value)
                }
                None => Err(refused.into()),
            },
            result => result,
        }
    }

    fn construct_as_puppet(&mut self, type_: &Type, given: Arguments<'_>) -> Result<Value, Exit> {
        let arguments = given.values;
        if let (Type::Init(init), [value]) = (type_, arguments) {
            let (type_, arguments) = init.call(value)?;
            return self.construct_as_puppet(type_, Arguments::unplaced(&arguments, given.block));
        }
        let is_value_already = matches!(arguments, [value] if type_.test_instance(value)?);
        let row = type_.maker().row();
        let signatures = self.world.constructors_of(row);
        if !signatures.is_empty() && !is_value_already {
            let callee = format!("{}.new", row.name);
            fitting(&signatures, arguments, None).map_err(|misfit| told(&callee, row.new, misfit, given))?;
        }
        if let (Type::Type(_), [Value::String(text)]) = (type_, arguments) {
            // As in an alias, a type that nobody knows yet may still be spoken of.
            let outer = std::mem::replace(&mut self.in_alias, true);
            let named = self.named_type(text);
            self.in_alias = outer;
            return Ok(type_.checked(Value::Type(named?))?);
        }
        Ok(type_.construct(arguments)?)
    }

    /// A lambda that came as a value.
    pub(super) fn call_value(&mut self, callable: &Arc<dyn Callable>, arguments: &[Value]) -> Result<Value, Exit> {
        let Some(closure) = callable.as_any().downcast_ref::<Closure>() else {
            return Err(Error::runtime("this value cannot be called").into());
        };
        self.call_code(
            &closure.code,
            closure.frame.clone(),
            closure.found.clone(),
            Arguments::unplaced(arguments, None),
        )
    }

    fn call_function_code(&mut self, code: &Arc<LambdaCode>, given: Arguments<'_>) -> Result<Value, Exit> {
        if let Some(fault) = &code.fault {
            return Err(fault.clone().into());
        }
        let name = code.name.as_deref().unwrap_or_default();
        let (least, most) = (code.required(), code.maximum());
        let count = given.values.len();
        let misfit = if given.block.is_some() {
            Some(Misfit::UnexpectedBlock)
        } else {
            let fits = count >= least && most.is_none_or(|most| count <= most);
            (!fits).then_some(Misfit::Count { least, most })
        };
        if let Some(misfit) = misfit {
            return Err(told(name, &[], misfit, given).into());
        }
        match self.call_code(code, None, None, given) {
            Err(Exit::Return(value, _)) => Ok(value),
            // A break goes on to the iteration whose block called the function.
            outcome => outcome,
        }
    }

    /// Runs the body of a lambda or function in a frame of its own.
    fn call_code(
        &mut self,
        code: &Arc<LambdaCode>,
        parent: Option<Arc<Frame>>,
        found: Option<Arc<Found>>,
        given: Arguments<'_>,
    ) -> Result<Value, Exit> {
        self.in_frame(code, parent, found, |this| {
            let outcome = this.bind(code, given).and_then(|()| this.run(&code.body));
            let outcome = match outcome {
                Err(Exit::Next(value, _)) => Ok(value),
                outcome => outcome,
            };
            outcome.and_then(|value| this.checked_result(code, value))
        })
    }

    /// Runs `work` with a new frame for the variables of `code`.
    pub(super) fn in_frame(
        &mut self,
        code: &Arc<LambdaCode>,
        parent: Option<Arc<Frame>>,
        found: Option<Arc<Found>>,
        work: impl FnOnce(&mut Self) -> Result<Value, Exit>,
    ) -> Result<Value, Exit> {
        interrupt::look();
        if self.depth >= MAX_CALL_LEVELS {
            return Err(Misuse::TooDeep(MAX_CALL_LEVELS).into());
        }
        let frame = self.new_frame(&code.names, parent);
        let outer_frame = self.frame.replace(frame);
        let outer_found = std::mem::replace(&mut self.found, found);
        let outer_source = if Arc::ptr_eq(&self.source, &code.source) {
            None
        } else {
            Some(std::mem::replace(&mut self.source, code.source.clone()))
        };
        self.depth += 1;
        let outcome = work(self);
        self.depth -= 1;
        self.found = outer_found;
        if let Some(frame) = std::mem::replace(&mut self.frame, outer_frame) {
            self.give_back(frame);
        }
        match outer_source {
            None => outcome,
            Some(source) => {
                self.source = source;
                outcome.map_err(|exit| match exit {
                    // What is wrong with the arguments has no place yet: it gets that of the call.
                    Exit::Error(error) if error.span().is_some() => Exit::Error(error.in_source(&code.source)),
                    exit => exit,
                })
            }
        }
    }

    fn new_frame(&mut self, names: &Arc<[Arc<str>]>, parent: Option<Arc<Frame>>) -> Arc<Frame> {
        let mut frame = self.spare.pop().unwrap_or_default();
        let own = Arc::get_mut(&mut frame).expect("a spare frame is held by nobody else");
        own.slots.resize_with(names.len(), OnceLock::new);
        own.names = Some(names.clone());
        own.parent = parent;
        frame
    }

    fn give_back(&mut self, mut frame: Arc<Frame>) {
        if let Some(own) = Arc::get_mut(&mut frame) {
            own.slots.clear();
            own.parent = None;
            if self.spare.len() < MAX_SPARE_FRAMES {
                self.spare.push(frame);
            }
        }
    }
}

/// The error of `exit` at `span`, unless it has a place. A jump keeps its own.
fn placed(exit: Exit, span: Span) -> Exit {
    match exit {
        Exit::Error(error) => Exit::Error(error.at(span)),
        Exit::Break(error) => Exit::Break(error.at(span)),
        Exit::Next(value, error) => Exit::Next(value, error.at(span)),
        Exit::Return(value, error) => Exit::Return(value, error.at(span)),
    }
}
