//! Suggests what to write instead of a value that does not match. Each suggestion is tested before it is made.

use super::{Repair, Suggestion};
use crate::format;
use crate::types::{Type, describe::abbreviate_type};
use crate::value::Value;
use crate::wording::nearest;

const MAX_SUGGESTIONS: usize = 3;

/// Returns suggestions of what to write instead of `value`, the most likely first. `named` is `type_` or its alias.
pub(super) fn suggest_replacements(named: &Type, type_: &Type, value: &Value) -> Vec<Suggestion> {
    if matches!(value, Value::Sensitive(_)) {
        // Nothing may be said of the content.
        return suggest_brackets(type_, value).into_iter().collect();
    }
    let alternatives = type_.alternatives();
    let mut found = Vec::new();
    found.extend(alternatives.iter().filter_map(|alternative| suggest_similar_string(alternative, value)));
    found.extend(alternatives.iter().filter_map(|alternative| suggest_conversion(alternative, value)));
    found.extend(suggest_brackets(type_, value));
    if value.is_undef() && !matches!(type_, Type::NotUndef(_)) {
        let optional = Type::from(crate::types::OptionalType::new(named.clone()));
        let text = format!("{} accepts undef", abbreviate_type(&optional, 80));
        found.push(Suggestion { text, repair: Repair::Type(optional), is_code: true });
    }
    found.dedup_by(|one, other| one.text == other.text);
    found.truncate(MAX_SUGGESTIONS);
    found
}

/// Suggests a similar string that matches: in another case, without spaces, without a typo, with `/` before a path.
fn suggest_similar_string(type_: &Type, value: &Value) -> Option<Suggestion> {
    let Value::String(string) = value else { return None };
    let trimmed = string.trim();
    let replacement = match type_ {
        Type::Enum(listed) => {
            let names = || listed.values().iter().map(|name| &**name);
            names().find(|name| name.eq_ignore_ascii_case(trimmed)).or_else(|| nearest(trimmed, names()))?.into()
        }
        Type::Pattern(_) if !trimmed.is_empty() => {
            let near = [trimmed.to_owned(), trimmed.to_lowercase(), trimmed.to_uppercase(), format!("/{trimmed}")];
            near.map(Value::from).into_iter().find(|near| type_.has_instance(near))?
        }
        _ => return None,
    };
    let text = format!("did you mean {}?", format::program_text(&replacement));
    Some(Suggestion { text, repair: Repair::Value(replacement), is_code: false })
}

fn suggest_conversion(type_: &Type, value: &Value) -> Option<Suggestion> {
    let general = match (type_, value) {
        (
            Type::Integer(_)
            | Type::Float(_)
            | Type::Numeric(_)
            | Type::Boolean(_)
            | Type::Timestamp(_)
            | Type::Timespan(_)
            | Type::SemVer(_)
            | Type::SemVerRange(_)
            | Type::Uri(_)
            | Type::Regexp(_),
            Value::String(_),
        )
        | (Type::Float(_) | Type::String(_) | Type::Enum(_), Value::Integer(_))
        | (Type::Timespan(_) | Type::Timestamp(_), Value::Integer(_) | Value::Float(_))
        | (Type::String(_), Value::Float(_) | Value::Boolean(_) | Value::SemVer(_) | Value::Uri(_)) => {
            type_.generalized()
        }
        (Type::Object(_), Value::Hash(entries)) if !entries.is_empty() => type_.clone(),
        (Type::Integer(_), Value::Float(number)) if number.fract() == 0.0 => type_.generalized(),
        (Type::Sensitive(_), Value::String(_)) => Type::named("Sensitive")?,
        (Type::Pattern(_), Value::Integer(_) | Value::Float(_) | Value::Boolean(_)) => Type::named("String")?,
        _ => return None,
    };
    let constructor = if matches!(general, Type::Enum(_)) { Type::named("String")? } else { general };
    let replacement = constructor.construct_unexplained(std::slice::from_ref(value)).ok()?;
    let name = match &constructor {
        Type::Object(_) => constructor.to_string_as_parameter(),
        other => other.name().to_owned(),
    };
    // What should be a Sensitive is a secret.
    let is_secret = matches!(type_, Type::Sensitive(_));
    let argument = if is_secret { "…".to_owned() } else { format::shortened_program_text(value, 60) };
    let text = format!("{name}({argument}) would match");
    type_.has_instance(&replacement).then_some(Suggestion { text, repair: Repair::Value(replacement), is_code: true })
}

/// Suggests `[x]` for `x`, `x` for an Array `[x]` with a single element, or `{ 'name' => x }` for a Hash `x`.
fn suggest_brackets(type_: &Type, value: &Value) -> Option<Suggestion> {
    let (replacement, text) = match value {
        Value::Array(elements) if let [only] = &elements[..] => {
            (only.clone(), "remove the brackets: its only element matches")
        }
        Value::Array(_) | Value::Undef | Value::Default => return None,
        Value::Hash(_) if matches!(type_, Type::Hash(_)) => {
            let named = [(Value::from("name"), value.clone())].into_iter().collect();
            (Value::Hash(named), "as the value of a key it would match: write { 'name' => … } around it")
        }
        other => (Value::from(vec![other.clone()]), "wrap it in an array: `[ … ]`"),
    };
    let (text, repair) = (text.to_owned(), Repair::Value(replacement.clone()));
    type_.has_instance(&replacement).then_some(Suggestion { text, repair, is_code: false })
}
