//! A type as JSON Schema 2020-12, for editors and other checkers.
//!
//! What JSON Schema cannot say is named in `$comment`; such a schema accepts more than the type. Sources: JSON Schema
//! 2020-12, "Validation"; ECMA-262 for regular expressions.

#![expect(clippy::indexing_slicing, reason = "every schema is an object of JSON")]

use serde_json::{Map, Value as Json, json};

use crate::regexp::Regexp;
use crate::session::Documentation;
use crate::types::unfolding::{Stop, Unfolding, Walk};
use crate::types::{Kind, Lattice, Size, StringType, Type};

/// The schema of a type; aliases become definitions.
///
/// ```
/// let port: pcore::types::Type = "Optional[Integer[1, 65535]]".parse()?;
/// let schema = pcore::check::schema(&port);
/// assert_eq!(schema["anyOf"][1]["maximum"], 65535);
/// assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn schema(type_: &Type) -> Json {
    let mut writer = Writer::default();
    let schema = writer.of(type_);
    writer.document(schema)
}

/// The schema of Hiera data with these keys; other keys are allowed.
pub fn schema_of_keys(keys: impl IntoIterator<Item = (String, Type, Option<String>)>) -> Json {
    let mut writer = Writer::default();
    let mut properties = Map::new();
    for (key, type_, description) in keys {
        let mut schema = writer.of(&type_);
        if let (Some(description), Json::Object(fields)) = (description, &mut schema) {
            fields.insert("description".to_owned(), description.into());
        }
        properties.insert(key, schema);
    }
    writer.document(json!({ "type": "object", "properties": properties }))
}

#[derive(Default)]
struct Writer {
    definitions: Map<String, Json>,
    unfolding: Unfolding,
}

impl Walk for Writer {
    fn unfolding(&mut self) -> &mut Unfolding {
        &mut self.unfolding
    }
}

/// No JSON value is of the type.
fn nothing(type_: &Type) -> Json {
    json!({ "not": {}, "$comment": format!("no JSON value is a {}", type_.name()) })
}

/// A schema that accepts everything, with a comment on the restriction that JSON Schema cannot express.
fn lost(comment: impl Into<String>) -> Json {
    json!({ "$comment": comment.into() })
}

fn sizes(schema: &mut Json, size: Size, least: &str, most: &str) {
    bound(schema, least, size.from() > 0, size.from());
    bound(schema, most, size.to() < i64::MAX, size.to());
}

fn bound(schema: &mut Json, keyword: &str, is_closed: bool, bound: impl Into<Json>) {
    if is_closed {
        schema[keyword] = bound.into();
    }
}

impl Writer {
    /// The schema with its dialect and the definitions that it refers to.
    fn document(self, schema: Json) -> Json {
        let mut document = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema" });
        if let (Json::Object(all), Json::Object(fields)) = (&mut document, schema) {
            all.extend(fields);
        }
        if !self.definitions.is_empty() {
            document["$defs"] = Json::Object(self.definitions);
        }
        document
    }

    #[allow(clippy::too_many_lines, reason = "one arm for each type")]
    fn of(&mut self, type_: &Type) -> Json {
        match type_ {
            Type::Alias(alias) => {
                let name = alias.name();
                let is_known = self.definitions.contains_key(name);
                match if is_known { Err(Stop::Seen) } else { self.behind(alias, Writer::of) } {
                    Ok(schema) => drop(self.definitions.insert(name.to_owned(), schema)),
                    Err(Stop::Unresolved) => return lost(format!("{name} is not resolved")),
                    Err(Stop::Seen) => {}
                }
                json!({ "$ref": format!("#/$defs/{name}") })
            }
            Type::Any(_) | Type::Unit(_) | Type::Data(_) | Type::RichData(_) => json!({}),
            Type::Undef(_) => json!({ "type": "null" }),
            Type::Boolean(boolean) => match boolean.value {
                None => json!({ "type": "boolean" }),
                Some(value) => json!({ "const": value }),
            },
            Type::Integer(range) => {
                let mut schema = json!({ "type": "integer", "$comment": "1.0 counts as an integer" });
                bound(&mut schema, "minimum", range.from() > i64::MIN, range.from());
                bound(&mut schema, "maximum", range.to() < i64::MAX, range.to());
                schema
            }
            Type::Float(range) => {
                let mut schema = json!({ "type": "number", "$comment": "an integer counts as a number" });
                bound(&mut schema, "minimum", range.from().is_finite(), range.from());
                bound(&mut schema, "maximum", range.to().is_finite(), range.to());
                schema
            }
            Type::Numeric(_) => json!({ "type": "number" }),
            Type::ScalarData(_) | Type::Scalar(_) => json!({ "type": ["string", "number", "boolean"] }),
            Type::String(string) => match &**string {
                StringType::Text(text) => json!({ "const": &**text }),
                StringType::All | StringType::Sized(_) => {
                    let mut schema = json!({ "type": "string" });
                    sizes(&mut schema, string.size(), "minLength", "maxLength");
                    schema
                }
            },
            Type::Enum(values) if values.ignores_case() => {
                let values: Vec<&str> = values.values().iter().map(|value| &**value).collect();
                json!({ "type": "string", "$comment": format!("one of {}, in any case", values.join(", ")) })
            }
            Type::Enum(values) => {
                json!({ "enum": values.values().iter().map(|value| &**value).collect::<Vec<&str>>() })
            }
            Type::Pattern(pattern) => patterns(pattern.patterns().iter().map(|one| &**one)),
            Type::Array(array) => {
                let mut schema = json!({ "type": "array" });
                sizes(&mut schema, array.size(), "minItems", "maxItems");
                if !matches!(array.element(), Type::Any(_)) {
                    schema["items"] = self.of(array.element());
                }
                schema
            }
            Type::Tuple(tuple) => {
                let mut schema = json!({ "type": "array" });
                sizes(&mut schema, tuple.size(), "minItems", "maxItems");
                if let Some((last, first)) = tuple.types().split_last() {
                    let first: Vec<Json> = first.iter().map(|type_| self.of(type_)).collect();
                    if !first.is_empty() {
                        schema["prefixItems"] = first.into();
                    }
                    schema["items"] = self.of(last);
                }
                schema
            }
            Type::Hash(hash) => {
                let mut schema = json!({ "type": "object" });
                sizes(&mut schema, hash.size(), "minProperties", "maxProperties");
                if !matches!(hash.key(), Type::Any(_)) {
                    schema["propertyNames"] = self.of(hash.key());
                }
                if !matches!(hash.value(), Type::Any(_)) {
                    schema["additionalProperties"] = self.of(hash.value());
                }
                schema
            }
            Type::Struct(struct_) => {
                let (mut properties, mut required) = (Map::new(), Vec::new());
                for member in struct_.members() {
                    properties.insert(member.name().to_owned(), self.of(member.type_()));
                    if !member.may_be_missing(&mut Lattice::default()) {
                        required.push(Json::from(member.name()));
                    }
                }
                let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
                if !required.is_empty() {
                    schema["required"] = required.into();
                }
                schema
            }
            Type::Collection(collection) => {
                let (mut array, mut hash) = (json!({ "type": "array" }), json!({ "type": "object" }));
                let size = collection.size();
                sizes(&mut array, size, "minItems", "maxItems");
                sizes(&mut hash, size, "minProperties", "maxProperties");
                json!({ "anyOf": [array, hash] })
            }
            Type::Variant(variant) => {
                if variant.types().is_empty() {
                    return nothing(type_);
                }
                json!({ "anyOf": variant.types().iter().map(|type_| self.of(type_)).collect::<Vec<Json>>() })
            }
            Type::Optional(optional) => match optional.type_() {
                None => json!({}),
                Some(inner) => json!({ "anyOf": [{ "type": "null" }, self.of(inner)] }),
            },
            Type::NotUndef(not_undef) => match not_undef.type_() {
                None => json!({ "not": { "type": "null" } }),
                Some(inner) => json!({ "allOf": [{ "not": { "type": "null" } }, self.of(inner)] }),
            },
            Type::Iterable(_) => lost("Iterable is not restricted"),
            other if is_outside_of_json(other) => nothing(other),
            other => lost(format!("{} is not restricted", other.name())),
        }
    }
}

fn is_outside_of_json(type_: &Type) -> bool {
    matches!(
        type_.kind(),
        Kind::Default
            | Kind::Regexp
            | Kind::SemVer
            | Kind::SemVerRange
            | Kind::Timespan
            | Kind::Timestamp
            | Kind::Binary
            | Kind::Uri
            | Kind::Iterator
            | Kind::Sensitive
            | Kind::Callable
            | Kind::Type
            | Kind::Resource
            | Kind::Class
            | Kind::CatalogEntry
            | Kind::Runtime
    )
}

fn patterns<'p>(all: impl Iterator<Item = &'p Regexp>) -> Json {
    let mut schemas: Vec<Json> = all
        .map(|pattern| match ecma(pattern.text()) {
            Some(pattern) => json!({ "type": "string", "pattern": pattern }),
            None => json!({ "type": "string", "$comment": format!("matches /{}/", pattern.text()) }),
        })
        .collect();
    match schemas.len() {
        0 => json!({ "type": "string" }),
        1 => schemas.remove(0),
        _ => json!({ "anyOf": schemas }),
    }
}

/// The set of an escape such as `\d`, also of its complement `\D`: `\w`, `\d` and `\s` are ASCII in both, but not for all
/// engines.
fn set_of(escaped: char) -> Option<&'static str> {
    match escaped.to_ascii_lowercase() {
        'h' => Some("0-9A-Fa-f"),
        'd' => Some("0-9"),
        'w' => Some("0-9A-Za-z_"),
        's' => Some(" \\t\\r\\n\\f\\v"),
        _ => None,
    }
}

/// A pattern of Ruby's as one of ECMA-262; `None` where it may mean something else there.
fn ecma(pattern: &str) -> Option<String> {
    let mut written = String::new();
    let mut letters = pattern.chars().peekable();
    let mut in_class = false;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next()? {
                'A' if !in_class => written.push('^'),
                'z' if !in_class => written.push('$'),
                escaped if let Some(set) = set_of(escaped) => match (in_class, escaped.is_ascii_lowercase()) {
                    (true, true) => written.push_str(set),
                    (true, false) => return None,
                    (false, true) => written.extend(["[", set, "]"]),
                    (false, false) => written.extend(["[^", set, "]"]),
                },
                escaped @ ('n' | 't' | 'r' | 'f' | 'v') => written.extend(['\\', escaped]),
                escaped if !escaped.is_ascii_alphanumeric() => {
                    // Only what means something may be escaped in ECMA-262.
                    let means_something = "^$\\.*+?()[]{}|/".contains(escaped) || escaped == '-' && in_class;
                    written.extend(means_something.then_some('\\').into_iter().chain([escaped]));
                }
                _ => return None,
            },
            // Anchors of lines, possessive and lazy forms, groups with options, classes inside of classes.
            '^' | '$' if !in_class => return None,
            '[' if in_class => return None,
            '&' if in_class && letters.peek() == Some(&'&') => return None,
            '[' => {
                in_class = true;
                written.push('[');
                if letters.peek() == Some(&'^') {
                    written.extend(letters.next());
                }
                if letters.peek() == Some(&']') {
                    return None;
                }
            }
            ']' if in_class => {
                in_class = false;
                written.push(']');
            }
            ']' => return None,
            '(' if !in_class && letters.peek() == Some(&'?') => {
                letters.next();
                match letters.next()? {
                    kind @ (':' | '=' | '!') => written.extend(['(', '?', kind]),
                    _ => return None,
                }
            }
            '*' | '+' | '?' | '}' if !in_class => {
                written.push(letter);
                if letters.peek() == Some(&'+') {
                    return None;
                }
            }
            '{' if !in_class => {
                let digits: String = letters.clone().take_while(|letter| *letter != '}').collect();
                let is_count = digits.starts_with(|letter: char| letter.is_ascii_digit())
                    && digits.chars().all(|letter| letter.is_ascii_digit() || letter == ',');
                if !is_count {
                    return None;
                }
                written.push('{');
            }
            // The dot matches fewer letters there.
            '.' if !in_class => written.push_str("[^\\n]"),
            other => written.push(other),
        }
    }
    // A pattern with the same text in a class as an anchor would, or with none at all, is searched for everywhere.
    Some(written)
}

impl crate::session::Session {
    /// The keys of Hiera data that set the parameters of a class, with their types; `None` if there is no such class.
    ///
    /// # Errors
    /// The file of the class, or a type in it, is wrong.
    #[allow(clippy::type_complexity, reason = "a key, its type and its description")]
    pub fn keys_of_class(&mut self, name: &str) -> crate::error::Result<Option<Vec<(String, Type, Option<String>)>>> {
        let Some(class) = self.environment.resource_definition(name)? else { return Ok(None) };
        if class.kind != crate::eval::Kind::Class {
            return Ok(None);
        }
        let line = class.parameters.first().map_or(0, |first| class.source.position(first.span.start as usize).line);
        let documents = Documentation::before(class.source.text(), line);
        let key = |parameter: &crate::eval::Declared| {
            let type_ = self.environment.type_of(&class, parameter)?;
            let description = documents.parameter(&parameter.name);
            Ok((format!("{}::{}", class.name, parameter.name), type_, description))
        };
        class.parameters.iter().map(key).collect::<crate::error::Result<Vec<_>>>().map(Some)
    }

    /// The names of the classes of a module, in alphabetical order.
    pub fn classes_of_module(&mut self, module: &str) -> Vec<String> {
        let mut index = super::index::Index::new(&self.environment);
        let module = index.module(module);
        let names = module.iter().flat_map(|module| module.resources.classes());
        let mut names: Vec<String> = names.map(str::to_owned).collect();
        names.sort_unstable();
        names
    }
}
