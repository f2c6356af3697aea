//! Overload resolution: finds the signature that accepts a call, or explains why none does.

use std::{cmp::Ordering, collections::BTreeSet, fmt, sync::Arc};

use super::signature::{Signature, SignatureMismatch, parsed_signatures};
use super::{arguments::Arguments, error::EvalError};
use crate::error::Error;
use crate::explain::mismatch::add_explanation;
use crate::types::{Size, Type, describe::describe_type, secret::describe_safely};
use crate::value::{Callable, Value};
use crate::wording::pluralize;

/// Returns the index of the first signature that accepts the call, or an error about the best match among them.
pub(super) fn resolve_overload(
    callee: fmt::Arguments<'_>,
    signature_texts: &'static [&str],
    given: Arguments<'_>,
) -> Result<usize, Error> {
    let signatures = parsed_signatures(signature_texts);
    let block = given.block.map(|block| block.callable_type());
    let fits =
        |signature: &Signature| signature.accepts_arguments(given.values) && signature.accepts_block(block.as_ref());
    let fitting = signatures.iter().position(fits);
    fitting
        .ok_or_else(|| mismatch_error(&callee.to_string(), signature_texts, closest_mismatch(signatures, given), given))
}

/// Returns the mismatch of the signature that accepts the most arguments; merges mismatches at the same argument.
fn closest_mismatch(signatures: &[Signature], given: Arguments<'_>) -> SignatureMismatch {
    let Arguments { values: arguments, block, .. } = given;
    let progress = |mismatch: &SignatureMismatch| match mismatch {
        SignatureMismatch::Count(_) => 0,
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
    furthest.unwrap_or(SignatureMismatch::Count(Size::exactly(0)))
}

/// Merges two mismatches at the same argument into one that expects what either signature expects. Ignores `second` if
/// it expects a Struct and the argument is not a Hash.
fn merge_mismatches(first: SignatureMismatch, second: SignatureMismatch, arguments: &[Value]) -> SignatureMismatch {
    use SignatureMismatch::{Argument, Block};
    match (first, second) {
        (first @ Argument { at, .. }, Argument { expected: Type::Struct(_), .. })
            if !matches!(arguments.get(at), Some(Value::Hash(_))) =>
        {
            first
        }
        (Argument { at, name, expected }, Argument { name: other_name, expected: other, .. }) => {
            let name = name.filter(|name| other_name.as_ref() == Some(name));
            Argument { at, name, expected: Type::one_of([expected, other]) }
        }
        (Block { expected }, Block { expected: other }) => Block { expected: Type::one_of([expected, other]) },
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
        SignatureMismatch::Count(expected) => {
            format!("{callee} accepts {}, got {}", describe_count_range(expected, "argument"), given.values.len())
        }
        SignatureMismatch::Argument { at, name, expected } => {
            let label = name.as_ref().map_or_else(|| format!("argument {}", at + 1), |name| format!("${name}"));
            let parameter = if name.is_some() { format!("the parameter {label}") } else { label.clone() };
            let argument = given.values.get(at).unwrap_or(&Value::Undef); // There is one, or it would not be wrong.
            let wrong = wrong_argument_error(&format!("{parameter} of {callee}"), &expected, argument, signatures);
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

pub(super) fn wrong_argument_error(
    parameter: &str,
    expected: &Type,
    argument: &Value,
    signatures: Vec<String>,
) -> Error {
    let got = describe_safely(expected, argument);
    let wrong = format!("{parameter} must be {}, got {got}", describe_type(expected));
    let wrong = match &*got {
        "undef" => Error::runtime(wrong).with_help("to skip undef, write `$value.then |$value| { … }`"),
        _ => EvalError::Arguments { wrong, signatures }.into(),
    };
    add_explanation(wrong, expected, argument)
}

pub(crate) fn describe_count_range(counts: Size, thing: &str) -> String {
    let [least, most] = [counts.from(), counts.to()].map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    match counts.to() {
        0 => format!("no {thing}s"),
        i64::MAX => format!("at least {}", pluralize(least, thing)),
        _ if most == least => pluralize(most, thing),
        _ => format!("{least} to {}", pluralize(most, thing)),
    }
}

/// Describes the expected and the actual lambda: by their parameter counts if these differ, else by their types.
fn describe_block_mismatch(expected: &Type, block: &Arc<dyn Callable>) -> (String, String) {
    let accepted = block.arity();
    match argument_counts(expected) {
        Some(counts) if !counts.iter().any(|count| accepted.contains(*count)) => {
            let counts: Vec<String> = counts.iter().map(usize::to_string).collect();
            let expected = match &*counts.join(" or ") {
                "0" => "without parameters".to_owned(),
                "1" => "of 1 parameter".to_owned(),
                counts => format!("of {counts} parameters"),
            };
            (expected, format!("one of {}", describe_count_range(accepted, "parameter")))
        }
        _ => (format!("that is {expected}"), block.callable_type().to_string()),
    }
}

/// Returns the argument counts that a Callable or a Variant of them allows, ascending; `None` if one is a range.
fn argument_counts(type_: &Type) -> Option<BTreeSet<usize>> {
    let count = |type_: Type| match type_ {
        Type::Callable(callable) => {
            let size = callable.parameters()?.size();
            usize::try_from(size.from()).ok().filter(|_| size.from() == size.to())
        }
        _ => None,
    };
    type_.alternatives().into_iter().map(count).collect()
}
