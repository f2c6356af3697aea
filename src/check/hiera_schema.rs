//! Generates the JSON Schema of Hiera data: class parameters, with Hiera's interpolation, and `lookup_options`.
//!
//! The schema accepts all data that [`Checker::check`] accepts, and rejects as much of the other data as JSON Schema
//! can express. It accepts every value for keys with `convert_to`.

#![expect(clippy::indexing_slicing, reason = "every schema is an object of JSON")]

use serde_json::{Map, Value as Json, json};

use super::{Checker, hiera_data::type_of_lookup_options, program::constant_value, schema::SchemaWriter};
use crate::data::hiera::{LOOKUP_OPTIONS, Strategy};
use crate::error::Result;
use crate::regexp::{Regexp, escape};
use crate::session::Documentation;
use crate::syntax::tree::DefinitionKind;
use crate::types::{Type, secret::may_be_sensitive};
use crate::value::Value;

impl Checker<'_> {
    /// Returns the JSON Schema of Hiera data for the class `name`, or for all classes of the module `name`. It allows
    /// other keys. Returns `None` if neither exists.
    ///
    /// # Errors
    /// The file of the class contains an error.
    pub fn schema_of_class_or_module(&mut self, name: &str) -> Result<Option<Json>> {
        let mut names = if name.contains("::") { Vec::new() } else { self.index.class_names_of_module(name) };
        if names.is_empty() {
            self.session.environment.find_class_or_define(name)?;
            names.push(name.to_owned());
        }
        let mut writer = SchemaWriter::default();
        let properties = self.properties_of_classes(&names, &mut writer);
        Ok(properties.map(|all| writer.complete_schema(json!({ "type": "object", "properties": all }))))
    }

    /// Returns the JSON Schema of the Hiera data of a project: of all class parameters and `lookup_options`. It rejects
    /// other keys that begin with the name of a known class or module and that nothing looks up.
    pub fn schema_of_project(&mut self) -> Json {
        let (mut writer, mut properties) = (SchemaWriter::default(), Map::new());
        let mut options = writer.schema_of_type(&type_of_lookup_options());
        // Puppet ignores what is not a hash.
        options.as_object_mut().map(|options| options.remove("type"));
        properties.insert(LOOKUP_OPTIONS.to_owned(), json!({ "type": "object", "additionalProperties": options }));
        for options in self.data.options.options_by_key.values().filter_map(Value::as_hash) {
            if let Some(Ok(Strategy::Deep(deep))) = options.get_str("merge").map(Strategy::parse_merge_option)
                && let Some(Ok(prefix)) = deep.knockout.as_deref().map(|prefix| Regexp::new(&escape(prefix)))
            {
                writer.knockout_patterns.extend(prefix.to_ecma_pattern().map(|prefix| format!("|^{prefix}")));
            }
        }
        let mut claimed = vec![format!("{LOOKUP_OPTIONS}$")];
        for module in self.index.all_module_names() {
            let classes = self.index.class_names_of_module(&module);
            properties.extend(self.properties_of_classes(&classes, &mut writer).into_iter().flatten());
            if self.index.has_unparsable_files(&module) {
                claimed.extend(classes.iter().map(|class| format!("{class}::[^:]+$")));
            } else {
                claimed.push(format!("{module}::"));
            }
        }
        let mut others = self.key_patterns();
        others.push(format!("(?!{})", claimed.join("|")));
        writer.complete_schema(json!({
            "type": ["object", "null"],
            "properties": properties,
            "patternProperties": { (format!("^(?:{})", others.join("|"))): {} },
            "additionalProperties": false,
        }))
    }

    /// Returns a schema for each parameter of `classes`, or `None` if none of these classes exists.
    fn properties_of_classes(&mut self, classes: &[String], writer: &mut SchemaWriter) -> Option<Map<String, Json>> {
        let (mut properties, data) = (None, Type::built_in_type("Data"));
        for name in classes {
            let known = self.index.resource_type(name, &mut self.session.environment);
            let Some(class) = known.filter(|known| known.declaration.kind == DefinitionKind::Class) else { continue };
            let properties: &mut Map<String, Json> = properties.get_or_insert_default();
            let line = class.tree.source.position(class.declaration.name_span.start as usize).line;
            let documentation = Documentation::parse_before_line(class.tree.source.text(), line);
            for (at, declared) in class.declaration.parameters.iter().enumerate() {
                let key = format!("{name}::{}", declared.name);
                let type_ = class.types[at].as_ref();
                let schema = type_.map(|type_| self.schema_of_key(&key, type_, declared.default.is_some(), writer));
                let mut schema = schema.unwrap_or_else(|| json!({}));
                if let Some(description) = documentation.parameter_description(&declared.name) {
                    schema["description"] = description.into();
                }
                let is_shown = type_.is_some_and(|type_| !may_be_sensitive(type_));
                let default = declared.default.filter(|_| is_shown).and_then(|id| constant_value(&class.tree, id));
                let default = default.filter(|value| !value.is_undef() && data.has_instance(value));
                if let Some(default) = default.and_then(|value| serde_json::to_value(value).ok()) {
                    schema["default"] = default;
                }
                properties.insert(key, schema);
            }
        }
        properties
    }

    fn schema_of_key(&self, key: &str, type_: &Type, has_default: bool, writer: &mut SchemaWriter) -> Json {
        let convert_to = self.data.options.conversion_of_key(key).map(|(type_, _)| type_);
        let becomes_sensitive = convert_to.is_some_and(|type_| type_.trim_start().starts_with("Sensitive"));
        if convert_to.is_some() && !becomes_sensitive {
            return json!({});
        }
        // Undef gives no value.
        let takes_null = has_default || self.data.may_set_key(key);
        let strategy = self.data.options.merge_strategy_of_key(key).ok().flatten();
        writer.is_for_hiera = true;
        writer.is_value_merged = matches!(strategy, Some(Strategy::Hash | Strategy::Deep(_)));
        let array = type_.alternatives().into_iter().find(|type_| matches!(type_, Type::Array(_)));
        if let (Some(Strategy::Unique), Some(Type::Array(array))) = (strategy, array) {
            // A single value is an element, and so are the elements of an array in the array.
            let element = writer.schema_with_interpolation(array.element(), true, takes_null);
            return json!({ "anyOf": [element, { "type": "array", "items": { "anyOf": [element, { "type": "array" }] } }] });
        }
        writer.schema_with_interpolation(type_, becomes_sensitive, takes_null)
    }
}
