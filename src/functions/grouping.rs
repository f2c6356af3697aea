//! `group_by`, `partition` and `slice`: group elements by the results of a block or by number.

use std::{num::NonZeroUsize, sync::Arc};

use ecow::EcoVec;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::iteration::{catch_break, for_each, iter_elements};
use super::{Call, Flow, Runtime};
use crate::error::{Error, Result};
use crate::limits::{self, BoundedVec, Limit};
use crate::value::{Callable, Value};

const SIGNATURES: &[&str] = &[
    "(Collection $collection, Callable[1, 1] &$block)",
    "(Array $array, Callable[2, 2] &$block)",
    "(Collection $collection, Callable[2, 2] &$block)",
];

functions! {
    /// groups the elements in a hash by the block's result for each
    "group_by" SIGNATURES {
        "['a', 'bb', 'cc'].group_by |$x| { $x.length }" => "{1 => ['a'], 2 => ['bb', 'cc']}",
        "{'a' => 1}.group_by |$key, $value| { $value }" => "{1 => [['a', 1]]}",
        "'abc'.group_by |$x| { $x }" => "error RUNTIME_ERROR",
    } => group_by;
    /// splits into two arrays: the elements for which the block returns a true value, and the others
    "partition" SIGNATURES {
        "[1, 2, 3, 4].partition |$x| { $x > 2 }" => "[[3, 4], [1, 2]]",
        "'abc'.partition |$x| { true }" => "error RUNTIME_ERROR",
    } => partition;
    /// splits into arrays of the given size; the last may be shorter
    "slice" [
        "(Hash $hash, Integer[1] $size, Optional[Callable] &$block)",
        "(Iterable $iterable, Integer[1] $size, Optional[Callable] &$block)",
    ] {
        "[1, 2, 3, 4, 5].slice(2)" => "[[1, 2], [3, 4], [5]]",
        "[1, 2, 3].slice(2) |$a, $b| { notice([$a, $b]) }" => "[1, 2, 3]",
        "[1, 2].slice(0)" => "error RUNTIME_ERROR",
    } => slice;
}

/// Calls the block for every element of the first argument, and then `after` with the element (for a hash, an array of
/// key and value) and the result of the block.
fn for_each_result(call: &mut Call<'_>, mut after: impl FnMut(Value, Value) -> Result<()>) -> Result<(), Flow> {
    let (subject, block) = (call.argument(0)?, call.required_block()?);
    let mut elements = iter_elements(subject)?;
    for_each(call.runtime, block, subject, call.signature_index > 0, |answer| {
        elements.next().map_or(Ok(()), |element| after(element, answer))
    })
}

fn group_by(call: &mut Call<'_>) -> Result<Value, Flow> {
    let mut groups: IndexMap<Value, Vec<Value>, FxBuildHasher> = IndexMap::default();
    for_each_result(call, |element, answer| {
        groups.entry(answer).or_default().push(element);
        Ok(())
    })?;
    Ok(Value::Hash(groups.into_iter().map(|(answer, elements)| (answer, Value::from(elements))).collect()))
}

fn partition(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (mut wanted, mut others) = (BoundedVec::default(), BoundedVec::default());
    let sort_in = |element, answer: Value| if answer.is_true() { wanted.push(element) } else { others.push(element) };
    for_each_result(call, sort_in)?;
    Ok(Value::from([Value::from(wanted), others.into()]))
}

fn slice(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, size) = (call.argument(0)?, call.argument(1)?);
    // A size beyond every array in memory is as good as the largest.
    let size = size.as_integer().and_then(|size| NonZeroUsize::new(usize::try_from(size).ok()?));
    let size = size.unwrap_or(NonZeroUsize::MAX);
    let Some(block) = call.block else {
        let mut slices = BoundedVec::default();
        for_each_slice(call.runtime, subject, size, |_, slice| Ok(slices.push(Value::Array(slice.into()))?))?;
        return Ok(slices.into());
    };
    let takes_whole_slice = block_takes_whole_slice(block, size.get())?;
    // Where they run out, an entry of a hash is an empty array.
    let missing = if matches!(subject, Value::Hash(_)) { Value::from(Vec::<Value>::new()) } else { Value::Undef };
    catch_break(for_each_slice(call.runtime, subject, size, |runtime, mut slice| {
        if takes_whole_slice {
            return runtime.call(block, &[Value::Array(slice.into())]).map(drop);
        }
        if size.get() > limits::current_limit_as_usize(Limit::Elements) {
            return Err(limits::limit_error(Limit::Elements).into());
        }
        slice.extend(std::iter::repeat_n(missing.clone(), size.get() - slice.len()));
        runtime.call(block, &slice).map(drop)
    }))?;
    Ok(subject.clone())
}

fn block_takes_whole_slice(block: &Arc<dyn Callable>, size: usize) -> Result<bool> {
    let arity = block.arity();
    let error = match (arity.from(), arity.to()) {
        (0, 0) => Error::runtime("the block of slice has no parameter for the elements"),
        (least, most) if least == most && least != 1 && !arity.contains(size) => {
            Error::runtime(format!("a block with {least} parameters cannot take slices of {size} elements"))
        }
        (least, most) => return Ok((least, most) == (1, 1) || size == 1),
    };
    Err(error.with_help("declare one parameter for the whole slice, or one for each of its elements"))
}

fn for_each_slice(
    runtime: &mut dyn Runtime,
    subject: &Value,
    size: NonZeroUsize,
    mut on_slice: impl FnMut(&mut dyn Runtime, EcoVec<Value>) -> Result<(), Flow>,
) -> Result<(), Flow> {
    let mut draw = iter_elements(subject)?;
    loop {
        let mut slice = BoundedVec::default();
        while slice.len() < size.get()
            && let Some(element) = draw.next()
        {
            slice.push(element)?;
        }
        if slice.len() == 0 {
            return Ok(());
        }
        on_slice(runtime, slice.into_eco_vec())?;
    }
}
