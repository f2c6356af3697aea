//! Ordering: `compare`, `max`, `min`, `sort`, `versioncmp`.
//!
//! There are four orders. `compare` accepts two values of one kind and ignores the case of ASCII letters in strings.
//! `sort` without a block accepts numbers, or strings (by their bytes), or arrays (element by element), and so on.
//! `max` and `min` accept anything: numbers and strings of digits are compared as numbers, everything else as strings.
//!
//! `versioncmp` splits a version into runs of digits, dots, hyphens and runs of everything else. The first pair of parts that
//! differ decides: a hyphen comes first, then a dot; numbers compare by value, unless one of them starts with a zero;
//! everything else compares by its letters, ignoring case. Versions with a common prefix are compared as strings.

use std::{cmp::Ordering, mem::discriminant};

use nom::character::complete::{digit1, one_of};
use nom::{Parser, branch::alt, bytes::complete::is_not, combinator::recognize};

use super::{Call, Flow};
use crate::error::{Error, Result};
use crate::limits::BoundedVec;
use crate::microsyntax::Parsed;
use crate::operators::compare_values;
use crate::regexp::ConstantRegex;
use crate::types::Type;
use crate::value::Value;
use crate::{format, interrupt, stack};

const MAX_MIN_SIGNATURES: &[&str] =
    &["(Array $values, Optional[Callable[2, 2]] &$block)", "(Any *$values, Callable[2, 2] &$block)", "(Any *$values)"];

functions! {
    /// returns -1, 0 or 1 if the first value is less than, equal to or greater than the second
    "compare" [
        "(Numeric $a, Numeric $b) >> Integer",
        "(String $a, String $b, Boolean $ignore_case = true) >> Integer",
        "(SemVer $a, SemVer $b) >> Integer",
        "(Numeric $a, Variant[Timespan, Timestamp] $b) >> Integer",
        "(Timestamp $a, Variant[Timestamp, Numeric] $b) >> Integer",
        "(Timespan $a, Variant[Timespan, Numeric] $b) >> Integer",
    ] {
        "compare('a', 'B')" => "-1",
        "compare('a', 'B', false)" => "1",
        "compare(1, '1')" => "error RUNTIME_ERROR",
    } => compare;
    /// returns the greatest argument, or the greatest element of a single array
    "max" MAX_MIN_SIGNATURES {
        "max(1, 2.5)" => "2.5",
        "max(['10', '9'])" => "'10'",
        "max()" => "error RUNTIME_ERROR",
    } => |call| find_extreme(call, Ordering::Greater);
    /// returns the least argument, or the least element of a single array
    "min" MAX_MIN_SIGNATURES {
        "min([3, 1, 2])" => "1",
        "min('aa', 'b') |$x, $y| { compare($x.length, $y.length) }" => "'b'",
        "min([])" => "error RUNTIME_ERROR",
    } => |call| find_extreme(call, Ordering::Less);
    /// sorts the elements of an array or the characters of a string
    "sort" [
        "(String $text, Optional[Callable[2, 2]] &$block)",
        "(Array $array, Optional[Callable[2, 2]] &$block)",
    ] {
        "['a', 'B', 'c'].sort" => "['B', 'a', 'c']",
        "[1, 2, 3].sort |$a, $b| { compare($b, $a) }" => "[3, 2, 1]",
        "[1, 'a'].sort" => "error RUNTIME_ERROR",
    } => sort;
    /// returns -1, 0 or 1 if the first version is older than, equal to or newer than the second
    "versioncmp" ["(String $a, String $b, Boolean $ignore_trailing_zeroes = false) >> Integer"] {
        "versioncmp('1.10', '1.9')" => "1",
        "versioncmp('1.0', '1', true)" => "0",
        "versioncmp('1.0.0', '1.0-', true)" => "0",
        "versioncmp('1.0', 1)" => "error RUNTIME_ERROR",
    } => |call| Ok(versioncmp(call.arguments));
}

fn compare(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (a, b) = (call.argument(0)?, call.argument(1)?);
    let ignores_case = call.arguments.get(2) != Some(&Value::Boolean(false));
    let order = match a {
        Value::String(_) if ignores_case => compare_values(a, b),
        _ => compare_strictly(a, b),
    };
    Ok(Value::Integer(order.ok_or_else(|| not_comparable_error(a, b))? as i64))
}

fn compare_strictly(a: &Value, b: &Value) -> Option<Ordering> {
    interrupt::take_step();
    match (a, b) {
        (Value::Integer(_) | Value::Float(_), Value::Timespan(_) | Value::Timestamp(_)) => {
            compare_strictly(b, a).map(Ordering::reverse)
        }
        (Value::String(a), Value::String(b)) => Some(a.cmp(b)),
        (Value::Array(a), Value::Array(b)) => stack::with_room(|| {
            let mut orders = a.iter().zip(b.iter()).map(|(a, b)| compare_strictly(a, b));
            let unequal = orders.find(|order| *order != Some(Ordering::Equal));
            unequal.unwrap_or_else(|| Some(a.len().cmp(&b.len())))
        }),
        _ => compare_values(a, b).or_else(|| (a == b).then_some(Ordering::Equal)),
    }
}

fn not_comparable_error(a: &Value, b: &Value) -> Error {
    Error::runtime(format!("{} and {} cannot be ordered", Type::infer_reduced(a), Type::infer_reduced(b)))
        .with_help("pass a block that returns a negative number, 0 or a positive number")
}

fn ordering_from_result(answer: &Value) -> Result<Ordering, Flow> {
    match answer {
        Value::Integer(number) => Ok(number.cmp(&0)),
        Value::Float(number) => Ok(number.partial_cmp(&0.0).unwrap_or(Ordering::Equal)),
        other => {
            let wrong = format!("the block must return a number, got a value of type {}", Type::infer_reduced(other));
            Err(Error::runtime(wrong).with_help("compare($a, $b) returns one").into())
        }
    }
}

fn find_extreme(call: &mut Call<'_>, wanted: Ordering) -> Result<Value, Flow> {
    let values: &[Value] = match call.arguments {
        [Value::Array(array)] => array,
        several => several,
    };
    let Some((first, rest)) = values.split_first() else {
        // Puppet has no complaint when there is a block for what is not there.
        if call.block.is_some() {
            return Ok(Value::Undef);
        }
        return Err(Error::runtime("expected at least one value, got none").into());
    };
    let are_versions_or_times = matches!(first, Value::SemVer(_) | Value::Timespan(_) | Value::Timestamp(_))
        && rest.iter().all(|value| discriminant(value) == discriminant(first));
    let mut best = first;
    for value in rest {
        interrupt::take_long_step();
        let order = match call.block {
            Some(block) => ordering_from_result(&call.runtime.call(block, &[value.clone(), best.clone()])?)?,
            None if are_versions_or_times => compare_strictly(value, best).unwrap_or(Ordering::Equal),
            None => compare_loosely(value, best),
        };
        if order == wanted {
            best = value;
        }
    }
    Ok(best.clone())
}

/// Compares any two values: as numbers if both look like numbers, else as strings.
fn compare_loosely(a: &Value, b: &Value) -> Ordering {
    if let (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) = (a, b) {
        return compare_strictly(a, b).unwrap_or(Ordering::Equal);
    }
    let (a, b) = (to_ruby_string(a), to_ruby_string(b));
    match (parse_loose_number(&a), parse_loose_number(&b)) {
        (Some(a), Some(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
        _ => a.cmp(&b),
    }
}

/// Converts a value to a string as Ruby does, which quotes the strings inside arrays and hashes.
fn to_ruby_string(value: &Value) -> String {
    match value {
        Value::Regexp(regexp) => regexp.to_option_group(),
        Value::Array(_) | Value::Hash(_) => {
            format::sprintf("%s", std::slice::from_ref(value)).unwrap_or_else(|_| format::text(value))
        }
        other => format::text(other),
    }
}

/// Parses a string that `max` and `min` treat as a number: `12`, `-12`, `1.2`, `1e2` or `1_2`; `None` for others.
fn parse_loose_number(text: &str) -> Option<f64> {
    static NUMBER_REGEX: ConstantRegex = ConstantRegex::new(r"\A-?[0-9]+([._eE][0-9]+)?\z");
    NUMBER_REGEX.is_match(text).then(|| text.replace('_', "").parse().ok()).flatten()
}

fn sort(call: &mut Call<'_>) -> Result<Value, Flow> {
    let (mut elements, is_text): (Vec<Value>, bool) = match call.argument(0)? {
        Value::String(text) => {
            let mut characters = BoundedVec::default();
            text.chars().try_for_each(|character| characters.push(Value::from(character)))?;
            (characters.into_vec(), true)
        }
        Value::Array(array) => (array.to_vec(), false),
        other => return Ok(other.clone()),
    };
    match call.block {
        Some(block) => call.runtime.with_prepared_block(block, &mut |block| {
            merge_sort(&mut elements, &mut Vec::new(), &mut |a, b| {
                ordering_from_result(&block.call(&mut [a.clone(), b.clone()])?)
            })
        })?,
        None => merge_sort(&mut elements, &mut Vec::new(), &mut |a, b| {
            compare_strictly(a, b).ok_or_else(|| not_comparable_error(a, b).into())
        })?,
    }
    Ok(if is_text { elements.iter().map(format::text).collect::<String>().into() } else { Value::from(elements) })
}

/// Sorts stably by merging sorted halves, because the sort of the standard library does not support a `compare` that
/// fails or is inconsistent. `merge_buffer` is empty before and after; it is passed on to save allocations.
///
/// Observed: Puppet 8.10 compares in this order, which shows where the comparison fails or logs something.
fn merge_sort(
    elements: &mut [Value],
    merge_buffer: &mut Vec<Value>,
    compare: &mut impl FnMut(&Value, &Value) -> Result<Ordering, Flow>,
) -> Result<(), Flow> {
    if elements.len() < 2 {
        return Ok(());
    }
    let (left, right) = elements.split_at_mut(elements.len() / 2);
    merge_sort(left, merge_buffer, compare)?;
    merge_sort(right, merge_buffer, compare)?;
    let (mut left, mut right) = (left.iter_mut().peekable(), right.iter_mut().peekable());
    while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
        let next = if compare(a, b)? == Ordering::Greater { &mut right } else { &mut left };
        merge_buffer.extend(next.next().map(std::mem::take));
    }
    merge_buffer.extend(left.chain(right).map(std::mem::take));
    for (element, sorted) in elements.iter_mut().zip(merge_buffer.drain(..)) {
        *element = sorted;
    }
    Ok(())
}

fn versioncmp(arguments: &[Value]) -> Value {
    let [Value::String(a), Value::String(b), options @ ..] = arguments else { return Value::Undef };
    let order = if options.first() == Some(&Value::Boolean(true)) {
        compare_versions(&without_trailing_zeroes(a), &without_trailing_zeroes(b))
    } else {
        compare_versions(a, b)
    };
    Value::Integer(order as i64)
}

/// Removes hyphens at the end of a version, and zeros and dots before the first hyphen.
///
/// Observed: Puppet 8.11 for the hyphens.
fn without_trailing_zeroes(version: &str) -> String {
    let version = version.trim_end_matches('-');
    let (numbers, rest) = version.split_at(version.find('-').unwrap_or(version.len()));
    format!("{}{rest}", numbers.trim_end_matches(['0', '.']))
}

/// Splits a version into its hyphens, dots, runs of digits, and runs of other characters.
fn version_parts(mut version: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let part: Parsed<'_, &str> = alt((recognize(one_of("-.")), digit1, is_not("-.0123456789"))).parse(version);
        let found;
        (version, found) = part.ok()?;
        Some(found)
    })
}

fn compare_versions(a: &str, b: &str) -> Ordering {
    let differing = version_parts(a).zip(version_parts(b)).find(|(a, b)| a != b);
    differing.map_or_else(|| a.cmp(b), |(a, b)| compare_version_parts(a, b))
}

fn compare_version_parts(a: &str, b: &str) -> Ordering {
    let rank = |part: &str| ["-", "."].iter().position(|separator| *separator == part).unwrap_or(2);
    let is_number = |part: &str| !part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit());
    rank(a).cmp(&rank(b)).then_with(|| {
        if is_number(a) && is_number(b) {
            // Without leading zeros the longer number is the greater one, however long they are.
            a.len().cmp(&b.len()).then_with(|| a.cmp(b))
        } else {
            a.to_uppercase().cmp(&b.to_uppercase())
        }
    })
}
