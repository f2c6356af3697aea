//! Where variables live while a program runs: frames for lambdas and functions, and the variables of the session.
//!
//! Nothing keeps a block longer than the call it was given to: so the frames of all calls that are under way lie one
//! above the other on one stack, a call takes no memory of its own, and a block knows the frame around it by its place.

#![expect(clippy::indexing_slicing, reason = "slots and frames are counted when the code is compiled")]

use std::{borrow::Cow, sync::Arc};

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::text::{Source, Span};
use crate::value::Value;

/// The frames of the calls that are under way.
#[derive(Debug, Default)]
pub(super) struct Frames<'w> {
    /// The variables of all of them; none where a variable has no value yet.
    slots: Vec<Option<Value>>,
    frames: Vec<Frame<'w>>,
}

/// The names of the variables of a lambda or function. Those of a function that was known before the program ran are
/// borrowed, because counting references would take a tenth of a call.
pub(super) type Names<'w> = Cow<'w, Arc<[Arc<str>]>>;

#[derive(Debug)]
struct Frame<'w> {
    id: FrameId,
    /// The names of the slots, for those who ask by name.
    names: Names<'w>,
    parent: Option<FrameId>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct FrameId {
    number: u32,
    first: u32,
}

impl FrameId {
    #[inline]
    fn slot(self, slot: u32) -> usize {
        self.first as usize + slot as usize
    }
}

impl<'w> Frames<'w> {
    /// A frame for the variables of that names; the first get the arguments, the others have no value yet.
    pub(super) fn push(
        &mut self,
        names: Names<'w>,
        parent: Option<FrameId>,
        arguments: impl IntoIterator<Item = Value>,
    ) -> FrameId {
        let id = FrameId { number: narrow(self.frames.len()), first: narrow(self.slots.len()) };
        let end = self.slots.len() + names.len();
        self.slots.extend(arguments.into_iter().map(Some));
        self.slots.resize_with(end, || None);
        self.frames.push(Frame { id, names, parent });
        id
    }

    /// Moves the arguments of a call to the parameters of the newest frame, which is `frame`; its variables lose theirs.
    pub(super) fn fill(&mut self, frame: FrameId, arguments: &mut [Value]) {
        let (parameters, variables) = self.slots[frame.slot(0)..].split_at_mut(arguments.len());
        for (parameter, argument) in parameters.iter_mut().zip(arguments) {
            *parameter = Some(std::mem::take(argument));
        }
        for variable in variables {
            *variable = None;
        }
    }

    pub(super) fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.slots.truncate(frame.id.slot(0));
        }
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

    #[inline]
    pub(super) fn take(&mut self, frame: FrameId, slot: u32) -> Option<Value> {
        self.slots[frame.slot(slot)].take()
    }

    pub(super) fn parent(&self, frame: FrameId) -> Option<FrameId> {
        self.frames[frame.number as usize].parent
    }

    /// `innermost` and the frames around it.
    fn outwards(&self, innermost: Option<FrameId>) -> impl Iterator<Item = &Frame<'w>> {
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
pub(crate) struct Globals(IndexMap<Arc<str>, Variable, FxBuildHasher>);

#[derive(Clone, Debug, Default)]
struct Variable {
    value: Option<Value>,
    assigned_at: Option<(Arc<Source>, Span)>,
}

impl Globals {
    pub(super) fn slot(&mut self, name: &str) -> u32 {
        let known = self.0.get_index_of(name);
        narrow(known.unwrap_or_else(|| self.0.insert_full(name.into(), Variable::default()).0))
    }

    pub(super) fn at(&self, slot: u32) -> Option<&Value> {
        self.0[slot as usize].value.as_ref()
    }

    /// The assignment that gave the variable its value; none when it was set from outside of a program.
    pub(super) fn assigned_at(&self, slot: u32) -> Option<&(Arc<Source>, Span)> {
        self.0[slot as usize].assigned_at.as_ref()
    }

    pub(super) fn put(&mut self, slot: u32, value: Value, assigned_at: Option<(Arc<Source>, Span)>) {
        self.0[slot as usize] = Variable { value: Some(value), assigned_at };
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)?.value.as_ref()
    }

    pub(crate) fn set(&mut self, name: &str, value: Value) {
        let slot = self.slot(name);
        self.put(slot, value, None);
    }

    /// Returns whether the variable was set.
    pub(crate) fn unset(&mut self, name: &str) -> bool {
        self.0.get_mut(name).is_some_and(|variable| variable.value.take().is_some())
    }

    /// The variables that are set, in the order in which they were first named.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().filter_map(|(name, variable)| Some((&**name, variable.value.as_ref()?)))
    }
}
