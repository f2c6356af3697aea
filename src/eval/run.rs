//! The walk over the code.

use std::sync::Arc;

use super::code::{Code, HostCall, Link, Op, Place};
use super::environment::{Environment, Functions};
use super::frame::{FrameId, Frames};
use super::reserved::{RESERVED_VARIABLES, unset};
use super::{Listener, Strictness, error::EvalError, heredoc, template::Rendering};
use crate::dictionary;
use crate::error::{Error, Kind as _};
use crate::functions::{Flow, Runtime as _};
use crate::limits::{self, check_elements};
use crate::operators::access::{access, element};
use crate::operators::{Body, OperandError, Side, describe, matching::MatchVariables};
use crate::text::{Source, Span};
use crate::types::{ResourceType, Type, TypeReferenceType};
use crate::value::Value;
use crate::wording::nearest;
use crate::{format, interrupt, stack, syntax};

pub(crate) struct Evaluator<'w> {
    pub(super) environment: &'w mut Environment,
    pub(super) listen: &'w mut Listener<'w>,
    /// The functions that were known before the program ran, which are not copied to be called.
    pub(super) known: Option<&'w Functions>,
    pub(super) frames: Frames<'w>,
    /// The innermost frame; none outside of all lambdas and functions.
    pub(super) frame: Option<FrameId>,
    /// What the last successful match of a regular expression found: `$0`, `$1` …
    pub(super) found: Option<Arc<MatchVariables>>,
    pub(super) source: Arc<Source>,
    /// Whether the code is that of a type alias.
    pub(super) in_alias: bool,
    /// The aliases, by their keys, that are being evaluated inside each other.
    pub(super) resolving: Vec<String>,
    /// The call that runs, which warnings without a place of their own are about.
    pub(super) call_span: Span,
    /// What the template that runs has rendered; none outside of templates.
    pub(super) rendering: Option<Rendering>,
    pub(super) depth: usize,
    /// The memory in which strings are put together; empty.
    pub(super) text: String,
}

impl<'w> Evaluator<'w> {
    pub(super) fn new(
        environment: &'w mut Environment,
        listen: &'w mut Listener<'w>,
        source: Arc<Source>,
    ) -> Evaluator<'w> {
        Evaluator {
            environment,
            listen,
            known: None,
            frames: Frames::default(),
            frame: None,
            found: None,
            source,
            in_alias: false,
            resolving: Vec::new(),
            call_span: Span::default(),
            rendering: None,
            depth: 0,
            text: String::new(),
        }
    }

    /// The value of `code`. An error has its place when it comes out.
    pub(super) fn run(&mut self, code: &Code) -> Result<Value, Flow> {
        match self.reference(code) {
            Some(value) => Ok(value.clone()),
            // The most frequent ones have a smaller frame of their own.
            None => stack::with_room(|| match &code.op {
                Op::Chain(first, links) => self.chain(first, links),
                Op::Call(call) => self.call_expression(call),
                Op::If(parts) => self.conditional(parts),
                Op::Concatenation(parts) => self.concatenation(parts),
                _ => self.run_compound(code),
            }),
        }
    }

    /// The value of `code` where it is there already: a constant, a variable, an element of one, or an alias that was used
    /// before. `None` if anything has to be done for it, or is wrong with it.
    #[inline]
    pub(super) fn reference<'v>(&'v self, code: &'v Code) -> Option<&'v Value> {
        match &code.op {
            Op::Constant(value) => Some(value),
            Op::Local { depth: 0, slot, .. } => self.frames.get(self.frame?, 0, *slot),
            Op::Chain(..) | Op::Call(_) | Op::If(_) | Op::Block(_) | Op::Concatenation(_) => None,
            _ => self.other_reference(code),
        }
    }

    #[inline(never)]
    fn other_reference<'v>(&'v self, code: &'v Code) -> Option<&'v Value> {
        match &code.op {
            Op::Local { depth, slot, .. } => self.frames.get(self.frame?, *depth, *slot),
            Op::Variable { places, .. } => places.iter().find_map(|place| self.at(*place)),
            Op::Access(target, keys) => match &**keys {
                [key] if target.is_leaf() && key.is_leaf() => element(self.reference(target)?, self.reference(key)?),
                _ => None,
            },
            Op::TypeName { key, .. } => self.environment.known_alias(key),
            _ => None,
        }
    }

    fn run_compound(&mut self, code: &Code) -> Result<Value, Flow> {
        match &code.op {
            Op::Constant(value) => Ok(value.clone()),
            Op::Local { name, .. } | Op::Variable { name, .. } => self.default_or_unknown(code, name),
            Op::MatchVariable(number) => Ok(self.found.as_ref().map_or(Value::Undef, |found| found.group(*number))),
            Op::Array(elements) => Ok(Value::from(self.list(elements)?)),
            Op::Hash(entries) => {
                let mut values = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let key = self.run(key)?;
                    values.push((key, self.run(value)?));
                }
                Ok(Value::Hash(values.into()))
            }
            Op::Prefix(apply, operand) => {
                let value = self.run(operand)?;
                let span = operand.span;
                apply(&value, &mut |error| self.warn_at(error, code.span)).map_err(|fault| fault.error.at(span).into())
            }
            Op::Unfold(operand) => Ok(Value::Array(self.unfolded(operand)?.into())),
            Op::Access(target, keys) => self.access(code, target, keys),
            Op::Selector(subject, options) => self.selector(subject, options),
            Op::Case(subject, options) => self.case(subject, options),
            Op::Assign(target, value) => {
                let value = self.run(value)?;
                self.assign(target, &value)?;
                Ok(value)
            }
            Op::Block(statements) => {
                let Some((last, others)) = statements.split_last() else { return Ok(Value::Undef) };
                for statement in others {
                    self.run(statement)?;
                }
                self.run(last)
            }
            Op::Chain(..) | Op::Call(_) | Op::If(_) | Op::Concatenation(_) => self.run(code),
            Op::TypeName { name, .. } => self.type_named(name, code.span),
            Op::Render(inner) => {
                let value = self.run(inner)?;
                let rendering = self.rendering.as_mut().ok_or_else(|| EvalError::OutsideTemplate.at(code.span))?;
                rendering.push(&value).map_err(|error| error.at(inner.span))?;
                Ok(Value::Undef)
            }
            Op::Resource(resource) => self.resource(resource, code.span),
            Op::Host(HostCall(count, body)) => {
                let argument = |slot| self.frames.get(self.frame(), 0, slot).cloned().unwrap_or_default();
                Ok(body(&(0..*count).map(argument).collect::<Vec<_>>())?)
            }
            Op::Heredoc(language, text) => {
                let value = self.run(text)?;
                if let Value::String(made) = &value {
                    heredoc::check(language, made).map_err(|error| error.at(text.span))?;
                }
                Ok(value)
            }
            Op::Fail(error) => Err(error.clone().at(code.span).into()),
        }
    }

    /// The values of some expressions. They become an Array at the end alone: one that is under way when a limit is reached
    /// would be the last memory that is freed, and keep the allocator from giving back what is below it.
    pub(super) fn list(&mut self, codes: &[Code]) -> Result<Vec<Value>, Flow> {
        let mut values = Vec::with_capacity(codes.len());
        for code in codes {
            match &code.op {
                Op::Unfold(operand) => {
                    let mut unfolded = self.unfolded(operand)?;
                    check_elements(values.len() + unfolded.len())?;
                    values.append(&mut unfolded);
                }
                _ => values.push(self.run(code)?),
            }
        }
        Ok(values)
    }

    fn unfolded(&mut self, operand: &Code) -> Result<Vec<Value>, Flow> {
        match self.run(operand)? {
            Value::Undef => Ok(Vec::new()),
            Value::Array(array) => Ok(interrupt::copied(&[&array])),
            Value::Hash(hash) => {
                Ok(interrupt::each(hash.iter()).map(|(key, value)| [key.clone(), value.clone()].into()).collect())
            }
            Value::Iterator(iterator) => Ok(iterator.elements()?),
            other => Ok(vec![other]),
        }
    }

    /// `target[keys…]`, after [`Evaluator::reference`] found nothing.
    fn access(&mut self, whole: &Code, target: &Code, keys: &[Code]) -> Result<Value, Flow> {
        let (value, mut arguments) = match keys {
            [key] if !key.is_unfold() && self.reference(target).is_some() => {
                let names_class = matches!(self.reference(target), Some(Value::Type(Type::Class(_))));
                let key = self.keys_of(names_class, |this| this.run(key))?;
                let target = self.reference(target);
                if let Some(found) = target.and_then(|target| element(target, &key)) {
                    return Ok(found.clone());
                }
                (target.cloned().unwrap_or(Value::Undef), vec![key])
            }
            _ => {
                // A name that nothing has is the mistake, whatever is in its brackets.
                let (value, unknown) = match &target.op {
                    Op::TypeName { name, .. }
                        if !self.in_alias && self.environment.strictness == Strictness::Warning =>
                    {
                        self.type_or_unknown(name, target.span)?
                    }
                    _ => (self.run(target)?, None),
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
                let keys = self
                    .keys_of(names_class, |this| keys.iter().map(|key| this.run(key)).collect::<Result<Vec<_>, _>>())?;
                if let Some(unknown) = unknown {
                    if access(&value, &keys, &mut |error| self.warn_at(error, whole.span)).is_err() {
                        return Err(unknown.into());
                    }
                    self.warn(unknown)?;
                }
                (value, keys)
            }
        };
        if self.in_alias
            && let Value::Type(type_) = &value
        {
            if let Some((key, array)) = keys.iter().zip(&arguments).find(|(_, array)| is_stray_array(type_, array)) {
                let error = EvalError::ArrayInAlias { type_: type_.name(), got: describe(array) };
                return Err(Error::from(error).at(key.span).into());
            }
            arguments = in_type_text(type_, arguments);
        }
        // In the definition of an alias several titles have to be refused.
        if let Value::Type(type_ @ (Type::Class(_) | Type::Resource(_))) = &value
            && self.in_alias
            && arguments.len() > 1
        {
            return type_.with_arguments(&arguments).map(Value::Type).map_err(|error| error.at(target.span).into());
        }
        access(&value, &arguments, &mut |error| self.warn_at(error, whole.span)).map_err(|fault| {
            let key = fault.key.and_then(|at| keys.get(at));
            fault.error.at(key.map_or(target.span, |key| key.span)).into()
        })
    }

    /// Runs code of a type alias, or what is treated like that.
    pub(super) fn as_alias<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.in_alias, true);
        let outcome = run(self);
        self.in_alias = outer;
        outcome
    }

    /// Evaluates the keys of an access. The name of a class is not that of a type, even if it is written like one.
    fn keys_of<T>(&mut self, names_class: bool, run: impl FnOnce(&mut Self) -> T) -> T {
        if names_class { self.as_alias(run) } else { run(self) }
    }

    #[inline(never)]
    fn conditional(&mut self, [condition, then, otherwise]: &[Code; 3]) -> Result<Value, Flow> {
        self.with_own_matches(|this| {
            let is_true = match this.reference(condition) {
                Some(value) => value.is_true(),
                None => this.run(condition)?.is_true(),
            };
            this.run(if is_true { then } else { otherwise })
        })
    }

    #[inline(never)]
    fn concatenation(&mut self, parts: &[Code]) -> Result<Value, Flow> {
        let mut text = std::mem::take(&mut self.text);
        for part in parts {
            match self.reference(part) {
                Some(value) => push_text(&mut text, value)?,
                None => push_text(&mut text, &self.run(part)?)?,
            }
        }
        let value = Value::from(text.as_str());
        text.clear();
        text.shrink_to(1 << 20);
        self.text = text;
        Ok(value)
    }

    #[inline(never)]
    fn chain(&mut self, first: &Code, links: &[Link]) -> Result<Value, Flow> {
        let Some((link, others)) = links.split_first() else { return self.run(first) };
        let mut left = match self.in_place(first, link) {
            Some(outcome) if others.is_empty() => return outcome,
            Some(outcome) => outcome?,
            None => match link.last_use_of {
                // Then it is the only link.
                Some(slot) => {
                    let right = self.run(&link.right)?;
                    let left = match self.frames.take(self.frame(), slot) {
                        Some(left) => left,
                        None => self.run(first)?,
                    };
                    self.applied(left, first.span, link, &right)?
                }
                None => {
                    let left = self.run(first)?;
                    self.link(left, first.span, link)?
                }
            },
        };
        let mut end = link.right.span;
        for link in others {
            left = self.link(left, first.span.to(end), link)?;
            end = link.right.span;
        }
        Ok(left)
    }

    /// The value of an operator whose operands are there already, so that they need not be copied.
    fn in_place(&mut self, first: &Code, link: &Link) -> Option<Result<Value, Flow>> {
        let (left, right) = (self.reference(first)?, self.reference(&link.right)?);
        match link.operator.body {
            Body::Strict(_, shortcut) => shortcut.apply(left, right).map(Ok),
            Body::Matching { find, is_negated } => {
                let outcome =
                    find(left, right).map_err(|fault| error_at_operand(fault, first.span, link, &self.source));
                Some(outcome.map(|outcome| (self.remember(outcome) != is_negated).into()))
            }
            Body::Lazy { .. } | Body::Relationship | Body::Prefix(_) | Body::Unfold => None,
        }
    }

    fn link(&mut self, left: Value, left_span: Span, link: &Link) -> Result<Value, Flow> {
        match link.operator.body {
            Body::Lazy { decided_by } if left.is_true() == decided_by => return Ok(decided_by.into()),
            Body::Strict(_, shortcut) => {
                if let Some(value) = self.reference(&link.right).and_then(|right| shortcut.apply(&left, right)) {
                    return Ok(value);
                }
            }
            _ => {}
        }
        let right = self.run(&link.right)?;
        self.applied(left, left_span, link, &right)
    }

    fn applied(&mut self, left: Value, left_span: Span, link: &Link, right: &Value) -> Result<Value, Flow> {
        let span = left_span.to(link.right.span);
        let outcome = match link.operator.body {
            Body::Strict(apply, shortcut) => match shortcut.apply(&left, right) {
                Some(value) => return Ok(value),
                None => apply(left, right, &mut |error| self.warn_at(error, span)),
            },
            Body::Matching { find, is_negated } => {
                find(&left, right).map(|outcome| (self.remember(outcome) != is_negated).into())
            }
            Body::Lazy { .. } => Ok(right.is_true().into()),
            Body::Relationship | Body::Prefix(_) | Body::Unfold => return self.relationship(&left, right, link.span),
        };
        outcome.map_err(|fault| error_at_operand(fault, left_span, link, &self.source))
    }

    pub(super) fn at(&self, place: Place) -> Option<&Value> {
        match place {
            Place::Frame { depth, slot } => self.frames.get(self.frame?, depth, slot),
            Place::Global { slot } => self.environment.program.globals.at(slot),
        }
    }

    #[expect(clippy::expect_used, reason = "only bodies have slots, and a body runs in a frame")]
    pub(super) fn frame(&self) -> FrameId {
        self.frame.expect("code with slots runs in a frame")
    }

    /// A name that means nothing is a resource type to be; in an alias, which may come before what it names, it stays
    /// a reference that nothing matches.
    pub(super) fn type_named(&mut self, name: &str, span: Span) -> Result<Value, Flow> {
        let (value, unknown) = self.type_or_unknown(name, span)?;
        unknown.map_or(Ok(()), |unknown| self.warn(unknown))?;
        Ok(value)
    }

    fn type_or_unknown(&mut self, name: &str, span: Span) -> Result<(Value, Option<Error>), Flow> {
        if let Some(type_) = self.alias(name)? {
            return Ok((Value::Type(type_), None));
        }
        let reference = || Type::from(TypeReferenceType::named(name));
        let resource = || Value::Type(ResourceType::new(name, None).map_or_else(reference, Type::from));
        if self.environment.resource_definition(name)?.is_some() {
            return Ok((resource(), None));
        }
        let is_problem = !self.in_alias || self.environment.strictness == Strictness::Warning;
        let unknown = is_problem.then(|| self.environment.unknown_type(name).at(span));
        Ok((if self.in_alias { Value::Type(reference()) } else { resource() }, unknown))
    }

    fn default_or_unknown(&self, variable: &Code, name: &str) -> Result<Value, Flow> {
        let is_local = matches!(variable.op, Op::Local { .. });
        unset(name).filter(|_| !is_local).ok_or_else(|| {
            let known = self.environment.program.globals.iter().map(|(name, _)| name).chain(RESERVED_VARIABLES);
            let known = known.filter(|_| !self.environment.is_unheard);
            let near = nearest(name, known).map(str::to_owned);
            EvalError::UnknownVariable { name: name.to_owned(), near }.at(variable.span).into()
        })
    }
}

impl Environment {
    /// The value of a variable that is set outside of all lambdas and functions.
    pub(super) fn top_variable(&self, name: &str) -> Option<Value> {
        self.program.globals.get(name.strip_prefix("::").unwrap_or(name)).cloned().or_else(|| unset(name))
    }
}

fn push_text(text: &mut String, value: &Value) -> Result<(), Error> {
    match value {
        Value::String(part) => {
            limits::check_string_bytes(text.len() + part.len())?;
            text.push_str(part);
        }
        Value::Integer(number) => text.push_str(itoa::Buffer::new().format(*number)),
        other => {
            let part = format::try_text(other)?;
            limits::check_string_bytes(text.len() + part.len())?;
            text.push_str(&part);
        }
    }
    Ok(())
}

fn error_at_operand(fault: OperandError, left: Span, link: &Link, source: &Source) -> Flow {
    let right = link.right.span;
    let (span, operands) = match fault.side {
        Side::Left => (left, [Some(left), None]),
        Side::Right => (right, [Some(right), None]),
        Side::Whole => (link.span, [Some(left), Some(right)]),
    };
    // `function add($a, $b) { a + b }`: a String that is written without quotes.
    let is_word = |text: &&str| {
        let is_name = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        is_name && text.starts_with(|first: char| first.is_ascii_lowercase()) && !syntax::KEYWORDS.contains(text)
    };
    let word = operands.into_iter().flatten().map(|operand| source.slice(operand)).find(is_word);
    let hint = hint(&fault.error, link);
    let error = fault.error.at(span);
    Flow::Error(match (word, hint) {
        (Some(word), _) => error.with_help_instead(dictionary::on_bare_word(word)),
        (None, Some(hint)) => error.with_help(hint),
        (None, None) => error,
    })
}

/// What to write instead of an operator that other languages have.
fn hint(error: &Error, link: &Link) -> Option<&'static str> {
    match link.operator.symbol {
        _ if error.code() != "NOT_NUMERIC" || !error.help().is_empty() => None,
        "*" if link.right.is_unfold() => Some("there is no operator for powers: write `$x * $x`"),
        "+" if error.message().contains("got String ") => Some("to join strings, interpolate them: `\"${a}${b}\"`"),
        _ => None,
    }
}

/// Whether a type has no place for this argument in the definition of an alias or in a string that names it: nothing takes
/// Arrays apart there.
///
/// Observed: Puppet 8.10.
fn is_stray_array(type_: &Type, argument: &Value) -> bool {
    matches!(argument, Value::Array(_))
        && !type_.row().takes_arrays
        && !matches!(type_, Type::Tuple(_) | Type::Resource(_))
}

/// The arguments of a type named as for [`is_stray_array`]. In a Tuple, and as the only one in `Callable[[1, 2]]`, an Array is
/// replaced by its own type; one of two bounds may be undef for `default`.
///
/// Observed: Puppet 8.10; elsewhere such a Callable has no return type, and is refused, and so is undef.
fn in_type_text(type_: &Type, mut arguments: Vec<Value>) -> Vec<Value> {
    if matches!(type_, Type::Tuple(_)) || matches!(type_, Type::Callable(_)) && arguments.len() == 1 {
        for argument in arguments.iter_mut().filter(|argument| matches!(argument, Value::Array(_))) {
            *argument = Value::Type(Type::reduced_of(argument).generalized());
        }
    }
    if matches!(type_, Type::Integer(_) | Type::Float(_)) && arguments.len() == 2 {
        for argument in arguments.iter_mut().filter(|argument| matches!(argument, Value::Undef)) {
            *argument = Value::Default;
        }
    }
    arguments
}
