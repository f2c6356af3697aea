//! Functions for regular expressions: `match` and `regsubst`, and helpers that `split` uses as well.
//!
//! A pattern is a regular expression, a string that contains one, or a type that has some as its parameters.

use std::sync::Arc;

use super::{Call, Flow, map_collection};
use crate::error::{Error, Result};
use crate::regexp::Regexp;
use crate::stack;
use crate::types::Type;
use crate::types::unfolding::{TypeWalkState, WalkStop};
use crate::value::Value;

functions! {
    /// returns the match of a pattern and its groups, or undef; maps over an array
    "match" [
        "(String $text, Variant[Any, Type] $pattern) >> Optional[Array]",
        "(Array[String] $texts, Variant[Any, Type] $pattern) >> Array",
    ] {
        "'hello'.match(/(h)(e)/)" => "['he', 'h', 'e']",
        "'hello'.match(/x/)" => "undef",
        "match('hello', 5)" => "error RUNTIME_ERROR",
    } => match_;
    /// replaces the first match of the pattern, or all with flag G; maps over an array
    "regsubst" [
        concat!(
            "(Variant[Array[Variant[String, Sensitive[String]]], ",
            "Sensitive[Array[Variant[String, Sensitive[String]]]], ",
            "Variant[String, Sensitive[String]]] $target, String $pattern, ",
            "Variant[String, Hash[String, String]] $replacement, ",
            r"Optional[Pattern[/^[GEIM]*$/]] $flags = undef, Enum['N', 'E', 'S', 'U'] $encoding = 'N')"
        ),
        concat!(
            "(Variant[Array[Variant[String, Sensitive[String]]], ",
            "Sensitive[Array[Variant[String, Sensitive[String]]]], ",
            "Variant[String, Sensitive[String]]] $target, Variant[Regexp, Type[Regexp]] $pattern, ",
            "Variant[String, Hash[String, String]] $replacement, ",
            r"Pattern[/^G?$/] $flags = '')"
        ),
    ] {
        "regsubst('aaa', 'a', 'b', 'G')" => "'bbb'",
        r"regsubst('Foo Bar', '(\w+) (\w+)', '\2 \1')" => "'Bar Foo'",
        "regsubst('aaa', /a/, 'b', 'I')" => "error RUNTIME_ERROR",
        "regsubst('aaa', /a/, 'b', undef)" => "error RUNTIME_ERROR",
    } => regsubst;
}

fn match_(call: &mut Call<'_>) -> Result<Value, Flow> {
    // Observed: Puppet 7.23 does not look at the pattern where there is no text.
    let subject = call.argument(0)?;
    if matches!(subject, Value::Array(texts) if texts.is_empty()) {
        return Ok(subject.clone());
    }
    let mut patterns = Vec::new();
    collect_expressions(call.argument(1)?, &mut patterns, &mut TypeWalkState::default())?;
    Ok(match subject {
        Value::Array(_) => map_collection(subject, |text| first_match_groups(text, &patterns))?,
        text => first_match_groups(text, &patterns)?,
    })
}

fn collect_expressions(pattern: &Value, found: &mut Vec<Arc<Regexp>>, unfolding: &mut TypeWalkState) -> Result<()> {
    let patterns = match pattern {
        Value::Regexp(regexp) => {
            found.push(regexp.clone());
            return Ok(());
        }
        Value::String(text) => vec![Value::Regexp(Regexp::new_cached(text)?)],
        Value::Array(patterns) => patterns.to_vec(),
        Value::Type(Type::Alias(alias)) => match unfolding.enter_alias(alias) {
            Ok(meaning) => vec![Value::Type(meaning.into_owned())],
            Err(WalkStop::Seen) => Vec::new(),
            Err(WalkStop::Unresolved) => return Err(not_a_pattern_error(pattern)),
        },
        Value::Type(type_) => match type_.name() {
            "Regexp" if type_.arguments().is_empty() => {
                let error = Error::runtime("expected one regular expression, got Regexp, the type of all of them");
                return Err(error.with_help("write a regular expression in the brackets: Regexp[/a/]"));
            }
            "Regexp" | "Pattern" | "Variant" => type_.arguments(),
            _ => return Err(not_a_pattern_error(pattern)),
        },
        other => return Err(not_a_pattern_error(other)),
    };
    stack::with_room(|| patterns.iter().try_for_each(|pattern| collect_expressions(pattern, found, unfolding)))
}

fn not_a_pattern_error(pattern: &Value) -> Error {
    Error::runtime(format!("expected a pattern, got a value of type {}", Type::infer_reduced(pattern)))
        .with_help("a pattern is a String, a Regexp, a Regexp or Pattern type with parameters, or an array of these")
}

fn first_match_groups(text: &Value, patterns: &[Arc<Regexp>]) -> Result<Value> {
    let Value::String(text) = text else { return Ok(Value::Undef) };
    for pattern in patterns {
        if let Some(captures) = pattern.captures(text)? {
            let group = |group: usize| captures.group_text(group, text).map_or(Value::Undef, Value::from);
            return Ok(Value::from((0..captures.len()).map(group).collect::<Vec<_>>()));
        }
    }
    Ok(Value::Undef)
}

fn regsubst(call: &mut Call<'_>) -> Result<Value, Flow> {
    let [target, pattern, replacement, further @ ..] = call.arguments else { return Ok(Value::Undef) };
    let flags = further.first().and_then(Value::as_str).unwrap_or_default();
    let pattern = compile_with_flags(pattern, flags)?;
    let most = if flags.contains('G') { usize::MAX } else { 1 };
    let substitute = |text: &Value| match (text, replacement) {
        (Value::String(text), Value::String(replacement)) => Ok(pattern.replace(text, replacement, most)?.into()),
        // What the hash does not have is removed.
        (Value::String(text), Value::Hash(replacements)) => {
            let replaced = pattern.replace_with(text, most, |result, captures| {
                let replacement = replacements.get_str(&text[captures.whole_span()]).and_then(Value::as_str);
                result.push_str(replacement.unwrap_or_default())
            });
            Ok(replaced?.into())
        }
        (other, _) => Ok(other.clone()),
    };
    Ok(change_inside_sensitive(target, &|target| match target {
        Value::Array(_) => map_collection(target, |text| change_inside_sensitive(text, &substitute)),
        text => substitute(text),
    })?)
}

pub(super) fn change_inside_sensitive(value: &Value, change: &dyn Fn(&Value) -> Result<Value>) -> Result<Value> {
    match value {
        Value::Sensitive(content) => Ok(Value::sensitive(change(content)?)),
        value => change(value),
    }
}

/// Compiles a pattern with the flags I, M and E (ignore case, dot matches newlines, extended); only strings use them.
fn compile_with_flags(pattern: &Value, flags: &str) -> Result<Arc<Regexp>> {
    let option = |(flag, option)| flags.contains::<char>(flag).then_some(option);
    let options: String = [('I', 'i'), ('M', 'm'), ('E', 'x')].into_iter().filter_map(option).collect();
    match pattern {
        Value::String(text) if !options.is_empty() => {
            // The line end keeps a comment of an extended expression from swallowing the bracket.
            let end = if options.contains('x') { "\n" } else { "" };
            Regexp::new_cached(&format!("(?{options}:{text}{end})"))
        }
        other => to_single_expression(other),
    }
}

/// Converts a string, Regexp or Regexp type to its regular expression (bare `Regexp` to the empty one), or fails.
pub(super) fn to_single_expression(pattern: &Value) -> Result<Arc<Regexp>> {
    match pattern {
        Value::Type(type_) if type_.arguments().is_empty() => Regexp::new_cached(""),
        other => {
            let mut found = Vec::new();
            collect_expressions(other, &mut found, &mut TypeWalkState::default())?;
            found.into_iter().next().ok_or_else(|| not_a_pattern_error(pattern))
        }
    }
}
