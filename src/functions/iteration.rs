//! `each`, `map`, `filter`, `reduce`, `any`, `all` and `index`: call a block for each element.
//!
//! One loop, [`turns`], serves all of them except `reduce`: it knows the arguments of a block with one or two
//! parameters for each kind of iterable value. Each function decides what to do with the results. Lazy values (ranges,
//! iterators) are iterated element by element; a turn allocates nothing that the block does not see.

use std::ops::ControlFlow;
use std::slice;
use std::sync::Arc;

use super::{Call, Flow, Function, Runtime, Turns};
use crate::error::{Error, Result};
use crate::interrupt;
use crate::limits::BoundedVec;
use crate::operators::equals_exactly;
use crate::types::Example;
use crate::value::iterator::Draw;
use crate::value::{Callable, Hash, Iterator, Value, position};

/// The ways to call an iterating function with a block alone. [`by_two`] reads the number of the one that fits.
const BLOCK_SIGNATURES: &[&str] = &[
    "(Hash $hash, Callable[2, 2] &$block)",
    "(Hash $hash, Callable[1, 1] &$block)",
    "(Iterable $iterable, Callable[2, 2] &$block)",
    "(Iterable $iterable, Callable[1, 1] &$block)",
];

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "all",
        summary: "returns whether the block returns a true value for every element",
        signatures: BLOCK_SIGNATURES,
        examples: &[
            Example { code: "[1, 2, 3].all |$x| { $x > 2 }", answer: "false" },
            Example { code: "{'a' => 1}.all |$key, $value| { $value > 0 }", answer: "true" },
            Example { code: "[1, 2].all", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| Ok(Value::Boolean(!is_found(call, |answer| !answer.is_true())?)),
    },
    Function {
        name: "any",
        summary: "returns whether the block returns a true value for at least one element",
        signatures: BLOCK_SIGNATURES,
        examples: &[
            Example { code: "[1, 2, 3].any |$x| { $x > 2 }", answer: "true" },
            Example { code: "[].any |$x| { true }", answer: "false" },
            Example { code: "1.5.any |$x| { true }", answer: "error RUNTIME_ERROR" },
        ],
        body: |call| Ok(Value::Boolean(is_found(call, Value::is_true)?)),
    },
    Function {
        name: "each",
        summary: "calls the block for every element and returns the original collection",
        signatures: BLOCK_SIGNATURES,
        examples: &[
            Example { code: "[10, 20].each |$index, $x| { notice(\"$index:$x\") }", answer: "[10, 20]" },
            Example { code: "Integer[1, 3].each |$x| { notice($x) }", answer: "Integer[1, 3]" },
            Example { code: "[1].each |$a, $b, $c| { }", answer: "error RUNTIME_ERROR" },
        ],
        body: each,
    },
    Function {
        name: "filter",
        summary: "returns the elements for which the block returns a true value",
        signatures: BLOCK_SIGNATURES,
        examples: &[
            Example { code: "[1, 2, 3].filter |$x| { $x > 1 }", answer: "[2, 3]" },
            Example { code: "{'a' => 1, 'b' => 2}.filter |$key, $value| { $value > 1 }", answer: "{'b' => 2}" },
            Example { code: "true.filter |$x| { true }", answer: "error RUNTIME_ERROR" },
        ],
        body: filter,
    },
    Function {
        name: "index",
        summary: "returns the index or key of the first element that equals the value or satisfies the block",
        signatures: &[
            "(Hash $hash, Callable[2, 2] &$block)",
            "(Hash $hash, Callable[1, 1] &$block)",
            "(Iterable $iterable, Callable[2, 2] &$block)",
            "(Iterable $iterable, Callable[1, 1] &$block)",
            "(String $text, Variant[String, Regexp] $part)",
            "(Iterable $iterable, Any $value)",
        ],
        examples: &[
            Example { code: "['a', 'b'].index('b')", answer: "1" },
            Example { code: "{'x' => 1, 'y' => 2}.index |$key, $value| { $value == 2 }", answer: "'y'" },
            Example { code: "'hello'.index(/l+/)", answer: "2" },
            Example { code: "index(1.5, 'x')", answer: "error RUNTIME_ERROR" },
        ],
        body: index,
    },
    Function {
        name: "map",
        summary: "returns an array of the block's results for every element",
        signatures: BLOCK_SIGNATURES,
        examples: &[
            Example { code: "[1, 2, 3].map |$x| { $x * 2 }", answer: "[2, 4, 6]" },
            Example { code: "{'a' => 1}.map |$key, $value| { \"$key=$value\" }", answer: "['a=1']" },
            Example { code: "Integer[5].map |$x| { $x }", answer: "error RUNTIME_ERROR" },
        ],
        body: map,
    },
    Function {
        name: "reduce",
        summary: "combines all elements into one value by calling the block with the result so far and each element",
        signatures: &[
            "(Iterable $iterable, Callable[2, 2] &$block)",
            "(Iterable $iterable, Any $memo, Callable[2, 2] &$block)",
        ],
        examples: &[
            Example { code: "[1, 2, 3].reduce |$memo, $x| { $memo + $x }", answer: "6" },
            Example { code: "[1, 2, 3].reduce(10) |$memo, $x| { $memo * $x }", answer: "60" },
            Example { code: "[].reduce |$memo, $x| { $memo }", answer: "undef" },
            Example { code: "[1, 2].reduce |$x| { $x }", answer: "error RUNTIME_ERROR" },
        ],
        body: reduce,
    },
];

/// Calls `block` for every element of `subject` and gives the block, which has its arguments still, and its answer to
/// `after`, which may break the loop. A block of two parameters gets key and value of a hash, index and element of
/// everything else; a block of one gets an array of key and value, or the element.
pub(super) fn turns(
    runtime: &mut dyn Runtime,
    block: &Arc<dyn Callable>,
    subject: &Value,
    by_two: bool,
    mut after: impl FnMut(&mut dyn Turns, Value) -> Result<ControlFlow<()>>,
) -> Result<(), Flow> {
    runtime.in_turns(block, if by_two { 2 } else { 1 }, &mut |block| {
        let mut remaining = Remaining::of(subject, by_two)?;
        while remaining.set_next(block) {
            let answer = block.call()?;
            if after(block, answer)?.is_break() {
                break;
            }
        }
        Ok(())
    })
}

/// The arguments that a block has not had yet.
enum Remaining<'v> {
    /// The elements of an array.
    Elements(slice::Iter<'v, Value>),
    /// Any other elements.
    Drawn(Draw),
    /// The elements of anything but a hash, and the index of the first of them.
    Indexed(Draw, usize),
    /// The entries of a hash, from the one at this position on.
    Entries(&'v Hash, usize),
}

impl Remaining<'_> {
    fn of(subject: &Value, by_two: bool) -> Result<Remaining<'_>> {
        Ok(match subject {
            Value::Hash(hash) if by_two => Remaining::Entries(hash, 0),
            Value::Array(array) if !by_two => Remaining::Elements(array.iter()),
            _ if by_two => Remaining::Indexed(elements(subject)?.draw(), 0),
            _ => Remaining::Drawn(elements(subject)?.draw()),
        })
    }

    /// Gives the block its next arguments; returns whether there are any.
    fn set_next(&mut self, block: &mut dyn Turns) -> bool {
        match self {
            Remaining::Elements(elements) => match elements.next() {
                Some(element) => *block.argument(0) = Some(element.clone()),
                None => return false,
            },
            Remaining::Drawn(draw) => {
                let next = draw.next();
                let is_one = next.is_some();
                *block.argument(0) = next;
                return is_one;
            }
            Remaining::Indexed(draw, index) => {
                let Some(element) = draw.next() else { return false };
                *block.argument(1) = Some(element);
                *block.argument(0) = Some(position(*index));
                *index += 1;
            }
            Remaining::Entries(hash, at) => {
                if *at == hash.len() {
                    return false;
                }
                let (key, value) = hash.entry(*at);
                *at += 1;
                *block.argument(0) = Some(key.clone());
                *block.argument(1) = Some(value.clone());
            }
        }
        true
    }
}

/// The elements of a value that a signature found to be Iterable.
pub(super) fn elements(value: &Value) -> Result<Iterator> {
    // The type system and this look at the same rule; an error is kinder than a panic should they ever differ.
    Iterator::over(value).ok_or_else(|| Error::runtime("this value has no elements to iterate over"))
}

/// The element at an index that is a value.
pub(super) fn at_position<'a, T>(elements: &'a mut [T], position: &Value) -> Option<&'a mut T> {
    let Value::Integer(at) = position else { return None };
    elements.get_mut(usize::try_from(*at).ok()?)
}

/// What the elements are taken from: the hash itself where an iterator covers all of it.
fn subject(call: &Call<'_>) -> Result<Value> {
    let given = call.argument(0)?;
    Ok(match given {
        Value::Iterator(iterator) => iterator.as_hash().map_or_else(|| given.clone(), |hash| hash.clone().into()),
        given => given.clone(),
    })
}

/// A `break()` in the block is the regular end of the loop.
pub(super) fn until_break(end: Result<(), Flow>) -> Result<(), Flow> {
    match end {
        Err(Flow::Break(_)) => Ok(()),
        other => other,
    }
}

/// Whether the signature that fits, of [`BLOCK_SIGNATURES`], has a block of two parameters.
fn by_two(signature: usize) -> bool {
    signature.is_multiple_of(2)
}

fn is_found(call: &mut Call<'_>, is_wanted: impl Fn(&Value) -> bool) -> Result<bool, Flow> {
    let mut found = false;
    let (subject, block) = (subject(call)?, call.block()?);
    let end = turns(call.runtime, block, &subject, by_two(call.signature), |_, answer| {
        found = is_wanted(&answer);
        Ok(if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    until_break_of_numbers(&subject, end)?;
    Ok(found)
}

/// The end of a search: a `break()` in the block is its regular end where numbers are searched.
///
/// Observed: Puppet 7.23, for `any`, `all` and `index`; in other values it is an error.
fn until_break_of_numbers(subject: &Value, end: Result<(), Flow>) -> Result<(), Flow> {
    let counts = matches!(&end, Err(Flow::Break(_))) && elements(subject)?.counts();
    if counts { until_break(end) } else { end }
}

fn each(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, block) = (subject(call)?, call.block()?);
    let end = turns(call.runtime, block, &subject, by_two(call.signature), |_, _| Ok(ControlFlow::Continue(())));
    until_break(end)?;
    Ok(call.argument(0)?.clone())
}

fn filter(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, block) = (subject(call)?, call.block()?);
    let by_two = by_two(call.signature);
    // Observed: Puppet 7.23 keeps pairs of an iterator where the block sees pairs.
    if let Value::Hash(hash) = &subject
        && (by_two || matches!(call.argument(0)?, Value::Hash(_)))
    {
        // A break in the block of a hash is an error in Puppet, unlike one in the block of an array.
        let mut at = 0;
        let mut kept = Hash::default();
        turns(call.runtime, block, &subject, by_two, |_, answer| {
            let (key, value) = hash.entry(at);
            at += 1;
            if answer.is_true() {
                kept.insert(key.clone(), value.clone());
            }
            Ok(ControlFlow::Continue(()))
        })?;
        return Ok(Value::Hash(kept));
    }
    let mut kept = BoundedVec::default();
    until_break(turns(call.runtime, block, &subject, by_two, |turn, answer| {
        if answer.is_true()
            && let Some(element) = turn.argument(u32::from(by_two)).take()
        {
            kept.push(element)?;
        }
        Ok(ControlFlow::Continue(()))
    }))?;
    Ok(kept.into())
}

fn index(call: &mut Call<'_>) -> Result<Value, Flow> {
    match call.signature {
        0..4 => index_by_block(call),
        4 => index_in_text(call.argument(0)?, call.argument(1)?),
        _ => index_of_value(call),
    }
}

fn index_by_block(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, block) = (subject(call)?, call.block()?);
    let mut turn = 0;
    let mut found = None;
    let mut note = |answer: &Value| {
        if answer.is_true() {
            found = Some(turn);
            return Ok(ControlFlow::Break(()));
        }
        turn += 1;
        Ok(ControlFlow::Continue(()))
    };
    match &subject {
        // Unlike with the other functions, a block of one parameter sees the value alone.
        Value::Hash(hash) if !by_two(call.signature) => {
            let values = Value::Array(hash.values().cloned().collect());
            turns(call.runtime, block, &values, false, |_, answer| note(&answer))?;
        }
        _ => {
            let end = turns(call.runtime, block, &subject, by_two(call.signature), |_, answer| note(&answer));
            until_break_of_numbers(&subject, end)?;
        }
    }
    Ok(match (found, &subject) {
        (None, _) => Value::Undef,
        (Some(at), Value::Hash(hash)) => hash.entry(at).0.clone(),
        (Some(at), _) => position(at),
    })
}

fn index_in_text(text: &Value, part: &Value) -> Result<Value, Flow> {
    let Value::String(text) = text else { return Ok(Value::Undef) };
    let start = match part {
        Value::String(part) => text.find(&**part),
        Value::Regexp(regexp) => regexp.captures(text)?.map(|captures| captures.whole().start),
        _ => None,
    };
    Ok(start.map_or(Value::Undef, |start| position(text[..start].chars().count())))
}

fn index_of_value(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, wanted) = (&subject(call)?, call.argument(1)?);
    if let Value::Hash(hash) = subject {
        let entry = hash.iter().find(|(_, value)| equals_exactly(value, wanted));
        return Ok(entry.map_or(Value::Undef, |(key, _)| key.clone()));
    }
    for (index, element) in elements(subject)?.draw().enumerate() {
        interrupt::look();
        if equals_exactly(&element, wanted) {
            return Ok(position(index));
        }
    }
    Ok(Value::Undef)
}

fn map(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (subject, block) = (subject(call)?, call.block()?);
    let mut answers = BoundedVec::default();
    until_break(turns(call.runtime, block, &subject, by_two(call.signature), |_, answer| {
        answers.push(answer)?;
        Ok(ControlFlow::Continue(()))
    }))?;
    Ok(answers.into())
}

fn reduce(call: &mut Call<'_>) -> Result<Value, Flow> {
    let block = call.block()?;
    let elements = elements(call.argument(0)?)?;
    let mut elements = elements.draw();
    let mut memo = call.arguments.get(1).cloned().or_else(|| elements.next());
    call.runtime.in_turns(block, 2, &mut |block| {
        // So that an Array or Hash grows in place from turn to turn.
        block.own_arguments();
        *block.argument(0) = memo.take();
        for element in &mut elements {
            *block.argument(1) = Some(element);
            match block.call() {
                Ok(answer) => *block.argument(0) = Some(answer),
                Err(Flow::Break(_)) => break,
                Err(flow) => return Err(flow),
            }
        }
        memo = block.argument(0).take();
        Ok(())
    })?;
    Ok(memo.unwrap_or(Value::Undef))
}
