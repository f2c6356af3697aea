//! Runs compiled code.

use std::sync::Arc;

use super::code::{ChainLink, Code, HostCall, Op, VariablePlace};
use super::environment::{Environment, Functions};
use super::frame::{FrameId, FrameStack};
use super::reserved::{RESERVED_VARIABLES, reserved_variable_value};
use super::{Listener, Strictness, error::EvalError, heredoc, template::TemplateOutput};
use crate::dictionary;
use crate::error::{Error, Kind as _};
use crate::functions::{Flow, Runtime as _};
use crate::limits::{self, check_element_count};
use crate::operators::access::{access_by_keys, borrow_element};
use crate::operators::{OperandError, OperandSide, OperatorBody, describe, matching::MatchVariables};
use crate::text::{Source, Span};
use crate::types::{ResourceType, Type, TypeReferenceType};
use crate::value::Value;
use crate::wording::nearest;
use crate::{format, interrupt, stack, syntax};

pub(crate) struct Evaluator<'w> {
    pub(super) environment: &'w mut Environment,
    pub(super) listener: &'w mut Listener<'w>,
    /// The functions that existed before the program ran; their code is not cloned for a call.
    pub(super) known_functions: Option<&'w Functions>,
    pub(super) frames: FrameStack<'w>,
    /// The current frame; `None` outside of all lambdas and functions.
    pub(super) frame: Option<FrameId>,
    /// The match variables `$0`, `$1` … of the last successful match of a regular expression.
    pub(super) match_variables: Option<Arc<MatchVariables>>,
    pub(super) source: Arc<Source>,
    pub(super) is_in_alias: bool,
    /// The lower-case names of the aliases that are being evaluated, outermost first.
    pub(super) resolving_aliases: Vec<String>,
    /// The location of the current call, for warnings without a location.
    pub(super) call_span: Span,
    pub(super) template_output: Option<TemplateOutput>,
    pub(super) call_depth: usize,
    /// A buffer for building strings, which is empty between uses.
    pub(super) string_buffer: String,
}

impl<'w> Evaluator<'w> {
    pub(super) fn evaluator_for_source(
        environment: &'w mut Environment,
        listen: &'w mut Listener<'w>,
        source: Arc<Source>,
    ) -> Evaluator<'w> {
        Evaluator {
            environment,
            listener: listen,
            known_functions: None,
            frames: FrameStack::default(),
            frame: None,
            match_variables: None,
            source,
            is_in_alias: false,
            resolving_aliases: Vec::new(),
            call_span: Span::default(),
            template_output: None,
            call_depth: 0,
            string_buffer: String::new(),
        }
    }

    /// Evaluates `code`; its errors have a location.
    pub(super) fn run_code(&mut self, code: &Code) -> Result<Value, Flow> {
        match self.borrow_value(code) {
            Some(value) => Ok(value.clone()),
            None if stack::has_enough_stack() => self.run_with_enough_stack(code),
            None => stack::with_room(|| self.run_with_enough_stack(code)),
        }
    }

    #[expect(clippy::inline_always, reason = "a call per operation is 8 % of a recursion's instructions")]
    #[inline(always)]
    fn run_with_enough_stack(&mut self, code: &Code) -> Result<Value, Flow> {
        match &code.op {
            Op::Chain(first, links) => self.evaluate_chain(first, links),
            Op::Call(call) => self.evaluate_call(call),
            Op::If(parts) => self.evaluate_if(parts),
            Op::Concatenation(parts) => self.evaluate_concatenation(parts),
            // The frequent ones have a smaller frame of their own.
            _ => self.run_compound_code(code),
        }
    }

    /// Returns the value of `code` without a copy if it exists already: a constant, a variable, an element of these, or
    /// a cached alias; `None` if `code` has to be evaluated, or fails.
    #[inline]
    pub(super) fn borrow_value<'v>(&'v self, code: &'v Code) -> Option<&'v Value> {
        match &code.op {
            Op::Constant(value) => Some(value),
            Op::Local { depth: 0, slot, .. } => self.frames.get_variable(self.frame?, 0, *slot),
            Op::Chain(..) | Op::Call(_) | Op::If(_) | Op::Block(_) | Op::Concatenation(_) => None,
            _ => self.borrow_uncommon_value(code),
        }
    }

    #[inline(never)]
    fn borrow_uncommon_value<'v>(&'v self, code: &'v Code) -> Option<&'v Value> {
        match &code.op {
            Op::Local { depth, slot, .. } => self.frames.get_variable(self.frame?, *depth, *slot),
            Op::Variable { places, .. } => places.iter().find_map(|place| self.value_of_variable(*place)),
            Op::Access(target, keys) => match &**keys {
                [key] if target.is_leaf() && key.is_leaf() => {
                    borrow_element(self.borrow_value(target)?, self.borrow_value(key)?)
                }
                _ => None,
            },
            Op::TypeName { key, .. } => self.environment.cached_alias_type(key),
            _ => None,
        }
    }

    fn run_compound_code(&mut self, code: &Code) -> Result<Value, Flow> {
        match &code.op {
            Op::Constant(value) => Ok(value.clone()),
            Op::Local { name, .. } | Op::Variable { name, .. } => self.value_of_unset_variable(code, name),
            Op::MatchVariable(number) => {
                Ok(self.match_variables.as_ref().map_or(Value::Undef, |found| found.group_value(*number)))
            }
            Op::Array(elements) => Ok(Value::from(self.evaluate_list(elements)?)),
            Op::Hash(entries) => {
                let mut values = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let key = self.run_code(key)?;
                    values.push((key, self.run_code(value)?));
                }
                Ok(Value::Hash(values.into()))
            }
            Op::Prefix(apply, operand) => {
                let value = self.run_code(operand)?;
                let span = operand.span;
                apply(&value, &mut |error| self.warn_at(error, code.span)).map_err(|fault| fault.error.at(span).into())
            }
            Op::Unfold(operand) => Ok(Value::Array(self.unfold_operand(operand)?.into())),
            Op::Access(target, keys) => self.evaluate_access(code, target, keys),
            Op::Case { subject, options, is_selector } => self.evaluate_case(subject, options, *is_selector),
            Op::Assign(target, value) => {
                let value = self.run_code(value)?;
                self.assign_value(target, &value)?;
                Ok(value)
            }
            Op::Block(statements) => {
                let Some((last, others)) = statements.split_last() else { return Ok(Value::Undef) };
                for statement in others {
                    self.run_code(statement)?;
                }
                self.run_code(last)
            }
            Op::Chain(..) | Op::Call(_) | Op::If(_) | Op::Concatenation(_) => self.run_code(code),
            Op::TypeName { name, .. } => self.resolve_type_name(name, code.span),
            Op::Render(inner) => {
                let value = self.run_code(inner)?;
                let rendering =
                    self.template_output.as_mut().ok_or_else(|| EvalError::OutsideTemplate.at(code.span))?;
                rendering.push_value(&value).map_err(|error| error.at(inner.span))?;
                Ok(Value::Undef)
            }
            Op::Resource(resource) => self.evaluate_resource(resource, code.span),
            Op::Host(HostCall(count, body)) => {
                let argument =
                    |slot| self.frames.get_variable(self.current_frame(), 0, slot).cloned().unwrap_or_default();
                Ok(body(&(0..*count).map(argument).collect::<Vec<_>>())?)
            }
            Op::Heredoc(language, text) => {
                let value = self.run_code(text)?;
                if let Value::String(made) = &value {
                    heredoc::check_content(language, made).map_err(|error| error.at(text.span))?;
                }
                Ok(value)
            }
            Op::Fail(error) => Err(error.clone().at(code.span).into()),
        }
    }

    /// Evaluates expressions to a list, with the elements of unfolded ones (`*$array`). Returns a Vec: when a limit
    /// ends the program, a half-built Array would be freed last and delay the release of other memory.
    pub(super) fn evaluate_list(&mut self, codes: &[Code]) -> Result<Vec<Value>, Flow> {
        let mut values = Vec::with_capacity(codes.len());
        for code in codes {
            match &code.op {
                Op::Unfold(operand) => {
                    let mut unfolded = self.unfold_operand(operand)?;
                    check_element_count(values.len() + unfolded.len())?;
                    values.append(&mut unfolded);
                }
                _ => values.push(self.run_code(code)?),
            }
        }
        Ok(values)
    }

    fn unfold_operand(&mut self, operand: &Code) -> Result<Vec<Value>, Flow> {
        match self.run_code(operand)? {
            Value::Undef => Ok(Vec::new()),
            Value::Array(array) => Ok(interrupt::concatenate_slices(&[&array])),
            Value::Hash(hash) => Ok(interrupt::step_through(hash.iter())
                .map(|(key, value)| [key.clone(), value.clone()].into())
                .collect()),
            Value::Iterator(iterator) => Ok(iterator.elements()?),
            other => Ok(vec![other]),
        }
    }

    /// Evaluates `target[keys…]`, for which [`Evaluator::borrow_value`] has returned `None`.
    fn evaluate_access(&mut self, whole: &Code, target: &Code, keys: &[Code]) -> Result<Value, Flow> {
        let (value, mut arguments) = match keys {
            [key] if !key.is_unfold() && self.borrow_value(target).is_some() => {
                let names_class = matches!(self.borrow_value(target), Some(Value::Type(Type::Class(_))));
                let key = self.evaluate_keys(names_class, |this| this.run_code(key))?;
                let target = self.borrow_value(target);
                if let Some(found) = target.and_then(|target| borrow_element(target, &key)) {
                    return Ok(found.clone());
                }
                (target.cloned().unwrap_or(Value::Undef), vec![key])
            }
            _ => {
                // A name that nothing has is the mistake, whatever is in its brackets.
                let (value, unknown) = match &target.op {
                    Op::TypeName { name, .. }
                        if !self.is_in_alias && self.environment.strictness == Strictness::Warning =>
                    {
                        self.type_or_unknown_error(name, target.span)?
                    }
                    _ => (self.run_code(target)?, None),
                };
                if let (Op::TypeName { .. }, Value::Type(Type::TypeReference(reference))) = (&target.op, &value)
                    && **reference != TypeReferenceType::default()
                {
                    // What is unknown is named with all that was written.
                    let text = self.source.slice(whole.span).into();
                    return Ok(Value::Type(TypeReferenceType { text }.into()));
                }
                let names_class = matches!(value, Value::Type(Type::Class(_)));
                // A splat in brackets is one key: the array that it makes.
                let keys = self.evaluate_keys(names_class, |this| {
                    keys.iter().map(|key| this.run_code(key)).collect::<Result<Vec<_>, _>>()
                })?;
                if let Some(unknown) = unknown {
                    if access_by_keys(&value, &keys, &mut |error| self.warn_at(error, whole.span)).is_err() {
                        return Err(unknown.into());
                    }
                    self.warn(unknown)?;
                }
                (value, keys)
            }
        };
        if self.is_in_alias
            && let Value::Type(type_) = &value
        {
            if let Some((key, array)) = keys.iter().zip(&arguments).find(|(_, array)| is_rejected_array(type_, array)) {
                let error = EvalError::ArrayInAlias { type_: type_.name(), got: describe(array) };
                return Err(Error::from(error).at(key.span).into());
            }
            arguments = convert_alias_arguments(type_, arguments);
            // Here several titles have to be refused.
            if matches!(type_, Type::Class(_) | Type::Resource(_)) && arguments.len() > 1 {
                return type_.with_arguments(&arguments).map(Value::Type).map_err(|error| error.at(target.span).into());
            }
        }
        access_by_keys(&value, &arguments, &mut |error| self.warn_at(error, whole.span)).map_err(|fault| {
            let place = if let OperandSide::Key(at) = fault.side { keys.get(at).unwrap_or(target) } else { target };
            fault.error.at(place.span).into()
        })
    }

    pub(super) fn run_as_alias<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.is_in_alias, true);
        let outcome = run(self);
        self.is_in_alias = outer;
        outcome
    }

    /// Evaluates keys with `run`; with `names_class`, unknown type names are allowed as in an alias: they are classes.
    fn evaluate_keys<T>(&mut self, names_class: bool, run: impl FnOnce(&mut Self) -> T) -> T {
        if names_class { self.run_as_alias(run) } else { run(self) }
    }

    #[inline(never)]
    fn evaluate_if(&mut self, [condition, then, otherwise]: &[Code; 3]) -> Result<Value, Flow> {
        self.isolate_match_variables(|this| {
            let is_true = match this.borrow_value(condition) {
                Some(value) => value.is_true(),
                None => this.run_code(condition)?.is_true(),
            };
            this.run_code(if is_true { then } else { otherwise })
        })
    }

    #[inline(never)]
    fn evaluate_concatenation(&mut self, parts: &[Code]) -> Result<Value, Flow> {
        let mut text = std::mem::take(&mut self.string_buffer);
        for part in parts {
            match self.borrow_value(part) {
                Some(value) => append_value_text(&mut text, value)?,
                None => append_value_text(&mut text, &self.run_code(part)?)?,
            }
        }
        let value = Value::from(text.as_str());
        text.clear();
        text.shrink_to(1 << 20);
        self.string_buffer = text;
        Ok(value)
    }

    #[inline(never)]
    fn evaluate_chain(&mut self, first: &Code, links: &[ChainLink]) -> Result<Value, Flow> {
        let Some((link, others)) = links.split_first() else { return self.run_code(first) };
        let mut left = match self.apply_to_borrowed(first, link) {
            Some(outcome) if others.is_empty() => return outcome,
            Some(outcome) => outcome?,
            None => match link.reusable_parameter {
                // Then it is the only link.
                Some(slot) => {
                    let right = self.run_code(&link.right)?;
                    let left = match self.frames.take_variable(self.current_frame(), slot) {
                        Some(left) => left,
                        None => self.run_code(first)?,
                    };
                    self.apply_link(left, first.span, link, &right)?
                }
                None => {
                    let left = self.run_code(first)?;
                    self.evaluate_chain_link(left, first.span, link)?
                }
            },
        };
        let mut end = link.right.span;
        for link in others {
            left = self.evaluate_chain_link(left, first.span.union(end), link)?;
            end = link.right.span;
        }
        Ok(left)
    }

    /// Applies an operator to borrowed operands; `None` if one has to be evaluated or copied.
    fn apply_to_borrowed(&mut self, first: &Code, link: &ChainLink) -> Option<Result<Value, Flow>> {
        let (left, right) = (self.borrow_value(first)?, self.borrow_value(&link.right)?);
        match link.operator.body {
            OperatorBody::Strict(_, shortcut) => shortcut.try_fast_path(left, right).map(Ok),
            OperatorBody::Matching { find, is_negated } => {
                let outcome =
                    find(left, right).map_err(|fault| error_at_operand(fault, first.span, link, &self.source));
                Some(outcome.map(|outcome| (self.set_match_variables(outcome) != is_negated).into()))
            }
            OperatorBody::Lazy { .. } | OperatorBody::Relationship | OperatorBody::Prefix(_) | OperatorBody::Unfold => {
                None
            }
        }
    }

    fn evaluate_chain_link(&mut self, left: Value, left_span: Span, link: &ChainLink) -> Result<Value, Flow> {
        match link.operator.body {
            OperatorBody::Lazy { decided_by } if left.is_true() == decided_by => return Ok(decided_by.into()),
            OperatorBody::Strict(_, shortcut) => {
                if let Some(value) =
                    self.borrow_value(&link.right).and_then(|right| shortcut.try_fast_path(&left, right))
                {
                    return Ok(value);
                }
            }
            _ => {}
        }
        let right = self.run_code(&link.right)?;
        self.apply_link(left, left_span, link, &right)
    }

    fn apply_link(&mut self, left: Value, left_span: Span, link: &ChainLink, right: &Value) -> Result<Value, Flow> {
        let span = left_span.union(link.right.span);
        let outcome = match link.operator.body {
            OperatorBody::Strict(apply, shortcut) => match shortcut.try_fast_path(&left, right) {
                Some(value) => return Ok(value),
                None => apply(left, right, &mut |error| self.warn_at(error, span)),
            },
            OperatorBody::Matching { find, is_negated } => {
                find(&left, right).map(|outcome| (self.set_match_variables(outcome) != is_negated).into())
            }
            OperatorBody::Lazy { .. } => Ok(right.is_true().into()),
            OperatorBody::Relationship | OperatorBody::Prefix(_) | OperatorBody::Unfold => {
                return self.evaluate_relationship(&left, right, link.span);
            }
        };
        outcome.map_err(|fault| error_at_operand(fault, left_span, link, &self.source))
    }

    pub(super) fn value_of_variable(&self, place: VariablePlace) -> Option<&Value> {
        match place {
            VariablePlace::Frame { depth, slot } => self.frames.get_variable(self.frame?, depth, slot),
            VariablePlace::Global { slot } => self.environment.program.globals.value_in_slot(slot),
        }
    }

    #[expect(clippy::expect_used, reason = "only bodies have slots, and a body runs in a frame")]
    pub(super) fn current_frame(&self) -> FrameId {
        self.frame.expect("code with slots runs in a frame")
    }

    /// Returns the type `name`. Reports an unknown name, and returns a resource type for it or, in an alias, which may
    /// precede the definition, a type reference that matches nothing.
    pub(super) fn resolve_type_name(&mut self, name: &str, span: Span) -> Result<Value, Flow> {
        let (value, unknown) = self.type_or_unknown_error(name, span)?;
        unknown.map_or(Ok(()), |unknown| self.warn(unknown))?;
        Ok(value)
    }

    fn type_or_unknown_error(&mut self, name: &str, span: Span) -> Result<(Value, Option<Error>), Flow> {
        if let Some(type_) = self.find_alias_type(name)? {
            return Ok((Value::Type(type_), None));
        }
        let reference = || Type::from(TypeReferenceType::for_unknown_name(name));
        let resource = || Value::Type(ResourceType::new(name, None).map_or_else(reference, Type::from));
        if self.environment.find_class_or_define(name)?.is_some() {
            return Ok((resource(), None));
        }
        let is_problem = !self.is_in_alias || self.environment.strictness == Strictness::Warning;
        let unknown = is_problem.then(|| self.environment.unknown_type_error(name).at(span));
        Ok((if self.is_in_alias { Value::Type(reference()) } else { resource() }, unknown))
    }

    fn value_of_unset_variable(&self, variable: &Code, name: &str) -> Result<Value, Flow> {
        let is_local = matches!(variable.op, Op::Local { .. });
        reserved_variable_value(name).filter(|_| !is_local).ok_or_else(|| {
            let known = self.environment.program.globals.iter().map(|(name, _)| name).chain(RESERVED_VARIABLES);
            let known = known.filter(|_| !self.environment.discards_errors);
            let near = nearest(name, known).map(str::to_owned);
            EvalError::UnknownVariable { name: name.to_owned(), near }.at(variable.span).into()
        })
    }
}

fn append_value_text(text: &mut String, value: &Value) -> Result<(), Error> {
    match value {
        Value::String(part) => {
            limits::check_string_bytes(text.len() + part.len())?;
            text.push_str(part);
        }
        Value::Integer(number) => text.push_str(itoa::Buffer::new().format(*number)),
        other => {
            let part = format::try_interpolated_text(other)?;
            limits::check_string_bytes(text.len() + part.len())?;
            text.push_str(&part);
        }
    }
    Ok(())
}

fn error_at_operand(fault: OperandError, left: Span, link: &ChainLink, source: &Source) -> Flow {
    let right = link.right.span;
    let (span, operands) = match fault.side {
        OperandSide::Left => (left, [Some(left), None]),
        OperandSide::Right => (right, [Some(right), None]),
        OperandSide::Whole | OperandSide::Key(_) => (link.span, [Some(left), Some(right)]),
    };
    // `function add($a, $b) { a + b }`: a String that is written without quotes.
    let mut operands = operands.into_iter().flatten().map(|operand| source.slice(operand));
    let word = operands.find(|text| syntax::is_bare_word(text));
    let hint = operator_hint(&fault.error, link);
    let error = fault.error.at(span);
    Flow::Error(match (word, hint) {
        (Some(word), _) => error.with_help_instead(dictionary::bare_word_advice(word)),
        (None, Some(hint)) => error.with_help(hint),
        (None, None) => error,
    })
}

fn operator_hint(error: &Error, link: &ChainLink) -> Option<&'static str> {
    match link.operator.symbol {
        _ if error.code() != "NOT_NUMERIC" || !error.help().is_empty() => None,
        "*" if link.right.is_unfold() => Some("there is no operator for powers: write `$x * $x`"),
        "+" if error.message().contains("got String ") => Some("to join strings, interpolate them: `\"${a}${b}\"`"),
        _ => None,
    }
}

/// Whether `argument` is an Array that `type_` rejects in an alias or in a string that names a type, because Arrays are
/// not replaced by their elements there.
///
/// Observed: Puppet 8.10.
fn is_rejected_array(type_: &Type, argument: &Value) -> bool {
    matches!(argument, Value::Array(_))
        && !type_.row().takes_arrays
        && !matches!(type_, Type::Tuple(_) | Type::Resource(_))
}

/// Converts the arguments of a type in an alias or in a string: an Array in a Tuple, or as the only argument of a
/// Callable, becomes its type; undef as one of two bounds of an Integer or Float becomes `default`.
///
/// Observed: Puppet 8.10; elsewhere it rejects undef as a bound, and such a Callable, as it has no return type.
fn convert_alias_arguments(type_: &Type, mut arguments: Vec<Value>) -> Vec<Value> {
    if matches!(type_, Type::Tuple(_)) || matches!(type_, Type::Callable(_)) && arguments.len() == 1 {
        for argument in arguments.iter_mut().filter(|argument| matches!(argument, Value::Array(_))) {
            *argument = Value::Type(Type::infer_reduced(argument).generalized());
        }
    }
    if matches!(type_, Type::Integer(_) | Type::Float(_)) && arguments.len() == 2 {
        for argument in arguments.iter_mut().filter(|argument| matches!(argument, Value::Undef)) {
            *argument = Value::Default;
        }
    }
    arguments
}
