//! Stores variables while a program runs: frames for lambdas and functions, and the global variables.
//!
//! A block never outlives the call to which it is passed. So all active calls share one stack of frames, a call
//! allocates no memory, and a block refers to the frame around it by its position.

#![expect(clippy::indexing_slicing, reason = "slots and frames are counted when the code is compiled")]

use std::{borrow::Cow, sync::Arc};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::text::{Source, Span};
use crate::value::Value;

#[derive(Debug, Default)]
pub(super) struct FrameStack<'w> {
    /// The values of the variables of all frames; `None` for a variable without a value.
    slots: Vec<Option<Value>>,
    frames: Vec<Frame<'w>>,
}

/// The names of the variables of a lambda or function. Borrowed for a function that existed before the program ran,
/// because reference counting would take a tenth of a call.
pub(super) type Names<'w> = Cow<'w, Arc<[Arc<str>]>>;

#[derive(Debug)]
struct Frame<'w> {
    id: FrameId,
    names: Names<'w>,
    parent: Option<FrameId>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FrameId {
    frame_index: u32,
    first_slot: u32,
}

impl FrameId {
    #[inline]
    fn slot_index(self, slot: u32) -> usize {
        self.first_slot as usize + slot as usize
    }
}

impl<'w> FrameStack<'w> {
    /// Pushes a frame for the variables `names`; the first ones get `arguments` as values, the others have no value.
    #[inline]
    pub(super) fn push_frame(
        &mut self,
        variable_names: Names<'w>,
        parent: Option<FrameId>,
        arguments: impl IntoIterator<Item = Value>,
    ) -> FrameId {
        let id = FrameId { frame_index: to_u32(self.frames.len()), first_slot: to_u32(self.slots.len()) };
        let end = self.slots.len() + variable_names.len();
        self.slots.extend(arguments.into_iter().map(Some));
        self.slots.resize_with(end, || None);
        self.frames.push(Frame { id, names: variable_names, parent });
        id
    }

    /// Moves `arguments` to the parameters of `frame`, which has to be the top frame; clears its other variables.
    pub(super) fn refill_frame(&mut self, frame: FrameId, arguments: &mut [Value]) {
        let (parameters, variables) = self.slots[frame.slot_index(0)..].split_at_mut(arguments.len());
        for (parameter, argument) in parameters.iter_mut().zip(arguments) {
            *parameter = Some(std::mem::take(argument));
        }
        for variable in variables {
            *variable = None;
        }
    }

    pub(super) fn pop_frame(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.slots.truncate(frame.id.slot_index(0));
        }
    }

    /// Returns the variable `slot` of the frame `depth` levels outside of `frame`; `None` if it has no value.
    #[inline]
    pub(super) fn get_variable(&self, frame: FrameId, depth: u32, slot: u32) -> Option<&Value> {
        let frame = if depth == 0 { frame } else { self.outer_frame(frame, depth) };
        self.slots[frame.slot_index(slot)].as_ref()
    }

    #[expect(clippy::expect_used, reason = "the compiler counts the frames")]
    fn outer_frame(&self, frame: FrameId, depth: u32) -> FrameId {
        let outer = (0..depth).try_fold(frame, |frame, _| self.parent_frame(frame));
        outer.expect("a frame around it")
    }

    #[inline]
    pub(super) fn set_variable(&mut self, frame: FrameId, slot: u32, value: Value) {
        self.slots[frame.slot_index(slot)] = Some(value);
    }

    #[inline]
    pub(super) fn take_variable(&mut self, frame: FrameId, slot: u32) -> Option<Value> {
        self.slots[frame.slot_index(slot)].take()
    }

    pub(super) fn parent_frame(&self, frame: FrameId) -> Option<FrameId> {
        self.frames[frame.frame_index as usize].parent
    }

    fn enclosing_frames(&self, innermost: Option<FrameId>) -> impl Iterator<Item = &Frame<'w>> {
        let at = |id: FrameId| &self.frames[id.frame_index as usize];
        std::iter::successors(innermost.map(at), move |frame| frame.parent.map(at))
    }

    pub(super) fn find_variable(&self, innermost: Option<FrameId>, name: &str) -> Option<&Value> {
        self.enclosing_frames(innermost).find_map(|frame| {
            let slot = frame.names.iter().rposition(|known| **known == *name)?;
            self.slots[frame.id.slot_index(to_u32(slot))].as_ref()
        })
    }

    /// Returns the variable names of the frame `innermost` and those around it, from the outermost inwards.
    pub(super) fn variable_names(&self, innermost: Option<FrameId>) -> Vec<Vec<Arc<str>>> {
        let mut names: Vec<_> = self.enclosing_frames(innermost).map(|frame| frame.names.to_vec()).collect();
        names.reverse();
        names
    }
}

#[expect(clippy::expect_used, reason = "fewer than 2^32 variables fit into memory")]
pub(super) fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("a number below 2^32")
}

#[derive(Clone, Debug, Default)]
pub(crate) struct GlobalVariables(IndexMap<Arc<str>, GlobalVariable, FxBuildHasher>);

#[derive(Clone, Debug, Default)]
struct GlobalVariable {
    value: Option<Value>,
    assigned_at: Option<(Arc<Source>, Span)>,
}

impl GlobalVariables {
    pub(super) fn slot_for_name(&mut self, name: &str) -> u32 {
        let known = self.0.get_index_of(name);
        to_u32(known.unwrap_or_else(|| self.0.insert_full(name.into(), GlobalVariable::default()).0))
    }

    pub(super) fn value_in_slot(&self, slot: u32) -> Option<&Value> {
        self.0[slot as usize].value.as_ref()
    }

    /// Returns the location where a program assigned the variable; `None` if the host set it.
    pub(super) fn assignment_location(&self, slot: u32) -> Option<&(Arc<Source>, Span)> {
        self.0[slot as usize].assigned_at.as_ref()
    }

    pub(super) fn set_value_in_slot(&mut self, slot: u32, value: Value, assigned_at: Option<(Arc<Source>, Span)>) {
        self.0[slot as usize] = GlobalVariable { value: Some(value), assigned_at };
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)?.value.as_ref()
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) {
        let slot = self.slot_for_name(name);
        self.set_value_in_slot(slot, value, None);
    }

    /// Removes the value of a variable; returns whether it had one.
    pub(crate) fn unset(&mut self, name: &str) -> bool {
        self.0.get_mut(name).is_some_and(|variable| variable.value.take().is_some())
    }

    /// Yields the variables that have a value, in the order in which programs first mentioned them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().filter_map(|(name, variable)| Some((&**name, variable.value.as_ref()?)))
    }
}
