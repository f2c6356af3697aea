//! Where variables live while a program runs: frames for lambdas and functions, and the variables of the session.
//!
//! A variable is set once: a slot is a `OnceLock`, so a second assignment cannot happen by mistake. Frames are shared,
//! because a lambda sees the variables around it.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::text::{Source, Span};
use crate::value::Value;

/// The variables of one call.
#[derive(Debug, Default)]
pub(super) struct Frame {
    /// The names of the slots, for those who ask by name.
    pub(super) names: Option<Arc<[Arc<str>]>>,
    pub(super) slots: Vec<OnceLock<Value>>,
    pub(super) parent: Option<Arc<Frame>>,
}

impl Frame {
    /// The frame `depth` levels out.
    pub(super) fn outer(&self, depth: u32) -> &Frame {
        let mut frame = self;
        for _ in 0..depth {
            frame = frame.parent.as_ref().expect("the compiler counts the frames");
        }
        frame
    }

    pub(super) fn get(&self, slot: u32) -> Option<&Value> {
        self.slots[slot as usize].get()
    }

    /// The variable of that name in this very frame.
    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        let slot = self.names.as_ref()?.iter().rposition(|known| **known == *name)?;
        self.slots.get(slot)?.get()
    }
}

/// The variables of the session, by name.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    names: FxHashMap<Arc<str>, u32>,
    variables: Vec<Variable>,
}

#[derive(Debug)]
struct Variable {
    name: Arc<str>,
    value: Option<Value>,
    /// The assignment that gave it its value.
    assigned_at: Option<(Arc<Source>, Span)>,
}

impl Globals {
    /// The slot of the variable, a new one for a new name.
    pub(super) fn slot(&mut self, name: &str) -> u32 {
        if let Some(&slot) = self.names.get(name) {
            return slot;
        }
        let slot = u32::try_from(self.variables.len()).expect("fewer than 2^32 variables fit into memory");
        let name: Arc<str> = name.into();
        self.names.insert(name.clone(), slot);
        self.variables.push(Variable { name, value: None, assigned_at: None });
        slot
    }

    pub(super) fn at(&self, slot: u32) -> Option<&Value> {
        self.variables[slot as usize].value.as_ref()
    }

    /// The assignment that gave the variable its value; none when it was set from outside of a program.
    pub(super) fn assigned_at(&self, slot: u32) -> Option<&(Arc<Source>, Span)> {
        self.variables[slot as usize].assigned_at.as_ref()
    }

    pub(super) fn name(&self, slot: u32) -> &Arc<str> {
        &self.variables[slot as usize].name
    }

    /// Sets the variable, whether or not it was set before.
    pub(super) fn put(&mut self, slot: u32, value: Value, assigned_at: Option<(Arc<Source>, Span)>) {
        let variable = &mut self.variables[slot as usize];
        variable.value = Some(value);
        variable.assigned_at = assigned_at;
    }

    /// The value of a variable.
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.at(*self.names.get(name)?)
    }

    /// Sets a variable from outside of a program, whether or not it was set before.
    pub(crate) fn set(&mut self, name: &str, value: Value) {
        let slot = self.slot(name);
        self.put(slot, value, None);
    }

    /// Frees the name again; tells whether it was set.
    pub(crate) fn unset(&mut self, name: &str) -> bool {
        let slot = self.names.get(name).copied();
        slot.is_some_and(|slot| self.variables[slot as usize].value.take().is_some())
    }

    /// The variables that are set, in the order in which they were first named.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.variables.iter().filter_map(|variable| Some((&*variable.name, variable.value.as_ref()?)))
    }
}
