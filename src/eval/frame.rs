//! Where variables live while a program runs: frames for lambdas and functions, and the variables of the session.
//!
//! Nothing keeps a block longer than the call it was given to: so the frames of all calls that are under way lie one
//! above the other on one stack, a call takes no memory of its own, and a block knows the frame around it by its place.

#![expect(clippy::indexing_slicing, reason = "slots and frames are counted when the code is compiled")]

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::text::{Source, Span};
use crate::value::Value;

/// The frames of the calls that are under way.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The variables of all of them; none where a variable has no value yet.
    slots: Vec<Option<Value>>,
    frames: Vec<Frame>,
}

/// The variables of one call.
#[derive(Debug)]
struct Frame {
    id: FrameId,
    /// The names of the slots, for those who ask by name.
    names: Arc<[Arc<str>]>,
    /// The frame around the lambda.
    parent: Option<FrameId>,
}

/// Where a frame is on the stack.
#[derive(Clone, Copy, Debug)]
pub(super) struct FrameId {
    number: u32,
    /// Its first slot.
    first: u32,
}

impl FrameId {
    #[inline]
    fn slot(self, slot: u32) -> usize {
        self.first as usize + slot as usize
    }
}

impl Frames {
    /// A frame for the variables of that names, with no value yet.
    pub(super) fn push(&mut self, names: &Arc<[Arc<str>]>, parent: Option<FrameId>) -> FrameId {
        let id = FrameId { number: narrow(self.frames.len()), first: narrow(self.slots.len()) };
        self.slots.resize_with(self.slots.len() + names.len(), || None);
        self.frames.push(Frame { id, names: names.clone(), parent });
        id
    }

    pub(super) fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.slots.truncate(frame.id.slot(0));
        }
    }

    /// Takes the variables of the newest frame, which is `frame`, their values, from the slot `from` on.
    pub(super) fn clear(&mut self, frame: FrameId, from: usize) {
        self.slots[frame.slot(0) + from..].fill(None);
    }

    /// The variable `slot` of the frame that is `depth` levels around `frame`.
    #[inline]
    pub(super) fn get(&self, frame: FrameId, depth: u32, slot: u32) -> Option<&Value> {
        let frame = if depth == 0 { frame } else { self.outer(frame, depth) };
        self.slots[frame.slot(slot)].as_ref()
    }

    #[expect(clippy::expect_used, reason = "the compiler counts the frames")]
    fn outer(&self, frame: FrameId, depth: u32) -> FrameId {
        let outer = (0..depth).try_fold(frame, |frame, _| self.parent(frame));
        outer.expect("a frame around it")
    }

    #[inline]
    pub(super) fn set(&mut self, frame: FrameId, slot: u32, value: Value) {
        self.slots[frame.slot(slot)] = Some(value);
    }

    pub(super) fn take(&mut self, frame: FrameId, slot: u32) -> Option<Value> {
        self.slots[frame.slot(slot)].take()
    }

    pub(super) fn parent(&self, frame: FrameId) -> Option<FrameId> {
        self.frames[frame.number as usize].parent
    }

    /// `innermost` and the frames around it.
    fn outwards(&self, innermost: Option<FrameId>) -> impl Iterator<Item = &Frame> {
        let at = |id: FrameId| &self.frames[id.number as usize];
        std::iter::successors(innermost.map(at), move |frame| frame.parent.map(at))
    }

    /// The variable of that name as `innermost` sees it.
    pub(super) fn named(&self, innermost: Option<FrameId>, name: &str) -> Option<&Value> {
        self.outwards(innermost).find_map(|frame| {
            let slot = frame.names.iter().rposition(|known| **known == *name)?;
            self.slots[frame.id.slot(narrow(slot))].as_ref()
        })
    }

    /// The names of the variables of `innermost` and the frames around it, the innermost last.
    pub(super) fn names(&self, innermost: Option<FrameId>) -> Vec<Vec<Arc<str>>> {
        let mut names: Vec<_> = self.outwards(innermost).map(|frame| frame.names.to_vec()).collect();
        names.reverse();
        names
    }
}

#[expect(clippy::expect_used, reason = "fewer than 2^32 variables fit into memory")]
pub(super) fn narrow(count: usize) -> u32 {
    u32::try_from(count).expect("a number below 2^32")
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Globals {
    names: FxHashMap<Arc<str>, u32>,
    variables: Vec<Variable>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: Arc<str>,
    value: Option<Value>,
    assigned_at: Option<(Arc<Source>, Span)>,
}

impl Globals {
    /// The slot of the variable, a new one for a new name.
    pub(super) fn slot(&mut self, name: &str) -> u32 {
        if let Some(&slot) = self.names.get(name) {
            return slot;
        }
        let slot = narrow(self.variables.len());
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

    pub(super) fn put(&mut self, slot: u32, value: Value, assigned_at: Option<(Arc<Source>, Span)>) {
        let variable = &mut self.variables[slot as usize];
        variable.value = Some(value);
        variable.assigned_at = assigned_at;
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.at(*self.names.get(name)?)
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) {
        let slot = self.slot(name);
        self.put(slot, value, None);
    }

    pub(crate) fn unset(&mut self, name: &str) -> bool {
        let slot = self.names.get(name).copied();
        slot.is_some_and(|slot| self.variables[slot as usize].value.take().is_some())
    }

    /// The variables that are set, in the order in which they were first named.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.variables.iter().filter_map(|variable| Some((&*variable.name, variable.value.as_ref()?)))
    }
}
