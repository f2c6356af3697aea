//! Questions to arrays, hashes and strings as a whole: `empty`, `flatten`, `join`, `keys`, `length`, `unique`, `values`.

use super::iteration::position;
use super::{Call, Exit, Function};
use crate::types::Example;
use crate::value::Value;

const SIZE_SIGNATURES: &[&str] =
    &["(Collection $collection) >> Integer", "(String $text) >> Integer", "(Binary $binary) >> Integer"];

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "length",
        summary: "the number of elements, entries, characters or bytes",
        signatures: SIZE_SIGNATURES,
        examples: &[
            Example { code: "'æøå'.length", answer: "3" },
            Example { code: "length({'a' => 1})", answer: "1" },
            Example { code: "length(5)", answer: "error RUNTIME_ERROR" },
        ],
        body: length,
    },
    Function {
        name: "size",
        summary: "the same as length",
        signatures: SIZE_SIGNATURES,
        examples: &[
            Example { code: "[1, 2].size", answer: "2" },
            Example { code: "size(undef)", answer: "error RUNTIME_ERROR" },
        ],
        body: length,
    },
];

fn length(call: Call<'_>) -> Result<Value, Exit> {
    Ok(position(match &call.arguments[0] {
        Value::Array(array) => array.len(),
        Value::Hash(hash) => hash.len(),
        Value::String(text) => text.chars().count(),
        Value::Binary(binary) => binary.bytes().len(),
        _ => 0,
    }))
}
