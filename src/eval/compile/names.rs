//! Resolves variables to slots of the enclosing frames or of the global variables.

use std::sync::Arc;

use super::Compiler;
use crate::error::{Error, Kind as _};
use crate::eval::code::{AssignmentTarget, Op, VariablePlace};
use crate::eval::reserved::{BUILT_IN_VARIABLES, RESERVED_VARIABLES};
use crate::eval::{error::EvalError, frame::to_u32};
use crate::syntax::tree::{Expression, Id, Tree};
use crate::text::Span;

#[derive(Default)]
pub(super) struct Scope {
    pub(super) slots: Vec<VariableSlot>,
    pub(super) body: Option<Id>,
    /// Whether the scope is a function, which sees global variables but none of the scopes around its definition.
    pub(super) is_function: bool,
}

pub(super) struct VariableSlot {
    pub(super) name: Arc<str>,
    /// The location of the parameter, or of the first assignment compiled so far; `None` if there is none yet.
    pub(super) first_set_span: Option<Span>,
    /// Whether code compiled from here on always finds a value: of a parameter, or from an earlier statement.
    pub(super) is_always_set: bool,
}

impl VariableSlot {
    pub(super) fn unassigned_slot(name: Arc<str>) -> VariableSlot {
        VariableSlot { name, first_set_span: None, is_always_set: false }
    }
}

impl Compiler<'_> {
    pub(super) fn compile_variable(&mut self, name: &str) -> Op {
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
                if let Some(slot) = scope.slots.iter().rposition(|slot| *slot.name == *name) {
                    places.push(VariablePlace::Frame { depth, slot: to_u32(slot) });
                    if scope.slots.get(slot).is_some_and(|slot| slot.is_always_set) {
                        return variable_op(places, name);
                    }
                }
                if scope.is_function {
                    break;
                }
            }
        }
        places.push(VariablePlace::Global { slot: self.environment.program.globals.slot_for_name(plain) });
        variable_op(places, plain)
    }

    pub(super) fn compile_assign_target(&mut self, id: Id) -> Result<AssignmentTarget, Error> {
        let span = self.tree[id].span;
        match &self.tree[id].expression {
            Expression::Variable(name) => {
                let misuse: fn(String) -> EvalError = match &**name {
                    name if name.parse::<u64>().is_ok() => EvalError::AssignToMatchVariable,
                    name if name.contains("::") => |_| EvalError::Invalid,
                    name if RESERVED_VARIABLES.contains(&name) => EvalError::AssignToReserved,
                    name if self.scopes.is_empty() && BUILT_IN_VARIABLES.contains(&name) => EvalError::AssignToBuiltIn,
                    name => {
                        let (place, earlier) = self.slot_to_assign(name, span);
                        return Ok(AssignmentTarget::Variable { span, name: name.into(), place, earlier });
                    }
                };
                Err(misuse(name.to_string()).at(span))
            }
            Expression::Array(elements) => Ok(AssignmentTarget::List(
                span,
                elements.iter().map(|id| self.compile_assign_target(*id)).collect::<Result<_, _>>()?,
            )),
            _ => Err(EvalError::Invalid.at(span)),
        }
    }

    pub(super) fn mark_definitely_assigned(&mut self, statement: Id) {
        let Expression::Assignment(_, target, _) = &self.tree[statement].expression else { return };
        let Expression::Variable(name) = &self.tree[*target].expression else { return };
        if let Some(scope) = self.scopes.last_mut()
            && let Some(slot) = scope.slots.iter_mut().rfind(|slot| *slot.name == **name)
        {
            slot.is_always_set = true;
        }
    }

    /// Also returns where the current body set the variable before; if it did not, records `span` as the first location.
    fn slot_to_assign(&mut self, name: &str, span: Span) -> (VariablePlace, Option<Span>) {
        // The names that a body assigns are collected before it is compiled.
        let mut slots = self.scopes.last_mut().into_iter().flat_map(|scope| scope.slots.iter_mut().enumerate().rev());
        match slots.find(|(_, slot)| *slot.name == *name) {
            Some((at, slot)) => {
                let earlier = slot.first_set_span;
                slot.first_set_span.get_or_insert(span);
                (VariablePlace::Frame { depth: 0, slot: to_u32(at) }, earlier)
            }
            None => (VariablePlace::Global { slot: self.environment.program.globals.slot_for_name(name) }, None),
        }
    }
}

fn variable_op(places: Vec<VariablePlace>, name: &str) -> Op {
    match places[..] {
        [VariablePlace::Frame { depth, slot }] => Op::Local { depth, slot, name: name.into() },
        _ => Op::Variable { places: places.into(), name: name.into() },
    }
}

/// Adds a slot for each variable that a body assigns, except in nested lambdas.
pub(super) fn collect_assigned_names(tree: &Tree, body: Id, slots: &mut Vec<VariableSlot>) {
    let mut pending = vec![body];
    while let Some(id) = pending.pop() {
        match &tree[id].expression {
            Expression::Lambda { .. } => {}
            Expression::Assignment(_, target, value) => {
                collect_target_names(tree, *target, slots);
                pending.push(*value);
            }
            expression => expression.for_each_child(&mut |child| pending.push(child)),
        }
    }
}

fn collect_target_names(tree: &Tree, target: Id, slots: &mut Vec<VariableSlot>) {
    match &tree[target].expression {
        Expression::Variable(name) if !slots.iter().any(|known| *known.name == **name) => {
            slots.push(VariableSlot::unassigned_slot((&**name).into()));
        }
        Expression::Array(elements) => elements.iter().for_each(|element| collect_target_names(tree, *element, slots)),
        _ => {}
    }
}
