//! The walk over the code.

use std::fmt::Write;
use std::sync::Arc;

use super::code::{Code, Link, Operator, Place, Step, Target, TargetKind};
use super::compile::RESERVED_VARIABLES;
use super::error::Misuse;
use super::frame::Frame;
use super::template::Rendering;
use super::world::World;
use super::{Listener, Strictness};
use crate::error::Error;
use crate::format;
use crate::functions::Exit;
use crate::limits::{self, check_elements};
use crate::operators::access::access;
use crate::operators::matching::Found;
use crate::operators::{self, OperandError, Side};
use crate::stack;
use crate::text::{Source, Span};
use crate::types::{self, ResourceType, Type, TypeReferenceType};
use crate::value::{Hash, Value};

/// One program on its way.
pub(crate) struct Evaluator<'w> {
    pub(super) world: &'w mut World,
    pub(super) listen: &'w mut Listener<'w>,
    /// The innermost frame; none outside of all lambdas and functions.
    pub(super) frame: Option<Arc<Frame>>,
    /// What the last successful match of a regular expression found: `$0`, `$1` …
    pub(super) found: Option<Arc<Found>>,
    /// The text of the code that runs.
    pub(super) source: Arc<Source>,
    /// Whether the code is that of a type alias.
    pub(super) in_alias: bool,
    /// The aliases, by their keys, that are being evaluated inside each other.
    pub(super) resolving: Vec<String>,
    /// The call that runs, which warnings without a place of their own are about.
    pub(super) call_span: Span,
    /// What the template that runs has rendered; none outside of templates.
    pub(super) rendering: Option<Rendering>,
    /// Calls of lambdas and functions inside each other.
    pub(super) depth: usize,
    /// Frames nobody holds any more, to be used again.
    pub(super) spare: Vec<Arc<Frame>>,
}

impl<'w> Evaluator<'w> {
    pub(super) fn new(world: &'w mut World, listen: &'w mut Listener<'w>, source: Arc<Source>) -> Evaluator<'w> {
        Evaluator {
            world,
            listen,
            frame: None,
            found: None,
            source,
            in_alias: false,
            resolving: Vec::new(),
            call_span: Span::default(),
            rendering: None,
            depth: 0,
            spare: Vec::new(),
        }
    }

    /// The value of `code`. An error has its place when it comes out.
    #[inline]
    pub(super) fn run(&mut self, code: &Code) -> Result<Value, Exit> {
        match &code.step {
            Step::Constant(value) => Ok(value.clone()),
            Step::Local { depth, slot, name } => match self.frame().outer(*depth).get(*slot) {
                Some(value) => Ok(value.clone()),
                None => Err(self.unknown_variable(name, code.span)),
            },
            Step::Global { slot } => match self.world.globals.at(*slot) {
                Some(value) => Ok(value.clone()),
                None => {
                    let name = self.world.globals.name(*slot).clone();
                    unset(&name).ok_or_else(|| self.unknown_variable(&name, code.span))
                }
            },
            _ => stack::with_room(|| self.run_compound(code)),
        }
    }

    fn run_compound(&mut self, code: &Code) -> Result<Value, Exit> {
        match &code.step {
            Step::Constant(_) | Step::Local { .. } | Step::Global { .. } => self.run(code),
            Step::Variable { places, name } => {
                let value = places.iter().find_map(|place| self.at(*place));
                value.cloned().or_else(|| unset(name)).ok_or_else(|| self.unknown_variable(name, code.span))
            }
            Step::Unknown(name) => unset(name).ok_or_else(|| self.unknown_variable(name, code.span)),
            Step::MatchVariable(number) => Ok(self.found.as_ref().map_or(Value::Undef, |found| found.group(*number))),
            Step::Concatenation(parts) => self.concatenation(parts),
            Step::Array(elements) => Ok(Value::Array(self.list(elements)?.into())),
            Step::Hash(entries) => {
                let mut hash = Hash::default();
                for (key, value) in entries {
                    let key = self.run(key)?;
                    hash.insert(key, self.run(value)?);
                }
                Ok(Value::Hash(hash))
            }
            Step::Chain(first, links) => self.chain(first, links),
            Step::Not(operand) => Ok((!self.run(operand)?.is_true()).into()),
            Step::Negate(operand) => {
                let value = self.run(operand)?;
                let span = operand.span;
                operators::negated(&value, &mut self.host(code.span)).map_err(|fault| fault.error.at(span).into())
            }
            Step::Unfold(operand) => Ok(Value::Array(self.unfolded(operand)?.into())),
            Step::Access(target, keys) => {
                let value = self.run(target)?;
                if matches!((&target.step, &value), (Step::TypeName(_), Value::Type(Type::TypeReference(_)))) {
                    // What is unknown is spoken of with all that was written.
                    let text = self.source.slice(code.span).into();
                    return Ok(Value::Type(TypeReferenceType { text }.into()));
                }
                // An unfolded key stays one, as what it unfolds to.
                // The name of a class is not that of a type, even where it is written like one.
                let names_class = matches!(value, Value::Type(Type::Class(_)));
                let outer = self.in_alias;
                self.in_alias |= names_class;
                let arguments = keys.iter().map(|key| self.run(key)).collect::<Result<Vec<_>, _>>();
                self.in_alias = outer;
                let arguments = arguments?;
                access(&value, &arguments, &mut self.host(code.span)).map_err(|fault| {
                    let key = fault.key.and_then(|at| keys.get(at));
                    fault.error.at(key.map_or(target.span, |key| key.span)).into()
                })
            }
            Step::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                self.with_own_matches(
                    |this| {
                        if this.run(condition)?.is_true() { this.run(then) } else { this.run(otherwise) }
                    },
                )
            }
            Step::Selector(subject, options) => self.selector(subject, options),
            Step::Case(subject, options) => self.case(subject, options),
            Step::Assign(target, value) => {
                let value = self.run(value)?;
                self.assign(target, &value)?;
                Ok(value)
            }
            Step::Block(statements) => {
                let mut last = Value::Undef;
                for statement in statements {
                    last = self.run(statement)?;
                }
                Ok(last)
            }
            Step::Call(call) => self.call_expression(call),
            Step::TypeName(name) => self.type_named(name, code.span),
            Step::RenderText(text) => {
                self.rendering(code.span)?.push_text(text)?;
                Ok(Value::Undef)
            }
            Step::Render(inner) => {
                let value = self.run(inner)?;
                self.rendering(code.span)?.push(&value).map_err(|error| error.at(inner.span))?;
                Ok(Value::Undef)
            }
            Step::Resource(resource) => self.resource(resource, code.span),
            Step::Fail(error) => Err(error.clone().at(code.span).into()),
        }
    }

    fn rendering(&mut self, span: Span) -> Result<&mut Rendering, Exit> {
        self.rendering.as_mut().ok_or_else(|| Error::from(Misuse::OutsideTemplate).at(span).into())
    }

    /// The elements of a list, those after `*` unfolded.
    pub(super) fn list(&mut self, codes: &[Code]) -> Result<Vec<Value>, Exit> {
        let mut values = Vec::with_capacity(codes.len());
        for code in codes {
            match &code.step {
                Step::Unfold(operand) => {
                    let mut unfolded = self.unfolded(operand)?;
                    check_elements(values.len() + unfolded.len())?;
                    values.append(&mut unfolded);
                }
                _ => values.push(self.run(code)?),
            }
        }
        Ok(values)
    }

    /// What `*operand` stands for in a list.
    fn unfolded(&mut self, operand: &Code) -> Result<Vec<Value>, Exit> {
        match self.run(operand)? {
            Value::Undef => Ok(Vec::new()),
            Value::Array(array) => Ok(array.to_vec()),
            Value::Hash(hash) => {
                Ok(hash.iter().map(|(key, value)| Value::from(vec![key.clone(), value.clone()])).collect())
            }
            Value::Iterator(iterator) => Ok(iterator.elements()?),
            other => Ok(vec![other]),
        }
    }

    fn concatenation(&mut self, parts: &[Code]) -> Result<Value, Exit> {
        let mut text = String::new();
        for part in parts {
            match self.run(part)? {
                Value::String(part) => {
                    limits::check_string_bytes(text.len() + part.len())?;
                    text.push_str(&part);
                }
                Value::Integer(number) => {
                    let _ = write!(text, "{number}"); // OK because writing to a String cannot fail.
                }
                other => {
                    let part = format::try_text(&other)?;
                    limits::check_string_bytes(text.len() + part.len())?;
                    text.push_str(&part);
                }
            }
        }
        Ok(text.into())
    }

    fn chain(&mut self, first: &Code, links: &[Link]) -> Result<Value, Exit> {
        let mut left = self.run(first)?;
        let mut left_span = first.span;
        for link in links {
            let whole = left_span.to(link.right.span);
            let place = |fault: OperandError| {
                let span = match fault.side {
                    Side::Left => left_span,
                    Side::Right => link.right.span,
                    Side::Whole => link.span,
                };
                Exit::Error(fault.error.at(span))
            };
            left = match link.operator {
                Operator::Eager(apply) => {
                    let right = self.run(&link.right)?;
                    apply(&left, &right, &mut self.host(whole)).map_err(place)?
                }
                Operator::In => {
                    let right = self.run(&link.right)?;
                    let outcome = operators::is_in(&left, &right).map_err(place)?;
                    self.remember(outcome).into()
                }
                Operator::Match => {
                    let right = self.run(&link.right)?;
                    let outcome = operators::matches(&left, &right).map_err(place)?;
                    self.remember(outcome).into()
                }
                Operator::NoMatch => {
                    let right = self.run(&link.right)?;
                    let outcome = operators::matches(&left, &right).map_err(place)?;
                    (!self.remember(outcome)).into()
                }
                Operator::Relationship(operator) => {
                    let right = self.run(&link.right)?;
                    return Err(Evaluator::relationship(operator, &left, &right, link.span));
                }
                Operator::And => (left.is_true() && self.run(&link.right)?.is_true()).into(),
                Operator::Or => (left.is_true() || self.run(&link.right)?.is_true()).into(),
            };
            left_span = whole;
        }
        Ok(left)
    }

    fn assign(&mut self, target: &Target, value: &Value) -> Result<(), Exit> {
        let refuse = |misuse: Misuse| Err(Error::from(misuse).at(target.span).into());
        match &target.kind {
            TargetKind::Variable { name, place: Place::Global { slot }, .. } => {
                if self.world.globals.at(*slot).is_some() {
                    let first = self.world.globals.assigned_at(*slot);
                    return Err(reassignment(name, target.span, first).into());
                }
                self.world.globals.put(*slot, value.clone(), Some((self.source.clone(), target.span)));
                Ok(())
            }
            TargetKind::Variable { name, place: Place::Frame { slot, .. }, earlier } => {
                match self.frame().slots[*slot as usize].set(value.clone()) {
                    Ok(()) => Ok(()),
                    Err(_) => {
                        let first = earlier.map(|span| (self.source.clone(), span));
                        Err(reassignment(name, target.span, first.as_ref()).into())
                    }
                }
            }
            TargetKind::List(targets) => match value {
                Value::Array(values) if values.len() == targets.len() => {
                    targets.iter().zip(values.iter()).try_for_each(|(target, value)| self.assign(target, value))
                }
                Value::Array(values) => refuse(Misuse::AssignmentSize { expected: targets.len(), got: values.len() }),
                Value::Hash(hash) => targets.iter().try_for_each(|target| match &target.kind {
                    TargetKind::Variable { name, .. } => match hash.get_str(name) {
                        Some(value) => self.assign(target, value),
                        None => refuse(Misuse::AssignmentKey(name.to_string())),
                    },
                    // A list in a list is a key as well, and no Hash of a program has it.
                    TargetKind::List(targets) => match hash.get(&names_of(targets)) {
                        Some(value) => self.assign(target, value),
                        None => refuse(Misuse::AssignmentKey(format::program_text(&names_of(targets)))),
                    },
                }),
                // One value counts as a list of one.
                other => match &**targets {
                    [only] => self.assign(only, other),
                    _ => refuse(Misuse::AssignmentSize { expected: targets.len(), got: 1 }),
                },
            },
        }
    }

    fn at(&self, place: Place) -> Option<&Value> {
        match place {
            Place::Frame { depth, slot } => self.frame().outer(depth).get(slot),
            Place::Global { slot } => self.world.globals.at(slot),
        }
    }

    fn frame(&self) -> &Frame {
        self.frame.as_ref().expect("code with slots runs in a frame")
    }

    /// A name that means nothing is a resource type to be; in an alias, which may come before what it names, it stays
    /// a reference that nothing matches.
    pub(super) fn type_named(&mut self, name: &str, span: Span) -> Result<Value, Exit> {
        if let Some(type_) = self.alias(name)? {
            return Ok(Value::Type(type_));
        }
        if self.world.resource_definition(name)?.is_some() {
            let resource = ResourceType::new(name, None).expect("the grammar lets only names of types be references");
            return Ok(Value::Type(resource.into()));
        }
        let rows = types::visible().map(|row| row.name);
        let resources = Type::core_resource_names().iter().copied();
        let known = rows.chain(resources).map(str::to_owned).chain(self.world.alias_names());
        let near = nearest(name, known);
        let unknown = Error::from(Misuse::UnknownType { name: name.to_owned(), near }).at(span);
        if self.in_alias {
            if self.world.strictness == Strictness::Warning {
                self.warn(unknown)?;
            }
            return Ok(Value::Type(TypeReferenceType { text: name.into() }.into()));
        }
        self.warn(unknown)?;
        let resource = ResourceType::new(name, None).expect("the grammar lets only names of types be references");
        Ok(Value::Type(resource.into()))
    }

    fn unknown_variable(&self, name: &str, span: Span) -> Exit {
        let known = self.world.globals.iter().map(|(name, _)| name.to_owned());
        let near = nearest(name, known);
        Exit::Error(Error::from(Misuse::UnknownVariable { name: name.to_owned(), near }).at(span))
    }
}

/// What a variable of Puppet itself is that nobody has set: of a node nothing is known.
pub(super) fn unset(name: &str) -> Option<Value> {
    let name = name.strip_prefix("::").unwrap_or(name);
    RESERVED_VARIABLES.contains(&name).then(|| Value::Hash(Hash::default()))
}

/// The names of the variables of a list as an array.
fn names_of(targets: &[Target]) -> Value {
    let name = |target: &Target| match &target.kind {
        TargetKind::Variable { name, .. } => Value::from(&**name),
        TargetKind::List(targets) => names_of(targets),
    };
    Value::from(targets.iter().map(name).collect::<Vec<_>>())
}

/// The error of a second value for a variable, and where it got its first.
fn reassignment(name: &str, at: Span, first: Option<&(Arc<Source>, Span)>) -> Error {
    let error = Error::from(Misuse::Reassignment(name.to_owned())).at(at);
    match first {
        Some((source, span)) => error.with_label_in(source, *span, "first set here"),
        None => error,
    }
}

/// The names most like `name`, the nearest first.
pub(super) fn nearest(name: &str, known: impl Iterator<Item = String>) -> Vec<String> {
    const MOST_DIFFERENT: f64 = 0.6;
    let wanted = name.to_lowercase();
    let mut near: Vec<(f64, String)> = known
        .map(|known| (strsim::normalized_damerau_levenshtein(&wanted, &known.to_lowercase()), known))
        .filter(|(likeness, _)| *likeness >= MOST_DIFFERENT)
        .collect();
    near.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    near.into_iter().take(3).map(|(_, name)| name).collect()
}
