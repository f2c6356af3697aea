//! `each`, `map`, `filter`, `reduce`, `any`, `all` and `index`: call a block for each element.
//!
//! All of them except `reduce` use [`for_each`], which passes a block with one or two parameters the arguments for each
//! kind of iterable value. Each function decides what to do with the results. Lazy values (ranges, iterators) are
//! iterated element by element; an iteration allocates nothing that the block does not receive.

use std::{borrow::Cow, sync::Arc};

use super::{Call, Flow, JumpKind, Runtime};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::limits::BoundedVec;
use crate::operators::equals_in_ruby;
use crate::value::{Callable, Hash, Iterator, Value, integer_from_index, iterator::ElementIter};

/// The signatures with a block and an iterable value, in an order on which [`has_two_parameter_block`] relies.
const BLOCK_SIGNATURES: &[&str] = &[
    "(Hash $hash, Callable[2, 2] &$block)",
    "(Hash $hash, Callable[1, 1] &$block)",
    "(Iterable $iterable, Callable[2, 2] &$block)",
    "(Iterable $iterable, Callable[1, 1] &$block)",
];

functions! {
    /// returns whether the block returns a true value for every element
    "all" BLOCK_SIGNATURES {
        "[1, 2, 3].all |$x| { $x > 2 }" => "false",
        "{'a' => 1}.all |$key, $value| { $value > 0 }" => "true",
        "[1, 2].all" => "error RUNTIME_ERROR",
    } => |call| Ok(Value::Boolean(!has_wanted_result(call, |answer| !answer.is_true())?));
    /// returns whether the block returns a true value for at least one element
    "any" BLOCK_SIGNATURES {
        "[1, 2, 3].any |$x| { $x > 2 }" => "true",
        "[].any |$x| { true }" => "false",
        "1.5.any |$x| { true }" => "error RUNTIME_ERROR",
    } => |call| Ok(Value::Boolean(has_wanted_result(call, Value::is_true)?));
    /// calls the block for every element and returns the original collection
    "each" BLOCK_SIGNATURES {
        "[10, 20].each |$index, $x| { notice(\"$index:$x\") }" => "[10, 20]",
        "Integer[1, 3].each |$x| { notice($x) }" => "Integer[1, 3]",
        "[1].each |$a, $b, $c| { }" => "error RUNTIME_ERROR",
    } => each;
    /// returns the elements for which the block returns a true value
    "filter" BLOCK_SIGNATURES {
        "[1, 2, 3].filter |$x| { $x > 1 }" => "[2, 3]",
        "{'a' => 1, 'b' => 2}.filter |$key, $value| { $value > 1 }" => "{'b' => 2}",
        "true.filter |$x| { true }" => "error RUNTIME_ERROR",
    } => filter;
    /// returns the index or key of the first element that equals the value or satisfies the block
    "index" [
        "(Hash $hash, Callable[2, 2] &$block)",
        "(Hash $hash, Callable[1, 1] &$block)",
        "(Iterable $iterable, Callable[2, 2] &$block)",
        "(Iterable $iterable, Callable[1, 1] &$block)",
        "(String $text, Variant[String, Regexp] $part)",
        "(Iterable $iterable, Any $value)",
    ] {
        "['a', 'b'].index('b')" => "1",
        "{'x' => 1, 'y' => 2}.index |$key, $value| { $value == 2 }" => "'y'",
        "'hello'.index(/l+/)" => "2",
        "index(1.5, 'x')" => "error RUNTIME_ERROR",
    } => index;
    /// returns an array of the block's results for every element
    "map" BLOCK_SIGNATURES {
        "[1, 2, 3].map |$x| { $x * 2 }" => "[2, 4, 6]",
        "{'a' => 1}.map |$key, $value| { \"$key=$value\" }" => "['a=1']",
        "Integer[5].map |$x| { $x }" => "error RUNTIME_ERROR",
    } => map;
    /// combines all elements into one value by calling the block with the result so far and each element
    "reduce" [
        "(Iterable $iterable, Callable[2, 2] &$block)",
        "(Iterable $iterable, Any $memo, Callable[2, 2] &$block)",
    ] {
        "[1, 2, 3].reduce |$memo, $x| { $memo + $x }" => "6",
        "[1, 2, 3].reduce(10) |$memo, $x| { $memo * $x }" => "60",
        "[].reduce |$memo, $x| { $memo }" => "undef",
        "[1, 2].reduce |$x| { $x }" => "error RUNTIME_ERROR",
    } => reduce;
}

/// Calls `block` for every element of `subject`, and `on_result` with each result, until that returns an error. A block
/// that `has_two_parameters` gets key and value, or index and element; another one gets `[key, value]` or the element.
pub(super) fn for_each(
    runtime: &mut dyn Runtime,
    block: &Arc<dyn Callable>,
    subject: &Value,
    has_two_parameters: bool,
    mut on_result: impl FnMut(Value) -> Result<()>,
) -> Result<(), Flow> {
    runtime.with_prepared_block(block, &mut |block| {
        let mut turn = |arguments: &mut [Value]| Ok(on_result(block.call(arguments)?)?);
        if let (Value::Hash(hash), true) = (subject, has_two_parameters) {
            return hash.iter().try_for_each(|(key, value)| turn(&mut [key.clone(), value.clone()]));
        }
        let numbered = |(index, element): (usize, Value)| {
            if has_two_parameters { turn(&mut [integer_from_index(index), element]) } else { turn(&mut [element]) }
        };
        match subject {
            Value::Array(elements) => elements.iter().cloned().enumerate().try_for_each(numbered),
            subject => iter_elements(subject)?.enumerate().try_for_each(numbered),
        }
    })
}

pub(super) fn to_iterator(value: &Value) -> Result<Iterator> {
    // The type system and this look at the same rule; an error is kinder than a panic should they ever differ.
    Iterator::from_iterable(value).ok_or_else(|| Error::runtime("this value has no elements to iterate over"))
}

pub(super) fn iter_elements(value: &Value) -> Result<ElementIter> {
    to_iterator(value).map(|elements| elements.iter_elements())
}

fn iterated_argument<'a>(call: &Call<'a>) -> Result<Cow<'a, Value>> {
    let given = call.argument(0)?;
    Ok(match given {
        Value::Iterator(iterator) if let Some(hash) = iterator.source_hash() => Cow::Owned(hash.clone().into()),
        given => Cow::Borrowed(given),
    })
}

pub(super) fn catch_break(end: Result<(), Flow>) -> Result<(), Flow> {
    match end {
        Err(Flow::Jump(JumpKind::Break, _)) => Ok(()),
        other => other,
    }
}

/// Whether the block has two parameters, not one, in the signature with the index `signature` in [`BLOCK_SIGNATURES`].
fn has_two_parameter_block(signature: usize) -> bool {
    signature.is_multiple_of(2)
}

fn has_wanted_result(call: &mut Call<'_>, is_wanted: impl Fn(&Value) -> bool) -> Result<bool, Flow> {
    let (subject, by_two) = (iterated_argument(call)?, has_two_parameter_block(call.signature_index));
    Ok(first_matching_position(call, &subject, by_two, is_wanted)?.is_some())
}

/// Returns the position (from 0) of the first element for which the block's result satisfies `is_wanted_result`, or
/// `None`. If the block calls `break()`, the result is `None` for a range of numbers, and an error for other values.
///
/// Observed: Puppet 7.23, for `any`, `all` and `index`.
fn first_matching_position(
    call: &mut Call<'_>,
    subject: &Value,
    has_two_parameters: bool,
    is_wanted_result: impl Fn(&Value) -> bool,
) -> Result<Option<usize>, Flow> {
    let block = call.required_block()?;
    let (mut turns, mut is_found) = (0, false);
    let end = for_each(call.runtime, block, subject, has_two_parameters, |answer| {
        is_found = is_wanted_result(&answer);
        turns += usize::from(!is_found);
        // The error only ends the loop: nobody sees it.
        if is_found { Err(Error::runtime("found")) } else { Ok(()) }
    });
    match end {
        Err(_) if is_found => Ok(Some(turns)),
        Err(Flow::Jump(JumpKind::Break, _)) if to_iterator(subject)?.integer_range().is_some() => Ok(None),
        end => end.map(|()| None),
    }
}

fn each(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, block) = (iterated_argument(call)?, call.required_block()?);
    call_block_for_each(call.runtime, block, &subject, has_two_parameter_block(call.signature_index))?;
    Ok(call.argument(0)?.clone())
}

pub(super) fn call_block_for_each(
    runtime: &mut dyn Runtime,
    block: &Arc<dyn Callable>,
    subject: &Value,
    has_two_parameters: bool,
) -> Result<(), Flow> {
    catch_break(for_each(runtime, block, subject, has_two_parameters, |_| Ok(())))
}

fn filter(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, block) = (iterated_argument(call)?, call.required_block()?);
    let by_two = has_two_parameter_block(call.signature_index);
    // Observed: Puppet 7.23 keeps pairs of an iterator where the block sees pairs.
    if let Value::Hash(hash) = &*subject
        && (by_two || matches!(call.argument(0)?, Value::Hash(_)))
    {
        // A break in the block of a hash is an error in Puppet, unlike one in the block of an array.
        let (mut kept, mut entries) = (Hash::default(), hash.iter());
        for_each(call.runtime, block, &subject, by_two, |answer| {
            if let Some((key, value)) = entries.next().filter(|_| answer.is_true()) {
                kept.insert(key.clone(), value.clone());
            }
            Ok(())
        })?;
        return Ok(Value::Hash(kept));
    }
    let (mut kept, mut elements) = (BoundedVec::default(), iter_elements(&subject)?);
    catch_break(for_each(call.runtime, block, &subject, by_two, |answer| {
        let element = elements.next().filter(|_| answer.is_true());
        element.map_or(Ok(()), |element| kept.push(element))
    }))?;
    Ok(kept.into())
}

fn index(call: &mut Call<'_>) -> Result<Value, Flow> {
    match call.signature_index {
        0..4 => index_by_block(call),
        4 => index_in_string(call.argument(0)?, call.argument(1)?),
        _ => index_of_value(call),
    }
}

fn index_by_block(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, by_two) = (iterated_argument(call)?, has_two_parameter_block(call.signature_index));
    let found = match &*subject {
        // Unlike with the other functions, a block of one parameter sees the value alone.
        Value::Hash(hash) if !by_two => {
            let values = Value::Array(hash.values().cloned().collect());
            first_matching_position(call, &values, false, Value::is_true)?
        }
        subject => first_matching_position(call, subject, by_two, Value::is_true)?,
    };
    Ok(match (found, &*subject) {
        (None, _) => Value::Undef,
        (Some(at), Value::Hash(hash)) => hash.entry(at).0.clone(),
        (Some(at), _) => integer_from_index(at),
    })
}

fn index_in_string(text: &Value, part: &Value) -> Result<Value, Flow> {
    let Value::String(text) = text else { return Ok(Value::Undef) };
    let start = match part {
        Value::String(part) => text.find(&**part),
        Value::Regexp(regexp) => regexp.captures(text)?.map(|captures| captures.whole_span().start),
        _ => None,
    };
    Ok(start.map_or(Value::Undef, |start| integer_from_index(text[..start].chars().count())))
}

fn index_of_value(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, wanted) = (&*iterated_argument(call)?, call.argument(1)?);
    if let Value::Hash(hash) = subject {
        let entry = hash.iter().find(|(_, value)| equals_in_ruby(value, wanted));
        return Ok(entry.map_or(Value::Undef, |(key, _)| key.clone()));
    }
    let mut elements = iter_elements(subject)?.inspect(|_| interrupt::take_long_step());
    Ok(elements.position(|element| equals_in_ruby(&element, wanted)).map_or(Value::Undef, integer_from_index))
}

fn map(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, block) = (iterated_argument(call)?, call.required_block()?);
    let mut answers = BoundedVec::default();
    catch_break(for_each(call.runtime, block, &subject, has_two_parameter_block(call.signature_index), |answer| {
        answers.push(answer)
    }))?;
    Ok(answers.into())
}

fn reduce(call: &mut Call<'_>) -> Result<Value, Flow> {
    let block = call.required_block()?;
    let mut elements = iter_elements(call.argument(0)?)?;
    let Some(mut memo) = call.arguments.get(1).cloned().or_else(|| elements.next()) else { return Ok(Value::Undef) };
    call.runtime.with_prepared_block(block, &mut |block| {
        for element in &mut elements {
            let mut arguments = [std::mem::take(&mut memo), element];
            match block.call(&mut arguments) {
                Ok(answer) => memo = answer,
                Err(Flow::Jump(JumpKind::Break, _)) => {
                    block.reclaim_arguments(&mut arguments);
                    [memo, _] = arguments;
                    break;
                }
                Err(flow) => return Err(flow),
            }
        }
        Ok(())
    })?;
    Ok(memo)
}
