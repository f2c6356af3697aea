//! Why a call fits none of the signatures of what is called, told to people.

use std::sync::Arc;

use super::arguments::Arguments;
use super::block::arity_of;
use super::error::Misuse;
use super::signature::{Misfit, Signature};
use crate::error::Error;
use crate::operators::describe;
use crate::types::Type;
use crate::types::relation::mismatch::{explained, for_message};
use crate::value::{Callable, Value};
use crate::wording::counted;

/// The first signature that fits, or the reason why the one that came furthest does not. `takes_block` tells which of them
/// take the block, where that is known.
pub(super) fn fitting(
    signatures: &[Signature],
    arguments: &[Value],
    block: Option<&Arc<dyn Callable>>,
    takes_block: Option<&[bool]>,
) -> Result<usize, Misfit> {
    let takes_block = |at: usize| takes_block.map(|takes_block| takes_block[at]);
    let fitting = (0..signatures.len()).find(|at| signatures[*at].fits(arguments, block, takes_block(*at)));
    fitting.ok_or_else(|| misfit(signatures, arguments, block))
}

/// Why the signature that came furthest does not fit, where none does.
#[cold]
fn misfit(signatures: &[Signature], arguments: &[Value], block: Option<&Arc<dyn Callable>>) -> Misfit {
    let progress = |misfit: &Misfit| match misfit {
        Misfit::Count { .. } => 0,
        Misfit::Argument { at, .. } => 1 + at,
        Misfit::UnexpectedBlock | Misfit::MissingBlock | Misfit::Block { .. } => usize::MAX,
    };
    let mut furthest: Option<Misfit> = None;
    for misfit in signatures.iter().filter_map(|signature| signature.check(arguments, block).err()) {
        furthest = Some(match furthest {
            Some(old) if progress(&misfit) < progress(&old) => old,
            Some(old) if progress(&misfit) == progress(&old) => either(old, misfit, arguments),
            _ => misfit,
        });
    }
    furthest.unwrap_or(Misfit::Count { least: 0, most: Some(0) })
}

/// The misfit that tells of both signatures: what either of them expects. That arguments can be named in a hash is worth
/// telling only to who gave a hash.
fn either(first: Misfit, second: Misfit, arguments: &[Value]) -> Misfit {
    match (first, second) {
        (first @ Misfit::Argument { at, .. }, Misfit::Argument { expected: Type::Struct(_), .. })
            if !matches!(arguments[at], Value::Hash(_)) =>
        {
            first
        }
        (Misfit::Argument { at, name, expected }, Misfit::Argument { name: other_name, expected: other, .. }) => {
            let name = name.filter(|name| other_name.as_ref() == Some(name));
            Misfit::Argument { at, name, expected: Type::one_of([expected, other]) }
        }
        (Misfit::Block { expected }, Misfit::Block { expected: other }) => {
            Misfit::Block { expected: Type::one_of([expected, other]) }
        }
        (first, _) => first,
    }
}

/// The misfit as an error for people.
pub(super) fn told(callee: &str, signatures: &[&str], misfit: Misfit, given: Arguments<'_>) -> Error {
    let arguments = given.values;
    let signatures: Vec<String> = signatures.iter().map(|text| format!("{callee}{text}")).collect();
    let callee = callee.to_owned();
    match misfit {
        Misfit::Count { least, most } => Misuse::ArgumentCount {
            callee,
            expected: counted_range(least, most, "argument"),
            got: arguments.len(),
            signatures,
        },
        Misfit::Argument { at, name, expected } => {
            let label = name.as_ref().map_or_else(|| format!("argument {}", at + 1), |name| format!("${name}"));
            let parameter = if name.is_some() { format!("the parameter {label}") } else { label.clone() };
            let wrong = Misuse::Argument {
                callee,
                parameter,
                expected: for_message(&expected),
                got: describe(&arguments[at]),
                signatures,
            };
            return given.pointed_out(explained(wrong.into(), &expected, &arguments[at]), at, &label);
        }
        Misfit::UnexpectedBlock => Misuse::UnexpectedBlock { callee, signatures },
        Misfit::MissingBlock => Misuse::MissingBlock { callee, signatures },
        Misfit::Block { expected } => {
            let (expected, got) = given.block.map(|block| block_told(&expected, block)).unwrap_or_default();
            Misuse::BlockParameters { callee, expected, got, signatures }
        }
    }
    .into()
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
fn block_told(expected: &Type, block: &Arc<dyn Callable>) -> (String, String) {
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

/// With how many arguments a lambda of that type is called, in ascending order; `None` if that is no fixed number.
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
