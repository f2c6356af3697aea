//! The JSON Schema of Hiera data: the parameters of classes, with what Hiera does to their values, and `lookup_options`.
//!
//! It accepts what [`Checker::check`] accepts, and rejects what that reports as far as JSON Schema can tell. What only a
//! conversion can tell, for keys with `convert_to`, it accepts.

#![expect(clippy::indexing_slicing, reason = "every schema is an object of JSON")]

use serde_json::{Map, Value as Json, json};

use super::{Checker, hiera_data::key_options, program::constant, schema::Writer};
use crate::data::hiera::{LOOKUP_OPTIONS, Strategy};
use crate::error::Result;
use crate::eval::Kind;
use crate::regexp::{Regexp, escape};
use crate::session::Documentation;
use crate::syntax::tree::{Expression, Id, Tree};
use crate::types::{Type, secret::may_be_sensitive};
use crate::value::Value;

impl Checker<'_> {
    /// The schema of the data that set the parameters of a class, or of the classes of a module; other keys are allowed.
    /// `None` if there is neither.
    ///
    /// # Errors
    /// The file of the class is wrong.
    pub fn schema_of(&mut self, name: &str) -> Result<Option<Json>> {
        let mut names = if name.contains("::") { Vec::new() } else { self.index.classes_of(name) };
        if names.is_empty() {
            self.session.environment.resource_definition(name)?;
            names.push(name.to_owned());
        }
        let (mut writer, mut properties) = (Writer::default(), Map::new());
        let count = self.describe(&names, &mut writer, &mut properties);
        Ok((count > 0).then(|| writer.document(json!({ "type": "object", "properties": properties }))))
    }

    /// The schema of the data of a project: all classes, and `lookup_options`. Of the other keys it rejects those that
    /// would belong to a known class or module, and that nothing looks up.
    pub fn schema(&mut self) -> Json {
        let (mut writer, mut properties) = (Writer::default(), Map::new());
        let mut options = writer.of(&key_options());
        // Puppet ignores what is not a hash.
        options.as_object_mut().map(|options| options.remove("type"));
        properties.insert(LOOKUP_OPTIONS.to_owned(), json!({ "type": "object", "additionalProperties": options }));
        for options in self.data.options.of_keys.values().filter_map(Value::as_hash) {
            if let Some(Ok(Strategy::Deep(deep))) = options.get_str("merge").map(Strategy::named)
                && let Some(Ok(prefix)) = deep.knockout.as_deref().map(|prefix| Regexp::new(&escape(prefix)))
            {
                writer.knockouts.extend(prefix.ecma().map(|prefix| format!("|^{prefix}")));
            }
        }
        let mut claimed = vec![format!("{LOOKUP_OPTIONS}$")];
        for module in self.index.all_modules() {
            let classes = self.index.classes_of(&module);
            self.describe(&classes, &mut writer, &mut properties);
            if self.index.is_partial(&module) {
                claimed.extend(classes.iter().map(|class| format!("{class}::[^:]+$")));
            } else {
                claimed.push(format!("{module}::"));
            }
        }
        let mut others = self.usage.patterns(&self.programs, &self.index);
        others.push(format!("(?!{})", claimed.join("|")));
        writer.document(json!({
            "type": ["object", "null"],
            "properties": properties,
            "patternProperties": { (format!("^(?:{})", others.join("|"))): {} },
            "additionalProperties": false,
        }))
    }

    /// Adds the parameters of classes. Returns how many of these there are.
    fn describe(&mut self, classes: &[String], writer: &mut Writer, properties: &mut Map<String, Json>) -> usize {
        let mut count = 0;
        for name in classes {
            let known = self.index.resource(name, &mut self.session.environment);
            let Some(class) = known.filter(|known| known.declaration.kind == Kind::Class) else { continue };
            count += 1;
            let line = class.tree.source.position(class.declaration.name_span.start as usize).line;
            let documentation = Documentation::before(class.tree.source.text(), line);
            for (at, declared) in class.declaration.parameters.iter().enumerate() {
                let key = format!("{name}::{}", declared.name);
                let type_ = class.types[at].as_ref();
                let schema = type_.map(|type_| self.schema_of_key(&key, type_, declared.default.is_some(), writer));
                let mut schema = schema.unwrap_or_else(|| json!({}));
                if let Some(description) = documentation.parameter(&declared.name) {
                    schema["description"] = description.into();
                }
                let is_shown = type_.is_some_and(|type_| !may_be_sensitive(type_));
                if let Some(default) = declared.default.filter(|_| is_shown).and_then(|id| literal(&class.tree, id)) {
                    schema["default"] = default;
                }
                properties.insert(key, schema);
            }
        }
        count
    }

    fn schema_of_key(&self, key: &str, type_: &Type, has_default: bool, writer: &mut Writer) -> Json {
        let convert_to = self.data.options.convert_to(key).map(|(type_, _)| type_);
        let becomes_sensitive = convert_to.is_some_and(|type_| type_.trim_start().starts_with("Sensitive"));
        if convert_to.is_some() && !becomes_sensitive {
            return json!({});
        }
        // Undef gives no value.
        let takes_null = has_default || self.data.may_be_set(key);
        let strategy = self.data.options.merge(key).ok().flatten();
        writer.is_hiera = true;
        writer.is_merged = matches!(strategy, Some(Strategy::Hash | Strategy::Deep(_)));
        let array = type_.alternatives().into_iter().find(|type_| matches!(type_, Type::Array(_)));
        if let (Some(Strategy::Unique), Some(Type::Array(array))) = (strategy, array) {
            // A single value is an element, and so are the elements of an array in the array.
            let element = writer.place(array.element(), true, takes_null);
            return json!({ "anyOf": [element, { "type": "array", "items": { "anyOf": [element, { "type": "array" }] } }] });
        }
        writer.place(type_, becomes_sensitive, takes_null)
    }
}

fn literal(tree: &Tree, id: Id) -> Option<Json> {
    match &tree[id].expression {
        Expression::Array(elements) => elements.iter().map(|element| literal(tree, *element)).collect(),
        Expression::Hash(entries) => {
            let entry =
                |(key, value): &(Id, Id)| Some((constant(tree, *key)?.as_str()?.to_owned(), literal(tree, *value)?));
            entries.iter().map(entry).collect::<Option<Map<_, _>>>().map(Json::Object)
        }
        _ => match constant(tree, id)? {
            Value::Undef | Value::Regexp(_) | Value::Default => None,
            value => serde_json::to_value(&value).ok(),
        },
    }
}
