//! Overload resolution: finds the signature that accepts a call, or explains why none does.

use std::{cmp::Ordering, fmt, sync::Arc};

use super::signature::{Signature, SignatureMismatch, signatures_of};
use super::{arguments::Arguments, block::lambda_arity, error::EvalError};
use crate::error::Error;
use crate::explain::mismatch::add_explanation;
use crate::types::{Type, describe::describe_type, secret::describe_safely};
use crate::value::{Callable, Value};
use crate::wording::pluralize;

/// Returns the index of the first signature that accepts the call, or an error about the closest one.
pub(super) fn resolve_overload(
    callee: fmt::Arguments<'_>,
    texts: &'static [&str],
    given: Arguments<'_>,
) -> Result<usize, Error> {
    let signatures = signatures_of(texts);
    let block = given.block.map(|block| block.callable_type());
    let fits =
        |signature: &Signature| signature.accepts_arguments(given.values) && signature.accepts_block(block.as_ref());
    let fitting = signatures.iter().position(fits);
    fitting.ok_or_else(|| mismatch_error(&callee.to_string(), texts, furthest_mismatch(signatures, given), given))
}

/// Returns the mismatch of the signature that accepts the most arguments; equally close ones are merged.
fn furthest_mismatch(signatures: &[Signature], given: Arguments<'_>) -> SignatureMismatch {
    let Arguments { values: arguments, block, .. } = given;
    let progress = |mismatch: &SignatureMismatch| match mismatch {
        SignatureMismatch::Count { .. } => 0,
        SignatureMismatch::Argument { at, .. } => 1 + at,
        SignatureMismatch::UnexpectedBlock | SignatureMismatch::MissingBlock | SignatureMismatch::Block { .. } => {
            usize::MAX
        }
    };
    let mismatches = signatures.iter().map(|signature| signature.find_mismatch(arguments, block));
    let furthest = mismatches.reduce(|old, new| match progress(&new).cmp(&progress(&old)) {
        Ordering::Less => old,
        Ordering::Equal => merge_mismatches(old, new, arguments),
        Ordering::Greater => new,
    });
    furthest.unwrap_or(SignatureMismatch::Count { least: 0, most: Some(0) })
}

/// Merges two mismatches of the same kind into one that expects what either signature expects. One that expects a
/// Struct counts only if the argument is a Hash.
fn merge_mismatches(first: SignatureMismatch, second: SignatureMismatch, arguments: &[Value]) -> SignatureMismatch {
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

pub(super) fn mismatch_error(
    callee: &str,
    signatures: &[&str],
    mismatch: SignatureMismatch,
    given: Arguments<'_>,
) -> Error {
    let signatures: Vec<String> = signatures.iter().map(|text| format!("{callee}{text}")).collect();
    let wrong = match mismatch {
        SignatureMismatch::Count { least, most } => {
            format!("{callee} accepts {}, got {}", describe_count_range(least, most, "argument"), given.values.len())
        }
        SignatureMismatch::Argument { at, name, expected } => {
            let label = name.as_ref().map_or_else(|| format!("argument {}", at + 1), |name| format!("${name}"));
            let parameter = if name.is_some() { format!("the parameter {label}") } else { label.clone() };
            let argument = given.values.get(at).unwrap_or(&Value::Undef); // There is one, or it would not be wrong.
            let wrong = wrong_argument(&format!("{parameter} of {callee}"), &expected, argument, signatures);
            return given.label_argument(wrong, at, &label);
        }
        SignatureMismatch::UnexpectedBlock => format!("{callee} accepts no lambda"),
        SignatureMismatch::MissingBlock => format!("{callee} requires a lambda"),
        SignatureMismatch::Block { expected } => {
            let (expected, got) =
                given.block.map(|block| describe_block_mismatch(&expected, block)).unwrap_or_default();
            format!("{callee} requires a lambda {expected}, got {got}")
        }
    };
    EvalError::Arguments { wrong, signatures }.into()
}

pub(super) fn wrong_argument(parameter: &str, expected: &Type, argument: &Value, signatures: Vec<String>) -> Error {
    let got = describe_safely(expected, argument);
    let wrong = format!("{parameter} must be {}, got {got}", describe_type(expected));
    let wrong = match &*got {
        "undef" => Error::runtime(wrong).with_help("to skip undef, write `$value.then |$value| { … }`"),
        _ => EvalError::Arguments { wrong, signatures }.into(),
    };
    add_explanation(wrong, expected, argument)
}

fn describe_count_range(least: usize, most: Option<usize>, thing: &str) -> String {
    match most {
        Some(0) => format!("no {thing}s"),
        Some(most) if most == least => pluralize(most, thing),
        Some(most) => format!("{least} to {}", pluralize(most, thing)),
        None => format!("at least {}", pluralize(least, thing)),
    }
}

/// Describes the expected and the actual lambda: by their parameter counts if these differ, else by their types.
fn describe_block_mismatch(expected: &Type, block: &Arc<dyn Callable>) -> (String, String) {
    let (least, most) = lambda_arity(block);
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
            (expected, format!("one of {}", describe_count_range(least, most, "parameter")))
        }
        _ => (format!("that is {expected}"), block.callable_type().to_string()),
    }
}

/// Returns the numbers of arguments that a Callable type allows, ascending; `None` if a number is not fixed.
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
