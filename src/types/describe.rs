//! Describes values and types in messages, by their kind and their shortened string form.

use crate::format;
use crate::types::Type;
use crate::value::Value;
use crate::wording::pluralize;
pub(crate) use crate::wording::shorten;

const MAX_TYPE_CHARACTERS: usize = 90;
pub(crate) const MAX_VALUE_CHARACTERS: usize = 60;

/// Describes a value in a message by its kind and its shortened string form; never shows the content of a Sensitive.
pub(crate) fn describe(value: &Value) -> String {
    let text = match value {
        Value::Type(set @ Type::TypeSet(_)) => {
            return format!("the type {}", abbreviate_type(set, MAX_VALUE_CHARACTERS));
        }
        Value::Type(type_) => return format!("the type {}", shorten(&type_.to_string(), MAX_VALUE_CHARACTERS)),
        Value::Callable(callable) => {
            return format!("a function of type {}", abbreviate_type(&callable.callable_type(), MAX_VALUE_CHARACTERS));
        }
        other => format::shortened_program_text(other, MAX_VALUE_CHARACTERS),
    };
    let kind = kind_name(value);
    // Its text may say already what it is: `undef`, `Timespan('0-00:01:00.0')`.
    let says_kind = matches!(value, Value::Undef | Value::Default | Value::Sensitive(_))
        || text.strip_prefix(kind).is_some_and(|rest| rest.starts_with('('));
    if says_kind { text } else { format!("{kind} {text}") }
}

pub(crate) fn describe_redacted(secret: &Value) -> String {
    format!("{} [value redacted]", kind_name(secret))
}

pub(crate) fn kind_name(value: &Value) -> &'static str {
    match value {
        // Rather than Tuple and Struct, their inferred types.
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        other => Type::of(other).name(),
    }
}

/// Returns the string form of a type for a message, shortened: an alias with its type, an Object type by its name.
pub(crate) fn describe_type(type_: &Type) -> String {
    TypeDescriber::default().describe_type(type_)
}

/// Describes several types in one message: the type of an alias is shown only where the alias occurs first.
pub(crate) struct TypeDescriber {
    pub(crate) shown_aliases: Vec<Type>,
    pub(crate) max_characters: usize,
}

impl Default for TypeDescriber {
    fn default() -> TypeDescriber {
        TypeDescriber { shown_aliases: Vec::new(), max_characters: MAX_TYPE_CHARACTERS }
    }
}

impl TypeDescriber {
    pub(crate) fn describe_type(&mut self, type_: &Type) -> String {
        match type_ {
            Type::Alias(alias)
                if let Some(meaning) = alias.resolved().filter(|meaning| !matches!(**meaning, Type::Object(_)))
                    && !self.shown_aliases.contains(type_) =>
            {
                self.shown_aliases.push(type_.clone());
                let name = type_.to_string_as_parameter();
                let meaning = abbreviate_type(&meaning, self.max_characters.saturating_sub(name.len()).max(20));
                format!("{name} = {meaning}")
            }
            other => abbreviate_type(other, self.max_characters),
        }
    }

    /// Describes the expected type: a Variant as a list of its types, of which those that do not fit are only counted.
    pub(crate) fn describe_expected(&mut self, type_: &Type) -> String {
        let Type::Variant(variant) = type_ else { return self.describe_type(type_) };
        let types = variant.types();
        let room = self.max_characters / types.len().clamp(1, 3);
        let (mut names, mut characters) = (Vec::new(), 0);
        for type_ in types {
            let name = abbreviate_type(type_, room);
            characters += name.chars().count() + 2;
            if !names.is_empty() && characters > self.max_characters {
                break;
            }
            names.push(name);
        }
        let last = match types.len() - names.len() {
            0 => names.pop().unwrap_or_default(),
            more => pluralize(more, "other type"),
        };
        if names.is_empty() { last } else { format!("{} or {last}", names.join(", ")) }
    }
}

/// Returns the string form of a type in about `characters` characters: parameters that do not fit are only counted.
pub(crate) fn abbreviate_type(type_: &Type, characters: usize) -> String {
    /// The minimum number of characters for the parameters; with less room, only the name is shown.
    const MIN_PARAMETER_CHARACTERS: usize = 12;
    let (text, name) = (type_.to_string_as_parameter(), type_.name());
    if let Type::TypeSet(set) = type_ {
        let is_bare = Type::named(name).is_some_and(|bare| bare == *type_);
        return set.name().filter(|_| !is_bare).unwrap_or(name).to_owned();
    }
    if text.chars().count() <= characters || text == name || !text.starts_with(name) {
        return shorten(&text, characters.max(MIN_PARAMETER_CHARACTERS + name.len()));
    }
    if characters < MIN_PARAMETER_CHARACTERS + name.len() {
        return format!("{name}[…]");
    }
    let part = |value: &Value, room: usize| match value {
        Value::Type(inner) => abbreviate_type(inner, room),
        other => format::shortened_program_text(other, room),
    };
    let arguments = type_.arguments();
    let (start, end, parts): (_, _, Vec<(String, &Value)>) = match &arguments[..] {
        [Value::Hash(entries)] => {
            let key = |key| format!("{} => ", format::program_text(key));
            ("[{", "}]", entries.iter().map(|(name, value)| (key(name), value)).collect())
        }
        arguments => ("[", "]", arguments.iter().map(|value| (String::new(), value)).collect()),
    };
    let (mut listed, mut room) = (String::new(), characters.saturating_sub(name.len() + 10));
    for (at, (key, value)) in parts.iter().enumerate() {
        if at > 0 && room < MIN_PARAMETER_CHARACTERS + key.len() {
            let more = format!(", … {} more", parts.len() - at);
            listed.push_str(&more);
            break;
        }
        let separator = if at == 0 { "" } else { ", " };
        let text = format!("{separator}{key}{}", part(value, room.saturating_sub(key.len())));
        room = room.saturating_sub(text.chars().count());
        listed.push_str(&text);
    }
    format!("{name}{start}{listed}{end}")
}
