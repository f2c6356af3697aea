//! Where variables are: in slots of the frames around, or of the session.

use std::sync::Arc;

use super::Compiler;
use crate::error::{Error, Kind as _};
use crate::eval::code::{Op, Place, Target};
use crate::eval::reserved::{BUILT_IN_VARIABLES, RESERVED_VARIABLES};
use crate::eval::{error::EvalError, frame::narrow};
use crate::syntax::tree::{Expression, Id, Tree};
use crate::text::Span;

#[derive(Default)]
pub(super) struct Scope {
    pub(super) slots: Vec<Slot>,
    pub(super) body: Option<Id>,
    /// A function sees the variables of the session, but none of a scope around its definition.
    pub(super) is_function: bool,
}

pub(super) struct Slot {
    pub(super) name: Arc<str>,
    /// The first assignment of the variable; `None` if the host has set it.
    pub(super) first_set: Option<Span>,
    /// Whether it has a value wherever it is named from here on: a parameter, and what a statement of the body has set.
    pub(super) is_set: bool,
}

impl Slot {
    pub(super) fn unset(name: Arc<str>) -> Slot {
        Slot { name, first_set: None, is_set: false }
    }
}

impl Scope {
    fn position(&self, name: &str) -> Option<usize> {
        self.slots.iter().rposition(|slot| *slot.name == *name)
    }
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
                if let Some(slot) = scope.position(name) {
                    places.push(Place::Frame { depth, slot: narrow(slot) });
                    if scope.slots.get(slot).is_some_and(|slot| slot.is_set) {
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

    /// Notes that the variable of an assignment has a value in what follows the assignment.
    pub(super) fn note_assignment(&mut self, statement: Id) {
        let Expression::Assignment(_, target, _) = &self.tree[statement].expression else { return };
        let Expression::Variable(name) = &self.tree[*target].expression else { return };
        if let Some(scope) = self.scopes.last_mut()
            && let Some(slot) = scope.slots.iter_mut().rfind(|slot| *slot.name == **name)
        {
            slot.is_set = true;
        }
    }

    #[expect(clippy::expect_used, reason = "the names that a body assigns are collected before it is compiled")]
    fn place_to_assign(&mut self, name: &str) -> Place {
        match self.scopes.last() {
            Some(scope) => Place::Frame { depth: 0, slot: narrow(scope.position(name).expect("the slot of the name")) },
            None => Place::Global { slot: self.environment.program.globals.slot(name) },
        }
    }

    /// Where the body around sets the variable before `span`, which counts from here on.
    fn earlier(&mut self, place: Place, span: Span) -> Option<Span> {
        let Place::Frame { slot, .. } = place else { return None };
        let first_set = &mut self.scopes.last_mut()?.slots.get_mut(slot as usize)?.first_set;
        let earlier = *first_set;
        first_set.get_or_insert(span);
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
pub(super) fn assigned_names(tree: &Tree, body: Id, slots: &mut Vec<Slot>) {
    let mut pending = vec![body];
    while let Some(id) = pending.pop() {
        match &tree[id].expression {
            Expression::Lambda { .. } => {}
            Expression::Assignment(_, target, value) => {
                target_names(tree, *target, slots);
                pending.push(*value);
            }
            expression => expression.each_child(&mut |child| pending.push(child)),
        }
    }
}

fn target_names(tree: &Tree, target: Id, slots: &mut Vec<Slot>) {
    match &tree[target].expression {
        Expression::Variable(name) if !slots.iter().any(|known| *known.name == **name) => {
            slots.push(Slot::unset((&**name).into()));
        }
        Expression::Array(elements) => elements.iter().for_each(|element| target_names(tree, *element, slots)),
        _ => {}
    }
}
