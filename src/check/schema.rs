//! Converts types to JSON Schema 2020-12, for editors and other validators.
//!
//! A restriction that JSON Schema cannot express is described in `$comment`; such a schema accepts more than the type.
//! Sources: JSON Schema 2020-12, "Validation"; ECMA-262 for regular expressions.

#![expect(clippy::indexing_slicing, reason = "every schema is an object of JSON")]

use serde_json::{Map, Value as Json, json};

use super::hiera_data::accepts_some_string;
use crate::explain::meet::may_overlap;
use crate::regexp::{Regexp, escape};
use crate::types::unfolding::{TypeWalk, TypeWalkState, WalkStop};
use crate::types::{Lattice, Member, OptionalType, Size, StringType, Type, secret::may_be_sensitive};

/// Returns the JSON Schema of a type. Type aliases become definitions in `$defs`.
///
/// ```
/// let port: pcore::types::Type = "Optional[Integer[1, 65535]]".parse()?;
/// let schema = pcore::check::schema(&port);
/// assert_eq!(schema["anyOf"][1]["maximum"], 65535);
/// assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
/// # Ok::<(), pcore::error::Error>(())
/// ```
pub fn schema(type_: &Type) -> Json {
    let mut writer = SchemaWriter::default();
    let schema = writer.schema_of_type(type_);
    writer.complete_schema(schema)
}

/// Converts types to JSON Schemas. For Hiera data, the schemas also accept strings with interpolation.
#[derive(Default)]
pub(super) struct SchemaWriter {
    definitions: Map<String, Json>,
    walk_state: TypeWalkState,
    /// Whether the schemas are for Hiera data, whose strings may be interpolated.
    pub(super) is_for_hiera: bool,
    /// Whether Hiera merges the value with those of other hierarchy levels, so that one level may lack parts of it.
    pub(super) is_value_merged: bool,
    /// Regular expressions, each after a `|`, for strings with a knockout prefix, which remove elements in a merge.
    pub(super) knockout_patterns: String,
}

impl TypeWalk for SchemaWriter {
    fn walk_state(&mut self) -> &mut TypeWalkState {
        &mut self.walk_state
    }
}

/// Adds the keywords `min…` and `max…` to a schema, such as `minItems`, except for a bound that is `None`.
fn with_bounds(mut schema: Json, what: &str, from: Option<impl Into<Json>>, to: Option<impl Into<Json>>) -> Json {
    for (keyword, bound) in [("min", from.map(Into::into)), ("max", to.map(Into::into))] {
        if let Some(bound) = bound {
            schema[format!("{keyword}{what}")] = bound;
        }
    }
    schema
}

impl SchemaWriter {
    pub(super) fn complete_schema(self, schema: Json) -> Json {
        let mut document = json!({ "$schema": "https://json-schema.org/draft/2020-12/schema" });
        if let (Json::Object(all), Json::Object(fields)) = (&mut document, schema) {
            all.extend(fields);
        }
        if !self.definitions.is_empty() {
            document["$defs"] = Json::Object(self.definitions);
        }
        document
    }

    /// Returns the schema of a type. For Hiera data, it also accepts interpolated strings: any with `takes_text` or if
    /// the type may accept a string, otherwise only `%{alias('key')}`. With `takes_null`, it also accepts null.
    pub(super) fn schema_with_interpolation(&mut self, type_: &Type, takes_text: bool, takes_null: bool) -> Json {
        let optional = OptionalType::of_type(type_).filter(|_| takes_null);
        let type_ = optional.and_then(OptionalType::type_).unwrap_or(type_);
        let schema = self.schema_of_type(type_);
        if !self.is_for_hiera || schema == json!({}) || !takes_null && schema == json!({ "type": "string" }) {
            return schema;
        }
        let (name, pattern) = if takes_text || accepts_some_string(type_) || may_be_sensitive(type_) {
            ("interpolated", r"%\{[^}]*\}|^\s*ENC\[")
        } else {
            ("alias", r#"^%\{\s*alias\(('[^']+'|"[^"]+")\)\s*\}$"#)
        };
        let (null, types) = if takes_null { ("-or-null", json!(["string", "null"])) } else { ("", json!("string")) };
        let name = format!("{name}{null}{}", if self.is_value_merged { "-merged" } else { "" });
        let knockouts = if self.is_value_merged { &*self.knockout_patterns } else { "" };
        let replaced = json!({ "$ref": format!("#/$defs/{name}") });
        self.definitions.insert(name, json!({ "type": types, "pattern": format!("{pattern}{knockouts}") }));
        json!({ "if": replaced, "else": schema })
    }

    /// Returns the schema of the JSON type `kind` with bounds such as `minItems`, unless Hiera merges its elements.
    fn schema_with_size(&self, kind: &str, size: Size, what: &str) -> Json {
        let is_bounded = !self.is_value_merged || kind == "string";
        let from = Some(size.from()).filter(|from| is_bounded && *from > 0);
        with_bounds(json!({ "type": kind }), what, from, Some(size.to()).filter(|to| is_bounded && *to < i64::MAX))
    }

    #[allow(clippy::too_many_lines, reason = "one arm for each type")]
    pub(super) fn schema_of_type(&mut self, type_: &Type) -> Json {
        match type_ {
            Type::Alias(alias) => {
                let name = format!("{}{}", alias.name(), if self.is_value_merged { "-merged" } else { "" });
                if !self.definitions.contains_key(&name) {
                    match self.walk_behind_alias(alias, SchemaWriter::schema_of_type) {
                        Ok(schema) => drop(self.definitions.insert(name.clone(), schema)),
                        Err(WalkStop::Unresolved) => return json!({ "$comment": format!("{name} is not resolved") }),
                        Err(WalkStop::Seen) => {}
                    }
                }
                json!({ "$ref": format!("#/$defs/{name}") })
            }
            Type::Any(_) | Type::Unit(_) | Type::Data(_) | Type::RichData(_) => json!({}),
            Type::Undef(_) => json!({ "type": "null" }),
            // What is in the data is not secret yet.
            Type::Sensitive(sensitive) => self.schema_of_type(sensitive.content()),
            Type::Boolean(boolean) => match boolean.value {
                None => json!({ "type": "boolean" }),
                Some(value) => json!({ "const": value }),
            },
            Type::Integer(range) => {
                let schema = json!({ "type": "integer", "$comment": "1.0 counts as an integer" });
                let from = Some(range.from()).filter(|from| *from > i64::MIN);
                with_bounds(schema, "imum", from, Some(range.to()).filter(|to| *to < i64::MAX))
            }
            Type::Float(range) => {
                let schema = json!({ "type": "number", "$comment": "an integer counts as a number" });
                let [from, to] = [range.from(), range.to()].map(|end| Some(end).filter(|end| end.is_finite()));
                with_bounds(schema, "imum", from, to)
            }
            Type::Numeric(_) => json!({ "type": "number" }),
            Type::ScalarData(_) | Type::Scalar(_) => json!({ "type": ["string", "number", "boolean"] }),
            Type::String(string) => match &**string {
                StringType::Text(text) => json!({ "const": &**text }),
                StringType::All | StringType::Sized(_) => self.schema_with_size("string", string.size(), "Length"),
            },
            Type::Enum(values) if values.ignores_case() => {
                let values: Vec<String> = values.values().iter().map(|value| escape(value)).collect();
                schema_of_patterns(Regexp::new(&format!(r"\A(?i:{})\z", values.join("|"))).iter())
            }
            Type::Enum(values) => {
                json!({ "enum": values.values().iter().map(|value| &**value).collect::<Vec<_>>() })
            }
            Type::Pattern(pattern) => schema_of_patterns(pattern.patterns().iter().map(|one| &**one)),
            Type::Array(array) => {
                let mut schema = self.schema_with_size("array", array.size(), "Items");
                if !matches!(array.element(), Type::Any(_)) {
                    schema["items"] = self.schema_with_interpolation(array.element(), false, false);
                }
                schema
            }
            Type::Tuple(tuple) => {
                let mut schema = self.schema_with_size("array", tuple.size(), "Items");
                let types: Vec<Json> =
                    tuple.types().iter().map(|type_| self.schema_with_interpolation(type_, false, false)).collect();
                if let Some(last) = types.last() {
                    // Editors that know only draft 7 take `items` to be about every element.
                    schema["items"] = if self.is_for_hiera { json!({ "anyOf": types }) } else { last.clone() };
                    schema["prefixItems"] = types.into();
                }
                schema
            }
            Type::Hash(hash) => {
                let mut schema = self.schema_with_size("object", hash.size(), "Properties");
                // Every key of JSON is a string, also what YAML reads as a number.
                let is_text = |type_: &Type| Type::built_in_type("String").accepts(type_);
                if !matches!(hash.key(), Type::Any(_)) && (!self.is_for_hiera || is_text(hash.key())) {
                    schema["propertyNames"] = self.schema_with_interpolation(hash.key(), false, false);
                }
                if !matches!(hash.value(), Type::Any(_)) {
                    schema["additionalProperties"] = self.schema_with_interpolation(hash.value(), false, false);
                }
                schema
            }
            Type::Struct(struct_) => {
                let members = struct_.members().iter();
                let required = members.clone().filter(|member| !member.may_be_missing(&mut Lattice::default()));
                let required: Vec<Json> = required.map(|member| member.name().into()).collect();
                let mut schema = |member: &Member| self.schema_with_interpolation(member.type_(), false, false);
                let properties: Map<_, _> = members.map(|member| (member.name().to_owned(), schema(member))).collect();
                let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
                if self.is_for_hiera {
                    schema["patternProperties"] = json!({ r"%\{[^}]*\}": {} });
                }
                if !required.is_empty() && !self.is_value_merged {
                    schema["required"] = required.into();
                }
                schema
            }
            Type::Collection(collection) => {
                let size = collection.size();
                json!({ "anyOf": [self.schema_with_size("array", size, "Items"), self.schema_with_size("object", size, "Properties")] })
            }
            Type::Variant(variant) if !variant.types().is_empty() => {
                json!({ "anyOf": variant.types().iter().map(|type_| self.schema_of_type(type_)).collect::<Vec<Json>>() })
            }
            Type::Optional(optional) => match optional.type_() {
                None => json!({}),
                Some(inner) => json!({ "anyOf": [{ "type": "null" }, self.schema_of_type(inner)] }),
            },
            Type::NotUndef(not_undef) => match not_undef.type_() {
                None => json!({ "not": { "type": "null" } }),
                Some(inner) => json!({ "allOf": [{ "not": { "type": "null" } }, self.schema_of_type(inner)] }),
            },
            Type::Iterable(_) => json!({ "$comment": "Iterable is not restricted" }),
            other if !may_overlap(other, &Type::built_in_type("Data")) => {
                json!({ "not": {}, "$comment": format!("no JSON value is a {}", other.name()) })
            }
            other => json!({ "$comment": format!("{} is not restricted", other.name()) }),
        }
    }
}

fn schema_of_patterns<'p>(all: impl Iterator<Item = &'p Regexp>) -> Json {
    let schema = |pattern: &Regexp| match pattern.to_ecma_pattern() {
        Some(pattern) => json!({ "type": "string", "pattern": pattern }),
        None => json!({ "type": "string", "$comment": format!("matches /{}/", pattern.source()) }),
    };
    match &all.map(schema).collect::<Vec<Json>>()[..] {
        [] => json!({ "type": "string" }),
        [only] => only.clone(),
        schemas => json!({ "anyOf": schemas }),
    }
}
