//! Overload resolution: the signature that a call matches, or the error that says why it matches none.

use std::{cmp::Ordering, fmt, sync::Arc};

use super::signature::{Signature, SignatureMismatch, signatures_of};
use super::{arguments::Arguments, block::arity_of, error::EvalError};
use crate::error::Error;
use crate::explain::mismatch::explained;
use crate::types::{Type, describe::for_message, secret::describe_for};
use crate::value::{Callable, Value};
use crate::wording::counted;

/// The number of the first signature that fits, or the reason why the one that came furthest does not.
pub(super) fn resolve_overload(
    callee: fmt::Arguments<'_>,
    texts: &'static [&str],
    given: Arguments<'_>,
) -> Result<usize, Error> {
    let signatures = signatures_of(texts);
    let block = given.block.map(|block| block.callable_type());
    let fits = |signature: &Signature| signature.takes_arguments(given.values) && signature.takes_block(block.as_ref());
    let fitting = signatures.iter().position(fits);
    fitting.ok_or_else(|| describe_mismatch(&callee.to_string(), texts, mismatch(signatures, given), given))
}

/// Why no signature fits: the reason of the one that came furthest.
fn mismatch(signatures: &[Signature], given: Arguments<'_>) -> SignatureMismatch {
    let Arguments { values: arguments, block, .. } = given;
    let progress = |mismatch: &SignatureMismatch| match mismatch {
        SignatureMismatch::Count { .. } => 0,
        SignatureMismatch::Argument { at, .. } => 1 + at,
        SignatureMismatch::UnexpectedBlock | SignatureMismatch::MissingBlock | SignatureMismatch::Block { .. } => {
            usize::MAX
        }
    };
    let mismatches = signatures.iter().map(|signature| signature.mismatch(arguments, block));
    let furthest = mismatches.reduce(|old, new| match progress(&new).cmp(&progress(&old)) {
        Ordering::Less => old,
        Ordering::Equal => either(old, new, arguments),
        Ordering::Greater => new,
    });
    furthest.unwrap_or(SignatureMismatch::Count { least: 0, most: Some(0) })
}

/// The mismatch of both signatures in one: what either of them expects. A signature that takes a hash of named arguments
/// counts only if a hash was given.
fn either(first: SignatureMismatch, second: SignatureMismatch, arguments: &[Value]) -> SignatureMismatch {
    match (first, second) {
        (
            first @ SignatureMismatch::Argument { at, .. },
            SignatureMismatch::Argument { expected: Type::Struct(_), .. },
        ) if !matches!(arguments.get(at), Some(Value::Hash(_))) => first,
        (
            SignatureMismatch::Argument { at, name, expected },
            SignatureMismatch::Argument { name: other_name, expected: other, .. },
        ) => {
            let name = name.filter(|name| other_name.as_ref() == Some(name));
            SignatureMismatch::Argument { at, name, expected: Type::one_of([expected, other]) }
        }
        (SignatureMismatch::Block { expected }, SignatureMismatch::Block { expected: other }) => {
            SignatureMismatch::Block { expected: Type::one_of([expected, other]) }
        }
        (first, _) => first,
    }
}

pub(super) fn describe_mismatch(
    callee: &str,
    signatures: &[&str],
    mismatch: SignatureMismatch,
    given: Arguments<'_>,
) -> Error {
    let signatures: Vec<String> = signatures.iter().map(|text| format!("{callee}{text}")).collect();
    let wrong = match mismatch {
        SignatureMismatch::Count { least, most } => {
            format!("{callee} accepts {}, got {}", counted_range(least, most, "argument"), given.values.len())
        }
        SignatureMismatch::Argument { at, name, expected } => {
            let label = name.as_ref().map_or_else(|| format!("argument {}", at + 1), |name| format!("${name}"));
            let parameter = if name.is_some() { format!("the parameter {label}") } else { label.clone() };
            let argument = given.values.get(at).unwrap_or(&Value::Undef); // There is one, or it would not be wrong.
            let wrong = wrong_argument(&format!("{parameter} of {callee}"), &expected, argument, signatures);
            return given.pointed_out(wrong, at, &label);
        }
        SignatureMismatch::UnexpectedBlock => format!("{callee} accepts no lambda"),
        SignatureMismatch::MissingBlock => format!("{callee} requires a lambda"),
        SignatureMismatch::Block { expected } => {
            let (expected, got) = given.block.map(|block| describe_block(&expected, block)).unwrap_or_default();
            format!("{callee} requires a lambda {expected}, got {got}")
        }
    };
    EvalError::Arguments { wrong, signatures }.into()
}

pub(super) fn wrong_argument(parameter: &str, expected: &Type, argument: &Value, signatures: Vec<String>) -> Error {
    let got = describe_for(expected, argument);
    let wrong = format!("{parameter} must be {}, got {got}", for_message(expected));
    let wrong = match &*got {
        "undef" => Error::runtime(wrong).with_help("to skip undef, write `$value.then |$value| { … }`"),
        _ => EvalError::Arguments { wrong, signatures }.into(),
    };
    explained(wrong, expected, argument)
}

fn counted_range(least: usize, most: Option<usize>, thing: &str) -> String {
    match most {
        Some(0) => format!("no {thing}s"),
        Some(most) if most == least => counted(most, thing),
        Some(most) => format!("{least} to {}", counted(most, thing)),
        None => format!("at least {}", counted(least, thing)),
    }
}

/// What a lambda should be, and what it is: by the number of its parameters where that alone is wrong.
fn describe_block(expected: &Type, block: &Arc<dyn Callable>) -> (String, String) {
    let (least, most) = arity_of(block);
    let takes = |count: usize| least <= count && most.is_none_or(|most| count <= most);
    match argument_counts(expected) {
        Some(counts) if !counts.iter().any(|count| takes(*count)) => {
            let expected = match counts.as_slice() {
                [0] => "without parameters".to_owned(),
                [1] => "of 1 parameter".to_owned(),
                counts => {
                    let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
                    format!("of {} parameters", counts.join(" or "))
                }
            };
            (expected, format!("one of {}", counted_range(least, most, "parameter")))
        }
        _ => (format!("that is {expected}"), block.callable_type().to_string()),
    }
}

/// With how many arguments a lambda of that type is called, in ascending order; `None` if the number is not fixed.
fn argument_counts(type_: &Type) -> Option<Vec<usize>> {
    let mut counts = match type_ {
        Type::Callable(callable) => {
            let size = callable.parameters()?.size();
            let count = usize::try_from(size.from()).ok()?;
            if size.to() == size.from() { vec![count] } else { return None }
        }
        Type::Optional(optional) => argument_counts(optional.type_()?)?,
        Type::Variant(variant) => {
            let counts: Option<Vec<_>> = variant.types().iter().map(|type_| argument_counts(type_)).collect();
            counts?.concat()
        }
        _ => return None,
    };
    counts.sort_unstable();
    counts.dedup();
    Some(counts)
}
