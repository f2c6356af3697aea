//! String functions: letter case, trimming, `split`.
//!
//! All but `split` also accept several strings at once and return numbers unchanged, so that mixed data passes through. White
//! space is defined as in Ruby: space, tab, newline, vertical tab, form feed, carriage return and the zero character.

use super::iteration::elements;
use super::regular_expressions::{one_expression, through_sensitive};
use super::{Call, Flow, Function};
use crate::error::{Error, Result};
use crate::limits::{BoundedVec, check_string_bytes};
use crate::types::{Type, example};
use crate::value::Value;
use crate::{format, interrupt, stack};

/// Of the functions that change each of several strings.
const EACH_SIGNATURES: &[&str] =
    &["(Numeric $number)", "(String $text)", "(Iterable[Variant[String, Numeric]] $texts) >> Array"];

/// Of the functions that go into arrays and hashes as deep as these are.
const DEEP_SIGNATURES: &[&str] = &["(Numeric $number)", "(String $text)", "(Array $array)", "(Hash $hash)"];

pub(super) const FUNCTIONS: &[Function] = &[
    Function {
        name: "camelcase",
        summary: "capitalizes the words between underscores and joins them into one word",
        signatures: EACH_SIGNATURES,
        examples: &[
            example("'foo_bar'.camelcase", "'FooBar'"),
            example("camelcase(['a_b', 'c'])", "['AB', 'C']"),
            example("camelcase(true)", "error RUNTIME_ERROR"),
        ],
        body: |call| each_text(call, |text| text.split('_').map(capitalized).inspect(|_| interrupt::step()).collect()),
    },
    Function {
        name: "capitalize",
        summary: "capitalizes the first character and lowercases the others",
        signatures: EACH_SIGNATURES,
        examples: &[
            example("'hELLO world'.capitalize", "'Hello world'"),
            example("capitalize(['ab', 'cd'])", "['Ab', 'Cd']"),
            example("capitalize(/x/)", "error RUNTIME_ERROR"),
        ],
        body: |call| each_text(call, capitalized),
    },
    Function {
        name: "chomp",
        summary: "removes a line ending from the end of a string",
        signatures: EACH_SIGNATURES,
        examples: &[example("\"line\\n\".chomp", "'line'"), example("chomp(undef)", "error RUNTIME_ERROR")],
        body: |call| each_text(call, |text| without_line_end(text).to_owned()),
    },
    Function {
        name: "chop",
        summary: "removes the last character of a string; \\r\\n counts as one",
        signatures: EACH_SIGNATURES,
        examples: &[example("'abc'.chop", "'ab'"), example("chop(undef)", "error RUNTIME_ERROR")],
        body: |call| each_text(call, |text| without_last_character(text).to_owned()),
    },
    Function {
        name: "downcase",
        summary: "converts to lower case, also inside arrays and hashes",
        signatures: DEEP_SIGNATURES,
        examples: &[
            example("'ÆBLE'.downcase", "'æble'"),
            example("downcase({'A' => ['B']})", "{'a' => ['b']}"),
            example("downcase([true])", "error RUNTIME_ERROR"),
        ],
        body: |call| Ok(in_depth(call.argument(0)?, &lower_case)?),
    },
    Function {
        name: "lstrip",
        summary: "removes leading white space",
        signatures: EACH_SIGNATURES,
        examples: &[example("' a '.lstrip", "'a '"), example("lstrip(undef)", "error RUNTIME_ERROR")],
        body: |call| each_text(call, |text| text.trim_start_matches(is_white_space).to_owned()),
    },
    Function {
        name: "rstrip",
        summary: "removes trailing white space",
        signatures: EACH_SIGNATURES,
        examples: &[example("' a '.rstrip", "' a'"), example("rstrip(undef)", "error RUNTIME_ERROR")],
        body: |call| each_text(call, |text| text.trim_end_matches(is_white_space).to_owned()),
    },
    Function {
        name: "split",
        summary: "splits a string at the matches of the pattern, dropping empty parts at the end",
        signatures: &[
            "(String $text, String $pattern) >> Array[String]",
            "(String $text, Regexp $pattern) >> Array[String]",
            "(String $text, Type[Regexp] $pattern) >> Array[String]",
            "(Sensitive[String] $text, String $pattern) >> Sensitive[Array[String]]",
            "(Sensitive[String] $text, Regexp $pattern) >> Sensitive[Array[String]]",
            "(Sensitive[String] $text, Type[Regexp] $pattern) >> Sensitive[Array[String]]",
        ],
        examples: &[
            example("'a,b;c'.split(/[,;]/)", "['a', 'b', 'c']"),
            example("split('a.b', '[.]')", "['a', 'b']"),
            example("split('abc', '(')", "error RUNTIME_ERROR"),
        ],
        body: split,
    },
    Function {
        name: "strip",
        summary: "removes leading and trailing white space",
        signatures: EACH_SIGNATURES,
        examples: &[example("[' a', 5].strip", "error RUNTIME_ERROR"), example("[' a', 'b '].strip", "['a', 'b']")],
        body: |call| each_text(call, |text| text.trim_matches(is_white_space).to_owned()),
    },
    Function {
        name: "upcase",
        summary: "converts to upper case, also inside arrays and hashes",
        signatures: DEEP_SIGNATURES,
        examples: &[
            example("'straße'.upcase", "'STRASSE'"),
            example("upcase(['a', 1])", "['A', 1]"),
            example("upcase(undef)", "error RUNTIME_ERROR"),
        ],
        body: |call| Ok(in_depth(call.argument(0)?, &|text| letters(text).flat_map(char::to_uppercase).collect())?),
    },
];

/// The number as it is, the text changed, or an array of the changed strings. Only arrays of one kind are taken: either
/// all of their elements are strings or all are numbers.
fn each_text(call: &mut Call<'_>, change: impl Fn(&str) -> String) -> Result<Value, Flow> {
    match (call.argument(0)?, call.signature) {
        (Value::String(text), _) => Ok(changed(text, &change)?),
        (number, 0) => Ok(number.clone()),
        (several, _) => {
            let mut texts = BoundedVec::default();
            for element in elements(several)?.draw() {
                interrupt::poll();
                texts.push(match &element {
                    Value::String(text) => changed(text, &change)?,
                    _ => element,
                })?;
            }
            Ok(texts.into())
        }
    }
}

/// The changed string, which may be longer: `ß` has two capital letters.
fn changed(text: &str, change: impl Fn(&str) -> String) -> Result<Value> {
    let text = change(text);
    check_string_bytes(text.len())?;
    Ok(text.into())
}

fn in_depth(value: &Value, change: &(impl Fn(&str) -> String + Sync)) -> Result<Value> {
    match value {
        Value::Integer(_) | Value::Float(_) => Ok(value.clone()),
        Value::String(text) => changed(text, change),
        Value::Array(array) => stack::with_room(|| {
            let elements: Result<Vec<Value>> = array.iter().map(|element| in_depth(element, change)).collect();
            Ok(Value::from(elements?))
        }),
        Value::Hash(hash) => stack::with_room(|| {
            let entries = hash.iter().map(|(key, value)| Ok((in_depth(key, change)?, in_depth(value, change)?)));
            Ok(Value::Hash(entries.collect::<Result<_>>()?))
        }),
        other => Err(Error::runtime(format!(
            "expected strings, numbers, and arrays and hashes of these, got a value of type {}",
            Type::reduced_of(other)
        ))),
    }
}

/// Ruby changes letter by letter: a Greek sigma at the end of a word gets no special form.
fn lower_case(text: &str) -> String {
    letters(text).flat_map(char::to_lowercase).collect()
}

/// The letters of a string that may be long enough for somebody to lose patience.
fn letters(text: &str) -> impl Iterator<Item = char> {
    interrupt::each(text.chars())
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    let mut result: String = characters.next().into_iter().flat_map(format::title_case).collect();
    result.push_str(&lower_case(characters.as_str()));
    result
}

fn without_line_end(text: &str) -> &str {
    ["\r\n", "\n", "\r"].into_iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text)
}

fn without_last_character(text: &str) -> &str {
    let end = if text.ends_with("\r\n") { 2 } else { text.chars().next_back().map_or(0, char::len_utf8) };
    &text[..text.len() - end]
}

fn is_white_space(character: char) -> bool {
    matches!(character, ' ' | '\t'..='\r' | '\0')
}

fn split(call: &mut Call<'_>) -> Result<Value, Flow> {
    let pattern = one_expression(call.argument(1)?)?;
    Ok(through_sensitive(call.argument(0)?, &|text| match text {
        Value::String(text) => {
            let parts = pattern.split(text)?;
            Ok(Value::from(parts.into_iter().map(Value::from).collect::<Vec<_>>()))
        }
        other => Ok(other.clone()),
    })?)
}
