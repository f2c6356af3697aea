//! Values and types as messages name them: what they are, and their text, shortened.

use crate::format;
use crate::types::Type;
use crate::value::Value;
use crate::wording::counted;
pub(crate) use crate::wording::cut;

const MAX_TYPE_CHARACTERS: usize = 90;

pub(crate) const MAX_VALUE_CHARACTERS: usize = 60;

/// Describes a value in a message by its kind and its shortened string form; never shows the content of a Sensitive.
pub(crate) fn describe(value: &Value) -> String {
    let text = match value {
        Value::Undef | Value::Default | Value::Sensitive(_) => {
            return format::beginning(value, MAX_VALUE_CHARACTERS);
        }
        Value::Type(set @ Type::TypeSet(_)) => return format!("the type {}", abbreviated(set, MAX_VALUE_CHARACTERS)),
        Value::Type(type_) => return format!("the type {}", cut(&type_.to_string(), MAX_VALUE_CHARACTERS)),
        Value::Callable(callable) => {
            return format!("a function of type {}", abbreviated(&callable.callable_type(), MAX_VALUE_CHARACTERS));
        }
        other => format::beginning(other, MAX_VALUE_CHARACTERS),
    };
    let kind = kind(value);
    // Its text may say already what it is: `Timespan('0-00:01:00.0')`.
    if text.strip_prefix(kind).is_some_and(|rest| rest.starts_with('(')) {
        return text;
    }
    format!("{kind} {text}")
}

/// `String [value redacted]`
pub(crate) fn redacted_kind(secret: &Value) -> String {
    format!("{} [value redacted]", kind(secret))
}

pub(crate) fn kind(value: &Value) -> &'static str {
    match value {
        // Rather than Tuple and Struct, their inferred types.
        Value::Array(_) => "Array",
        Value::Hash(_) => "Hash",
        other => Type::of(other).name(),
    }
}

/// The string form of a type in messages: an alias with its type, an Object type by name, a long type shortened.
pub(crate) fn for_message(type_: &Type) -> String {
    Names::default().name(type_)
}

/// Names types in one message: an alias is explained where it is named first.
pub(crate) struct Names {
    pub(crate) known: Vec<Type>,
    pub(crate) characters: usize,
}

impl Default for Names {
    fn default() -> Names {
        Names { known: Vec::new(), characters: MAX_TYPE_CHARACTERS }
    }
}

impl Names {
    pub(crate) fn name(&mut self, type_: &Type) -> String {
        match type_ {
            Type::Alias(alias)
                if let Some(meaning) = alias.resolved().filter(|meaning| !matches!(**meaning, Type::Object(_)))
                    && !self.known.contains(type_) =>
            {
                self.known.push(type_.clone());
                let name = type_.to_string_in_brackets();
                let meaning = abbreviated(&meaning, self.characters.saturating_sub(name.len()).max(20));
                format!("{name} = {meaning}")
            }
            other => abbreviated(other, self.characters),
        }
    }

    /// Describes the expected type: for a Variant, as many of its types as fit.
    pub(crate) fn expected(&mut self, type_: &Type) -> String {
        let Type::Variant(variant) = type_ else { return self.name(type_) };
        let types = variant.types();
        let room = self.characters / types.len().clamp(1, 3);
        let (mut names, mut characters) = (Vec::new(), 0);
        for type_ in types {
            let name = abbreviated(type_, room);
            characters += name.chars().count() + 2;
            if !names.is_empty() && characters > self.characters {
                break;
            }
            names.push(name);
        }
        let last = match types.len() - names.len() {
            0 => names.pop().unwrap_or_default(),
            more => counted(more, "other type"),
        };
        if names.is_empty() { last } else { format!("{} or {last}", names.join(", ")) }
    }
}

/// The string form of a type in about `characters` characters: parameters that do not fit are counted or left out.
pub(crate) fn abbreviated(type_: &Type, characters: usize) -> String {
    /// Below this length only the name is shown.
    const LEAST: usize = 12;
    let (text, name) = (type_.to_string_in_brackets(), type_.name());
    if let Type::TypeSet(set) = type_ {
        let is_bare = Type::named(name).is_some_and(|bare| bare == *type_);
        return set.name().filter(|_| !is_bare).unwrap_or(name).to_owned();
    }
    if text.chars().count() <= characters || text == name || !text.starts_with(name) {
        return cut(&text, characters.max(LEAST + name.len()));
    }
    if characters < LEAST + name.len() {
        return format!("{name}[…]");
    }
    let part = |value: &Value, room: usize| match value {
        Value::Type(inner) => abbreviated(inner, room),
        other => format::beginning(other, room),
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
        if at > 0 && room < LEAST + key.len() {
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
