//! Where variables are: in slots of the frames around, or of the session.

use std::sync::Arc;

use super::Compiler;
use crate::error::{Error, Kind as _};
use crate::eval::code::{Op, Place, Target};
use crate::eval::error::EvalError;
use crate::eval::frame::narrow;
use crate::eval::reserved::{BUILT_IN_VARIABLES, RESERVED_VARIABLES};
use crate::syntax::tree::{Expression, Id, Tree};
use crate::text::Span;

#[derive(Default)]
pub(super) struct Scope {
    pub(super) names: Vec<Arc<str>>,
    /// Where each was first set, in the same order; empty where nobody knows.
    pub(super) first_set: Vec<Option<Span>>,
    /// Which of them have a value wherever they are named from here on: parameters, and what a statement of the body has
    /// set.
    pub(super) is_set: Vec<bool>,
    pub(super) body: Option<Id>,
    /// A function sees the variables of the session, but none of a scope around its definition.
    pub(super) is_function: bool,
}

impl Compiler<'_> {
    pub(super) fn variable(&mut self, name: &str) -> Op {
        if let Ok(number) = name.parse() {
            return Op::MatchVariable(number);
        }
        let global_name = name.strip_prefix("::");
        let plain = global_name.unwrap_or(name);
        if plain.contains("::") {
            return Op::Variable { places: Box::default(), name: name.into() };
        }
        let mut places = Vec::new();
        if global_name.is_none() {
            for (depth, scope) in (0..).zip(self.scopes.iter().rev()) {
                if let Some(slot) = scope.names.iter().rposition(|known| **known == *name) {
                    places.push(Place::Frame { depth, slot: narrow(slot) });
                    if scope.is_set.get(slot) == Some(&true) {
                        return one_of(places, name);
                    }
                }
                if scope.is_function {
                    break;
                }
            }
        }
        places.push(Place::Global { slot: self.environment.program.globals.slot(plain) });
        one_of(places, plain)
    }

    pub(super) fn target(&mut self, id: Id) -> Result<Target, Error> {
        let span = self.tree[id].span;
        match &self.tree[id].expression {
            Expression::Variable(name) => {
                let refuse = |misuse: EvalError| Err(misuse.at(span));
                if name.parse::<u64>().is_ok() {
                    return refuse(EvalError::AssignToMatchVariable(name.to_string()));
                }
                if name.contains("::") {
                    return refuse(EvalError::AssignAcrossScopes(name.to_string()));
                }
                if RESERVED_VARIABLES.contains(&&**name) {
                    return refuse(EvalError::AssignToReserved(name.to_string()));
                }
                if self.scopes.is_empty() && BUILT_IN_VARIABLES.contains(&&**name) {
                    return refuse(EvalError::AssignToBuiltIn(name.to_string()));
                }
                let place = self.place_to_assign(name);
                Ok(Target::Variable { span, name: (&**name).into(), place, earlier: self.earlier(place, span) })
            }
            Expression::Array(elements) => {
                Ok(Target::List(span, elements.iter().map(|id| self.target(*id)).collect::<Result<_, _>>()?))
            }
            _ => Err(EvalError::AssignToOther.at(span)),
        }
    }

    /// Notes that the variables of an assignment have a value behind it.
    pub(super) fn note_assignment(&mut self, statement: Id) {
        let Expression::Assignment(_, target, _) = &self.tree[statement].expression else { return };
        let Expression::Variable(name) = &self.tree[*target].expression else { return };
        if let Some(scope) = self.scopes.last_mut()
            && let Some(slot) = scope.names.iter().rposition(|known| **known == **name)
            && let Some(is_set) = scope.is_set.get_mut(slot)
        {
            *is_set = true;
        }
    }

    #[expect(clippy::expect_used, reason = "the names that a body assigns are collected before it is compiled")]
    fn place_to_assign(&mut self, name: &str) -> Place {
        match self.scopes.last() {
            Some(scope) => {
                let slot = scope.names.iter().rposition(|known| **known == *name);
                Place::Frame { depth: 0, slot: narrow(slot.expect("the slot of the name")) }
            }
            None => Place::Global { slot: self.environment.program.globals.slot(name) },
        }
    }

    /// Where the body around sets the variable before `span`, which counts from here on.
    fn earlier(&mut self, place: Place, span: Span) -> Option<Span> {
        let Place::Frame { slot, .. } = place else { return None };
        let first = self.scopes.last_mut()?.first_set.get_mut(slot as usize)?;
        let earlier = *first;
        first.get_or_insert(span);
        earlier
    }
}

fn one_of(places: Vec<Place>, name: &str) -> Op {
    match places[..] {
        [Place::Frame { depth, slot }] => Op::Local { depth, slot, name: name.into() },
        _ => Op::Variable { places: places.into(), name: name.into() },
    }
}

/// The names assigned in a body, without those in lambdas inside it.
pub(super) fn assigned_names(tree: &Tree, body: Id, names: &mut Vec<Arc<str>>) {
    let mut pending = vec![body];
    while let Some(id) = pending.pop() {
        match &tree[id].expression {
            Expression::Lambda { .. } => {}
            Expression::Assignment(_, target, value) => {
                target_names(tree, *target, names);
                pending.push(*value);
            }
            expression => expression.each_child(&mut |child| pending.push(child)),
        }
    }
}

fn target_names(tree: &Tree, target: Id, names: &mut Vec<Arc<str>>) {
    match &tree[target].expression {
        Expression::Variable(name) if !names.iter().any(|known| **known == **name) => names.push((&**name).into()),
        Expression::Array(elements) => {
            for element in elements {
                target_names(tree, *element, names);
            }
        }
        _ => {}
    }
}
