//! String functions: letter case, trimming, `split`.
//!
//! All but `split` also accept several strings at once and return numbers unchanged, so that mixed data passes through. White
//! space is defined as in Ruby: space, tab, newline, vertical tab, form feed, carriage return and the zero character.

use super::regular_expressions::{change_inside_sensitive, to_single_expression};
use super::{Call, Flow, iteration::iter_elements, map_collection};
use crate::error::{Error, Result};
use crate::format::{capitalize, is_white_space, to_lower_case, to_upper_case};
use crate::interrupt;
use crate::limits::{BoundedVec, check_string_bytes};
use crate::types::Type;
use crate::value::{EcoString, Value, copy_string};

const STRINGS_SIGNATURES: &[&str] = &[
    "(Numeric $number) >> Numeric",
    "(String $text) >> String",
    "(Iterable[Variant[String, Numeric]] $texts) >> Array",
];

const NESTED_STRINGS_SIGNATURES: &[&str] =
    &["(Numeric $number) >> Numeric", "(String $text) >> String", "(Array $array) >> Array", "(Hash $hash) >> Hash"];

functions! {
    /// capitalizes the words between underscores and joins them into one word
    "camelcase" STRINGS_SIGNATURES {
        "'foo_bar'.camelcase" => "'FooBar'",
        "camelcase(['a_b', 'c'])" => "['AB', 'C']",
        "camelcase(true)" => "error RUNTIME_ERROR",
    } => |call| map_strings(call, |text| text.split('_').map(capitalize).inspect(|_| interrupt::take_step()).collect());
    /// capitalizes the first character and lowercases the others
    "capitalize" STRINGS_SIGNATURES {
        "'hELLO world'.capitalize" => "'Hello world'",
        "capitalize(['ab', 'cd'])" => "['Ab', 'Cd']",
        "capitalize(/x/)" => "error RUNTIME_ERROR",
    } => |call| map_strings(call, capitalize);
    /// removes a line ending from the end of a string
    "chomp" STRINGS_SIGNATURES {
        "\"line\\n\".chomp" => "'line'",
        "chomp(undef)" => "error RUNTIME_ERROR",
    } => |call| map_strings(call, |text| {
        let line = ["\r\n", "\n", "\r"].into_iter().find_map(|end| text.strip_suffix(end));
        copy_string(line.unwrap_or(text))
    });
    /// removes the last character of a string; \r\n counts as one
    "chop" STRINGS_SIGNATURES {
        "'abc'.chop" => "'ab'",
        "chop(undef)" => "error RUNTIME_ERROR",
    } => |call| map_strings(call, |text| copy_string(without_last_character(text)));
    /// converts to lower case, also inside arrays and hashes
    "downcase" NESTED_STRINGS_SIGNATURES {
        "'ÆBLE'.downcase" => "'æble'",
        "downcase({'A' => ['B']})" => "{'a' => ['b']}",
        "downcase([true])" => "error RUNTIME_ERROR",
    } => |call| Ok(map_nested_strings(call.argument(0)?, &to_lower_case)?);
    /// removes leading white space
    "lstrip" STRINGS_SIGNATURES {
        "' a '.lstrip" => "'a '",
        "lstrip(undef)" => "error RUNTIME_ERROR",
    } => |call| map_strings(call, |text| copy_string(text.trim_start_matches(is_white_space)));
    /// removes trailing white space
    "rstrip" STRINGS_SIGNATURES {
        "' a '.rstrip" => "' a'",
        "rstrip(undef)" => "error RUNTIME_ERROR",
    } => |call| map_strings(call, |text| copy_string(text.trim_end_matches(is_white_space)));
    /// splits a string at the matches of the pattern, dropping empty parts at the end
    "split" [
        "(String $text, String $pattern) >> Array[String]",
        "(String $text, Regexp $pattern) >> Array[String]",
        "(String $text, Type[Regexp] $pattern) >> Array[String]",
        "(Sensitive[String] $text, String $pattern) >> Sensitive[Array[String]]",
        "(Sensitive[String] $text, Regexp $pattern) >> Sensitive[Array[String]]",
        "(Sensitive[String] $text, Type[Regexp] $pattern) >> Sensitive[Array[String]]",
    ] {
        "'a,b;c'.split(/[,;]/)" => "['a', 'b', 'c']",
        "split('a.b', '[.]')" => "['a', 'b']",
        "split('abc', '(')" => "error RUNTIME_ERROR",
    } => split;
    /// removes leading and trailing white space
    "strip" STRINGS_SIGNATURES {
        "[' a', 5].strip" => "error RUNTIME_ERROR",
        "[' a', 'b '].strip" => "['a', 'b']",
    } => |call| map_strings(call, |text| copy_string(text.trim_matches(is_white_space)));
    /// converts to upper case, also inside arrays and hashes
    "upcase" NESTED_STRINGS_SIGNATURES {
        "'straße'.upcase" => "'STRASSE'",
        "upcase(['a', 1])" => "['A', 1]",
        "upcase(undef)" => "error RUNTIME_ERROR",
    } => |call| Ok(map_nested_strings(call.argument(0)?, &to_upper_case)?);
}

/// Applies `change` to a string, or to each string in an array; numbers stay as they are.
fn map_strings(call: &mut Call<'_>, change: impl Fn(&str) -> EcoString) -> Result<Value, Flow> {
    match (call.argument(0)?, call.signature_index) {
        (Value::String(text), _) => Ok(change_string(text, &change)?),
        (number, 0) => Ok(number.clone()),
        (several, _) => {
            let mut texts = BoundedVec::default();
            for element in iter_elements(several)? {
                interrupt::take_long_step();
                texts.push(match &element {
                    Value::String(text) => change_string(text, &change)?,
                    _ => element,
                })?;
            }
            Ok(texts.into())
        }
    }
}

/// Applies `change` and checks the length of the result, which may be longer: `ß` has two capital letters.
fn change_string(text: &str, change: impl Fn(&str) -> EcoString) -> Result<Value> {
    let text = change(text);
    check_string_bytes(text.len())?;
    Ok(Value::String(text))
}

fn map_nested_strings(value: &Value, change: &(impl Fn(&str) -> EcoString + Sync)) -> Result<Value> {
    match value {
        Value::String(text) => change_string(text, change),
        Value::Integer(_) | Value::Float(_) | Value::Array(_) | Value::Hash(_) => {
            map_collection(value, |part| map_nested_strings(part, change))
        }
        other => {
            let expected = "strings, numbers, and arrays and hashes of these";
            Err(Error::runtime(format!("expected {expected}, got a value of type {}", Type::infer_reduced(other))))
        }
    }
}

fn without_last_character(text: &str) -> &str {
    let end = if text.ends_with("\r\n") { 2 } else { text.chars().next_back().map_or(0, char::len_utf8) };
    &text[..text.len() - end]
}

fn split(call: &mut Call<'_>) -> Result<Value, Flow> {
    let pattern = to_single_expression(call.argument(1)?)?;
    Ok(change_inside_sensitive(call.argument(0)?, &|text| match text {
        Value::String(text) => {
            let parts = pattern.split(text)?;
            Ok(Value::from(parts.into_iter().map(Value::from).collect::<Vec<_>>()))
        }
        other => Ok(other.clone()),
    })?)
}
