//! Advice for functions that are not built in: functions of older Puppet versions, Ruby functions of the module
//! puppetlabs-stdlib, and functions of other programming languages.

use crate::dictionary::{self, Kind};
use crate::types;

/// The functions of puppetlabs-stdlib without a replacement in the Puppet language.
const STDLIB_WITHOUT_REPLACEMENT: &str = "any2bool basename deep_merge delete_at dirname ensure_packages ensure_resource ensure_resources \
    getparam pw_hash shuffle swapcase to_json_pretty zip";

const STDLIB: &[(&str, &str)] = &[
    ("any2array", "Array($value, true)"),
    ("base64", "String(Binary($string, '%s'))"),
    ("bool2num", "Integer($boolean)"),
    ("bool2str", "String($boolean)"),
    ("clamp", "[$low, $value, $high].sort[1]"),
    ("concat", "$array + $other"),
    ("count", "$array.filter |$element| { $element == $wanted }.length"),
    ("delete", "$array - [$element]"),
    ("delete_undef_values", "$array.filter |$element| { $element =~ NotUndef }"),
    ("delete_values", "$hash.filter |$key, $value| { $value != $unwanted }"),
    ("difference", "$array - $other"),
    ("fact", "$facts.get('os.family')"),
    ("grep", "$array.filter |$element| { $element =~ /pattern/ }"),
    ("has_key", "$key in $hash"),
    ("hash", "Hash($array)"),
    ("intersection", "$array.filter |$element| { $element in $other }"),
    ("join_keys_to_values", "$hash.map |$key, $value| { \"${key}=${value}\" }"),
    ("member", "$element in $array"),
    ("merge", "$hash + $other"),
    ("num2bool", "Boolean($number)"),
    ("pick", "[$first, $second].filter |$value| { $value =~ NotUndef }[0]"),
    ("pick_default", "[$first, $second].filter |$value| { $value =~ NotUndef }[0]"),
    ("prefix", "$array.map |$element| { \"prefix-${element}\" }"),
    ("range", "Array(Integer[1, 10])"),
    ("regexpescape", "Regexp($string, true)"),
    ("reject", "$array.filter |$element| { $element !~ /pattern/ }"),
    ("reverse", "Array(reverse_each($array))"),
    ("str2bool", "Boolean($string)"),
    ("suffix", "$array.map |$element| { \"${element}-suffix\" }"),
    ("type_of", "type($value)"),
    ("union", "unique($array + $other)"),
    ("validate_re", "assert_type(Pattern[/pattern/], $value)"),
    ("validate_slength", "assert_type(String[0, 10], $value)"),
    ("values_at", "$array[1, 3]"),
];

pub(crate) fn is_stdlib_function(name: &str) -> bool {
    STDLIB.iter().map(|(known, _)| *known).chain(STDLIB_WITHOUT_REPLACEMENT.split(' ')).any(|known| known == name)
}

pub(crate) fn advice_for_unknown_function(name: &str) -> Option<String> {
    let type_named = |name: &str| {
        let name = if name == "bool" { "boolean" } else { name };
        types::nameable_type_rows().map(|row| row.name).find(|type_| type_.eq_ignore_ascii_case(name))
    };
    if let Some(type_) = name.strip_prefix("is_").and_then(type_named) {
        return Some(format!("test the type: `$value =~ {type_}`"));
    }
    if let Some(type_) = name.strip_prefix("validate_").and_then(type_named) {
        return Some(format!("give the parameter the type {type_}, or call `assert_type({type_}, $value)`"));
    }
    if let Some((_, instead)) = STDLIB.iter().find(|(known, _)| *known == name) {
        return Some(format!("it belongs to the module puppetlabs-stdlib; without it, write `{instead}`"));
    }
    if is_stdlib_function(name) {
        return Some("it is a Ruby function of the module puppetlabs-stdlib, and pcore does not run Ruby".to_owned());
    }
    dictionary::find_word(name, &[Kind::Function]).map(|word| word.advice.to_owned())
}

#[cfg(test)]
#[path = "../../tests/unit/eval/ruby_functions.rs"]
mod tests;
